import { flushSync, mount, unmount } from "svelte";
import { afterEach, describe, expect, it, vi } from "vitest";

import { link } from "../connection/live.svelte.ts";
import { isolate } from "../i18n/fill.ts";
import { setLanguage } from "../i18n/index.svelte.ts";
import { settings } from "../lib/settings.svelte.ts";
import type { EndState, MoveState, OnlineState, TableState } from "../protocol/types.ts";
import { BOT, seat, sessionAt, table } from "../testing/table.ts";
import { actionsOf, type Page } from "./actions.ts";
import { resultOf } from "./result.ts";
import ResultPanel from "./ResultPanel.svelte";
import Rivals from "./Rivals.svelte";
import SeatBar from "./SeatBar.svelte";
import { describeTurn } from "./speech.ts";
import Status from "./Status.svelte";
import { progressOf, statusOf } from "./status.ts";
import Thinking from "./Thinking.svelte";

const PLACE: MoveState = { token: "a1", kind: "place", to: [0, 0] };
const REASON = { key: "end.discs", text: "40 discs to 24" };

function end(kind: EndState["kind"], winner?: number): { end: EndState; turn: null } {
  return { end: { kind, seat: winner ?? null, reason: REASON }, turn: null };
}

afterEach(() => {
  document.body.replaceChildren();
  link.status = "open";
});

describe("the status line", () => {
  it.each([
    ["Your turn. Choose a square.", table({ moves: [PLACE] })],
    ["Your turn. Choose a piece.", table({ moves: [{ ...PLACE, kind: "move" }] })],
    ["Your turn. Slide the tiles.", table({ moves: [{ token: "left", kind: "slide", heading: "left" }] })],
    ["No move: you pass.", table({ moves: [{ token: "pass", kind: "pass" }] })],
    ["Bot · Hard is thinking…", table({ turn: 1 })],
    ["Paused.", table({ turn: 1 }, { paused: true })],
    ["The game is over.", table(end("won", 0))],
    ["White to move. Choose a square.", table({ turn: 1, moves: [PLACE] }, { seats: [seat("Black"), seat("White")] })],
    [
      "No move: White passes.",
      table({ turn: 1, moves: [{ token: "pass", kind: "pass" }] }, { seats: [seat("Black"), seat("White")] }),
    ],
  ])("says %s", (text, state) => {
    expect(statusOf(sessionAt(state))).toBe(text);
  });

  it("asks where to once a piece is chosen", () => {
    const facts = { moves: [{ ...PLACE, kind: "move" as const }] };
    const alone = sessionAt(table(facts));
    alone.choose([[0, 0]]);
    expect(statusOf(alone)).toBe("Your turn. Choose where to move a1.");
    const shared = sessionAt(table({ turn: 1, ...facts }, { seats: [seat("Black"), seat("White")] }));
    shared.choose([[0, 0]]);
    expect(statusOf(shared)).toBe("White to move. Choose where to move a1.");
    shared.choose([]);
    expect(statusOf(shared)).toBe("White to move. Choose a piece.");
  });

  it("forgets a refusal as soon as something right is chosen, even one that is still on its way", async () => {
    const session = sessionAt(table({ moves: [{ ...PLACE, kind: "move" }] }));
    session.note = { kind: "refusal", text: "Not your piece." };
    session.choose([[0, 0]]);
    expect(session.note).toBeNull();
    const answer = { key: "illegal.piece", text: "Not your piece." };
    vi.spyOn(session.table, "explain").mockResolvedValue(answer);
    const late = session.explain({ kind: "point", places: [[0, 0]] });
    session.choose([[0, 0]]);
    await late;
    expect(session.note).toBeNull();
    await session.explain({ kind: "point", places: [[0, 0]] });
    expect(session.note).toEqual({ kind: "refusal", text: "Not your piece." });
  });

  it("tells those who can only pass how to do so", () => {
    const session = sessionAt(table({ moves: [{ token: "pass", kind: "pass" }] }));
    expect(describeTurn(session)).toBe("No move: you pass. Press Enter on the board.");
  });

  it("tells the place in the line", () => {
    const session = sessionAt(table({ turn: 1 }));
    session.table.receive({ type: "waiting", game: "t", board: 0, place: 3 });
    expect(statusOf(session)).toBe("Bot · Hard is waiting: 3rd in line.");
  });

  it("warns in the last ten turns only", () => {
    const at = (played: number) =>
      progressOf(
        sessionAt(table({ progress: { played, limit: 100, text: { key: "p", text: `Move ${played} of 100` } } })),
      );
    expect(at(89)).toEqual({ text: "Move 89 of 100", isNear: false });
    expect(at(93)).toEqual({ text: "Move 93 of 100, 7 left", isNear: true });
  });

  it("shows notes, and buttons for a draw that others offer", () => {
    const session = sessionAt(table({ offer: { kind: "draw", seat: 1 } }, { seats: [seat("Black"), seat("White")] }));
    session.note = { kind: "refusal", text: "Not your piece." };
    const shown = mount(Status, { target: document.body, props: { session, goLive: () => undefined } });
    flushSync();
    expect(document.body.textContent).toContain("Not your piece.");
    expect(document.body.textContent).toContain("White offers a draw.");
    expect([...document.querySelectorAll("button")].map((button) => button.textContent)).toEqual(["Accept", "Decline"]);
    void unmount(shown);
  });
});

