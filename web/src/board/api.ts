// What the page and the boards say to one another.

import type { BoardFacts, BoardPicture, Cell, Gesture, LastMove, Spot, Step, Style } from "../protocol/types.ts";

/** The texts that boards need; the page translates them. `{…}` are filled in. */
export const BOARD_TEXTS = {
  "board.empty": "empty",
  "board.danger": "in danger",
  "board.target": "possible move",
  "board.lastMove": "last move",
  "board.selected": "{place} selected. Possible moves: {n}.",
  "board.cleared": "Nothing selected.",
  "board.block": "Block at {place}. Press Enter to rotate it.",
  "board.noBlock": "No block can be rotated here.",
  "board.play": "Play",
  "board.cancel": "Cancel",
  "board.ghost": "{place}: play here?",
  "board.ghostBlock": "Rotate this block?",
  "board.choose": "Choose a move: {moves}.",
  "board.toLastMove": "Show the last move",
  "board.zoomed": "Zoom {percent} %",
} as const;

/** The key of a text that boards need. */
export type BoardKey = keyof typeof BOARD_TEXTS;

/** Translates a text of the boards. */
export type BoardText = (key: BoardKey, params?: Record<string, string | number>) => string;

/** Keys that are pressed on the board but are the page's business. */
export type BoardCommand =
  | "type-move"
  | "read-moves"
  | "read-board"
  | "read-clocks"
  | "players"
  | "undo"
  | "hint"
  | "turn-board"
  | "previous"
  | "next"
  | "help";

/** What is shown of a board, be it for playing or for looking. */
export interface BoardLook {
  /** The board. A new object means a new position; cells that have not changed may be the same objects as before. */
  picture: BoardPicture;
  /** How grounds and pieces are drawn. */
  styles: readonly Style[];
  /** By how many sixths (star) or quarters (squares) of a turn the board is seen turned, clockwise. See `turnUnit`. */
  turned?: number;
  /** Whether rows and columns are named in the frame. */
  coordinates?: boolean;
}

/** The properties of `InteractiveBoard`. */
export interface InteractiveBoardProps extends BoardLook {
  /** The facts of the same position: legal moves, threats, the last move. */
  facts: BoardFacts;
  /** Whether the person at this screen may move now. Without it the board can still be explored by keys. */
  interactive: boolean;
  /**
   * Moves that are marked by whom they were made, oldest first, the last one included; none where the
   * last one alone is marked.
   */
  since?: readonly LastMove[];
  /** What led here from the picture before, to be shown as motion. Leave out for jumps. */
  steps?: readonly Step[] | null;
  /** The token of the move that is shown as a hint. */
  hint?: string | null;
  /** The token of a move that was sent and not yet answered. Input waits for it. */
  pending?: string | null;
  /** The tokens of moves that are crossed out. */
  struck?: readonly string[];
  /** Whether all blocks that can be turned are offered, not only those of the selected piece. */
  rotating?: boolean;
  /** Where swipes are caught on boards that slide as a whole; the board itself if left out. */
  swipeArea?: HTMLElement | null;
  /** Whether things move or just change. Reduced motion means `false`. */
  motion?: boolean;
  /** What screen readers call the board. */
  label: string;
  /** Translates the texts of the boards. */
  t: BoardText;
  /** Translates the name of a style (`Style.name`), which is a key of the game's own catalogue. */
  say: (name: string) => string;
  /** What a move is called where people must choose; its token if left out. */
  nameMove?: (token: string) => string;
  /** Somebody has chosen a legal move. */
  onMove: (token: string) => void;
  /** Somebody has pointed at something that is not a legal move, or has done so out of turn. */
  onIllegal?: (gesture: Gesture) => void;
  /** Somebody has pointed at the places with which a move begins, or has let go of them (none). */
  onChosen?: (places: readonly Spot[]) => void;
  /** Something to be read aloud politely. */
  onAnnounce?: (text: string) => void;
  /** A key of the page was pressed while the board had the focus. */
  onCommand?: (command: BoardCommand) => void;
}

/** The properties of `BoardThumb`. */
export interface BoardThumbProps extends BoardLook {
  /** If given, legal targets, threats and the last move are marked. */
  facts?: BoardFacts | null;
  /** The piece of which is shown where it can go. */
  selected?: Spot | null;
  /** The first and the last place of the part that is shown; all of it if left out. */
  part?: readonly Spot[] | null;
  /** What screen readers are told; without it the picture is hidden from them. */
  label?: string;
  /** Somebody has pointed at a place of the picture. What it does must also be possible by keys elsewhere. */
  onPick?: (cell: Cell) => void;
}
