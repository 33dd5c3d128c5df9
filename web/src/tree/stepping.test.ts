import { describe, expect, it } from "vitest";

import { familiesOf, sidesOf } from "./model.ts";
import { bestLine, cutSteps, isClosed, momentAfter, originOf, valueSoFar } from "./stepping.ts";
import { TEXTBOOK } from "./testing/textbook.ts";

const { nodes: NODES } = TEXTBOOK;
const FAMILIES = familiesOf(NODES);
const SIDES = sidesOf(NODES);

const after = (count: number) => momentAfter(TEXTBOOK, FAMILIES, count);

describe("a search step by step", () => {
  it("begins with nothing known", () => {
    const start = after(0);
    expect([start.now, start.step, start.visited, start.path]).toEqual([0, null, 0, [0]]);
    expect(new Set(start.progress)).toEqual(new Set(["ahead"]));
    expect(start.windows.get(0)).toEqual({ alpha: null, beta: null });
    expect(bestLine(start)).toEqual([]);
  });

  it("goes down and keeps what is on the way", () => {
    const down = after(3);
    expect([down.now, down.path, down.visited]).toEqual([3, [0, 1, 3], 3]);
    expect(down.progress).toEqual(["open", "open", "ahead", "done", "ahead", "ahead", "ahead"]);
    expect(after(4).windows.get(1)).toEqual({ alpha: null, beta: 12 });
    expect(valueSoFar(NODES, SIDES, after(4), 1)).toEqual({ value: 12, bound: "upper" });
    expect(valueSoFar(NODES, SIDES, after(4), 0)).toBeNull();
    expect(valueSoFar(NODES, SIDES, after(7), 1)).toEqual({ value: 3, bound: null });
  });

  it("knows the best line, and where the ends of a window come from", () => {
    expect(bestLine(after(8))).toEqual([0, 1, 4]);
    const at = after(11);
    expect(at.windows.get(2)).toEqual({ alpha: 3, beta: 2 });
    expect(isClosed(at.windows.get(2) ?? { alpha: null, beta: null })).toBe(true);
    expect(isClosed(after(9).windows.get(2) ?? { alpha: 1, beta: 0 })).toBe(false);
    expect(originOf(at, NODES, SIDES, "alpha")).toEqual({ node: 0, by: 1 });
    expect(originOf(at, NODES, SIDES, "beta")).toEqual({ node: 2, by: 5 });
    expect(originOf(after(9), NODES, SIDES, "beta")).toBeNull();
    // What was refuted does not become the best line.
    expect(bestLine(at)).toEqual([0, 1, 4]);
  });

  it("leaves branches out at the cut and not before", () => {
    expect([after(11).progress[6], after(11).leftOut]).toEqual(["ahead", 0]);
    expect([after(12).progress[6], after(12).leftOut]).toEqual(["out", 1]);
    expect(valueSoFar(NODES, SIDES, after(14), 6)).toBeNull();
    expect(valueSoFar(NODES, SIDES, after(14), 2)).toEqual({ value: 2, bound: "upper" });
    expect(cutSteps(TEXTBOOK)).toEqual([12]);
  });

  it("goes back by going forward less far", () => {
    expect(after(5)).toEqual(after(5));
    expect(after(14)).toEqual(after(99));
    expect(after(14).progress.every((one) => one === "done" || one === "out")).toBe(true);
    expect(after(14).visited).toBe(TEXTBOOK.visited);
  });
});
