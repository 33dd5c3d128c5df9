import { type Component, flushSync, mount, unmount } from "svelte";
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";

import { setLanguage } from "../i18n/index.svelte.ts";
import StudiesPage from "../pages/Studies.svelte";
import StudyPage from "../pages/Study.svelte";
import type { Study, StudySummary } from "../protocol/types.ts";
import { comparison, effect, named, side, study, summary } from "../testing/studies.ts";
import {
  formatDepth,
  formatDifference,
  formatEloRange,
  formatFigure,
  formatHours,
  formatRatio,
  formatShare,
} from "./format.ts";
import { Polled } from "./polled.svelte.ts";
import { effects, efforts, factors, places, points, reaches, scores } from "./series.ts";

const shown: Record<string, unknown>[] = [];
/** What the server answers by path; what it does not know is refused. */
let answers: Record<string, unknown> = {};
let asked: string[] = [];

beforeAll(() => setLanguage("en"));

beforeEach(() => {
  vi.useFakeTimers();
  answers = {
    "/api/v1/catalogue": [],
    "/api/v1/messages/en/studies": {},
    "/api/v1/messages/en/loa": { title: "Lines of Action", "seat.black": "Black" },
  };
  asked = [];
  vi.stubGlobal("fetch", (path: string) => {
    asked.push(path);
    const found = answers[path];
    if (found instanceof Error) return Promise.reject(found);
    const problem = { code: "unknown", message: { key: "refused.unknown-study", text: "There is no such study." } };
    return Promise.resolve(new Response(JSON.stringify(found ?? problem), { status: found === undefined ? 404 : 200 }));
  });
});

