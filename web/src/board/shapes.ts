// Outlines: what is drawn on pieces and grounds, as path data.

import type { BoardPicture, Ornament, Pattern, Shape, Sign, Spot, Style } from "../protocol/types.ts";
import { CELL, type Geometry, type Point } from "./geometry.ts";

/** What is drawn on a piece of radius 40, its middle at 0 0. Signs that are lines are stroked, others filled. */
export const SIGNS: Record<Sign, { path: string; filled: boolean }> = {
  triangle: { path: "M0 -16 L18 15 L-18 15 Z", filled: true },
  ring: { path: "M15 0 A15 15 0 1 1 -15 0 A15 15 0 1 1 15 0 Z", filled: false },
  bar: { path: "M-20 0 H20", filled: false },
  cross: { path: "M-14 -14 L14 14 M14 -14 L-14 14", filled: false },
  diamond: { path: "M0 -21 L17 0 L0 21 L-17 0 Z", filled: true },
  "two-bars": { path: "M-9 -15 V15 M9 -15 V15", filled: false },
};

/** A crown, its middle at 0 0. */
export const CROWN = "M-24 16 V-12 L-11 0 L0 -19 L11 0 L24 -12 V16 Z";

/** An arrow that turns clockwise, its middle at 0 0. */
export const TURN_ARROW = "M-7 8 A10.5 10.5 0 1 1 10.5 0";
export const TURN_ARROW_HEAD = "M4 -1 H17 L10.5 9 Z";

/** The ground of a style, `null` if it is the style of a piece. */
export function groundOf(style: Style): Pattern | null {
  return "ground" in style ? style.ground : null;
}

/** The shape of a style, `null` if it is the style of a ground. */
export function shapeOf(style: Style): Shape | null {
  return "piece" in style ? style.piece : null;
}

/** The colour of a role, as the theme has it. */
export function roleColour(style: Style | undefined, number?: number | null): string {
  if (!style?.colour) return "var(--muted)";
  if (style.colour !== "by-number") return `var(--role-${style.colour}, var(--muted))`;
  const exponent = Math.round(Math.log2(Math.max(2, number ?? 2)));
  return `var(--tile-${Math.min(17, exponent)})`;
}

/** The colours of what a board is made of, as the theme has them. */
export function surfaceColours(token: string): { plain: string; second: string; line: string } {
  const colour = (part: string): string => `var(--surface-${token}${part}, var(--line))`;
  return { plain: colour(""), second: colour("-second"), line: colour("-line") };
}

/** The size of the digits on a tile. */
export function digitSize(number: number): number {
  return [48, 48, 38, 29, 23, 19][String(number).length - 1] ?? 19;
}

function line(from: Point, to: Point): string {
  return `M${from.x} ${from.y}L${to.x} ${to.y}`;
}

/** The lines of a board of squares, its outline apart. */
export function gridLines(rows: number, columns: number): string {
  const across = Array.from({ length: rows - 1 }, (_, row) => `M0 ${CELL * (row + 1)}H${CELL * columns}`);
  const down = Array.from({ length: columns - 1 }, (_, column) => `M${CELL * (column + 1)} 0V${CELL * rows}`);
  return [...across, ...down].join("");
}

/** Every second square. */
export function chequers(rows: number, columns: number): string {
  let path = "";
  for (let row = 0; row < rows; row += 1) {
    for (let column = (row + 1) % 2; column < columns; column += 2) {
      path += `M${CELL * column} ${CELL * row}h${CELL}v${CELL}h-${CELL}z`;
    }
  }
  return path;
}

/** Parallel strokes over the square around a point. */
export function hatching({ x, y }: Point): string {
  const half = CELL / 2;
  let path = "";
  // A third of a square apart, so that they go on in the next square.
  for (const third of [-2, -1, 0, 1, 2]) {
    const shift = (third * CELL) / 6;
    const reach = half - Math.abs(shift);
    const [middleX, middleY] = [x + shift, y + shift];
    path += line(
      { x: round(middleX - reach), y: round(middleY + reach) },
      { x: round(middleX + reach), y: round(middleY - reach) },
    );
  }
  return path;
}

/** Both diagonals of the square around a point. */
export function crossing({ x, y }: Point): string {
  const half = CELL / 2;
  return (
    line({ x: x - half, y: y - half }, { x: x + half, y: y + half }) +
    line({ x: x + half, y: y - half }, { x: x - half, y: y + half })
  );
}

