// Debian's Chromium, or the one that CHROMIUM names, driven by Playwright: for browser tests and scripts.
import { chromium } from "playwright-core";

// It makes no requests of its own. Its sandbox does not work in containers.
const FLAGS = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

export function launchChromium() {
  return chromium.launch({ executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium", args: FLAGS });
}
