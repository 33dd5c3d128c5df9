// Moves of a finished game that gave something away.
import { flushSync, mount, unmount } from "svelte";
import { afterEach, beforeEach, expect, it, vi } from "vitest";

import { settings } from "../lib/settings.svelte.ts";
import type { ReviewPart } from "../protocol/types.ts";
import { BOT, seat, sessionAt, table } from "../testing/table.ts";
import Moves from "./Moves.svelte";
import type { Session } from "./session.svelte.ts";

const OVER = { turn: null, end: { kind: "won" as const, seat: 0, reason: { key: "", text: "" } } };
const PARTS: ReviewPart[] = [
  { to: 1, plies: 3, faults: [{ ply: 0, mark: "dubious", better: "c4" }] },
  { to: 3, plies: 3, faults: [{ ply: 2, mark: "blunder", better: "d6" }] },
];

let asked: string[] = [];

beforeEach(() => {
  asked = [];
  vi.stubGlobal("fetch", (path: string) => {
    asked.push(path);
    const part = PARTS.find(({ to }) => to > Number(new URL(path, "http://a").searchParams.get("from")));
    return Promise.resolve(new Response(JSON.stringify(part)));
  });
});

afterEach(() => {
  document.body.replaceChildren();
  vi.unstubAllGlobals();
  settings.places = "letters";
});

/** A game of three moves; of more plies than anybody looks through unasked if `plies` says so. */
function game(facts: Parameters<typeof table>[0], seats = [seat("Black"), seat("White", BOT)], plies = 3): Session {
  const state = table({ ply: plies, movesMade: 3, ...facts }, { seats });
  const moves = ["d3", "c3", "f5"].map((token, index) => ({ token, seat: index % 2 }));
  return sessionAt({ ...state, boards: state.boards.map((board) => ({ ...board, plies: moves })) });
}

const settle = () => new Promise((resolve) => setTimeout(resolve, 20)).then(() => flushSync());

it("are looked for part by part once the game is over, and forgotten if it goes on", async () => {
  const session = game(OVER);
  const jumps: (number | null)[] = [];
  const shown = mount(Moves, { target: document.body, props: { session, jump: (ply) => void jumps.push(ply) } });
  await settle();
  expect(asked.map((path) => path.split("/").at(-1))).toEqual(["review?board=0&from=0", "review?board=0&from=1"]);
  expect([...session.faults.found.keys()]).toEqual([0, 2]);
  expect([session.faults.progress, session.faults.isDone]).toEqual([null, true]);
  const next = [...document.querySelectorAll("button")].find((one) => one.textContent === "2 mistakes: show the next");
  next?.click();
  expect(jumps).toEqual([1]);
  session.table.receive({ type: "state", game: "t", state: { ...table({ ply: 2, movesMade: 2 }), seq: 9 } });
  await settle();
  expect([session.faults.found.size, session.faults.isDone]).toEqual([0, false]);
  void unmount(shown);
});

it.each([
  ["a game that goes on", () => game({}), false],
  ["a game of others", () => game(OVER, [seat("Black", BOT), seat("White", BOT)]), true],
  ["a long game", () => game(OVER, undefined, 201), true],
])("are not looked for unasked in %s", async (_, open, isPossible) => {
  const session = open();
  const shown = mount(Moves, { target: document.body, props: { session, jump: () => undefined } });
  await settle();
  expect(asked).toEqual([]);
  const button = [...document.querySelectorAll("button")].find((one) => one.textContent === "Look for mistakes");
  expect(button !== undefined).toBe(isPossible);
  button?.click();
  await settle();
  expect(session.faults.found.size).toBe(isPossible ? 2 : 0);
  void unmount(shown);
});

it("are said in words, with the better move as places are called", () => {
  const session = game(OVER);
  expect(session.faultText({ ply: 0, mark: "blunder", better: "a1" })).toBe("A blunder; better: a1");
  settings.places = "numbers";
  expect(session.faultText({ ply: 0, mark: "mistake", better: "a1" })).toBe("A mistake; better: (1,1)");
});
