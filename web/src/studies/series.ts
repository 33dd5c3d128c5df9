// What the plots of a study show.
import { t } from "../i18n/index.svelte.ts";
import type { Interval } from "../plots/Intervals.svelte";
import { MOST_LINES, type Series } from "../plots/LinePlot.svelte";
import type { Study, StudyComparison, StudyEstimate, StudySide } from "../protocol/types.ts";
import { formatDifference, formatEstimate, formatFigure, formatRatio, formatShare, settingName } from "./format.ts";

/** The comparisons under one circumstance, by its index. */
export interface Place {
  index: number;
  name: string;
  comparisons: StudyComparison[];
}

/** The circumstances under which something has been played. */
export function places(study: Study): Place[] {
  return study.circumstances
    .map(({ name }, index) => ({
      index,
      name,
      comparisons: study.comparisons.filter((comparison) => comparison.circumstance === index && comparison.games > 0),
    }))
    .filter(({ comparisons }) => comparisons.length > 0);
}

function botOf(study: Study, { circumstance, setting }: StudyComparison): string {
  return study.circumstances[circumstance]?.bots[setting] ?? "";
}

const TONES = { stronger: "better", weaker: "worse", open: "open" } as const;

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
  /** Whether its values span so much that a logarithmic axis shows them better. */
  isWide: boolean;
}

const WIDE = 20;
const ENOUGH = 3;

/** For every factor with several numbers as values: the score over the value, a line for each circumstance. */
export function factors(study: Study): Factor[] {
  if (study.allAgainstAll) return [];
  const known = places(study);
  const names = [...new Set(study.settings.flatMap(({ factor }) => (factor ? [factor] : [])))];
  return names.flatMap((name) => {
    const series = known
      .map((place) => ({
        name: known.length > 1 ? place.name : "",
        points: place.comparisons
          .flatMap(({ setting, score }) => {
            const { factor, value } = study.settings[setting] ?? {};
            return factor === name && value !== null && value !== undefined
              ? [{ x: value, y: score.value, low: score.low, high: score.high }]
              : [];
          })
          .sort((one, other) => one.x - other.x),
      }))
      .filter((line) => line.points.length >= ENOUGH)
      .slice(0, MOST_LINES);
    if (series.length === 0) return [];
    const xs = series.flatMap((line) => line.points.map(({ x }) => x));
    const low = Math.min(...xs);
    return [{ name, series, isWide: low > 0 && Math.max(...xs) / low >= WIDE }];
  });
}
