// Agon in this browser: answers the requests and the messages that a server would answer, by a worker for each game.
import { PROTOCOL, type Socket } from "../connection/connection.ts";
import type { ClientMessage, Problem, ServerMessage, TableList } from "../protocol/types.ts";
import type { Reply } from "./driver.ts";
import { type ModuleFiles, MODULES } from "./modules.ts";
import type { FromTables, ToTables } from "./protocol.ts";
import { Store } from "./store.ts";

/** The part of a worker that is used. */
export interface TablesWorker {
  onmessage: ((event: { data: FromTables }) => void) | null;
  onerror: ((event: unknown) => void) | null;
  postMessage(message: ToTables): void;
  terminate(): void;
}

/** A request that nobody answered. */
export class HostError extends Error {}

/** What tabs say to each other: that a table has been opened in one of them. */
export interface Claims {
  onmessage: ((event: { data: unknown }) => void) | null;
  postMessage(table: string): void;
}

/** How many megabytes a bot's table may take; phones that say that they have little get less. */
function memory(): number {
  const gigabytes = (navigator as { deviceMemory?: number }).deviceMemory ?? 8;
  return gigabytes <= 4 ? 8 : 32;
}

interface House {
  worker: TablesWorker;
  /** Those who wait for answers to requests. */
  replies: Map<number, { resolve: (reply: Reply) => void; reject: (error: Error) => void }>;
}

export class TabHost {
  readonly #houses = new Map<string, House>();
  readonly #sockets = new Map<number, TabSocket>();
  /** The game of each table that was asked for. */
  readonly #games = new Map<string, Promise<string | null>>();
  /** The tables that another tab has opened since: the last one to open a table has it. */
  readonly #elsewhere = new Set<string>();
  #next = 1;
  #store: Promise<Store> | undefined;

  constructor(
    private readonly begin: () => TablesWorker,
    private readonly base: string,
    private readonly progress: (game: string, share: number) => void,
    private readonly name: () => string,
    private readonly claims: Claims | null,
    private readonly modules: Readonly<Record<string, ModuleFiles>> = MODULES,
  ) {
    if (claims)
      claims.onmessage = ({ data }) => {
        if (typeof data === "string") void this.#yield(data);
      };
  }

  /** A connection for a page, over which it hears of its tables. */
  socket(): Socket {
    const number = this.#next++;
    const socket = new TabSocket(number, this);
    this.#sockets.set(number, socket);
    return socket;
  }

  /** Answers a request to the path of a server. */
  async answer(method: string, path: string, body: string | null): Promise<Response> {
    const { pathname, searchParams } = new URL(path, "http://tab");
    if (pathname === "/api/v1/games" && method === "GET") return json(await this.#list(searchParams));
    const game = await this.#gameOf(pathname, body);
    if (game === null) return json(UNKNOWN, 404);
    const { worker, replies } = this.#house(game);
    const request = this.#next++;
    const reply = await new Promise<Reply>((resolve, reject) => {
      replies.set(request, { resolve, reject });
      worker.postMessage({ type: "request", request, method, path, body, name: this.name() });
    });
    const headers = new Headers({ "content-type": reply.type });
    if (reply.filename) headers.set("content-disposition", `attachment; filename="${reply.filename}"`);
    return new Response(reply.status === 204 ? null : reply.body, { status: reply.status, headers });
  }

  /** The game of a table that is kept here; null if there is none. */
  gameOf(table: string): Promise<string | null> {
    let game = this.#games.get(table);
    if (!game) {
      game = this.#shelf().then(async (store) => (await store.row(table))?.game ?? null);
      this.#games.set(table, game);
      // One that is not there yet may come.
      void game.then(
        (found) => found ?? this.#games.delete(table),
        () => this.#games.delete(table),
      );
    }
    return game;
  }

  /** Ends what a game's tables do here; what is kept of them stays. */
  close(game: string): void {
    const house = this.#houses.get(game);
    this.#houses.delete(game);
    house?.worker.terminate();
    for (const { reject } of house?.replies.values() ?? []) reject(new HostError("the tables were closed"));
    for (const socket of this.#sockets.values()) socket.leftBy(game);
  }

  /** Hands a message of a page to the tables of its game. */
  async pass(socket: TabSocket, message: ClientMessage): Promise<void> {
    if (!("game" in message)) return;
    const { id } = message;
    const game = await this.gameOf(message.game).catch(() => null);
    if (game === null) return socket.hear({ type: "error", id, ...UNKNOWN });
    if (this.#elsewhere.has(message.game)) return socket.hear({ type: "error", id, ...ELSEWHERE });
    if (message.type === "watch") this.claims?.postMessage(message.game);
    const { worker } = this.#house(game);
    if (socket.enters(game)) {
      worker.postMessage({ type: "connect", connection: socket.number });
      worker.postMessage({ type: "message", connection: socket.number, text: hello() });
    }
    worker.postMessage({ type: "message", connection: socket.number, text: JSON.stringify(message) });
  }

  leave(socket: TabSocket, games: Iterable<string>): void {
    this.#sockets.delete(socket.number);
    for (const game of games)
      this.#houses.get(game)?.worker.postMessage({ type: "disconnect", connection: socket.number });
  }

  /** Lets another tab have a table. What was acknowledged here is kept, and read there. */
  async #yield(table: string): Promise<void> {
    const game = await this.gameOf(table).catch(() => null);
    if (game === null || !this.#houses.has(game)) return;
    this.#elsewhere.add(table);
    this.close(game);
  }

  async #list(query: URLSearchParams): Promise<TableList> {
    const rows = query.get("mine") === "true" ? await this.#shelf().then((store) => store.rows()) : [];
    return { games: rows.map((row) => row.summary), more: false };
  }

  /** The game that a request is about. */
  async #gameOf(pathname: string, body: string | null): Promise<string | null> {
    const [, , , kind, id] = pathname.split("/").map(decodeURIComponent);
    if (kind === "games" && id !== undefined) return this.gameOf(id);
    if (kind === "catalogue" && id !== undefined) return this.#known(id);
    if (kind === "me") return this.#known(pathname.split("/").at(-1) ?? "");
    if (kind === "records") return this.#known(/^game: *(\S+)$/m.exec(body ?? "")?.[1] ?? "");
    try {
      const asked = JSON.parse(body ?? "") as { game?: unknown };
      return typeof asked.game === "string" ? this.#known(asked.game) : null;
    } catch {
      return null;
    }
  }

  #known(game: string): string | null {
    return Object.hasOwn(this.modules, game) ? game : null;
  }