describe("praise", () => {
  const moves: MoveState[] = [PLACE, { token: "b1", kind: "place", to: [0, 1] }];
  const asked = vi.fn();

  async function praised(token: string, changes: Partial<TableState> = {}): Promise<string | null> {
    asked.mockReset();
    vi.stubGlobal("fetch", (path: string, request: RequestInit) => {
      asked(path, JSON.parse(request.body as string));
      const scores = [
        { move: "a1", score: 3, bound: null },
        { move: "b1", score: 1, bound: null },
      ];
      return Promise.resolve(new Response(JSON.stringify({ unit: "discs", moves: scores })));
    });
    const session = sessionAt(table({ moves, position: "here" }, changes));
    vi.spyOn(session.table, "move").mockResolvedValue(undefined);
    await session.move(token);
    return session.note?.kind ?? null;
  }

  afterEach(() => {
    vi.unstubAllGlobals();
    settings.praise = true;
  });

  it("is for moves that the bot itself could not have bettered", async () => {
    expect(await praised("a1")).toBe("praise");
    expect(asked).toHaveBeenCalledWith(
      "/api/v1/analysis",
      expect.objectContaining({ position: "here", bot: "hard", game: "othello", options: "size=8" }),
    );
    expect(await praised("b1")).toBeNull();
  });

  it("is given by the bots of S5 for whatever is played", async () => {
    const seats = [seat("Black"), seat("White", { ...BOT, occupant: "s5-beginner" })];
    expect(await praised("b1", { seats })).toBe("praise");
    expect(asked).not.toHaveBeenCalled();
  });

  it.each([
    ["between people", { seats: [seat("Black"), seat("White", { mine: false })] }],
    ["at one screen", { seats: [seat("Black"), seat("White")] }],
    ["with a person among the bots", { seats: [seat("A"), seat("B", BOT), seat("C", { mine: false })] }],
    ["online", { online: { hidden: true } as OnlineState }],
  ])("is not given %s", async (_, changes) => {
    expect(await praised("a1", changes)).toBeNull();
    expect(asked).not.toHaveBeenCalled();
  });

  it("can be switched off", async () => {
    settings.praise = false;
    expect(await praised("a1")).toBeNull();
  });

  it("does not outlast the game", () => {
    const session = sessionAt(table(end("won", 1)));
    session.note = { kind: "praise", text: "Nice!" };
    session.settle();
    expect(session.note).toBeNull();
  });
});

