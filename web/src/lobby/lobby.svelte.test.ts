import { flushSync, mount, unmount } from "svelte";
import { afterEach, describe, expect, it, vi } from "vitest";

import { Refusal } from "../connection/connection.ts";
import { link } from "../connection/live.svelte.ts";
import type { LobbyState } from "../protocol/types.ts";
import { lobbyInfo, lobbySeat, lobbyState, TERMS, visitLobby } from "../testing/lobby.ts";
import { applyLobbies } from "./feed.svelte.ts";
import LobbyFacts from "./LobbyFacts.svelte";
import LobbyList from "./LobbyList.svelte";
import Room from "./Room.svelte";

const shown: Record<string, unknown>[] = [];

afterEach(() => {
  for (const component of shown.splice(0)) void unmount(component);
  document.body.replaceChildren();
  vi.unstubAllGlobals();
  link.status = "open";
});

function show(state: LobbyState, answer?: Parameters<typeof visitLobby>[1]) {
  vi.stubGlobal("fetch", () => new Promise(() => undefined));
  const visit = visitLobby(state, answer);
  shown.push(mount(Room, { target: document.body, props: { lobby: visit.lobby, room: state } }));
  flushSync();
  return visit;
}

const text = () => document.body.textContent?.replace(/\s+/g, " ") ?? "";
const buttons = () =>
  [...document.querySelectorAll<HTMLButtonElement>("li button, .row button, section > div > button")].map(
    (button) => button.getAttribute("aria-label") ?? button.textContent?.trim(),
  );

function press(label: string): void {
  const button = [...document.querySelectorAll<HTMLButtonElement>("button")].find(
    (found) => (found.getAttribute("aria-label") ?? found.textContent?.trim()) === label,
  );
  if (!button) throw new Error(`no button ${label}`);
  button.click();
}

async function settle(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve));
  flushSync();
}

const GUEST: Partial<LobbyState> = { host: false, mine: [] };

