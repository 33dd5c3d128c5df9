// Performs what tables decide, in their order: keeps events, tells pages, asks the engine, wakes them when time has
// come. What a table says is withheld by its module until the events that it rests on are kept.
import { Conflict, type Row, type StoredTable, type Write } from "./store.ts";

type Effect =
  | { do: "tell"; to: number[]; text: string }
  | { do: "reply"; request: number; status: number; type: string; body: string; filename?: string }
  | { do: "store"; number: number; write: Write }
  | { do: "load"; number: number; table: string }
  | { do: "rows"; number: number; game: string }
  | { do: "ask"; number: number; weights: boolean; question: unknown }
  | { do: "cancel"; number: number }
  | { do: "wake"; at: number };

/** A request as a server would get it. */
export interface TabRequest {
  request: number;
  method: string;
  path: string;
  body: string | null;
  /** The name of the person at this browser; empty if nobody has said it. */
  name: string;
}

/** The answer to a request. */
export type Reply = Omit<Extract<Effect, { do: "reply" }>, "do">;

/** What pages hear. */
export interface Pages {
  tell(to: readonly number[], text: string): void;
  reply(reply: Reply): void;
}

/** Who thinks. */
export interface Engine {
  /** Thinks about a question; what is heard meanwhile and in the end goes to `news`. */
  ask(number: number, weights: boolean, question: unknown, news: (news: unknown) => void): void;
  cancel(number: number): void;
}

/** The part of a store that is used. */
export interface Shelf {
  write(write: Write): Promise<void>;
  load(table: string): Promise<StoredTable | null>;
  rows(game: string): Promise<Row[]>;
}

/** The part of a module that is used. */
export interface Tables {
  handle(message: string, now: number, date: number): string;
}

export interface Time {
  now(): number;
  date(): number;
  /** Calls back at a moment of `now`, in place of the one before. */
  wake(at: number, callback: () => void): void;
}

export class Driver {
  readonly #effects: Effect[] = [];
  #isPerforming = false;

  constructor(
    private readonly tables: Tables,
    private readonly shelf: Shelf,
    private readonly engine: Engine,
    private readonly pages: Pages,
    private readonly time: Time,
  ) {}

  open(build: string, random: string, memory: number): void {
    this.#handle({ type: "open", random, build, memory });
  }

  connect(connection: number): void {
    this.#handle({ type: "connect", connection });
  }

  disconnect(connection: number): void {
    this.#handle({ type: "disconnect", connection });
  }

  message(connection: number, text: string): void {
    this.#handle({ type: "message", connection, text });
  }

  request(request: TabRequest): void {
    this.#handle({ type: "request", ...request });
  }

  #handle(message: unknown): void {
    const text = this.tables.handle(JSON.stringify(message), this.time.now(), this.time.date());
    this.#effects.push(...(JSON.parse(text) as Effect[]));
    void this.#perform();
  }

  async #perform(): Promise<void> {
    if (this.#isPerforming) return;
    this.#isPerforming = true;
    try {
      for (let effect = this.#effects.shift(); effect; effect = this.#effects.shift()) await this.#do(effect);
    } finally {
      this.#isPerforming = false;
    }
  }

  async #do(effect: Effect): Promise<void> {
    switch (effect.do) {
      case "tell":
        return this.pages.tell(effect.to, effect.text);
      case "reply": {
        const { do: _, ...reply } = effect;
        return this.pages.reply(reply);
      }
      case "store":
        return this.#store(effect.number, effect.write);
      case "load": {
        const { number } = effect;
        const table = await this.shelf.load(effect.table).catch(() => null);
        return this.#handle({ type: "loaded", number, table });
      }
      case "rows": {
        const { number } = effect;
        const rows = await this.shelf.rows(effect.game).catch(() => []);
        return this.#handle({ type: "rows", number, rows });
      }
      case "ask":
        return this.engine.ask(effect.number, effect.weights, effect.question, (news) =>
          this.#handle({ type: "news", news }),
        );
      case "cancel":
        return this.engine.cancel(effect.number);
      case "wake":
        return this.time.wake(effect.at, () => this.#handle({ type: "tick" }));
    }
  }

  async #store(number: number, write: Write): Promise<void> {
    try {
      await this.shelf.write(write);
      this.#handle({ type: "stored", number });
    } catch (error) {
      this.#handle({ type: "store-failed", number, conflict: error instanceof Conflict });
    }
  }
}
