// What stands in a picture of a tree, and where: nodes, and stubs into which several of them are folded, so that a
// picture of a large tree
// can still be read. No DOM, no texts.

/** How a node or stub is drawn: as what it is, as not reached yet, as left out, or as one of many that are alike. */
export type Kind = "node" | "ahead" | "out" | "folded";

/** Something that is drawn: a node, or a stub that stands for some. */
export interface Item {
  kind: Kind;
  /** The nodes that it stands for, at least one. */
  nodes: readonly number[];
  /** The node above; null at the root. */
  parent: number | null;
}

/** An item with its place. Units are nodes and plies. */
export interface Placed extends Item {
  x: number;
  y: number;
}

/** What a picture is made of. */
export interface Plan {
  /** The children of every node. */
  families: readonly number[][];
  kindOf: (index: number) => "node" | "ahead" | "out";
  /** Whether the children of a node are drawn. */
  isExpanded: (index: number) => boolean;
  /** Whether a node stands by itself, however many stand beside it. */
  isKept: (index: number) => boolean;
  /** Whether something stands to the right of a node. */
  hasNotes: (index: number) => boolean;
  /** Whether the stubs among the children of a node are to be unfolded. */
  isUnfolded: (index: number) => boolean;
}

/** More nodes side by side are folded as far as they are not kept. */
const MANY = 12;
/** So many branches that have not been reached stand side by side. */
const AHEAD = 3;

/** How far away the next one stands from a node with notes. */
const NOTES = 1.6;

/** What is drawn of the children of a node, in their order. */
export function familyItems(parent: number, plan: Plan): Item[] {
  const family = plan.families[parent] ?? [];
  const isUnfolded = plan.isUnfolded(parent);
  const counts = { node: 0, ahead: 0, out: 0 };
  for (const child of family) counts[plan.kindOf(child)]++;
  const items: { kind: Kind; nodes: number[]; parent: number }[] = [];
  for (const child of family) {
    const kind = plan.kindOf(child);
    const isFolded =
      !isUnfolded &&
      (kind === "out" ||
        (kind === "ahead" && counts.ahead > AHEAD) ||
        (kind === "node" && counts.node > MANY && !plan.isKept(child)));
    const shown = kind === "node" && isFolded ? "folded" : kind;
    const last = items[items.length - 1];
    if (isFolded && last?.kind === shown) last.nodes.push(child);
    else items.push({ kind: shown, nodes: [child], parent });
  }
  // A stub that stands for one node saves nothing.
  return items.map((item) => (item.kind === "folded" && item.nodes.length === 1 ? { ...item, kind: "node" } : item));
}

/**
 * Where everything stands: what has nothing below it side by side, everything else above the middle of what is
 * below it.
 */
export function layOut(plan: Plan): { items: Placed[]; width: number; height: number } {
  const items: Placed[] = [];
  let [width, height] = [0, 0];
  const place = (item: Item, y: number): number => {
    height = Math.max(height, y + 1);
    const node = item.nodes[0] ?? 0;
    const below = item.kind === "node" && plan.isExpanded(node) ? familyItems(node, plan) : [];
    const under = below.map((child) => place(child, y + 1));
    const x = under.length > 0 ? ((under[0] ?? 0) + (under[under.length - 1] ?? 0)) / 2 : width++;
    if (item.kind === "node" && plan.hasNotes(node)) width = Math.max(width, x + NOTES);
    items.push({ ...item, x, y });
    return x;
  };
  if (plan.families.length > 0) place({ kind: "node", nodes: [0], parent: null }, 0);
  return { items, width, height };
}