describe("a lobby", () => {
  it("says how many are there and who they are", () => {
    show(lobbyState());
    expect(text()).toContain("Waiting: 3 of 4");
    expect([...document.querySelectorAll("li .name")].map((name) => name.textContent)).toEqual([
      "You",
      "Noa",
      "Bot · Hard",
      "Open",
    ]);
    expect(text()).toContain("Green · host");
  });

  it.each([
    ["Friday star", "Chinese-checkers · 1 spectator"],
    ["Dana", "1 spectator"],
  ])("called %s says below its heading: %s", (name, subtitle) => {
    show(lobbyState({ lobby: lobbyInfo({ name, spectators: 1 }) }));
    expect(document.querySelector("h1 + p")?.textContent.trim().toLowerCase()).toBe(subtitle.toLowerCase());
  });

  it("gives the host bots to add and guests to remove", async () => {
    const { asked } = show(lobbyState());
    expect(buttons()).toEqual([
      "Copy",
      "Remove Noa",
      "Free this seat: Red",
      "Sit here: Purple",
      "Add a bot: Purple",
      "Fill with bots",
      "Leave",
    ]);
    press("Remove Noa");
    await settle();
    press("Free this seat: Red");
    await settle();
    press("Fill with bots");
    await settle();
    expect(asked.map((request) => ("action" in request ? request.action : null))).toEqual([
      { do: "remove", seat: 1 },
      { do: "seat", seat: 2, occupant: "open" },
      { do: "seat", seat: 3, occupant: "easy" },
    ]);
  });

  it("gives guests only a seat and the way out", () => {
    show(lobbyState({ host: false, mine: [1] }));
    expect(buttons()).toEqual(["Sit here: Purple", "Leave", "Copy"]);
  });

  it("asks visitors for a name before they sit down", async () => {
    const { asked } = show(lobbyState(GUEST));
    press("Sit here: Purple");
    await settle();
    expect(asked).toEqual([]);
    expect(document.querySelector("[role=alert]")?.textContent).toBe("First say your name.");
    const field = document.querySelector<HTMLInputElement>("input[autocomplete=nickname]");
    if (field) field.value = " Yael ";
    field?.dispatchEvent(new Event("input"));
    press("Sit here: Purple");
    await settle();
    expect(asked).toMatchObject([{ action: { do: "sit", seat: 3, name: "Yael", key: null } }]);
  });

  it("keeps the name of whoever changes seats", async () => {
    const { asked } = show(lobbyState({ host: false, mine: [1] }));
    press("Sit here: Purple");
    await settle();
    expect(asked).toMatchObject([{ action: { do: "sit", seat: 3, name: "Noa" } }]);
  });

  it("says that a seat was just taken, and where to go", async () => {
    const taken = new Refusal("taken", { key: "refused.seat-taken", text: "Seat just taken." }, "seat");
    show(lobbyState({ host: false, mine: [1] }), () => Promise.reject(taken));
    press("Sit here: Purple");
    await settle();
    expect(document.querySelector("[data-testid=lobby-problem]")?.textContent).toBe("Seat just taken.");
    expect(
      [...document.querySelectorAll(".ways a")].map((link) => [link.textContent, link.getAttribute("href")]),
    ).toEqual([
      ["Watch", "/game/l"],
      ["Open games", "/lobbies?game=chinese-checkers"],
      ["Start one", "/chinese-checkers/new?mode=online"],
    ]);
  });

  it("offers a free name where one is taken", async () => {
    const taken = new Refusal(
      "taken",
      { key: "refused.name-taken", text: "Name taken. Try Noa 2.", arguments: { name: "Noa 2" } },
      "name",
    );
    show(lobbyState(GUEST), () => Promise.reject(taken));
    const field = document.querySelector<HTMLInputElement>("input[autocomplete=nickname]");
    if (field) field.value = "Noa";
    field?.dispatchEvent(new Event("input"));
    press("Sit here: Purple");
    await settle();
    expect(document.querySelector("[role=alert]")?.textContent).toBe("Name taken. Try Noa 2.");
    press("Use Noa 2");
    flushSync();
    expect(field?.value).toBe("Noa 2");
  });

  it("tells visitors that it is full", () => {
    const seats = lobbyInfo().seats.map((seat) => ({ ...seat, occupant: "human" }));
    show(lobbyState({ ...GUEST, lobby: lobbyInfo({ seats }), startsIn: 2500 }));
    expect(text()).toContain("Starting in 3…");
    expect(text()).toContain("This lobby is full.");
    expect(document.querySelectorAll(".ways a")).toHaveLength(3);
  });

  it("leaves nothing to press while the connection is lost", () => {
    show(lobbyState());
    link.status = "reconnecting";
    flushSync();
    const free = [...document.querySelectorAll<HTMLButtonElement>("li button, .row button")].filter(
      (button) => !button.disabled,
    );
    expect(free.map((button) => button.textContent)).toEqual(["Copy"]);
  });

  it("says what happens, and why, where everybody sees it", () => {
    const { lobby } = show(lobbyState());
    for (const said of ["Noa is away. The seat is kept.", "Noa is back."])
      lobby.table.receive({ type: "notice", game: "l", message: { key: "", text: said } });
    flushSync();
    expect([...document.querySelectorAll("[data-testid=notices] li")].map((item) => item.textContent)).toEqual([
      "Noa is away. The seat is kept.",
      "Noa is back.",
    ]);
  });

  it("keeps only the latest of what happens", () => {
    const { lobby } = show(lobbyState());
    for (let n = 0; n < 50; n += 1)
      lobby.table.receive({ type: "notice", game: "l", message: { key: "", text: `${n}` } });
    expect(lobby.table.notices.map(({ text }) => text)).toEqual(["45", "46", "47", "48", "49"]);
  });

  it("shows the link and how long the seat is kept, with or without a clipboard", () => {
    vi.stubGlobal("navigator", { ...navigator, clipboard: undefined });
    show(lobbyState());
    const link = document.querySelector<HTMLInputElement>("input[readonly]");
    expect(link?.value).toMatch(/\/join\/k1$/);
    expect(text()).toContain("Your seat is kept for 15 minutes, even if you leave this page.");
    expect(buttons()).not.toContain("Copy");
    expect(text()).not.toContain("Send…");
  });

  it("waits for those who are away before it starts", () => {
    const seats = lobbyInfo().seats.map((seat) => ({ ...seat, occupant: "human", here: seat.name !== "Noa" }));
    show(lobbyState({ lobby: lobbyInfo({ seats: seats.slice(0, 2) }) }));
    expect(document.querySelector("[data-testid=lobby-status]")?.textContent).toBe("Waiting for Noa");
  });

  it("lets guests of a private lobby sit down without a name, and tells them apart by numbers", async () => {
    const taken = new Refusal(
      "taken",
      { key: "refused.name-taken", text: "Name taken. Try Guest 2.", arguments: { name: "Guest 2" } },
      "name",
    );
    let tries = 0;
    const state = lobbyState({ ...GUEST, lobby: lobbyInfo({ terms: { ...TERMS, public: false } }) });
    const { asked } = show(state, () => {
      tries += 1;
      return tries === 1 ? Promise.reject(taken) : Promise.resolve({ type: "ack", id: "" });
    });
    press("Sit here: Purple");
    await settle();
    expect(asked.map((request) => ("action" in request ? request.action : null))).toMatchObject([
      { do: "sit", name: "Guest" },
      { do: "sit", name: "Guest 2" },
    ]);
    expect(document.querySelector("[role=alert]")).toBeNull();
  });

  it("names boards of a race by their number", () => {
    const { lobby } = show(
      lobbyState({
        lobby: lobbyInfo({
          mode: "race",
          seats: [lobbySeat("Player", { occupant: "human", name: "Dana" }), lobbySeat("Player")],
        }),
      }),
    );
    expect([lobby.title(0), lobby.title(1)]).toEqual(["Board 1", "Board 2"]);
  });
});

