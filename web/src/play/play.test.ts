import { describe, expect, it } from "vitest";

import { listMoves, sheet } from "./moves.ts";
import { praise } from "./praise.ts";

describe("the move list", () => {
  it("leaves draws of chance out and ends a move after them", () => {
    const plies = [
      { token: "@1" },
      { token: "@2" },
      { token: "left", seat: 0 },
      { token: "@3" },
      { token: "up", seat: 0 },
    ];
    const moves = listMoves(plies, 0);
    expect(moves.map(({ number, ply, before, after }) => [number, ply.token, before, after])).toEqual([
      [1, "left", 2, 4],
      [2, "up", 4, 5],
    ]);
  });

  it("counts plies from the start of a long game", () => {
    expect(listMoves([{ token: "x", seat: 1 }], 1000)[0]).toMatchObject({ before: 1000, after: 1001 });
  });

  it("is a sheet with a row for each round, also after passes and odd starts", () => {
    const moves = listMoves(
      [1, 0, 1, 1, 0].map((seat, index) => ({ token: String(index), seat })),
      0,
    );
    expect(sheet(moves, 2).map((row) => row.map(({ seat }) => seat))).toEqual([[1], [0, 1], [1], [0]]);
  });
});

describe("praise", () => {
  it("is one of several words, each as likely as the others", () => {
    const words = new Set([0, 0.2, 0.4, 0.6, 0.8, 0.99].map((random) => praise(() => random)));
    expect(words.size).toBe(6);
  });
});
