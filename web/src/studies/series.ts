// What the plots of a study show.
import { t } from "../i18n/index.svelte.ts";
import type { Interval } from "../plots/Intervals.svelte";
import { MOST_LINES, type Point, type Series } from "../plots/LinePlot.svelte";
import type { Study, StudyComparison, StudyEstimate, StudyOutlook, StudyReach, StudySide } from "../protocol/types.ts";
import {
  formatDepth,
  formatDifference,
  formatEstimate,
  formatFigure,
  formatRatio,
  formatShare,
  pairName,
  placeName,
  settingName,
} from "./format.ts";

/** The comparisons under one circumstance, by its index. */
export interface Place {
  index: number;
  name: string;
  comparisons: StudyComparison[];
}

/** The circumstances under which something has been played. */
export function places(study: Study): Place[] {
  return study.circumstances
    .map((_, index) => ({
      index,
      name: placeName(study, index),
      comparisons: study.comparisons.filter((comparison) => comparison.circumstance === index && comparison.games > 0),
    }))
    .filter(({ comparisons }) => comparisons.length > 0);
}

function botOf(study: Study, { circumstance, setting }: StudyComparison): string {
  return study.circumstances[circumstance]?.bots[setting] ?? "";
}

const TONES = { stronger: "better", weaker: "worse", open: "open" } as const;

/** The main effects, with the circumstances of which they are the means. */
export function effects(study: Study): Interval[] {
  const isOne = study.circumstances.length === 1;
  return study.effects
    .filter(({ games }) => games > 0)
    .map((effect) => ({
      name: pairName(study, effect),
      ...effect.score,
      tone: TONES[effect.verdict],
      text: `${formatEstimate(effect.score, formatShare)}, ${t(`studies.verdict.${effect.verdict}`)}`,
      notes: [formatEstimate(effect.score, formatShare), effect.depth ? formatDepth(effect.depth) : ""],
      parts: isOne
        ? []
        : study.comparisons
            .filter(
              ({ setting, opponent, games }) => games > 0 && setting === effect.setting && opponent === effect.opponent,
            )
            .map(({ score }) => score.value),
    }));
}

/** The score of each setting against the reference. */
export function scores(study: Study, { comparisons }: Place): Interval[] {
  return comparisons.map((comparison) => ({
    name: settingName(study, comparison.setting),
    ...comparison.score,
    tone: TONES[comparison.verdict],
    text: `${formatEstimate(comparison.score, formatShare)}, ${t(`studies.verdict.${comparison.verdict}`)}`,
    hint: botOf(study, comparison),
  }));
}

export type Measure = "nodes" | "time" | "depth";
export const MEASURES: readonly Measure[] = ["nodes", "time", "depth"];

export function formatMeasure(measure: Measure): (value: number) => string {
  return measure === "depth" ? formatDifference : formatRatio;
}

/** What says that a setting differs in nothing. */
export function nothing(measure: Measure): number {
  return measure === "depth" ? 0 : 1;
}

/** What each setting costs or saves. */
export function efforts(study: Study, { comparisons }: Place, measure: Measure): Interval[] {
  return comparisons.flatMap((comparison) => {
    const estimate = comparison[measure];
    if (!estimate) return [];
    const isOpen = estimate.low <= nothing(measure) && estimate.high >= nothing(measure);
    return [
      {
        name: settingName(study, comparison.setting),
        ...estimate,
        ...(isOpen && { tone: "open" as const }),
        text: formatEstimate(estimate, formatMeasure(measure)),
        hint: botOf(study, comparison),
      },
    ];
  });
}

/** The sides under one circumstance: the reference, which is the same bot in all comparisons, and the settings. */
function sides(study: Study, { comparisons }: Place): { name: string; side: StudySide }[] {
  const first = comparisons[0];
  const reference = first ? [{ name: settingName(study, first.opponent), side: first.sides[1] }] : [];
  return [
    ...reference,
    ...comparisons.map(({ setting, sides: [side] }) => ({ name: settingName(study, setting), side })),
  ];
}

/** The points of each side, in games for one. */
export function points(study: Study, place: Place): Interval[] {
  const row = (name: string, estimate: StudyEstimate | null): Interval[] =>
    estimate ? [{ name, ...estimate, text: formatEstimate(estimate, formatFigure) }] : [];
  return sides(study, place).flatMap(({ name, side }) => row(name, side.points));
}

/** How long each depth took, for sides that search depth by depth. */
export function timesToDepth(study: Study, place: Place): Series[] {
  const lines = sides(study, place).map(({ name, side }) => ({
    name,
    points: side.depths.map(({ depth, seconds }) => ({ x: depth, y: 1000 * seconds })),
  }));
  return lines.filter((line) => line.points.length > 1).slice(0, MOST_LINES);
}

export interface Factor {
  name: string;
  series: Series[];
  /** The values that were played. */
  ticks: number[];
  /** Whether its values span so much that a logarithmic axis shows them better. */
  isWide: boolean;
}

const WIDE = 20;
const ENOUGH = 3;

/** For every factor with several numbers as values: the score over the value, over all circumstances and under each. */
export function factors(study: Study): Factor[] {
  if (study.allAgainstAll) return [];
  const isOne = study.circumstances.length === 1;
  const names = [...new Set(study.settings.flatMap(({ factor }) => (factor ? [factor] : [])))];
  return names.flatMap((name) => {
    // The reference scores a half against itself, wherever it stands.
    const own = study.referenceValues
      .filter(({ factor }) => factor === name)
      .map(({ value }): Point => ({ x: value, y: 0.5 }));
    const line = (title: string, scores: readonly { setting: number; score: StudyEstimate }[], isMain: boolean) => ({
      name: title,
      points: scores
        .flatMap(({ setting, score }): Point[] => {
          const { factor, value } = study.settings[setting] ?? {};
          if (factor !== name || value === null || value === undefined) return [];
          return [{ x: value, y: score.value, ...(isMain && { low: score.low, high: score.high }) }];
        })
        .concat(own)
        .sort((one, other) => one.x - other.x),
    });
    const main = line(
      isOne ? "" : t("studies.mainEffect"),
      study.effects.filter(({ games }) => games > 0),
      true,
    );
    // The intervals of single circumstances would hide the main effect.
    const single = isOne ? [] : places(study).map((place) => line(place.name, place.comparisons, false));
    const series = [main, ...single].filter((line) => line.points.length >= ENOUGH).slice(0, MOST_LINES);
    if (series.length === 0) return [];
    const ticks = [...new Set(series.flatMap((line) => line.points.map(({ x }) => x)))].sort(
      (one, other) => one - other,
    );
    const [low = 0, high = 0] = [ticks[0], ticks.at(-1)];
    return [{ name, series, ticks, isWide: low > 0 && high / low >= WIDE }];
  });
}

/** What so many games of a setting are likely to show, in a line for main effects and one for every circumstance. */
export function reaches({ curve }: StudyOutlook): Series[] {
  const line = (name: string, distance: (reach: StudyReach) => number | null) => ({
    name,
    points: curve.flatMap((reach): Point[] => {
      const y = distance(reach);
      return y === null ? [] : [{ x: reach.games, y }];
    }),
  });
  const lines = [
    line(t("studies.mainEffect"), ({ main }) => main),
    line(t("studies.everyCircumstance"), ({ each }) => each),
  ];
  return lines.filter(({ points }) => points.length > 1);
}
