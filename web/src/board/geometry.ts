// Where places lie on the screen. Everything else asks here, so that a turned board needs no thought elsewhere.

import type { BoardPicture, Layout, Spot } from "../protocol/types.ts";

/** A point in the units of the drawing. */
export interface Point {
  x: number;
  y: number;
}

/** A rectangle in the units of the drawing. */
export interface Box extends Point {
  width: number;
  height: number;
}

/** A place of the board, and where it is seen. */
export interface Place extends Point {
  /** Names the place. */
  key: number;
  /** The place on the board. */
  spot: Spot;
  /** Row and column on the screen: those of the board unless it is turned. */
  shown: Spot;
}

/** How wide a square is. */
export const CELL = 100;
/** How wide the frame with the names of rows and columns is. */
export const FRAME = 44;
/** How wide a frame without names is. */
export const BARE_FRAME = 28;
/** How far rows of a star lie apart; neighbours in a row are two columns and hence 100 apart. */
export const STAR_ROW = 86.6;
/** How wide a tile is. */
export const TILE = 100;
/** How far tiles lie apart. */
export const GAP = 12;

const STAR_MARGIN = 100;

/** A rectangle as the value of a drawing's `viewBox`. */
export function boxText({ x, y, width, height }: Box): string {
  return `${x} ${y} ${width} ${height}`;
}

/** Names a place. Boards have at most 255 rows and columns. */
export function keyOf([row, column]: Spot): number {
  return row * 256 + column;
}

/** The place with such a key. */
export function spotOf(key: number): Spot {
  return [Math.floor(key / 256), key % 256];
}

/** Whether two places are the same. */
export function sameSpot(one: Spot | null | undefined, other: Spot | null | undefined): boolean {
  return !!one && !!other && one[0] === other[0] && one[1] === other[1];
}

/** What moves call a place. */
export function placeName(picture: BoardPicture, spot: Spot): string {
  return placeNamer(picture)(spot);
}

/** Tells what moves call a place, quickly for those who ask about all of them. */
export function placeNamer({ places, rows, columns }: BoardPicture): (spot: Spot) => string {
  const parts = places.split(/(\{row\}|\{column\})/);
  return ([row, column]) => {
    let name = "";
    for (const part of parts) {
      if (part === "{row}") name += rows[row] ?? "";
      else if (part === "{column}") name += columns[column] ?? "";
      else name += part;
    }
    return name;
  };
}

/** How many steps a full turn of the board has. */
export function turnsOf(layout: Layout): number {
  return { squares: 4, star: 6, tiles: 1 }[layout];
}

/** A number of steps as one that is not negative and less than a full turn. */
export function wrapped(turned: number, turns: number): number {
  return ((turned % turns) + turns) % turns;
}

function turnSquare(spot: Spot, rows: number, columns: number, turned: number): Spot {
  const [row, column] = spot;
  switch (turned) {
    case 1:
      return [column, rows - 1 - row];
    case 2:
      return [rows - 1 - row, columns - 1 - column];
    case 3:
      return [columns - 1 - column, row];
    default:
      return spot;
  }
}

function turnHole([row, column]: Spot, rows: number, columns: number, turned: number): Spot {
  const [middleRow, middleColumn] = [(rows - 1) / 2, (columns - 1) / 2];
  let [down, right] = [row - middleRow, column - middleColumn];
  for (let step = 0; step < turned; step += 1) {
    // A sixth of a turn clockwise, rows being √3 times as far apart as columns.
    [down, right] = [(right + down) / 2, (right - 3 * down) / 2];
  }
  return [down + middleRow, right + middleColumn];
}

/** Where the places of a board are seen. */
export class Geometry {
  readonly layout: Layout;
  /** By how many steps the board is turned, from 0 to one less than a full turn. */
  readonly turned: number;
  /** How much room squares have around them. */
  readonly frame: number;
  readonly places: readonly Place[];
  /** How many rows and columns are seen. */
  readonly rows: number;
  readonly columns: number;
  /** What the drawing covers. */
  readonly box: Box;
  /** How far neighbours lie apart. */
  readonly pitch: number;
  readonly #byKey: Map<number, Place>;
  readonly #byShown: Map<number, Place>;

  /** `like` is the same board in another frame: where places lie need not be found out again. */
  constructor(picture: BoardPicture, turned = 0, frame = FRAME, like?: Geometry) {
    const [rows, columns] = [picture.rows.length, picture.columns.length];
    this.layout = picture.layout;
    this.turned = wrapped(turned, turnsOf(picture.layout));
    this.frame = frame;
    [this.rows, this.columns] = this.#isSideways ? [columns, rows] : [rows, columns];
    this.places = like ? like.places : picture.cells.map(({ at }) => this.#place(at, rows, columns));
    this.#byKey = like ? like.#byKey : new Map(this.places.map((place) => [place.key, place]));
    this.#byShown = like ? like.#byShown : new Map(this.places.map((place) => [keyOf(place.shown), place]));
    this.pitch = this.layout === "tiles" ? TILE + GAP : CELL;
    this.box = this.#cover(frame);
  }

  #place(spot: Spot, rows: number, columns: number): Place {
    const shown =
      this.layout === "squares"
        ? turnSquare(spot, rows, columns, this.turned)
        : this.layout === "star"
          ? turnHole(spot, rows, columns, this.turned)
          : spot;
    return { key: keyOf(spot), spot, shown, ...this.#centre(shown) };
  }

  #centre([row, column]: Spot): Point {
    switch (this.layout) {
      case "squares":
        return { x: CELL * column + CELL / 2, y: CELL * row + CELL / 2 };
      case "star":
        return { x: (CELL / 2) * column, y: STAR_ROW * row };
      case "tiles":
        return {
          x: GAP + (TILE + GAP) * column + TILE / 2,
          y: GAP + (TILE + GAP) * row + TILE / 2,
        };
    }
  }

