// A friendly word after a move of one's own. It varies, and is the same for the same ply, so that tests can tell.
import { t } from "../i18n/index.svelte.ts";

const WORDS = ["praise.1", "praise.2", "praise.3", "praise.4", "praise.5", "praise.6"] as const;

export function praise(ply: number): string {
  return t(WORDS[(ply * 7 + (ply >> 2)) % WORDS.length] ?? "praise.1");
}
