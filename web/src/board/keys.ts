// What keys mean, by their physical position, so that other keyboard layouts work.

import type { Heading } from "../protocol/types.ts";
import type { BoardCommand } from "./api.ts";
import type { Geometry, Place } from "./geometry.ts";

/** A way in which the focus goes. */
export type Way =
  | Heading
  | "up-left"
  | "up-right"
  | "down-left"
  | "down-right"
  | "row-start"
  | "row-end"
  | "column-start"
  | "column-end";

/** What a key does. */
export type KeyAction =
  | { do: "go"; way: Way }
  | { do: "activate" }
  | { do: "escape" }
  | { do: "next"; back: boolean }
  | { do: "block" }
  | { do: "zoom"; by: "in" | "out" | "all" }
  | { do: "command"; command: BoardCommand };

const WAYS: Record<string, Way> = {
  ArrowLeft: "left",
  ArrowRight: "right",
  ArrowUp: "up",
  ArrowDown: "down",
  Home: "row-start",
  End: "row-end",
  PageUp: "column-start",
  PageDown: "column-end",
};

const DIAGONALS: Record<string, Way> = {
  KeyQ: "up-left",
  KeyE: "up-right",
  KeyZ: "down-left",
  KeyC: "down-right",
};

const ZOOMS: Record<string, "in" | "out" | "all"> = {
  Equal: "in",
  NumpadAdd: "in",
  Minus: "out",
  NumpadSubtract: "out",
  Digit0: "all",
  Numpad0: "all",
};

const COMMANDS: Record<string, BoardCommand> = {
  KeyM: "type-move",
  KeyL: "read-moves",
  KeyI: "read-board",
  KeyT: "read-clocks",
  KeyP: "players",
  KeyU: "undo",
  KeyH: "hint",
  KeyB: "turn-board",
  Comma: "previous",
  Period: "next",
};

/** The parts of a keyboard event that matter. */
export interface Key {
  code: string;
  shiftKey: boolean;
  ctrlKey: boolean;
  altKey: boolean;
  metaKey: boolean;
}

/** What a key on the board does; `null` if it is none of the board's business. */
export function actionOf(key: Key): KeyAction | null {
  if (key.ctrlKey || key.altKey || key.metaKey) return null;
  const way = WAYS[key.code] ?? DIAGONALS[key.code];
  if (way) return { do: "go", way };
  const zoom = ZOOMS[key.code];
  if (zoom) return { do: "zoom", by: zoom };
  const command = COMMANDS[key.code];
  if (command) return { do: "command", command };
  switch (key.code) {
    case "Enter":
    case "NumpadEnter":
    case "Space":
      return { do: "activate" };
    case "Escape":
      return { do: "escape" };
    case "KeyN":
      return { do: "next", back: key.shiftKey };
    case "KeyR":
      return { do: "block" };
    case "Slash":
      return key.shiftKey ? { do: "command", command: "help" } : null;
    default:
      return null;
  }
}

/** How far one step goes on the screen, in rows and columns. */
const STEPS: Record<"squares" | "star", Partial<Record<Way, readonly [number, number]>>> = {
  squares: {
    left: [0, -1],
    right: [0, 1],
    up: [-1, 0],
    down: [1, 0],
    "up-left": [-1, -1],
    "up-right": [-1, 1],
    "down-left": [1, -1],
    "down-right": [1, 1],
  },
  // In a star, holes below one another are two rows apart.
  star: {
    left: [0, -2],
    right: [0, 2],
    up: [-2, 0],
    down: [2, 0],
    "up-left": [-1, -1],
    "up-right": [-1, 1],
    "down-left": [1, -1],
    "down-right": [1, 1],
  },
};

function isWithin(geometry: Geometry, row: number, column: number): boolean {
  return row >= 0 && column >= 0 && row < geometry.rows && column < geometry.columns;
}

/** Rises in reading order. */
function order({ shown: [row, column] }: Place): number {
  return row * 256 + column;
}

/** Where the focus goes from a place. It stays if there is nothing that way. */
export function goFrom(geometry: Geometry, from: Place, way: Way): Place {
  const [row, column] = from.shown;
  const inLine = (isInRow: boolean): Place[] =>
    geometry.places
      .filter(({ shown }) => (isInRow ? shown[0] === row : shown[1] === column))
      .sort((one, other) => order(one) - order(other));
  switch (way) {
    case "row-start":
      return inLine(true).at(0) ?? from;
    case "row-end":
      return inLine(true).at(-1) ?? from;
    case "column-start":
      return inLine(false).at(0) ?? from;
    case "column-end":
      return inLine(false).at(-1) ?? from;
  }
  const step = STEPS[geometry.layout === "star" ? "star" : "squares"][way];
  if (!step) return from;
  let [nextRow, nextColumn] = [row + step[0], column + step[1]];
  while (isWithin(geometry, nextRow, nextColumn)) {
    const place = geometry.shownAt(nextRow, nextColumn);
    if (place) return place;
    // Between the points of a star there is nothing; the next hole that way may come later.
    [nextRow, nextColumn] = [nextRow + step[0], nextColumn + step[1]];
  }
  return from;
}

/** The next of some places in reading order, after (or before) the one that has the focus. */
export function nextOf(
  geometry: Geometry,
  keys: ReadonlySet<number> | ReadonlyMap<number, unknown>,
  from: Place,
  back: boolean,
): Place | undefined {
  const places = geometry.places.filter((place) => keys.has(place.key)).sort((one, other) => order(one) - order(other));
  return back
    ? (places.findLast((place) => order(place) < order(from)) ?? places.at(-1))
    : (places.find((place) => order(place) > order(from)) ?? places.at(0));
}
