// Times, figures and scores as people read them.
import { en } from "../i18n/en.ts";
import { formatNumber, type Key, locale, t } from "../i18n/index.svelte.ts";
import type { ScoreState } from "../protocol/types.ts";

/** A clock: `4:10`, with tenths in the last ten seconds. */
export function formatClock(millis: number): string {
  const left = Math.max(0, millis);
  if (left < 10_000) return `0:0${(Math.floor(left / 100) / 10).toFixed(1)}`;
  const seconds = Math.ceil(left / 1000);
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const tail = `${String(minutes).padStart(hours > 0 ? 2 : 1, "0")}:${String(rest).padStart(2, "0")}`;
  return hours > 0 ? `${hours}:${tail}` : tail;
}

/** What is left until something happens, in whole seconds: `0:42`. */
export function formatCountdown(millis: number): string {
  const seconds = Math.ceil(Math.max(0, millis) / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/** A time control as people name it: `5+3`, `15 s a move`, `No clock`. */
export function formatTimeControl(clock: string): string {
  const budget = /^(\d+)m\+(\d+)s$/.exec(clock);
  if (budget) return `${budget[1]}+${budget[2]}`;
  const perMove = /^([\d.]+)s$/.exec(clock);
  if (perMove) return t("new.clock.perMove", { n: Number(perMove[1]) });
  return clock === "none" ? t("new.clock.none") : clock;
}

/** How long something took: `340 ms`, `1.2 s`. */
export function formatSpan(millis: number): string {
  if (millis < 1000) return t("time.millis", { n: Math.round(millis) });
  return t("time.seconds", { n: Math.round(millis / 100) / 10 });
}

/** Bots may answer in less than a millisecond: below so many, figures after the point count. */
const QUICK = 10;

/** How long a bot thinks: `0.03 ms`, `340 ms`, `1.2 s`. */
export function formatSeconds(seconds: number): string {
  const millis = seconds * 1000;
  return millis < QUICK ? t("time.millis", { n: Number(millis.toPrecision(1)) }) : formatSpan(millis);
}

/** `3rd` in English; languages whose texts say it otherwise get the number. */
export function formatPlace(place: number): string {
  if (locale.language !== "en") return formatNumber(place);
  const suffix = { one: "st", two: "nd", few: "rd", other: "th", zero: "th", many: "th" };
  return `${place}${suffix[new Intl.PluralRules("en", { type: "ordinal" }).select(place)]}`;
}

export function formatCount(count: number): string {
  return formatNumber(count, { notation: "compact", maximumFractionDigits: 1 });
}

/** A score with its unit, `+3 discs`, or without it where room is scarce; or what is proven. */
export function formatScore(score: ScoreState, hasUnit = true): string {
  if (score.proven !== null && score.proven !== undefined) {
    return score.proven >= 0 ? t("think.win", { n: score.proven }) : t("think.loss", { n: -score.proven });
  }
  // Points are what is there, and an expectation is between nothing and all; the rest is by how much somebody is ahead.
  const isPlain = score.unit === "percent" || score.unit === "points";
  const figure = formatNumber(score.value, {
    maximumFractionDigits: isPlain ? 0 : 2,
    signDisplay: isPlain ? "auto" : "exceptZero",
  });
  if (score.unit === null || (!hasUnit && score.unit !== "percent")) return figure;
  const unit = unitName(score.unit);
  return unit === "%" ? `${figure}%` : `${figure} ${unit}`;
}

/** What a unit is called; bots may count in one of their own. */
export function unitName(unit: string | null | undefined): string {
  const key = `unit.${unit}`;
  return key in en ? t(key as "unit.discs") : (unit ?? "");
}

const ARROWS = { left: "←", right: "→", up: "↑", down: "↓" } as const;

function isHeading(token: string): token is keyof typeof ARROWS {
  return token in ARROWS;
}

/** How all games with passes write one. */
const PASS = "pass";

/** A move to be read aloud or inside a sentence: notation, or a pass or a direction in the language on screen. */
export function moveName(token: string): string {
  if (token === PASS) return t("move.pass");
  return isHeading(token) ? t(`heading.${token}`) : token;
}

/** A move in a list: notation, a pass in the language on screen, or an arrow for a direction. */
export function moveSign(token: string): string {
  return isHeading(token) ? ARROWS[token] : moveName(token);
}

/** The least times between moves that people choose from, slowest first, in milliseconds. */
export const PACES = [5000, 2000, 1000, 500, 250, 125, 50, 20] as const;

/** The index of the pace in {@link PACES} that is nearest to `millis`. */
export function nearestPace(millis: number): number {
  const distance = (pace: number) => Math.abs(Math.log(Math.max(1, millis) / pace));
  return PACES.reduce((best, pace, index) => (distance(pace) < distance(PACES[best] ?? 1) ? index : best), 0);
}

export function formatPace(millis: number): string {
  return millis > 1000
    ? t("pace.every", { n: millis / 1000 })
    : t("pace.perSecond", { n: Math.round(1000 / Math.max(1, millis)) });
}

/** Whether `text` is a key of the app's own catalogue. */
export function isKey(text: string): text is Key {
  return text in en;
}
