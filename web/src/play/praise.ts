// A friendly word after a move of one's own, one of several at random.
import { t } from "../i18n/index.svelte.ts";

const WORDS = ["praise.1", "praise.2", "praise.3", "praise.4", "praise.5", "praise.6"] as const;

/** `random` gives numbers from 0 to below 1. */
export function praise(random: () => number = Math.random): string {
  return t(WORDS[Math.floor(random() * WORDS.length)] ?? "praise.1");
}