describe("the terms of a lobby", () => {
  it.each([
    [
      "clock",
      { ...TERMS },
      "Clock 5+3 If somebody leaves A bot plays on Lost connections Up to 15 s back each time, 60 s in all Who can join " +
        "Everybody Hints and evaluation not before the end",
    ],
    [
      "days",
      { ...TERMS, clock: "none", days: 3, leavers: "resign" as const, public: false, help: true },
      "Clock No clock Days per move 3 days If somebody leaves They lose the game Who can join By link Hints and " +
        "evaluation allowed",
    ],
    [
      "race",
      { ...TERMS, clock: "none", goal: { kind: "time" as const, seconds: 180 } },
      "Decided by Score after 3 minutes If somebody leaves A bot plays on Who can join Everybody Hints and " +
        "evaluation not before the end",
    ],
  ])("are told: %s", (_, terms, expected) => {
    shown.push(mount(LobbyFacts, { target: document.body, props: { lobby: lobbyInfo({ terms }) } }));
    flushSync();
    expect([...document.querySelectorAll("dl div")].map((fact) => fact.textContent?.trim()).join(" ")).toBe(expected);
  });
});

describe("the list of lobbies", () => {
  const one = lobbyInfo({ id: "1", name: "one" });
  const two = lobbyInfo({ id: "2", name: "two" });
  const changes = (lobbies: (typeof one)[], gone: string[] = [], reset = false) => ({
    type: "lobbies" as const,
    lobbies,
    gone,
    reset,
  });

  it("follows every change", () => {
    const first = applyLobbies([], changes([one], [], true));
    const second = applyLobbies(first, changes([two]));
    expect(second.map(({ id }) => id)).toEqual(["2", "1"]);
    const renamed = applyLobbies(second, changes([{ ...one, name: "uno" }]));
    expect(renamed.map(({ name }) => name)).toEqual(["two", "uno"]);
    expect(applyLobbies(renamed, changes([], ["2"])).map(({ id }) => id)).toEqual(["1"]);
    expect(applyLobbies(renamed, changes([two], [], true))).toEqual([two]);
  });

  it("shows name, game, players, clock and the way in", () => {
    vi.stubGlobal("fetch", () => new Promise(() => undefined));
    shown.push(mount(LobbyList, { target: document.body, props: { lobbies: [lobbyInfo()] } }));
    flushSync();
    expect(text()).toContain("Friday star");
    expect(text()).toContain("3 / 4");
    expect(text()).toContain("5+3");
    expect(text()).toContain("Host: Dana");
    expect(document.querySelector(".free")?.textContent?.replace(/\s+/g, " ").trim()).toBe("Free: Purple");
    expect(document.querySelector("a")?.getAttribute("href")).toBe("/lobby/l");
  });
});
