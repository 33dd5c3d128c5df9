// What players are called on screen.
import { t } from "../i18n/index.svelte.ts";
import { gameText, say } from "../i18n/server.svelte.ts";
import type { SeatState } from "../protocol/types.ts";
import { isKey } from "./format.ts";
import { parseOptions } from "./options.ts";

/** A game with the size of its board: "Othello 10×10". */
export function gameName(game: string, options: string): string {
  const name = gameText(game, "title", game);
  const size = parseOptions(options)["size"];
  return size === undefined ? name : `${name} ${size}×${size}`;
}

/** The name of a bot: levels have one in every language; originals and specifications go by what programs call them. */
export function botName(occupant: string): string {
  const level = `level.${occupant}`;
  return isKey(level) ? t(level as "level.easy") : occupant;
}

/** What is to be known of a bot, in a sentence; empty where nothing is. */
export function botSummary(game: string, occupant: string): string {
  const level = `level.${occupant}.help`;
  if (isKey(level)) return gameText(game, `level.${occupant}.here`, t(level as "level.easy.help"));
  return gameText(game, `bot.${occupant}`, gameText(game, `algorithm.${occupant}`, ""));
}

/** Whether whoever played here online has deleted the game: their name is gone from it. */
export function isForgotten(seat: SeatState): boolean {
  return seat.name === "" && !seat.mine && (seat.person || seat.standIn || seat.program);
}

/** What sets one seat apart for this browser: "You", "Bot · Hard", a guest's name, or the seat's own title. */
export function seatName(game: string, seats: readonly SeatState[], index: number, isOnline: boolean): string {
  const seat = seats[index];
  if (!seat) return "";
  if (isOnline && isForgotten(seat)) return t("play.forgotten");
  if (seat.program) return t("play.bot", { name: seat.name });
  // Somebody for whom a bot plays keeps the seat and its name.
  if (seat.standIn) return seat.name;
  if (!seat.person) return t("play.bot", { name: botName(seat.occupant) });
  const here = seats.filter((other) => other.mine && other.person).length;
  if (seat.mine && here === 1) return t("play.you");
  return seat.mine || seat.name === "" ? say(seat.title, game) : seat.name;
}
