// Zooming and panning of boards whose squares would be too small to be hit.

import { type Box, CELL, FRAME, type Geometry, type Point } from "./geometry.ts";

/** Squares smaller than this are too small to be hit, in pixels. */
export const SMALL = 28;
/** How large squares become when somebody taps on a board that is seen as a whole. */
export const READABLE = 36;
/** How large squares become at most. */
const LARGEST = 96;
/** How wide the strips with the names of rows and columns are. */
export const RULER = 18;
/** By how much a key zooms. */
const STEP = 1.4;

/** How large a square is where a board of squares just fits into a width. */
export function fittingCell(width: number, columns: number, strip: number): number {
  return columns > 0 ? Math.max(0, width - strip) / columns : 0;
}

/** Where to scroll so that a span of `length` at `start` is seen with a margin, in a window of `size` at `scroll`. */
export function revealing(scroll: number, size: number, start: number, length: number, margin: number): number {
  if (start - margin < scroll) return start - margin;
  if (start + length + margin > scroll + size) return start + length + margin - size;
  return scroll;
}

/** A part of the window from which something out of sight can be reached. */
export interface Edge extends Point {
  /** In degrees, 0 being to the right, clockwise. */
  angle: number;
}

/** The scrolled window onto a board. */
export class Zoom {
  /** The width on the page in pixels; `null` until it is known, before which nothing need be drawn. */
  width = $state<number | null>(null);
  /** The size of a square if the whole board is not to be seen; `null` if it is. */
  #cell = $state<number | null>(null);
  /** Where the window is scrolled to, and how large it is without its rulers. */
  window = $state.raw<Box>({ x: 0, y: 0, width: 0, height: 0 });
  readonly #geometry: () => Geometry;
  #scroller: HTMLElement | null = null;

  constructor(geometry: () => Geometry) {
    this.#geometry = geometry;
  }

  /** Whether the board has to be zoomed before it can be played on by pointer. */
  get isNeeded(): boolean {
    const geometry = this.#geometry();
    if (geometry.layout !== "squares" || !this.width) return false;
    // Measured with the usual frame, so that its being left out changes nothing.
    return fittingCell(this.width, geometry.columns + (2 * FRAME) / CELL, 0) < SMALL;
  }

  /** The size of a square when all of the board is seen. */
  get fitting(): number {
    return fittingCell(this.width ?? 0, this.#geometry().columns, RULER);
  }

  /** The size of a square now, in pixels. */
  get cell(): number {
    const { box, pitch } = this.#geometry();
    if (!this.isNeeded) return ((this.width ?? 0) / box.width) * pitch;
    return Math.max(this.fitting, this.#cell ?? 0);
  }

  /** Whether the board is so small that it is looked at and not played on. */
  get isOverview(): boolean {
    return this.isNeeded && this.cell < SMALL;
  }

  /** Whether parts of the board are out of sight. */
  get isZoomed(): boolean {
    return this.isNeeded && this.cell > this.fitting * 1.01;
  }

  /** Uses an element to scroll in; returns how to stop. */
  attach(scroller: HTMLElement): () => void {
    this.#scroller = scroller;
    this.#note(0, 0);
    return () => (this.#scroller = null);
  }

  /** Takes note of where the window is. */
  measure(): void {
    if (this.#scroller) this.#note(this.#scroller.scrollLeft, this.#scroller.scrollTop);
  }

  /** The size of the window follows from the width on the page, which saves a layout. */
  #note(x: number, y: number): void {
    const { rows, columns } = this.#geometry();
    const width = this.width ?? 0;
    this.window = { x, y, width: width - RULER, height: (width * rows) / columns - RULER };
  }

  /**
   * Makes squares as large as asked for. A point of the board stays where it is in the window, or comes to the middle.
   *
   * `applied` waits until the board is drawn in its new size.
   */
  async to(cell: number, point: Point, stay: boolean, applied: () => Promise<void>): Promise<void> {
    const before = this.cell;
    this.measure();
    const { x, y, width, height } = this.window;
    const inWindow = stay
      ? { x: (point.x / CELL) * before - x, y: (point.y / CELL) * before - y }
      : { x: width / 2, y: height / 2 };
    this.#cell = cell <= this.fitting ? null : Math.min(LARGEST, cell);
    await applied();
    this.#scroll((point.x / CELL) * this.cell - inWindow.x, (point.y / CELL) * this.cell - inWindow.y);
  }

  /** The size of squares after a key or a turn of the wheel. */
  stepped(by: "in" | "out" | "all"): number {
    if (by === "all") return this.fitting;
    return by === "in" ? Math.max(READABLE, this.cell * STEP) : this.cell / STEP;
  }

  /** The middle of what is seen, in units of the drawing. */
  get middle(): Point {
    const { x, y, width, height } = this.window;
    return { x: ((x + width / 2) / this.cell) * CELL, y: ((y + height / 2) / this.cell) * CELL };
  }

  /** Moves the board under the window. */
  pan(right: number, down: number): void {
    // That the window has moved is told by the scroller itself, once for each picture.
    this.#scroller?.scrollBy(-right, -down);
  }

  /** Brings a point to the middle of the window. */
  centre(point: Point): void {
    const { width, height } = this.window;
    this.#scroll((point.x / CELL) * this.cell - width / 2, (point.y / CELL) * this.cell - height / 2);
  }

  /** Scrolls as little as is needed to see the square around a point. */
  reveal(point: Point): void {
    if (!this.isZoomed) return;
    const { cell } = this;
    const { x, y, width, height } = this.window;
    const [left, top] = [(point.x / CELL - 0.5) * cell, (point.y / CELL - 0.5) * cell];
    this.#scroll(revealing(x, width, left, cell, cell / 2), revealing(y, height, top, cell, cell / 2));
  }

  /**
   * Where at the edge of the window a point is to be found that is out of sight, in pixels of the window.
   *
   * The bottom right corner is left free for something of size `corner`.
   */
  edgeTowards(point: Point, corner: number): Edge | null {
    if (!this.isZoomed) return null;
    const { x, y, width, height } = this.window;
    const at = { x: (point.x / CELL) * this.cell - x, y: (point.y / CELL) * this.cell - y };
    if (at.x >= 0 && at.y >= 0 && at.x <= width && at.y <= height) return null;
    const margin = 24;
    const clamp = (value: number, size: number): number => Math.min(size - margin, Math.max(margin, value));
    const edge = { x: clamp(at.x, width), y: clamp(at.y, height) };
    const free = corner + 2 * margin;
    if (edge.x > width - free && edge.y > height - free) edge.x = width - free;
    return { ...edge, angle: Math.round((Math.atan2(at.y - edge.y, at.x - edge.x) * 180) / Math.PI) };
  }

  #scroll(left: number, top: number): void {
    if (!this.#scroller) return;
    this.#scroller.scrollLeft = left;
    this.#scroller.scrollTop = top;
    this.measure();
  }
}
