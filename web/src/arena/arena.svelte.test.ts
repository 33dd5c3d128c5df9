import { type Component, flushSync, mount, unmount } from "svelte";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { type ArenaFollower, type Follower, Refusal } from "../connection/connection.ts";
import { connection } from "../connection/live.svelte.ts";
import Arena from "../pages/Arena.svelte";
import Author from "../pages/Author.svelte";
import TournamentPage from "../pages/Tournament.svelte";
import type { AuthorPage, GameInfo, Problem, Tournament, TournamentGames, TournamentList } from "../protocol/types.ts";
import { LOSS, match, standing, summary, tournament } from "../testing/arena.ts";
import { table } from "../testing/table.ts";
import { admin } from "./admin.svelte.ts";
import { formatElo, formatLeft, formatThinkingTime, lossText } from "./format.ts";
import { Matches } from "./matches.svelte.ts";
import { RoundDraft, TournamentDraft } from "./start.svelte.ts";
import { Upload } from "./upload.svelte.ts";

const shown: Record<string, unknown>[] = [];
const followers = new Map<string | null, ArenaFollower>();
/** What was asked, and what the server answers by the beginning of the path. */
let asked: { path: string; method: string; token: string | null; body: unknown }[] = [];
let answers: Record<string, unknown> = {};

beforeEach(() => {
  asked = [];
  answers = {};
  followers.clear();
  admin.signOut();
  history.replaceState(null, "", "/arena/spring");
  vi.spyOn(connection, "followArena").mockImplementation((id, follower) => {
    followers.set(id, follower);
    return () => followers.delete(id);
  });
  vi.stubGlobal("fetch", (path: string, request: RequestInit = {}) => {
    const headers = new Headers(request.headers);
    const { body } = request;
    asked.push({
      path,
      method: request.method ?? "GET",
      token: headers.get("authorization"),
      body: typeof body === "string" ? JSON.parse(body) : body,
    });
    const found = Object.entries(answers).find(([start]) => path.startsWith(start))?.[1];
    if (found === undefined) return new Promise(() => undefined);
    const isProblem = typeof found === "object" && found !== null && "code" in found;
    const text = typeof found === "string" ? found : JSON.stringify(found);
    return Promise.resolve(new Response(text, { status: isProblem ? 403 : 200 }));
  });
});

