// Texts of the web app in the chosen language. What games and the server say is in `server.svelte.ts`.
import type { BoardKey } from "../board/api.ts";
import { en } from "./en.ts";
import { type Arguments, fill, isolate } from "./fill.ts";

export type Key = keyof typeof en;
export type Language = "en" | "he";
export const LANGUAGES: readonly Language[] = ["en", "he"];

type Names<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | Names<Rest> : never;
type Filling<K extends Key> = [Names<(typeof en)[K]>] extends [never]
  ? []
  : [values: Record<Names<(typeof en)[K]>, string | number>];

/** A key whose text needs nothing filled in. */
export type PlainKey = { [K in Key]: [Names<(typeof en)[K]>] extends [never] ? K : never }[Key];

/** The language on screen. Change it with {@link setLanguage}, which loads its texts first. */
export const locale = $state<{ language: Language }>({ language: "en" });

let texts = $state.raw<Record<Key, string>>(en);

export function isRightToLeft(language: Language): boolean {
  return language === "he";
}

/** Loads the texts of `language` and shows them. English is always at hand, others are loaded when they are wanted. */
export async function setLanguage(language: Language): Promise<void> {
  texts = language === "he" ? (await import("./he.ts")).he : en;
  locale.language = language;
}

/** The text of `key`, with its placeholders filled. */
export function t<K extends Key>(key: K, ...[values]: Filling<K>): string {
  return lookUp(key, values ?? {});
}

/** A text of the boards, whose placeholders are theirs to fill. */
export function boardText(key: BoardKey, values: Arguments = {}): string {
  return lookUp(key, values);
}

function lookUp(key: Key, values: Arguments): string {
  const singular = `${key}.one`;
  const chosen = values["n"] === 1 && singular in texts ? (singular as Key) : key;
  return fill(texts[chosen], (name) => {
    const value = values[name];
    if (value === undefined) return undefined;
    return typeof value === "string" ? isolate(value, isRightToLeft(locale.language)) : formatNumber(value);
  });
}

/** Several names in one sentence: "Dana and Noa". */
export function formatList(items: readonly string[]): string {
  return new Intl.ListFormat(locale.language).format(items);
}

/** A moment as the server writes it, `2026-11-15T18:00:00Z`, in the time of this browser. */
export function formatDate(moment: string): string {
  const date = new Date(moment);
  if (Number.isNaN(date.getTime())) return moment;
  return new Intl.DateTimeFormat(locale.language, { dateStyle: "medium", timeStyle: "short" }).format(date);
}

/** Making one takes far longer than using it. */
const numberFormats = new Map<string, Intl.NumberFormat>();

export function formatNumber(value: number, options?: Intl.NumberFormatOptions): string {
  const name = options ? `${locale.language} ${JSON.stringify(options)}` : locale.language;
  let format = numberFormats.get(name);
  if (!format) numberFormats.set(name, (format = new Intl.NumberFormat(locale.language, options)));
  return format.format(value);
}
