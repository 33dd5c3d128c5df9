// One WebSocket for the whole page: it greets, follows games, sends requests, and after a break comes back by itself.
//
// Whatever was asked stays pending until it is answered, is sent again under its id after a break, and the
// server does an action that comes twice only once. Nothing here knows Svelte, so that tests drive it with a
// socket of their own.
import type { ClientAction, ClientMessage, Message, Protocol, RefusalCode, ServerMessage } from "../protocol/types.ts";

/** The version of the messages; the type allows only the server's. */
export const PROTOCOL: NonNullable<Protocol["version"]> = 7;

/** How things stand: first attempt, working, trying again, or given up for the moment after several attempts. */
export type Status = "connecting" | "open" | "reconnecting" | "offline";

/** The part of a WebSocket that is used. */
export interface Socket {
  onopen: (() => void) | null;
  onmessage: ((event: { data: unknown }) => void) | null;
  onclose: (() => void) | null;
  send(text: string): void;
  close(): void;
}

/** What a page does with news of a game. */
export interface Follower {
  /** The number of the last event it knows, or null. */
  since(): number | null;
  /** Takes a message about the game; false if messages before it are missing. */
  receive(message: TableMessage): boolean;
  /** The game cannot be followed. */
  refuse(refusal: Refusal): void;
  /** Whether clocks run there, so that a dead network must be noticed soon. */
  isTimed(): boolean;
}

/** What a page does with news of a tournament or of the list of tournaments. */
export interface ArenaFollower {
  receive(message: ArenaMessage): void;
  /** There is no such tournament, or no longer. */
  refuse(refusal: Refusal): void;
}

/** What is said about a lobby or the game that it becomes; both have the same id. */
export type TableMessage = Extract<
  ServerMessage,
  {
    type:
      | "state"
      | "event"
      | "thinking"
      | "waiting"
      | "watchers"
      | "lobby"
      | "gone"
      | "notice"
      | "presence"
      | "chat"
      | "rematch";
  }
>;
export type LobbiesMessage = Extract<ServerMessage, { type: "lobbies" }>;
export type ArenaMessage = Extract<ServerMessage, { type: "arena" | "tournament" }>;
export type Answer = Extract<ServerMessage, { type: "ack" | "looked" | "explained" | "hinted" | "link" }>;
export type Question = Extract<ClientMessage, { id: string }>;
/** A question without its id. */
export type Request = Question extends infer Q ? (Q extends Question ? Omit<Q, "id"> : never) : never;

/** The server said no. */
export class Refusal extends Error {
  constructor(
    readonly code: RefusalCode,
    readonly reason: Message,
    /** The field of the message that is wrong, where one is. */
    readonly field: string | null = null,
  ) {
    super(reason.text);
  }
}

export interface Surroundings {
  connect(): Socket;
  /** Tells that the status has changed. */
  onstatus(status: Status): void;
  /** The page speaks another version than the server: it must be loaded anew. */
  onversion(): void;
  /** The server has a newer build of the app. */
  onbuild(): void;
  random(): number;
  newId(): string;
}

interface Pending {
  message: Question;
  resolve(answer: Answer): void;
  reject(refusal: Refusal): void;
}

const FIRST_DELAY = 400;
const LONGEST_DELAY = 15_000;
/** After so many failed attempts people are told that there is no connection. */
const PATIENCE = 3;
/** After how long without news the server is asked for a sign of life, how long that may take, and a greeting. */
const USUAL = { pingEvery: 20_000, pongWithin: 10_000, greetingWithin: 10_000 };
/** The same where clocks run. */
const TIMED = { pingEvery: 2_000, pongWithin: 2_500, greetingWithin: 5_000 };
/** How long the server may take to answer a move. */
const ANSWER_WITHIN = 4_500;

export class Connection {
  status: Status = "connecting";
  #socket: Socket | null = null;
  #failures = 0;
  #build: string | null = null;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #heartbeat: ReturnType<typeof setTimeout> | undefined;
  /** Whether the socket is given up unless something arrives. */
  #isExpecting = false;
  readonly #pending = new Map<string, Pending>();
  readonly #followers = new Map<string, Follower>();
  readonly #watches = new Map<string, string>();
  readonly #listeners = new Set<(message: LobbiesMessage) => void>();
  /** Who follows which tournament; `null` stands for the list of them. */
  readonly #arena = new Map<string | null, ArenaFollower>();
  readonly #arenaWatches = new Map<string, string | null>();

