// Opening a table and going there.
import type { KnownTable } from "../connection/table.ts";
import { t } from "../i18n/index.svelte.ts";
import type { GameInfo, NewLobby, NewSeat, NewTable, TableMode } from "../protocol/types.ts";
import { openLobby, openTable } from "./api.ts";
import { me } from "./me.svelte.ts";
import { gamePath, isStatic } from "./place.svelte.ts";
import { navigate } from "./router.svelte.ts";

export const HUMAN = "human";
/** A seat in a lobby that waits for somebody. */
export const OPEN = "open";
/** The level that newcomers meet. */
export const FIRST_LEVEL = "easy";

/**
 * How people play: against bots, together here or online, or not at all; alone, after the computer or beside it
 * where a game has one seat.
 */
export const MODES = ["bot", "screen", "online", "watch", "alone", "in-turn", "race"] as const;
export type Mode = (typeof MODES)[number];

/** The ways to play a game. Those for one player need no knowledge of the game but that it has one seat. */
export function modesOf(info: GameInfo): Mode[] {
  const modes: Mode[] =
    info.seats.length === 1 ? ["alone", "in-turn", "race", "online", "watch"] : ["bot", "screen", "online", "watch"];
  return isStatic ? modes.filter((mode) => mode !== "online") : modes;
}

/** How the boards belong together. Where a game has one seat, people online race. */
export function tableMode(info: GameInfo, mode: Mode): TableMode {
  if (mode === "in-turn" || mode === "race") return mode;
  return mode === "online" && info.seats.length === 1 ? "race" : "single";
}

/** Who plays at first in a mode: the person before the bots, or after them where the computer is to be first. */
export function occupants(info: GameInfo, mode: Mode, level: string): string[] {
  switch (mode) {
    case "bot":
      return info.seats.map((_, seat) => (seat === 0 ? HUMAN : level));
    case "screen":
    case "alone":
      return info.seats.map(() => HUMAN);
    case "watch":
      return info.seats.map(() => level);
    case "in-turn":
      return [level, HUMAN];
    case "race":
      return [HUMAN, level];
    case "online":
      return info.seats.length === 1 ? [HUMAN, OPEN] : info.seats.map((_, seat) => (seat === 0 ? HUMAN : OPEN));
  }
}

export function seat(occupant: string): NewSeat {
  return { occupant, name: null };
}

/** Opens a table with defaults for all that is not given, and shows it. */
export async function startTable(table: Pick<NewTable, "game" | "seats"> & Partial<NewTable>): Promise<void> {
  const blank: NewTable = {
    game: "",
    options: "",
    mode: null,
    seats: [],
    clock: null,
    pace: null,
    position: null,
    moves: [],
  };
  const { id } = await openTable({ ...blank, ...table });
  navigate(gamePath(id));
}

/** Opens a lobby and shows it. In a private one, a host who has not said their name is a guest like others. */
export async function startLobby(lobby: NewLobby): Promise<void> {
  const player = lobby.player || (await me.known()) || (lobby.terms?.public === false ? t("lobby.guest") : "");
  const { id } = await openLobby({ ...lobby, player });
  void me.introduce(lobby.player);
  navigate(`lobby/${id}`);
}

export function quickStart(info: GameInfo, mode: Mode, level = FIRST_LEVEL): Promise<void> {
  return startTable({ game: info.game, mode: tableMode(info, mode), seats: occupants(info, mode, level).map(seat) });
}

/** The same game once more, with the same options, and the same people and bots unless others are named. */
export function restart(state: KnownTable, who = state.seats.map(({ occupant }) => occupant)): Promise<void> {
  return startTable({
    game: state.game,
    options: state.options,
    mode: state.mode,
    seats: who.map(seat),
    clock: state.clock,
    pace: state.pace,
  });
}
