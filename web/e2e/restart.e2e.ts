// The server is killed in the middle of a game; the open page says so and catches up by itself.
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { useBrowser } from "./browser.ts";
import { boardIsThere, factsOf, openGame, play, untilMyMove, untilPly } from "./play.ts";
import { Server } from "./server.ts";

const visit = useBrowser();
let server: Server;

beforeAll(async () => {
  server = await Server.start(inject("program"));
});
afterAll(() => server.stop());

it("an open page survives the death of the server", async () => {
  const visitor = await visit({ url: server.url });
  const { page } = visitor;
  await openGame(page, "othello");
  const [first] = await untilMyMove(page);
  if (first) await play(page, first, "pointer");
  await untilPly(page, 2);
  const before = await factsOf(page);

  await server.kill();
  await page.locator('[data-status="reconnecting"]').waitFor();
  await page.locator('[data-status="offline"]').waitFor();
  await page.getByText("Offline. Your game is safe.").waitFor();

  await server.run();
  await page.locator('[data-status="open"]').waitFor();
  expect((await factsOf(page)).position).toBe(before.position);
  const [next] = await untilMyMove(page);
  if (next) await play(page, next, "pointer");
  await untilPly(page, 4);
  await visitor.close();
});

it("what happened meanwhile is shown, and a watcher sees it too", async () => {
  const visitor = await visit({ url: server.url });
  const { page } = visitor;
  await openGame(page, "tablut", { seats: [{ occupant: "novice" }, { occupant: "novice" }], pace: 200 });
  await untilPly(page, 2);
  const watcher = await visit({ url: server.url });
  await watcher.page.goto(page.url());
  await boardIsThere(watcher.page);
  await server.kill();
  await page.locator('[data-status="reconnecting"]').waitFor();
  await server.run();
  await page.locator('[data-status="open"]').waitFor();
  const { ply } = await factsOf(page);
  await untilPly(page, ply + 2);
  for (const { page: shown } of [visitor, watcher]) {
    await expect.poll(() => shown.locator(".move").count(), { timeout: 15_000 }).toBeGreaterThanOrEqual(ply + 1);
  }
  await watcher.close();
  await visitor.close();
});