  constructor(private readonly around: Surroundings) {}

  start(): void {
    if (!this.#socket) this.#connect();
  }

  /** Tries at once instead of waiting: the browser says that it is online again, or the page is looked at again. */
  hurry(): void {
    if (this.status === "open" || !this.#retry) return;
    this.#connect();
  }

  /** Follows a game until the function that is returned is called. */
  follow(game: string, follower: Follower): () => void {
    this.#followers.set(game, follower);
    if (this.status === "open") this.#watch(game);
    return () => {
      if (this.#followers.get(game) !== follower) return;
      this.#followers.delete(game);
      if (this.status === "open") this.#send({ type: "unwatch", id: this.around.newId(), game });
    };
  }

  /** Follows the list of open lobbies until the function that is returned is called. */
  followLobbies(listener: (message: LobbiesMessage) => void): () => void {
    this.#listeners.add(listener);
    if (this.status === "open") this.#send({ type: "watch-lobbies", id: this.around.newId() });
    return () => {
      this.#listeners.delete(listener);
      if (this.status === "open" && this.#listeners.size === 0)
        this.#send({ type: "unwatch-lobbies", id: this.around.newId() });
    };
  }

  /** Follows a tournament, or the list of them for `null`, until the function that is returned is called. */
  followArena(tournament: string | null, follower: ArenaFollower): () => void {
    this.#arena.set(tournament, follower);
    if (this.status === "open") this.#watchArena(tournament);
    return () => {
      if (this.#arena.get(tournament) !== follower) return;
      this.#arena.delete(tournament);
      if (this.status === "open") this.#send({ type: "unwatch-arena", id: this.around.newId(), tournament });
    };
  }

  act(game: string, action: ClientAction): Promise<Answer> {
    return this.ask({ type: "act", game, action });
  }

  /** Asks, and waits for the answer over any number of breaks. Rejects with a {@link Refusal}. */
  ask(request: Request): Promise<Answer> {
    const message = { ...request, id: this.around.newId() };
    return new Promise((resolve, reject) => {
      this.#pending.set(message.id, { message, resolve, reject });
      if (this.status !== "open") return;
      this.#send(message);
      if (message.type === "move" && !this.#isExpecting) this.#expect(ANSWER_WITHIN);
    });
  }

  #connect(): void {
    clearTimeout(this.#retry);
    this.#retry = undefined;
    const socket = this.around.connect();
    this.#socket = socket;
    socket.onopen = () => this.#send({ type: "hello", protocol: PROTOCOL });
    socket.onmessage = (event) => {
      if (this.#socket === socket && typeof event.data === "string") this.#receive(event.data);
    };
    socket.onclose = () => {
      if (this.#socket === socket) this.#lost();
    };
    // A server that accepts the socket but never greets must not keep the page waiting.
    this.#expect(this.#patience.greetingWithin);
  }

  #lost(): void {
    clearTimeout(this.#heartbeat);
    this.#socket = null;
    this.#watches.clear();
    this.#arenaWatches.clear();
    this.#failures += 1;
    this.#setStatus(this.#failures > PATIENCE ? "offline" : "reconnecting");
    // Jitter keeps all pages from coming back in the same instant after a restart.
    const delay = Math.min(LONGEST_DELAY, FIRST_DELAY * 2 ** (this.#failures - 1)) * (0.5 + this.around.random() / 2);
    this.#retry = setTimeout(() => this.#connect(), delay);
  }

  #receive(text: string): void {
    const message = parse(text);
    if (!message) return;
    this.#scheduleHeartbeat();
    const before = this.#patience;
    this.#handle(message);
    // A clock has begun to run, or there is none any more.
    if (this.#patience !== before && !this.#isExpecting) this.#scheduleHeartbeat();
  }

  #handle(message: ServerMessage): void {
    switch (message.type) {
      case "welcome":
        return this.#welcome(message.protocol, message.build);
      case "ack":
      case "looked":
      case "explained":
      case "hinted":
      case "link":
        return this.#settle(message.id, (pending) => pending.resolve(message));
      case "error":
        return this.#refused(message.id, new Refusal(message.code, message.message, message.field ?? null));
      case "lobbies":
        for (const listener of this.#listeners) listener(message);
        return;
      case "arena":
        return this.#arena.get(null)?.receive(message);
      case "tournament":
        return this.#arena.get(message.tournament)?.receive(message);
      default:
        return this.#tell(message);
    }
  }

  #welcome(protocol: number, build: string): void {
    if (protocol !== PROTOCOL) return this.around.onversion();
    if (this.#build !== null && this.#build !== build) this.around.onbuild();
    this.#build = build;
    this.#failures = 0;
    this.#setStatus("open");
    for (const game of this.#followers.keys()) this.#watch(game);
    if (this.#listeners.size > 0) this.#send({ type: "watch-lobbies", id: this.around.newId() });
    for (const tournament of this.#arena.keys()) this.#watchArena(tournament);
    for (const { message } of this.#pending.values()) this.#send(message);
  }

  #watch(game: string): void {
    const since = this.#followers.get(game)?.since() ?? null;
    const id = this.around.newId();
    this.#watches.set(id, game);
    this.#send({ type: "watch", id, game, since });
  }

  #watchArena(tournament: string | null): void {
    const id = this.around.newId();
    this.#arenaWatches.set(id, tournament);
    this.#send({ type: "watch-arena", id, tournament });
  }

  #settle(id: string, how: (pending: Pending) => void): void {
    this.#watches.delete(id);
    this.#arenaWatches.delete(id);
    const pending = this.#pending.get(id);
    if (!pending) return;
    this.#pending.delete(id);
    how(pending);
  }

  #refused(id: string | null, refusal: Refusal): void {
    if (refusal.code === "version") return this.around.onversion();
    if (id === null) return;
    const game = this.#watches.get(id);
    if (game !== undefined) this.#followers.get(game)?.refuse(refusal);
    const tournament = this.#arenaWatches.get(id);
    if (tournament !== undefined) this.#arena.get(tournament)?.refuse(refusal);
    this.#settle(id, (pending) => pending.reject(refusal));
  }

  #tell(message: TableMessage): void {
    const game = message.type === "lobby" ? message.lobby.id : message.game;
    if (message.type === "gone") this.#arena.get(game)?.refuse(new Refusal("gone", message.message));
    // A whole state answers whatever was asked for.
    if (message.type === "state" || message.type === "lobby") this.#forgetWatches(game);
    const follower = this.#followers.get(game);
    if (!follower || follower.receive(message)) return;
    // Something is missing: ask for everything since what is known, unless that has been asked already.
    if (![...this.#watches.values()].includes(game)) this.#watch(game);
  }

  #forgetWatches(game: string): void {
    for (const [id, watched] of this.#watches) {
      if (watched === game) this.#watches.delete(id);
    }
  }

  /** How long the server may be silent. */
  get #patience(): typeof USUAL {
    return [...this.#followers.values()].some((follower) => follower.isTimed()) ? TIMED : USUAL;
  }

  #scheduleHeartbeat(): void {
    clearTimeout(this.#heartbeat);
    this.#isExpecting = false;
    this.#heartbeat = setTimeout(() => {
      this.#send({ type: "ping", id: this.around.newId() });
      this.#expect(this.#patience.pongWithin);
    }, this.#patience.pingEvery);
  }

  /** Gives the socket up unless something arrives in time. */
  #expect(millis: number): void {
    clearTimeout(this.#heartbeat);
    this.#isExpecting = true;
    this.#heartbeat = setTimeout(() => {
      const socket = this.#socket;
      this.#lost();
      socket?.close();
    }, millis);
  }

  #send(message: ClientMessage): void {
    this.#socket?.send(JSON.stringify(message));
  }

  #setStatus(status: Status): void {
    if (this.status === status) return;
    this.status = status;
    this.around.onstatus(status);
  }
}

function parse(text: string): ServerMessage | null {
  try {
    return JSON.parse(text) as ServerMessage;
  } catch {
    return null;
  }
}
