import { type Component, flushSync, mount, unmount } from "svelte";
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";

import { setLanguage } from "../i18n/index.svelte.ts";
import StudiesPage from "../pages/Studies.svelte";
import StudyPage from "../pages/Study.svelte";
import type { Study, StudySummary } from "../protocol/types.ts";
import { comparison, side, study, summary } from "../testing/studies.ts";
import { formatDifference, formatEloRange, formatFigure, formatRatio, formatShare } from "./format.ts";
import { Polled } from "./polled.svelte.ts";
import { efforts, factors, places, points, scores } from "./series.ts";

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
const rows = (id: string) =>
  [...document.querySelectorAll(`[data-testid=${id}] tbody tr`)].map((row) => [...row.children].map(clean));

describe("the page of a study", () => {
  it("shows what it asks, what came of it, plots, tables, files and the command", async () => {
    await open(study());
    expect(text("h1")).toBe("table-size");
    expect(text(".question")).toBe("How large should the table be?");
    expect(text("[data-testid=findings]")).toContain("No setting was shown");
    expect(
      [...document.querySelectorAll("[data-testid=strength] svg[role=img]")].map((plot) =>
        plot.getAttribute("aria-label"),
      ),
    ).toEqual(["94% (52% to 100%), stronger", "50% (30% to 70%), open"]);
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
        "/studies",
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
      { ...place, name: "size=8", ratings },
      { ...place, name: "size=12", ratings },
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
    const nothing = { findings: [], settings: [], circumstances: [], comparisons: [], files: [], command: null };
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
    expect(document.querySelector("h3 a")?.getAttribute("href")).toBe("/studies/a");
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

  it("has lines over numbers if there are at least three, on a wide axis if they are far apart", () => {
    const values = [1, 4, 64];
    const settings = [
      { name: "reference" },
      ...values.map((value) => ({ name: `tt=${value}`, factor: "tt", value })),
      { name: "lmr=off", factor: "lmr" },
    ];
    const comparisons = [3, 1, 2, 4].map((setting) => comparison({ setting }));
    const [factor, ...others] = factors(study({ settings, comparisons }));
    expect(others).toEqual([]);
    expect(factor?.series[0]?.points.map(({ x }) => x)).toEqual(values);
    expect([factor?.name, factor?.isWide]).toEqual(["tt", true]);
    expect(factors(study())).toEqual([]);
  });
});

describe("figures", () => {
  it("are as exact as they deserve", () => {
    expect([0.5, 0.496, 0.94, 1].map(formatShare)).toEqual(["50%", "49.6%", "94%", "100%"]);
    expect([0.012, 0.53, 2.8, 52.14].map(formatRatio)).toEqual(["× 0.012", "× 0.53", "× 2.8", "× 52.1"]);
    expect([-0.144, 0, -0.001, 2].map(formatDifference)).toEqual(["-0.14", "0", "0", "+2"]);
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
