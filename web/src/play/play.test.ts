import { describe, expect, it } from "vitest";

import { listMoves, sheet } from "./moves.ts";
import { isEarned, praise } from "./praise.ts";

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

  const at = (move: string, score: number, bound: "upper" | null = null) => ({ move, score, bound });
  it.each([
    ["the best move", true, "a", { unit: "discs", moves: [at("a", 2), at("b", 1)] }],
    ["one as good as the best", true, "b", { unit: "discs", moves: [at("a", 2), at("b", 2), at("c", 1)] }],
    ["a worse one", false, "b", { unit: "discs", moves: [at("a", 2), at("b", 1)] }],
    ["one that was not looked at", false, "z", { unit: "discs", moves: [at("a", 2), at("b", 1)] }],
    [
      "one of which only a bound is known",
      false,
      "b",
      { unit: null, moves: [at("a", 2), at("b", 2, "upper"), at("c", 1)] },
    ],
    ["one among equals", false, "a", { unit: "discs", moves: [at("a", 2), at("b", 2)] }],
    ["the best of a lost game", false, "a", { unit: "discs", moves: [at("a", -4), at("b", -9)] }],
    ["the best with few chances", false, "a", { unit: "percent", moves: [at("a", 30), at("b", 9)] }],
    ["the best of an even game", true, "a", { unit: "percent", moves: [at("a", 48), at("b", 9)] }],
    ["a move of a bot that does not judge", false, "a", { unit: null, moves: [] }],
  ])("for %s: %s", (_, earned, token, opinion) => {
    expect(isEarned(token, opinion, 2)).toBe(earned);
  });
});
