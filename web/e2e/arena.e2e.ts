// A tournament that another process plays, watched by two people: one in English at a desktop, one in Hebrew on
// a phone.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, inject, it } from "vitest";

import type { AuthorKeys } from "../src/protocol/types.ts";
import { faultsOf } from "./axe.ts";
import { useBrowser, type Visitor } from "./browser.ts";
import { latinWords } from "./latin.ts";
import { boardIsThere, factsOf, untilPly } from "./play.ts";
import { Server } from "./server.ts";
import { FIRST_LEGAL, RunningTournament } from "./tournament.ts";
import { words } from "./words.ts";

const NAMES = ["patient", "broken", "house"];
const TOKEN = "an-admin-token-for-these-tests";
const visit = useBrowser();
let server: Server;
let folder: string;
let tournament: RunningTournament;

beforeAll(async () => {
  server = await Server.start(inject("program"), ["--admin-token", TOKEN, "--arena-uploads"]);
  folder = await mkdtemp(join(tmpdir(), "agon-e2e-arena-"));
  tournament = await RunningTournament.start(inject("program"), folder, join(server.data, "arena", "spring"));
});

afterAll(async () => {
  await tournament.stop();
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});

/** The tournament on screen, by its id. */
function idOf(page: Page): string {
  return new URL(page.url()).pathname.split("/")[2] ?? "";
}

async function leave(visitor: Visitor): Promise<void> {
  expect(await visitor.page.evaluate(() => document.documentElement.scrollWidth - screen.width)).toBeLessThanOrEqual(0);
  expect(visitor.faults).toEqual([]);
  await visitor.close();
}

it("is followed live in both languages, from the list to the last game", async () => {
  const desk = await visit({ url: server.url });
  const phone = await visit({ url: server.url, language: "he", phone: true });
  const [en, he] = [words("en"), words("he")];

  await desk.page.goto("/");
  await desk.page.getByRole("navigation").getByRole("link", { name: en["nav.arena"] }).click();
  await desk.page.getByRole("link", { name: "Spring course" }).click();
  await desk.page.getByTestId("state").getByText(en["arena.state.running"]).waitFor();
  const small = desk.page.getByTestId("running-game").first();
  await small.locator('[data-ply="4"]').waitFor();

  await phone.page.goto(`/arena/${idOf(desk.page)}`);
  await phone.page.getByTestId("running-game").first().locator('[data-ply="4"]').waitFor();
  expect(await latinWords(phone.page, NAMES)).toEqual([]);
  const found = [
    ...(await faultsOf(desk.page, "a running tournament")),
    ...(await faultsOf(phone.page, "a running tournament in Hebrew", ["light"])),
  ];
  expect(await phone.page.evaluate(() => document.documentElement.scrollWidth - screen.width)).toBeLessThanOrEqual(0);

  // The game on the large board, read-only, while it is played.
  await phone.page.getByTestId("running-game").first().tap();
  await boardIsThere(phone.page);
  expect((await factsOf(phone.page)).ply).toBe(4);
  await phone.page.locator('[data-key="0"]').tap({ force: true });
  expect((await factsOf(phone.page)).ply).toBe(4);
  found.push(...(await faultsOf(phone.page, "a game of a tournament", ["light"])));
  expect(await latinWords(phone.page, NAMES)).toEqual([]);

  await tournament.go();
  await untilPly(phone.page, 6);
  await phone.page.getByTestId("result").waitFor();
  await phone.page.getByRole("link", { name: he["arena.tournament"] }).first().tap();
  expect(await tournament.ended()).toBe(0);
  for (const [page, say] of [
    [desk.page, en],
    [phone.page, he],
  ] as const) {
    await page.getByTestId("state").getByText(say["arena.state.finished"]).waitFor();
    await expect.poll(() => page.getByTestId("standings").locator("tbody tr").count()).toBe(3);
  }

  // The table, the losses in words, and the games of two players behind a cell of the cross table.
  const { page } = desk;
  expect(await page.getByTestId("standings").locator("tbody tr").last().textContent()).toMatch(/broken python.*-8/s);
  await expect.poll(() => page.getByTestId("losses").locator("li").count()).toBe(4);
  expect(await page.getByTestId("losses").locator("li").first().textContent()).toContain(en["arena.offence.illegal"]);
  await page.getByRole("link", { name: /^patient against broken: 4 points/ }).focus();
  await page.keyboard.press("Enter");
  await expect.poll(() => page.getByTestId("games").locator("li").count()).toBe(2);
  found.push(...(await faultsOf(page, "a finished tournament", ["light"])));
  await page.getByRole("combobox", { name: en["arena.filterPlayer"] }).selectOption("house");
  await page.getByRole("combobox", { name: en["arena.filterOpponent"] }).selectOption("");
  await expect.poll(() => page.getByTestId("games").locator("li").count()).toBe(4);

  // A finished game as a replay.
  await page.getByTestId("games").getByRole("link", { name: en["arena.replay"] }).first().click();
  await boardIsThere(page);
  await page.getByTestId("result").waitFor();
  await page.getByRole("button", { name: en["moves.first"] }).click();
  await page.getByTestId("status").getByText("Position after 0 of").waitFor();
  expect(await page.locator('[data-action="undo"], [data-action="restart"], [data-action="seats"]').count()).toBe(0);

  expect(found).toEqual([]);
  await leave(desk);
  await leave(phone);
});

