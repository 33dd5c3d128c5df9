// The network of a player goes dead in a game with a clock: both players see it, and the time comes back.
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, inject, it } from "vitest";

import { useBrowser } from "./browser.ts";
import { openLobby, sitDown, untilConnected, untilStarted } from "./friends.ts";
import { factsOf, play, tableOf, unfold, untilMyMove, untilPly } from "./play.ts";
import { StallingProxy } from "./stalled.ts";

const visit = useBrowser();
let proxy: StallingProxy;

beforeAll(async () => {
  proxy = await StallingProxy.before(inject("url"));
});
afterAll(() => proxy.close());

/** What the server says is left on the clock of the second seat. */
async function clockOf(page: Page): Promise<number> {
  return (await factsOf(page)).clocks?.[1] ?? NaN;
}

const moment = () => new Promise((resolve) => setTimeout(resolve, 250));

/** Plays the first move that there is. */
async function playAny(page: Page): Promise<void> {
  const [move] = await untilMyMove(page);
  if (!move) throw new Error("there is no move");
  await play(page, move, "pointer");
}

it("a dead connection is noticed by both players, and the clock stands meanwhile", async () => {
  const [dana, noa] = [await visit(), await visit({ url: proxy.url })];
  const id = await openLobby(dana.page, {
    language: "en",
    game: "othello",
    name: "tunnel",
    host: "Dana",
    choose: async (page) => {
      await unfold(page);
      await page.getByLabel("Clock", { exact: true }).selectOption("10m+5s");
      await page.getByLabel("Seconds back each time").fill("50");
      await page.getByLabel("Seconds back per game").fill("90");
    },
  });
  await noa.page.goto(`/lobby/${id}`);
  await noa.page.getByText("Up to 50 s back each time, 90 s in all").waitFor();
  await sitDown(noa.page, "en", "Noa");
  for (const { page } of [dana, noa]) await untilStarted(page);
  expect((await tableOf(dana.page)).seats.map(({ mine }) => mine)).toEqual([true, false]);
  await playAny(dana.page);
  await untilMyMove(noa.page);
  // The clock of a first move may wait for it.
  await playAny(noa.page);
  await playAny(dana.page);
  await untilMyMove(noa.page);

  const began = Date.now();
  const before = await clockOf(dana.page);
  proxy.stall();
  // Both are noticed within five seconds, which tests of page and server hold exactly; a browser on a busy machine
  // gets more, but much less than the half minute after which connections without a clock are given up.
  await noa.page.getByText("Reconnecting…").first().waitFor();
  await dana.page.getByTestId("away").getByText("Noa is away.").first().waitFor();
  const stands = await clockOf(dana.page);
  await moment();
  expect(await clockOf(dana.page)).toBe(stands);

  proxy.resume();
  await untilConnected(noa.page);
  await expect.poll(() => dana.page.getByTestId("away").count()).toBe(0);
  const lost = before - (await clockOf(dana.page));
  // Without time given back, all of it would be lost; the silence that the server noticed took at least three seconds.
  expect(Date.now() - began - lost).toBeGreaterThan(2_000);
  await playAny(noa.page);
  await untilPly(dana.page, 4);
  for (const visitor of [dana, noa]) {
    expect(visitor.faults).toEqual([]);
    await visitor.close();
  }
});
