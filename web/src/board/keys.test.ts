import { describe, expect, it } from "vitest";

import type { Spot } from "../protocol/types.ts";
import { Geometry, keyOf, type Place } from "./geometry.ts";
import { actionOf, goFrom, type Key, nextOf, type Way } from "./keys.ts";
import { hole, square, squares, star } from "./testing/samples.ts";

function key(code: string, more: Partial<Key> = {}): Key {
  return { code, shiftKey: false, ctrlKey: false, altKey: false, metaKey: false, ...more };
}

function placeOf(geometry: Geometry, spot: Spot): Place {
  const place = geometry.place(keyOf(spot));
  if (!place) throw new Error("no such place");
  return place;
}

function go(geometry: Geometry, from: Spot, way: Way): Spot {
  return goFrom(geometry, placeOf(geometry, from), way).spot;
}

describe("keys", () => {
  it.each([
    ["ArrowUp", { do: "go", way: "up" }],
    ["KeyQ", { do: "go", way: "up-left" }],
    ["KeyC", { do: "go", way: "down-right" }],
    ["PageDown", { do: "go", way: "column-end" }],
    ["Space", { do: "activate" }],
    ["NumpadEnter", { do: "activate" }],
    ["Escape", { do: "escape" }],
    ["KeyN", { do: "next", back: false }],
    ["KeyR", { do: "block" }],
    ["KeyM", { do: "command", command: "type-move" }],
    ["KeyL", { do: "command", command: "read-moves" }],
    ["KeyI", { do: "command", command: "read-board" }],
    ["KeyT", { do: "command", command: "read-clocks" }],
    ["KeyU", { do: "command", command: "undo" }],
    ["KeyH", { do: "command", command: "hint" }],
    ["KeyB", { do: "command", command: "turn-board" }],
    ["Comma", { do: "command", command: "previous" }],
    ["Period", { do: "command", command: "next" }],
    ["Equal", { do: "zoom", by: "in" }],
    ["NumpadSubtract", { do: "zoom", by: "out" }],
    ["Digit0", { do: "zoom", by: "all" }],
  ])("%s does %o", (code, action) => {
    expect(actionOf(key(code))).toEqual(action);
  });

  it("tell Shift+N and the question mark apart", () => {
    expect(actionOf(key("KeyN", { shiftKey: true }))).toEqual({ do: "next", back: true });
    expect(actionOf(key("Slash", { shiftKey: true }))).toEqual({ do: "command", command: "help" });
    expect(actionOf(key("Slash"))).toBeNull();
  });

  it("leave shortcuts of the browser alone", () => {
    expect(actionOf(key("KeyR", { ctrlKey: true }))).toBeNull();
    expect(actionOf(key("ArrowLeft", { altKey: true }))).toBeNull();
    expect(actionOf(key("KeyL", { metaKey: true }))).toBeNull();
    expect(actionOf(key("Tab"))).toBeNull();
  });
});

describe("on squares the focus", () => {
  const picture = squares("..... ..... ..... ..... .....");
  const upright = new Geometry(picture);
  const upsideDown = new Geometry(picture, 2);

  it("goes by screen direction, also when the board is turned", () => {
    expect(go(upright, square("c3"), "up")).toEqual(square("c2"));
    expect(go(upsideDown, square("c3"), "up")).toEqual(square("c4"));
    expect(go(new Geometry(picture, 1), square("c3"), "up")).toEqual(square("b3"));
    expect(go(upright, square("c3"), "down-left")).toEqual(square("b4"));
  });

  it("stays at the edge", () => {
    expect(go(upright, square("a3"), "left")).toEqual(square("a3"));
  });

  it("goes to the ends of rows and columns", () => {
    expect(go(upright, square("c3"), "row-start")).toEqual(square("a3"));
    expect(go(upsideDown, square("c3"), "row-start")).toEqual(square("e3"));
    expect(go(upright, square("c3"), "column-end")).toEqual(square("c5"));
  });

  it("goes through some places in reading order and around", () => {
    const some = new Set([square("b1"), square("d4")].map(keyOf));
    const next = (from: string, back: boolean): Spot | undefined =>
      nextOf(upright, some, placeOf(upright, square(from)), back)?.spot;
    expect(next("c3", false)).toEqual(square("d4"));
    expect(next("d4", false)).toEqual(square("b1"));
    expect(next("c3", true)).toEqual(square("b1"));
    expect(next("b1", true)).toEqual(square("d4"));
    expect(nextOf(upright, new Set(), placeOf(upright, square("a1")), false)).toBeUndefined();
  });
});

describe("on a star the focus", () => {
  const geometry = new Geometry(star());

  it("keeps its x going up and down", () => {
    expect(go(geometry, hole("0812"), "up")).toEqual(hole("0612"));
    expect(go(geometry, hole("0812"), "down")).toEqual(hole("1012"));
    expect(go(geometry, hole("0812"), "right")).toEqual(hole("0814"));
  });

  it("goes along diagonals by Q E Z C", () => {
    expect(go(geometry, hole("0812"), "up-left")).toEqual(hole("0711"));
    expect(go(geometry, hole("0812"), "down-right")).toEqual(hole("0913"));
  });

  it("crosses the gap between two points", () => {
    expect(go(geometry, hole("0602"), "down")).toEqual(hole("1002"));
  });

  it("reaches every hole", () => {
    const ways: Way[] = ["left", "right", "up", "down", "up-left", "up-right", "down-left", "down-right"];
    for (const turned of [0, 1]) {
      const view = new Geometry(star(), turned);
      const start = placeOf(view, hole("0812"));
      const reached = new Map([[start.key, start]]);
      for (const place of reached.values()) {
        for (const way of ways) {
          const next = goFrom(view, place, way);
          reached.set(next.key, next);
        }
      }
      expect(reached.size).toBe(121);
    }
  });
});
