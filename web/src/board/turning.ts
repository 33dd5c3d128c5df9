// From which side a board is seen.

import type { BoardPicture } from "../protocol/types.ts";
import { Geometry, turnsOf } from "./geometry.ts";

/** How many steps bring the board back to where it was. */
export function turnCount(picture: BoardPicture): number {
  return turnsOf(picture.layout);
}

/**
 * By how many steps one press of "Turn board" turns a board, given its start.
 *
 * Squares turn by half, and by a quarter where somebody begins at the left and the right: then people sit around
 * the corner.
 */
export function turnUnit(start: BoardPicture): number {
  if (start.layout !== "squares") return 1;
  const last = start.columns.length - 1;
  const sides = new Map<number, boolean>();
  for (const {
    at: [, column],
    piece,
  } of start.cells) {
    if (!piece) continue;
    const isAtSide = column === 0 || column === last;
    sides.set(piece.owner, (sides.get(piece.owner) ?? true) && isAtSide);
  }
  return [...sides.values()].includes(true) ? 1 : 2;
}

/** The view in which a seat's pieces are nearest to the bottom, given the start of the game. */
export function turnedFor(start: BoardPicture, seat: number): number {
  const own = start.cells.filter((cell) => cell.piece?.owner === seat);
  const unit = turnUnit(start);
  let [best, most] = [0, -Infinity];
  for (let turned = 0; turned < turnCount(start); turned += unit) {
    const geometry = new Geometry(start, turned);
    const depth = own.reduce((sum, cell) => sum + geometry.at(cell.at).y, 0);
    // Sums of floating numbers: only what is clearly better counts.
    if (depth > most + 1) [best, most] = [turned, depth];
  }
  return best;
}