describe("results", () => {
  const versus = (facts: ReturnType<typeof end>) => resultOf(sessionAt(table(facts, { ranking: [[0], [1]] })));

  it.each([
    ["You win", "won", versus(end("won", 0))],
    ["Bot · Hard wins", "lost", versus(end("won", 1))],
    ["You win", "won", versus(end("forfeit", 1))],
    ["Bot · Hard wins", "lost", versus(end("forfeit", 0))],
    ["Draw: 40 discs to 24", "drawn", versus(end("drawn"))],
    ["Game over", "lost", versus(end("lost"))],
    ["Broken off: 40 discs to 24", "drawn", versus(end("aborted"))],
  ])("%s, %s", (headline, mood, result) => {
    expect(result).toMatchObject({ headline, mood });
  });

  it("of a game against the computer go to the computer if points are equal", () => {
    const boards = table(end("lost")).boards;
    const race = (ranking: number[][]) =>
      resultOf(
        sessionAt(
          table(
            {},
            { mode: "in-turn", seats: [seat("Player", BOT), seat("Player")], boards: [...boards, ...boards], ranking },
          ),
        ),
      );
    expect(race([[1], [0]])?.headline).toBe("You beat the computer.");
    expect(race([[0], [1]])?.headline).toBe("The computer won.");
    expect(race([[0, 1]])?.headline).toBe("The computer won.");
  });

  it("of a race between people are shared where points are equal", () => {
    const boards = table(end("lost")).boards.flatMap((board) => [board, board, board]);
    const seats = ["Dana", "Noa", "Yael"].map((name, index) => seat("Player", { name, mine: index === 2 }));
    const race = (ranking: number[][]) => resultOf(sessionAt(table({}, { mode: "race", seats, boards, ranking })));
    expect(race([[0, 1], [2]])).toMatchObject({ headline: "Dana and Noa share the first place", mood: "lost" });
    expect(race([[0, 2], [1]])).toMatchObject({ headline: "A tie.", mood: "drawn" });
    expect(race([[1], [0, 2]])).toMatchObject({ headline: "Noa wins", mood: "lost" });
  });

  it("are shown with ranking and ways to go on", () => {
    const seats = [seat("Green"), seat("Red", BOT), seat("Blue", BOT)];
    const session = sessionAt(table(end("won", 1), { seats, ranking: [[1], [0, 2]] }));
    const result = resultOf(session);
    if (!result) throw new Error("the game is not over");
    const shown = mount(ResultPanel, { target: document.body, props: { session, result, share: () => undefined } });
    flushSync();
    expect([...document.querySelectorAll("li")].map((item) => item.textContent?.trim())).toEqual([
      "1. Red",
      "2. Green",
      "2. Blue",
    ]);
    expect([...document.querySelectorAll("button, a")].map((item) => item.textContent)).toEqual([
      "Rematch",
      "Share",
      "New game",
    ]);
    void unmount(shown);
  });

  it("keep places on one side whatever alphabet names are in", async () => {
    await setLanguage("he");
    const seats = [
      seat("Green", { mine: false, name: "Dana" }),
      seat("Red", { mine: false, name: "נועה" }),
      seat("Blue"),
    ];
    const session = sessionAt(table(end("won", 1), { seats, ranking: [[0], [1], [2]], mode: "race" }));
    const result = resultOf(session);
    if (!result) throw new Error("the game is not over");
    const shown = mount(ResultPanel, { target: document.body, props: { session, result, share: () => undefined } });
    flushSync();
    // What chooses its direction by its letters would put the place of a Latin name behind it.
    expect([...document.querySelectorAll("li bdi, li [dir]")]).toEqual([]);
    expect(document.querySelector("li")?.textContent?.trim()).toBe(`1. ${isolate("Dana", true)}`);
    void unmount(shown);
    await setLanguage("en");
  });
});

describe("a seat bar", () => {
  it("names player, side, counts and clock, and whose turn it is", () => {
    const counts = [
      { owner: 0, name: { key: "", text: "discs" }, of: null, value: 12, text: { key: "", text: "12 discs" } },
    ];
    const session = sessionAt(table({ counts, clocks: [250_000, 42_000], stopped: true }));
    const shown = mount(SeatBar, { target: document.body, props: { session, seat: 0 } });
    flushSync();
    expect(document.body.textContent?.replace(/\s+/g, " ").trim()).toBe("You, to move Black · 12 discs 4:10");
    void unmount(shown);
  });

  it("names no side where somebody plays alone", () => {
    const counts = [
      { owner: 0, name: { key: "", text: "points" }, of: null, value: 12, text: { key: "", text: "12 points" } },
    ];
    const session = sessionAt(table({ counts, turn: null }, { seats: [seat("Player", BOT)] }));
    const shown = mount(SeatBar, { target: document.body, props: { session, seat: 0 } });
    flushSync();
    expect(document.querySelector(".details")?.textContent).toBe("12 points");
    void unmount(shown);
  });

  it("lets a Latin name run its own way among Hebrew words, so that no room costs its end", async () => {
    await setLanguage("he");
    const session = sessionAt(
      table({}, { seats: [seat("Black"), seat("White", { ...BOT, occupant: "s5-advanced" })] }),
    );
    const shown = mount(SeatBar, { target: document.body, props: { session, seat: 1 } });
    flushSync();
    expect([...document.querySelectorAll(".name bdi")].map(({ textContent }) => textContent)).toEqual([
      "בוט · ",
      "s5-advanced",
    ]);
    void unmount(shown);
    await setLanguage("en");
  });
});

describe("what a bot thinks", () => {
  it("has a score that reads as the page does, its sign before its figure", async () => {
    await setLanguage("he");
    const session = sessionAt(table({ turn: 1 }));
    const score = { value: -12.2, unit: "S5 points" };
    session.table.receive({
      type: "thinking",
      game: "t",
      board: 0,
      seat: 1,
      depth: 4,
      ply: 0,
      nodes: 9,
      nodesPerSecond: 9,
      line: [],
      score,
    });
    const shown = mount(Thinking, { target: document.body, props: { session } });
    flushSync();
    const figure = [...document.querySelectorAll("dd")].find(({ textContent }) => textContent.includes("12.2"));
    expect(figure?.textContent).toBe("\u200e-12.2 נקודות של S5");
    // What chooses its direction by its letters would go by the mark before the sign.
    expect(figure?.querySelector("bdi")).toBeNull();
    void unmount(shown);
    await setLanguage("en");
  });
});