/** A point towards the nearest edge of the board, or towards the corner. */
export function chevron([row, column]: Spot, rows: number, columns: number): string {
  const outward = (index: number, count: number): number => (index === 0 ? -1 : index === count - 1 ? 1 : 0);
  let [dx, dy] = [outward(column, columns), outward(row, rows)];
  if (dx === 0 && dy === 0) {
    // Inside the board: towards the edge that is nearest.
    const [right, down] = [column - (columns - 1) / 2, row - (rows - 1) / 2];
    if (Math.abs(right) > Math.abs(down)) dx = Math.sign(right) || 1;
    else dy = Math.sign(down) || 1;
  }
  const centre = { x: CELL * (column + 0.5), y: CELL * (row + 0.5) };
  const length = Math.hypot(dx, dy);
  const [ux, uy] = [dx / length, dy / length];
  // In a corner there is more room.
  const reach = dx !== 0 && dy !== 0 ? 38 : 32;
  const tip = { x: centre.x + reach * ux, y: centre.y + reach * uy };
  const arm = (side: number): Point => ({
    x: round(tip.x - 15 * ux - side * 19 * uy),
    y: round(tip.y - 15 * uy + side * 19 * ux),
  });
  const [one, other] = [arm(1), arm(-1)];
  return `M${one.x} ${one.y}L${round(tip.x)} ${round(tip.y)}L${other.x} ${other.y}`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

/** The lines between neighbouring holes of a star. */
export function starLines(geometry: Geometry): string {
  let path = "";
  for (const place of geometry.places) {
    const [row, column] = place.shown;
    for (const [down, right] of [
      [0, 2],
      [1, 1],
      [1, -1],
    ] as const) {
      const other = geometry.shownAt(row + down, column + right);
      if (other) path += line({ x: place.x, y: round(place.y) }, { x: other.x, y: round(other.y) });
    }
  }
  return path;
}

/** The corners of the smallest convex outline of points, clockwise as seen. */
export function hull(points: readonly Point[]): Point[] {
  const sorted = [...points].sort((one, other) => one.x - other.x || one.y - other.y);
  const half = (list: readonly Point[]): Point[] => {
    const kept: Point[] = [];
    for (const point of list) {
      for (;;) {
        const [before, last] = [kept.at(-2), kept.at(-1)];
        if (!before || !last) break;
        const turn = (last.x - before.x) * (point.y - before.y) - (last.y - before.y) * (point.x - before.x);
        // Rows are rounded, so three holes in a line may look as if they bent a little.
        if (turn > 1) break;
        kept.pop();
      }
      kept.push(point);
    }
    return kept.slice(0, -1);
  };
  return [...half(sorted), ...half(sorted.reverse())];
}

/** An outline moved outwards by a distance. */
export function grown(outline: readonly Point[], distance: number): Point[] {
  const count = outline.length;
  if (count < 3) return [...outline];
  return outline.map((point, index) => {
    const before = outline[(index + count - 1) % count] ?? point;
    const after = outline[(index + 1) % count] ?? point;
    const normal = (from: Point, to: Point): Point => {
      const length = Math.hypot(to.x - from.x, to.y - from.y);
      return { x: (to.y - from.y) / length, y: -(to.x - from.x) / length };
    };
    const [one, other] = [normal(before, point), normal(point, after)];
    // Along the middle of both normals, farther the sharper the corner is.
    const scale = distance / (1 + one.x * other.x + one.y * other.y);
    return { x: point.x + scale * (one.x + other.x), y: point.y + scale * (one.y + other.y) };
  });
}

/** Grounds that are outlined as a whole, each with its outline. */
export function outlines(
  picture: BoardPicture,
  geometry: Geometry,
  styles: ReadonlyMap<string, Style>,
): { token: string; style: Style; points: string }[] {
  const byToken = new Map<string, Point[]>();
  for (const cell of picture.cells) {
    if (!cell.ground) continue;
    const points = byToken.get(cell.ground) ?? [];
    points.push(geometry.at(cell.at));
    byToken.set(cell.ground, points);
  }
  return [...byToken].flatMap(([token, places]) => {
    const style = styles.get(token);
    if (!style || groundOf(style) !== "outlined") return [];
    const corners = grown(hull(places), 39);
    return [{ token, style, points: corners.map(({ x, y }) => `${round(x)},${round(y)}`).join(" ") }];
  });
}

/** Styles by their tokens. */
export function stylesByToken(styles: readonly Style[]): Map<string, Style> {
  return new Map(styles.map((style) => [style.token, style]));
}

/** Whether a style has an ornament. */
export function has(style: Style | undefined, ornament: Ornament): boolean {
  return style?.ornament === ornament;
}
