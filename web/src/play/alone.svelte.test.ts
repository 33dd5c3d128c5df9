// Games for one: races, what is reached in them, and how they end.
import { flushSync, mount, unmount } from "svelte";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { link } from "../connection/live.svelte.ts";
import { formatScore } from "../lib/format.ts";
import type { BoardFacts, BoardState, TableState, Update } from "../protocol/types.ts";
import { BOT, seat, sessionAt, table } from "../testing/table.ts";
import BotControls from "./BotControls.svelte";
import Moves from "./Moves.svelte";
import { milestonesOf, resultOf } from "./result.ts";
import ResultPanel from "./ResultPanel.svelte";
import { statusOf } from "./status.ts";

const FULL = { kind: "lost" as const, seat: null, reason: { key: "end.no-move", text: "no move is left" } };
const REACHED = {
  text: { key: "milestone", text: "You have reached 2048." },
  what: { key: "milestone.what", text: "2048" },
  countsForBots: false,
};

/** A race of a person against bots, with these facts of the boards. */
function race(facts: Partial<BoardFacts>[], changes: Partial<TableState> = {}): TableState {
  const boards = facts.map((own) => table(own).boards[0] as BoardState);
  const seats = facts.map((_, index) => (index === 0 ? seat("Player") : seat("Player", BOT)));
  return { ...table(), game: "2048", mode: "race", boards, seats, ...changes };
}

let shown: Record<string, never> | null = null;

beforeEach(() => {
  // Nothing is asked of a server here.
  vi.stubGlobal("fetch", () => new Promise(() => undefined));
});

afterEach(() => {
  if (shown) void unmount(shown);
  shown = null;
  document.body.replaceChildren();
  link.status = "open";
  vi.unstubAllGlobals();
});

const text = () => document.body.textContent.replace(/\s+/g, " ");

describe("a race", () => {
  it("says when one's own board is full, and offers Skip and a pace for the others", () => {
    const session = sessionAt(race([{ end: FULL, turn: null, score: 300 }, { score: 200 }, { score: 100 }]));
    expect(statusOf(session)).toBe("You have finished: no move is left. 2 boards are still being played.");
    expect(session.mayChooseBoard).toBe(true);
    const act = vi.spyOn(session.table, "act").mockResolvedValue();
    shown = mount(BotControls, { target: document.body, props: { session } });
    flushSync();
    const skip = [...document.querySelectorAll("button")].find((button) => button.textContent.includes("Skip"));
    skip?.click();
    expect(act).toHaveBeenCalledWith({ do: "skip" });
    expect(document.querySelector("input[type=range]")).not.toBeNull();
  });

  it("does not tell whoever slides on after the end of their board that it is not their turn", async () => {
    const session = sessionAt(race([{ end: FULL, turn: null, score: 300 }, { score: 200 }]));
    await session.explain({ kind: "slide", heading: "left" });
    expect(session.note).toBeNull();
  });

  it("offers neither while a person still plays", () => {
    const session = sessionAt(race([{ score: 300 }, { score: 200 }]));
    shown = mount(BotControls, { target: document.body, props: { session } });
    flushSync();
    expect(text()).not.toContain("Skip");
    expect(session.mayChooseBoard).toBe(false);
  });

  it("says that bots are skipped", () => {
    const state = race([{ end: FULL, turn: null }, {}], { skipping: true });
    expect(statusOf(sessionAt(state))).toBe("The bots play to the end…");
  });

  it("shows its result once it is decided, and may be played on", () => {
    const state = race(
      [
        { score: 900, movesMade: 40 },
        { end: FULL, turn: null, score: 500 },
      ],
      { ranking: [[0], [1]] },
    );
    const session = sessionAt(state);
    expect(session.isOver).toBe(false);
    const result = resultOf(session);
    expect(result).toMatchObject({ mood: "won" });
    if (!result) return;
    shown = mount(ResultPanel, { target: document.body, props: { session, result, share: () => undefined } });
    flushSync();
    expect(text()).toContain("The result is final. You may play on for more points.");
    expect(text()).toMatch(/1\. You.*900.*2\. Bot · Hard.*500/);
    expect(resultOf(sessionAt({ ...state, ranking: [] }))).toBeNull();
  });

  it("names who has reached what", () => {
    const state = race([{ milestone: REACHED }, { milestone: { ...REACHED, what: { key: "x", text: "4096" } } }, {}]);
    expect(milestonesOf(sessionAt(state))).toEqual(["You have reached 2048.", "Bot · Hard has reached 4096."]);
  });
});

