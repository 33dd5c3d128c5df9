// What the folded part of the form holds, in a few words.
import { formatNumber } from "../i18n/index.svelte.ts";
import { gameText } from "../i18n/server.svelte.ts";
import { formatPace, formatTimeControl } from "../lib/format.ts";
import type { OptionInfo } from "../protocol/types.ts";
import type { Draft } from "./draft.svelte.ts";

/** The values that a new game has unless somebody unfolds the rest. */
export function summaryOf(draft: Draft): string[] {
  const parts: string[] = [];
  if (!draft.hasBotsOnly && !(draft.isOnline && draft.isMany)) parts.push(formatTimeControl(draft.clock));
  for (const option of draft.info.choices) {
    const value = draft.options[option.key];
    if (value !== undefined && option.key !== draft.sets?.key) parts.push(...wordsOf(draft, option, value));
  }
  if (draft.hasPace) parts.push(formatPace(draft.pace));
  return parts;
}

function wordsOf(draft: Draft, { key, kind }: OptionInfo, value: string): string[] {
  const { game, seats } = draft.info;
  const label = gameText(game, `option.${key}`, key);
  switch (kind.kind) {
    case "switch":
      return value === "on" ? [label] : [];
    case "choice":
      // Which side is the first is told by the sides themselves.
      if (seats.some(({ title }) => title.key === `seat.${value}`)) return [];
      return [gameText(game, `choice.${key}.${value}`, value)];
    case "integer":
      return key === "size" ? [`${value}×${value}`] : [`${label}: ${formatNumber(Number(value))}`];
    case "text":
      return [value];
  }
}
