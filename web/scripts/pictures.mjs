// Takes the pictures of the README, or those that are named: plays a few moves at a running server (AGON_URL) and looks
// at the pages.
import { launchChromium } from "./chromium.mjs";

const server = process.env.AGON_URL ?? "http://127.0.0.1:8048";
const folder = new URL("../../docs/screens/", import.meta.url).pathname;

const person = { occupant: "human", name: "Dana" };
const bot = (name) => ({ occupant: name });

/** What is seen: the table that is opened, and what is done there. */
const PICTURES = {
  othello: {
    table: { game: "othello", seats: [person, bot("easy")], moves: ["d3", "c5", "f6", "e3", "d6", "f5"] },
    act: (page) => page.locator('[role=gridcell][aria-label^="d3,"]').hover(),
  },
  tablut: {
    dark: true,
    table: { game: "tablut", seats: [bot("hard"), person], moves: ["e8g8"] },
    act: (page) => page.locator('[role=gridcell][aria-label^="e3,"]').click(),
  },
  loa: {
    table: { game: "loa", seats: [person, bot("easy")], moves: ["0,1-2,3", "3,7-3,5"] },
    act: (page) => page.locator('[role=gridcell][aria-label^="2,3,"]').click(),
  },
  "chinese-checkers": {
    table: {
      game: "chinese-checkers",
      options: "seats=g/y/o/r/p/b",
      seats: [person, ...["easy", "easy", "easy", "easy", "easy"].map(bot)],
      pace: 0,
    },
    act: async (page) => {
      await page.locator('[role=gridcell][aria-label^="0309,"]').click();
      await page.locator('[role=gridcell][aria-label^="0410,"]').click();
      await page
        .locator(".your-turn, [data-turn=mine]")
        .first()
        .waitFor({ timeout: 15_000 })
        .catch(() => undefined);
    },
    wait: 4000,
  },
  2048: {
    table: { game: "2048", mode: "race", seats: [person, bot("easy"), bot("hard")] },
    act: async (page) => {
      await page
        .locator("[data-board], [role=application], [tabindex='0'] svg")
        .first()
        .focus()
        .catch(() => undefined);
      for (let turn = 0; turn < 24; turn++) {
        await page.keyboard.press(["ArrowLeft", "ArrowDown", "ArrowLeft", "ArrowRight"][turn % 4]);
        await page.waitForTimeout(300);
      }
    },
  },
};

const browser = await launchChromium();

async function take(name, { dark = false, path = "/", table, act, wait = 1500 }) {
  const context = await browser.newContext({
    viewport: { width: 1320, height: 860 },
    colorScheme: dark ? "dark" : "light",
  });
  const page = await context.newPage();
  await page.goto(server + path);
  await page.evaluate(() => fetch("/api/v1/me", { method: "PUT", body: JSON.stringify({ name: "Dana" }) }));
  if (table) {
    const opened = await page.evaluate(
      async (body) => (await fetch("/api/v1/games", { method: "POST", body: JSON.stringify(body) })).json(),
      table,
    );
    if (!opened.id) throw new Error(`${name}: ${JSON.stringify(opened)}`);
    await page.goto(`${server}/game/${opened.id}`);
  }
  await page.waitForLoadState("networkidle");
  await act?.(page);
  await page.waitForTimeout(wait);
  await page.screenshot({ path: `${folder}web-${name}.png` });
  await context.close();
}

/** Plays a search to its second cut-off. */
async function playTree(page) {
  await page.getByRole("slider").focus();
  for (const key of ["Home", "Shift+ArrowRight", "Shift+ArrowRight"]) await page.keyboard.press(key);
  await page.evaluate(() => window.scrollTo(0, 0));
}

const ALL = {
  ...PICTURES,
  home: {},
  study: { path: "/studies/loa-extensions" },
  tree: { path: "/tree/othello", dark: true, act: playTree },
};
const named = process.argv.slice(2);
for (const name of named.length > 0 ? named : Object.keys(ALL)) await take(name, ALL[name]);
await browser.close();
