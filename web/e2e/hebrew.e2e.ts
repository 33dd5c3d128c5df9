// Whoever reads Hebrew finds no English left over: not in options, bots, rules, refusals or messages.
import { expect, inject, it } from "vitest";

import { useBrowser } from "./browser.ts";
import { openLobby } from "./friends.ts";
import { latinWords } from "./latin.ts";
import { openGame, play, untilMyMove } from "./play.ts";

const visit = useBrowser();
const GAMES = inject("games");

it("pages are in Hebrew throughout", async () => {
  // What people name themselves and their lobbies stays as it is, but keeps out of the order of Hebrew words.
  const foreigner = await visit({ language: "en" });
  await openLobby(foreigner.page, { language: "en", game: "othello", name: "Foreign words", host: "Gil" });
  const visitor = await visit({ language: "he" });
  const { page } = visitor;
  const left: Record<string, string[]> = {};
  for (const path of [
    "/",
    "/watch",
    "/lobbies",
    "/join/nothing",
    "/arena",
    "/arena/nothing",
    "/arena/nothing/here",
    "/studies",
    "/studies/nothing",
    "/othello/new?mode=online",
    "/2048/new?mode=online",
    "/me",
    "/settings",
    "/nothing/here",
    "/tree/othello",
    "/tree/2048",
    ...GAMES.flatMap(({ id }) => [`/${id}`, `/${id}/new`]),
  ]) {
    await page.goto(path);
    await page.locator("main h1 ~ *").first().waitFor();
    await page.waitForLoadState("networkidle");
    const words = await latinWords(page);
    if (words.length > 0) left[path] = words;
  }
  expect(left).toEqual({});
  await visitor.close();
  await foreigner.close();
});

it("a lobby is in Hebrew throughout", async () => {
  const visitor = await visit({ language: "he" });
  await openLobby(visitor.page, { language: "he", game: "chinese-checkers", name: "כוכב", host: "דנה" });
  expect(await latinWords(visitor.page)).toEqual([]);
  await visitor.close();
});

it("games are in Hebrew throughout", async () => {
  const visitor = await visit({ language: "he" });
  const { page } = visitor;
  const left: Record<string, string[]> = {};
  for (const { id, seats } of GAMES) {
    await openGame(page, id, { seats: Array.from({ length: seats }, () => ({ occupant: "human" })) });
    const [move] = await untilMyMove(page);
    if (move) await play(page, move, "keyboard");
    if (move?.from) await page.locator(`[data-key="${move.from[0] * 256 + move.from[1]}"]`).click({ force: true });
    await page.locator("summary").click();
    await page.locator('[data-action="keys"]').click();
    const words = await latinWords(page);
    if (words.length > 0) left[id] = words;
  }
  expect(left).toEqual({});
  await visitor.close();
});
