// The tree of a textbook, for tests: the second move is refuted by its first answer.
import type { TreeNode, TreeStep, WindowTree } from "../../protocol/types.ts";

const NODES: TreeNode[] = [
  { fate: "searched", depth: 2, value: 3 },
  { parent: 0, move: "a", fate: "searched", depth: 1, value: 3 },
  { parent: 0, move: "b", fate: "cut", by: "x", depth: 1, alpha: 3, value: 2, bound: "upper" },
  { parent: 1, move: "x", fate: "leaf", depth: 0, value: 12 },
  { parent: 1, move: "y", fate: "leaf", depth: 0, beta: 12, value: 3 },
  { parent: 2, move: "x", fate: "leaf", depth: 0, alpha: 3, value: 2 },
  { parent: 2, move: "y", fate: "pruned-by-cut", by: "x" },
];

const STEPS: TreeStep[] = [
  { node: 0, event: "enter" },
  { node: 1, event: "enter" },
  { node: 3, event: "judge" },
  { node: 1, event: "raise", by: 3, beta: 12 },
  { node: 4, event: "judge" },
  { node: 1, event: "raise", by: 4, beta: 3 },
  { node: 1, event: "leave" },
  { node: 0, event: "raise", by: 1, alpha: 3 },
  { node: 2, event: "enter" },
  { node: 5, event: "judge" },
  { node: 2, event: "raise", by: 5, alpha: 3, beta: 2 },
  { node: 2, event: "cut" },
  { node: 2, event: "leave" },
  { node: 0, event: "leave" },
];

export const TEXTBOOK: WindowTree = {
  passes: [],
  nodes: NODES,
  steps: STEPS,
  visited: 6,
  pruned: 1,
  finished: true,
};
