// The names of rows and columns as they are seen from a side.

import type { BoardPicture } from "../protocol/types.ts";
import type { Geometry } from "./geometry.ts";

/** The names along the top and along the left, whatever rows or columns are seen there. */
export function edgeNames(picture: BoardPicture, geometry: Geometry): { top: string[]; left: string[] } {
  const { turned } = geometry;
  const [top, left] = turned % 2 === 1 ? [picture.rows, picture.columns] : [picture.columns, picture.rows];
  const isTopReversed = turned === 1 || turned === 2;
  const isLeftReversed = turned >= 2;
  return {
    top: isTopReversed ? top.toReversed() : top,
    left: isLeftReversed ? left.toReversed() : left,
  };
}

/** Every how many names there is room for one, squares being `cell` pixels wide. */
export function nameStep(cell: number): number {
  return [1, 2, 5, 10].find((step) => step * cell >= 20) ?? 10;
}
