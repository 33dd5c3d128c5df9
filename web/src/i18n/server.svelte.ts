// What games and the server say: messages with keys, whose texts the server has in every language.
import { getJson } from "../lib/api.ts";
import type { Message, Value } from "../protocol/types.ts";
import { fill, isolate } from "./fill.ts";
import { formatNumber, isRightToLeft, type Language, locale } from "./index.svelte.ts";

type Texts = Record<string, string>;

const requests = new Map<string, Promise<void>>();
let texts = $state.raw<ReadonlyMap<string, Texts>>(new Map());

function nameOf(language: Language, game: string): string {
  return `${language}/${game}`;
}

/** Loads the texts of `game` in the language on screen. Until they are there, messages show in English. */
export function loadTexts(game: string): Promise<void> {
  const name = nameOf(locale.language, game);
  let request = requests.get(name);
  if (!request) {
    request = getJson<Texts>(`/api/v1/messages/${name}`).then(
      (found) => void (texts = new Map(texts).set(name, found)),
      // Whoever asks next tries again; meanwhile the English texts inside messages do.
      () => void requests.delete(name),
    );
    requests.set(name, request);
  }
  return request;
}

function find(key: string, game: string | undefined): string | undefined {
  if (game !== undefined) return texts.get(nameOf(locale.language, game))?.[key];
  // What the server itself says is in every game's catalogue.
  for (const [name, found] of texts) {
    if (name.startsWith(`${locale.language}/`) && found[key] !== undefined) return found[key];
  }
  return undefined;
}

/** A text that belongs to a game, such as its title; `fallback`, usually the name programs use, if it has none. */
export function gameText(game: string, key: string, fallback: string): string {
  return find(key, game) ?? fallback;
}

/** Whether the game has such a text. */
export function hasGameText(game: string, key: string): boolean {
  return find(key, game) !== undefined;
}

/** What a message says in the language on screen. */
export function say(message: Message, game?: string): string {
  const values = message.arguments ?? {};
  const singular = values["n"] === 1 ? find(`${message.key}.one`, game) : undefined;
  const text = singular ?? find(message.key, game);
  if (text === undefined) return message.text;
  return fill(text, (name) => {
    const value = values[name];
    return value === undefined ? undefined : sayValue(name, value, game);
  });
}

/** Arguments that count something, such as points. Other numbers are names: the 2048 tile is not "2,048". */
const COUNTS = ["n", "m", "of"];

function sayValue(name: string, value: Value, game: string | undefined): string {
  if (typeof value === "number") return formatNumber(value, { useGrouping: COUNTS.includes(name) });
  if (typeof value === "string") return isolate(value, isRightToLeft(locale.language));
  return say(value, game);
}