afterEach(() => {
  for (const component of shown.splice(0)) void unmount(component);
  document.body.replaceChildren();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

async function settle(): Promise<void> {
  for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setTimeout(resolve));
  flushSync();
}

function show<Props extends Record<string, unknown>>(page: Component<Props>, props: Props): void {
  shown.push(mount(page, { target: document.body, props }));
  flushSync();
}

function tell(state: Tournament): void {
  followers.get("spring")?.receive({ type: "tournament", tournament: "spring", state });
  flushSync();
}

function tellList(list: Partial<TournamentList>): void {
  followers.get(null)?.receive({ type: "arena", tournaments: [], more: false, uploads: false, ...list });
  flushSync();
}

const text = (selector = "body") => document.querySelector(selector)?.textContent?.replace(/\s+/g, " ").trim() ?? "";
const cells = (row: number) =>
  [...(document.querySelectorAll(`[data-testid=standings] tbody tr:nth-child(${row}) > *`) ?? [])].map((cell) =>
    cell.textContent?.replace(/\s+/g, " ").trim(),
  );
const refusal = (code: Problem["code"], message: string, field: string | null = null): Problem => ({
  code,
  field,
  message: { key: "none", text: message },
});

function press(label: string): void {
  const button = [...document.querySelectorAll<HTMLElement>("button, a")].find((found) =>
    found.textContent?.trim().startsWith(label),
  );
  if (!button) throw new Error(`no button ${label}`);
  button.click();
}

function fill(selector: string, value: string): void {
  const field = document.querySelector<HTMLInputElement | HTMLSelectElement>(selector);
  if (!field) throw new Error(`no field ${selector}`);
  field.value = value;
  field.dispatchEvent(new Event(field instanceof HTMLSelectElement ? "change" : "input", { bubbles: true }));
  flushSync();
}

describe("a tournament", () => {
  const games: TournamentGames = {
    games: [
      match(7, { result: null }),
      match(6),
      match(3, {
        result: {
          seats: ["technical-win", "technical-loss"],
          points: [2, -2],
          scores: [],
          reason: LOSS.reason,
          detail: LOSS.detail,
          fault: "late",
          plies: 12,
        },
      }),
    ],
    total: 3,
  };

  async function open(state = tournament()): Promise<void> {
    answers["/api/v1/arena/spring/games"] = games;
    show(TournamentPage, { tournament: "spring" });
    tell(state);
    await settle();
  }

  it("shows what is being played as small boards that follow their games", async () => {
    const heard = new Map<string, Follower>();
    vi.spyOn(connection, "follow").mockImplementation((id, follower) => {
      heard.set(id, follower);
      return () => heard.delete(id);
    });
    const games = [5, 6, 7, 8, 9].map((number) => match(number, { result: null }));
    await open(tournament({ running: games, summary: summary({ running: 6 }) }));
    expect([...heard.keys()]).toEqual(["spring-5", "spring-6", "spring-7", "spring-8"]);
    expect(text("[aria-labelledby=now]")).toContain("2 more games are being played.");
    const plies = [{ token: "a1", seat: 0, millis: 340 }];
    const state = table({
      ply: 1,
      movesMade: 1,
      turn: 1,
      progress: { played: 1, limit: 50, text: { key: "none", text: "Turn 1 of 50" } },
    });
    heard.get("spring-5")?.receive({
      type: "state",
      game: "spring-5",
      state: { ...state, boards: state.boards.map((board) => ({ ...board, plies })) },
    });
    // It is shown with the next picture.
    await vi.waitFor(() => expect(text("[data-testid=running-game]")).toBe("deep v first Turn 1 of 50 · 340 ms"));
    expect(document.querySelector("[data-testid=running-game] .turn")?.textContent).toBe("first");
    expect(document.querySelector("[data-testid=running-game]")?.getAttribute("href")).toBe("game/spring-5");
    tell(tournament({ running: games.slice(1) }));
    expect([...heard.keys()]).toEqual(["spring-6", "spring-7", "spring-8", "spring-9"]);
  });

  it("says how far it is and how long it will take", async () => {
    await open();
    expect(text("[data-testid=state]")).toBe("loa · running");
    expect(text("[data-testid=lead]")).toBe("Round 2 of 2: loa 8×8, 0.5 s a move · 6 of 12 games · about 12 min left");
    expect(document.querySelector("[role=progressbar]")?.getAttribute("aria-valuetext")).toBe("6 of 12 games");
    tell(tournament({ summary: summary({ state: "finished", played: 12 }), secondsLeft: null }));
    expect(text("[data-testid=state]")).toBe("loa · finished");
    expect(text("[data-testid=lead]")).toBe("3 players · 12 of 12 games");
  });

  it("has a table with points, technical losses and Elo, and nothing where there is no rating", async () => {
    await open();
    expect(cells(1)).toEqual(["1", "deep python", "6", "2", "2", "0", "0", "0", "0", "+100 ± 60"]);
    expect(cells(2).at(-1)).toBe("0 ± 50");
    expect(cells(3)).toEqual(["3", "first python disqualified", "-2", "2", "0", "0", "1", "0", "1", "–"]);
    expect([...document.querySelectorAll("svg[role=img]")].map((plot) => plot.getAttribute("aria-label"))).toEqual([
      "+100 ± 60",
      "0 ± 50",
    ]);
  });

  it("tells technical losses in words and leads to their games", async () => {
    await open();
    expect(text("[data-testid=losses]")).toBe(
      "first moved too late, against deep, after 12 plies no move within 0.5 s Replay: Game 3",
    );
    expect(document.querySelector("[data-testid=losses] a")?.getAttribute("href")).toBe("game/spring-3");
    tell(
      tournament({
        technical: [],
        technicalCount: 0,
        standings: [standing("quick", { meanTime: 0.00042, slowest: 1.25, meanDepth: 2.94 })],
      }),
    );
    expect([...document.querySelectorAll("[aria-labelledby=times] td")].map((cell) => cell.textContent)).toEqual([
      "0.4 ms",
      "1.3 s",
      "2.9",
    ]);
    expect(text()).toContain("Every game was decided on the board.");
  });

  it("shows a few technical losses, and the others on demand", async () => {
    await open(
      tournament({
        technical: Array.from({ length: 8 }, (_, index) => ({ ...LOSS, number: index + 1 })),
        technicalCount: 9,
      }),
    );
    const count = () => document.querySelectorAll("[data-testid=losses] li").length;
    expect(count()).toBe(5);
    press("Show all 8");
    flushSync();
    expect(count()).toBe(8);
    expect(text()).toContain("The latest 8 of 9.");
  });

  it("lists the games that a cell of the cross table stands for", async () => {
    await open();
    const cell = [...document.querySelectorAll<HTMLAnchorElement>("[data-testid=cross] a")].find((link) =>
      link.getAttribute("aria-label")?.startsWith("deep against first: 6 points, 2 won"),
    );
    expect(cell?.getAttribute("href")).toBe("arena/spring?player=deep&opponent=first#games");
    cell?.click();
    await settle();
    expect(location.search).toBe("?player=deep&opponent=first");
    expect(asked.at(-1)?.path).toBe("/api/v1/arena/spring/games?skip=0&player=deep&opponent=first");
    expect(document.activeElement?.id).toBe("games");
  });

  it("lists all games, those that are played to be watched and the others to be replayed", async () => {
    await open();
    const rows = [...document.querySelectorAll("[data-testid=games] li")].map((row) =>
      row.textContent?.replace(/\s+/g, " ").trim(),
    );
    expect(rows[0]).toBe("Game 7 · Round 1 deep v first being played Watch: Game 7");
    expect(rows[1]).toContain("deep 3 v first 0 all pieces connected 41 plies Replay");
    expect(rows[2]).toContain("deep 2 v first -2 first ran out of time 12 plies");
    expect([...document.querySelectorAll("[data-testid=games] .won")].map((won) => won.textContent?.trim())).toEqual([
      "deep 3",
      "deep 2",
    ]);
  });

  it("asks for the games again when one has ended, not when nothing has happened", async () => {
    await open();
    const count = () => asked.filter(({ path }) => path.includes("/games?")).length;
    const before = count();
    tell(tournament({ secondsLeft: 700 }));
    await settle();
    expect(count()).toBe(before);
    tell(tournament({ summary: summary({ played: 7 }) }));
    await settle();
    expect(count()).toBe(before + 1);
  });

  it("filters by player and round", async () => {
    await open();
    fill("select", "house");
    await settle();
    expect(asked.at(-1)?.path).toBe("/api/v1/arena/spring/games?skip=0&player=house");
    const [player, opponent, round] = document.querySelectorAll("select");
    expect([player?.value, opponent?.options.length, round?.options.length]).toEqual(["house", 3, 3]);
  });

  it("turns the pages of a long list, which stays where it is when games end", async () => {
    await open();
    answers["/api/v1/arena/spring/games"] = { games: [match(150)], total: 250 };
    tell(tournament({ summary: summary({ played: 250 }) }));
    await settle();
    press("Earlier");
    await settle();
    expect(asked.at(-1)?.path).toContain("skip=100");
    expect(text("[aria-labelledby=games]")).toContain("101 to 101 of 250");
    tell(tournament({ summary: summary({ played: 251 }) }));
    await settle();
    expect(asked.at(-1)?.path).toContain("skip=100");
  });

  it("links the report and the files", async () => {
    await open();
    expect(
      [...document.querySelectorAll("a")]
        .map((link) => link.getAttribute("href"))
        .filter((href) => href?.includes("/files/")),
    ).toEqual(["/api/v1/arena/spring/files/report.html", "/api/v1/arena/spring/files/table.csv"]);
  });

  it("that is damaged says so and nothing else", async () => {
    await open(
      tournament({ summary: summary({ state: "damaged", name: "Old" }), standings: [], cross: [], rounds: [] }),
    );
    expect(text()).toBe("Old Its results cannot be read. All tournaments");
  });

  it("that does not exist is said to be missing", () => {
    show(TournamentPage, { tournament: "spring" });
    followers.get("spring")?.refuse(new Refusal("unknown", { key: "none", text: "No." }, null));
    flushSync();
    expect(text("h1")).toBe("No tournament here.");
    expect(document.querySelector("a")?.getAttribute("href")).toBe("arena");
  });

  it("gives an organiser links for authors, and the way to stop it", async () => {
    answers["/api/v1/arena/desk"] = { uploads: true, interpreters: [], agents: [], running: "spring", maxUpload: 1 };
    answers["/api/v1/arena/spring/keys"] = { keys: [{ player: "deep", key: "k1" }] };
    answers["/api/v1/arena/spring/stop"] = {};
    await open(tournament({ summary: summary({ web: true }) }));
    expect(text()).not.toContain("For organisers");
    await admin.signIn("token");
    flushSync();
    press("Authors’ links");
    await settle();
    expect(document.querySelector<HTMLInputElement>("input[readonly]")?.value).toContain("/arena/spring/k1");
    press("Stop");
    await settle();
    expect(asked.at(-1)).toMatchObject({ path: "/api/v1/arena/spring/stop", method: "POST", token: "Bearer token" });
  });
});

describe("games of a tournament", () => {
  it("come in pages, and answers to older questions are dropped", async () => {
    answers["/api/v1/arena/spring/games?skip=0"] = { games: [match(250)], total: 250 };
    answers["/api/v1/arena/spring/games?skip=100"] = { games: [match(150)], total: 250 };
    const matches = new Matches("spring");
    await matches.choose({});
    expect([matches.hasNewer, matches.hasEarlier]).toEqual([false, true]);
    const late = matches.refresh();
    await matches.turn("earlier");
    await late;
    expect(matches.games?.map(({ number }) => number)).toEqual([150]);
    expect([matches.hasNewer, matches.hasEarlier]).toEqual([true, true]);
    await matches.turn("newer");
    expect(matches.games?.map(({ number }) => number)).toEqual([250]);
  });

  it("that cannot be had are said to be missing", async () => {
    answers["/api/v1/arena/spring/games"] = refusal("unknown", "There is nothing here.");
    const matches = new Matches("spring");
    await matches.refresh();
    expect(matches.trouble?.text).toBe("There is nothing here.");
  });
});

describe("the list of tournaments", () => {
  it("says how to start one while there is none", () => {
    show(Arena, {});
    tellList({});
    expect(text("main, body")).toContain("agon arena run");
  });

  it("has running and finished ones apart, and says who leads and who has won", () => {
    show(Arena, {});
    tellList({
      tournaments: [
        summary(),
        summary({ id: "autumn", name: "Autumn", state: "finished", leaders: ["house"] }),
        summary({ id: "old", name: "Old", state: "damaged", leaders: [] }),
      ],
    });
    expect(
      [...document.querySelectorAll("section")].map((section) =>
        section.textContent?.replace(/\s+/g, " ").trim().slice(0, 40),
      ),
    ).toEqual([
      "Running Spring course running loa · deep",
      "Finished Autumn finished loa · won by ho",
      "Stopped Old damaged Its results cannot b",
    ]);
    expect(document.querySelector("h3 a")?.getAttribute("href")).toBe("arena/spring");
  });

  it("shows a changed tournament at once", () => {
    show(Arena, {});
    tellList({ tournaments: [summary()] });
    tellList({ tournaments: [summary({ played: 9 })] });
    expect(text()).toContain("9 of 12 games");
  });
});

describe("an organiser", () => {
  const DESK = {
    uploads: true,
    interpreters: [
      { name: "java", endings: [".jar"] },
      { name: "python3", endings: [".py"] },
    ],
    agents: [
      {
        name: "Dana",
        interpreter: "python3",
        file: "agent.py",
        files: 1,
        bytes: 4200,
        uploaded: "2026-11-15T18:00:00Z",
      },
    ],
    running: null,
    maxUpload: 1000,
  };

  it("is told at the field that the token is wrong", async () => {
    answers["/api/v1/arena/desk"] = refusal("forbidden", "That is not the admin token.");
    show(Arena, {});
    press("Sign in");
    flushSync();
    expect(text("form .problem")).toBe("Enter the token first.");
    fill("input[type=password]", "wrong");
    press("Sign in");
    await settle();
    expect(text("form .problem")).toBe("That is not the admin token.");
    expect(document.querySelector("input[type=password]")?.getAttribute("aria-invalid")).toBe("true");
    expect(sessionStorage.getItem("agon.admin-token")).toBeNull();
  });

  it("keeps the token in this tab only, and forgets it when signing out", async () => {
    answers["/api/v1/arena/desk"] = DESK;
    await admin.signIn("secret");
    expect(asked[0]).toMatchObject({ path: "/api/v1/arena/desk", token: "Bearer secret" });
    expect(sessionStorage.getItem("agon.admin-token")).toBe("secret");
    expect(JSON.stringify({ ...localStorage })).not.toContain("secret");
    expect(document.cookie).not.toContain("secret");
    admin.signOut();
    expect(sessionStorage.getItem("agon.admin-token")).toBeNull();
  });

  it("loses a token that the server has replaced, but not while the server is away", async () => {
    answers["/api/v1/arena/desk"] = DESK;
    await admin.signIn("secret");
    const { fetch } = globalThis;
    vi.stubGlobal("fetch", () => Promise.reject(new TypeError("offline")));
    await admin.refresh();
    expect(admin.token).toBe("secret");
    vi.stubGlobal("fetch", fetch);
    answers["/api/v1/arena/desk"] = refusal("forbidden", "No.");
    await admin.refresh();
    expect([admin.desk, admin.token]).toEqual([null, ""]);
  });

  it("sees that uploads are off", async () => {
    answers["/api/v1/arena/desk"] = { ...DESK, uploads: false };
    await admin.signIn("secret");
    show(Arena, {});
    tellList({});
    expect(text()).toContain("agon serve --arena-uploads");
    expect(document.querySelector("[data-testid=agent-files]")).toBeNull();
  });

  it("uploads a file under its own name, run by what fits its ending", async () => {
    const upload = new Upload(new File(["print()"], "Noa Bar.py"), DESK.interpreters);
    expect([upload.name, upload.interpreter, upload.file, upload.isArchive]).toEqual([
      "Noa Bar",
      "python3",
      "Noa Bar.py",
      false,
    ]);
    answers["/api/v1/arena/agents"] = DESK.agents[0];
    await upload.send("secret");
    expect(asked.at(-1)).toMatchObject({
      path: "/api/v1/arena/agents/Noa%20Bar?interpreter=python3&file=Noa+Bar.py",
      method: "PUT",
      token: "Bearer secret",
    });
  });

  it("is told at the field what is wrong with an upload", async () => {
    const upload = new Upload(new File(["PK"], "broken.zip"), DESK.interpreters);
    expect([upload.isArchive, upload.file, upload.interpreter]).toEqual([true, "agent.py", "python3"]);
    answers["/api/v1/arena/agents"] = refusal("invalid", "There is no agent.py in the ZIP.", "file");
    expect(await upload.send("secret")).toBeNull();
    expect([upload.problemOf("file"), upload.generalProblem]).toEqual(["There is no agent.py in the ZIP.", null]);
    answers["/api/v1/arena/agents"] = refusal("too-large", "At most 1 kB.");
    await upload.send("secret");
    expect([upload.problemOf("file"), upload.generalProblem]).toEqual([null, "At most 1 kB."]);
  });

  const GAME = { game: "loa", options: "size=8", choices: [], bots: [], seats: [{}, {}] } as unknown as GameInfo;

  it("starts a tournament of uploaded agents and bots", async () => {
    answers["/api/v1/arena"] = { id: "new" };
    const draft = new TournamentDraft(GAME);
    draft.name = " Spring ";
    draft.toggle("Noa");
    draft.addBot();
    draft.setBot(1, "hard");
    draft.addBot();
    const [round] = draft.rounds;
    if (round) round.time = 0.5;
    draft.addRound();
    expect(await draft.start("secret", ["Dana", "Noa"])).toEqual({ id: "new" });
    const common = {
      game: "loa",
      options: "",
      setup: "10000ms",
      format: "round-robin",
      repetitions: 1,
      randomOpenings: false,
    };
    expect(asked.at(-1)).toMatchObject({ path: "/api/v1/arena", method: "POST", token: "Bearer secret" });
    expect(asked.at(-1)?.body).toEqual({
      name: "Spring",
      agents: ["Dana"],
      bots: [
        { bot: "medium", name: null },
        { bot: "hard", name: null },
        { bot: "medium", name: "medium 2" },
      ],
      rounds: [
        { ...common, time: "500ms" },
        { ...common, time: "1000ms" },
      ],
      seed: null,
      printing: "loss",
    });
  });

  it.each([
    ["name", "name"],
    ["bots[0].bot", "bots.0"],
    ["bots.0", "bots.0"],
    ["rounds.0.time", "rounds.0.time"],
    ["rounds[0].options", "rounds.0"],
    ["rounds.7.time", null],
    ["seed", null],
    [null, null],
  ])("is told at the field what the server refuses: %s", async (field, place) => {
    answers["/api/v1/arena"] = refusal("invalid", "That is wrong.", field);
    const draft = new TournamentDraft(GAME);
    expect(await draft.start("secret", [])).toBeNull();
    if (place) expect([draft.problemOf(place), draft.generalProblem]).toEqual(["That is wrong.", null]);
    else expect(draft.generalProblem).toBe("That is wrong.");
  });

  it("cannot choose options that the game does not have", async () => {
    answers["/api/v1/catalogue/loa"] = refusal("invalid", "The size is 4 to 30.", "size");
    const round = new RoundDraft(GAME);
    await round.setOption("size", "99");
    expect([round.trouble?.field, round.trouble?.text]).toEqual(["size", "The size is 4 to 30."]);
  });
});

describe("an author's page", () => {
  const page: AuthorPage = {
    tournament: summary(),
    standing: standing("first", { place: 3, technicalLosses: 1 }),
    verdicts: [
      {
        fault: "late",
        rule: { key: "none", text: "A move must be in time." },
        fix: { key: "none", text: "Look at the clock." },
        count: 1,
        cases: [LOSS],
      },
    ],
    warnings: 0,
    games: [
      {
        game: match(3, {
          result: {
            seats: ["technical-win", "technical-loss"],
            points: [2, -2],
            scores: [],
            reason: LOSS.reason,
            detail: LOSS.detail,
            fault: "late",
            plies: 12,
          },
        }),
        seat: 1,
        log: 20,
      },
      { game: match(4), seat: 0 },
    ],
    gamesCount: 2,
  };

  it("says what cost games and how to fix it, and shows what the program wrote", async () => {
    answers["/api/v1/arena/spring/authors/k1/logs/3"] = "<b>boom</b>";
    answers["/api/v1/arena/spring/authors/k1"] = page;
    show(Author, { tournament: "spring", key: "k1" });
    await settle();
    expect(text("h1")).toBe("first");
    expect(text("[data-testid=verdict]")).toBe(
      "Late moves 1 game The rule: A move must be in time. How to fix it: Look at the clock. moved too late, " +
        "against deep, after 12 plies no move within 0.5 s Replay: Game 3",
    );
    const rows = [...document.querySelectorAll("[data-testid=own-games] li")].map((row) =>
      row.textContent?.replace(/\s+/g, " ").trim(),
    );
    expect(rows[0]).toContain("Against deep: lost, because your player failed: first ran out of time. Points: -2.");
    expect(rows[1]).toContain("Against first: won: all pieces connected. Points: 3.");
    const log = document.querySelector("details");
    if (log) log.open = true;
    log?.dispatchEvent(new Event("toggle"));
    await settle();
    expect(document.querySelector("pre")?.textContent).toBe("<b>boom</b>");
    expect(document.querySelector("pre b")).toBeNull();
    expect(document.querySelector("a[download]")?.getAttribute("href")).toBe("/api/v1/arena/spring/authors/k1/logs/3");
    expect(document.querySelectorAll("details")).toHaveLength(1);
  });

  it("says that a key is wrong, and nothing else", async () => {
    answers["/api/v1/arena/spring/authors/k1"] = refusal("unknown", "There is no player first in Spring course.");
    show(Author, { tournament: "spring", key: "k1" });
    await settle();
    expect(text("h1")).toBe("This link is not valid.");
    expect(text()).not.toContain("first");
    expect(text()).not.toContain("Spring");
  });

  it("can be tried again if the server does not answer", async () => {
    vi.stubGlobal("fetch", () => Promise.reject(new TypeError("offline")));
    show(Author, { tournament: "spring", key: "k1" });
    await settle();
    expect(text("[role=alert]")).toContain("The server does not answer.");
  });
});

describe("figures", () => {
  it.each([
    [211.7, 61.4, "+212 ± 61"],
    [-31.2, 55, "-31 ± 55"],
    [-0.2, 5, "0 ± 5"],
  ])("a rating of %d ± %d as %s", (elo, error, expected) => {
    expect(formatElo(elo, error)).toBe(expected);
  });

  it.each([
    ["500ms", "0.5 s a move"],
    ["1s", "1 s a move"],
    ["10s+100ms", "10 s + 0.1 s a move"],
    ["10m+1s", "10 min + 1 s a move"],
    ["soon", "soon"],
  ])("a time of %s as %s", (time, expected) => {
    expect(formatThinkingTime(time)).toBe(expected);
  });

  it.each([
    [5, "less than a minute left"],
    [62, "about 1 min left"],
    [720, "about 12 min left"],
    [8000, "about 2 h left"],
  ])("%d seconds as %s", (seconds, expected) => {
    expect(formatLeft(seconds)).toBe(expected);
  });

  it("a game that was not played as such", () => {
    expect(lossText({ ...LOSS, game: null }, "loa")).toBe("moved too late, against deep, not played");
    expect(lossText({ ...LOSS, fault: "novel" }, "loa")).toBe("first ran out of time, against deep, after 12 plies");
  });
});
