// Options of games as text, `size=8,turns=100`. Which there are and what they take is for the server to say.
import type { OptionInfo } from "../protocol/types.ts";

export type Options = Record<string, string>;

export function parseOptions(text: string): Options {
  const options: Options = {};
  for (const part of text.split(",")) {
    const split = part.indexOf("=");
    if (split > 0) options[part.slice(0, split).trim()] = part.slice(split + 1).trim();
  }
  return options;
}

export function formatOptions(options: Options): string {
  return Object.entries(options)
    .map(([key, value]) => `${key}=${value}`)
    .join(",");
}

/** The options among `query` that the game has, such as those of `/loa/new?size=12`. */
export function optionsOfQuery(query: URLSearchParams, choices: readonly OptionInfo[]): Options {
  const options: Options = {};
  for (const { key } of choices) {
    const value = query.get(key);
    if (value !== null) options[key] = value;
  }
  return options;
}

/**
 * Players and sets of marbles each in a text such as `gr/yp/ob`; null if the seats differ in the number of their
 * sets.
 */
export function seatShape(text: string): { seats: number; sets: number } | null {
  const seats = text.split("/");
  const sets = seats[0]?.length ?? 0;
  return sets > 0 && seats.every((seat) => seat.length === sets) ? { seats: seats.length, sets } : null;
}

/** Gives the set `letter` to the seat `index`, taking it from whoever has it; or takes it away if that seat has it. */
export function giveSet(text: string, index: number, letter: string): string {
  const seats = text.split("/");
  const had = seats[index]?.includes(letter);
  const given = seats.map((seat, at) => {
    const rest = seat.replaceAll(letter, "");
    return at === index && !had ? rest + letter : rest;
  });
  return given.filter((seat) => seat !== "").join("/");
}
