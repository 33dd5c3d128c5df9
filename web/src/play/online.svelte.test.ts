import { type Component, flushSync, mount, unmount } from "svelte";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { Sounds } from "../board/index.ts";
import { type Connection, Refusal } from "../connection/connection.ts";
import { link } from "../connection/live.svelte.ts";
import { lastSeen, seeLines } from "../lib/seen.ts";
import { settings } from "../lib/settings.svelte.ts";
import type { ChatLine, Leavers, OnlineState, TableState } from "../protocol/types.ts";
import { TERMS } from "../testing/lobby.ts";
import { atOnce, seat, sessionAt, table } from "../testing/table.ts";
import { actionsOf, type Page } from "./actions.ts";
import RematchButton from "./RematchButton.svelte";
import SeatBar from "./SeatBar.svelte";
import SeatMoved from "./SeatMoved.svelte";
import { Session } from "./session.svelte.ts";
import Status from "./Status.svelte";
import TableChat from "./TableChat.svelte";
import TurnCall from "./TurnCall.svelte";
import { Unread } from "./unread.svelte.ts";

const ONLINE: OnlineState = {
  name: "tafl night",
  terms: TERMS,
  hidden: true,
  held: [],
  muted: [],
  rematch: { wanted: [] },
};
const HERE = { here: true };

function online(
  changes: Partial<TableState> = {},
  extra: Partial<OnlineState> = {},
  facts: Parameters<typeof table>[0] = {},
): TableState {
  const seats = [
    seat("Black", { presence: HERE, name: "Dana" }),
    seat("White", { mine: false, name: "Noa", presence: HERE }),
  ];
  const held = (changes.seats ?? seats).flatMap(({ mine }, index) => (mine ? [index] : []));
  return table(facts, { seats, owner: false, online: { ...ONLINE, held, ...extra }, ...changes });
}

const shown: Record<string, unknown>[] = [];

function show<Props extends Record<string, unknown>>(component: Component<Props>, props: Props): void {
  shown.push(mount(component, { target: document.body, props }));
  flushSync();
}

const text = () => document.body.textContent?.replace(/\s+/g, " ").trim() ?? "";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "performance"] });
  localStorage.clear();
});

