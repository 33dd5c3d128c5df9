// Figures and reasons of search trees in words.
import { formatNumber, type Key, t } from "../i18n/index.svelte.ts";
import { isKey, moveName, moveSign } from "../lib/format.ts";
import type { TreeAnswer, TreeNode } from "../protocol/types.ts";

/** What values mean is the same in a whole tree. */
export type Scale = Pick<TreeAnswer, "win" | "proven" | "one">;

/** A value: a figure of the evaluation, or a win or loss that was found. */
export function valueText(value: number, { win, proven, one }: Scale): string {
  if (value > proven) return t("tree.win", { n: win - value });
  if (value < -proven) return t("tree.loss", { n: win + value });
  return formatNumber(value / one, { signDisplay: "exceptZero", maximumFractionDigits: 2 });
}

/** The value of a node with the sign of its bound; nothing for branches that were left out. */
export function nodeValue({ value, bound }: TreeNode, scale: Scale): string {
  if (value === null || value === undefined) return "";
  const sign = bound === "lower" ? "≥ " : bound === "upper" ? "≤ " : "";
  return sign + valueText(value, scale);
}

/** The ends of a node's window. */
export function windowText({ alpha, beta }: TreeNode, scale: Scale): { alpha: string; beta: string } {
  return {
    alpha: alpha === null || alpha === undefined ? "−∞" : valueText(alpha, scale),
    beta: beta === null || beta === undefined ? "+∞" : valueText(beta, scale),
  };
}

/** The move of a node as it stands in lists and pictures. */
export function nodeTitle(node: TreeNode): string {
  if (typeof node.move === "string") return moveSign(node.move);
  if (node.purpose === "null-move") return t("tree.passed");
  if (node.purpose === "prediction") return t("tree.same");
  return t("tree.root");
}

/** Why the search came here, if not simply to find the value. */
export function purposeText({ purpose }: TreeNode): string {
  return purpose === null || purpose === undefined ? "" : t(`tree.purpose.${purpose}`);
}

/** What became of a node, and why. */
export function fateText({ fate, by }: TreeNode): string {
  const reason = typeof by === "string" ? moveName(by) : "";
  switch (fate) {
    case "cut":
      return t("tree.fate.cut", { by: reason });
    case "pruned-by-cut":
      return t("tree.fate.pruned-by-cut", { by: reason });
    case "symmetric":
      return t("tree.fate.symmetric", { by: reason });
    default:
      return t(`tree.fate.${fate}` satisfies Key);
  }
}

/** A word or two about how a node was come to and what became of it, where that is not the usual. */
export function tagsOf({ fate, purpose }: TreeNode): string[] {
  const keys = [`tree.tag.${fate}`, `tree.tag.${purpose ?? ""}`];
  return [...new Set(keys)].filter(isKey).map((key) => t(key as "tree.tag.cut"));
}

/** All of it in one sentence, to be read aloud. */
export function nodeSentence(node: TreeNode, scale: Scale): string {
  const name = typeof node.move === "string" ? moveName(node.move) : nodeTitle(node);
  if (node.value === null || node.value === undefined) return `${name}. ${fateText(node)}`;
  const { alpha, beta } = windowText(node, scale);
  const parts = [
    t("tree.sentence", { move: name, value: nodeValue(node, scale), alpha, beta, depth: node.depth ?? 0 }),
    purposeText(node),
    fateText(node),
  ];
  return parts.filter((part) => part !== "").join(" ");
}
