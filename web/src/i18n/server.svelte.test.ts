import { afterEach, expect, it, vi } from "vitest";

import { loadTexts, say } from "./server.svelte.ts";

const TEXTS = { "count.points": "{n} points", milestone: "You have reached {tile}." };

afterEach(() => vi.unstubAllGlobals());

it("groups the digits of counts, but not those of names", async () => {
  vi.stubGlobal("fetch", () => Promise.resolve(new Response(JSON.stringify(TEXTS))));
  await loadTexts("2048");
  expect(say({ key: "count.points", text: "2148 points", arguments: { n: 2148 } }, "2048")).toBe("2,148 points");
  expect(say({ key: "milestone", text: "You have reached 2048.", arguments: { tile: 2048 } }, "2048")).toBe(
    "You have reached 2048.",
  );
});
