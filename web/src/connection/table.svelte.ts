// A table that the page follows: its state, what its bots think, and what was sent and is not yet answered.
import { listMoves } from "../lib/api.ts";
import type {
  BoardFacts,
  BoardPicture,
  ChatLine,
  ClientAction,
  Gesture,
  LobbyState,
  Message,
  PlyState,
  Step,
  TableState,
  Thinking,
} from "../protocol/types.ts";
import { type Connection, type Follower, Refusal, type TableMessage } from "./connection.ts";
import { History } from "./history.svelte.ts";
import { addLines, applyPresence, applyUpdate, type KnownTable, knownTable } from "./table.ts";

/** How many notices are kept. */
const NOTICES = 5;

/** What has just happened on a board. */
export interface News {
  board: number;
  /** The plies that were played, and what each of them has done. */
  plies: readonly PlyState[];
  /** Empty if it was too much to be shown. */
  steps: readonly Step[];
  /** Whether plies were taken back. */
  undone: boolean;
}

/** A position that was asked for. */
export interface Looked {
  ply: number;
  picture: BoardPicture;
  facts: BoardFacts;
}

/** Calls back when the next picture is due. */
export type Frames = (callback: () => void) => void;

/**
 * What has happened is shown no more often than this, in milliseconds: nobody sees more of moves that come so fast, and
 * a slow machine has time for the person in front of it.
 */
const SPACING = 125;
/** Those who wait for the next picture. */
const waiting = new Set<() => void>();
let calledAt = -Infinity;

function callAll(): void {
  calledAt = performance.now();
  const all = [...waiting];
  waiting.clear();
  for (const callback of all) callback();
}

// A page that nobody sees gets no pictures, and must still call people back.
document.addEventListener("visibilitychange", callAll);

const screenFrames: Frames = (callback) => {
  if (document.hidden) return callback();
  if (waiting.size === 0) {
    const wait = calledAt + SPACING - performance.now();
    if (wait > 0) setTimeout(() => requestAnimationFrame(callAll), wait);
    else requestAnimationFrame(callAll);
  }
  waiting.add(callback);
};

/** What changes with the moves. */
type Shown = Pick<Table, "state" | "received" | "thinking" | "waiting">;

export class Table implements Follower {
  state = $state.raw<KnownTable | null>(null);
  /** The moves of each board. */
  histories = $state.raw<readonly History[]>([]);
  /** The lobby, as long as its game has not started. */
  lobby = $state.raw<LobbyState | null>(null);
  /** Why there is nothing to follow. */
  refusal = $state.raw<Refusal | null>(null);
  /** What led to the state, board by board; empty if it came whole. */
  news = $state.raw<readonly News[]>([]);
  /** When the last news of each board came, on the clock of `performance.now()`. */
  received = $state.raw<readonly number[]>([]);
  thinking = $state.raw<ReadonlyMap<number, Thinking>>(new Map());
  /** The place in the line of each board's bot. */
  waiting = $state.raw<ReadonlyMap<number, number>>(new Map());
  /** The move that was sent on each board and is not yet answered. */
  pending = $state.raw<ReadonlyMap<number, { token: string }>>(new Map());

  /** What has been said, oldest first. */
  lines = $state.raw<readonly ChatLine[]>([]);
  /** What the others have done: come, left, taken a seat back; the latest at the end, and no more than are read. */
  notices = $state.raw<readonly Message[]>([]);
  get notice(): Message | null {
    return this.notices.at(-1) ?? null;
  }

  /** When the last news of who is there came, on the clock of `performance.now()`. */
  presenceReceived = $state(0);

  /** What is known already, and shown with the next picture: moves may come faster than pictures. */
  #next: Shown = { state: null, received: [], thinking: new Map(), waiting: new Map() };
  /** What led to it from what is shown; null if it came whole. */
  #nextNews: readonly News[] | null = [];
  #isShowing = false;
  readonly #close: () => void;

