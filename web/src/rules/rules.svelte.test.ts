import { flushSync, mount, unmount } from "svelte";
import { afterEach, expect, it, vi } from "vitest";

import { table } from "../testing/table.ts";
import Rules from "./Rules.svelte";

const [board] = table().boards;
const TEXTS = {
  "lesson.1.title": "The board",
  "lesson.1.text": "Discs are placed.\nNone ever moves.",
  "lesson.2.title": "The end",
  "lesson.2.text": "Discs are counted.",
  "option.size": "Board size",
};

afterEach(() => vi.unstubAllGlobals());

it("shows every paragraph of every rule beside a board, and what the game was set up with", async () => {
  const picture = { ...board?.picture, columns: ["a", "b"], cells: [{ at: [0, 0] }, { at: [0, 1] }] };
  const rules = [
    { picture, facts: board?.facts },
    {
      picture,
      facts: board?.facts,
      part: [
        [0, 0],
        [0, 0],
      ],
    },
  ];
  vi.stubGlobal("fetch", (path: string) =>
    Promise.resolve(new Response(JSON.stringify(path.includes("/messages/") ? TEXTS : rules))),
  );
  const shown = mount(Rules, { target: document.body, props: { game: "othello", styles: [], options: "size=6" } });
  await vi.waitFor(() => {
    flushSync();
    expect(document.querySelectorAll("li")).toHaveLength(2);
    expect(document.body.textContent).toContain("None ever moves.");
  });
  expect(document.body.textContent).toContain("Discs are counted.");
  expect(document.querySelector("[data-testid=chosen]")?.textContent).toMatch(/Board size: 6/);
  const [whole, part] = [...document.querySelectorAll("li svg")].map((svg) => svg.getAttribute("viewBox"));
  expect(whole).not.toBe(part);
  expect(part).toBe("0 0 100 100");
  void unmount(shown);
});