  #cover(frame: number): Box {
    switch (this.layout) {
      case "squares":
        return {
          x: -frame,
          y: -frame,
          width: CELL * this.columns + 2 * frame,
          height: CELL * this.rows + 2 * frame,
        };
      case "star":
        return {
          x: -STAR_MARGIN,
          y: -STAR_MARGIN,
          width: (CELL / 2) * (this.columns - 1) + 2 * STAR_MARGIN,
          height: Math.ceil(STAR_ROW * (this.rows - 1) + 2 * STAR_MARGIN),
        };
      case "tiles":
        return {
          x: 0,
          y: 0,
          width: (TILE + GAP) * this.columns + GAP,
          height: (TILE + GAP) * this.rows + GAP,
        };
    }
  }

  /** Whether another picture, turned like that, lies just like this one. */
  fits(picture: BoardPicture, turned: number): boolean {
    return (
      picture.layout === this.layout &&
      wrapped(turned, turnsOf(this.layout)) === this.turned &&
      picture.cells.length === this.places.length &&
      picture.rows.length === (this.#isSideways ? this.columns : this.rows) &&
      picture.cells.every(({ at }, index) => sameSpot(at, this.places[index]?.spot))
    );
  }

  get #isSideways(): boolean {
    return this.layout === "squares" && this.turned % 2 === 1;
  }

  /** The value of the drawing's `viewBox`. */
  get viewBox(): string {
    return boxText(this.box);
  }

  /** The rectangle around the places from the first row and column of `part` to its last ones. */
  partBox(part: readonly Spot[]): Box {
    const [rows, columns] = [part.map(([row]) => row), part.map(([, column]) => column)];
    const isWithin = (value: number, all: number[]) => value >= Math.min(...all) && value <= Math.max(...all);
    const shown = this.places.filter(({ spot }) => isWithin(spot[0], rows) && isWithin(spot[1], columns));
    if (shown.length === 0) return this.box;
    const [xs, ys] = [shown.map(({ x }) => x), shown.map(({ y }) => y)];
    const [x, y] = [Math.min(...xs) - CELL / 2, Math.min(...ys) - CELL / 2];
    return { x, y, width: Math.max(...xs) + CELL / 2 - x, height: Math.max(...ys) + CELL / 2 - y };
  }

  /** A place by its key. */
  place(key: number): Place | undefined {
    return this.#byKey.get(key);
  }

  /** The place that is seen in a row and a column of the screen. */
  shownAt(row: number, column: number): Place | undefined {
    return this.#byShown.get(keyOf([row, column]));
  }

  /** Where a place of the board is seen. Places that do not exist lie in the corner. */
  at(spot: Spot): Point {
    return this.#byKey.get(keyOf(spot)) ?? { x: 0, y: 0 };
  }

  /** The middle of a block of four, given its top left cell on the board. */
  blockCentre(corner: Spot): Point {
    const [row, column] = corner;
    const [one, other] = [this.at(corner), this.at([row + 1, column + 1])];
    return { x: (one.x + other.x) / 2, y: (one.y + other.y) / 2 };
  }

  /** The place that somebody means who points at a point: on a star the nearest hole. */
  hit(point: Point): Place | undefined {
    if (this.layout !== "star") {
      const offset = this.layout === "tiles" ? GAP / 2 : 0;
      return this.shownAt(Math.floor((point.y - offset) / this.pitch), Math.floor((point.x - offset) / this.pitch));
    }
    let best: Place | undefined;
    let least = this.pitch * 0.6;
    for (const place of this.places) {
      const distance = Math.hypot(place.x - point.x, place.y - point.y);
      if (distance < least) [best, least] = [place, distance];
    }
    return best;
  }
}

/** The point of the drawing under a point of the screen, `shown` being where the drawing with this `box` is. */
export function pointAt(
  shown: { left: number; top: number; width: number; height: number },
  box: Box,
  clientX: number,
  clientY: number,
): Point {
  // As `preserveAspectRatio="xMidYMid meet"` has it.
  const scale = Math.min(shown.width / box.width, shown.height / box.height) || 1;
  const left = shown.left + (shown.width - scale * box.width) / 2;
  const top = shown.top + (shown.height - scale * box.height) / 2;
  return { x: box.x + (clientX - left) / scale, y: box.y + (clientY - top) / scale };
}
