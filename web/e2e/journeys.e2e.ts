// Every way to play, once in each language and once by each kind of input.
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { useBrowser, type Visitor } from "./browser.ts";
import { boardIsThere, factsOf, play, tableOf, untilMyMove, untilPly, type Hand } from "./play.ts";
import { words, type Language } from "./words.ts";

const visit = useBrowser();

interface Way {
  language: Language;
  hand: Hand;
}

/** Both languages and all kinds of input occur; not every pair of them. */
const WAYS: Way[] = [
  { language: "en", hand: "pointer" },
  { language: "he", hand: "touch" },
  { language: "en", hand: "keyboard" },
];

async function come(way: Way, path: string): Promise<Visitor> {
  const visitor = await visit({ language: way.language, phone: way.hand === "touch" });
  await visitor.page.goto(path);
  return visitor;
}

async function press(page: Page, name: string | RegExp, hand: Hand): Promise<void> {
  const button = page.getByRole("button", { name }).first();
  if (hand === "pointer") return button.click();
  if (hand === "touch") return button.tap();
  await button.focus();
  await page.keyboard.press("Enter");
}

async function leave(visitor: Visitor): Promise<void> {
  const sideways = await visitor.page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect(sideways).toBeLessThanOrEqual(0);
  expect(visitor.faults).toEqual([]);
  await visitor.close();
}

function card(page: Page, game: string) {
  return page.locator("article").filter({ has: page.locator(`a[href="/${game}"]`) });
}

async function pressOnCard(page: Page, game: string, name: string, hand: Hand): Promise<void> {
  const button = card(page, game).getByRole("button", { name: new RegExp(`^${name}`) });
  await button.waitFor();
  if (hand === "touch") await button.tap();
  else if (hand === "pointer") await button.click();
  else {
    await button.focus();
    await page.keyboard.press("Enter");
  }
  await boardIsThere(page);
}

/** Plays the first move that is not a pass. */
async function playOne(page: Page, hand: Hand, board = 0): Promise<void> {
  const [move] = await untilMyMove(page, board);
  if (move) await play(page, move, hand, board);
}

