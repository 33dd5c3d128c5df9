// Studies as people read about them.
import { formatSigned } from "../arena/format.ts";
import { formatNumber, t } from "../i18n/index.svelte.ts";
import { say } from "../i18n/server.svelte.ts";
import type { Message, Study, StudyComparison, StudyEffect, StudyEstimate } from "../protocol/types.ts";

/** A share, with a digit after the point where it is near a half but is not one. */
export function formatShare(share: number): string {
  const fromHalf = Math.abs(share - 0.5);
  return formatNumber(share, { style: "percent", maximumFractionDigits: fromHalf > 1e-9 && fromHalf < 0.01 ? 1 : 0 });
}

/** A rate as the tables show it, `61.3%`; a dash where it was not counted. */
export function formatRate(share: number | null | undefined): string {
  return share === null || share === undefined
    ? "–"
    : formatNumber(share, { style: "percent", minimumFractionDigits: 1, maximumFractionDigits: 1 });
}

/** A number: whole if it is large. */
export function formatFigure(value: number | null | undefined): string {
  if (value === null || value === undefined) return "–";
  return formatNumber(value, { maximumFractionDigits: value >= 100 ? 0 : value >= 10 ? 1 : 2 });
}

/** How many times as much: `× 0.53`. */
export function formatRatio(ratio: number): string {
  const digits = ratio < 0.1 ? { maximumSignificantDigits: 2 } : { maximumFractionDigits: ratio >= 10 ? 1 : 2 };
  return `× ${formatNumber(ratio, digits)}`;
}

/** A difference of plies, with its sign. */
export function formatDifference(plies: number): string {
  return formatNumber(Math.round(100 * plies) / 100 + 0, { maximumFractionDigits: 2, signDisplay: "exceptZero" });
}

/** How long something would take: `40 min`, `5.3 hr`. */
export function formatHours(seconds: number): string {
  const minutes = Math.max(1, Math.round(seconds / 60));
  const unit = minutes < 100 ? "minute" : "hour";
  const amount = unit === "minute" ? minutes : minutes / 60;
  return formatNumber(amount, { style: "unit", unit, unitDisplay: "short", maximumFractionDigits: 1 });
}

/** By how much deeper a setting searches, as people say it; a dash where it was not measured. */
export function formatDepth(depth: StudyEstimate | null): string {
  if (depth === null) return "–";
  const plies = formatNumber(Math.abs(depth.value), { minimumFractionDigits: 2, maximumFractionDigits: 2 });
  if (Math.abs(depth.value) < 0.005) return t("studies.sameDepth");
  return t(depth.value > 0 ? "studies.deeper" : "studies.shallower", { plies });
}

/** A value with its interval: `94% (52% to 100%)`. */
export function formatEstimate({ value, low, high }: StudyEstimate, format: (value: number) => string): string {
  return t("studies.estimate", { value: format(value), low: format(low), high: format(high) });
}

/** The difference in Elo with its interval, whose ends may be infinite. */
export function formatEloRange({ elo, eloLow, eloHigh }: StudyComparison | StudyEffect): string {
  if (elo === null) return "–";
  const [low, high] = [eloLow === null ? "−∞" : formatSigned(eloLow), eloHigh === null ? "∞" : formatSigned(eloHigh)];
  return t("studies.estimate", { value: formatSigned(elo), low, high });
}

/** What its author, or Agon, calls something. */
export function sayName(name: Message | undefined): string {
  if (name === undefined) return "";
  return name.key === "" ? name.text : say(name, "studies");
}

/** What a setting is called. */
export function settingName(study: Study, setting: number): string {
  return sayName(study.settings[setting]?.name);
}

/** What a circumstance is called. */
export function placeName(study: Study, circumstance: number): string {
  return sayName(study.circumstances[circumstance]?.name);
}

/** Who is compared with whom, where that is not always the reference. */
export function pairName(study: Study, { setting, opponent }: StudyComparison | StudyEffect): string {
  const name = settingName(study, setting);
  return study.allAgainstAll ? t("studies.against", { setting: name, opponent: settingName(study, opponent) }) : name;
}