it("gives an author, and nobody else, the reasons and the log", async () => {
  const visitor = await visit({ url: server.url });
  const { page } = visitor;
  const say = words("en");
  await tournament.ended();
  await page.goto("/arena");
  await page.getByRole("link", { name: "Spring course" }).click();
  await page.getByTestId("state").waitFor();
  const id = idOf(page);
  const answer = await fetch(`${server.url}/api/v1/arena/${id}/keys`, {
    headers: { authorization: `Bearer ${TOKEN}` },
  });
  const { keys } = (await answer.json()) as AuthorKeys;
  const key = keys.find(({ player }) => player === "broken")?.key ?? "";

  await page.goto(`/arena/${id}/${key}`);
  await page.getByRole("heading", { level: 1, name: "broken" }).waitFor();
  await page.getByTestId("verdict").getByText(say["arena.fault.illegal"]).waitFor();
  await page.locator("summary").first().click();
  await page.locator("pre").getByText("boom <b>goes</b> the search").first().waitFor();
  const download = page.waitForEvent("download");
  await page.getByRole("link", { name: say["author.download"] }).first().click();
  expect((await download).suggestedFilename()).toMatch(/\.log$/);
  const found = await faultsOf(page, "an author's page");
  await page.goto(`/arena/${id}/${key.slice(0, -1)}${key.endsWith("x") ? "y" : "x"}`);
  await page.getByRole("heading", { name: say["author.wrongKey"] }).waitFor();
  expect(await page.locator("main").textContent()).not.toMatch(/broken|Spring/);
  expect(found).toEqual([]);
  await leave(visitor);
});

it("lets an organiser upload an agent and play a tournament with it", async () => {
  const visitor = await visit({ url: server.url });
  const { page } = visitor;
  const say = words("en");
  await tournament.ended();
  await page.goto("/arena");
  await page.getByText(say["desk.title"]).click();
  await page.getByLabel(say["desk.token"]).fill("wrong");
  await page.getByRole("button", { name: say["desk.signIn"] }).click();
  await page.getByRole("alert").getByText("Only the admin").waitFor();
  await page.getByLabel(say["desk.token"]).fill(TOKEN);
  await page.getByRole("button", { name: say["desk.signIn"] }).click();

  // An agent that the server refuses says why at its field, and can be mended.
  await page
    .getByTestId("agent-files")
    .setInputFiles({ name: "Dana Cohen.py", mimeType: "text/x-python", buffer: Buffer.from(FIRST_LEGAL) });
  await page.getByLabel(say["desk.agentName"]).fill("Dana | Cohen");
  await page.getByRole("button", { name: say["desk.upload"] }).click();
  await page.getByRole("alert").getByText("its name must have").waitFor();
  await page.getByLabel(say["desk.agentName"]).fill("Dana Cohen");
  await page.getByRole("button", { name: say["desk.upload"] }).click();
  await page.getByTestId("agents").getByText("Dana Cohen", { exact: true }).waitFor();

  const form = page.getByTestId("start-tournament");
  await form.getByLabel(say["desk.name"]).fill("Spring/course");
  await form.getByRole("combobox", { name: /^Bot 1/ }).selectOption("random");
  await form.getByLabel("Board size").fill("4");
  await form.getByRole("button", { name: say["desk.startNow"] }).click();
  await form.getByRole("alert").getByText("no slashes").waitFor();
  expect(await faultsOf(page, "the desk", ["light"])).toEqual([]);
  await form.getByLabel(say["desk.name"]).fill("Summer course");
  await form.getByRole("button", { name: say["desk.startNow"] }).click();
  await page.getByRole("heading", { level: 1, name: "Summer course" }).waitFor();
  await page.getByTestId("state").getByText(say["arena.state.finished"]).waitFor();
  expect(await page.getByTestId("standings").textContent()).toContain("Dana Cohen");
  await page.getByRole("button", { name: say["desk.keys"] }).click();
  await expect
    .poll(() => page.getByRole("textbox", { name: "Dana Cohen" }).inputValue())
    .toContain(`/arena/${idOf(page)}/`);
  expect(await page.evaluate(() => JSON.stringify({ ...localStorage }) + document.cookie)).not.toContain(TOKEN);
  await leave(visitor);
});