describe.each(WAYS)("in $language by $hand", (way) => {
  const say = words(way.language);
  const { hand } = way;

  it.each(["othello", "tablut", "loa", "chinese-checkers"])("%s against a bot in one click", async (game) => {
    const visitor = await come(way, "/");
    const { page } = visitor;
    await pressOnCard(page, game, say["home.playBot"], hand);
    const { seats } = await tableOf(page);
    expect(seats.map(({ occupant }) => occupant)).toEqual(["human", "easy"]);
    await page.getByTestId("status").getByText(say["status.yourTurn"]).waitFor();
    await playOne(page, hand);
    await untilPly(page, 2);
    await playOne(page, hand);
    await untilPly(page, 4);
    // The bot's moves are listed with the time they took.
    await expect.poll(() => page.locator(".facts").count()).toBeGreaterThanOrEqual(2);
    await leave(visitor);
  });

  it.each(["othello", "tablut", "chinese-checkers"])("%s on one screen", async (game) => {
    const visitor = await come(way, "/");
    const { page } = visitor;
    await pressOnCard(page, game, say["home.oneScreen"], hand);
    await playOne(page, hand);
    await playOne(page, hand);
    expect((await factsOf(page)).turn).toBe(0);
    await leave(visitor);
  });

  it("2048 alone", async () => {
    const visitor = await come(way, "/");
    const { page } = visitor;
    await pressOnCard(page, "2048", say["home.play"], hand);
    for (let turn = 0; turn < 4; turn += 1) await playOne(page, hand);
    const { score } = await factsOf(page);
    await expect.poll(() => page.getByTestId("score").textContent()).toBe(String(score));
    await leave(visitor);
  });

  it("2048 as a race", async () => {
    const visitor = await come(way, "/");
    const { page } = visitor;
    await pressOnCard(page, "2048", say["home.race"], hand);
    await playOne(page, hand);
    await untilPly(page, 4, 1);
    expect((await tableOf(page)).boards).toHaveLength(2);
    await leave(visitor);
  });

  it("2048 after the computer", async () => {
    const visitor = await come(way, "/");
    const { page } = visitor;
    await pressOnCard(page, "2048", say["home.computerFirst"], hand);
    await untilPly(page, 3, 0);
    await press(page, say["play.skip"], hand);
    await playOne(page, hand, 1);
    expect((await factsOf(page, 0)).end).toBeTruthy();
    await leave(visitor);
  });

  it("bots that are watched: pause, step, go on", async () => {
    const visitor = await come(way, "/watch?game=othello");
    const { page } = visitor;
    await press(page, say["new.start"], hand);
    await boardIsThere(page);
    await untilPly(page, 1);
    await press(page, say["action.pause"], hand);
    await page.getByTestId("status").getByText(say["status.paused"]).waitFor();
    const { ply } = await factsOf(page);
    await press(page, say["action.step"], hand);
    await untilPly(page, ply + 1);
    expect((await tableOf(page)).paused).toBe(true);
    await press(page, say["action.resume"], hand);
    await untilPly(page, ply + 3);
    await leave(visitor);
  });

  it("three players with two sets each", async () => {
    const visitor = await come(way, "/chinese-checkers/new");
    const { page } = visitor;
    await press(page, say["new.seatsPresetSets"].replace("{seats}", "3").replace("{sets}", "2"), hand);
    await expect.poll(() => page.locator(".seats .picker").count()).toBe(3);
    await press(page, say["new.start"], hand);
    await boardIsThere(page);
    expect((await tableOf(page)).seats.map(({ styles }) => styles.length)).toEqual([2, 2, 2]);
    await playOne(page, hand);
    await untilPly(page, 3);
    await leave(visitor);
  });

  it("undo, hint, turn board, type a move, resign", async () => {
    const visitor = await come(way, "/tablut");
    const { page } = visitor;
    await press(page, new RegExp(say["level.novice"]), hand);
    await boardIsThere(page);
    await playOne(page, hand);
    await untilPly(page, 2);
    await press(page, say["action.undo"], hand);
    await expect.poll(async () => (await factsOf(page)).ply).toBe(0);
    await press(page, say["action.hint"], hand);
    await page.locator('[data-mark^="hint"]').first().waitFor();
    if (hand === "keyboard") {
      await page.locator('[data-key][tabindex="0"]').focus();
      await page.keyboard.press("m");
      const [move] = await untilMyMove(page);
      await page.keyboard.type(move?.token ?? "");
      await page.keyboard.press("Enter");
      await untilPly(page, 2);
    }
    if (hand === "touch") await press(page, say["action.more"], hand);
    await press(page, say["action.resign"], hand);
    await page.getByRole("dialog").getByRole("button", { name: say["action.resign"], exact: true }).click();
    await page.getByTestId("result").waitFor();
    await press(page, say["end.rematch"], hand);
    await expect.poll(async () => (await factsOf(page)).end ?? null).toBeNull();
    await leave(visitor);
  });
});

describe("what a person is told", () => {
  it("a wrong click is explained in the status line", async () => {
    const visitor = await come({ language: "en", hand: "pointer" }, "/");
    const { page } = visitor;
    await pressOnCard(page, "othello", "Play a bot", "pointer");
    await untilMyMove(page);
    await page.locator('[data-key="0"]').click({ force: true });
    await page.getByTestId("note").getByText("A disc must enclose at least one white disc.").waitFor();
    await leave(visitor);
  });

  it("a wrong specification is answered at its field", async () => {
    const visitor = await come({ language: "en", hand: "pointer" }, "/othello/new");
    const { page } = visitor;
    await page.locator(".seats select").nth(1).selectOption({ label: "Custom" });
    await page.getByLabel("Specification of the bot").fill("alphabet");
    await press(page, "Start", "pointer");
    await page.locator(".picker .problem").getByText("alphabeta").waitFor();
    await leave(visitor);
  });

  it("a link to a position shows it", async () => {
    const visitor = await come({ language: "en", hand: "pointer" }, "/");
    const { page } = visitor;
    await pressOnCard(page, "othello", "One screen", "pointer");
    for (let turn = 0; turn < 3; turn += 1) await playOne(page, "pointer");
    await page.goto(`${page.url()}#1`);
    await page.reload();
    await page.getByTestId("status").getByText("Position after 1 of 3 plies.").waitFor();
    await page.getByRole("button", { name: "Next move" }).click();
    await page.getByTestId("status").getByText("Position after 2 of 3 plies.").waitFor();
    expect(new URL(page.url()).hash).toBe("#2");
    await page.getByRole("button", { name: "Back to the game" }).click();
    await page.getByTestId("status").getByText("to move").waitFor();
    await leave(visitor);
  });

  it("a game that does not exist", async () => {
    const visitor = await come({ language: "en", hand: "pointer" }, "/game/nothing");
    await visitor.page.getByRole("heading", { name: "No game here." }).waitFor();
    await visitor.page.getByRole("link", { name: "Othello" }).waitFor();
    await leave(visitor);
  });
});
