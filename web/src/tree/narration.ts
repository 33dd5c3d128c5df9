// What happens in a step of a search, in words: first what, then why.
import { formatList, t } from "../i18n/index.svelte.ts";
import { moveName, moveSign } from "../lib/format.ts";
import type { TreeAnswer, TreeNode, WindowTree } from "../protocol/types.ts";
import { isPruned } from "./model.ts";
import { type Bounds, isClosed, type Moment, originOf } from "./stepping.ts";
import { fateText, nodeTitle, nodeValue, purposeText, valueText } from "./words.ts";

/** A search that is told about. */
export interface Tale {
  answer: TreeAnswer;
  tree: WindowTree;
  families: readonly number[][];
  sides: readonly boolean[];
  /** What the side that maximises and the other one are called. */
  players: { max: string; min: string };
}

/** A step in words. */
export interface Story {
  title: string;
  text: string;
  /** Whether branches were cut off. */
  isCut: boolean;
}

/** More moves than this are counted instead of named. */
const NAMED = 4;

/** The step that led to this moment. */
export function storyOf(tale: Tale, moment: Moment, next: WindowTree["steps"][number] | undefined): Story {
  const { answer, tree, sides, players } = tale;
  const { step } = moment;
  const node = tree.nodes[moment.now];
  const plain = (title: string, ...texts: string[]): Story => ({
    title,
    text: texts.filter((text) => text !== "").join(" "),
    isCut: false,
  });
  if (step === null || !node) return plain(t("tree.step.begin"), t("tree.step.begin.text", players));
  const name = nameOf(node);
  const value = nodeValue(node, answer);
  const isMax = sides[moment.now] ?? true;
  const isRoot = moment.now === 0;
  switch (step.event) {
    case "enter": {
      const title = isRoot ? t("tree.step.enter.root") : t("tree.step.enter", { move: name });
      const rule = isMax
        ? t("tree.step.enter.max", { player: players.max })
        : t("tree.step.enter.min", { player: players.min });
      return plain(title, rule, boundsText(moment.windows.get(moment.now), tale), purposeText(node));
    }
    case "judge":
    case "table": {
      const above = tree.nodes[node.parent ?? 0];
      const moves = next?.event === "raise" && next.by === moment.now;
      const effect = moves || !above ? "" : t("tree.step.judge.idle", { move: placeOf(above) });
      return plain(t("tree.step.judge", { move: name, value }), fateText(node), purposeText(node), effect);
    }
    case "raise":
      return raised(tale, moment, plain);
    case "cut":
      return cutOff(tale, moment, plain);
    case "leave": {
      if (isRoot) {
        const line = answer.line.map(moveSign).join(" ");
        return plain(t("tree.step.done", { move: moveName(answer.best), value }), t("tree.step.done.text", { line }));
      }
      const why = node.bound === "lower" ? "lower" : node.bound === "upper" ? "upper" : "exact";
      return plain(t("tree.step.judge", { move: name, value }), t(`tree.step.leave.${why}`));
    }
  }
}

type Plain = (title: string, ...texts: string[]) => Story;

function raised({ answer, tree, sides, players }: Tale, moment: Moment, plain: Plain): Story {
  const { now, step, windows } = moment;
  const by = tree.nodes[step?.by ?? -1];
  const value = valueText(by?.value ?? 0, answer);
  const move = by ? nameOf(by) : "";
  const node = placeOf(tree.nodes[now]);
  const bounds = windows.get(now);
  const closed = bounds && isClosed(bounds) ? t("tree.step.raise.closed") : "";
  if (!sides[now]) {
    return plain(
      t("tree.step.raise.min", { value }),
      t("tree.step.raise.min.text", { move, node, value, player: players.min }),
      closed,
    );
  }
  const text =
    now === 0
      ? t("tree.step.raise.root", { move })
      : t("tree.step.raise.max.text", { move, node, value, player: players.max });
  return plain(t("tree.step.raise.max", { value }), text, closed);
}

function cutOff(tale: Tale, moment: Moment, plain: Plain): Story {
  const { answer, tree, families, sides, players } = tale;
  const { now } = moment;
  const node = tree.nodes[now];
  const left = (families[now] ?? []).flatMap((child) => tree.nodes[child] ?? []).filter(isPruned);
  const moves = left.length <= NAMED ? formatList(left.map(nameOf)) : t("tree.step.moves", { n: left.length });
  if (node?.fate !== "cut" || !left[0]) {
    return plain(t("tree.step.leftOut", { moves }), left[0] ? fateText(left[0]) : "");
  }
  const isMax = sides[now] ?? true;
  const origin = originOf(moment, tree.nodes, sides, isMax ? "beta" : "alpha");
  const bound = isMax ? node.beta : node.alpha;
  const values = {
    ...players,
    by: moveName(node.by ?? ""),
    node: placeOf(node),
    value: valueText(node.value ?? 0, answer),
    bound: typeof bound === "number" ? valueText(bound, answer) : "",
  };
  const from = tree.nodes[origin?.by ?? -1];
  const text = from
    ? t(isMax ? "tree.step.cut.max" : "tree.step.cut.min", { ...values, origin: nameOf(from) })
    : t(isMax ? "tree.step.cut.max.window" : "tree.step.cut.min.window", values);
  return { ...plain(t("tree.step.cut", { moves }), text), isCut: true };
}

/** What the search is still interested in when it comes to a node. */
function boundsText(bounds: Bounds | undefined, { answer, players }: Tale): string {
  const { alpha, beta } = bounds ?? { alpha: null, beta: null };
  if (alpha === null && beta === null) return t("tree.step.window.open");
  if (alpha === null) return t("tree.step.window.beta", { player: players.min, value: valueText(beta ?? 0, answer) });
  if (beta === null) return t("tree.step.window.alpha", { player: players.max, value: valueText(alpha, answer) });
  return t("tree.step.window.both", { low: valueText(alpha, answer), high: valueText(beta, answer) });
}

/** What stands in a stub for branches that were left out: the inequality that did it, or a word. */
export function stubReason(parent: TreeNode, child: TreeNode, isMax: boolean, answer: TreeAnswer): string {
  if (child.fate === "pruned-by-cut" && typeof parent.value === "number") {
    const value = valueText(parent.value, answer);
    if (isMax && typeof parent.beta === "number") return `${value} ≥ β ${valueText(parent.beta, answer)}`;
    if (!isMax && typeof parent.alpha === "number") return `${value} ≤ α ${valueText(parent.alpha, answer)}`;
  }
  switch (child.fate) {
    case "pruned-as-futile":
    case "pruned-by-looks":
    case "pruned-by-rule":
    case "pruned-early":
    case "symmetric":
      return t(`tree.stub.${child.fate}`);
    default:
      return t("tree.stub.cut");
  }
}

function nameOf(node: TreeNode): string {
  return typeof node.move === "string" ? moveName(node.move) : nodeTitle(node);
}

/** A node as a place in the tree. */
function placeOf(node: TreeNode | undefined): string {
  return node && typeof node.parent === "number" ? nameOf(node) : t("tree.root");
}
