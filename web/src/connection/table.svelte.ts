// A table that the page follows: its state, what its bots think, and what was sent and is not yet answered.
import type {
  BoardFacts,
  BoardPicture,
  BoardState,
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
import { addLines, applyPresence, applyUpdate } from "./table.ts";

/** How many notices are kept. */
const NOTICES = 5;

/** What has just happened on a board. */
export interface News {
  board: number;
  /** The plies that were played, and what each of them has done. */
  plies: PlyState[];
  steps: Step[];
  /** Whether plies were taken back. */
  undone: boolean;
}

/** A position that was asked for. */
export interface Looked {
  ply: number;
  picture: BoardPicture;
  facts: BoardFacts;
}

export class Table implements Follower {
  state = $state.raw<TableState | null>(null);
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

  readonly #close: () => void;

  constructor(
    readonly id: string,
    private readonly connection: Connection,
  ) {
    this.#close = connection.follow(id, this);
  }

  close(): void {
    this.#close();
  }

  since(): number | null {
    return this.state?.seq ?? null;
  }

  refuse(refusal: Refusal): void {
    this.refusal = refusal;
  }

  isTimed(): boolean {
    const boards = this.state?.boards ?? [];
    return boards.some(({ facts }) => !facts.end && (facts.clocks ?? []).some((left) => left !== null));
  }

  receive(message: TableMessage): boolean {
    switch (message.type) {
      case "state":
        this.#show(message.state, [], true);
        return true;
      case "event":
        return this.#update(message);
      case "thinking":
        this.thinking = new Map(this.thinking).set(message.board, message);
        this.waiting = without(this.waiting, message.board);
        return true;
      case "waiting":
        this.waiting =
          message.place > 0
            ? new Map(this.waiting).set(message.board, message.place)
            : without(this.waiting, message.board);
        return true;
      case "watchers":
        if (this.state) this.state = { ...this.state, watchers: message.count };
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
        if (this.state) this.state = applyPresence(this.state, message.seats, message.spectators);
        this.presenceReceived = performance.now();
        return true;
      case "rematch":
        if (this.state?.online)
          this.state = { ...this.state, online: { ...this.state.online, rematch: message.rematch } };
        return true;
    }
  }

  #update(message: Extract<TableMessage, { type: "event" }>): boolean {
    if (!this.state) return false;
    // What comes twice, after a break, is known already. What is no event, such as the pace, has no number of its own.
    if (message.from !== this.state.seq) return message.seq <= this.state.seq;
    const { boards } = this.state;
    const news = message.boards.map(({ board, kept, plies, steps }): News => {
      const before = boards[board];
      return { board, plies, steps, undone: kept < (before ? before.skipped + before.plies.length : 0) };
    });
    this.#show(applyUpdate(this.state, message), news, false);
    for (const { board, plies, undone } of news) {
      if (plies.length === 0 && !undone) continue;
      // What a bot thought of its last move stays of interest, unless that was taken back.
      if (undone) this.thinking = without(this.thinking, board);
      this.waiting = without(this.waiting, board);
      // The move itself may arrive before its acknowledgement, and the next one need not wait for that.
      this.pending = without(this.pending, board);
    }
    return true;
  }

  #show(state: TableState, news: readonly News[], isWhole: boolean): void {
    this.state = state;
    this.lobby = null;
    this.news = news;
    this.refusal = null;
    const now = performance.now();
    if (isWhole) this.presenceReceived = now;
    const isNew = (board: number) => isWhole || news.some((item) => item.board === board);
    this.received = state.boards.map((_, board) => (isNew(board) ? now : (this.received[board] ?? now)));
  }

  async act(action: ClientAction): Promise<void> {
    await this.connection.act(this.id, action);
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
    const online = this.state?.online;
    if (!this.state || !online) return;
    const others = online.muted.filter((other) => other !== seat);
    this.state = { ...this.state, online: { ...online, muted: muted ? [...others, seat] : others } };
  }

  /** The key of a link by which an own seat moves to another device, once. */
  async handOver(seat: number): Promise<string | null> {
    const answer = await this.connection.act(this.id, { do: "hand-over", seat });
    return answer.type === "link" ? answer.key : null;
  }

  board(index: number): BoardState | undefined {
    return this.state?.boards[index];
  }
}

function without<T>(map: ReadonlyMap<number, T>, key: number): ReadonlyMap<number, T> {
  if (!map.has(key)) return map;
  const rest = new Map(map);
  rest.delete(key);
  return rest;
}
