import { flushSync, mount, unmount } from "svelte";
import { afterEach, beforeEach, expect, it, vi } from "vitest";

import { navigate, routeOf } from "../lib/router.svelte.ts";
import { settings } from "../lib/settings.svelte.ts";
import { countedTitle, turns } from "../lib/turns.svelte.ts";
import Home from "../pages/Home.svelte";
import type { TableSummary } from "../protocol/types.ts";
import Header from "./Header.svelte";
import TurnWatch from "./TurnWatch.svelte";

function game(id: string, changes: Partial<TableSummary> = {}): TableSummary {
  return {
    id,
    game: "othello",
    options: "size=8",
    mode: "single",
    name: "Friday",
    created: "",
    updated: "",
    moves: 3,
    public: false,
    ranking: [],
    scores: [],
    seats: [],
    watchers: 0,
    yourTurn: true,
    ...changes,
  };
}

let answer: TableSummary[] = [];
let asked = 0;
const shown: Record<string, unknown>[] = [];

class FakeNotification {
  static permission = "granted";
  static shown: { body: string; tag: string; onclick: (() => void) | null }[] = [];
  onclick: (() => void) | null = null;
  readonly body: string;
  readonly tag: string;

  constructor(_: string, { body, tag }: { body: string; tag: string }) {
    this.body = body;
    this.tag = tag;
    FakeNotification.shown.push(this);
  }

  close(): void {}
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  vi.stubGlobal("scrollTo", () => undefined);
  vi.stubGlobal("fetch", (path: string) => {
    if (path !== "/api/v1/games?mine=true") return Promise.resolve(new Response("{}", { status: 404 }));
    asked += 1;
    return Promise.resolve(new Response(JSON.stringify({ games: answer, more: false })));
  });
  [answer, asked, turns.games, FakeNotification.shown] = [[], 0, null, []];
  navigate("/");
});

afterEach(() => {
  for (const component of shown.splice(0)) void unmount(component);
  document.body.replaceChildren();
  turns.stop();
  settings.notify = false;
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

/** Lets time pass until the server has been asked again. */
async function later(millis: number): Promise<void> {
  await vi.advanceTimersByTimeAsync(millis);
  flushSync();
}

it("counts in header and title, on every page, the games in which others wait", async () => {
  answer = [
    game("a"),
    game("b"),
    game("theirs", { yourTurn: false }),
    game("bots", { name: null }),
    game("over", { ranking: [[0]] }),
  ];
  document.title = "Lobbies · Agon";
  shown.push(mount(Header, { target: document.body, props: { inGame: false, hasBar: false } }));
  shown.push(mount(TurnWatch, { target: document.body }));
  await later(1);
  const badge = () => document.querySelector("[data-testid=turns] .hidden")?.textContent;
  expect([badge(), document.title]).toEqual(["Your turn in 2 games", "(2) Lobbies · Agon"]);
  navigate("/game/a");
  document.title = "Othello · Agon";
  await later(1);
  expect([badge(), document.title]).toEqual(["Your turn in 1 game", "(1) Othello · Agon"]);
  answer = [];
  await turns.refresh();
  await later(1);
  expect([badge(), document.title]).toEqual([undefined, "Othello · Agon"]);
});

it("asks again while an online game is under way, and only then", async () => {
  answer = [game("a", { yourTurn: false })];
  await turns.refresh();
  await later(30_000);
  expect(asked).toBe(2);
  answer = [game("a", { ranking: [[0]] }), game("bots", { name: null })];
  await later(30_000);
  await later(300_000);
  expect(asked).toBe(3);
});

it("notifies once in a hidden tab, and a click leads to the game", async () => {
  vi.stubGlobal("Notification", FakeNotification);
  vi.spyOn(document, "visibilityState", "get").mockReturnValue("hidden");
  settings.notify = true;
  answer = [game("a"), game("b", { yourTurn: false })];
  await turns.refresh();
  await later(1);
  expect(FakeNotification.shown).toEqual([]);
  answer = [game("a"), game("b")];
  await later(30_000);
  await later(30_000);
  expect(FakeNotification.shown.map(({ body, tag }) => [body, tag])).toEqual([["Your turn: othello 8×8", "b"]]);
  FakeNotification.shown[0]?.onclick?.();
  expect(location.pathname).toBe("/game/b");
});

it("keeps what is known when the server does not answer", async () => {
  answer = [game("a")];
  await turns.refresh();
  vi.stubGlobal("fetch", () => Promise.reject(new TypeError("no network")));
  await turns.refresh();
  expect(turns.waiting.map(({ id }) => id)).toEqual(["a"]);
});

it("puts my games first on the home page when it is my turn", async () => {
  answer = [game("a", { yourTurn: false })];
  await turns.refresh();
  shown.push(mount(Home, { target: document.body }));
  await later(1);
  const headings = () => [...document.querySelectorAll("h1, h2")].map((heading) => heading.textContent);
  expect(headings().indexOf("My games")).toBeGreaterThan(0);
  answer = [game("a")];
  await turns.refresh();
  await later(1);
  expect(headings()[0]).toBe("My games");
});

it("leads from the header only to pages that exist", () => {
  shown.push(mount(Header, { target: document.body, props: { inGame: false, hasBar: false } }));
  const paths = [...document.querySelectorAll("header a")].map((link) => link.getAttribute("href") ?? "");
  const pages = paths.map((path) => routeOf(path).page);
  // A word that is no page would be taken for the name of a game.
  expect(pages.filter((page) => page === "missing" || page === "about")).toEqual([]);
});

it("replaces the number in a title", () => {
  expect(countedTitle("(3) Agon", 2)).toBe("(2) Agon");
  expect(countedTitle("(3) Agon", 0)).toBe("Agon");
});
