// The grid that screen readers and keys find. It is kept by hand: a large board has 900 places, of which an input
// changes a few.

import type { Cell } from "../protocol/types.ts";
import type { Place } from "./geometry.ts";
import type { Target } from "./selection.ts";

const SVG = "http://www.w3.org/2000/svg";

/** What the grid shows. Whatever is the same object as before is taken to be unchanged. */
export interface GridState {
  cells: readonly Cell[];
  places: readonly Place[];
  /** How high a place is; all are 100 wide. */
  height: number;
  label: (cell: Cell) => string;
  /** What is said of places that can be pointed at next. */
  targetWord: string;
  /** The place that Tab leads to; `null` if it leads to the board as a whole. */
  focus: number | null;
  selected: number | null;
  starts: ReadonlySet<number>;
  targets: ReadonlyMap<number, Target>;
}

type Keys = { has: (key: number) => boolean; keys: () => Iterable<number> };

/** Keeps the elements of a grid. */
export class CellGrid {
  readonly #group: Element;
  readonly #rects = new Map<number, Element>();
  #shown: GridState | null = null;

  constructor(group: Element) {
    this.#group = group;
  }

  /** Shows a state. */
  update(next: GridState): void {
    let before = this.#shown;
    if (!before || !sameKeys(before.places, next.places)) {
      before = null;
      this.#build(next);
    } else if (before.places !== next.places) this.#arrange(next);
    if (before?.cells !== next.cells || before.label !== next.label) {
      next.cells.forEach((cell, index) => this.#label(cell, next.places[index], next));
    } else if (before.targets !== next.targets) {
      this.#relabel(before.targets, next);
    }
    if (before?.focus !== next.focus) {
      this.#set(before?.focus, "tabindex", "-1");
      this.#set(next.focus, "tabindex", "0");
    }
    if (before?.selected !== next.selected) {
      this.#set(before?.selected, "aria-selected", "false");
      this.#set(next.selected, "aria-selected", "true");
    }
    this.#toggle("movable", before?.starts, next.starts);
    this.#toggle("target", before?.targets, next.targets);
    this.#shown = next;
  }

  #set(key: number | null | undefined, name: string, value: string): void {
    if (key != null) this.#rects.get(key)?.setAttribute(name, value);
  }

  #toggle(name: string, before: Keys | undefined, next: Keys): void {
    if (before === next) return;
    for (const key of before?.keys() ?? []) if (!next.has(key)) this.#rects.get(key)?.classList.remove(name);
    for (const key of next.keys()) this.#rects.get(key)?.classList.add(name);
  }

  #label(cell: Cell, place: Place | undefined, state: GridState): void {
    const rect = place && this.#rects.get(place.key);
    if (!rect) return;
    const plain = state.label(cell);
    const label = state.targets.has(place.key) ? `${plain}, ${state.targetWord}` : plain;
    if (rect.getAttribute("aria-label") !== label) rect.setAttribute("aria-label", label);
  }

  #relabel(before: ReadonlyMap<number, Target>, next: GridState): void {
    next.cells.forEach((cell, index) => {
      const place = next.places[index];
      if (place && before.has(place.key) !== next.targets.has(place.key)) this.#label(cell, place, next);
    });
  }

  #build({ cells, places, height, focus }: GridState): void {
    this.#rects.clear();
    const document = this.#group.ownerDocument;
    const pattern = document.createElementNS(SVG, "rect");
    pattern.setAttribute("role", "gridcell");
    pattern.setAttribute("width", "100");
    pattern.setAttribute("height", String(height));
    pattern.setAttribute("aria-selected", "false");
    if (focus !== null) pattern.setAttribute("tabindex", "-1");
    const rows = new Map<number, Element>();
    cells.forEach(({ at: [row] }, index) => {
      const place = places[index];
      if (!place) return;
      let group = rows.get(row);
      if (!group) {
        group = document.createElementNS(SVG, "g");
        group.setAttribute("role", "row");
        rows.set(row, group);
      }
      const rect = pattern.cloneNode() as Element;
      rect.setAttribute("data-key", String(place.key));
      group.append(rect);
      this.#rects.set(place.key, rect);
    });
    this.#arrange({ places, height });
    this.#group.replaceChildren(...rows.values());
  }

  /** Puts the elements where their places are seen. They stay the same, so that none loses the focus. */
  #arrange({ places, height }: Pick<GridState, "places" | "height">): void {
    for (const place of places) {
      const rect = this.#rects.get(place.key);
      rect?.setAttribute("x", String(place.x - 50));
      rect?.setAttribute("y", String(place.y - height / 2));
    }
  }
}

function sameKeys(before: readonly Place[], next: readonly Place[]): boolean {
  if (before === next) return true;
  return before.length === next.length && before.every((place, index) => place.key === next[index]?.key);
}
