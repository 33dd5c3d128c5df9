// A search played step by step, and its tree as a list: what is said, what keys do, and what screen readers find.
import { createRawSnippet, flushSync, mount, unmount } from "svelte";
import { afterEach, beforeAll, expect, it } from "vitest";

import { setLanguage } from "../i18n/index.svelte.ts";
import type { TreeAnswer, WindowTree } from "../protocol/types.ts";
import { TEXTBOOK } from "./testing/textbook.ts";
import WindowView from "./WindowView.svelte";

const TREE: WindowTree = { ...TEXTBOOK, pruned: 83_116 };
const ANSWER: TreeAnswer = {
  bot: "alphabeta",
  position: "",
  seat: 0,
  best: "a",
  line: ["a", "y"],
  nodes: 5,
  win: 1_000_000,
  proven: 900_000,
  one: 1,
  tree: { kind: "window", ...TREE },
};

let view: ReturnType<typeof mount> | null = null;
let seen: (readonly string[])[] = [];

beforeAll(() => setLanguage("en"));
afterEach(() => {
  if (view) void unmount(view);
  document.body.innerHTML = "";
});

function show(): void {
  seen = [];
  view = mount(WindowView, {
    target: document.body,
    props: {
      answer: ANSWER,
      tree: TREE,
      players: { max: "Black", min: "White" },
      name: "textbook",
      toolbar: createRawSnippet(() => ({ render: () => "<span></span>" })),
      boardAfter: createRawSnippet<[readonly string[], readonly string[]]>((moves, struck) => ({
        render: () => "<p class='board'></p>",
        setup: (board) => {
          $effect(() => {
            board.textContent = `${moves().join(" ")} without ${struck().join(" ")}`;
          });
        },
      })),
      onlook: (moves) => (seen = [...seen, moves]),
    },
  });
  flushSync();
}

function text(selector: string): string {
  return document.querySelector(selector)?.textContent.replace(/\s+/g, " ").trim() ?? "";
}

function goTo(step: number): void {
  const slider = document.querySelector<HTMLInputElement>('input[type="range"]');
  if (!slider) throw new Error("no slider");
  slider.value = String(step);
  slider.dispatchEvent(new Event("input", { bubbles: true }));
  flushSync();
}

function shift(key: string): void {
  const slider = document.querySelector('input[type="range"]');
  slider?.dispatchEvent(new KeyboardEvent("keydown", { key, shiftKey: true, bubbles: true }));
  flushSync();
}

function drawn(): string[] {
  return [...document.querySelectorAll<SVGElement>("[data-item]")].map((node) => node.dataset["item"] ?? "");
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
  expect(text(".all")).toContain("7 of 83,122 nodes shown.");
});

it("shows what was found first and can be gone through from the beginning", () => {
  show();
  expect(text('[data-testid="count"]')).toBe("Step 14 of 14");
  expect(text('[data-testid="story"]')).toBe("Done: a, +3 The best line is a y.");
  expect(drawn()).toEqual(expect.arrayContaining(["now 0", "best 1", "best 4", "plain 3", "out 6"]));
  goTo(0);
  expect(text('[data-testid="story"]')).toContain("Black is to move and looks for the largest value");
  expect(drawn()).toEqual(["plain 0"]);
  goTo(1);
  expect(drawn().sort()).toEqual(["ahead 1", "ahead 2", "now 0"]);
  goTo(5);
  expect(text('[data-testid="story"]')).toContain("y: +3");
  expect(seen[seen.length - 1]).toEqual(["a", "y"]);
  goTo(6);
  expect(text('[data-testid="story"]')).toBe(
    "β falls to +3 At a, White can hold it to +3 by y: more is of no interest there any more.",
  );
  expect(text('[data-testid="shown"]')).toContain("4 of 6 positions");
});

it("says why a branch is left, crosses it out and states the inequality", () => {
  show();
  goTo(5);
  shift("ArrowRight");
  expect(text('[data-testid="count"]')).toBe("Step 12 of 14");
  expect(text('[data-testid="story"]')).toBe(
    "✕Cut: left out y White’s x brings b down to +2. Black already has +3 with a, so b will not be chosen, whatever the others give.",
  );
  expect(text('[data-testid="window"]')).toBe("α ≥ β: nothing fits between them");
  expect(text('[data-item="out 6"]')).toContain("+2 ≤ α +3");
  expect(text(".board")).toBe("b without y");
  expect(document.querySelectorAll(".tick")).toHaveLength(1);
  // Alpha and beta stand only on the way to where the search is.
  const notes = [...document.querySelectorAll("[data-item]")].filter((node) => node.querySelector(".note"));
  expect(notes.map((node) => (node as SVGElement).dataset["item"])).toEqual(["now 2", "plain 0"]);
  goTo(14);
  shift("ArrowLeft");
  expect(text('[data-testid="count"]')).toBe("Step 12 of 14");
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
  expect(text('[data-testid="reason"]')).toContain("Pruned: after x");
  await press("ArrowLeft");
  await press("ArrowLeft");
  expect(rows()).toHaveLength(5);
  await press("Home");
  await press("Enter");
  expect(rows()).toHaveLength(1);
});
