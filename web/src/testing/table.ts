// A table for tests of components: two players and nothing special, to be changed where a test needs it.
import type { Connection } from "../connection/connection.ts";
import { link } from "../connection/live.svelte.ts";
import type { Frames } from "../connection/table.svelte.ts";
import { Session } from "../play/session.svelte.ts";
import type { BoardFacts, SeatState, TableState } from "../protocol/types.ts";

export function seat(title: string, changes: Partial<SeatState> = {}): SeatState {
  return {
    title: { key: `seat.${title.toLowerCase()}`, text: title },
    name: "",
    occupant: "human",
    person: true,
    mine: true,
    styles: [],
    forfeited: false,
    standIn: false,
    program: false,
    ...changes,
  };
}

export const BOT: Partial<SeatState> = { person: false, mine: false, occupant: "hard" };

export function table(facts: Partial<BoardFacts> = {}, changes: Partial<TableState> = {}): TableState {
  return {
    id: "t",
    seq: 1,
    game: "othello",
    options: "size=8",
    mode: "single",
    created: "",
    owner: true,
    seats: [seat("Black"), seat("White", BOT)],
    clock: "none",
    pace: 400,
    paused: false,
    skipping: false,
    boards: [
      {
        picture: {
          layout: "squares",
          surface: "felt",
          places: "{column}{row}",
          rows: ["1"],
          columns: ["a"],
          cells: [{ at: [0, 0] }],
        },
        skipped: 0,
        plies: [],
        facts: {
          ply: 0,
          movesMade: 0,
          position: "",
          counts: [],
          turn: 0,
          stopped: false,
          waits: false,
          canTakeBack: false,
          ...facts,
        },
      },
    ],
    ranking: [],
    watchers: 1,
    spectators: 0,
    styles: [],
    ...changes,
  };
}

/** Shows what happens without waiting for a picture. */
export const atOnce: Frames = (callback) => callback();

/**
 * A visit to such a table over a connection that stays silent. Games of tournaments are known by their ids,
 * `spring-3`.
 */
export function sessionAt(state: TableState, id = "t"): Session {
  link.status = "open";
  const silent = {
    follow: () => () => undefined,
    act: () => new Promise(() => undefined),
    ask: () => new Promise(() => undefined),
  };
  const session = new Session(id, silent as unknown as Connection, atOnce);
  session.table.receive({ type: "state", game: id, state });
  return session;
}
