// Games that are kept in this browser, in IndexedDB: a row for each table, and its events one by one.
import type { TableSummary } from "../protocol/types.ts";

/** What lists need to know of a table. */
export interface Row {
  id: string;
  game: string;
  created: number;
  updated: number;
  over: boolean;
  head: string;
  status: string;
  summary: TableSummary;
}

export interface StoredEvent {
  schema: number;
  message: string | null;
  body: string;
}

export interface StoredTable {
  row: Row;
  settings: string;
  events: StoredEvent[];
}

/** What is to be kept, as a whole or not at all. */
export type Write =
  | {
      table: string;
      row: Row;
      /** How many events the table is known to have; it is new if there are none. */
      known: number;
      events: StoredEvent[];
      settings: string;
      ends: boolean;
    }
  | { table: string; delete: true };

/** Somebody else has gone on with the table. */
export class Conflict extends Error {}

/** A table as it lies in the database. */
interface Kept {
  id: string;
  row: Row;
  settings: string;
  count: number;
}

const TABLES = "tables";
const EVENTS = "events";

export class Store {
  private constructor(private readonly database: IDBDatabase) {}

  static open(name = "agon"): Promise<Store> {
    const request = indexedDB.open(name, 1);
    request.onupgradeneeded = () => {
      request.result.createObjectStore(TABLES, { keyPath: "id" });
      request.result.createObjectStore(EVENTS);
    };
    return new Promise((resolve, reject) => {
      request.onerror = () => reject(request.error ?? new Error("the browser keeps nothing"));
      request.onblocked = () => reject(new Error("another tab holds an older database"));
      request.onsuccess = () => {
        // A later version of the app in another tab must be able to change the database.
        request.result.onversionchange = () => request.result.close();
        resolve(new Store(request.result));
      };
    });
  }

  /** Keeps what is written. When this resolves, it is on disk as far as the browser can tell. */
  async write(write: Write): Promise<void> {
    const durability = "ends" in write && !write.ends ? "relaxed" : "strict";
    const transaction = this.database.transaction([TABLES, EVENTS], "readwrite", { durability });
    const done = completed(transaction);
    const tables = transaction.objectStore(TABLES);
    const events = transaction.objectStore(EVENTS);
    if ("delete" in write) {
      tables.delete(write.table);
      events.delete(eventsOf(write.table));
      return done;
    }
    const kept = (await result(tables.get(write.table))) as Kept | undefined;
    if ((kept?.count ?? 0) !== write.known) {
      transaction.abort();
      await done.catch(() => undefined);
      throw new Conflict();
    }
    write.events.forEach((event, index) => events.add(event, [write.table, write.known + index]));
    const count = write.known + write.events.length;
    tables.put({ id: write.table, row: write.row, settings: write.settings, count } satisfies Kept);
    return done;
  }

  async load(table: string): Promise<StoredTable | null> {
    const transaction = this.database.transaction([TABLES, EVENTS]);
    const kept = (await result(transaction.objectStore(TABLES).get(table))) as Kept | undefined;
    if (!kept) return null;
    const events = (await result(transaction.objectStore(EVENTS).getAll(eventsOf(table)))) as StoredEvent[];
    return { row: kept.row, settings: kept.settings, events };
  }

  /** The rows of all tables, or of a game's; those that were changed last come first. */
  async rows(game: string | null = null): Promise<Row[]> {
    const all = (await result(this.database.transaction(TABLES).objectStore(TABLES).getAll())) as Kept[];
    return all
      .map((kept) => kept.row)
      .filter((row) => game === null || row.game === game)
      .sort((one, other) => other.updated - one.updated);
  }

  async row(table: string): Promise<Row | null> {
    const kept = (await result(this.database.transaction(TABLES).objectStore(TABLES).get(table))) as Kept | undefined;
    return kept?.row ?? null;
  }

  close(): void {
    this.database.close();
  }
}

function eventsOf(table: string): IDBKeyRange {
  return IDBKeyRange.bound([table, 0], [table, Infinity]);
}

function result(request: IDBRequest): Promise<unknown> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error("the browser could not read"));
  });
}

function completed(transaction: IDBTransaction): Promise<void> {
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onerror = () => reject(transaction.error ?? new Error("the browser could not write"));
    transaction.onabort = () => reject(transaction.error ?? new Error("the browser took it back"));
  });
}
