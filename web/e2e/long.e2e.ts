// Long games: what a move costs the page is counted in elements, not in time.
import type { Page } from "playwright-core";
import { expect, it } from "vitest";

import { useBrowser, type Visitor } from "./browser.ts";
import { boardIsThere, factsOf, openGame, tableOf } from "./play.ts";

const visit = useBrowser();
const PATIENCE = { timeout: 40_000 };

async function watching(bot: string): Promise<Visitor> {
  const visitor = await visit();
  await openGame(visitor.page, "2048", { seats: [{ occupant: bot }], pace: 20 });
  return visitor;
}

async function movesMade(page: Page): Promise<number> {
  return Number((await page.getByTestId("moves-made").textContent())?.replace(/\D/g, ""));
}

async function untilMoves(page: Page, moves: number): Promise<void> {
  await expect.poll(() => movesMade(page), PATIENCE).toBeGreaterThanOrEqual(moves);
}

/** How many elements come and go with a move, on the whole page, and how many there are in the list. */
async function workOfMoves(page: Page): Promise<{ changed: number; listed: number }> {
  const from = await movesMade(page);
  await page.evaluate(() => {
    const counted = { changed: 0 };
    const count = (records: MutationRecord[]) => {
      for (const { addedNodes, removedNodes } of records) counted.changed += addedNodes.length + removedNodes.length;
    };
    new MutationObserver(count).observe(document.body, { childList: true, subtree: true });
    Object.assign(window, { counted });
  });
  await untilMoves(page, from + 40);
  const changed = await page.evaluate(() => (window as unknown as { counted: { changed: number } }).counted.changed);
  const moves = (await movesMade(page)) - from;
  return { changed: changed / moves, listed: await page.locator(".moves *").count() };
}

it("a move costs as much after hundreds of moves as at the beginning", async () => {
  const visitor = await watching("s3-medium");
  const { page } = visitor;
  await untilMoves(page, 60);
  const early = await workOfMoves(page);
  await untilMoves(page, 400);
  const late = await workOfMoves(page);
  expect(late.changed).toBeLessThan(1.5 * early.changed);
  expect(late.listed).toBeLessThan(1.2 * early.listed);
  await page.getByRole("button", { name: "Pause", exact: true }).click();
  await page.getByRole("button", { name: "Resume", exact: true }).waitFor();
  const { movesMade: made } = await factsOf(page);
  await expect.poll(() => movesMade(page)).toBe(made);
  await expect.poll(() => page.locator(".move").last().getAttribute("data-number")).toBe(String(made));
  expect(visitor.faults).toEqual([]);
  await visitor.close();
});

it("earlier moves are fetched as one scrolls back, and the place is kept while others are made", async () => {
  const visitor = await watching("s3-medium");
  const { page } = visitor;
  await untilMoves(page, 250);
  const again = await visit();
  await again.page.goto(page.url());
  await boardIsThere(again.page);
  const list = again.page.locator(".moves .list");
  // What is put there by itself must not be taken for scrolling.
  await list.hover();
  await again.page.mouse.wheel(0, -1_000_000);
  const first = again.page.locator('.move[data-number="1"]');
  await first.waitFor();
  const place = await list.evaluate((element) => element.scrollTop);
  await untilMoves(again.page, (await movesMade(again.page)) + 30);
  expect(await list.evaluate((element) => element.scrollTop)).toBe(place);
  expect(await first.isVisible()).toBe(true);
  await again.close();
  await visitor.close();
});

it("Skip tells one state, and none of the moves that lead to it", async () => {
  const visitor = await visit();
  const { page } = visitor;
  const heard: { type: string; length: number }[] = [];
  page.on("websocket", (socket) =>
    socket.on("framereceived", ({ payload }) => {
      const { type } = JSON.parse(String(payload)) as { type: string };
      heard.push({ type, length: payload.length });
    }),
  );
  const seats = [{ occupant: "s3-medium" }, { occupant: "human" }];
  await openGame(page, "2048", { mode: "in-turn", seats, pace: 1000 });
  heard.length = 0;
  await page.getByRole("button", { name: "Skip", exact: true }).click();
  await expect.poll(async () => Boolean((await factsOf(page, 0)).end), PATIENCE).toBe(true);
  await page.locator('[data-testid="status"][data-may-move="true"]').waitFor();
  const { boards } = await tableOf(page);
  expect(boards[0]?.facts.movesMade).toBeGreaterThan(100);
  // The move that was being waited for, that bots are skipped, and the end of it.
  expect(heard.filter(({ type }) => type === "event" || type === "state").length).toBeLessThanOrEqual(3);
  expect(Math.max(...heard.map(({ length }) => length))).toBeLessThan(60_000);
  await visitor.close();
});
