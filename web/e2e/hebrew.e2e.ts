// Whoever reads Hebrew finds no English left over: not in options, bots, rules, refusals or messages.
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { useBrowser } from "./browser.ts";
import { openLobby } from "./friends.ts";
import { openGame, play, untilMyMove } from "./play.ts";

const visit = useBrowser();
const GAMES = ["othello", "tablut", "loa", "chinese-checkers", "2048"];

/** Names that are the same in all languages: ours, those of people, bots, algorithms and keys, and examples of notation. */
const NAMES = /^(Agon|English|Dana|Noa|Yael|goal=(strict|fill):|Enter|Shift|s[1-5](-[a-z]+)?|alphabeta(:depth=4)?|depth|best|reply|best-reply|expectimax|greedy|maxn|max|mcts|paranoid|plain|random|minimax|ProbCut|MIA|UCT|PVS|Randi|Alpha|Beta|Monte|Carlo|Hard|Home|End|SVG|PNG|PgUp|PgDn|Esc|Space)$/;

/** Latin words that people see, apart from what is marked as another language or as left-to-right notation. */
async function latinWords(page: Page): Promise<string[]> {
  const words = await page.evaluate(() => {
    const found: string[] = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const parent = node.parentElement;
      if (!parent || parent.closest('[dir="ltr"], [lang="en"], bdi, script, style, noscript')) continue;
      found.push(...(node.textContent?.match(/[A-Za-z][A-Za-z0-9:=-]{2,}/g) ?? []));
    }
    for (const labelled of document.querySelectorAll("[aria-label], [title]")) {
      // Isolated parts of a label are notation: moves and places.
      const text = (name: string) => labelled.getAttribute(name)?.replace(/\u2068[^\u2069]*\u2069/g, "");
      for (const name of ["aria-label", "title"]) found.push(...(text(name)?.match(/[A-Za-z][A-Za-z0-9:=-]{3,}/g) ?? []));
    }
    return found;
  });
  return [...new Set(words)].filter((word) => !NAMES.test(word));
}

it("pages are in Hebrew throughout", async () => {
  const visitor = await visit({ language: "he" });
  const { page } = visitor;
  const left: Record<string, string[]> = {};
  for (const path of ["/", "/watch", "/lobbies", "/join/nothing", "/othello/new?mode=online", "/2048/new?mode=online", "/me", "/settings", "/nothing/here", "/tree/othello", "/tree/2048", ...GAMES.flatMap((game) => [`/${game}`, `/${game}/new`])]) {
    await page.goto(path);
    await page.locator("main h1 ~ *").first().waitFor();
    await page.waitForLoadState("networkidle");
    const words = await latinWords(page);
    if (words.length > 0) left[path] = words;
  }
  expect(left).toEqual({});
  await visitor.close();
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
  for (const game of GAMES) {
    await openGame(page, game, game === "2048" ? {} : { seats: [{ occupant: "human" }, { occupant: "human" }] });
    const [move] = await untilMyMove(page);
    if (move) await play(page, move, "keyboard");
    if (move?.from) await page.locator(`[data-key="${move.from.row * 256 + move.from.column}"]`).click({ force: true });
    await page.locator("summary").click();
    await page.locator('[data-action="keys"]').click();
    const words = await latinWords(page);
    if (words.length > 0) left[game] = words;
  }
  expect(left).toEqual({});
  await visitor.close();
});
