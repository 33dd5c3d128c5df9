import { describe, expect, it } from "vitest";

import { familyItems, layOut, type Plan } from "./picture.ts";

/** A root with as many children, the first of which has three. */
function plan(children: number, change: Partial<Plan> = {}): Plan {
  const first = Array.from({ length: children }, (_, at) => at + 1);
  const below = [children + 1, children + 2, children + 3];
  const families: number[][] = [first, below, ...Array.from({ length: children + 2 }, () => [])];
  return {
    families,
    kindOf: () => "node",
    isExpanded: () => true,
    isKept: () => false,
    hasNotes: () => false,
    isUnfolded: () => false,
    ...change,
  };
}

const kinds = (made: Plan) => familyItems(0, made).map(({ kind, nodes }) => `${kind} ${nodes.join(",")}`);

describe("a picture of a tree", () => {
  it("has leaves side by side and parents in the middle above", () => {
    const { items, width, height } = layOut(plan(2));
    expect([width, height, items.length]).toEqual([4, 3, 6]);
    const at = (index: number) => items.find(({ nodes }) => nodes[0] === index);
    expect([at(1)?.x, at(2)?.x, at(0)?.x]).toEqual([1, 3, 2]);
    expect(new Set(items.map(({ x, y }) => `${x},${y}`)).size).toBe(6);
    expect(layOut(plan(2, { isExpanded: () => false })).items).toHaveLength(1);
    const noted = layOut(plan(2, { isExpanded: (index) => index === 0, hasNotes: (index) => index === 1 }));
    expect(noted.items.map(({ x }) => x)).toEqual([0, 1.6, 0.8]);
  });

  it("folds what was left out into one stub, until it is unfolded", () => {
    const kindOf = (index: number) => (index >= 3 ? "out" : "node");
    expect(kinds(plan(5, { kindOf }))).toEqual(["node 1", "node 2", "out 3,4,5"]);
    expect(kinds(plan(5, { kindOf, isUnfolded: () => true }))).toHaveLength(5);
  });

  it("folds what is ahead only if it is much", () => {
    const kindOf = (index: number) => (index >= 2 ? "ahead" : "node");
    expect(kinds(plan(4, { kindOf }))).toEqual(["node 1", "ahead 2", "ahead 3", "ahead 4"]);
    expect(kinds(plan(5, { kindOf }))).toEqual(["node 1", "ahead 2,3,4,5"]);
  });

  it("folds many nodes that are alike, but not those that matter", () => {
    expect(kinds(plan(12))).toHaveLength(12);
    const isKept = (index: number) => index === 4 || index === 20;
    const many = Array.from({ length: 15 }, (_, at) => at + 5).join(",");
    expect(kinds(plan(21, { isKept }))).toEqual(["folded 1,2,3", "node 4", `folded ${many}`, "node 20", "node 21"]);
  });
});
