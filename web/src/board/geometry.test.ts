import { describe, expect, it } from "vitest";

import { Geometry, placeName, pointAt } from "./geometry.ts";
import { hole, square, squares, star, tiles } from "./testing/samples.ts";
import { turnedFor, turnUnit } from "./turning.ts";

const EIGHT = squares(Array(8).fill("........").join(" "));

describe("squares", () => {
  it("are 100 wide in a frame of 44", () => {
    const geometry = new Geometry(EIGHT);
    expect(geometry.viewBox).toBe("-44 -44 888 888");
    expect(geometry.at(square("a1"))).toMatchObject({ x: 50, y: 50 });
    expect(geometry.at(square("c2"))).toMatchObject({ x: 250, y: 150 });
  });

  it.each([
    [1, { x: 750, y: 50 }],
    [2, { x: 750, y: 750 }],
    [3, { x: 50, y: 750 }],
    [4, { x: 50, y: 50 }],
    [-1, { x: 50, y: 750 }],
  ])("turn by %i quarters clockwise", (turned, point) => {
    expect(new Geometry(EIGHT, turned).at(square("a1"))).toMatchObject(point);
  });

  it("are hit anywhere in them, whichever way they are turned", () => {
    expect(new Geometry(EIGHT).hit({ x: 299, y: 101 })?.spot).toEqual(square("c2"));
    expect(new Geometry(EIGHT, 2).hit({ x: 299, y: 101 })?.spot).toEqual(square("f7"));
    expect(new Geometry(EIGHT).hit({ x: -1, y: 50 })).toBeUndefined();
    expect(new Geometry(EIGHT).hit({ x: 801, y: 50 })).toBeUndefined();
  });

  it("have blocks whose middle is where four squares meet", () => {
    expect(new Geometry(EIGHT).blockCentre(square("b3"))).toEqual({ x: 200, y: 300 });
    expect(new Geometry(EIGHT, 1).blockCentre(square("b3"))).toEqual({ x: 500, y: 200 });
  });

  it("lie alike in any frame", () => {
    const plain = new Geometry(EIGHT, 1);
    const bare = new Geometry(EIGHT, 1, 0, plain);
    expect(bare.places).toBe(plain.places);
    expect(bare.viewBox).toBe("0 0 800 800");
    expect(bare.hit({ x: 10, y: 10 })?.spot).toEqual(square("a8"));
  });
});

describe("a star", () => {
  const geometry = new Geometry(star());

  it("has 121 holes where they belong", () => {
    expect(geometry.places).toHaveLength(121);
    expect(geometry.viewBox).toBe("-100 -100 1400 1586");
    const { x, y } = geometry.at(hole("0309"));
    expect(x).toBe(450);
    expect(y).toBeCloseTo(259.8);
  });

  it("turns by sixths: the top goes to the upper right, then on", () => {
    const turned = [1, 2, 3, 4, 5, 6].map((turns) => new Geometry(star(), turns));
    const tips = turned.map((one) => one.places.find((place) => place.key === 12)?.shown);
    expect(tips).toEqual([
      [4, 24],
      [12, 24],
      [16, 12],
      [12, 0],
      [4, 0],
      [0, 12],
    ]);
  });

  it("covers the same holes of the screen however it is turned", () => {
    const shown = (turns: number): string[] =>
      new Geometry(star(), turns).places.map(({ shown: [row, column] }) => `${row} ${column}`).sort();
    for (let turns = 1; turns < 6; turns += 1) expect(shown(turns)).toEqual(shown(0));
  });

  it("snaps to the nearest hole", () => {
    expect(geometry.hit({ x: 480, y: 280 })?.spot).toEqual(hole("0309"));
    expect(geometry.hit({ x: 0, y: 0 })).toBeUndefined();
  });
});

it("tiles are 100 wide with gaps of 12", () => {
  const geometry = new Geometry(tiles("2 4 8 16\n0 0 0 0\n0 0 0 0\n0 0 0 2"));
  expect(geometry.viewBox).toBe("0 0 460 460");
  expect(geometry.at([3, 0])).toMatchObject({ x: 62, y: 398 });
});

it("places are named as in moves", () => {
  expect(placeName(EIGHT, square("d3"))).toBe("d3");
  expect(placeName(star(), hole("0309"))).toBe("0309");
});

it("points of the screen become points of the drawing, which is centred where it does not fill its place", () => {
  const shown = { left: 10, top: 20, width: 444, height: 888 };
  const box = { x: -44, y: -44, width: 888, height: 888 };
  expect(pointAt(shown, box, 10, 242)).toEqual({ x: -44, y: -44 });
  expect(pointAt(shown, box, 232, 464)).toEqual({ x: 400, y: 400 });
});

describe("turning", () => {
  const around = squares(".bbb. w...w w...w w...w .bbb.");

  it("goes by quarters where somebody begins at the sides, by halves elsewhere", () => {
    expect(turnUnit(around)).toBe(1);
    expect(turnUnit(squares("..... .bw.. .wb.. ..... ....."))).toBe(2);
    expect(turnUnit(star())).toBe(1);
  });

  it("brings one's own pieces to the bottom", () => {
    const owners = [0, 1, 2, 3, 4, 5].map((seat) => {
      const geometry = new Geometry(star(), turnedFor(star(), seat));
      const own = star().cells.filter((cell) => cell.piece?.owner === seat);
      return Math.min(...own.map((cell) => geometry.at(cell.at).y));
    });
    for (const least of owners) expect(least).toBeGreaterThan(86.6 * 12.5);
    expect(turnedFor(star(), 3)).toBe(0);
    expect(turnedFor(around, 1)).toBe(0);
  });
});
