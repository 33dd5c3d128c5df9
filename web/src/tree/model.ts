// What is computed from a search tree: families, sides, the state of a growing tree after some steps. No DOM, no texts.
import type { PlayoutTree, TreeNode, WindowTree } from "../protocol/types.ts";

/** Something with a place in a tree. */
export interface Linked {
  parent?: number | null;
}

/** The children of every node, in their order. */
export function familiesOf(nodes: readonly Linked[]): number[][] {
  const families: number[][] = nodes.map(() => []);
  nodes.forEach(({ parent }, index) => {
    if (typeof parent === "number") families[parent]?.push(index);
  });
  return families;
}

/**
 * Whether it is the maximising side's turn at each node: sides alternate, except where the search looked at the
 * same position again.
 */
export function sidesOf(nodes: readonly TreeNode[]): boolean[] {
  const sides: boolean[] = [];
  nodes.forEach(({ parent, purpose }, index) => {
    const above = typeof parent === "number" ? (sides[parent] ?? true) : false;
    sides[index] = purpose === "prediction" ? above : !above;
  });
  return sides;
}

/** A branch that was left out, rather than a node that was visited. */
export function isPruned(node: TreeNode): boolean {
  return node.value === undefined || node.value === null;
}

/** The nodes from the root along the best moves: those whose values are exact and go all the way up. */
export function mainLine(tree: WindowTree, families: readonly number[][]): number[] {
  const line = [0];
  for (;;) {
    const at = line[line.length - 1] ?? 0;
    const value = tree.nodes[at]?.value;
    const best = families[at]?.find((child) => {
      const node = tree.nodes[child];
      return node !== undefined && node.value === value && !node.bound && isMainVisit(node);
    });
    if (best === undefined) return line;
    line.push(best);
  }
}

function isMainVisit({ purpose }: TreeNode): boolean {
  return purpose === undefined || purpose === null || purpose === "again" || purpose === "scout";
}

/** The way from the root to a node, both included. */
export function wayTo(nodes: readonly Linked[], index: number): number[] {
  const way = [index];
  for (let at = nodes[index]?.parent; typeof at === "number"; at = nodes[at]?.parent) way.unshift(at);
  return way;
}

/** The nodes that are seen when some are expanded, in the order of a list, with their depth from 0. */
export function visibleRows(
  families: readonly number[][],
  expanded: ReadonlySet<number>,
): { index: number; level: number }[] {
  const rows: { index: number; level: number }[] = [];
  const add = (index: number, level: number): void => {
    rows.push({ index, level });
    if (expanded.has(index)) for (const child of families[index] ?? []) add(child, level + 1);
  };
  if (families.length > 0) add(0, 0);
  return rows;
}

/** What is known about a node of a growing tree. */
export interface Grown {
  visits: number;
  /** The sum of what playouts were worth to whoever chose the node. */
  sum: number;
  /** Whether its result is proven by now. */
  isProven: boolean;
  /** How many of its children have never been tried. */
  untried: number;
}

/** A growing tree after its first `steps` playouts; null for nodes that are not there yet. */
export function grownAfter(tree: PlayoutTree, steps: number): (Grown | null)[] {
  const grown: (Grown | null)[] = tree.nodes.map(() => null);
  grown[0] = { visits: 0, sum: 0, isProven: false, untried: 0 };
  for (const { leaf, gains } of tree.steps.slice(0, steps)) {
    wayTo(tree.nodes, leaf).forEach((index, depth) => {
      const node = (grown[index] ??= { visits: 0, sum: 0, isProven: false, untried: 0 });
      node.visits += 1;
      if (depth > 0) node.sum += gains[depth - 1] ?? 0;
    });
  }
  const families = familiesOf(tree.nodes);
  tree.nodes.forEach(({ expanded, proven, children }, index) => {
    const node = grown[index];
    if (!node) return;
    node.isProven = typeof proven === "number" && proven < steps;
    const tried = families[index]?.filter((child) => grown[child]).length ?? 0;
    node.untried = typeof expanded === "number" && expanded < steps ? children - tried : 0;
  });
  return grown;
}

/** The upper confidence bound by which UCT chooses: the mean, and a bonus that shrinks with every visit. */
export function upperBound({ visits, sum }: Grown, parentVisits: number, exploration: number): number {
  return sum / visits + exploration * Math.sqrt(Math.log(Math.max(1, parentVisits)) / visits);
}
