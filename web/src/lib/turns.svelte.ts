// The games in which others wait for the person at this browser, kept up to date on every page.
import { t } from "../i18n/index.svelte.ts";
import { loadTexts } from "../i18n/server.svelte.ts";
import type { TableSummary } from "../protocol/types.ts";
import { announce } from "./announcer.svelte.ts";
import { listTables } from "./api.ts";
import { notify } from "./attention.svelte.ts";
import { gameName } from "./names.ts";
import { router } from "./router.svelte.ts";

/** How often the server is asked while an online game is under way, in milliseconds. */
const EVERY = 30_000;

/** Only games between people have others who wait, and have a name. */
function isOnline({ name }: TableSummary): boolean {
  return !!name;
}

function isOver({ end, ranking }: TableSummary): boolean {
  return !!end || ranking.length > 0;
}

class Turns {
  /** The games of this browser, the latest first; null until they are known. */
  games = $state.raw<readonly TableSummary[] | null>(null);
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Where others wait for a move, but for the game on screen, which says so itself. */
  get waiting(): readonly TableSummary[] {
    const { route } = router;
    const shown = route.page === "table" ? route.table : null;
    return (this.games ?? []).filter((game) => isOnline(game) && game.yourTurn && !isOver(game) && game.id !== shown);
  }

  /** Asks the server now, and again and again as long as that may change anything. */
  async refresh(): Promise<void> {
    clearTimeout(this.#timer);
    try {
      const { games } = await listTables("mine");
      const known = this.games;
      this.games = games;
      if (known) this.#tell(known);
    } catch {
      // What was known still stands; the next attempt may succeed.
    }
    this.stop();
    if ((this.games ?? []).some((game) => isOnline(game) && !isOver(game)))
      this.#timer = setTimeout(() => void this.refresh(), EVERY);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  /** Tells of the games in which it is the person's turn since the server was asked before. */
  #tell(before: readonly TableSummary[]): void {
    const known = new Set(before.filter(({ yourTurn }) => yourTurn).map(({ id }) => id));
    for (const { id, game, options } of this.waiting) {
      if (known.has(id)) continue;
      void loadTexts(game).then(() => {
        const text = `${t("tables.yourTurn")}: ${gameName(game, options)}`;
        notify(text, id, `game/${id}`);
        announce(text);
      });
    }
  }
}

export const turns = new Turns();

/** The title of a page with the number of games that wait in front. */
export function countedTitle(title: string, count: number): string {
  const plain = title.replace(/^\(\d+\) /, "");
  return count > 0 ? `(${count}) ${plain}` : plain;
}
