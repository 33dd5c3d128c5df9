// Tournaments as people read about them.
import { formatList, formatNumber, type PlainKey, t } from "../i18n/index.svelte.ts";
import { gameText, say } from "../i18n/server.svelte.ts";
import { isKey } from "../lib/format.ts";
import { gameName } from "../lib/names.ts";
import { parseOptions } from "../lib/options.ts";
import type { TechnicalLoss, TournamentRound, TournamentSummary } from "../protocol/types.ts";

/** With its sign: `+212`, `-31`, `0`. */
export function formatSigned(value: number): string {
  return formatNumber(Math.round(value) + 0, { signDisplay: "exceptZero" });
}

/** A rating with half of its interval: `+212 ± 61`. */
export function formatElo(elo: number, error: number): string {
  return `${formatSigned(elo)} ± ${formatNumber(Math.round(error))}`;
}

/** Points: `3`, `-2`, `0.5`. */
export function formatPoints(points: number): string {
  return formatNumber(points, { maximumFractionDigits: 2 });
}

/** How long something still takes, as exactly as an estimate deserves: `about 12 min left`. */
export function formatLeft(seconds: number): string {
  const minutes = Math.round(seconds / 60);
  if (minutes < 1) return t("arena.leftSoon");
  if (minutes < 100) return t("arena.leftMinutes", { n: minutes });
  return t("arena.leftHours", { n: Math.round(minutes / 60) });
}

/** A size in bytes: `12 kB`. */
export function formatBytes(bytes: number): string {
  const [unit, size] = bytes < 1_000_000 ? (["kilobyte", 1e3] as const) : (["megabyte", 1e6] as const);
  return formatNumber(bytes / size, { style: "unit", unit, maximumFractionDigits: 1 });
}

const UNITS: Record<string, number> = { ms: 0.001, s: 1, m: 60 };

/** A duration of a tournament file, such as `500ms`, in seconds; null if it is none. */
function secondsOf(text: string): number | null {
  const [, value, unit = ""] = /^([\d.]+)(ms|s|m)$/.exec(text) ?? [];
  const seconds = Number(value) * (UNITS[unit] ?? NaN);
  return Number.isNaN(seconds) ? null : seconds;
}

export function formatDuration(text: string): string {
  const seconds = secondsOf(text);
  return seconds === null ? text : t("time.seconds", { n: seconds });
}

/** The time of a round: `1 s a move`, or `10 s + 0.1 s a move`. */
export function formatThinkingTime(time: string): string {
  const [first = "", second] = time.split("+");
  const [budget, increment] = [secondsOf(first), second === undefined ? null : secondsOf(second)];
  if (budget === null || (second !== undefined && increment === null)) return time;
  if (increment === null) return t("arena.perMove", { n: budget });
  return budget % 60 === 0
    ? t("new.clock.minutes", { minutes: budget / 60, seconds: increment })
    : t("arena.budget", { budget, increment });
}

/** The options of a round in the game's own words: `Board size 8, Turns 100`. */
export function optionList(game: string, options: string): string {
  const parts = Object.entries(parseOptions(options)).map(([key, value]) => {
    const word =
      value === "on" || value === "off"
        ? t(value === "on" ? "new.on" : "new.off")
        : gameText(game, `choice.${key}.${value}`, value);
    return `${gameText(game, `option.${key}`, key)} ${word}`;
  });
  return parts.join(", ");
}

/**
 * A word of the server for which there is a text, such as a format or the kind of a player; otherwise the word
 * itself.
 */
export function worded(prefix: "arena.format" | "arena.kind" | "arena.file" | "arena.fault", word: string): string {
  const key = `${prefix}.${word.replaceAll(" ", "-")}`;
  return isKey(key) ? t(key as PlainKey) : word;
}

export function gamesText({ games }: TournamentSummary): string {
  return formatList(games.map((game) => gameText(game, "title", game)));
}

/** The round that is being played: the first one that is not over. */
export function currentRound(rounds: readonly TournamentRound[]): TournamentRound | undefined {
  return rounds.find(({ planned, played }) => planned === 0 || played < planned) ?? rounds.at(-1);
}

/** "Round 2 of 3: Lines of Action 8×8, 1 s a move", without the number if there is only one. */
export function roundText(round: TournamentRound, rounds: number): string {
  const what = `${gameName(round.game, round.options)}, ${formatThinkingTime(round.time)}`;
  return rounds > 1 ? t("arena.roundOf", { n: round.number, m: rounds, what }) : what;
}

/** What a player did wrong, against whom and when: "moved too late, against deep-lines, after 12 plies". */
export function lossText(loss: TechnicalLoss, game: string | undefined): string {
  const key = `arena.offence.${loss.fault}`;
  const reason = isKey(key) ? t(key as PlainKey) : say(loss.reason, game);
  const values = { reason, names: formatList(loss.opponents) };
  return loss.game === null || loss.game === undefined
    ? t("arena.lossUnplayed", values)
    : t("arena.loss", { ...values, n: loss.ply });
}
