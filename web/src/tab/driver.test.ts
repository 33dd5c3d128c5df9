import { describe, expect, it } from "vitest";

import { Driver, type Engine, type Pages, type Shelf, type Time } from "./driver.ts";
import { Conflict, type Write } from "./store.ts";

/** Tables that answer each message with effects that are given beforehand, and note what they heard. */
class Scripted {
  readonly heard: { type: string; [key: string]: unknown }[] = [];
  constructor(private readonly answers: Record<string, unknown[]>) {}

  handle(message: string): string {
    const said = JSON.parse(message) as { type: string };
    this.heard.push(said);
    return JSON.stringify(this.answers[said.type] ?? []);
  }
}

const WRITE: Write = { table: "t", delete: true };

function driven(answers: Record<string, unknown[]>, write: (write: Write) => Promise<void> = () => Promise.resolve()) {
  const log: string[] = [];
  const tables = new Scripted(answers);
  let wake: (() => void) | undefined;
  const shelf: Shelf = {
    write: (what) => (log.push("store"), write(what)),
    load: () => Promise.reject(new Error("unreadable")),
    rows: () => Promise.resolve([]),
  };
  const engine: Engine = {
    ask: (number, _, __, news) => (log.push(`ask ${number}`), news({ number, answer: 7 })),
    cancel: (number) => void log.push(`cancel ${number}`),
  };
  const pages: Pages = {
    tell: (to, text) => void log.push(`tell ${to.join()} ${text}`),
    reply: ({ request, status }) => void log.push(`reply ${request} ${status}`),
  };
  const time: Time = { now: () => 5, date: () => 6, wake: (_, callback) => void (wake = callback) };
  const driver = new Driver(tables, shelf, engine, pages, time);
  return { driver, log, tables, wake: () => wake?.() };
}

const settled = () => new Promise((resolve) => setTimeout(resolve, 0));

describe("the driver of tables", () => {
  it("performs effects in their order, and tells nobody before what is told has been kept", async () => {
    let keep = (): void => undefined;
    const { driver, log, tables } = driven(
      {
        message: [
          { do: "store", number: 1, write: WRITE },
          { do: "tell", to: [1], text: "later" },
        ],
        stored: [{ do: "tell", to: [1, 2], text: "kept" }],
      },
      () => new Promise((resolve) => (keep = resolve)),
    );
    driver.message(1, "{}");
    await settled();
    expect(log).toEqual(["store"]);
    keep();
    await settled();
    expect(log).toEqual(["store", "tell 1 later", "tell 1,2 kept"]);
    expect(tables.heard.map(({ type }) => type)).toEqual(["message", "stored"]);
  });

  it("says why something could not be kept", async () => {
    for (const [error, conflict] of [
      [new Conflict(), true],
      [new Error("quota exceeded"), false],
    ] as const) {
      const { driver, tables } = driven({ message: [{ do: "store", number: 4, write: WRITE }] }, () =>
        Promise.reject(error),
      );
      driver.message(1, "{}");
      await settled();
      expect(tables.heard.at(-1)).toEqual({ type: "store-failed", number: 4, conflict });
    }
  });

  it("hands on what was loaded, thought, and when time has come", async () => {
    const { driver, log, tables, wake } = driven({
      connect: [
        { do: "load", number: 2, table: "t" },
        { do: "rows", number: 3, game: "loa" },
        { do: "ask", number: 9, weights: true, question: {} },
        { do: "cancel", number: 9 },
        { do: "wake", at: 100 },
        { do: "reply", request: 8, status: 204, type: "text/plain", body: "" },
      ],
    });
    driver.connect(1);
    await settled();
    wake();
    expect(log).toEqual(["ask 9", "cancel 9", "reply 8 204"]);
    expect(tables.heard).toEqual([
      { type: "connect", connection: 1 },
      // What cannot be read is not there.
      { type: "loaded", number: 2, table: null },
      { type: "rows", number: 3, rows: [] },
      { type: "news", news: { number: 9, answer: 7 } },
      { type: "tick" },
    ]);
  });
});
