// What axe finds wrong with a page.
import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "playwright-core";

export const THEMES = ["light", "dark", "high-contrast"] as const;

/** All rules in the first theme; in the others what depends on colours. */
export async function faultsOf(page: Page, name: string, themes: readonly string[] = THEMES): Promise<string[]> {
  const found: string[] = [];
  for (const [index, theme] of themes.entries()) {
    await page.evaluate((chosen) => (document.documentElement.dataset["theme"] = chosen), theme);
    const axe = new AxeBuilder({ page }).setLegacyMode(true);
    const { violations } = await (index === 0 ? axe : axe.withRules(["color-contrast"])).analyze();
    found.push(
      ...violations.map(
        (fault) => `${name}, ${theme}: ${fault.id} at ${fault.nodes.map((node) => node.target.join(" ")).join("; ")}`,
      ),
    );
  }
  return found;
}
