import { describe, expect, it } from "vitest";

import { isEarned, praise } from "./praise.ts";

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
