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

it.each(["way", "answer"] as const)("a move that is lost on its %s is sent again and made once", async (lost) => {
  const visitor = await visit({ url: server.url });
  const { page } = visitor;
  let breaks = 0;
  const ids: string[] = [];
  await page.routeWebSocket("/ws", (socket) => {
    const beyond = socket.connectToServer();
    let isDeaf = false;
    socket.onMessage((message) => {
      const { type, id } = JSON.parse(String(message)) as { type: string; id: string };
      if (type === "move") ids.push(id);
      const isBroken = type === "move" && breaks === 0;
      if (!isBroken || lost === "answer") beyond.send(message);
      if (!isBroken) return;
      breaks += 1;
      if (lost === "way") void socket.close();
      else isDeaf = true;
    });
    beyond.onMessage((message) => {
      // The server has heard the move; the page never hears of it on this connection.
      if (isDeaf) void socket.close();
      else socket.send(message);
    });
  });
  await openGame(page, "othello", { seats: [{ occupant: "human" }, { occupant: "human" }] });
  await page.locator('[data-testid="status"][data-may-move="true"]').waitFor();
  await page.locator('[role="gridcell"][aria-label^="d3,"]').click({ force: true });
  await page.locator('[data-testid="status"][data-ply="1"][data-may-move="true"]').waitFor();
  expect(breaks).toBe(1);
  expect(new Set(ids).size).toBe(1);
  const { ply, last } = await factsOf(page);
  expect([ply, last?.token]).toEqual([1, "d3"]);
  expect(await page.getByTestId("note").count()).toBe(0);
  await visitor.close();
});

it("what happened meanwhile is shown, and a watcher sees it too", async () => {
  const visitor = await visit({ url: server.url });
  const { page } = visitor;
  // A game that lasts long enough even where the server takes its time to start again.
  await openGame(page, "chinese-checkers", { seats: [{ occupant: "novice" }, { occupant: "novice" }], pace: 200 });
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
    const last = async () => Number(await shown.locator(".move").last().getAttribute("data-number"));
    await expect.poll(last, { timeout: 15_000 }).toBeGreaterThanOrEqual(ply + 1);
  }
  await watcher.close();
  await visitor.close();
});
