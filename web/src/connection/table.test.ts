import { describe, expect, it } from "vitest";

import type { BoardFacts, BoardState, Cell, Spot, Step, TableState, Update } from "../protocol/types.ts";
import { applyUpdate } from "./table.ts";

function facts(ply: number): BoardFacts {
  return { ply, position: "", counts: [], turn: 0, stopped: false, waits: false, canTakeBack: false };
}

function board(plies: string[], skipped = 0): BoardState {
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
    skipped,
    plies: plies.map((token) => ({ token, seat: 0 })),
    facts: facts(skipped + plies.length),
  };
}

function table(boards: BoardState[]): TableState {
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
    boards,
    ranking: [],
    watchers: 1,
    spectators: 0,
    styles: [],
  };
}

function update(change: Partial<Update["boards"][number]>): Update {
  const blank = { board: 0, kept: 0, plies: [], steps: [], changes: [], facts: facts(0) };
  return { game: "t", from: 4, seq: 5, paused: true, pace: 20, ranking: [[0]], boards: [{ ...blank, ...change }] };
}

const tokens = (state: TableState, index = 0) => state.boards[index]?.plies.map(({ token }) => token);

describe("an update", () => {
  it("adds plies, changes cells and leaves the others as they are", () => {
    const before = table([board(["a1"])]);
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
    expect(tokens(after)).toEqual(["a1", "b2"]);
    expect(after.boards[0]?.picture.cells.slice(2)).toEqual([
      { at: [1, 0], piece },
      { at: [1, 1], piece },
    ]);
    expect(after.boards[0]?.picture.cells[0]).toBe(before.boards[0]?.picture.cells[0]);
    expect(after).toMatchObject({ seq: 5, paused: true, pace: 20, ranking: [[0]] });
    expect(tokens(before)).toEqual(["a1"]);
  });

  it("tells the last move by the steps that it shows, if not by itself", () => {
    const step = (to: Spot): Step => ({ kind: "place", to, effects: [] });
    const [first, second] = [step([0, 0]), step([1, 1])];
    const shown = update({ plies: [{ token: "a1", seat: 1 }, { token: "2@b2" }], steps: [first, second] });
    expect(applyUpdate(table([board([])]), shown).boards[0]?.facts.last).toEqual({ seat: 1, token: "a1", step: first });
    const last = { seat: 0, token: "b2", step: second };
    const told = update({ facts: { ...facts(1), last } });
    expect(applyUpdate(table([board(["b2", "a1"])]), told).boards[0]?.facts.last).toEqual(last);
    expect(applyUpdate(table([board(["a1"])]), update({})).boards[0]?.facts.last).toBeUndefined();
  });

  it("takes plies back", () => {
    expect(tokens(applyUpdate(table([board(["a1", "b1", "a2"])]), update({ kept: 1 })))).toEqual(["a1"]);
  });

  it("takes back more than is known of a long game", () => {
    const after = applyUpdate(table([board(["x", "y"], 10)]), update({ kept: 7 }));
    expect(tokens(after)).toEqual([]);
    expect(after.boards[0]?.skipped).toBe(7);
  });

  it("changes only the boards it names", () => {
    const before = table([board(["a"]), board(["b"])]);
    const after = applyUpdate(before, update({ board: 1, kept: 1, plies: [{ token: "c" }] }));
    expect(after.boards[0]).toBe(before.boards[0]);
    expect(tokens(after, 1)).toEqual(["b", "c"]);
  });
});
