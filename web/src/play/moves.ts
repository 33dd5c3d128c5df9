// The move list: what players chose. Draws of chance belong to the move before them.
import type { PlyState } from "../protocol/types.ts";

export interface MoveEntry {
  /** Its number among moves, from 1; of a long game counted from the first one that is known. */
  number: number;
  seat: number;
  ply: PlyState;
  /** How many plies had been played before it. */
  before: number;
  /** How many have been played once it and the draws of chance after it are done. */
  after: number;
}

export function listMoves(plies: readonly PlyState[], skipped: number): MoveEntry[] {
  const moves: MoveEntry[] = [];
  plies.forEach((ply, index) => {
    const before = skipped + index;
    const last = moves.at(-1);
    if (ply.seat === null || ply.seat === undefined) {
      if (last) last.after = before + 1;
      return;
    }
    moves.push({ number: moves.length + 1, seat: ply.seat, ply, before, after: before + 1 });
  });
  return moves;
}

/** Rows of a score sheet: one move of each seat at most, in playing order. */
export function sheet(moves: readonly MoveEntry[], seats: number): MoveEntry[][] {
  const rows: MoveEntry[][] = [];
  for (const move of moves) {
    const row = rows.at(-1);
    const last = row?.at(-1);
    if (row && last && last.seat < move.seat && row.length < seats) row.push(move);
    else rows.push([move]);
  }
  return rows;
}
