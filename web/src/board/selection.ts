// What a click means. The legal moves say it all; there are no rules here.

import type { BoardPicture, Gesture, Heading, MoveState, Spot } from "../protocol/types.ts";
import { keyOf, sameSpot, spotOf } from "./geometry.ts";

/** What can be pointed at after some places. */
interface Branch {
  /** The moves that the places so far mean. Usually there is one at most. */
  moves: MoveState[];
  /** What comes next, by place. */
  next: Map<number, Branch>;
}

/** A place that can be pointed at next. */
export interface Target {
  /** The moves that pointing there means; none if more places must follow. */
  moves: readonly MoveState[];
  /** Where it is marked: where the piece arrives if one may point there too, otherwise the place itself. */
  mark: Spot;
}

/** The only legal move if it is to pass. */
export function forcedPass(moves: readonly MoveState[]): MoveState | null {
  const [only] = moves;
  return moves.length === 1 && only?.kind === "pass" ? only : null;
}

/** The sequences of places that mean a move. */
function sequencesOf({ places, from, to }: MoveState): Spot[][] {
  if (places) return places;
  if (!to) return [];
  return [from ? [from, to] : [to]];
}

/** The legal moves by how somebody points at them. */
export class Moves {
  /** Moves by the places that mean them, one after another. */
  readonly #root: Branch = { moves: [], next: new Map() };
  /** Blocks that can be turned, by their top left cells. */
  readonly blocks = new Map<number, MoveState>();
  /** Slides of the whole board. */
  readonly slides = new Map<Heading, MoveState>();
  readonly #byToken = new Map<string, MoveState>();

  constructor(moves: readonly MoveState[] = []) {
    for (const move of moves) {
      this.#byToken.set(move.token, move);
      if (move.block) this.blocks.set(keyOf(move.block), move);
      else if (move.heading) this.slides.set(move.heading, move);
      else for (const places of sequencesOf(move)) this.#add(places, move);
    }
  }

  #add(places: readonly Spot[], move: MoveState): void {
    let branch = this.#root;
    for (const place of places) {
      const next = branch.next.get(keyOf(place)) ?? { moves: [], next: new Map<number, Branch>() };
      branch.next.set(keyOf(place), next);
      branch = next;
    }
    branch.moves.push(move);
  }

  /** What somebody can do who has pointed at these places; undefined if no move begins so. */
  at(places: readonly Spot[]): Branch | undefined {
    let branch: Branch | undefined = this.#root;
    for (const place of places) branch = branch?.next.get(keyOf(place));
    return branch;
  }

  /** A move by its token. */
  byToken(token: string | null | undefined): MoveState | undefined {
    return token == null ? undefined : this.#byToken.get(token);
  }

  /** The blocks that hold a place. */
  blocksAt(spot: Spot): MoveState[] {
    const [row, column] = spot;
    const corners: Spot[] = [
      [row - 1, column - 1],
      [row - 1, column],
      [row, column - 1],
      [row, column],
    ];
    return corners.flatMap((corner) => {
      if (Math.min(...corner) < 0) return [];
      return this.blocks.get(keyOf(corner)) ?? [];
    });
  }

  /** Places where somebody can begin: those of pieces that can move, be it with a block of theirs. */
  starts(picture: BoardPicture, turn: number | null | undefined): Set<number> {
    const starts = new Set([...this.#root.next].filter(([, { next }]) => next.size > 0).map(([key]) => key));
    if (this.blocks.size === 0) return starts;
    for (const { at, piece } of picture.cells) {
      if (piece?.owner === turn && this.blocksAt(at).length > 0) starts.add(keyOf(at));
    }
    return starts;
  }

  /** The places that can be pointed at next: those that make a move, and those that continue one that was begun. */
  targets(chosen: readonly Spot[]): ReadonlyMap<number, Target> {
    const targets = new Map<number, Target>();
    const branch = this.at(chosen);
    for (const [key, { moves }] of branch?.next ?? []) {
      const to = moves[0]?.to;
      const isArrival = to && branch?.next.get(keyOf(to))?.moves.some((move) => moves.includes(move));
      if (moves.length > 0 || chosen.length > 0) targets.set(key, { moves, mark: isArrival ? to : spotOf(key) });
    }
    return targets;
  }
}

/** What a click does. */
export type Outcome =
  | { do: "play"; move: MoveState }
  | { do: "choose"; moves: readonly MoveState[] }
  | { do: "select"; chosen: readonly Spot[] }
  | { do: "clear" }
  | { do: "refuse"; gesture: Gesture };

/** What the legal moves say about these places; null if nothing. */
function outcomeAt(moves: Moves, places: readonly Spot[]): Outcome | null {
  const branch = moves.at(places);
  const [move, ...others] = branch?.moves ?? [];
  if (move) return others.length > 0 ? { do: "choose", moves: [move, ...others] } : { do: "play", move };
  return branch ? { do: "select", chosen: places } : null;
}

/** What a click on a place means after others have been chosen, or none. */
export function pointAtPlace(moves: Moves, starts: ReadonlySet<number>, chosen: readonly Spot[], spot: Spot): Outcome {
  const places = [...chosen, spot];
  const outcome = outcomeAt(moves, places);
  if (outcome) return outcome;
  if (sameSpot(chosen.at(-1), spot)) return { do: "clear" };
  if (starts.has(keyOf(spot))) return { do: "select", chosen: [spot] };
  return { do: "refuse", gesture: { kind: "point", places } };
}

/** What a piece that is dropped somewhere means. Dropped where it was, it stays selected. */
export function dropOnPlace(moves: Moves, from: Spot, to: Spot | null): Outcome {
  if (!to) return { do: "clear" };
  if (sameSpot(from, to)) return { do: "select", chosen: [from] };
  const places = [from, to];
  return outcomeAt(moves, places) ?? { do: "refuse", gesture: { kind: "point", places } };
}

/** Tells of a block, by its top left cell, whether turning it would leave the board as it is: four alike. */
export function idleness(picture: BoardPicture): (corner: Spot) => boolean {
  const styles = new Map(picture.cells.map(({ at, piece }) => [keyOf(at), piece?.style]));
  return ([row, column]) => {
    const style = (down: number, right: number): string | undefined => styles.get(keyOf([row + down, column + right]));
    const first = style(0, 0);
    return style(0, 1) === first && style(1, 0) === first && style(1, 1) === first;
  };
}
