// What the others have played since one's own last move, where three or more play.
import { flushSync, mount, unmount } from "svelte";
import { afterEach, expect, it } from "vitest";

import { star } from "../board/testing/samples.ts";
import { settings } from "../lib/settings.svelte.ts";
import type { LastMove, SeatState } from "../protocol/types.ts";
import { BOT, seat, sessionAt, table } from "../testing/table.ts";
import type { Session } from "./session.svelte.ts";
import Since from "./Since.svelte";

const MOVES = ["0309-0407", "0519-0618", "1311-1210"];
const SEATS = [seat("Green"), seat("Yellow", { mine: false, name: "Noa" }), seat("Red", BOT)];

function move(by: number): LastMove {
  return { seat: by, token: MOVES[by] ?? "", step: { kind: "move", effects: [] } };
}

/** A game of three in which these seats have moved last, the seat `turn` being to move. */
function after(turn: number, movers: number[], seats: SeatState[] = SEATS): Session {
  const moves = movers.map(move);
  const facts = { turn, last: moves.at(-1) ?? null, earlier: moves.slice(0, -1) };
  const state = table(facts, { seats });
  return sessionAt({ ...state, boards: state.boards.map((board) => ({ ...board, picture: star() })) });
}

const seen = (session: Session) => session.since.map((one) => one.seat);

afterEach(() => {
  document.body.replaceChildren();
  settings.places = "letters";
});

it("is all that the others have played, as long as one has not moved again", () => {
  expect(seen(after(0, [1, 2]))).toEqual([1, 2]);
  expect(seen(after(1, [2, 0]))).toEqual([]);
  expect(seen(after(2, [0, 1]))).toEqual([1]);
  expect(seen(after(1, [0]))).toEqual([]);
  expect(seen(after(0, []))).toEqual([]);
});

it("is what has been played since the turn of the seat to move where several share the screen, or nobody plays", () => {
  const shared = [seat("Green"), seat("Yellow"), seat("Red")];
  expect(seen(after(2, [0, 1], shared))).toEqual([0, 1]);
  const watched = [seat("Green", BOT), seat("Yellow", BOT), seat("Red", BOT)];
  expect(seen(after(1, [2, 0], watched))).toEqual([2, 0]);
});

it("is nothing to two, who have seen the last move", () => {
  expect(seen(after(0, [1], SEATS.slice(0, 2)))).toEqual([]);
});

it("is said in words, with places called as one likes", () => {
  const session = after(0, [1, 2]);
  const shown = mount(Since, { target: document.body, props: { session } });
  flushSync();
  const rows = () => [...document.querySelectorAll("li")].map((row) => row.textContent?.replace(/\s+/g, " ").trim());
  expect(document.querySelector("h2")?.textContent).toBe("Since your last turn");
  expect(rows()).toEqual(["Noa 0519-0618", "Bot · Hard 1311-1210"]);
  settings.places = "numbers";
  flushSync();
  expect(rows()).toEqual(["Noa (5,19)-(6,18)", "Bot · Hard (13,11)-(12,10)"]);
  void unmount(shown);
});