  #shelf(): Promise<Store> {
    this.#store ??= Store.open().catch((error: unknown) => {
      this.#store = undefined;
      throw error;
    });
    return this.#store;
  }

  #house(game: string): House {
    const there = this.#houses.get(game);
    if (there) return there;
    const files = this.modules[game];
    if (!files) throw new HostError(`${game} cannot be played here`);
    const house: House = { worker: this.begin(), replies: new Map() };
    house.worker.onmessage = ({ data }) => this.#hear(game, house, data);
    house.worker.onerror = () => this.close(game);
    house.worker.postMessage({ type: "open", base: this.base, files, memory: memory(), build: "" });
    this.#houses.set(game, house);
    return house;
  }

  #hear(game: string, house: House, message: FromTables): void {
    switch (message.type) {
      case "tell": {
        const told = JSON.parse(message.text) as ServerMessage;
        // Each page is greeted once, however many games it looks at.
        if (told.type !== "welcome") for (const number of message.to) this.#sockets.get(number)?.hear(told);
        return;
      }
      case "reply": {
        const waits = house.replies.get(message.reply.request);
        house.replies.delete(message.reply.request);
        return waits?.resolve(message.reply);
      }
      case "progress":
        return this.progress(game, message.share);
      case "failed":
        return this.close(game);
    }
  }
}

function hello(): string {
  return JSON.stringify({ type: "hello", protocol: PROTOCOL } satisfies ClientMessage);
}

const UNKNOWN: Problem = {
  code: "gone",
  message: { key: "refused.no-local-game", text: "There is no such game in this browser." },
};
const ELSEWHERE: Problem = {
  code: "taken",
  message: { key: "refused.elsewhere", text: "This game goes on in another tab." },
};

function json(value: unknown, status = 200): Response {
  return new Response(JSON.stringify(value), { status, headers: { "content-type": "application/json" } });
}

/** A socket whose other end is in this browser. */
export class TabSocket implements Socket {
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: unknown }) => void) | null = null;
  onclose: (() => void) | null = null;
  readonly #games = new Set<string>();

  constructor(
    readonly number: number,
    private readonly host: TabHost,
  ) {
    // Whoever it is handed to by a promise listens by then.
    setTimeout(() => this.onopen?.(), 0);
  }

  send(text: string): void {
    const message = JSON.parse(text) as ClientMessage;
    if (message.type === "hello") this.hear({ type: "welcome", protocol: PROTOCOL, build: "" });
    else if (message.type === "ping") this.hear({ type: "ack", id: message.id });
    else void this.host.pass(this, message);
  }

  close(): void {
    this.host.leave(this, this.#games);
  }

  hear(message: ServerMessage): void {
    queueMicrotask(() => this.onmessage?.({ data: JSON.stringify(message) }));
  }

  /** Whether the page has not been at the tables of this game before. */
  enters(game: string): boolean {
    const isNew = !this.#games.has(game);
    this.#games.add(game);
    return isNew;
  }

  /** The tables of a game are gone: whoever was there connects anew. */
  leftBy(game: string): void {
    if (!this.#games.has(game)) return;
    this.host.leave(this, this.#games);
    queueMicrotask(() => this.onclose?.());
  }
}
