// Which moves of a finished game gave something away: found by the server, a part of the game at a time.
import { reviewPart } from "../lib/api.ts";
import type { FaultState } from "../protocol/types.ts";
import type { Session } from "./session.svelte.ts";

/** Games of more plies are only looked through if somebody asks: that takes minutes. */
const SHORT = 200;

export class Faults {
  /** The moves that did, by the number of plies before them. */
  found = $state.raw<ReadonlyMap<number, FaultState>>(new Map());
  /** How far they have been looked for, 0 to 1; null while nobody looks for them. */
  progress = $state<number | null>(null);
  /** Whether the whole game has been looked through. */
  isDone = $state(false);
  #run = 0;

  constructor(private readonly session: Session) {}

  /** Whether they can be looked for: the game is over, and nothing about it is withheld. */
  get isPossible(): boolean {
    return this.session.isOver && (this.session.board?.facts.ply ?? 0) > 0;
  }

  /** Whether they are looked for without being asked for: in short games that were played here. */
  get isUsual(): boolean {
    return this.isPossible && this.session.mine.length > 0 && (this.session.board?.facts.ply ?? 0) <= SHORT;
  }

  /** Forgets what has been found, and looks no further. */
  reset(): void {
    this.#run += 1;
    this.found = new Map();
    this.progress = null;
    this.isDone = false;
  }

  /** Looks for them from the beginning to the end. */
  async look(): Promise<void> {
    this.reset();
    const run = this.#run;
    let from = 0;
    this.progress = 0;
    try {
      while (!this.isDone) {
        const part = await reviewPart(this.session.table.id, this.session.main, from);
        if (run !== this.#run) return;
        this.found = new Map([...this.found, ...part.faults.map((fault) => [fault.ply, fault] as const)]);
        from = part.to;
        this.progress = part.plies === 0 ? 1 : part.to / part.plies;
        this.isDone = part.to >= part.plies;
      }
    } catch {
      // What has been found stays; whoever wants the rest asks again.
    } finally {
      if (run === this.#run) this.progress = null;
    }
  }
}
