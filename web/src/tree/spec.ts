// The bot whose tree is shown, put together from switches. The keys are the declared parameters of the algorithms.
import type { PlainKey } from "../i18n/index.svelte.ts";

export interface Switch {
  label: PlainKey;
  help: PlainKey;
  on: Readonly<Record<string, string>>;
  off: Readonly<Record<string, string>>;
}

/** Everything that has been added to plain alpha-beta; off is how textbooks begin. */
export const SWITCHES: Readonly<Record<string, Switch>> = {
  window: {
    label: "tree.switch.window",
    help: "tree.switch.window.help",
    on: { window: "pvs" },
    off: { window: "full" },
  },
  deepening: {
    label: "tree.switch.deepening",
    help: "tree.switch.deepening.help",
    on: { deepening: "on" },
    off: { deepening: "off" },
  },
  ordering: {
    label: "tree.switch.ordering",
    help: "tree.switch.ordering.help",
    on: { ordering: "static" },
    off: { ordering: "none" },
  },
  killers: {
    label: "tree.switch.killers",
    help: "tree.switch.killers.help",
    on: { killers: "on", history: "on" },
    off: { killers: "off", history: "off" },
  },
  table: {
    label: "tree.switch.table",
    help: "tree.switch.table.help",
    on: { tt: "1", hash: "on" },
    off: { tt: "off", hash: "off" },
  },
  quiescence: {
    label: "tree.switch.quiescence",
    help: "tree.switch.quiescence.help",
    on: { quiescence: "2" },
    off: {},
  },
  null: { label: "tree.switch.null", help: "tree.switch.null.help", on: { null: "1" }, off: {} },
  reductions: {
    label: "tree.switch.reductions",
    help: "tree.switch.reductions.help",
    on: { lmr: "2", "lmr-rate": "1" },
    off: {},
  },
  futility: { label: "tree.switch.futility", help: "tree.switch.futility.help", on: { futility: "100" }, off: {} },
  best: { label: "tree.switch.best", help: "tree.switch.best.help", on: { best: "4" }, off: {} },
};

export type Algorithm = "alphabeta" | "mcts";

/** The searches that lessons go through one after the other: each has one thing more than the one before. */
export const VARIANTS = {
  plain: [],
  ordered: ["ordering", "killers"],
  table: ["ordering", "killers", "table"],
} as const satisfies Record<string, readonly string[]>;
export type Variant = keyof typeof VARIANTS;

/** The variant that these switches make, if they make one. */
export function variantOf(switches: ReadonlySet<string>): Variant | null {
  const names = Object.keys(VARIANTS) as Variant[];
  const isSame = (name: Variant) =>
    VARIANTS[name].length === switches.size && VARIANTS[name].every((one) => switches.has(one));
  return names.find(isSame) ?? null;
}

/** The specification of a bot. */
export function specOf(algorithm: Algorithm, switches: ReadonlySet<string>, evaluation: string | null): string {
  const settings: Record<string, string> = {};
  if (algorithm === "alphabeta") {
    for (const [name, { on, off }] of Object.entries(SWITCHES)) Object.assign(settings, switches.has(name) ? on : off);
  }
  if (evaluation !== null) settings["eval"] = evaluation;
  const pairs = Object.entries(settings).map(([key, value]) => `${key}=${value}`);
  return pairs.length === 0 ? algorithm : `${algorithm}:${pairs.join(",")}`;
}
