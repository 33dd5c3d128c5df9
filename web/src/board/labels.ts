// What screen readers are told about a place.

import type { BoardFacts, BoardPicture, Cell, Style } from "../protocol/types.ts";
import type { BoardText } from "./api.ts";
import { keyOf, placeNamer } from "./geometry.ts";

/** Composes the label of every place: "e5, castle, king, in danger". */
export function labeller(
  picture: BoardPicture,
  facts: BoardFacts | null,
  styles: ReadonlyMap<string, Style>,
  t: BoardText,
  say: (name: string) => string,
): (cell: Cell) => string {
  const placeName = placeNamer(picture);
  const threatened = new Set((facts?.threats ?? []).map((threat) => keyOf(threat.at)));
  const last = facts?.last?.step.to;
  const lastKey = last ? keyOf(last) : -1;
  // There are few styles and many cells.
  const names = new Map([...styles].map(([token, style]) => [token, say(style.name)]));
  const [empty, danger, lastMove] = [t("board.empty"), t("board.danger"), t("board.lastMove")];
  return (cell) => {
    const parts = [placeName(cell.at)];
    if (cell.ground) parts.push(names.get(cell.ground) ?? cell.ground);
    if (!cell.piece) parts.push(empty);
    else if (cell.piece.number) parts.push(String(cell.piece.number));
    else parts.push(names.get(cell.piece.style) ?? cell.piece.style);
    if (threatened.has(keyOf(cell.at))) parts.push(danger);
    if (lastKey === keyOf(cell.at)) parts.push(lastMove);
    return parts.join(", ");
  };
}
