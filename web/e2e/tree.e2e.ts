// The search-tree explorer as a lecturer and a student use it.
import { readFile } from "node:fs/promises";

import { expect, it } from "vitest";

import { useBrowser } from "./browser.ts";
import { openGame } from "./play.ts";
import { words } from "./words.ts";

const visit = useBrowser();

it.each([
  ["en", false],
  ["he", true],
] as const)("a search is played step by step in %s", async (language, phone) => {
  const visitor = await visit({ language, phone });
  const { page } = visitor;
  const w = words(language);
  await page.goto("/othello");
  await page.getByRole("link", { name: w["tree.link"] }).click();
  await page.waitForURL(/\/tree\/othello$/);
  // It opens with a tree small enough to be drawn as a whole, at its end.
  const [count, story, slider] = [
    page.getByTestId("count"),
    page.getByTestId("story"),
    page.getByRole("slider", { name: w["tree.step.slider"] }),
  ];
  await slider.waitFor();
  const total = Number(await slider.getAttribute("max"));
  expect(total).toBeGreaterThan(20);
  expect(total).toBeLessThan(200);
  const told = (step: number) => w["tree.step.count"].replace("{step}", String(step)).replace("{n}", String(total));
  expect(await count.textContent()).toBe(told(total));
  // Whoever plays the steps sees them, and on a large screen all of the picture with them.
  expect(await slider.evaluate((input) => input.getBoundingClientRect().bottom <= innerHeight)).toBe(true);
  const picture = page.locator("[role=region]");
  const isWhole = () => picture.evaluate((frame) => frame.scrollHeight <= frame.clientHeight);
  if (!phone) expect(await isWhole()).toBe(true);
  const drawn = page.locator("[data-item]");
  expect(await drawn.count()).toBeGreaterThan(20);
  // From the beginning, one node at a time, forwards and back, by buttons and by keys.
  await page.getByRole("button", { name: w["tree.grow.first"] }).click();
  expect(await count.textContent()).toBe(told(0));
  expect(await drawn.count()).toBe(1);
  await page.getByTestId("step").click();
  expect(await story.textContent()).toContain(w["tree.step.enter.root"]);
  await slider.focus();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowLeft");
  expect(await count.textContent()).toBe(told(2));
  // The board goes along.
  await expect
    .poll(() => page.getByRole("heading", { name: w["tree.after"].split("{move}")[0]?.trim() ?? "" }).count())
    .toBe(1);
  // To the next cut-off: its stub states an inequality, the story says why, and the board crosses the moves out.
  await page.keyboard.press("Shift+ArrowRight");
  expect(await story.textContent()).toContain(w["tree.step.cut"].split("{moves}")[0] ?? "");
  expect(await page.getByTestId("window").textContent()).toBe(w["tree.window.closed"]);
  expect(await page.locator('[data-item^="out"] .figure').first().textContent()).toMatch(/≤ α|≥ β/);
  await page.locator('[data-mark="threat cross"]').first().waitFor();
  const atCut = await count.textContent();
  await page.keyboard.press("Shift+ArrowRight");
  await page.keyboard.press("Shift+ArrowLeft");
  expect(await count.textContent()).toBe(atCut);
  expect(await page.locator('[data-item^="now"]').count()).toBe(1);
  // Ordered and with a table the same search needs fewer nodes, and the value is the same.
  const visited = async () => Number(/\d+\D+(\d+)/.exec((await page.getByTestId("shown").textContent()) ?? "")?.[1]);
  const plain = await visited();
  await page.getByRole("button", { name: w["tree.variant.ordered"], exact: true }).click();
  await expect.poll(visited).toBeLessThan(plain);
  const ordered = await visited();
  await page.getByRole("button", { name: w["tree.variant.table"], exact: true }).click();
  await expect.poll(visited).toBeLessThan(ordered);
  // Larger, and as a drawing for slides that needs nothing from the page.
  const width = () => page.locator("[role=region] svg").evaluate((svg) => svg.getBoundingClientRect().width);
  const before = await width();
  await page.getByRole("button", { name: w["tree.zoomIn"], exact: true }).click();
  expect(await width()).toBeGreaterThan(before * 1.2);
  await page.getByRole("button", { name: w["tree.zoomIn"], exact: true }).click();
  expect(await isWhole()).toBe(false);
  await page.getByRole("button", { name: w["tree.fit"], exact: true }).click();
  expect(await isWhole()).toBe(true);
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "SVG" }).click(),
  ]);
  expect(download.suggestedFilename()).toBe("othello-table.svg");
  const drawing = await readFile(await download.path(), "utf8");
  expect(drawing).toContain("≤ α");
  expect(drawing).not.toMatch(/class=|var\(|href=/);
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
  expect(visitor.faults).toEqual([]);
  await visitor.close();
});

