// How messages change what is known of a table. Pure functions: a state and a message give the next state.
import type {
  BoardPicture,
  BoardState,
  BoardUpdate,
  Cell,
  Change,
  ChatLine,
  LastMove,
  Presence,
  Spot,
  TableState,
  Update,
} from "../protocol/types.ts";

/** A board as it stands; its moves are in its history. */
export type KnownBoard = Omit<BoardState, "skipped" | "plies">;

/** What is known of a table. */
export type KnownTable = Omit<TableState, "boards"> & { boards: readonly KnownBoard[] };

/** The table that is told as a whole. */
export function knownTable(state: TableState): KnownTable {
  return { ...state, boards: state.boards.map(({ picture, facts }) => ({ picture, facts })) };
}

/** The table after `update`, which must follow what is known. */
export function applyUpdate(state: KnownTable, update: Update): KnownTable {
  const boards = [...state.boards];
  for (const change of update.boards) {
    const board = boards[change.board];
    if (board) boards[change.board] = updateBoard(board, change);
  }
  const { seq, paused, skipping, pace, ranking } = update;
  return { ...state, boards, seq, paused, skipping, pace, ranking };
}

function updateBoard(board: KnownBoard, update: BoardUpdate): KnownBoard {
  return {
    picture: updatePicture(board.picture, update.changes),
    facts: { last: lastShown(update), ...update.facts },
  };
}

/** The last move of a player among the steps that an update shows. */
function lastShown({ plies, steps }: BoardUpdate): LastMove | undefined {
  const index = plies.findLastIndex((ply) => typeof ply.seat === "number");
  const [ply, step] = [plies[index], steps[index]];
  return typeof ply?.seat === "number" && step ? { seat: ply.seat, token: ply.token, step } : undefined;
}

function updatePicture(picture: BoardPicture, changes: Change[]): BoardPicture {
  if (changes.length === 0) return picture;
  const width = picture.columns.length;
  const index = ([row, column]: Spot): number => row * width + column;
  const news = new Map<number, Cell>();
  for (const { spots, ...cell } of changes) for (const at of spots) news.set(index(at), { at, ...cell });
  return { ...picture, cells: picture.cells.map((cell) => news.get(index(cell.at)) ?? cell) };
}

/** The table with who is there now: one entry for each seat, null where no person plays. */
export function applyPresence(
  state: KnownTable,
  presence: readonly (Presence | null)[],
  spectators: number,
): KnownTable {
  const seats = state.seats.map((seat, index) => ({ ...seat, presence: presence[index] ?? null }));
  return { ...state, seats, spectators };
}

/** What has been said, with `more` behind it. Lines that are told again after a break are known by their number. */
export function addLines(lines: readonly ChatLine[], more: readonly ChatLine[]): readonly ChatLine[] {
  const known = new Set(lines.map(({ seq }) => seq));
  const added = more.filter(({ seq }) => !known.has(seq));
  return added.length === 0 ? lines : [...lines, ...added].sort((one, other) => one.seq - other.seq);
}
