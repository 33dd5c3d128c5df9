// Every way to play, once in each language and once by each kind of input.
import type { Page } from "playwright-core";
import { describe, expect, inject, it } from "vitest";

import { useBrowser, type Visitor } from "./browser.ts";
import {
  boardIsThere,
  choose,
  chooseSide,
  factsOf,
  type Hand,
  play,
  tableOf,
  unfold,
  untilMyMove,
  untilPly,
} from "./play.ts";
import { type Language, words } from "./words.ts";

const visit = useBrowser();

/** The games in which players meet. */
const GAMES = inject("games").flatMap(({ id, seats }) => (seats > 1 ? [id] : []));

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

/** The button that starts the game of a form: its name alone, which is part of others. */
function startOf(say: ReturnType<typeof words>): RegExp {
  return new RegExp(`^${say["new.start"]}$`);
}

async function leave(visitor: Visitor): Promise<void> {
  const sideways = await visitor.page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect(sideways).toBeLessThanOrEqual(0);
  expect(visitor.faults).toEqual([]);
  await visitor.close();
}

function card(page: Page, game: string) {
  return page.locator("article").filter({ has: page.locator(`a[href="${game}"]`) });
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

  it.each(GAMES)("%s against a bot in one click", async (game) => {
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

  it.each(GAMES)("%s on one screen", async (game) => {
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

  it.each(["othello", "2048"])("bots of %s that are watched: pause, step, go on", async (game) => {
    const visitor = await come(way, `/watch?game=${game}`);
    const { page } = visitor;
    await press(page, startOf(say), hand);
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
    await unfold(page);
    await expect.poll(() => page.locator(".seats .picker").count()).toBe(3);
    await press(page, startOf(say), hand);
    await boardIsThere(page);
    expect((await tableOf(page)).seats.map(({ styles }) => styles.length)).toEqual([2, 2, 2]);
    await playOne(page, hand);
    await untilPly(page, 3);
    await leave(visitor);
  });

  it("a person as defenders, with a clock", async () => {
    const visitor = await come(way, "/tablut/new?clock=5m%2B3s");
    const { page } = visitor;
    await chooseSide(page, 1);
    await press(page, startOf(say), hand);
    await boardIsThere(page);
    const state = await tableOf(page);
    expect(state.seats.map(({ occupant }) => occupant)).toEqual(["easy", "human"]);
    expect(state.clock).toBe("5m+3s");
    await untilPly(page, 1);
    await playOne(page, hand);
    await page.getByRole("timer").first().waitFor();
    await leave(visitor);
  });

  it("a small board with blocks that rotate", async () => {
    const visitor = await come(way, "/loa/new?size=6&turns=20");
    const { page } = visitor;
    await expect.poll(() => page.getByTestId("summary").textContent()).toContain("6×6");
    await press(page, startOf(say), hand);
    await boardIsThere(page);
    const moves = await untilMyMove(page);
    const turn = moves.find((move) => move.kind === "turn");
    expect((await tableOf(page)).options).toContain("size=6,turns=20");
    await press(page, say["action.rotateBlock"], hand);
    const sign = page.locator("[data-block]").first();
    await sign.waitFor({ state: "attached" });
    if (hand === "keyboard") {
      await page.locator('[data-key][tabindex="0"]').focus();
      await page.keyboard.press("r");
      await page.keyboard.press("Enter");
    } else if (hand === "touch") await sign.tap({ force: true });
    else await sign.click({ force: true });
    await untilPly(page, 1);
    const { plies } = (await tableOf(page)).boards[0] ?? { plies: [] };
    expect(plies[0]?.token.startsWith("@")).toBe(turn !== undefined);
    await leave(visitor);
  });

  it("undo, hint, turn board, resign; by keys a typed move too", async () => {
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
    const corner = page.locator('[data-key="0"]');
    const before = await corner.boundingBox();
    if (hand === "touch") await press(page, say["action.more"], hand);
    await press(page, say["action.turnBoard"], hand);
    await expect
      .poll(async () => Math.abs(((await corner.boundingBox())?.y ?? 0) - (before?.y ?? 0)))
      .toBeGreaterThan(100);
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
    await unfold(page);
    await page.locator(".seats select").nth(1).selectOption({ label: "Custom" });
    await page.getByLabel("Specification of the bot").fill("alphabet");
    await press(page, startOf(words("en")), "pointer");
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

  it("a record goes out and comes back, and a wrong one is refused with its line", async () => {
    const visitor = await come({ language: "en", hand: "pointer" }, "/");
    const { page } = visitor;
    await pressOnCard(page, "othello", "One screen", "pointer");
    for (let turn = 0; turn < 2; turn += 1) await playOne(page, "pointer");
    const { position } = await factsOf(page);
    const download = page.waitForEvent("download");
    await page.locator("summary").click();
    await page.getByRole("button", { name: "Download record" }).click();
    const file = await (await download).path();
    await page.goto("/me");
    await page.getByLabel("Record", { exact: true }).fill("game: othello\nthis is no record");
    await press(page, "Open", "pointer");
    await page
      .getByRole("alert")
      .getByText(/line \d/)
      .waitFor();
    await page.locator('input[type="file"]').setInputFiles(file);
    await expect.poll(() => page.getByLabel("Record", { exact: true }).inputValue()).toContain("othello");
    await press(page, "Open", "pointer");
    await boardIsThere(page);
    expect((await factsOf(page)).position).toBe(position);
    await page.goto("/me");
    const games = page.getByRole("listitem");
    await expect.poll(() => games.count()).toBe(2);
    await page
      .getByRole("button", { name: /^Delete\W+Othello/ })
      .first()
      .click();
    await page.getByRole("button", { name: /^Delete for good/ }).click();
    await expect.poll(() => games.count()).toBe(1);
    await leave(visitor);
  });

  it("language and theme change at once and stay", async () => {
    const visitor = await come({ language: "en", hand: "pointer" }, "/");
    const { page } = visitor;
    await page.getByRole("button", { name: "עברית" }).click();
    await page.getByRole("heading", { name: words("he")["home.title"] }).waitFor();
    await page.goto("/settings");
    await choose(page, words("he")["settings.theme.high-contrast"]);
    await page.reload();
    await page.getByRole("heading", { name: words("he")["settings.title"] }).waitFor();
    expect(
      await page.evaluate(() => [document.documentElement.dir, document.documentElement.dataset["theme"]]),
    ).toEqual(["rtl", "high-contrast"]);
    await page.goto("/?lang=en");
    await page.getByRole("heading", { name: words("en")["home.title"] }).waitFor();
    await leave(visitor);
  });

  it("a new game keeps bots and options; seats change at any moment", async () => {
    const visitor = await come({ language: "en", hand: "pointer" }, "/othello/new?size=6");
    const { page } = visitor;
    await unfold(page);
    await page.locator(".seats select").nth(1).selectOption("s5-beginner");
    await press(page, startOf(words("en")), "pointer");
    await boardIsThere(page);
    await press(page, "Seats and mode", "pointer");
    await page.getByRole("dialog").locator("select").nth(1).selectOption("human");
    await expect.poll(async () => (await tableOf(page)).seats[1]?.occupant).toBe("human");
    await page.getByRole("dialog").locator("select").nth(1).selectOption("medium");
    await expect.poll(async () => (await tableOf(page)).seats[1]?.occupant).toBe("medium");
    const before = page.url();
    await press(page, "Restart with these seats", "pointer");
    await page.waitForURL((url) => url.href !== before);
    await boardIsThere(page);
    const { options, seats } = await tableOf(page);
    expect([options, seats[1]?.occupant]).toEqual(["size=6", "medium"]);
    await leave(visitor);
  });

  it("somebody else with the link only watches", async () => {
    const visitor = await come({ language: "en", hand: "pointer" }, "/");
    await pressOnCard(visitor.page, "othello", "Play a bot", "pointer");
    const other = await come({ language: "en", hand: "pointer" }, new URL(visitor.page.url()).pathname);
    await boardIsThere(other.page);
    await other.page.locator('[data-key="0"]').click({ force: true });
    await other.page.getByTestId("note").getByText("You are watching.").waitFor();
    expect(await other.page.getByRole("button", { name: "Undo" }).count()).toBe(0);
    await leave(other);
    await leave(visitor);
  });

  it("a game that does not exist", async () => {
    const visitor = await come({ language: "en", hand: "pointer" }, "/game/nothing");
    await visitor.page.getByRole("heading", { name: "No game here." }).waitFor();
    await visitor.page.getByRole("link", { name: "Othello" }).waitFor();
    await leave(visitor);
  });
});
