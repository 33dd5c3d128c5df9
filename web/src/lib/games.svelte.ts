// The games that the server knows, with their texts in the language on screen.
import { loadTexts } from "../i18n/server.svelte.ts";
import type { GameInfo } from "../protocol/types.ts";
import { listGames } from "./api.ts";

class Games {
  list = $state.raw<readonly GameInfo[] | null>(null);
  failed = $state(false);

  /** Loads games and texts as far as they are missing. Call it in an effect: it follows the language. */
  load(): void {
    for (const { game } of this.list ?? []) void loadTexts(game);
    if (this.list || this.failed) return;
    listGames().then(
      (found) => (this.list = found),
      () => (this.failed = true),
    );
  }

  retry(): void {
    this.failed = false;
  }

  find(game: string): GameInfo | undefined {
    return this.list?.find((info) => info.game === game);
  }
}

export const games = new Games();
