// Friends on several devices: from the lobby to the result, over lost connections, closed browsers and a dead server.
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";

import { useBrowser, type Visitor } from "./browser.ts";
import { invitation, Network, openLobby, sitDown, untilConnected, untilLost, untilStarted } from "./friends.ts";
import { boardIsThere, choose, factsOf, play, tableOf, unfold, untilMyMove, untilPly } from "./play.ts";
import { Server } from "./server.ts";
import { type Language, words } from "./words.ts";

const visit = useBrowser();
let server: Server;

beforeAll(async () => {
  server = await Server.start(inject("program"));
});
afterAll(() => server.stop());

const come = (language: Language, phone = false) => visit({ language, phone });

async function leave(...visitors: Visitor[]): Promise<void> {
  for (const visitor of visitors) {
    const sideways = await visitor.page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(sideways).toBeLessThanOrEqual(0);
    expect(visitor.faults).toEqual([]);
    await visitor.close();
  }
}

/** Plays the first move of whoever is to move, among these pages. */
async function playOn(pages: readonly Page[], hands: readonly ("pointer" | "touch")[]): Promise<void> {
  const [first] = pages;
  if (!first) return;
  const { turn } = await factsOf(first);
  for (const [index, page] of pages.entries()) {
    const { seats } = await tableOf(page);
    if (turn === null || !seats[turn]?.mine) continue;
    const [move] = await untilMyMove(page);
    if (move) await play(page, move, hands[index] ?? "pointer");
    return;
  }
}

/** Whether the marbles of this browser's seat start at the bottom of the board that it sees. */
async function isHomeAtBottom(page: Page): Promise<boolean> {
  const { seats, boards } = await tableOf(page);
  const own = seats.findIndex(({ mine }) => mine);
  const cells = boards[0]?.picture.cells ?? [];
  const keys = cells.filter(({ piece }) => piece?.owner === own).map(({ at: [row, column] }) => row * 256 + column);
  return page.evaluate((home) => {
    const middle = (key: number) => {
      const box = document.querySelector(`[data-key="${key}"]`)?.getBoundingClientRect();
      return box ? box.top + box.height / 2 : 0;
    };
    const all = [...document.querySelectorAll("[data-key]")].map((cell) =>
      middle(Number(cell.getAttribute("data-key"))),
    );
    const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
    return mean(home.map(middle)) > mean(all) + 0.25 * (Math.max(...all) - Math.min(...all));
  }, keys);
}

