import { describe, expect, it } from "vitest";

import { outdated, wayOf } from "./caching.ts";

const home = new URL("https://school.example/agon/");
const way = (path: string, isNavigation = false, method = "GET") =>
  wayOf(new URL(path, home), home, method, isNavigation);

describe("the service worker", () => {
  it("answers pages, texts and files that it may keep, and nothing else", () => {
    expect(way("game/?local=abc", true)).toBe("page");
    expect(way("", true)).toBe("page");
    expect(way("assets/app-1234.js")).toBe("kept");
    expect(way("modules/loa.0123.wasm")).toBe("kept");
    expect(way("weights/2048.0123.bin")).toBe("kept");
    expect(way("catalogue/games.json")).toBe("fresh");
    expect(way("api/v1/messages/he/loa")).toBe("fresh");
    expect(way("api/v1/catalogue?x=1")).toBe("fresh");
    expect(way("icon.svg")).toBe("fresh");
    expect(way("api/v1/games?mine=true")).toBe("pass");
    expect(way("api/v1/games", false, "POST")).toBe("pass");
    expect(way("api/v1/games/abc/record", true)).toBe("pass");
    expect(way("https://elsewhere.example/assets/a.js")).toBe("pass");
    expect(way("/other/assets/a.js")).toBe("pass");
  });

  it("keeps the files of the version before, for pages that are still open", () => {
    expect(outdated(["app-1", "shared", "app-2", "app-3"], "app-3", ["shared"])).toEqual(["app-1"]);
    expect(outdated(["app-2", "app-3"], "app-3", ["shared"])).toEqual([]);
  });
});
