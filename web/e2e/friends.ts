// What friends do on the way to a game: open a lobby, join one, and lose the network.
import type { Page } from "playwright-core";

import { boardIsThere } from "./play.ts";
import { type Language, words } from "./words.ts";

export interface Plan {
  language: Language;
  game: string;
  /** The name of the lobby, and that of its host. */
  name: string;
  host: string;
  /** What is chosen in the form besides. */
  choose?: (page: Page) => Promise<void>;
}

/** Opens a lobby by the form, and returns its id. */
export async function openLobby(page: Page, { language, game, name, host, choose }: Plan): Promise<string> {
  const say = words(language);
  await page.goto(`/${game}/new?mode=online`);
  await page.getByLabel(say["new.lobbyName"]).fill(name);
  await page.getByLabel(say["lobby.yourName"]).fill(host);
  await choose?.(page);
  await page.getByRole("button", { name: say["new.openLobby"] }).click();
  await page.waitForURL(/\/lobby\//);
  await page.getByTestId("lobby-status").waitFor();
  return new URL(page.url()).pathname.split("/").at(-1) ?? "";
}

/** The link for friends, as the lobby shows it. */
export async function invitation(page: Page, language: Language): Promise<string> {
  const link = await page.getByLabel(words(language)["lobby.invite"]).inputValue();
  return new URL(link).pathname;
}

/** Gives a name and takes the first open seat. */
export async function sitDown(page: Page, language: Language, name: string): Promise<void> {
  const say = words(language);
  await page.getByLabel(say["lobby.yourName"]).fill(name);
  await page
    .locator("li")
    .getByRole("button", { name: say["lobby.sitAt"].split("{")[0]?.trim() ?? "" })
    .first()
    .click();
}

/** Waits until the lobby on screen has become a game. */
export async function untilStarted(page: Page): Promise<void> {
  await page.waitForURL(/\/game\//, { timeout: 20_000 });
  await boardIsThere(page);
}

/** Waits until the page says that it has lost its connection. On a phone in a game the header is there but not seen. */
export function untilLost(page: Page): Promise<void> {
  return page.locator('[data-status="reconnecting"]:visible, [data-status="offline"]:visible').waitFor();
}

export function untilConnected(page: Page): Promise<void> {
  return page.locator('header [data-status="open"]').waitFor({ state: "attached", timeout: 20_000 });
}

/**
 * A network that can be cut: everything that the page sends and hears goes through here. Call it before the page
 * is opened.
 */
export class Network {
  #isCut = false;
  readonly #sockets = new Set<{ close(): Promise<void> }>();

  constructor(private readonly page: Page) {}

  static async around(page: Page): Promise<Network> {
    const network = new Network(page);
    await page.routeWebSocket("/ws", (socket) => {
      if (network.#isCut) return void socket.close();
      socket.connectToServer();
      network.#sockets.add(socket);
    });
    return network;
  }

  async cut(): Promise<void> {
    this.#isCut = true;
    await this.page.context().setOffline(true);
    for (const socket of this.#sockets) await socket.close();
    this.#sockets.clear();
  }

  async mend(): Promise<void> {
    this.#isCut = false;
    await this.page.context().setOffline(false);
  }
}