afterEach(() => {
  for (const component of shown.splice(0)) void unmount(component);
  document.body.replaceChildren();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

async function show<Props extends Record<string, unknown>>(page: Component<Props>, props: Props): Promise<void> {
  shown.push(mount(page, { target: document.body, props }));
  await vi.advanceTimersByTimeAsync(0);
  flushSync();
}

async function open(shownStudy: Study): Promise<void> {
  answers["/api/v1/studies/table-size"] = shownStudy;
  await show(StudyPage, { study: "table-size" });
}

const clean = (node: Element | null | undefined) => node?.textContent?.replace(/\s+/g, " ").trim() ?? "";
const text = (selector = "body") => clean(document.querySelector(selector));
const labelsOf = (id: string) =>
  [...document.querySelectorAll(`[data-testid=${id}] svg[role=img]`)].map((plot) => plot.getAttribute("aria-label"));
const rows = (id: string) =>
  [...document.querySelectorAll(`[data-testid=${id}] tbody tr`)].map((row) => [...row.children].map(clean));

describe("the page of a study", () => {
  it("shows what it asks, what came of it, plots, tables, files and the command", async () => {
    await open(study());
    expect(text("h1")).toBe("How large should the table be?");
    expect(text("[data-testid=answer]")).toBe(
      "In 48 games, tt=off is stronger than the reference, with 94% (52% to 100%) of the points. " +
        "For tt=64 nothing is shown: the true score lies between 30% and 70%.",
    );
    expect(text("[data-testid=findings]")).toContain("2 comparisons with 48 games");
    expect(labelsOf("effects")).toEqual(["94% (52% to 100%), stronger", "50% (30% to 70%), open"]);
    expect([...document.querySelectorAll("[data-testid=effects] .notes")].map(clean)).toEqual([
      "94% (52% to 100%)0.75 plies deeper",
      "50% (30% to 70%)0.75 plies deeper",
    ]);
    expect(text("[data-testid=effects] .sides")).toBe("weaker ← reference → stronger");
    // One circumstance is the main effect itself.
    expect(document.querySelector("[data-testid=strength]")).toBe(null);
    expect(rows("outlook").map((row) => row.slice(0, 2))).toContainEqual(["30% from even", "24"]);
    expect(rows("comparisons")).toEqual([
      ["tt=off", "24", "21", "3", "0", "94% (52% to 100%)", "+470 (+14 to ∞)", "stronger · stopped early"],
      ["tt=64", "24", "21", "3", "0", "50% (30% to 70%)", "0 (-147 to +147)", "open"],
    ]);
    expect(rows("searches")[0]).toEqual(["reference", "400", "2 ms", "1,235", "3.25", "4", "10.0%", "90.0%", "–"]);
    expect(text("[data-testid=command]")).toBe("agon study run study.toml --quick --out results");
    const links = [...document.querySelectorAll<HTMLAnchorElement>("a")].map((link) => link.getAttribute("href"));
    expect(links).toEqual(
      expect.arrayContaining([
        "/api/v1/studies/table-size/files/report.html",
        "/api/v1/studies/table-size/files/comparisons.csv",
        "studies",
      ]),
    );
    expect(document.title).toContain("table-size");
  });

  it("lets people choose what effort they look at", async () => {
    await open(study());
    const labels = () =>
      [...document.querySelectorAll("[data-testid=effort] svg[role=img]")].map((plot) =>
        plot.getAttribute("aria-label"),
      );
    expect(labels()).toEqual(["× 0.5 (× 0.4 to × 0.6)", "× 1 (× 0.9 to × 1.1)"]);
    const buttons = [...document.querySelectorAll<HTMLButtonElement>("[data-testid=effort] button")];
    expect(buttons.map(clean)).toEqual(["Nodes", "Time", "Depth"]);
    buttons[2]?.click();
    flushSync();
    expect(buttons.map((button) => button.getAttribute("aria-pressed"))).toEqual(["false", "false", "true"]);
    expect(labels()[0]).toBe("+0.75 (+0.5 to +1)");
  });

  it("names circumstances where there are several, and ratings where all met all", async () => {
    const place = study().circumstances[0];
    if (!place) throw new Error("a circumstance");
    const ratings = [
      { elo: 0, error: 20 },
      { elo: 120, error: 30 },
      { elo: -120, error: 25 },
    ];
    const circumstances = [
      { ...place, name: named("size=8"), ratings },
      { ...place, name: named("size=12"), ratings },
    ];
    await open(
      study({
        allAgainstAll: true,
        circumstances,
        comparisons: [comparison(), comparison({ circumstance: 1, setting: 2, opponent: 1 })],
      }),
    );
    expect(text("[data-testid=strength]")).toContain("size=12");
    // The strongest comes first.
    expect(document.querySelector("[data-testid=strength] svg[role=img]")?.getAttribute("aria-label")).toBe(
      "+120 ± 30",
    );
    expect(rows("comparisons").map((row) => row.slice(0, 2))).toEqual([
      ["tt=off against reference", "size=8"],
      ["tt=64 against tt=off", "size=12"],
    ]);
    expect(document.querySelector("[data-testid=effort]")).toBe(null);
    expect(text("#cross")).toBe("All against all");
  });

  it("shows what was observed, by the names of the game", async () => {
    const seats = [
      { key: "seat.black", text: "black?" },
      { key: "", text: "Stranger" },
    ];
    const ranges = [
      { from: 3, to: 3, games: 5, shares: [0.2, 0.8] },
      { from: 4, to: 9, games: 4, shares: [0.5, 0.5] },
      { from: 0, to: null, games: 1, shares: [1, 0] },
    ];
    await open(
      study({
        observations: [
          { name: { key: "", text: "Pieces left" }, circumstance: 0, seen: 9, games: 10, mean: 4.44, seats, ranges },
        ],
      }),
    );
    expect(text(".observation h3")).toBe("Pieces left");
    expect(text(".observation p")).toBe("4.44 on average, in 9 of 10 games");
    expect([...document.querySelectorAll("[data-testid=observation] thead th")].map(clean)).toEqual([
      "Value",
      "Games",
      "Black",
      "Stranger",
    ]);
    expect(rows("observation")).toEqual([
      ["3", "5", "20%", "80%"],
      ["4 to 9", "4", "50%", "50%"],
      ["never", "1", "100%", "0%"],
    ]);
  });

  it("follows a study that is being run, and stops when it is over", async () => {
    await open(study({ summary: summary({ state: "running", played: 10, planned: 48, ended: 0 }) }));
    expect(text("[data-testid=state]")).toBe("running");
    expect(text("[data-testid=progress]")).toBe("10 of at most 48 games; 0 of 2 comparisons have ended");
    expect(document.querySelector("[role=progressbar]")?.getAttribute("aria-valuenow")).toBe("10");
    // A moment without an answer changes nothing.
    answers["/api/v1/studies/table-size"] = new Error("offline");
    await vi.advanceTimersByTimeAsync(5000);
    expect(text("[data-testid=progress]")).toContain("10 of at most");
    // How long it takes is seen from how fast it goes: two games in about eight seconds.
    answers["/api/v1/studies/table-size"] = study({
      summary: summary({ state: "running", played: 12, planned: 48, ended: 0 }),
    });
    await vi.advanceTimersByTimeAsync(4000);
    flushSync();
    expect(text("[data-testid=progress]")).toBe(
      "12 of at most 48 games; 0 of 2 comparisons have ended · about 2 min left",
    );
    answers["/api/v1/studies/table-size"] = study();
    await vi.advanceTimersByTimeAsync(5000);
    flushSync();
    expect(text("[data-testid=state]")).toBe("finished");
    expect(document.querySelector("[role=progressbar]")).toBe(null);
    const before = asked.length;
    await vi.advanceTimersByTimeAsync(60_000);
    expect(asked.length).toBe(before);
  });

  it("can be shown before there are results, damaged, and not at all", async () => {
    const lists = {
      answer: [],
      findings: [],
      settings: [],
      circumstances: [],
      effects: [],
      comparisons: [],
      files: [],
    };
    const nothing = { ...lists, outlook: null, command: null };
    await open(
      study({ ...nothing, summary: summary({ state: "running", games: [], played: 0, planned: 0, comparisons: 0 }) }),
    );
    expect(text("[data-testid=progress]")).toBe("It has only just begun.");
    expect(document.querySelector("table")).toBe(null);
    document.body.replaceChildren();
    await open(
      study({
        ...nothing,
        findings: [{ key: "summary.damaged", text: "The results cannot be read: EOF." }],
        summary: summary({ state: "damaged" }),
      }),
    );
    expect(text("[data-testid=findings]")).toBe("The results cannot be read: EOF.");
    document.body.replaceChildren();
    await show(StudyPage, { study: "nothing" });
    expect(text("h1")).toBe("No study here.");
    document.body.replaceChildren();
    answers["/api/v1/studies/away"] = new Error("offline");
    await show(StudyPage, { study: "away" });
    expect(text("[role=alert]")).toContain("Try again");
  });
});

describe("the list of studies", () => {
  it("has those that are being run first, and ours last", async () => {
    const studies: StudySummary[] = [
      summary({ id: "a", name: "runs", state: "running", played: 3, planned: 9 }),
      summary({ id: "b", name: "broken", state: "damaged" }),
      summary({ id: "c", name: "ours", published: true, quick: false }),
    ];
    answers["/api/v1/studies"] = { studies, more: true };
    await show(StudiesPage, {});
    expect([...document.querySelectorAll("h2")].map(clean)).toEqual([
      "Running",
      "Run on this server",
      "Published with Agon",
      "A study of your own",
    ]);
    expect([...document.querySelectorAll("h3")].map(clean)).toEqual([
      "runs quick running",
      "broken quick damaged",
      "ours",
    ]);
    expect(document.querySelector("h3 a")?.getAttribute("href")).toBe("studies/a");
    expect(document.querySelectorAll("[role=progressbar]").length).toBe(1);
    expect(text()).toContain("Older studies are not shown.");
    expect(text()).toContain("Its results cannot be read.");
    // One that is started later appears by itself.
    answers["/api/v1/studies"] = {
      studies: [summary({ id: "d", name: "new", state: "running" }), ...studies],
      more: false,
    };
    await vi.advanceTimersByTimeAsync(11_000);
    flushSync();
    expect(clean(document.querySelector("h3"))).toBe("new quick running");
  });

  it("says so if the server does not answer", async () => {
    answers["/api/v1/studies"] = new Error("offline");
    await show(StudiesPage, {});
    answers["/api/v1/studies"] = { studies: [], more: false };
    document.querySelector<HTMLButtonElement>("[role=alert] button")?.click();
    await vi.advanceTimersByTimeAsync(0);
    flushSync();
    expect([...document.querySelectorAll("h2")].map(clean)).toEqual(["A study of your own"]);
  });
});

describe("what plots show", () => {
  const of = (changes: Partial<Study>) => {
    const made = study(changes);
    const [place] = places(made);
    if (!place) throw new Error("a place");
    return { made, place };
  };

  it("tells claims from what is open", () => {
    const { made, place } = of({
      comparisons: [comparison(), comparison({ setting: 2, verdict: "weaker" }), comparison({ setting: 2, games: 0 })],
    });
    expect(scores(made, place).map(({ name, tone }) => [name, tone])).toEqual([
      ["tt=off", "better"],
      ["tt=64", "worse"],
    ]);
    expect(efforts(made, place, "time").map(({ tone }) => tone)).toEqual(["open", "open"]);
    expect(efforts(made, place, "nodes").map(({ tone }) => tone)).toEqual([undefined, undefined]);
    expect(scores(made, place)[0]?.hint).toBe("alphabeta:tt=off");
  });

  it("has points only where there are some", () => {
    const scored = side({ points: { value: 3000, low: 2000, high: 4000 } });
    const { made, place } = of({ comparisons: [comparison({ sides: [scored, scored] })] });
    expect(points(made, place).map(({ name }) => name)).toEqual(["reference", "tt=off"]);
    const without = of({});
    expect(points(without.made, without.place)).toEqual([]);
  });

  it("has the circumstances of a main effect as small dots, and a line for each below it", () => {
    const place = study().circumstances[0];
    if (!place) throw new Error("a circumstance");
    const circumstances = ["6×6", "8×8"].map((name) => ({ ...place, name: named(name) }));
    const values = [1, 4, 64];
    const settings = [
      { name: named("reference") },
      ...values.map((value) => ({ name: named(`tt=${value}`), factor: "tt", value })),
    ];
    const comparisons = [0, 1].flatMap((circumstance) =>
      values.map((_, index) => comparison({ circumstance, setting: index + 1 })),
    );
    const made = study({
      circumstances,
      settings,
      comparisons,
      effects: [1, 2, 3].map((setting) => effect({ setting })),
    });
    expect(effects(made).map(({ parts }) => parts)).toEqual(Array.from({ length: 3 }, () => [0.9375, 0.9375]));
    const [factor] = factors(made);
    expect(factor?.series.map(({ name }) => name)).toEqual(["main effect", "6×6", "8×8"]);
    expect(factor?.series.map(({ points: [first] }) => first?.low)).toEqual([0.52, undefined, undefined]);
  });

  it("shows what so many games are likely to show", () => {
    const outlook = study().outlook;
    if (!outlook) throw new Error("an outlook");
    expect(reaches(outlook).map(({ name, points: found }) => [name, found.length])).toEqual([["main effect", 3]]);
  });

  it("has lines over numbers if there are at least three, on a wide axis if they are far apart", () => {
    const values = [1, 4, 64];
    const settings = [
      { name: named("reference") },
      ...values.map((value) => ({ name: named(`tt=${value}`), factor: "tt", value })),
      { name: named("lmr=off"), factor: "lmr" },
    ];
    const effects = [3, 1, 2, 4].map((setting) => effect({ setting }));
    const [factor, ...others] = factors(study({ settings, effects }));
    expect(others).toEqual([]);
    // The reference is among them, at its own value.
    expect(factor?.series[0]?.points.map(({ x, y }) => [x, y])).toEqual([
      [1, 0.9375],
      [4, 0.9375],
      [16, 0.5],
      [64, 0.9375],
    ]);
    expect([factor?.name, factor?.isWide, factor?.ticks]).toEqual(["tt", true, [1, 4, 16, 64]]);
    expect(factors(study())).toEqual([]);
  });
});

describe("figures", () => {
  it("are as exact as they deserve", () => {
    expect([0.5, 0.496, 0.94, 1].map(formatShare)).toEqual(["50%", "49.6%", "94%", "100%"]);
    expect([0.012, 0.53, 2.8, 52.14].map(formatRatio)).toEqual(["× 0.012", "× 0.53", "× 2.8", "× 52.1"]);
    expect([-0.144, 0, -0.001, 2].map(formatDifference)).toEqual(["-0.14", "0", "0", "+2"]);
    expect([20, 2400, 19_000].map(formatHours)).toEqual(["1 min", "40 min", "5.3 hr"]);
    const depth = (value: number) => formatDepth({ value, low: value - 1, high: value + 1 });
    expect([-0.144, 0.11, 0.001].map(depth)).toEqual(["0.14 plies shallower", "0.11 plies deeper", "same depth"]);
    expect([null, 3, 12.34, 1234.5].map(formatFigure)).toEqual(["–", "3", "12.3", "1,235"]);
    expect(formatEloRange(comparison({ elo: null }))).toBe("–");
    expect(formatEloRange(comparison({ eloLow: null }))).toBe("+470 (−∞ to ∞)");
  });

  it("are not asked for after the page is gone", async () => {
    let count = 0;
    const polled = new Polled(
      () => Promise.resolve((count += 1)),
      () => 1000,
    );
    await vi.advanceTimersByTimeAsync(2500);
    expect(count).toBe(3);
    polled.close();
    await vi.advanceTimersByTimeAsync(5000);
    expect(count).toBe(3);
  });
});
