// What people agree on before they play online.
import type { Goal, Leavers, Terms } from "../protocol/types.ts";

export const VISIBILITIES = ["public", "private"] as const;
export const LEAVERS: readonly Leavers[] = ["bot", "resign", "ask"];
export const GOALS: readonly Goal["kind"][] = ["score", "moves", "time"];

/** How long a player may be away, in seconds. */
const GRACE = 120;

/** The terms of a lobby while it is being put together. */
export class TermsDraft {
  /** The name of the lobby, and that of its host. */
  name = $state("");
  player = $state("");
  visibility = $state<(typeof VISIBILITIES)[number]>("public");
  /** What becomes of leavers; null for what is usual with so many seats. */
  leavers = $state<Leavers | null>(null);
  /** Days per move; null for no limit. */
  days = $state<number | null>(null);
  help = $state(false);
  spectatorsChat = $state(false);
  /** How much players get back whenever their connection was dead, and in the whole game, in seconds. */
  interruption = $state(15);
  interruptions = $state(60);
  goal = $state<Goal["kind"]>("score");
  moves = $state(200);
  minutes = $state(3);

  /** What holds in a game with this clock and what becomes of leavers; `isRace` if every player has a board. */
  terms(clock: string, leavers: Leavers, isRace: boolean): Terms {
    const days = this.hasDays(clock, isRace) && this.days !== null ? { days: this.days } : {};
    return {
      clock: isRace ? "none" : clock,
      ...days,
      ...(isRace ? { goal: this.#goal() } : {}),
      leavers,
      grace: GRACE,
      interruption: this.interruption,
      interruptions: this.interruptions,
      public: this.visibility === "public",
      help: this.help,
      spectatorsChat: this.spectatorsChat,
    };
  }

  /** Whether a move may take days. */
  hasDays(clock: string, isRace: boolean): boolean {
    return this.days !== null && (isRace ? this.goal !== "time" : clock === "none");
  }

  #goal(): Goal {
    switch (this.goal) {
      case "score":
        return { kind: "score" };
      case "moves":
        return { kind: "moves", moves: this.moves };
      case "time":
        return { kind: "time", seconds: this.minutes * 60 };
    }
  }
}
