// The moves that have been made on a board: what has been told of them, and what is fetched as somebody looks at it.
// However long the game, a new move costs the same: entries are found by their numbers and never change place.
import type { BoardState, BoardUpdate, PlyList, PlyState } from "../protocol/types.ts";

/** A move of a player, with the draws of chance that follow it. */
export interface MoveEntry {
  /** Its number among the moves of the game, from 1. */
  readonly number: number;
  readonly seat: number;
  readonly ply: PlyState;
  /** How many plies had been played before it. */
  readonly before: number;
  /** How many have been played once it and the draws of chance after it are done. */
  readonly after: number;
}

/** How many moves are fetched at once. */
const PAGE = 200;

/** Fetches the moves with these indices. */
export type Fetch = (from: number, to: number) => Promise<PlyList>;

export class History {
  /** Counts what is shown. All else is not reactive itself, so that moves which come fast are shown together. */
  #revision = $state(0);
  /** What is known, by number. */
  readonly #entries = new Map<number, MoveEntry>();
  #total = 0;
  #isAlternating = true;
  /** The seat whose turn it would be at the first move if seats take turns; `null` before any move is known. */
  #first: number | null = null;
  /** The pages that are on their way. */
  readonly #fetched = new Map<number, Promise<void>>();
  /** Counts how often everything has begun anew: what was fetched before is not of the same game. */
  #generation = 0;

  constructor(private readonly fetch: Fetch) {}

  /** How many moves have been made. */
  get total(): number {
    void this.#revision;
    return this.#total;
  }

  /** Whether two seats take turns, as far as is known, so that their moves can stand in two columns. */
  get isAlternating(): boolean {
    void this.#revision;
    return this.#isAlternating;
  }

  /** The seat that has made the first move, of two that take turns. */
  get firstSeat(): number {
    void this.#revision;
    return this.#first ?? 0;
  }

  /** The move with that number, if it is known. */
  at(number: number): MoveEntry | undefined {
    void this.#revision;
    return this.#entries.get(number);
  }

  /** Begins anew, with what is told of a board as it stands. */
  reset({ skipped, plies, facts }: BoardState): void {
    this.#generation += 1;
    this.#fetched.clear();
    this.#entries.clear();
    this.#isAlternating = true;
    this.#first = null;
    this.#add(plies, skipped, facts.movesMade - count(plies));
    this.#total = facts.movesMade;
  }

  /** Shows what has been taken up. */
  show(): void {
    this.#revision += 1;
  }

  /** Takes up what has happened since. */
  append({ kept, plies, facts }: BoardUpdate): void {
    const before = facts.movesMade - count(plies);
    // Of moves that were taken back nothing is left.
    for (let number = this.#total; number > before; number -= 1) this.#entries.delete(number);
    this.#add(plies, kept, before);
    this.#total = facts.movesMade;
  }

  /** Sees to it that the moves with these numbers are known, as far as there are such. No page is fetched twice. */
  async need(from: number, to: number): Promise<void> {
    const pages = [];
    const last = Math.min(to, this.#total);
    for (let number = Math.max(1, from); number <= last; number += 1) {
      if (this.#entries.has(number)) continue;
      const page = Math.floor((number - 1) / PAGE);
      pages.push(this.#fetched.get(page) ?? this.#fetchPage(page));
      number = (page + 1) * PAGE;
    }
    await Promise.all(pages);
  }

  #fetchPage(page: number): Promise<void> {
    const generation = this.#generation;
    const fetched = this.fetch(page * PAGE, (page + 1) * PAGE).then(
      ({ from, movesBefore, plies }) => {
        if (generation !== this.#generation) return;
        this.#add(plies, from, movesBefore, true);
        this.show();
        this.#fetched.delete(page);
      },
      // Whoever scrolls back again asks again.
      () => void this.#fetched.delete(page),
    );
    this.#fetched.set(page, fetched);
    return fetched;
  }

  /**
   * Adds plies behind `start` others, `moves` of which were moves of players. What was fetched, and is old, must not
   * replace what has happened since.
   */
  #add(plies: readonly PlyState[], start: number, moves: number, isOld = false): void {
    let number = moves;
    plies.forEach((ply, index) => {
      const [before, after] = [start + index, start + index + 1];
      if (typeof ply.seat === "number") {
        number += 1;
        if (isOld && (number > this.#total || this.#entries.has(number))) return;
        this.#note({ number, seat: ply.seat, ply, before, after });
      } else {
        const last = this.#entries.get(number);
        if (last && last.after === before) this.#entries.set(number, { ...last, after });
      }
    });
  }

  #note(entry: MoveEntry): void {
    this.#entries.set(entry.number, entry);
    const first = (entry.seat + entry.number - 1) % 2;
    this.#first ??= first;
    if (entry.seat > 1 || first !== this.#first) this.#isAlternating = false;
  }
}

function count(plies: readonly PlyState[]): number {
  return plies.reduce((moves, ply) => moves + (typeof ply.seat === "number" ? 1 : 0), 0);
}
