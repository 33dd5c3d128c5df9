import { describe, expect, it, vi } from "vitest";

import type { BoardState, BoardUpdate, PlyList, PlyState } from "../protocol/types.ts";
import { type Fetch, History } from "./history.svelte.ts";

/** A game for one: two draws of chance, then moves with a draw after each. */
function ply(index: number): PlyState {
  return index < 2 || index % 2 === 1 ? { token: `@${index}` } : { token: `move ${index}`, seat: 0 };
}

const plies = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => ply(from + index));
const moves = (played: number) => Math.max(0, Math.ceil((played - 2) / 2));

function state(played: number, skipped: number): BoardState {
  return { skipped, plies: plies(skipped, played), facts: { movesMade: moves(played) } } as BoardState;
}

function update(kept: number, played: number): BoardUpdate {
  return { kept, plies: plies(kept, played), facts: { movesMade: moves(played) } } as BoardUpdate;
}

/** What the server answers. */
function page(from: number, to: number, played: number): PlyList {
  const start = 2 + 2 * from;
  return { from: start, movesBefore: from, plies: plies(start, Math.min(2 + 2 * to, played)) };
}

function history(played: number, skipped = 0, fetch: Fetch = (from, to) => Promise.resolve(page(from, to, played))) {
  const known = new History(fetch);
  known.reset(state(played, skipped));
  return known;
}

const entry = (known: History, number: number) => {
  const found = known.at(number);
  return found && [found.number, found.ply.token, found.before, found.after];
};

describe("a history", () => {
  it("leaves draws of chance out and ends a move after them", () => {
    const known = history(5);
    expect(known.total).toBe(2);
    expect(entry(known, 1)).toEqual([1, "move 2", 2, 4]);
    expect(entry(known, 2)).toEqual([2, "move 4", 4, 5]);
    known.append(update(5, 6));
    expect(entry(known, 2)).toEqual([2, "move 4", 4, 6]);
  });

  it("numbers the moves of a long game from its start", () => {
    const known = history(7462, 7000);
    expect(known.total).toBe(3730);
    expect(entry(known, 3730)).toEqual([3730, "move 7460", 7460, 7462]);
    expect(known.at(1)).toBeUndefined();
  });

  it("keeps what it has when moves are added: no entry is made anew", () => {
    const known = history(402);
    const before = [1, 100, 199].map((number) => known.at(number));
    known.append(update(402, 406));
    expect(known.total).toBe(202);
    [1, 100, 199].forEach((number, index) => expect(known.at(number)).toBe(before[index]));
    expect(entry(known, 202)).toEqual([202, "move 404", 404, 406]);
  });

  it("takes moves back, also more than is known", () => {
    const known = history(20_000, 19_800);
    known.append(update(19_900, 19_900));
    expect(known.total).toBe(9949);
    expect([known.at(9949)?.after, known.at(9950)]).toEqual([19_900, undefined]);
    known.append(update(100, 102));
    expect(known.total).toBe(50);
    expect([entry(known, 50), known.at(51), known.at(9949)]).toEqual([
      [50, "move 100", 100, 102],
      undefined,
      undefined,
    ]);
  });

  it("fetches a page at a time, once, and only what is not known", async () => {
    const fetch = vi.fn<Fetch>((from, to) => Promise.resolve(page(from, to, 20_000)));
    const known = history(20_000, 19_800, fetch);
    await known.need(9950, 9999);
    expect(fetch).not.toHaveBeenCalled();
    await Promise.all([known.need(395, 405), known.need(401, 402)]);
    expect(fetch.mock.calls).toEqual([
      [200, 400],
      [400, 600],
    ]);
    expect(entry(known, 401)).toEqual([401, "move 802", 802, 804]);
    await known.need(395, 405);
    expect(fetch).toHaveBeenCalledTimes(2);
  });

  it("does not let what was fetched replace what has happened since", async () => {
    let answer: (list: PlyList) => void = () => undefined;
    const known = history(1002, 802, () => new Promise((resolve) => (answer = resolve)));
    const asked = known.need(390, 390);
    known.append({ ...update(780, 780), facts: { movesMade: 389 } } as BoardUpdate);
    known.append({ kept: 780, plies: [{ token: "other", seat: 0 }], facts: { movesMade: 390 } } as BoardUpdate);
    answer(page(200, 400, 1002));
    await asked;
    expect([known.at(389)?.ply.token, known.at(390)?.ply.token]).toEqual(["move 778", "other"]);
    expect(known.at(391)).toBeUndefined();
  });

  it("forgets what was asked of a game that has begun anew, and asks again after a failure", async () => {
    const answers: { resolve: (list: PlyList) => void; reject: (reason: Error) => void }[] = [];
    const known = history(1002, 802, () => new Promise((resolve, reject) => answers.push({ resolve, reject })));
    const asked = known.need(1, 1);
    known.reset(state(1002, 802));
    answers[0]?.resolve(page(0, 200, 1002));
    await asked;
    expect(known.at(1)).toBeUndefined();
    const failed = known.need(1, 1);
    answers[1]?.reject(new Error("no connection"));
    await failed;
    void known.need(1, 1);
    expect(answers).toHaveLength(3);
  });

  it("tells whether two seats take turns, and who began", () => {
    const of = (...seats: number[]) => {
      const known = new History(() => Promise.reject(new Error("all is known")));
      const played = seats.map((seat) => ({ token: "x", seat }));
      known.reset({ skipped: 0, plies: played, facts: { movesMade: seats.length } } as unknown as BoardState);
      return [known.isAlternating, known.firstSeat];
    };
    expect(of()).toEqual([true, 0]);
    expect(of(0, 1, 0)).toEqual([true, 0]);
    expect(of(1, 0, 1)).toEqual([true, 1]);
    expect(of(1, 0, 1, 1, 0)[0]).toBe(false);
    expect(of(0, 1, 2)[0]).toBe(false);
  });
});
