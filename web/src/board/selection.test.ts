import { describe, expect, it } from "vitest";

import type { MoveState } from "../protocol/types.ts";
import { keyOf } from "./geometry.ts";
import { dropOnPlace, idleness, Moves, pointAtPlace } from "./selection.ts";
import { moveOf, square, squares } from "./testing/samples.ts";

const BOARD = squares("b... .b.. ..w. ....");
const SLIDE = moveOf(square("a1"), square("c1"), "a1c1");
const TURN: MoveState = { kind: "turn", token: "rb2", block: square("b2") };
const moves = new Moves([SLIDE, moveOf(square("a1"), square("a3"), "a1a3"), TURN]);
const starts = moves.starts(BOARD, 0);

describe("pieces that move", () => {
  it("can be selected if they, or a block that holds them, can move", () => {
    expect([...starts].sort()).toEqual([square("a1"), square("b2")].map(keyOf).sort());
    expect(moves.starts(BOARD, 1).has(keyOf(square("c3")))).toBe(true);
  });

  it("are selected by the first click and play by the second", () => {
    expect(pointAtPlace(moves, starts, [], square("a1"))).toEqual({ do: "select", chosen: [square("a1")] });
    expect(pointAtPlace(moves, starts, [square("a1")], square("c1"))).toEqual({ do: "play", move: SLIDE });
  });

  it("give way to another piece of the same player", () => {
    expect(pointAtPlace(moves, starts, [square("a1")], square("b2"))).toEqual({ do: "select", chosen: [square("b2")] });
  });

  it("are put down by a second click on themselves", () => {
    expect(pointAtPlace(moves, starts, [square("a1")], square("a1"))).toEqual({ do: "clear" });
  });

  it("have wrong clicks explained from where they stand", () => {
    expect(pointAtPlace(moves, starts, [square("a1")], square("d4"))).toEqual({
      do: "refuse",
      gesture: { kind: "point", places: [square("a1"), square("d4")] },
    });
    expect(pointAtPlace(moves, starts, [], square("c3"))).toEqual({
      do: "refuse",
      gesture: { kind: "point", places: [square("c3")] },
    });
  });

  it("play when they are dropped on a target, and only then", () => {
    expect(dropOnPlace(moves, square("a1"), square("c1"))).toEqual({ do: "play", move: SLIDE });
    expect(dropOnPlace(moves, square("a1"), square("a1"))).toEqual({ do: "select", chosen: [square("a1")] });
    expect(dropOnPlace(moves, square("a1"), null)).toEqual({ do: "clear" });
    expect(dropOnPlace(moves, square("a1"), square("d1"))).toMatchObject({ do: "refuse" });
  });

  it("must be chosen where two begin and end alike", () => {
    const other = { ...SLIDE, token: "another way" };
    const twice = new Moves([SLIDE, other]);
    const outcome = pointAtPlace(twice, starts, [square("a1")], square("c1"));
    expect(outcome).toEqual({ do: "choose", moves: [SLIDE, other] });
  });

  it("may need a third place", () => {
    const [from, to, shot] = [square("a1"), square("c1"), square("c3")];
    const shots = new Moves([{ ...SLIDE, places: [[from, to, shot]] }]);
    const first = shots.starts(BOARD, 0);
    expect(pointAtPlace(shots, first, [from], to)).toEqual({ do: "select", chosen: [from, to] });
    expect(dropOnPlace(shots, from, to)).toEqual({ do: "select", chosen: [from, to] });
    expect([...shots.targets([from]).keys()]).toEqual([keyOf(to)]);
    expect(shots.targets([from, to]).get(keyOf(shot))?.mark).toEqual(shot);
    expect(pointAtPlace(shots, first, [from, to], shot)).toMatchObject({ do: "play" });
    expect(pointAtPlace(shots, first, [from, to], square("d4"))).toEqual({
      do: "refuse",
      gesture: { kind: "point", places: [from, to, square("d4")] },
    });
  });
});

describe("pieces that are placed", () => {
  const place: MoveState = { kind: "place", token: "b1", to: square("b1") };
  const placing = new Moves([place]);

  it("need one click", () => {
    expect(pointAtPlace(placing, new Set(), [], square("b1"))).toEqual({ do: "play", move: place });
    expect(pointAtPlace(placing, new Set(), [], square("c1"))).toMatchObject({ do: "refuse" });
  });
});

describe("columns", () => {
  it("are meant by each of their places and marked where the piece lands", () => {
    const column = ["b1", "b2", "b3"].map((name) => [square(name)]);
    const drop: MoveState = { kind: "place", token: "b", to: square("b3"), places: column };
    const dropping = new Moves([drop]);
    for (const name of ["b1", "b2", "b3"]) {
      expect(pointAtPlace(dropping, new Set(), [], square(name))).toEqual({ do: "play", move: drop });
      expect(dropping.targets([]).get(keyOf(square(name)))?.mark).toEqual(square("b3"));
    }
    expect(dropping.starts(BOARD, 0).size).toBe(0);
    expect(pointAtPlace(dropping, new Set(), [], square("c1"))).toMatchObject({ do: "refuse" });
  });
});

describe("blocks", () => {
  it("are found from each of their four places", () => {
    for (const name of ["b2", "c2", "b3", "c3"]) expect(moves.blocksAt(square(name))).toEqual([TURN]);
    for (const name of ["a1", "a2", "d3", "c4"]) expect(moves.blocksAt(square(name))).toEqual([]);
  });

  it("are idle where four alike would change places", () => {
    const isIdle = idleness(squares("bb.w bb.. .... ...."));
    expect(isIdle(square("a1"))).toBe(true);
    expect(isIdle(square("b1"))).toBe(false);
    expect(isIdle(square("b3"))).toBe(true);
    expect(isIdle(square("c1"))).toBe(false);
  });
});

it("passes are nothing that one could point at", () => {
  const passing = new Moves([{ kind: "pass", token: "pass" }]);
  expect(passing.byToken("pass")?.kind).toBe("pass");
  expect(passing.targets([]).size + passing.blocks.size + passing.slides.size).toBe(0);
});
