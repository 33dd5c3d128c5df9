import { beforeAll, describe, expect, it } from "vitest";

import { setLanguage } from "../i18n/index.svelte.ts";
import type { PlayoutTree, TreeNode } from "../protocol/types.ts";
import { familiesOf, grownAfter, isPruned, mainLine, sidesOf, upperBound, visibleRows, wayTo } from "./model.ts";
import { specOf, SWITCHES } from "./spec.ts";
import { TEXTBOOK } from "./testing/textbook.ts";
import { fateText, nodeSentence, nodeTitle, nodeValue, tagsOf, windowText } from "./words.ts";

const SCALE = { win: 1_000_000, proven: 900_000, one: 1 };

const { nodes: NODES } = TEXTBOOK;

const GROWING: PlayoutTree = {
  exploration: 1.41,
  nodes: [
    { children: 3, expanded: 0 },
    { parent: 0, move: "a", children: 2, expanded: 2 },
    { parent: 0, move: "b", children: 0 },
    { parent: 1, move: "x", children: 0, proven: 2, result: 1 },
  ],
  steps: [
    { leaf: 1, gains: [1] },
    { leaf: 2, gains: [0] },
    { leaf: 3, gains: [0.5, 0.5] },
  ],
};

beforeAll(() => setLanguage("en"));

describe("a tree of windows", () => {
  const families = familiesOf(NODES);

  it("has families, sides and a main line", () => {
    expect(families).toEqual([[1, 2], [3, 4], [5, 6], [], [], [], []]);
    expect(sidesOf(NODES)).toEqual([true, false, false, true, true, true, true]);
    expect(mainLine(TEXTBOOK, families)).toEqual([0, 1, 4]);
    // A later move that is at most as good is not on it.
    const tied = NODES.map((node, index) => (index === 2 ? { ...node, value: 3 } : node));
    expect(mainLine({ ...TEXTBOOK, nodes: tied }, families)).toEqual([0, 1, 4]);
    expect(NODES.filter(isPruned)).toHaveLength(1);
    expect(wayTo(NODES, 6)).toEqual([0, 2, 6]);
  });

  it("keeps the side where the search looked at the same position again", () => {
    expect(
      sidesOf([
        { fate: "searched" },
        { parent: 0, fate: "searched" },
        { parent: 1, fate: "searched", purpose: "prediction" },
      ]),
    ).toEqual([true, false, false]);
  });

  it("shows what is open", () => {
    expect(visibleRows(families, new Set())).toEqual([{ index: 0, level: 0 }]);
    expect(visibleRows(families, new Set([0, 2])).map(({ index }) => index)).toEqual([0, 1, 2, 5, 6]);
  });

  it("is told in words", () => {
    const [root, , cut, , , , pruned] = NODES as [TreeNode, TreeNode, TreeNode, TreeNode, TreeNode, TreeNode, TreeNode];
    expect([nodeTitle(root), nodeTitle(cut)]).toEqual(["Root", "b"]);
    expect(nodeValue(cut, SCALE)).toBe("≤ +2");
    expect(windowText(cut, SCALE)).toEqual({ alpha: "+3", beta: "+∞" });
    expect(nodeValue({ fate: "leaf", value: -250 }, { ...SCALE, one: 100 })).toBe("-2.5");
    expect(nodeValue({ fate: "leaf", value: 999_997 }, SCALE)).toBe("win in 3");
    expect(nodeValue({ fate: "leaf", value: -999_996 }, SCALE)).toBe("loss in 4");
    expect(fateText(pruned)).toContain("after x");
    expect(nodeSentence(pruned, SCALE)).toBe(`y. ${fateText(pruned)}`);
    expect(nodeSentence(cut, SCALE)).toContain("Cut-off");
    expect(tagsOf(cut)).toEqual(["cut-off"]);
    expect(tagsOf(root)).toEqual([]);
  });
});

describe("a tree of playouts", () => {
  it("grows step by step", () => {
    expect(grownAfter(GROWING, 0).map((node) => node?.visits ?? null)).toEqual([0, null, null, null]);
    const second = grownAfter(GROWING, 2);
    expect(second.map((node) => node?.visits ?? null)).toEqual([2, 1, 1, null]);
    expect(second[0]?.untried).toBe(1);
    const last = grownAfter(GROWING, 3);
    expect(last[1]).toEqual({ visits: 2, sum: 1.5, isProven: false, untried: 1 });
    expect(last[3]?.isProven).toBe(true);
  });

  it("prefers what was seldom tried", () => {
    const often = { visits: 100, sum: 50, isProven: false, untried: 0 };
    const seldom = { visits: 2, sum: 1, isProven: false, untried: 0 };
    expect(upperBound(seldom, 102, 1.41)).toBeGreaterThan(upperBound(often, 102, 1.41));
  });
});

describe("the bot", () => {
  it("is plain alpha-beta until something is switched on", () => {
    expect(specOf("alphabeta", new Set(), null)).toBe(
      "alphabeta:window=full,deepening=off,ordering=none,killers=off,history=off,tt=off,hash=off",
    );
    expect(specOf("alphabeta", new Set(Object.keys(SWITCHES)), "features")).toContain("lmr=2");
    expect(specOf("mcts", new Set(["null"]), null)).toBe("mcts");
  });
});
