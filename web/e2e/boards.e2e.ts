// Boards that are too large to be played on as a whole, replaying by keys, passes, pictures of positions, and
// sets given by pointing.
import { readFile } from "node:fs/promises";

import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";

import { useBrowser } from "./browser.ts";
import { factsOf, openGame, play, unfold, untilMyMove } from "./play.ts";

const visit = useBrowser();
const PEOPLE = { seats: [{ occupant: "human" }, { occupant: "human" }] };

/** Where a place is on screen, and how large. */
async function boxOf(page: Page, row: number, column: number): Promise<{ x: number; y: number; width: number }> {
  const box = await page.locator(`[data-key="${row * 256 + column}"]`).boundingBox();
  if (!box) throw new Error("the place is not on screen");
  return box;
}

const sizeOf = async (page: Page): Promise<number> => Math.round((await boxOf(page, 0, 0)).width);

describe.each([
  ["a desktop", false, "loa", "size=30"],
  ["a phone", true, "othello", "size=26"],
] as const)("a large board on %s", (_, phone, game, options) => {
  it("is zoomed by a tap that plays nothing, by keys and by the wheel, and panned", async () => {
    const visitor = await visit({ phone });
    const { page } = visitor;
    await openGame(page, game, { options, ...PEOPLE });
    const small = await sizeOf(page);
    expect(small).toBeLessThan(28);
    const board = await page.locator(".scroller").boundingBox();
    if (!board) throw new Error("the board is not on screen");
    const [x, y] = [board.x + board.width / 2, board.y + board.height / 2];
    if (phone) await page.touchscreen.tap(x, y);
    else await page.mouse.click(x, y);
    await expect.poll(() => sizeOf(page)).toBe(36);
    expect((await factsOf(page)).ply).toBe(0);
    expect((await page.locator("svg[width='88']").boundingBox())?.width).toBeGreaterThanOrEqual(88);

    // Empty squares are dragged to pan; a finger scrolls by itself.
    if (!phone) {
      const before = await boxOf(page, 0, 0);
      await page.mouse.move(x, y);
      await page.mouse.down();
      await page.mouse.move(x - 60, y - 40, { steps: 5 });
      await page.mouse.up();
      await expect.poll(async () => Math.round((await boxOf(page, 0, 0)).x - before.x)).toBeLessThan(-30);
      expect((await factsOf(page)).ply).toBe(0);
      await page.keyboard.down("Control");
      await page.mouse.wheel(0, -200);
      await page.keyboard.up("Control");
      await expect.poll(() => sizeOf(page)).toBeGreaterThan(36);
    }

    // By keys: larger, smaller, all of it; the focus stays in view, and the last move can be found again.
    await page.locator('[role="gridcell"][tabindex="0"]').focus();
    await page.keyboard.press("0");
    await expect.poll(() => sizeOf(page)).toBe(small);
    await page.keyboard.press("+");
    await expect.poll(() => sizeOf(page)).toBe(36);
    const last = (await untilMyMove(page)).at(-1);
    await page.keyboard.press("m");
    await page.keyboard.type(last?.token ?? "");
    await page.keyboard.press("Enter");
    await page.locator('[data-testid="status"][data-ply="1"]').waitFor();
    await page.locator('[role="gridcell"][tabindex="0"]').focus();
    for (const key of phone ? ["Home", "PageUp"] : ["End", "PageUp"]) await page.keyboard.press(key);
    const seen = await page.evaluate(() => {
      const [focus, window] = [document.activeElement, document.querySelector(".scroller")].map((element) =>
        element?.getBoundingClientRect(),
      );
      return focus && window
        ? focus.left >= window.left &&
            focus.right <= window.right + 1 &&
            focus.top >= window.top &&
            focus.bottom <= window.bottom + 1
        : false;
    });
    expect(seen).toBe(true);
    await page.locator(".chip").click();
    await expect.poll(() => page.locator(".chip").count()).toBe(0);
    expect(visitor.faults).toEqual([]);
    await visitor.close();
  });
});

it("whoever replays by keys stays on the board", async () => {
  const visitor = await visit();
  const { page } = visitor;
  await openGame(page, "othello", PEOPLE);
  for (let turn = 0; turn < 3; turn += 1) {
    const [move] = await untilMyMove(page);
    if (move) await play(page, move, "keyboard");
  }
  for (const [key, ply] of [
    [",", 2],
    [",", 1],
    [".", 2],
    [".", 3],
    [",", 2],
    ["u", 2],
  ] as const) {
    await page.keyboard.press(key);
    await page.locator(`[data-testid="status"][data-ply="${ply}"]`).waitFor();
  }
  await visitor.close();
});

it("a pass is announced", async () => {
  const visitor = await visit();
  const { page } = visitor;
  await openGame(page, "othello", { ...PEOPLE, position: "ox6/8/8/8/8/8/8/7o x" });
  await page.getByTestId("note").getByText("Black passes.").waitFor();
  await page.getByTestId("status").getByText("White to move.").waitFor();
  expect((await factsOf(page)).last?.token).toBe("pass");
  await visitor.close();
});

it("a position is saved as a drawing and as an image", async () => {
  const visitor = await visit({ language: "he", theme: "dark" });
  const { page } = visitor;
  await openGame(page, "chinese-checkers", PEOPLE);
  await page.locator("summary").click();
  for (const kind of ["svg", "png"]) {
    const download = page.waitForEvent("download");
    await page.locator(`[data-action="${kind}"]`).click();
    const file = await readFile(await (await download).path());
    expect((await download).suggestedFilename()).toMatch(new RegExp(`^chinese-checkers-\\w+-0\\.${kind}$`));
    if (kind === "png") expect(file.subarray(1, 4).toString()).toBe("PNG");
    // A drawing must not need the style sheets of the page.
    else expect(file.toString()).toMatch(/^<svg(?!.*var\().*<\/svg>$/s);
  }
  expect(visitor.faults).toEqual([]);
  await visitor.close();
});

it("a home that is tapped goes to the selected seat, and sets that do not hold are explained", async () => {
  const visitor = await visit();
  const { page } = visitor;
  await page.goto("/chinese-checkers/new");
  await unfold(page);
  const sets = () => page.locator("li .pieces").evaluateAll((seats) => seats.map((seat) => seat.childElementCount));
  const star = await page.locator("figure svg").boundingBox();
  if (!star) throw new Error("there is no star");
  const tap = (right: number, down: number) =>
    page.mouse.click(star.x + right * star.width, star.y + down * star.height);
  await tap(0.87, 0.27);
  await expect.poll(sets).toEqual([2, 1]);
  await page.getByRole("button", { name: /^Red/ }).first().click();
  await tap(0.13, 0.27);
  await expect.poll(sets).toEqual([2, 2]);
  await page.goto("/chinese-checkers/new?seats=gg");
  await page.locator(".problem").getByText("no colour twice").waitFor();
  expect(visitor.faults).toEqual([]);
  await visitor.close();
});
