// The search-tree explorer as a student uses it.
import { expect, it } from "vitest";

import { useBrowser } from "./browser.ts";
import { openGame } from "./play.ts";
import { words } from "./words.ts";

const visit = useBrowser();

it.each([
  ["en", false],
  ["he", true],
] as const)("a student explores a tree in %s", async (language, phone) => {
  const visitor = await visit({ language, phone });
  const { page } = visitor;
  const w = words(language);
  await page.goto("/othello");
  await page.getByRole("link", { name: w["tree.link"] }).click();
  await page.waitForURL(/\/tree\/othello$/);
  // The tree of the start is there at once: all first moves are the same by symmetry.
  await page.getByRole("tree").waitFor();
  expect(await page.getByRole("treeitem").count()).toBeGreaterThan(4);
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
  await page.getByRole("button", { name: w["tree.show"] }).click();
  // By keys to a branch that was left out, whose reason is told.
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
  await page.getByRole("button", { name: w["tree.mcts"] }).click();
  await page.getByRole("button", { name: w["tree.show"] }).click();
  await page.getByTestId("step").click();
  await expect
    .poll(() => page.getByTestId("grown").textContent())
    .toContain(w["tree.grow.count"].replace("{step}", "2").replace("{n}", "200"));
  // What is wrong is told where it was written.
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
    await page.getByRole("tree").waitFor();
    await expect.poll(() => page.getByTestId("feature").count()).toBeGreaterThan(0);
  }
  await page.goto("/tree/chess");
  await page.getByRole("heading", { level: 1 }).waitFor();
  expect(await page.getByRole("tree").count()).toBe(0);
  await openGame(page, "othello");
  await page.getByTestId("live-features").click();
  await expect.poll(() => page.getByTestId("feature").count()).toBeGreaterThan(0);
  expect(visitor.faults).toEqual([]);
  await visitor.close();
});
