// The games of a tournament that match a filter, the latest first, one page at a time.
import { type Trouble, troubleOf } from "../lib/problem.ts";
import type { TournamentGame } from "../protocol/types.ts";
import { type GameFilter, listMatches } from "./api.ts";

/** How many games the server tells at a time. */
const PAGE = 100;

export class Matches {
  games = $state.raw<readonly TournamentGame[] | null>(null);
  total = $state(0);
  trouble = $state.raw<Trouble | null>(null);
  /** How many games are skipped, the latest first. */
  skip = $state(0);
  #filter: GameFilter = {};
  /** Answers to older questions come too late. */
  #asked = 0;

  constructor(private readonly tournament: string) {}

  get hasNewer(): boolean {
    return this.skip > 0;
  }

  get hasEarlier(): boolean {
    return this.skip + PAGE < this.total;
  }

  choose(filter: GameFilter): Promise<void> {
    this.#filter = filter;
    this.skip = 0;
    return this.refresh();
  }

  turn(direction: "newer" | "earlier"): Promise<void> {
    this.skip = Math.max(0, this.skip + (direction === "earlier" ? PAGE : -PAGE));
    return this.refresh();
  }

  /** Asks again for the games on the page: some have ended, others have begun. */
  async refresh(): Promise<void> {
    const asked = ++this.#asked;
    try {
      const { games, total } = await listMatches(this.tournament, this.#filter, this.skip);
      if (asked !== this.#asked) return;
      this.games = games;
      this.total = total;
      this.trouble = null;
    } catch (error) {
      if (asked === this.#asked) this.trouble = troubleOf(error);
    }
  }
}
