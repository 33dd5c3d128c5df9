import { describe, expect, it } from "vitest";

import type { BoardFacts, Cell, Spot, Step, Update } from "../protocol/types.ts";
import { applyUpdate, type KnownBoard, type KnownTable } from "./table.ts";

function facts(ply: number): BoardFacts {
  return { ply, movesMade: ply, position: "", counts: [], turn: 0, stopped: false, waits: false, canTakeBack: false };
}

function board(ply = 0): KnownBoard {
  const cells: Cell[] = [0, 1, 2, 3].map((index) => ({ at: [index >> 1, index & 1] }));
  return {
    picture: {
      layout: "squares",
      surface: "felt",
      places: "{column}{row}",
      rows: ["1", "2"],
      columns: ["a", "b"],
      cells,
    },
    facts: facts(ply),
  };
}

function table(boards: KnownBoard[]): KnownTable {
  return {
    id: "t",
    seq: 4,
    game: "othello",
    options: "",
    mode: "single",
    created: "",
    owner: true,
    seats: [],
    clock: "none",
    pace: 400,
    paused: false,
    skipping: false,
    boards,
    ranking: [],
    watchers: 1,
    spectators: 0,
    styles: [],
  };
}

function update(change: Partial<Update["boards"][number]>): Update {
  const blank = { board: 0, kept: 0, plies: [], steps: [], changes: [], facts: facts(0) };
  return {
    game: "t",
    from: 4,
    seq: 5,
    paused: true,
    skipping: true,
    pace: 20,
    ranking: [[0]],
    boards: [{ ...blank, ...change }],
  };
}

describe("an update", () => {
  it("changes cells and leaves the others as they are", () => {
    const before = table([board(1)]);
    const piece = { owner: 0, style: "black" };
    const after = applyUpdate(
      before,
      update({
        kept: 1,
        plies: [{ token: "b2", seat: 0 }],
        changes: [
          {
            spots: [
              [1, 0],
              [1, 1],
            ],
            piece,
          },
        ],
        facts: facts(2),
      }),
    );
    expect(after.boards[0]?.picture.cells.slice(2)).toEqual([
      { at: [1, 0], piece },
      { at: [1, 1], piece },
    ]);
    expect(after.boards[0]?.picture.cells[0]).toBe(before.boards[0]?.picture.cells[0]);
    expect(after).toMatchObject({ seq: 5, paused: true, skipping: true, pace: 20, ranking: [[0]] });
  });

  it("tells the last move by the steps that it shows, if not by itself", () => {
    const step = (to: Spot): Step => ({ kind: "place", to, effects: [] });
    const [first, second] = [step([0, 0]), step([1, 1])];
    const shown = update({ plies: [{ token: "a1", seat: 1 }, { token: "2@b2" }], steps: [first, second] });
    expect(applyUpdate(table([board()]), shown).boards[0]?.facts.last).toEqual({ seat: 1, token: "a1", step: first });
    const last = { seat: 0, token: "b2", step: second };
    const told = update({ facts: { ...facts(1), last } });
    expect(applyUpdate(table([board(2)]), told).boards[0]?.facts.last).toEqual(last);
    expect(applyUpdate(table([board(1)]), update({})).boards[0]?.facts.last).toBeUndefined();
  });

  it("changes only the boards it names", () => {
    const before = table([board(1), board(1)]);
    const after = applyUpdate(before, update({ board: 1, kept: 1, plies: [{ token: "c" }] }));
    expect(after.boards[0]).toBe(before.boards[0]);
    expect(after.boards[1]).not.toBe(before.boards[1]);
  });
});
