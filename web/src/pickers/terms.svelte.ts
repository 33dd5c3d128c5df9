// What people agree on before they play online.
import type { Goal, Leavers, Terms } from "../protocol/types.ts";

export const VISIBILITIES = ["public", "private"] as const;
export const LEAVERS: readonly Leavers[] = ["bot", "resign"];
export const GOALS: readonly Goal["kind"][] = ["score", "moves", "time"];

/** How long a player may be away in a game with a clock, in seconds. */
const GRACE = 60;

/** The terms of a lobby while it is being put together. */
export class TermsDraft {
  /** The name of the lobby, and that of its host. */
  name = $state("");
  player = $state("");
  visibility = $state<(typeof VISIBILITIES)[number]>("public");
  leavers = $state<Leavers>("bot");
  /** Days per move; null for no limit. */
  days = $state<number | null>(null);
  help = $state(false);
  /** How much players get back whenever their connection was dead, and in the whole game, in seconds. */
  interruption = $state(15);
  interruptions = $state(60);
  goal = $state<Goal["kind"]>("score");
  moves = $state(200);
  minutes = $state(3);

  /** What holds in a game with this clock; `isRace` if every player has a board. */
  terms(clock: string, isRace: boolean): Terms {
    const days = clock === "none" && this.days !== null && !this.#isTimed(isRace) ? { days: this.days } : {};
    return {
      clock: isRace ? "none" : clock,
      ...days,
      ...(isRace ? { goal: this.#goal() } : {}),
      leavers: this.leavers,
      grace: GRACE,
      interruption: this.interruption,
      interruptions: this.interruptions,
      public: this.visibility === "public",
      help: this.help,
    };
  }

  #isTimed(isRace: boolean): boolean {
    return isRace && this.goal === "time";
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
