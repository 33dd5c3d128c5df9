// Studies as a reader finds them: ours, and one that was run on the machine of the server.
import { spawnSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, inject, it } from "vitest";

import type { Study, StudyList } from "../src/protocol/types.ts";
import { faultsOf } from "./axe.ts";
import { useBrowser } from "./browser.ts";
import { latinWords } from "./latin.ts";
import { Server } from "./server.ts";
import { type Language, words } from "./words.ts";

const FILE = `name = "greed"
question = "Is greed better than chance?"
game = "othello"
options = "size=4"
reference = "random"
games = 8
[[vary]]
bots = ["greedy"]
[[across]]
limit = "nodes"
values = [1, 2]
`;

const visit = useBrowser();
let server: Server;
let folder: string;
let published: Study[];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "agon-e2e-studies-"));
  await writeFile(join(folder, "greed.toml"), FILE);
  const run = spawnSync(inject("program"), [
    "study",
    "run",
    join(folder, "greed.toml"),
    "--out",
    join(folder, "greed"),
  ]);
  expect([run.status, String(run.stderr)]).toEqual([0, expect.stringContaining("report.html")]);
  server = await Server.start(inject("program"), ["--studies", join(folder, "greed")]);
  const ask = async <T>(path: string) => (await fetch(`${server.url}/api/v1/studies${path}`)).json() as Promise<T>;
  const { studies } = await ask<StudyList>("");
  published = await Promise.all(studies.filter((study) => study.published).map(({ id }) => ask<Study>(`/${id}`)));
});

afterAll(async () => {
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Names of settings, circumstances and bots are the same in all languages. */
function namesOf(study: Study): string[] {
  const texts = [
    ...study.settings.map(({ name }) => name.text),
    ...study.circumstances.flatMap(({ name, bots }) => [name.text, ...bots]),
  ];
  return texts.flatMap((text) => text.match(/[A-Za-z][A-Za-z0-9:=-]{2,}/g) ?? []);
}

/** How many sheets a page is printed on. */
async function sheetsOf(page: Page): Promise<number> {
  const pdf = await page.pdf({ format: "A4" });
  return pdf.toString("latin1").match(/\/Type\s*\/Page\b/g)?.length ?? 0;
}

it.each([
  ["en", false],
  ["he", true],
] as const)("a reader finds a study, its plots and its tables in %s", async (language: Language, phone) => {
  const visitor = await visit({ language, phone, url: server.url });
  const { page } = visitor;
  const w = words(language);
  await page.goto("/");
  await page.getByRole("navigation").getByRole("link", { name: w["nav.studies"], exact: true }).click();
  await page.waitForURL(/\/studies$/);
  await page.getByRole("heading", { name: w["studies.here"] }).waitFor();
  expect(await page.getByRole("article").count()).toBe(published.length + 1);
  await page.getByRole("link", { name: "greed", exact: true }).click();
  await page.getByRole("heading", { level: 1, name: "Is greed better than chance?" }).waitFor();
  expect(await page.getByTestId("answer").textContent()).not.toBe("");
  // One main effect, and what so many games show.
  expect(await page.getByTestId("effects").getByRole("img").count()).toBe(1);
  await page.getByTestId("outlook").waitFor();
  expect(await page.getByTestId("state").textContent()).toBe(w["arena.state.finished"]);
  // Two circumstances, a plot of each.
  expect(await page.getByTestId("strength").getByRole("img").count()).toBe(2);
  expect(await page.getByTestId("comparisons").getByRole("row").count()).toBe(3);
  await page.getByTestId("strength").getByRole("img").first().scrollIntoViewIfNeeded();
  expect(await page.getByTestId("findings").getByRole("listitem").count()).toBeGreaterThan(1);
  expect(await page.getByTestId("command").textContent()).toBe("agon study run study.toml --out results");
  const download = page.waitForEvent("download");
  await page.getByRole("link", { name: w["arena.file.comparisons.csv"], exact: true }).click();
  expect((await download).suggestedFilename()).toBe("comparisons.csv");
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
  // Back to the list, by keys.
  await page.getByRole("link", { name: w["studies.all"], exact: true }).last().focus();
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/studies$/);
  expect(visitor.faults).toEqual([]);
  await visitor.close();
});

it("the largest studies are printed on ten sheets at most, as pages in both languages and as reports", async () => {
  const largest = [...published].sort((one, other) => other.summary.comparisons - one.summary.comparisons).slice(0, 3);
  const reports = new Set<string>();
  for (const language of ["en", "he"] as const) {
    const visitor = await visit({ language, url: server.url });
    const { page } = visitor;
    for (const { summary } of largest) {
      await page.goto(`/studies/${summary.id}`);
      const report = page.getByRole("link", { name: words(language)["arena.report"], exact: true });
      await report.waitFor();
      reports.add((await report.getAttribute("href")) ?? "");
      expect(await sheetsOf(page), summary.id).toBeLessThanOrEqual(10);
      await page.emulateMedia({ media: "print" });
      expect(await page.getByRole("navigation").count()).toBe(0);
      expect(await report.isVisible()).toBe(false);
      // Nothing is cut off at the edge of the paper.
      expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
      await page.emulateMedia({ media: null });
    }
    expect(visitor.faults).toEqual([]);
    await visitor.close();
  }
  const { page } = await visit({ url: server.url });
  for (const report of reports) {
    await page.goto(report);
    expect(await sheetsOf(page), report).toBeLessThanOrEqual(10);
  }
  await page.context().close();
});

it("our own studies are readable in every theme, and in Hebrew throughout", async () => {
  const visitor = await visit({ language: "he", url: server.url });
  const { page } = visitor;
  expect(published.length).toBeGreaterThan(0);
  // One of each kind: against a reference, all against all, and with observations.
  const kinds: ((study: Study) => boolean)[] = [
    ({ allAgainstAll }) => !allAgainstAll,
    ({ allAgainstAll }) => allAgainstAll,
    ({ observations }) => observations.length > 0,
  ];
  const chosen = [...new Set(kinds.flatMap((holds) => published.find(holds) ?? []))];
  const left: Record<string, string[]> = {};
  const found: string[] = [];
  const check = async (path: string, names: readonly string[]) => {
    await page.waitForLoadState("networkidle");
    const latin = await latinWords(page, names);
    if (latin.length > 0) left[path] = latin;
    found.push(...(await faultsOf(page, path)));
  };
  await page.goto("/studies");
  await page.getByRole("article").first().waitFor();
  await check("/studies", []);
  for (const study of chosen) {
    const path = `/studies/${study.summary.id}`;
    await page.goto(path);
    await page.getByTestId("comparisons").waitFor();
    expect(await page.getByTestId("effects").getByRole("img").count()).toBeGreaterThan(0);
    for (const button of await page.getByTestId("effort").getByRole("button").all()) {
      await button.click();
      expect(await button.getAttribute("aria-pressed")).toBe("true");
      expect(await page.getByTestId("effort").getByRole("img").count()).toBeGreaterThan(0);
    }
    await check(path, namesOf(study));
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
  }
  expect(left).toEqual({});
  expect(found).toEqual([]);
  expect(visitor.faults).toEqual([]);
  await visitor.close();
});