describe.each(["en", "he"] as const)("in %s", (language) => {
  const say = words(language);
  const stem = (key: keyof typeof say) => say[key].split("{")[0]?.trim() ?? "";

  it("three friends and a bot play Chinese Checkers, whatever happens to their connections", async () => {
    const { url } = server;
    const [dana, noa, yael] = [
      await visit({ language, url }),
      await visit({ language, url, phone: true }),
      await visit({ language, url }),
    ];
    const network = await Network.around(yael.page);
    const id = await openLobby(dana.page, {
      language,
      game: "chinese-checkers",
      name: `Star ${language}`,
      host: "Dana",
      choose: async (page) => {
        await page.getByRole("button", { name: say["new.seatsPreset"].replace("{seats}", "4") }).click();
        await unfold(page);
        await expect.poll(() => page.locator(".seats .picker").count()).toBe(4);
        await page.locator(".seats select").nth(3).selectOption("novice");
        await page.getByLabel(say["new.clock"]).selectOption("10m+5s");
      },
    });
    const status = dana.page.getByTestId("lobby-status");
    await expect.poll(() => status.textContent()).toBe(say["lobby.waiting"].replace("{n}", "2").replace("{m}", "4"));

    // Noa finds the lobby in the list, Yael has the link.
    await noa.page.goto("/lobbies?game=chinese-checkers");
    await noa.page.locator(`[data-lobby="${id}"]`).getByRole("link").click();
    await sitDown(noa.page, language, "Noa");
    await expect.poll(() => status.textContent()).toBe(say["lobby.waiting"].replace("{n}", "3").replace("{m}", "4"));
    await noa.page.getByLabel(say["chat.message"]).fill("shalom");
    await noa.page.getByRole("button", { name: say["chat.send"] }).click();
    await dana.page.getByRole("log").getByText("shalom").waitFor();
    await yael.page.goto(await invitation(dana.page, language));
    await sitDown(yael.page, language, "Yael");
    await dana.page.getByTestId("lobby-status").getByText(stem("lobby.starting")).waitFor();

    const pages = [dana.page, noa.page, yael.page];
    const hands = ["pointer", "touch", "pointer"] as const;
    for (const page of pages) await untilStarted(page);
    for (const page of pages) expect(await isHomeAtBottom(page)).toBe(true);
    // What was said in the lobby can still be read.
    await dana.page.getByRole("log").getByText("shalom").waitFor();
    // Four seats do not push the chat off the screen.
    const chat = await dana.page.getByRole("log").boundingBox();
    expect((chat?.y ?? Infinity) + (chat?.height ?? 0)).toBeLessThan(dana.page.viewportSize()?.height ?? 0);

    // A round: everybody sees each move.
    for (let move = 0; move < 3; move += 1) await playOn(pages, hands);
    await untilPly(dana.page, 4);
    for (const page of pages)
      await expect.poll(() => page.locator('[data-testid="status"]').getAttribute("data-ply")).toBe("4");

    // No help between people.
    expect(await dana.page.locator('[data-action="hint"]').count()).toBe(0);

    // Noa's browser is closed: her seat counts down until the others may decide. She comes back to her seat.
    const kept = await noa.shut();
    await dana.page
      .getByTestId("away")
      .getByText(say["play.awayAsk"].replace("{name}", "").replace("{t}", "").split(".")[1]?.trim() ?? "")
      .first()
      .waitFor();
    const back = await visit({ language, phone: true, url, kept });
    await back.page.goto("/me");
    await back.page.locator(`a[href="game/${id}"]`).click();
    await boardIsThere(back.page);
    await expect.poll(() => dana.page.getByTestId("away").count()).toBe(0);
    pages[1] = back.page;

    // Yael's network fails. Her page stays as it is, and the others play on until it is her turn.
    await yael.page.evaluate(() => ((window as unknown as { same: boolean }).same = true));
    await network.cut();
    await untilLost(yael.page);
    expect(await yael.page.locator('[data-testid="status"]').getAttribute("data-may-move")).toBe("false");
    await playOn(pages, hands);
    await playOn(pages, hands);
    await untilPly(dana.page, 6);
    await network.mend();
    await untilConnected(yael.page);
    await expect.poll(() => yael.page.locator('[data-testid="status"]').getAttribute("data-ply")).toBe("6");
    expect(await yael.page.evaluate(() => (window as unknown as { same: boolean }).same)).toBe(true);
    await playOn(pages, hands);
    await untilPly(dana.page, 8);

    // The server dies and comes back; nobody reloads, and the game goes on.
    await server.kill();
    for (const page of pages) await untilLost(page);
    await server.run();
    for (const page of pages) await untilConnected(page);
    await playOn(pages, hands);
    for (const page of pages)
      await expect
        .poll(() => page.locator('[data-testid="status"]').getAttribute("data-ply"), { timeout: 15_000 })
        .toBe("9");
    await leave(dana, back, yael);
  });

  it("two play Othello: names, manners, result and rematch", async () => {
    const [dana, noa, watcher] = [await come(language), await come(language, true), await come(language)];
    const name = `Othello ${language}`;
    const plan = {
      language,
      game: "othello",
      name,
      host: "Dana",
      choose: async (page: Page) => choose(page, say["new.visibility.private"]),
    };
    const id = await openLobby(dana.page, plan);

    // The name is taken in the list; a free one is a click away.
    await openLobby(watcher.page, { language, game: "othello", name, host: "Gil" });
    await noa.page.goto("/othello/new?mode=online");
    await noa.page.getByLabel(say["new.lobbyName"]).fill(name.toUpperCase());
    await noa.page.getByLabel(say["lobby.yourName"]).fill("Noa");
    await noa.page.getByRole("button", { name: say["new.openLobby"] }).click();
    await noa.page
      .getByRole("alert")
      .getByText(stem("new.useName") === "" ? name : /./)
      .first()
      .waitFor();
    await noa.page.locator(".suggestion").click();
    await noa.page.getByRole("button", { name: say["new.openLobby"] }).click();
    await noa.page.waitForURL(/\/lobby\//);
    await noa.page.getByRole("button", { name: say["lobby.leave"], exact: true }).click();
    await noa.page.waitForURL(/\/lobbies/);
    // A private lobby is not in the list.
    expect(await noa.page.locator(`[data-lobby="${id}"]`).count()).toBe(0);

    await noa.page.goto(await invitation(dana.page, language));
    await sitDown(noa.page, language, "Noa");
    for (const { page } of [dana, noa]) await untilStarted(page);
    await watcher.page.goto(`/game/${id}`);
    await boardIsThere(watcher.page);
    await expect.poll(() => dana.page.getByTestId("spectators").textContent()).toBe(say["play.spectators.one"]);

    const pages = [dana.page, noa.page];
    await playOn(pages, ["pointer", "touch"]);
    await noa.page.waitForFunction((turn) => document.title.startsWith(turn), say["tables.yourTurn"]);

    // A move goes back if the other one agrees.
    await dana.page.locator('[data-action="ask-take-back"]').click();
    await noa.page.getByRole("button", { name: say["status.accept"] }).click();
    await expect.poll(async () => (await factsOf(dana.page)).ply).toBe(0);
    await playOn(pages, ["pointer", "touch"]);

    // A draw is declined.
    await dana.page.locator('[data-action="draw"]').click();
    await noa.page.getByRole("button", { name: say["status.decline"] }).click();
    await expect.poll(async () => (await factsOf(dana.page)).offer ?? null).toBeNull();

    // On a phone the chat is behind a button.
    await dana.page.getByLabel(say["chat.message"]).fill("good luck");
    await dana.page.getByRole("button", { name: say["chat.send"] }).click();
    await noa.page.locator('[data-action="chat"]').getByText("1").waitFor();
    await noa.page.locator('[data-action="chat"]').tap();
    await noa.page.getByRole("dialog").getByText("good luck").waitFor();
    await noa.page.keyboard.press("Escape");

    // Noa resigns; everybody is told who has won.
    await noa.page.locator('[data-action="more"]').tap();
    await noa.page.locator('[data-action="resign"]').tap();
    await noa.page.getByRole("dialog").getByRole("button", { name: say["action.resign"], exact: true }).tap();
    await dana.page.getByTestId("result").getByText(say["end.youWin"]).waitFor();
    for (const { page } of [noa, watcher]) await page.getByTestId("result").getByText("Dana").waitFor();

    // A rematch with sides swapped, once both want it.
    await dana.page.getByRole("button", { name: say["end.rematch"], exact: true }).click();
    await noa.page.getByText(say["end.wantsRematch"].replace("{name}", "").replace(":", "").trim()).first().waitFor();
    await noa.page.getByRole("button", { name: say["end.rematch"], exact: true }).tap();
    for (const { page } of [dana, noa]) {
      await page.waitForURL((url) => url.pathname.startsWith("/game/") && !url.pathname.endsWith(id));
      await boardIsThere(page);
    }
    expect((await tableOf(noa.page)).seats.map(({ mine }) => mine)).toEqual([true, false]);
    await leave(dana, noa, watcher);
  });
});

it("three race on the same tiles, and everybody sees all boards and the places", async () => {
  const visitors = [await come("en"), await come("en", true), await come("he")];
  const [dana, noa, yael] = visitors as [Visitor, Visitor, Visitor];
  await openLobby(dana.page, {
    language: "en",
    game: "2048",
    name: "tile race",
    host: "Dana",
    choose: async (page) => {
      await unfold(page);
      await page.getByRole("button", { name: "Add a board" }).click();
      await choose(page, "Score after a number of moves");
      await page.getByLabel("Moves each").fill("3");
    },
  });
  const link = await invitation(dana.page, "en");
  await noa.page.goto(link);
  await sitDown(noa.page, "en", "Noa");
  await yael.page.goto(link);
  await sitDown(yael.page, "he", "Yael");
  for (const [board, { page }] of visitors.entries()) {
    await untilStarted(page);
    await page.getByTestId("status").waitFor();
    for (let turn = 0; turn < 3; turn += 1) {
      const [move] = await untilMyMove(page, board);
      if (move) await play(page, move, board === 1 ? "touch" : "keyboard", board);
    }
  }
  for (const { page } of visitors) {
    await page.getByTestId("result").waitFor();
    expect(await page.getByTestId("result").locator("li").count()).toBe(3);
  }
  await leave(...visitors);
});

describe("what guests are told", () => {
  it("a lobby that is full, a seat that was just taken, a guest who is removed, a lobby that is gone", async () => {
    const [dana, noa, yael] = [await come("en"), await come("en"), await come("en")];
    const id = await openLobby(dana.page, { language: "en", game: "tablut", name: "tafl night", host: "Dana" });
    await noa.page.goto(`/lobby/${id}`);
    await sitDown(noa.page, "en", "dana");
    await noa.page.getByRole("alert").getByText("Name taken.").waitFor();
    await noa.page.locator(".suggestion").click();
    await noa.page
      .getByRole("button", { name: /^Sit here/ })
      .first()
      .click();
    await yael.page.goto(`/lobby/${id}`);
    await yael.page.getByRole("heading", { name: "This lobby is full." }).waitFor();
    expect(await yael.page.locator(".ways a").allTextContents()).toEqual(["Watch", "Open games", "Start one"]);
    await dana.page.getByRole("button", { name: /^Remove/ }).click();
    await yael.page.getByTestId("lobby-status").getByText("Waiting: 1 of 2").waitFor();
    await noa.page
      .getByRole("button", { name: /^Sit here/ })
      .first()
      .click();
    await noa.page.getByTestId("lobby-problem").getByText("removed").waitFor();
    await dana.page.getByRole("button", { name: "Leave", exact: true }).click();
    await yael.page.getByRole("heading", { name: "This lobby is gone." }).waitFor();
    await dana.page.goto(`/lobby/${id}`);
    await dana.page.getByRole("heading", { name: "This lobby is gone." }).waitFor();
    await dana.page.goto("/join/nothing");
    await dana.page.getByRole("heading", { name: "This lobby is gone." }).waitFor();
    await leave(dana, noa, yael);
  });

  it("a seat moves to another device by a link that works once", async () => {
    const [dana, noa, phone] = [await come("en"), await come("en"), await come("en", true)];
    const id = await openLobby(dana.page, { language: "en", game: "loa", name: "on the move", host: "Dana" });
    await noa.page.goto(`/lobby/${id}`);
    await sitDown(noa.page, "en", "Noa");
    for (const { page } of [dana, noa]) await untilStarted(page);
    await dana.page.locator("summary").filter({ hasText: "More" }).click();
    await dana.page.locator('[data-action="device"]').click();
    const link = await dana.page.getByLabel("One-time link").inputValue();
    await phone.page.goto(new URL(link).pathname);
    await phone.page.getByRole("button", { name: "Play here" }).tap();
    await untilStarted(phone.page);
    const [move] = await untilMyMove(phone.page);
    if (move) await play(phone.page, move, "touch");
    await expect.poll(async () => (await tableOf(dana.page)).seats.some(({ mine }) => mine)).toBe(false);
    const late = await come("en");
    await late.page.goto(new URL(link).pathname);
    await late.page.getByRole("heading", { name: "This lobby is gone." }).waitFor();
    // Whoever comes too late for the lobby can watch.
    await late.page.goto(`/lobby/${id}`);
    await late.page.getByRole("heading", { name: "This lobby is full." }).waitFor();
    await late.page.getByRole("link", { name: "Watch", exact: true }).last().click();
    await boardIsThere(late.page);
    await leave(dana, noa, phone, late);
  });
});
