import { flushSync, mount, unmount } from "svelte";
import { afterEach, describe, expect, it, vi } from "vitest";

import type { GameInfo, NewLobby } from "../protocol/types.ts";
import { seat } from "../testing/table.ts";
import NewGameForm from "./NewGameForm.svelte";

const LEVELS = ["novice", "easy", "medium", "hard", "expert"];

function info(changes: Partial<GameInfo> = {}): GameInfo {
  return {
    game: "tafl",
    options: "rules=old,first=attackers,limit=100",
    suggested: "",
    choices: [
      { key: "rules", kind: { kind: "choice", words: ["old", "new"] } },
      { key: "first", kind: { kind: "choice", words: ["attackers", "defenders"] } },
      { key: "limit", kind: { kind: "integer", min: 1, max: 999, step: 1 } },
    ],
    seats: [seat("Attackers"), seat("Defenders")],
    bots: [...LEVELS.map((name) => ({ name, group: "level" })), { name: "s3", group: "original" }],
    styles: [],
    start: { layout: "squares", surface: "wood", places: "", rows: ["1"], columns: ["a"], cells: [{ at: [0, 0] }] },
    ...changes,
  } as unknown as GameInfo;
}

const shown: Record<string, unknown>[] = [];
/** What was sent to the server, by path. */
let sent: [string, unknown][] = [];

afterEach(() => {
  for (const component of shown.splice(0)) void unmount(component);
  document.body.replaceChildren();
  vi.unstubAllGlobals();
  sent = [];
});

function show(game: GameInfo = info(), query = ""): void {
  vi.stubGlobal("fetch", (path: string, request?: RequestInit) => {
    if (request?.method) sent.push([path, JSON.parse(request.body as string)]);
    const answer = path.endsWith("/me") ? { name: "" } : { id: "t1" };
    return Promise.resolve(new Response(JSON.stringify(answer)));
  });
  vi.stubGlobal("scrollTo", () => undefined);
  const props = { info: game, query: new URLSearchParams(query), mode: null };
  shown.push(mount(NewGameForm, { target: document.body, props }));
  flushSync();
}

function press(label: string): void {
  const found = [...document.querySelectorAll<HTMLElement>("label, button")].find((one) =>
    one.textContent?.replace(/\s+/g, " ").trim().startsWith(label),
  );
  if (!found) throw new Error(`nothing is called ${label}`);
  (found.querySelector("input") ?? found).click();
  flushSync();
}

async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setTimeout(resolve));
  flushSync();
}

/** What can be seen before anything is unfolded. */
const common = () => [...document.querySelectorAll("form *")].filter((one) => !one.closest(".folded, [hidden]"));

describe("the form for a new game", () => {
  it("asks who plays, which side and how strong, and states the rest in one row", () => {
    show();
    const legends = common().filter((one) => one.matches("legend, .head label"));
    expect(legends.map((one) => one.textContent)).toEqual(["Who plays", "Your side", "Strength"]);
    expect(document.querySelector("details")?.open).toBe(false);
    expect(document.querySelector("[data-testid=summary]")?.textContent).toBe("No clock · old · limit: 100");
    expect(common().filter((one) => one.matches("select, input:not([type=radio], [type=range])"))).toEqual([]);
  });

  it("leads to the complete rules", () => {
    const game = info();
    show(game);
    const links = [...document.querySelectorAll("figcaption a")].map((link) => link.getAttribute("href"));
    expect(links).toEqual([`rules/${game.game}`]);
  });

  it("calls the sides by their names", async () => {
    show();
    expect([...document.querySelectorAll(".sides strong")].map((one) => one.textContent)).toEqual([
      "Attackers",
      "Defenders",
    ]);
    press("Defenders");
    press("Play");
    await settle();
    expect(sent).toMatchObject([["/api/v1/games", { seats: [{ occupant: "easy" }, { occupant: "human" }] }]]);
  });

  it("has the levels as stops of a slider", async () => {
    show();
    const slider = document.querySelector<HTMLInputElement>("input[type=range]");
    expect([slider?.max, slider?.value, slider?.getAttribute("aria-valuetext")]).toEqual(["4", "1", "Easy"]);
    if (slider) slider.value = "3";
    slider?.dispatchEvent(new Event("input", { bubbles: true }));
    flushSync();
    expect(slider?.getAttribute("aria-valuetext")).toBe("Hard");
    press("Play");
    await settle();
    expect(sent).toMatchObject([["/api/v1/games", { seats: [{ occupant: "human" }, { occupant: "hard" }] }]]);
  });

  it("shows no letters of sets to be typed", () => {
    const sets = { key: "seats", kind: { kind: "text", suggestions: ["g/r", "g/o/p"] } };
    show(info({ options: "seats=g/r", choices: [sets] as unknown as GameInfo["choices"] }));
    expect(document.querySelectorAll('input[type="text"], input:not([type])')).toHaveLength(0);
    expect(document.querySelector("form")?.textContent).not.toContain("g/r");
    expect([...document.querySelectorAll(".presets button")].map((one) => one.textContent)).toEqual(["2", "3"]);
  });

  it("unfolds where the server finds fault with something folded", async () => {
    show();
    vi.stubGlobal("fetch", () => {
      const problem = { code: "invalid", message: { key: "", text: "no such clock" }, field: "clock" };
      return Promise.resolve(new Response(JSON.stringify(problem), { status: 422 }));
    });
    press("Play");
    await settle();
    expect(document.querySelector("details")?.open).toBe(true);
    expect(document.querySelector("[role=alert]")?.textContent).toBe("no such clock");
  });

  it("challenges a friend with one more click, without any name", async () => {
    show();
    press("Defenders");
    press("Challenge a friend");
    await settle();
    const [path, lobby] = sent[0] ?? [];
    expect(path).toBe("/api/v1/lobbies");
    expect(lobby).toMatchObject({
      name: "",
      player: "Guest",
      seats: [{ occupant: "open" }, { occupant: "human" }],
      terms: { public: false },
    } satisfies Partial<Record<keyof NewLobby, unknown>>);
    expect(location.pathname).toBe("/lobby/t1");
    expect(sent.map(([to]) => to)).not.toContain("/api/v1/me");
  });
});
