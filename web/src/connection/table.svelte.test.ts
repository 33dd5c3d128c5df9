import { describe, expect, it, vi } from "vitest";

import type { TableState, Update } from "../protocol/types.ts";
import { atOnce } from "../testing/table.ts";
import { type Connection, Refusal } from "./connection.ts";
import { Table } from "./table.svelte.ts";

const STATE = {
  id: "t",
  seq: 4,
  boards: [{ skipped: 0, plies: [], picture: { cells: [], columns: [] }, facts: { ply: 0, movesMade: 0 } }],
  pace: 400,
  paused: false,
  skipping: false,
} as unknown as TableState;

function update(
  from: number,
  seq: number,
  boards: Partial<Update["boards"][number]>[] = [],
): Update & { type: "event" } {
  const blank = { board: 0, kept: 0, plies: [], steps: [], changes: [], facts: { ply: 1, movesMade: 1 } };
  return {
    type: "event",
    game: "t",
    from,
    seq,
    pace: 20,
    paused: true,
    skipping: false,
    ranking: [],
    boards: boards.map((board) => ({ ...blank, ...board })) as Update["boards"],
  };
}

function open(ask: Connection["ask"] = () => Promise.resolve({ type: "ack", id: "" })): Table {
  const table = new Table("t", { follow: () => () => undefined, ask } as unknown as Connection, atOnce);
  table.receive({ type: "state", game: "t", state: STATE });
  return table;
}

describe("a table", () => {
  it("takes updates that follow what it knows", () => {
    const table = open();
    expect(table.receive(update(4, 5, [{ plies: [{ token: "d3", seat: 0 }] }]))).toBe(true);
    expect(table.since()).toBe(5);
    expect(table.news).toMatchObject([{ board: 0, undone: false }]);
  });

  it("is timed as long as somebody has a clock and the game goes on", () => {
    const table = open();
    const facts = (rest: object) =>
      ({ facts: { ply: 0, movesMade: 0, ...rest } }) as unknown as Update["boards"][number];
    const seen = [{}, { clocks: [null, null] }, { clocks: [5000, null] }, { clocks: [5000], end: {} }].map((rest) => {
      table.receive(update(4, 4, [facts(rest)]));
      return table.isTimed();
    });
    expect(seen).toEqual([false, false, true, false]);
  });

  it("takes changes that are no events", () => {
    const table = open();
    expect(table.receive(update(4, 4))).toBe(true);
    expect(table.state).toMatchObject({ seq: 4, pace: 20, paused: true });
  });

  it("shows what has come of an action at once, however seldom moves are shown", async () => {
    const connection = {
      follow: () => () => undefined,
      act: () => {
        table.receive(update(4, 4));
        return Promise.resolve({ type: "ack", id: "" });
      },
    } as unknown as Connection;
    const pictures: (() => void)[] = [];
    const table = new Table("t", connection, (picture) => void pictures.push(picture));
    table.receive({ type: "state", game: "t", state: STATE });
    pictures.pop()?.();
    expect(table.state?.paused).toBe(false);
    await table.act({ do: "pause" });
    expect(table.state?.paused).toBe(true);
  });

  it("leaves aside what it knows already, and reports what is missing", () => {
    const table = open();
    expect(table.receive(update(2, 4))).toBe(true);
    expect(table.state?.pace).toBe(400);
    expect(table.receive(update(6, 7))).toBe(false);
  });

  it("keeps what a bot thought until its move is taken back", () => {
    const table = open();
    table.receive({ type: "waiting", game: "t", board: 0, place: 3 });
    expect(table.waiting.get(0)).toBe(3);
    table.receive({
      type: "thinking",
      game: "t",
      board: 0,
      seat: 0,
      ply: 0,
      depth: 3,
      nodes: 1,
      nodesPerSecond: 1,
      score: null,
      line: [],
    });
    expect(table.waiting.has(0)).toBe(false);
    expect(table.thinking.get(0)?.depth).toBe(3);
    table.receive(update(4, 5, [{ plies: [{ token: "d3", seat: 0 }] }]));
    expect(table.thinking.has(0)).toBe(true);
    table.receive(update(5, 6, [{ kept: 0 }]));
    expect(table.thinking.has(0)).toBe(false);
  });

  it("lets a move go once it is seen, even before it is acknowledged", async () => {
    const answers: (() => void)[] = [];
    const table = open(() => new Promise((resolve) => answers.push(() => resolve({ type: "ack", id: "" }))));
    const first = table.move(0, "d3");
    table.receive(update(4, 5, [{ plies: [{ token: "d3", seat: 0 }] }]));
    expect(table.pending.size).toBe(0);
    const second = table.move(0, "e3");
    answers[0]?.();
    await first;
    expect(table.pending.get(0)?.token).toBe("e3");
    answers[1]?.();
    await second;
    expect(table.pending.size).toBe(0);
  });

  it("keeps a move pending until it is answered, and lets it go with the reason", async () => {
    let refuse: (refusal: Refusal) => void = () => undefined;
    const ask = vi.fn<Connection["ask"]>(() => new Promise((_, reject) => (refuse = reject)));
    const table = open(ask);
    const sent = table.move(0, "d3");
    expect(table.pending.get(0)?.token).toBe("d3");
    await table.move(0, "e3");
    expect(ask).toHaveBeenCalledTimes(1);
    expect(ask).toHaveBeenCalledWith({ type: "move", game: "t", board: 0, ply: 0, move: "d3", typed: false });
    refuse(new Refusal("stale", { key: "refused.stale", text: "The game has moved on." }));
    await expect(sent).rejects.toThrow("The game has moved on.");
    expect(table.pending.size).toBe(0);
  });
});