it.each([
  ["en", false],
  ["he", true],
] as const)("a student explores a tree in %s", async (language, phone) => {
  const visitor = await visit({ language, phone });
  const { page } = visitor;
  const w = words(language);
  await page.goto("/tree/othello?size=8");
  await page.getByRole("slider").waitFor();
  // A move on the board changes the features, and the tree waits to be asked for.
  const features = page.getByTestId("feature");
  await page.getByLabel(w["features.evaluation"], { exact: true }).selectOption("features");
  await expect.poll(() => features.count()).toBe(8);
  const before = await features.allTextContents();
  await page.getByRole("gridcell", { name: /^d3/ }).click({ force: true });
  if (phone)
    await page
      .getByRole("button", { name: w["board.play"] })
      .click({ timeout: 2000 })
      .catch(() => undefined);
  await expect.poll(() => features.allTextContents()).not.toEqual(before);
  await page.getByRole("button", { name: w["tree.show"] }).first().click();
  // By keys to a branch that was left out, whose reason is told.
  await page.getByText(w["tree.all"], { exact: true }).click();
  const tree = page.getByRole("tree");
  await tree.waitFor();
  await page.getByRole("button", { name: w["tree.openTwo"] }).click();
  const cut = page.getByRole("treeitem", { name: w["tree.fate.cut"].split("{by}")[0]?.trim() ?? "" }).first();
  await cut.focus();
  await cut.click();
  const pruned = tree
    .locator("li")
    .filter({ has: page.locator(".pruned") })
    .first();
  await pruned.waitFor();
  await page.keyboard.press("End");
  await expect.poll(() => page.locator('[role="treeitem"]').last().getAttribute("aria-selected")).toBe("true");
  await pruned.click();
  const reason = w["tree.fate.pruned-by-cut"].split("{by}")[0]?.trim() ?? "";
  expect(await page.getByTestId("reason").textContent()).toContain(reason);
  // A Monte-Carlo tree grows step by step.
  await page.getByRole("button", { name: w["tree.mcts"], exact: true }).click();
  await page.getByTestId("grown").waitFor();
  await page.getByTestId("step").click();
  await expect
    .poll(() => page.getByTestId("grown").textContent())
    .toContain(w["tree.grow.count"].replace("{step}", "2").replace("{n}", "200"));
  // What is wrong is told where it was written.
  await page.getByText(w["tree.search"], { exact: true }).click();
  await page.getByLabel(w["tree.bot"]).fill("alfabeta");
  await page.getByRole("button", { name: w["tree.show"] }).click();
  await page.getByRole("alert").getByText("alphabeta").waitFor();
  await page.getByLabel(w["tree.position"], { exact: true }).fill("no position");
  await page.getByRole("button", { name: w["tree.setPosition"] }).click();
  await expect.poll(() => page.getByRole("alert").textContent()).not.toContain("alphabeta");
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
  expect(visitor.faults).toEqual([]);
  await visitor.close();
});

it("every game has a tree, and a game against a bot shows what the evaluation sees", async () => {
  const visitor = await visit();
  const { page } = visitor;
  for (const game of ["tablut", "loa", "chinese-checkers", "2048"]) {
    await page.goto(`/tree/${game}`);
    await page.getByRole("slider").waitFor();
    await expect.poll(() => page.getByTestId("feature").count()).toBeGreaterThan(0);
  }
  await page.goto("/tree/chess");
  await page.getByRole("heading", { level: 1 }).waitFor();
  expect(await page.getByRole("slider").count()).toBe(0);
  await openGame(page, "othello");
  await page.getByTestId("live-features").click();
  await expect.poll(() => page.getByTestId("feature").count()).toBeGreaterThan(0);
  expect(visitor.faults).toEqual([]);
  await visitor.close();
});