afterEach(() => {
  for (const component of shown.splice(0)) void unmount(component);
  document.body.replaceChildren();
  link.status = "open";
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe("what can be done between people", () => {
  const nothing = () => undefined;
  const page: Page = {
    turnBoard: nothing,
    typeMove: nothing,
    changeSeats: nothing,
    showRules: nothing,
    showsRules: false,
    showKeys: nothing,
    restart: nothing,
    resign: nothing,
    offerDraw: nothing,
    savePicture: nothing,
    copyLink: nothing,
    changeDevice: nothing,
  };
  const ids = (state: TableState) => actionsOf(sessionAt(state), page).map(({ id }) => id);

  it("is to ask, to offer and to resign, without hints", () => {
    expect(ids(online())).toEqual([
      "ask-take-back",
      "turn-board",
      "resign",
      "draw",
      "type",
      "device",
      "rules",
      "link",
      "keys",
      "svg",
      "png",
    ]);
  });

  it("includes hints where the lobby allows them", () => {
    expect(ids(online({}, { hidden: false }))).toContain("hint");
  });

  it("leaves spectators nothing that changes the game", () => {
    const seats = online().seats.map((one) => ({ ...one, mine: false }));
    expect(ids(online({ seats }))).toEqual(["turn-board", "rules", "link", "keys", "svg", "png"]);
  });

  it("takes nothing back in a race", () => {
    const [board] = table().boards;
    const boards = board ? [board, board] : [];
    expect(ids(online({ mode: "race", boards }))).toEqual([
      "turn-board",
      "resign",
      "type",
      "device",
      "rules",
      "link",
      "keys",
      "svg",
      "png",
    ]);
  });

  it("waits for an answer before asking again", () => {
    const session = sessionAt(online({}, {}, { canTakeBack: true, offer: { kind: "take-back", seat: 0 } }));
    const off = actionsOf(session, page)
      .filter(({ disabled }) => disabled)
      .map(({ id }) => id);
    expect(off).toContain("ask-take-back");
    show(Status, { session, goLive: nothing });
    expect(text()).toContain("You asked to take a move back.");
    expect(document.querySelectorAll(".answers button")).toHaveLength(0);
  });

  it("shows who has agreed, and asks them no more", () => {
    const offer = { kind: "draw" as const, seat: 1, agreed: [0] };
    show(Status, { session: sessionAt(online({}, {}, { offer })), goLive: nothing });
    expect(text()).toContain("Noa offers a draw. Agreed so far: You");
    expect(document.querySelectorAll(".answers button")).toHaveLength(0);
  });

  it("gives the other one the answer", () => {
    show(Status, { session: sessionAt(online({}, {}, { offer: { kind: "take-back", seat: 1 } })), goLive: nothing });
    expect(text()).toContain("Noa asks to take back.");
    expect([...document.querySelectorAll(".answers button")].map((button) => button.textContent)).toEqual([
      "Accept",
      "Decline",
    ]);
  });
});

describe("a player who is away", () => {
  const away = (session: Session, leavesIn: number | null, then: Leavers = "bot") =>
    session.table.receive({
      type: "presence",
      game: "t",
      seats: [HERE, { here: false, leavesIn, then }],
      spectators: 2,
    });

  it("is counted down in the seat bar", () => {
    const session = sessionAt(online());
    show(SeatBar, { session, seat: 1 });
    expect(text()).toBe("Noa White");
    away(session, 60_000);
    flushSync();
    expect(text()).toContain("Noa is away. A bot plays in 1:00.");
    vi.advanceTimersByTime(18_000);
    flushSync();
    expect(text()).toContain("Noa is away. A bot plays in 0:42.");
    session.table.receive({ type: "presence", game: "t", seats: [HERE, HERE], spectators: 2 });
    flushSync();
    expect(text()).toBe("Noa White");
    expect(session.state?.spectators).toBe(2);
  });

  it("loses where that was agreed, leaves the others to decide, or just is away", () => {
    const session = sessionAt(online());
    show(SeatBar, { session, seat: 1 });
    away(session, 5_000, "resign");
    flushSync();
    expect(text()).toContain("Noa is away. Loses the game in 0:05.");
    away(session, 65_000, "ask");
    flushSync();
    expect(text()).toContain("Noa is away. The others can decide in 1:05.");
    away(session, null);
    flushSync();
    expect(text()).toBe("Noa White Noa is away.");
  });

  const gone = { here: false, absent: true };
  const choices = () => [...document.querySelectorAll<HTMLElement>("[data-testid=absence] button")];

  it("leaves a choice to those present, who see what the others have chosen", () => {
    const seats = [
      seat("Green", { presence: HERE, name: "Dana" }),
      seat("Yellow", { mine: false, name: "Noa", presence: { here: true, choice: "end" } }),
      seat("Red", { mine: false, name: "Uri", presence: gone }),
    ];
    const session = sessionAt(online({ seats }));
    const act = vi.spyOn(session, "act").mockResolvedValue();
    show(Status, { session, goLive: () => undefined });
    expect(text()).toContain("Away for too long: Uri. What do you want to do?");
    expect(text()).toContain("Noa chose: End without a result");
    choices()
      .find((button) => button.textContent === "Seat a bot")
      ?.click();
    expect(act).toHaveBeenCalledWith({ do: "decide-absence", choice: "bot" });
    session.table.receive({
      type: "presence",
      game: "t",
      seats: [{ here: true, choice: "bot" }, HERE, gone],
      spectators: 0,
    });
    flushSync();
    expect(choices().map((button) => button.getAttribute("aria-pressed"))).toEqual(["false", "true", "false"]);
    session.table.receive({ type: "presence", game: "t", seats: [HERE, HERE, HERE], spectators: 0 });
    flushSync();
    expect(choices()).toEqual([]);
  });

  it("leaves spectators no choice", () => {
    const seats = [seat("Black", { mine: false, presence: HERE }), seat("White", { mine: false, presence: gone })];
    show(Status, { session: sessionAt(online({ seats })), goLive: () => undefined });
    expect(choices()).toEqual([]);
  });

  it("may have a bot in their place", () => {
    const seats = [
      seat("Black"),
      seat("White", { mine: false, name: "Noa", standIn: true, presence: { here: false } }),
    ];
    show(SeatBar, { session: sessionAt(online({ seats })), seat: 1 });
    expect(text()).toContain("away, a bot plays for now");
  });
});

describe("chat", () => {
  const line = (seq: number, from: number | null, said: string): ChatLine => ({
    seq,
    at: "",
    seat: from,
    name: from === 0 ? "Dana" : "Noa",
    text: said,
  });
  const lines = () =>
    [...document.querySelectorAll("[role=log] p")].map((paragraph) =>
      paragraph.textContent?.trim().replace(/\s+/g, " "),
    );

  it("shows each line once, in order, whatever is told again", () => {
    const session = sessionAt(online());
    show(TableChat, { session });
    session.table.receive({ type: "chat", game: "t", lines: [line(2, 1, "hi")] });
    session.table.receive({
      type: "chat",
      game: "t",
      lines: [line(1, 0, "hello"), line(2, 1, "hi"), line(3, 1, "<b>well</b>")],
    });
    flushSync();
    expect(lines()).toEqual(["Dana hello", "Noa hi", "Noa <b>well</b>"]);
  });

  it("is silent for a seat that was muted", async () => {
    const session = sessionAt(online());
    const act = vi.fn(() => Promise.resolve());
    session.table.act = act;
    session.table.receive({ type: "chat", game: "t", lines: [line(1, 0, "hello"), line(2, 1, "rude")] });
    show(TableChat, { session });
    const button = [...document.querySelectorAll("button")].find((found) => found.textContent === "Mute Noa");
    button?.click();
    await Promise.resolve();
    flushSync();
    expect(act).toHaveBeenCalledWith({ do: "mute", seat: 1, muted: true });
    expect(lines()).toEqual(["Dana hello"]);
    expect(button?.getAttribute("aria-pressed")).toBe("true");
  });

  it("keeps what was written if the server refuses it", async () => {
    const session = sessionAt(online());
    session.table.act = () => Promise.reject(new Refusal("too-fast", { key: "refused.too-fast", text: "Slow down." }));
    show(TableChat, { session });
    const field = document.querySelector<HTMLInputElement>("input");
    if (field) field.value = "again";
    field?.dispatchEvent(new Event("input"));
    document.querySelector("form")?.dispatchEvent(new Event("submit", { cancelable: true }));
    await new Promise((resolve) => setTimeout(resolve));
    flushSync();
    expect(document.querySelector("[role=alert]")?.textContent).toBe("Slow down.");
    expect(field?.value).toBe("again");
  });

  it("cannot be written by those who watch", () => {
    const seats = online().seats.map((one) => ({ ...one, mine: false }));
    show(TableChat, { session: sessionAt(online({ seats })) });
    expect(document.querySelector("input")).toBeNull();
    expect(text()).toContain("Only players can write.");
  });

  it("can be written by those who watch where the lobby allows it, by a name that they give", async () => {
    const seats = online().seats.map((one) => ({ ...one, mine: false }));
    const session = sessionAt(online({ seats }, { terms: { ...TERMS, spectatorsChat: true } }));
    const act = vi.fn(() => Promise.resolve());
    session.table.act = act;
    vi.stubGlobal("fetch", () => Promise.resolve(new Response(JSON.stringify({ name: "" }))));
    show(TableChat, { session });
    const [name, message] = document.querySelectorAll<HTMLInputElement>("input");
    for (const [field, value] of [
      [name, "Cleo"],
      [message, "well played"],
    ] as const) {
      if (field) field.value = value;
      field?.dispatchEvent(new Event("input", { bubbles: true }));
    }
    flushSync();
    document.querySelector("form")?.dispatchEvent(new Event("submit", { cancelable: true }));
    expect(act).toHaveBeenCalledWith({ do: "say", text: "well played", name: "Cleo" });
    const said = (seq: number, who: string): ChatLine => ({ ...line(seq, null, "hi"), name: who });
    session.table.receive({ type: "chat", game: "t", lines: [said(1, "Cleo"), said(2, "Rude"), line(3, 1, "thanks")] });
    flushSync();
    expect(lines()).toEqual(["Cleo (watching) hi", "Rude (watching) hi", "Noa thanks"]);
    expect(new Unread(session).count).toBe(2);
    [...document.querySelectorAll("button")].find((found) => found.textContent === "Mute Rude")?.click();
    flushSync();
    expect(lines()).toEqual(["Cleo (watching) hi", "Noa thanks"]);
    expect(act).toHaveBeenCalledOnce();
    await new Promise((resolve) => setTimeout(resolve));
  });

  it("counts what others said since it was seen last, over a reload too", () => {
    const session = sessionAt(online());
    session.table.receive({ type: "chat", game: "t", lines: [line(1, 0, "a"), line(2, 1, "b"), line(3, 1, "c")] });
    const unread = new Unread(session);
    expect(unread.count).toBe(2);
    unread.see();
    session.table.receive({ type: "chat", game: "t", lines: [line(4, 1, "d")] });
    expect(new Unread(session).count).toBe(1);
  });

  it("counts nothing that was read in the lobby, nor what one said there from another seat", () => {
    const said = [line(1, 1, "a"), { ...line(2, 1, "b"), name: "Dana" }];
    seeLines("t", said.slice(0, 1));
    const session = sessionAt(online());
    session.table.receive({ type: "chat", game: "t", lines: said });
    expect(new Unread(session).count).toBe(0);
    show(TableChat, { session });
    expect([...document.querySelectorAll(".log .mine")].map((name) => name.textContent)).toEqual(["Dana"]);
  });

  it("remembers a hundred chats", () => {
    for (let game = 0; game <= 100; game += 1) seeLines(`g${game}`, [line(7, 1, "a")]);
    expect([lastSeen("g0"), lastSeen("g1"), lastSeen("g100")]).toEqual([0, 7, 7]);
    localStorage.setItem("agon.chat-seen", "{");
    expect(lastSeen("g1")).toBe(0);
  });
});

describe("a rematch", () => {
  const ENDED = { kind: "won" as const, seat: 0, reason: { key: "", text: "" } };
  const over = (rematch: OnlineState["rematch"]) => sessionAt(online({}, { rematch }, { turn: null, end: ENDED }));
  const state = (session: Session) => session.state ?? table();

  it("is wanted by one and waits for the other", () => {
    const session = over({ wanted: [] });
    const act = vi.spyOn(session, "act").mockResolvedValue();
    show(RematchButton, { session, state: state(session) });
    document.querySelector("button")?.click();
    expect(act).toHaveBeenCalledWith({ do: "rematch", accept: true });
    session.table.receive({ type: "rematch", game: "t", rematch: { wanted: [0] } });
    flushSync();
    expect(text()).toBe("Rematch: waiting for the others");
    session.table.receive({ type: "rematch", game: "t", rematch: { wanted: [1] } });
    flushSync();
    expect(text()).toBe("Noa wants a rematch. Rematch Sides are swapped.");
  });

  /** A game that is over, as somebody sees it who plays or only looks on. */
  function ended(seats: TableState["seats"], rematch: OnlineState["rematch"]): Session {
    return sessionAt(online({ seats }, { rematch }, { turn: null, end: ENDED }));
  }

  const watching = () => online().seats.map((one) => ({ ...one, mine: false }));

  it("takes along everybody who is there, players and spectators, with what has been read", () => {
    vi.stubGlobal("scrollTo", () => undefined);
    for (const seats of [online().seats, watching()]) {
      history.replaceState(null, "", "/game/t");
      const session = ended(seats, { wanted: [] });
      session.table.receive({ type: "chat", game: "t", lines: [{ seq: 7, at: "", seat: 1, name: "Noa", text: "gg" }] });
      seeLines("t", session.table.lines);
      show(RematchButton, { session, state: state(session) });
      session.table.receive({ type: "rematch", game: "t", rematch: { wanted: [0, 1], next: "n2" } });
      flushSync();
      expect(location.pathname).toBe("/game/n2");
      expect(lastSeen("n2")).toBe(7);
    }
    history.replaceState(null, "", "/");
  });

  it("leaves those in peace who have opened a game that has gone on, or look back at it without a part in it", () => {
    vi.stubGlobal("scrollTo", () => undefined);
    history.replaceState(null, "", "/game/t");
    const later = ended(online().seats, { wanted: [0, 1], next: "n2" });
    show(RematchButton, { session: later, state: state(later) });
    const session = ended(watching(), { wanted: [] });
    const { board } = session;
    if (board) session.looked = { ply: 0, picture: board.picture, facts: board.facts };
    show(RematchButton, { session, state: state(session) });
    session.table.receive({ type: "rematch", game: "t", rematch: { wanted: [0, 1], next: "n2" } });
    flushSync();
    expect(location.pathname).toBe("/game/t");
    history.replaceState(null, "", "/");
  });

  it("says who has left, and that a bot begins for them among three or more", () => {
    const seats = [
      seat("Green", { presence: HERE, name: "Dana" }),
      seat("Yellow", { mine: false, name: "Noa", presence: HERE }),
      seat("Red", { mine: false, name: "Uri", presence: { here: false } }),
    ];
    const session = ended(seats, { wanted: [0] });
    show(RematchButton, { session, state: state(session) });
    expect(text()).toContain("Away: Uri. Once everybody else wants to play, a bot begins in their place.");
  });

  it("is also for those who have given up before the others, and who talk as players", () => {
    const seats = [
      seat("Green", { mine: false, person: false, forfeited: true, name: "Dana", presence: HERE }),
      seat("Yellow", { mine: false, name: "Noa", presence: HERE }),
      seat("Red", { mine: false, name: "Uri", presence: HERE }),
    ];
    const terms = { ...TERMS, spectatorsChat: true };
    const session = sessionAt(
      online({ seats }, { held: [0], terms, rematch: { wanted: [1] } }, { turn: null, end: ENDED }),
    );
    const act = vi.spyOn(session, "act").mockResolvedValue();
    show(RematchButton, { session, state: state(session) });
    document.querySelector("button")?.click();
    expect(act).toHaveBeenCalledWith({ do: "rematch", accept: true });
    show(TableChat, { session });
    expect(document.querySelectorAll("input")).toHaveLength(1);
    expect(session.ownNames).toEqual(["Dana"]);
  });

  it("is possible without somebody who has removed the game, if others are left", () => {
    const [gone, [dana, noa]] = [seat("Red", { mine: false, name: "" }), online().seats];
    if (!dana || !noa) throw new Error("two play");
    const three = ended([dana, noa, gone], { wanted: [] });
    show(RematchButton, { session: three, state: state(three) });
    expect(text()).toBe("Rematch");
    const two = ended([dana, gone], { wanted: [] });
    show(RematchButton, { session: two, state: state(two) });
    expect(text()).toContain("there is no rematch");
  });

  it("is a link for those who did not ask for it", () => {
    const session = over({ wanted: [1], next: "n2" });
    show(RematchButton, { session, state: state(session) });
    expect(document.querySelector("a")?.getAttribute("href")).toBe("game/n2");
  });
});

describe("a seat that has moved to another device", () => {
  it("is told where it was played, and its link is put away", () => {
    const session = sessionAt(online());
    const moved = vi.fn();
    show(SeatMoved, { session, moved });
    expect(moved).not.toHaveBeenCalled();
    const seats = online().seats.map((one) => ({ ...one, mine: false }));
    session.table.receive({ type: "state", game: "t", state: online({ seats }) });
    flushSync();
    expect(moved).toHaveBeenCalledOnce();
    expect(session.note?.text).toBe("Your seat has moved to another device. Here you are watching.");
  });

  it("is nothing to those who only watch", () => {
    const seats = online().seats.map((one) => ({ ...one, mine: false }));
    const session = sessionAt(online({ seats }));
    show(SeatMoved, { session, moved: () => undefined });
    session.table.receive({ type: "state", game: "t", state: online({ seats }) });
    flushSync();
    expect(session.note).toBeNull();
  });
});

describe("a move that is refused after all", () => {
  it("goes back with the reason", async () => {
    link.status = "open";
    const ask = () => Promise.reject(new Refusal("stale", { key: "refused.stale", text: "The game has moved on." }));
    const session = new Session("t", { follow: () => () => undefined, ask } as unknown as Connection, atOnce);
    session.table.receive({
      type: "state",
      game: "t",
      state: online({}, {}, { moves: [{ token: "d3", kind: "place" }] }),
    });
    await session.move("d3");
    expect(session.table.pending.size).toBe(0);
    expect(session.note?.text).toBe("Your move d3 was taken back: The game has moved on.");
  });
});

class FakeNotification {
  static permission = "granted";
  static readonly shown: string[] = [];
  onclick: (() => void) | null = null;

  constructor(_: string, { body }: { body: string }) {
    FakeNotification.shown.push(body);
  }

  close(): void {}
}

describe("being called back", () => {
  it("shows in the title, and as a notification in a hidden tab", () => {
    vi.stubGlobal("Notification", FakeNotification);
    const hidden = vi.spyOn(document, "visibilityState", "get").mockReturnValue("hidden");
    const session = sessionAt(online({}, {}, { turn: 1 }));
    settings.notify = true;
    show(TurnCall, { session, title: "Othello", sounds: new Sounds() });
    expect(document.title).toBe("Othello · Agon");
    const facts = {
      ply: 1,
      movesMade: 1,
      position: "",
      counts: [],
      turn: 0,
      stopped: false,
      waits: false,
      canTakeBack: false,
    };
    session.table.receive({
      type: "event",
      game: "t",
      from: 1,
      seq: 2,
      pace: 0,
      paused: false,
      skipping: false,
      ranking: [],
      boards: [{ board: 0, kept: 0, plies: [{ token: "d3", seat: 1 }], steps: [], changes: [], facts }],
    });
    flushSync();
    expect(document.title).toBe("Your turn · Othello · Agon");
    expect(FakeNotification.shown).toEqual(["Your turn: Othello"]);
    settings.notify = false;
    hidden.mockRestore();
  });
});
