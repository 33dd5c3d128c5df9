// Which rows of a long list exist, where they stand and what is in them: all rows are equally high, so that this is
// reckoned and never measured.

/** How many rows exist beyond each edge, so that a quick scroll shows no gap. */
const BEYOND = 4;
/** A list that is followed grows by so many rows at a time. */
const GROWTH = 100;

export interface Seen {
  /** The indices of the rows that exist. */
  rows: readonly number[];
  /** The numbers of the first and the last move in them. */
  firstMove: number;
  lastMove: number;
}

export class Rows {
  readonly moves: number;
  readonly empty: number;
  readonly perRow: number;
  readonly rowHeight: number;
  readonly count: number;

  /** `empty` places come before the first move. */
  constructor({ moves, empty, perRow, rowHeight }: Pick<Rows, "moves" | "empty" | "perRow" | "rowHeight">) {
    this.moves = moves;
    this.empty = empty;
    this.perRow = perRow;
    this.rowHeight = rowHeight;
    this.count = moves === 0 ? 0 : Math.ceil((moves + empty) / perRow);
  }

  get height(): number {
    return this.count * this.rowHeight;
  }

  /**
   * How much room is left above the first row while the end of a list that is higher than its window is followed: rows
   * move up into it, and the list itself, which it costs a browser much to scroll, grows only now and then.
   */
  room(height: number): number {
    return this.height <= height ? 0 : (GROWTH - (this.count % GROWTH)) * this.rowHeight;
  }

  /** The row of a move. */
  rowOf(number: number): number {
    return Math.floor((number - 1 + this.empty) / this.perRow);
  }

  /** The numbers of the moves in a row; 0 for an empty place. */
  numbers(row: number): number[] {
    const first = row * this.perRow + 1 - this.empty;
    return Array.from({ length: this.perRow }, (_, place) => {
      const number = first + place;
      return number >= 1 && number <= this.moves ? number : 0;
    });
  }

  /** The rows that exist if so much is scrolled away above a window of that height. */
  around(scrolled: number, height: number): Seen {
    const top = Math.max(0, Math.min(scrolled, this.height - height));
    const first = Math.max(0, Math.floor(top / this.rowHeight) - BEYOND);
    const end = Math.min(this.count, Math.ceil((top + height) / this.rowHeight) + BEYOND);
    return {
      rows: Array.from({ length: Math.max(0, end - first) }, (_, index) => first + index),
      firstMove: Math.max(1, first * this.perRow + 1 - this.empty),
      lastMove: Math.min(this.moves, end * this.perRow - this.empty),
    };
  }

  /** How far to scroll so that a move is seen: not at all if it is, or else so that it stands in the middle. */
  reveal(number: number, scrolled: number, height: number): number {
    if (number === 0) return 0;
    const top = this.rowOf(number) * this.rowHeight;
    const isSeen = top >= scrolled && top + this.rowHeight <= scrolled + height;
    return isSeen ? scrolled : top + this.rowHeight / 2 - height / 2;
  }
}
