// How much of each chat has been read in this browser, whichever of its tabs it was.
import type { ChatLine } from "../protocol/types.ts";

const KEY = "agon.chat-seen";
/** Chats that are remembered; those that were read longest ago are forgotten first. */
const MOST = 100;

/** The number of the last line that was read, by the id of the lobby or game. */
function read(): Map<string, number> {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return new Map(Array.isArray(kept) ? kept.filter(isEntry) : []);
  } catch {
    return new Map();
  }
}

function isEntry(value: unknown): value is [string, number] {
  return Array.isArray(value) && typeof value[0] === "string" && typeof value[1] === "number";
}

/** The number of the last line of a chat that has been read; 0 if none has. */
export function lastSeen(id: string): number {
  return read().get(id) ?? 0;
}

/** Everything so far has been read; the number of the last line. */
export function seeLines(id: string, lines: readonly ChatLine[]): number {
  return seeUpTo(id, lines.at(-1)?.seq ?? 0);
}

/** A chat has gone on from another one, and what was read there need not be read again. */
export function carrySeen(from: string, to: string): void {
  seeUpTo(to, lastSeen(from));
}

function seeUpTo(id: string, seq: number): number {
  const seen = read();
  const known = seen.get(id) ?? 0;
  const last = Math.max(known, seq);
  if (last === known) return last;
  seen.delete(id);
  seen.set(id, last);
  localStorage.setItem(KEY, JSON.stringify([...seen].slice(-MOST)));
  return last;
}