  constructor(
    readonly id: string,
    private readonly connection: Connection,
    private readonly frames: Frames = screenFrames,
  ) {
    this.#close = connection.follow(id, this);
  }

  close(): void {
    this.#close();
  }

  since(): number | null {
    return this.#next.state?.seq ?? null;
  }

  refuse(refusal: Refusal): void {
    this.refusal = refusal;
  }

  isTimed(): boolean {
    const boards = this.#next.state?.boards ?? [];
    return boards.some(({ facts }) => !facts.end && (facts.clocks ?? []).some((left) => left !== null));
  }

  receive(message: TableMessage): boolean {
    const { state, thinking, waiting } = this.#next;
    switch (message.type) {
      case "state":
        this.#begin(message.state);
        return true;
      case "event":
        return this.#update(message);
      case "thinking":
        this.#change({
          thinking: new Map(thinking).set(message.board, message),
          waiting: without(waiting, message.board),
        });
        return true;
      case "waiting":
        this.#change({
          waiting:
            message.place > 0 ? new Map(waiting).set(message.board, message.place) : without(waiting, message.board),
        });
        return true;
      case "watchers":
        if (state) this.#change({ state: { ...state, watchers: message.count } });
        return true;
      case "lobby":
        this.lobby = message;
        this.presenceReceived = performance.now();
        return true;
      case "gone":
        this.refuse(new Refusal("gone", message.message));
        return true;
      case "notice":
        this.notices = [...this.notices, message.message].slice(-NOTICES);
        return true;
      case "chat":
        this.lines = addLines(this.lines, message.lines);
        return true;
      case "presence":
        if (state) this.#change({ state: applyPresence(state, message.seats, message.spectators) });
        this.presenceReceived = performance.now();
        return true;
      case "rematch":
        if (state?.online) this.#change({ state: { ...state, online: { ...state.online, rematch: message.rematch } } });
        return true;
    }
  }

  #begin(state: TableState): void {
    if (this.histories.length !== state.boards.length)
      this.histories = state.boards.map((_, board) => new History((from, to) => listMoves(this.id, board, from, to)));
    state.boards.forEach((board, index) => this.histories[index]?.reset(board));
    const now = performance.now();
    this.presenceReceived = now;
    this.#nextNews = null;
    this.#change({ state: knownTable(state), received: state.boards.map(() => now) });
  }

  #update(message: Extract<TableMessage, { type: "event" }>): boolean {
    const { state, received, thinking, waiting } = this.#next;
    if (!state) return false;
    // What comes twice, after a break, is known already. What is no event, such as the pace, has no number of its own.
    if (message.from !== state.seq) return message.seq <= state.seq;
    const now = performance.now();
    const next = { state: applyUpdate(state, message), received: [...received], thinking, waiting };
    for (const change of message.boards) {
      const { board, kept, plies, steps } = change;
      const undone = kept < (state.boards[board]?.facts.ply ?? 0);
      this.histories[board]?.append(change);
      next.received[board] = now;
      this.#nextNews = this.#nextNews && addNews(this.#nextNews, { board, plies, steps, undone });
      if (plies.length === 0 && !undone) continue;
      // What a bot thought of its last move stays of interest, unless that was taken back.
      if (undone) next.thinking = without(next.thinking, board);
      next.waiting = without(next.waiting, board);
    }
    this.#change(next);
    return true;
  }

  /** Notes what has changed, to be shown with the next picture. */
  #change(changes: Partial<Shown>): void {
    this.#next = { ...this.#next, ...changes };
    if (this.#isShowing) return;
    this.#isShowing = true;
    this.frames(() => this.#show());
  }

  /** Shows what is known. */
  #show(): void {
    if (!this.#isShowing) return;
    this.#isShowing = false;
    const isNew = this.state?.seq !== this.#next.state?.seq || this.#nextNews === null || this.#nextNews.length > 0;
    Object.assign(this, this.#next);
    if (!isNew) return;
    for (const history of this.histories) history.show();
    this.news = this.#nextNews ?? [];
    this.#nextNews = [];
    this.lobby = null;
    this.refusal = null;
    // The move itself may arrive before its acknowledgement, and the next one need not wait for that.
    for (const { board, plies, undone } of this.news)
      if (plies.length > 0 || undone) this.pending = without(this.pending, board);
  }

  async act(action: ClientAction): Promise<void> {
    await this.connection.act(this.id, action);
    // What has come of it is known by now: whoever has asked for it must not wait for the next picture.
    this.#show();
  }

  /** Plays a move, which stays pending until the server has answered. Rejects with a {@link Refusal}. */
  async move(board: number, token: string, typed = false): Promise<void> {
    await this.#request(board, token, { move: token }, typed);
  }

  /** Plays the move that a gesture means, as {@link move}. Which one it is, the server knows. */
  async gesture(board: number, gesture: Gesture): Promise<void> {
    await this.#request(board, "", { gesture });
  }

  async #request(
    board: number,
    token: string,
    request: { move: string } | { gesture: Gesture },
    typed = false,
  ): Promise<void> {
    const ply = this.state?.boards[board]?.facts.ply;
    if (ply === undefined || this.pending.has(board)) return;
    const sent = { token };
    this.pending = new Map(this.pending).set(board, sent);
    try {
      await this.connection.ask({ type: "move", game: this.id, board, ply, typed, ...request });
    } finally {
      // What has come of it is known by now, and must be seen before another move can be made.
      this.#show();
      if (this.pending.get(board) === sent) this.pending = without(this.pending, board);
    }
  }

  /** Why a gesture is no legal move; null if it is one. */
  async explain(board: number, gesture: Gesture): Promise<Message | null> {
    const answer = await this.connection.ask({ type: "explain", game: this.id, board, gesture });
    return answer.type === "explained" ? answer.message : null;
  }

  async look(board: number, ply: number): Promise<Looked | null> {
    const answer = await this.connection.ask({ type: "look", game: this.id, board, ply });
    return answer.type === "looked" ? answer : null;
  }

  async hint(board: number): Promise<{ ply: number; token: string } | null> {
    const answer = await this.connection.ask({ type: "hint", game: this.id, board });
    return answer.type === "hinted" ? answer : null;
  }

  /** Hears no more of what a player says, or hears it again. */
  async mute(seat: number, muted: boolean): Promise<void> {
    await this.act({ do: "mute", seat, muted });
    const { state } = this.#next;
    if (!state?.online) return;
    const others = state.online.muted.filter((other) => other !== seat);
    this.#change({ state: { ...state, online: { ...state.online, muted: muted ? [...others, seat] : others } } });
  }

  /** The key of a link by which an own seat moves to another device, once. */
  async handOver(seat: number): Promise<string | null> {
    const answer = await this.connection.act(this.id, { do: "hand-over", seat });
    return answer.type === "link" ? answer.key : null;
  }
}

/** More steps than this, in one picture, are not shown one after the other. */
const SHOWN_STEPS = 8;

/** What has happened since the last picture, with what has just happened on a board. */
function addNews(known: readonly News[], news: News): readonly News[] {
  const before = known.find(({ board }) => board === news.board);
  if (!before) return [...known, news];
  const steps = [...before.steps, ...news.steps];
  const isWhole = before.steps.length === before.plies.length && news.steps.length === news.plies.length;
  const all = {
    board: news.board,
    plies: [...before.plies, ...news.plies],
    steps: isWhole && steps.length <= SHOWN_STEPS ? steps : [],
    undone: before.undone || news.undone,
  };
  return known.map((item) => (item === before ? all : item));
}

function without<T>(map: ReadonlyMap<number, T>, key: number): ReadonlyMap<number, T> {
  if (!map.has(key)) return map;
  const rest = new Map(map);
  rest.delete(key);
  return rest;
}
