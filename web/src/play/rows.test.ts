import { describe, expect, it } from "vitest";

import { Rows } from "./rows.ts";

const long = new Rows({ moves: 20_000, empty: 0, perRow: 2, rowHeight: 30 });

describe("the rows of a long list", () => {
  it("exist around what is seen only, however many there are", () => {
    const short = new Rows({ moves: 60, empty: 0, perRow: 2, rowHeight: 30 });
    expect(short.around(Infinity, 300).rows.length).toBe(14);
    expect(long.around(Infinity, 300).rows.length).toBe(14);
    expect(long.around(150_000, 300)).toMatchObject({ firstMove: 9993, lastMove: 10_028 });
    expect(long.around(Infinity, 300).lastMove).toBe(20_000);
    expect(long.around(0, 300)).toMatchObject({ firstMove: 1, lastMove: 28 });
    expect(new Rows({ ...long, moves: 0 }).around(0, 300).rows).toEqual([]);
  });

  it("hold the moves in their order, and nothing beyond the first and the last", () => {
    const sheet = new Rows({ moves: 4, empty: 1, perRow: 2, rowHeight: 30 });
    expect([0, 1, 2].map((row) => sheet.numbers(row))).toEqual([
      [0, 1],
      [2, 3],
      [4, 0],
    ]);
    expect([1, 2, 3, 4].map((number) => sheet.rowOf(number))).toEqual([0, 1, 1, 2]);
    expect(sheet.count).toBe(3);
  });

  it("make the list grow only now and then while its end is followed", () => {
    const heights = new Set<number>();
    for (let moves = 2001; moves <= 2200; moves += 1) {
      const rows = new Rows({ moves, empty: 0, perRow: 2, rowHeight: 30 });
      heights.add(rows.height + rows.room(300));
    }
    expect([...heights]).toEqual([1100 * 30, 1200 * 30]);
    expect(new Rows({ moves: 10, empty: 0, perRow: 2, rowHeight: 30 }).room(300)).toBe(0);
  });

  it("stay where they are while a move is seen, and put it in the middle otherwise", () => {
    expect(long.reveal(21, 250, 300)).toBe(250);
    expect(long.reveal(10_001, 250, 300)).toBe(5000 * 30 + 15 - 150);
    expect(long.reveal(0, 250, 300)).toBe(0);
  });
});
