// Words that are left over in another alphabet on a page in Hebrew.
import type { Page } from "playwright-core";

/**
 * Names that are the same in all languages: ours, those of people, bots, algorithms and keys, and examples of
 * notation.
 */
const NAMES = new Set(
  (
    "Agon Elo English Dana Noa Yael Enter Shift depth best reply best-reply expectimax greedy maxn max " +
    "mcts paranoid plain random minimax ProbCut MIA UCT PVS Randi Alpha Beta Monte Carlo Hard Home End " +
    "SVG PNG CSV PgUp PgDn Esc Space"
  ).split(" "),
);
const NOTATION = /^(goal=(strict|fill):|s[1-5](-[a-z]+)?|S[1-5]:?|course-[1-3]|alphabeta(:depth=4)?)$/;

/**
 * Latin words that people see, apart from `names` and what is marked as another language or as left-to-right
 * notation.
 */
export async function latinWords(page: Page, names: readonly string[] = []): Promise<string[]> {
  const words = await page.evaluate(() => {
    const found: string[] = [];
    // Isolated parts of a text are notation, moves and places, or names that people gave.
    const withoutIsolates = (text: string | null) => text?.replace(/\u2068[^\u2069]*\u2069/g, "");
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const parent = node.parentElement;
      if (!parent || parent.closest('[dir="ltr"], [lang="en"], bdi, script, style, noscript')) continue;
      found.push(...(withoutIsolates(node.textContent)?.match(/[A-Za-z][A-Za-z0-9:=-]{2,}/g) ?? []));
    }
    for (const labelled of document.querySelectorAll("[aria-label], [title]")) {
      for (const name of ["aria-label", "title"])
        found.push(...(withoutIsolates(labelled.getAttribute(name))?.match(/[A-Za-z][A-Za-z0-9:=-]{3,}/g) ?? []));
    }
    return found;
  });
  return [...new Set(words)].filter((word) => !NAMES.has(word) && !NOTATION.test(word) && !names.includes(word));
}
