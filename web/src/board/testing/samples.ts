// Small boards for tests, drawn as text.

import type { BoardFacts, BoardPicture, Cell, MoveState, Piece, Spot, Style } from "../../protocol/types.ts";
import { sameSpot } from "../geometry.ts";

type Shape = { piece: "disc" | "marble" | "tile" };
type Look = Partial<Pick<Style, "colour" | "sign" | "ornament" | "letter">>;

function style(
  token: string,
  name: string,
  form: Shape | { ground: "hatched" | "crossed" | "chevron" | "outlined" },
  look: Look = {},
): Style {
  return { token, name, colour: null, sign: null, ornament: null, letter: null, ...look, ...form };
}

export const DISCS: Style[] = [
  style("camp", "ground.camp", { ground: "hatched" }),
  style("castle", "ground.castle", { ground: "crossed" }, { ornament: "frame" }),
  style("exit", "ground.exit", { ground: "chevron" }),
  style("black", "piece.black", { piece: "disc" }, { colour: "black", sign: "ring" }),
  style("white", "piece.white", { piece: "disc" }, { colour: "white" }),
  style("king", "piece.king", { piece: "disc" }, { colour: "white", ornament: "crown" }),
];

const COLOURS = [
  ["green", "triangle"],
  ["yellow", "ring"],
  ["orange", "bar"],
  ["red", "cross"],
  ["purple", "diamond"],
  ["blue", "two-bars"],
] as const;

export const MARBLES: Style[] = COLOURS.flatMap(([colour, sign]) => [
  style(`marble-${colour}`, `piece.${colour}`, { piece: "marble" }, { colour, sign }),
  style(`home-${colour}`, `ground.${colour}`, { ground: "outlined" }, { colour, sign }),
]);

export const TILES: Style[] = [
  style("tile", "piece.tile", { piece: "tile" }, { colour: "by-number" }),
  style("prize", "piece.tile", { piece: "tile" }, { colour: "by-number", ornament: "frame" }),
];

const PIECES: Record<string, Piece> = {
  b: { style: "black", owner: 0 },
  w: { style: "white", owner: 1 },
  k: { style: "king", owner: 1 },
};
const GROUNDS: Record<string, string> = { "#": "camp", "+": "castle", "^": "exit" };

/** A board of squares: one line a row, `b w k` pieces, `# + ^` grounds, `.` nothing. Grounds may be given apart. */
export function squares(pieces: string, grounds = "", surface = "wood"): BoardPicture {
  const lines = pieces.trim().split(/\s+/);
  const below = grounds.trim().split(/\s+/);
  const size = lines.length;
  const cells = lines.flatMap((line, row) =>
    [...line].map((letter, column): Cell => {
      const ground = GROUNDS[below[row]?.[column] ?? ""] ?? GROUNDS[letter];
      const piece = PIECES[letter];
      return { at: [row, column], ...(ground ? { ground } : {}), ...(piece ? { piece } : {}) };
    }),
  );
  return {
    layout: "squares",
    surface,
    places: "{column}{row}",
    rows: Array.from({ length: size }, (_, row) => String(row + 1)),
    columns: Array.from({ length: lines[0]?.length ?? 0 }, (_, column) => String.fromCharCode(97 + column)),
    cells,
  };
}

/** The homes of a star, as the game lays them out: by the colour, whether a place belongs to it. */
function homeOf(row: number, column: number): string | null {
  if (row < 4) return "green";
  if (row > 12) return "red";
  const [side, depth] = [column < 12 ? "left" : "right", column < 12 ? column : 24 - column];
  if (row < 8 && depth <= 6 - (row - 4)) return side === "left" ? "blue" : "yellow";
  if (row > 8 && depth <= 6 - (12 - row)) return side === "left" ? "purple" : "orange";
  return null;
}

function isHole(row: number, column: number): boolean {
  if ((row + column) % 2 !== 0) return false;
  const [down, right] = [Math.abs(row - 8), Math.abs(column - 12)];
  const isUpright = row <= 12 && right <= row;
  const isUpsideDown = row >= 4 && right <= 16 - row;
  return down <= 8 && (isUpright || isUpsideDown);
}

/** A star with full homes, some of whose marbles may have gone elsewhere. */
export function star(moved: readonly [from: string, to: string][] = []): BoardPicture {
  const names = (count: number): string[] =>
    Array.from({ length: count }, (_, index) => String(index).padStart(2, "0"));
  const cells: Cell[] = [];
  for (let row = 0; row < 17; row += 1) {
    for (let column = 0; column < 25; column += 1) {
      if (!isHole(row, column)) continue;
      const home = homeOf(row, column);
      const owner = COLOURS.findIndex(([colour]) => colour === home);
      cells.push({
        at: [row, column],
        ...(home ? { ground: `home-${home}`, piece: { style: `marble-${home}`, owner } } : {}),
      });
    }
  }
  const picture: BoardPicture = {
    layout: "star",
    surface: "tray",
    places: "{row}{column}",
    rows: names(17),
    columns: names(25),
    cells,
  };
  for (const [from, to] of moved) {
    const [source, target] = [cellAt(picture, hole(from)), cellAt(picture, hole(to))];
    target.piece = source.piece;
    delete source.piece;
  }
  return picture;
}

/** The place of a hole by its name: `0309` is row 3, column 9. */
export function hole(name: string): Spot {
  return [Number(name.slice(0, 2)), Number(name.slice(2))];
}

/** The place of a square by its name: `c2` is row 1, column 2. */
export function square(name: string): Spot {
  return [Number(name.slice(1)) - 1, name.charCodeAt(0) - 97];
}

/** Tiles, a row a line, 0 for none. */
export function tiles(numbers: string): BoardPicture {
  const lines = numbers
    .trim()
    .split("\n")
    .map((line) => line.trim().split(/\s+/).map(Number));
  const names = ["0", "1", "2", "3"];
  return {
    layout: "tiles",
    surface: "tray",
    places: "{row},{column}",
    rows: names,
    columns: names,
    cells: lines.flatMap((line, row) =>
      line.map((number, column): Cell => ({
        at: [row, column],
        ...(number > 0 ? { piece: { style: number < 2048 ? "tile" : "prize", owner: 0, number } } : {}),
      })),
    ),
  };
}

/** The cell of a place, which must exist. */
export function cellAt(picture: BoardPicture, spot: Spot): Cell {
  const cell = picture.cells.find(({ at }) => sameSpot(at, spot));
  if (!cell) throw new Error(`no cell in row ${spot[0]}, column ${spot[1]}`);
  return cell;
}

/** Facts of a position in which nothing has happened. */
export function factsWith(moves: MoveState[] = [], more: Partial<BoardFacts> = {}): BoardFacts {
  return {
    canTakeBack: false,
    counts: [],
    ply: 0,
    movesMade: 0,
    position: "",
    stopped: false,
    turn: 0,
    waits: false,
    moves,
    ...more,
  };
}

/** The move of a piece from one square to another. */
export function moveOf(from: Spot, to: Spot, token: string, more: Partial<MoveState> = {}): MoveState {
  return { kind: "move", token, from, to, effects: [{ kind: "move", from, to }], ...more };
}
