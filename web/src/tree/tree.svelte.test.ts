// The tree as a list: what keys do, and what screen readers find.
import { flushSync, mount, unmount } from "svelte";
import { afterEach, beforeAll, expect, it } from "vitest";

import { setLanguage } from "../i18n/index.svelte.ts";
import type { TreeAnswer, TreeNode, WindowTree } from "../protocol/types.ts";
import WindowView from "./WindowView.svelte";

const NODES: TreeNode[] = [
  { fate: "searched", depth: 2, value: 3 },
  { parent: 0, move: "a", fate: "searched", depth: 1, value: 3 },
  { parent: 0, move: "b", fate: "cut", by: "x", depth: 1, alpha: 3, value: 2, bound: "upper" },
  { parent: 1, move: "x", fate: "leaf", depth: 0, value: 12 },
  { parent: 1, move: "y", fate: "leaf", depth: 0, beta: 12, value: 3 },
  { parent: 2, move: "x", fate: "leaf", depth: 0, alpha: 3, value: 2, bound: "upper" },
  { parent: 2, move: "y", fate: "pruned-by-cut", by: "x" },
];
const TREE: WindowTree = { passes: [], nodes: NODES, visited: 6, pruned: 83_116, finished: true };
const ANSWER: TreeAnswer = {
  bot: "alphabeta",
  position: "",
  seat: 0,
  best: "a",
  line: ["a"],
  nodes: 5,
  win: 1_000_000,
  proven: 900_000,
  tree: { kind: "window", ...TREE },
};

let view: ReturnType<typeof mount> | null = null;

beforeAll(() => setLanguage("en"));
afterEach(() => {
  if (view) void unmount(view);
  document.body.innerHTML = "";
});

function show(): void {
  view = mount(WindowView, { target: document.body, props: { answer: ANSWER, tree: TREE } });
  flushSync();
}

function rows(): HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>('[role="treeitem"]')];
}

async function press(key: string): Promise<void> {
  document.querySelector('[role="tree"]')?.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
  flushSync();
  await Promise.resolve();
  flushSync();
}

it("says how much of the tree is shown", () => {
  show();
  expect(document.querySelector('[data-testid="shown"]')?.textContent).toContain("7 of 83,122 nodes shown.");
});

it("opens and closes by keys and tells why branches were left out", async () => {
  show();
  // The main line is open at first.
  expect(rows().map((row) => row.dataset["node"])).toEqual(["0", "1", "3", "4", "2"]);
  expect(rows().map((row) => row.getAttribute("aria-level"))).toEqual(["1", "2", "3", "3", "2"]);
  expect(
    rows()
      .filter((row) => row.tabIndex === 0)
      .map((row) => row.dataset["node"]),
  ).toEqual(["0"]);
  await press("End");
  await press("ArrowRight");
  expect(rows().map((row) => row.dataset["node"])).toEqual(["0", "1", "3", "4", "2", "5", "6"]);
  await press("End");
  const last = rows()[6];
  expect(last?.getAttribute("aria-selected")).toBe("true");
  expect(last?.getAttribute("aria-label")).toContain("Pruned: after x");
  expect(document.querySelector('[data-testid="reason"]')?.textContent).toContain("Pruned: after x");
  await press("ArrowLeft");
  await press("ArrowLeft");
  expect(rows()).toHaveLength(5);
  await press("Home");
  await press("Enter");
  expect(rows()).toHaveLength(1);
});
