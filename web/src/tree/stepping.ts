// A search after some of its steps: where it is, what its windows are there, and what it has found so far. The steps
// are the server's;
// nothing is searched here. No DOM, no texts.
import type { TreeNode, TreeStep, WindowTree } from "../protocol/types.ts";
import { isPruned } from "./model.ts";

/**
 * What has become of a node by now: not reached yet, its moves are being tried, its value is known, or it was
 * left out.
 */
export type Progress = "ahead" | "open" | "done" | "out";

/** What both sides are sure of; null where that is nothing. */
export interface Bounds {
  alpha: number | null;
  beta: number | null;
}

/** A search after some of its steps. */
export interface Moment {
  /** The step that was the last one; null before the first. */
  step: TreeStep | null;
  /** The node where the search is. */
  now: number;
  /** The nodes whose moves are being tried, from the root on, and {@link now}. */
  path: readonly number[];
  progress: readonly Progress[];
  /** The windows of the nodes on the path, as the steps have made them. */
  windows: ReadonlyMap<number, Bounds>;
  /** For a node of which a move has moved the window: the node where the last such move leads. */
  raisedBy: ReadonlyMap<number, number>;
  /** How many nodes have been visited, and how many branches left out. */
  visited: number;
  leftOut: number;
}

/** The search of `tree` after its first `count` steps. */
export function momentAfter(tree: WindowTree, families: readonly number[][], count: number): Moment {
  const progress: Progress[] = tree.nodes.map(() => "ahead");
  const open: number[] = [];
  const windows = new Map<number, Bounds>();
  const raisedBy = new Map<number, number>();
  let [visited, leftOut] = [0, 0];
  const steps = tree.steps.slice(0, count);
  for (const { node, event, by, alpha, beta } of steps) {
    switch (event) {
      case "enter":
        open.push(node);
        progress[node] = "open";
        windows.set(node, entryWindow(tree.nodes[node]));
        visited++;
        break;
      case "judge":
      case "table":
        progress[node] = "done";
        visited++;
        break;
      case "raise":
        windows.set(node, { alpha: alpha ?? null, beta: beta ?? null });
        if (typeof by === "number") raisedBy.set(node, by);
        break;
      case "cut":
        for (const child of families[node] ?? []) {
          const branch = tree.nodes[child];
          if (!branch || !isPruned(branch)) continue;
          progress[child] = "out";
          leftOut++;
        }
        break;
      case "leave":
        open.pop();
        progress[node] = "done";
        break;
    }
  }
  const step = steps[steps.length - 1] ?? null;
  const now = step?.node ?? 0;
  const path = open[open.length - 1] === now ? open : [...open, now];
  if (!windows.has(now)) windows.set(now, entryWindow(tree.nodes[now]));
  return { step, now, path, progress, windows, raisedBy, visited, leftOut };
}

function entryWindow(node: TreeNode | undefined): Bounds {
  return { alpha: node?.alpha ?? null, beta: node?.beta ?? null };
}

/** Whether no value fits into a window any more. */
export function isClosed({ alpha, beta }: Bounds): boolean {
  return alpha !== null && beta !== null && alpha >= beta;
}

/**
 * What a node is known to be worth: its value once that is known, and before that what its best move so far
 * makes sure of.
 */
export function valueSoFar(
  nodes: readonly TreeNode[],
  sides: readonly boolean[],
  moment: Moment,
  index: number,
): Pick<TreeNode, "value" | "bound"> | null {
  const node = nodes[index];
  if (!node || node.value === null || node.value === undefined) return null;
  if (moment.progress[index] === "done") return { value: node.value, bound: node.bound ?? null };
  const value = nodes[moment.raisedBy.get(index) ?? -1]?.value;
  if (moment.progress[index] !== "open" || value === null || value === undefined) return null;
  return { value, bound: sides[index] ? "lower" : "upper" };
}

/** The best line so far: from the root along the moves that moved a window last. */
export function bestLine({ raisedBy }: Moment): number[] {
  const line = [0];
  for (let next = raisedBy.get(0); next !== undefined; next = raisedBy.get(next)) line.push(next);
  return line.length > 1 ? line : [];
}

/**
 * Where an end of the window at the present node comes from: the nearest node above it whose side has made sure
 * of that value, and the
 * node where the move leads by which it has. Null if the end is open or was there from the beginning.
 */
export function originOf(
  moment: Moment,
  nodes: readonly TreeNode[],
  sides: readonly boolean[],
  end: "alpha" | "beta",
): { node: number; by: number } | null {
  const value = moment.windows.get(moment.now)?.[end];
  if (value === null || value === undefined) return null;
  for (const node of [...moment.path].reverse()) {
    const by = moment.raisedBy.get(node);
    if (by !== undefined && sides[node] === (end === "alpha") && nodes[by]?.value === value) return { node, by };
  }
  return null;
}

/** The steps, counted from 1, at which a cut-off leaves branches out. */
export function cutSteps(tree: WindowTree): number[] {
  return tree.steps.flatMap(({ node, event }, at) =>
    event === "cut" && tree.nodes[node]?.fate === "cut" ? [at + 1] : [],
  );
}