describe("a game for one", () => {
  it("ends with score, mark and moves, and can be played again", () => {
    const mark = { name: { key: "mark", text: "largest tile" }, value: 2048 };
    const facts = { end: FULL, turn: null, score: 20_124, movesMade: 3730, mark };
    const session = sessionAt({ ...table(facts), game: "2048", seats: [seat("Player")] });
    const result = resultOf(session);
    expect(result?.mood).toBe("lost");
    if (!result) return;
    shown = mount(ResultPanel, { target: document.body, props: { session, result, share: () => undefined } });
    flushSync();
    const figures = [...document.querySelectorAll("dl div")].map((figure) => figure.textContent.trim());
    expect(figures.map((figure) => figure.replace(/\s+/g, " "))).toEqual([
      "Score 20,124",
      "largest tile 2048",
      "Moves 3,730",
    ]);
    expect(text()).toContain("Play again");
    expect(text()).not.toContain("Rematch");
  });

  it("is no feat of a bot unless the game says so, whatever its tiles", () => {
    const facts = { end: FULL, turn: null, milestone: REACHED };
    expect(resultOf(sessionAt({ ...table(facts), seats: [seat("Player", BOT)] }))?.mood).toBe("lost");
  });

  it("has a word for a score that says that no move is left", () => {
    expect(formatScore({ value: -99_999_995_793.8, unit: "S3 points", deadEnd: true })).toBe("no move left");
  });
});

describe("the list of moves", () => {
  /** A game of so many moves, of which the last 100 are told. */
  function long(moves: number): TableState {
    const plies = Array.from({ length: 200 }, (_, index) =>
      index % 2 === 0 ? { token: "left", seat: 0, millis: 3 } : { token: "@0,0=2" },
    );
    const [board] = table({ ply: 2 * moves, movesMade: moves }).boards as [BoardState];
    return { ...table(), seats: [seat("Player", BOT)], boards: [{ ...board, skipped: 2 * moves - 200, plies }] };
  }

  function next(from: number, moves: number): Update & { type: "event" } {
    const facts = { ...(table().boards[0] as BoardState).facts, ply: 2 * moves, movesMade: moves };
    const plies = [{ token: "up", seat: 0, millis: 3 }, { token: "@0,0=2" }];
    const boards = [{ board: 0, kept: 2 * moves - 2, plies, steps: [], changes: [], facts }];
    return {
      type: "event",
      game: "t",
      from,
      seq: from + 1,
      pace: 20,
      paused: false,
      skipping: false,
      ranking: [],
      boards,
    };
  }

  it.each([150, 20_000])("costs a few elements after %i moves, and a new move changes only its own", (moves) => {
    const session = sessionAt(long(moves));
    shown = mount(Moves, { target: document.body, props: { session, jump: () => undefined } });
    flushSync();
    const entries = () => [...document.querySelectorAll<HTMLElement>(".move")];
    const count = document.querySelectorAll("*").length;
    expect(entries().at(-1)?.dataset["number"]).toBe(String(moves));
    const before = new Map(entries().map((entry) => [entry.dataset["number"], entry]));
    let fresh = 0;
    for (let made = moves + 1; made <= moves + 20; made += 1) {
      const known = new Set(entries());
      session.table.receive(next(made - moves, made));
      flushSync();
      fresh += entries().filter((entry) => !known.has(entry)).length;
    }
    expect(fresh).toBe(20);
    expect(entries().at(-1)?.dataset["number"]).toBe(String(moves + 20));
    for (const entry of entries()) {
      const known = before.get(entry.dataset["number"]);
      if (known) expect(entry).toBe(known);
    }
    expect(document.querySelectorAll("*").length).toBeLessThan(count + 20);
    expect(document.querySelectorAll("*").length).toBeLessThan(150);
  });
});
