// Every page in every theme, looked at by axe.
import { expect, it } from "vitest";

import { faultsOf, THEMES } from "./axe.ts";
import { useBrowser } from "./browser.ts";
import { openLobby, sitDown, untilStarted } from "./friends.ts";
import { openGame } from "./play.ts";

const visit = useBrowser();
const PAGES = [
  "/",
  "/othello",
  "/2048",
  "/chinese-checkers/new",
  "/2048/new?mode=race",
  "/chinese-checkers/new?mode=online",
  "/2048/new?mode=online",
  "/lobbies",
  "/join/nothing",
  "/arena",
  "/arena/nothing/here",
  "/studies",
  "/studies/nothing",
  "/watch",
  "/me",
  "/settings",
  "/nothing/here",
];

it.each(["en", "he"] as const)("pages in %s have no faults that axe finds", async (language) => {
  const visitor = await visit({ language });
  const { page } = visitor;
  const found: string[] = [];
  for (const path of PAGES) {
    await page.goto(path);
    await page.locator("main h1").waitFor();
    await page.waitForFunction(() => document.querySelector("main h1 ~ *") !== null);
    // Colours do not depend on the language.
    found.push(...(await faultsOf(page, path, language === "en" ? THEMES : ["light"])));
  }
  expect(found).toEqual([]);
  expect(visitor.faults).toEqual([]);
  await visitor.close();
});

it.each([
  ["a desktop", false, ["othello", "tablut", "loa", "chinese-checkers", "2048"]],
  ["a phone", true, ["othello", "2048"]],
] as const)("games on %s have no faults that axe finds", async (_, phone, games) => {
  const visitor = await visit({ phone });
  const { page } = visitor;
  const found: string[] = [];
  for (const game of games) {
    await openGame(page, game);
    found.push(...(await faultsOf(page, game)));
  }
  expect(found).toEqual([]);
  expect(visitor.faults).toEqual([]);
  await visitor.close();
});

it("lobbies and online games have no faults that axe finds", async () => {
  const [host, guest] = [await visit(), await visit({ phone: true })];
  const found: string[] = [];
  const id = await openLobby(host.page, { language: "en", game: "chinese-checkers", name: "axe", host: "Dana" });
  await host.page.getByLabel("Message").fill("hello");
  await host.page.getByRole("button", { name: "Send" }).click();
  await host.page.getByRole("log").getByText("hello").waitFor();
  found.push(...(await faultsOf(host.page, "the host's lobby")));
  await guest.page.goto(`/lobby/${id}`);
  await guest.page.getByTestId("lobby-status").waitFor();
  found.push(...(await faultsOf(guest.page, "a guest's lobby")));
  await sitDown(guest.page, "en", "Noa");
  for (const { page } of [host, guest]) await untilStarted(page);
  found.push(...(await faultsOf(host.page, "an online game")));
  await guest.page.locator('[data-action="chat"]').tap();
  found.push(...(await faultsOf(guest.page, "an online game on a phone")));
  expect(found).toEqual([]);
  expect([...host.faults, ...guest.faults]).toEqual([]);
  await host.close();
  await guest.close();
});

it.each([
  ["a desktop", false],
  ["a phone", true],
] as const)("search trees on %s have no faults that axe finds", async (_, phone) => {
  const visitor = await visit({ phone });
  const { page } = visitor;
  const found: string[] = [];
  for (const game of ["othello", "2048"]) {
    await page.goto(`/tree/${game}`);
    await page.getByRole("slider").waitFor();
    found.push(...(await faultsOf(page, `the tree of ${game}`)));
  }
  expect(found).toEqual([]);
  expect(visitor.faults).toEqual([]);
  await visitor.close();
});
