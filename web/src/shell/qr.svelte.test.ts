import { flushSync, mount, unmount } from "svelte";
import { afterEach, expect, it, vi } from "vitest";

import Qr from "./Qr.svelte";

afterEach(() => {
  document.body.replaceChildren();
  vi.unstubAllGlobals();
});

it("draws the dark squares of a code on white, with the margin that cameras need", async () => {
  const asked: string[] = [];
  vi.stubGlobal("fetch", (path: string) => {
    asked.push(path);
    return Promise.resolve(new Response(JSON.stringify({ rows: ["110", "001", "010"] })));
  });
  const shown = mount(Qr, { target: document.body, props: { link: "http://a.example/join/k?x=1" } });
  flushSync();
  await new Promise((resolve) => setTimeout(resolve));
  flushSync();
  expect(asked).toEqual(["/api/v1/qr?text=http%3A%2F%2Fa.example%2Fjoin%2Fk%3Fx%3D1"]);
  const svg = document.querySelector("svg");
  expect([svg?.getAttribute("viewBox"), svg?.getAttribute("width")]).toEqual(["-4 -4 11 11", "204"]);
  expect(svg?.querySelector("rect")?.getAttribute("fill")).toBe("#fff");
  expect(svg?.querySelector("path")?.getAttribute("d")).toBe("M0 0h2v1h-2zM2 1h1v1h-1zM1 2h1v1h-1z");
  void unmount(shown);
});