describe("a game of a tournament", () => {
  const seats = [
    seat("Black", { ...BOT, name: "deep-lines", program: true }),
    seat("White", { ...BOT, name: "house" }),
  ];
  const at = (facts: Parameters<typeof table>[0], id: string) =>
    sessionAt(table(facts, { owner: false, seats, ranking: [[0], [1]] }), id);

  it("calls players by the names that the table has", () => {
    expect(at({}, "spring-3").name(0)).toBe("deep-lines");
    expect(at({}, "t").name(0)).toBe("Bot · deep-lines");
  });

  it("leads back to the tournament instead of offering another game", () => {
    const session = at(end("won", 0), "k3vq8w2mzt5c-12");
    const result = resultOf(session);
    expect(result?.headline).toBe("deep-lines wins");
    if (!result) throw new Error("the game is not over");
    const shown = mount(ResultPanel, { target: document.body, props: { session, result, share: () => undefined } });
    flushSync();
    expect([...document.querySelectorAll("a")].map((link) => [link.textContent, link.getAttribute("href")])).toEqual([
      ["Back to the tournament", "/arena/k3vq8w2mzt5c"],
    ]);
    expect([...document.querySelectorAll("button")].map((button) => button.textContent)).toEqual(["Share"]);
    void unmount(shown);
  });

  it("shows the board that is being played where everybody has one, and any other on demand", () => {
    const [running] = table({ ply: 2 }).boards;
    const [over] = table(end("lost")).boards;
    if (!running || !over) throw new Error("a table has a board");
    const session = sessionAt(table({}, { mode: "race", owner: false, seats, boards: [over, running] }), "spring-3");
    expect(session.main).toBe(1);
    const shown = mount(Rivals, {
      target: document.body,
      props: { session, show: (board: number) => session.showBoard(board) },
    });
    flushSync();
    const button = () => document.querySelector("button");
    expect(button()?.textContent).toBe("Show: deep-lines");
    button()?.click();
    flushSync();
    expect(session.main).toBe(0);
    expect(button()?.textContent).toBe("Show: house");
    void unmount(shown);
  });

  it("can be looked at, not changed", () => {
    const page = { turnBoard: () => undefined } as unknown as Page;
    expect(actionsOf(at({}, "spring-3"), page).map(({ id }) => id)).toEqual([
      "turn-board",
      "rules",
      "link",
      "keys",
      "svg",
      "png",
    ]);
  });
});

describe("actions", () => {
  const page: Page = {
    turnBoard: () => undefined,
    typeMove: () => undefined,
    changeSeats: () => undefined,
    showRules: () => undefined,
    showsRules: false,
    showKeys: () => undefined,
    restart: () => undefined,
    resign: () => undefined,
    offerDraw: () => undefined,
    copyLink: () => undefined,
    savePicture: () => undefined,
    changeDevice: () => undefined,
  };
  const ids = (state: ReturnType<typeof table>) => actionsOf(sessionAt(state), page).map(({ id }) => id);

  it("are those of the person who plays", () => {
    expect(ids(table({ moves: [PLACE] }))).toEqual([
      "undo",
      "hint",
      "turn-board",
      "resign",
      "type",
      "restart",
      "seats",
      "rules",
      "link",
      "keys",
      "svg",
      "png",
    ]);
  });

  it("offer a draw where people share the screen, and blocks where they can be rotated", () => {
    const shared = ids(
      table({ moves: [{ token: "@0,0", kind: "turn", block: [0, 0] }] }, { seats: [seat("Black"), seat("White")] }),
    );
    expect(shared).toContain("draw");
    expect(shared).toContain("rotate");
  });

  it("leave watchers only what changes nothing", () => {
    expect(ids(table({}, { owner: false, seats: [seat("Black", BOT), seat("White", BOT)] }))).toEqual([
      "turn-board",
      "restart",
      "seats",
      "rules",
      "link",
      "keys",
      "svg",
      "png",
    ]);
  });

  it("are off while the connection is lost", () => {
    const session = sessionAt(table({ moves: [PLACE], canTakeBack: true }));
    const isOff = () =>
      actionsOf(session, page)
        .filter(({ disabled }) => disabled)
        .map(({ id }) => id);
    expect(isOff()).toEqual([]);
    link.status = "reconnecting";
    expect(isOff()).toEqual(["undo", "hint", "resign", "type"]);
    expect(session.mayMove).toBe(false);
  });
});
