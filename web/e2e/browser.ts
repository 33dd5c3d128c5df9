// A browser for every file of tests, and what its visitors do.
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, inject } from "vitest";

import { launchChromium } from "../scripts/chromium.mjs";

const PATIENCE = 15_000;

export interface Visit {
  language?: "en" | "he";
  theme?: "light" | "dark" | "high-contrast";
  /** A phone is small and touched. */
  phone?: boolean;
  url?: string;
  /** What a browser kept that was closed, to open it again. */
  kept?: Kept;
}

type Kept = Awaited<ReturnType<BrowserContext["storageState"]>>;

export class Visitor {
  /** What went wrong on the page that nobody would see. */
  readonly faults: string[] = [];

  constructor(
    readonly context: BrowserContext,
    readonly page: Page,
  ) {
    page.on("pageerror", (error) => this.faults.push(String(error)));
    page.on("console", (message) => {
      if (/Content Security Policy/.test(message.text())) this.faults.push(message.text());
    });
  }

  close(): Promise<void> {
    return this.context.close();
  }

  /** Closes the browser, keeping what it would find on the disk when it is opened again. */
  async shut(): Promise<Kept> {
    const kept = await this.context.storageState();
    await this.context.close();
    return kept;
  }
}

/** A browser for the tests of a file. */
export function useBrowser(): (visit?: Visit) => Promise<Visitor> {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(() => browser.close());
  return async ({ language = "en", theme = "light", phone = false, url = inject("url"), kept } = {}) => {
    const context = await browser.newContext({
      baseURL: url,
      viewport: phone ? { width: 360, height: 740 } : { width: 1320, height: 860 },
      hasTouch: phone,
      isMobile: phone,
      reducedMotion: "reduce",
      ...(kept ? { storageState: kept } : {}),
    });
    context.setDefaultTimeout(PATIENCE);
    const stored = JSON.stringify({ language, theme });
    await context.addInitScript((settings) => {
      if (!localStorage.getItem("agon.settings")) localStorage.setItem("agon.settings", settings);
      localStorage.setItem("agon.name-asked", "yes");
    }, stored);
    return new Visitor(context, await context.newPage());
  };
}
