// Agon without a server: the exported site in a folder of a host, played in the browser, on a phone, in both
// languages, offline, in two tabs, and after a tab has died.
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, inject, it } from "vitest";

import { useBrowser, type Visit, type Visitor } from "./browser.ts";
import { boardIsThere } from "./play.ts";
import { FOLDER, Site } from "./site.ts";

const visit = useBrowser();
/** A bot's weights and module have to be loaded and compiled, by a machine that may be busy. */
const PATIENCE = { timeout: 60_000 };
let site: Site;

beforeAll(async () => {
  site = await Site.start(inject("program"));
});
afterAll(() => site.stop());

async function open(path = "", more: Visit = {}): Promise<Visitor> {
  const visitor = await visit({ url: site.url, ...more });
  visitor.context.setDefaultTimeout(PATIENCE.timeout);
  await visitor.page.goto(`${FOLDER}${path}`);
  return visitor;
}

function moves(page: Page): Promise<number> {
  return page.locator(".move").count();
}

/** Makes a move by keys, as the help says: to the next piece or place, and there. */
async function makeMove(page: Page, game: string): Promise<void> {
  const before = await moves(page);
  await page.locator('[role="grid"]').focus();
  const keys = game === "2048" ? ["ArrowLeft", "ArrowUp"] : ["n", "Enter", "n", "Enter"];
  for (const key of keys) {
    await page.keyboard.press(key);
    await page.waitForTimeout(100);
    if ((await moves(page)) > before) break;
  }
  await expect.poll(() => moves(page), PATIENCE).toBeGreaterThan(before);
}

/** Starts a game from its card on the first page. */
async function startFromHome(page: Page, game: string): Promise<void> {
  const card = page.locator("article").filter({ has: page.locator(`a[href="${game}"]`) });
  await card.locator("button.main").click();
  await boardIsThere(page);
  expect(new URL(page.url()).pathname).toBe(`${FOLDER}game/`);
}

it.each([
  { game: "othello", language: "en", phone: false },
  { game: "tablut", language: "he", phone: true },
  { game: "loa", language: "en", phone: true },
  { game: "chinese-checkers", language: "he", phone: false },
  { game: "2048", language: "en", phone: true },
] as const)("$game is played without a server, $language, phone: $phone", async ({ game, language, phone }) => {
  const visitor = await open("", { language, phone });
  const { page } = visitor;
  await startFromHome(page, game);
  await page.locator('[data-status="here"]').first().waitFor({ state: "attached" });
  await makeMove(page, game);
  // The bot has answered.
  if (game !== "2048") await expect.poll(() => moves(page), PATIENCE).toBeGreaterThanOrEqual(2);
  // It is there again when the page is loaded anew.
  const played = await moves(page);
  await page.reload();
  await boardIsThere(page);
  await expect.poll(() => moves(page), PATIENCE).toBeGreaterThanOrEqual(played);
  expect(site.misses).toEqual([]);
  expect(visitor.faults).toEqual([]);
  await visitor.close();
});

it("what was opened before opens without a network, and plays", async () => {
  const visitor = await open();
  const { page } = visitor;
  await startFromHome(page, "loa");
  await makeMove(page, "loa");
  await expect.poll(() => moves(page), PATIENCE).toBeGreaterThanOrEqual(2);
  const here = page.url();
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready;
  });
  await page.reload();
  await boardIsThere(page);
  await visitor.context.setOffline(true);
  await page.goto(here);
  await boardIsThere(page);
  await expect.poll(() => moves(page), PATIENCE).toBeGreaterThanOrEqual(2);
  const before = await moves(page);
  await makeMove(page, "loa");
  await expect.poll(() => moves(page), PATIENCE).toBeGreaterThanOrEqual(before + 2);
  await visitor.close();
});

it("a tab that dies loses no move that it had confirmed", async () => {
  const visitor = await open();
  const { page } = visitor;
  await startFromHome(page, "tablut");
  await makeMove(page, "tablut");
  await expect.poll(() => moves(page), PATIENCE).toBeGreaterThanOrEqual(2);
  const [here, played] = [page.url(), await moves(page)];
  const session = await visitor.context.newCDPSession(page);
  await Promise.race([session.send("Page.crash").catch(() => undefined), page.waitForEvent("crash")]);
  const again = await visitor.context.newPage();
  await again.goto(here);
  await boardIsThere(again);
  await expect.poll(() => moves(again), PATIENCE).toBeGreaterThanOrEqual(played);
  await visitor.close();
});

it("two tabs do not play the same game at once", async () => {
  const visitor = await open();
  const { page } = visitor;
  await startFromHome(page, "othello");
  await makeMove(page, "othello");
  await expect.poll(() => moves(page), PATIENCE).toBeGreaterThanOrEqual(2);
  const other = await visitor.context.newPage();
  await other.goto(page.url());
  await boardIsThere(other);
  await page.getByTestId("elsewhere").waitFor();
  await makeMove(other, "othello");
  await expect.poll(() => moves(other), PATIENCE).toBeGreaterThanOrEqual(4);
  const played = await moves(other);
  await page.getByRole("button", { name: "Play here" }).click();
  await boardIsThere(page);
  await expect.poll(() => moves(page), PATIENCE).toBeGreaterThanOrEqual(played);
  await other.getByTestId("elsewhere").waitFor();
  await visitor.close();
});

it("My games has the games of this browser, which can be deleted", async () => {
  const visitor = await open();
  const { page } = visitor;
  await startFromHome(page, "2048");
  await makeMove(page, "2048");
  await page.goto(`${FOLDER}me/`);
  const rows = page.locator(".rows li");
  await expect.poll(() => rows.count(), PATIENCE).toBe(1);
  await rows.getByRole("button", { name: "Delete" }).click();
  await rows.getByRole("button", { name: "Delete" }).click();
  await expect.poll(() => rows.count(), PATIENCE).toBe(0);
  await visitor.close();
});

it("analysing in the browser asks nobody", async () => {
  const visitor = await open();
  const { page } = visitor;
  await startFromHome(page, "othello");
  await makeMove(page, "othello");
  await expect.poll(() => moves(page), PATIENCE).toBeGreaterThanOrEqual(2);
  // By then the service worker has fetched what it keeps.
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready;
  });
  const before = site.requests;
  await page.getByRole("button", { name: "Hint" }).click();
  await page.locator('[data-mark^="hint"]').first().waitFor({ state: "attached" });
  expect(site.requests).toBe(before);
  await visitor.close();
});
