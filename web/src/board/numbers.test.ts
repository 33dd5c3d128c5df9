import { describe, expect, it } from "vitest";

import { numbered, numberedMoves, readNumbered } from "./numbers.ts";
import { squares, star, tiles } from "./testing/samples.ts";

const BOARD = squares(Array.from({ length: 12 }, () => "............").join("\n"));

describe("places called by numbers", () => {
  it("are named by row and column, from 1 where the game uses letters", () => {
    const { places, rows, columns } = numbered(BOARD);
    expect([places, rows[3], columns[2], columns[11]]).toEqual(["({row},{column})", "4", "3", "12"]);
    expect(numbered(star()).rows[3]).toBe("3");
    const picture = tiles("2 0 0 0\n0 0 0 0\n0 0 0 0\n0 0 0 0");
    expect(numbered(picture)).toBe(picture);
  });

  it.each([
    ["c4", "(4,3)"],
    ["l12", "(12,12)"],
    ["e2e4", "(2,5)-(4,5)"],
    ["e2-e4", "(2,5)-(4,5)"],
    ["@a1", "@(1,1)"],
    ["pass", "pass"],
  ])("turn %s into %s", (token, text) => {
    expect(numberedMoves(BOARD)(token)).toBe(text);
  });

  it("know holes of a star, whose names are numbers already", () => {
    expect(numberedMoves(star())("0309-0711")).toBe("(3,9)-(7,11)");
  });

  it("leave slides of tiles alone", () => {
    expect(numberedMoves(tiles("2 0 0 0\n0 0 0 0\n0 0 0 0\n0 0 0 0"))("left")).toBe("left");
  });

  it.each([
    ["(4,3)", "c4"],
    [" 4 , 3 ", "c4"],
    ["(2,5) - (4,5)", "e2e4"],
    ["@(1,1)", "@a1"],
    ["c4", "c4"],
    // Nothing legal: the server says what is wrong with it.
    ["(9,9)", "i9"],
    ["(13,1)", "(13,1)"],
  ])("are read: %s means %s", (text, token) => {
    expect(readNumbered(BOARD, ["c4", "e2e4", "a1", "@a1"], text)).toBe(token);
  });
});
