// What a click means. The legal moves say it all; there are no rules here.

import type { BoardPicture, Gesture, Heading, MoveState, Spot } from "../protocol/types.ts";
import { keyOf, sameSpot } from "./geometry.ts";

/** The legal moves by how somebody points at them. */
export class Moves {
  /** Moves that need one place only. */
  readonly places = new Map<number, MoveState>();
  /** Moves by where they begin, then by where they end. */
  readonly #starts = new Map<number, Map<number, MoveState>>();
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
      else if (move.from && move.to) {
        const ends = this.#starts.get(keyOf(move.from)) ?? new Map<number, MoveState>();
        this.#starts.set(keyOf(move.from), ends);
        // Should two moves ever begin and end alike, the one that is listed first is meant.
        if (!ends.has(keyOf(move.to))) ends.set(keyOf(move.to), move);
      } else if (move.to) this.places.set(keyOf(move.to), move);
    }
  }

  /** A move by its token. */
  byToken(token: string | null | undefined): MoveState | undefined {
    return token == null ? undefined : this.#byToken.get(token);
  }

  /** The moves of the piece on a place, by where they end. */
  from(spot: Spot): ReadonlyMap<number, MoveState> {
    return this.#starts.get(keyOf(spot)) ?? NO_MOVES;
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
    const starts = new Set(this.#starts.keys());
    if (this.blocks.size === 0) return starts;
    for (const { at, piece } of picture.cells) {
      if (piece?.owner === turn && this.blocksAt(at).length > 0) starts.add(keyOf(at));
    }
    return starts;
  }

  /** The places that can be pointed at next. */
  targets(selected: Spot | null): ReadonlyMap<number, MoveState> {
    return selected ? this.from(selected) : this.places;
  }
}

const NO_MOVES: ReadonlyMap<number, MoveState> = new Map();

/** What a click does. */
export type Outcome =
  { do: "play"; move: MoveState } | { do: "select"; spot: Spot } | { do: "clear" } | { do: "refuse"; gesture: Gesture };

/** What a click on a place means while a piece, or none, is selected. */
export function pointAtPlace(moves: Moves, starts: ReadonlySet<number>, selected: Spot | null, spot: Spot): Outcome {
  const move = moves.targets(selected).get(keyOf(spot));
  if (move) return { do: "play", move };
  if (sameSpot(selected, spot)) return { do: "clear" };
  if (starts.has(keyOf(spot))) return { do: "select", spot };
  return { do: "refuse", gesture: { kind: "point", from: selected ?? spot, to: spot } };
}

/** What a piece that is dropped somewhere means. Dropped where it was, it stays selected. */
export function dropOnPlace(moves: Moves, from: Spot, to: Spot | null): Outcome {
  if (!to) return { do: "clear" };
  if (sameSpot(from, to)) return { do: "select", spot: from };
  const move = moves.from(from).get(keyOf(to));
  return move ? { do: "play", move } : { do: "refuse", gesture: { kind: "point", from, to } };
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
