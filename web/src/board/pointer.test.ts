import { describe, expect, it, vi } from "vitest";

import type { Step } from "../protocol/types.ts";
import { Press, swipeHeading } from "./pointer.ts";
import { nameStep } from "./rulers.ts";
import { soundOf, Sounds } from "./sound.ts";
import { fittingCell, revealing } from "./zoom.svelte.ts";

describe("a press", () => {
  const at = (pointerType: string, clientX: number, clientY: number) => ({
    pointerId: 1,
    pointerType,
    clientX,
    clientY,
  });

  it.each([
    ["mouse", 6],
    ["touch", 10],
  ])("of a %s becomes a drag after %i pixels", (type, threshold) => {
    const press = new Press(at(type, 100, 100), null);
    expect(press.follow(at(type, 100 + threshold - 1, 100))).toBeNull();
    expect(press.isDragging).toBe(false);
    expect(press.follow(at(type, 100, 100 + threshold))).toEqual({ right: 0, down: threshold });
    expect(press.follow(at(type, 103, 100 + threshold))).toEqual({ right: 3, down: 0 });
    expect(press.isDragging).toBe(true);
  });
});

describe("a swipe", () => {
  it.each([
    [30, 0, "right"],
    [-30, 20, "left"],
    [0, 24, "down"],
    [10, -30, "up"],
    [23, 0, null],
    [30, 21, null],
  ])("by %i, %i goes %s", (right, down, heading) => {
    expect(swipeHeading(right, down)).toBe(heading);
  });
});

describe("zoom", () => {
  it("knows how large squares are that fit", () => {
    expect(fittingCell(378, 30, 18)).toBe(12);
    expect(fittingCell(10, 30, 18)).toBe(0);
  });

  it("scrolls as little as is needed", () => {
    expect(revealing(100, 200, 150, 36, 18)).toBe(100);
    expect(revealing(100, 200, 90, 36, 18)).toBe(72);
    expect(revealing(100, 200, 300, 36, 18)).toBe(154);
  });

  it("leaves out names for which there is no room", () => {
    expect([36, 12, 5, 1].map(nameStep)).toEqual([1, 2, 5, 10]);
  });
});

describe("sound", () => {
  const step = (kind: Step["kind"], effects: Step["effects"] = []): Step => ({ kind, effects });

  it("goes by what a step does", () => {
    expect(soundOf(step("place"))).toBe("place");
    expect(soundOf(step("move"))).toBe("move");
    expect(soundOf(step("move", [{ kind: "remove", at: [0, 0] }]))).toBe("capture");
    expect(soundOf(step("turn"))).toBe("turn");
    expect(soundOf(step("pass"))).toBeNull();
  });

  it("is off unless asked for", () => {
    const open = vi.fn(() => {
      throw new Error("nobody asked for a sound");
    });
    new Sounds(open).play("move");
    expect(open).not.toHaveBeenCalled();
    const loud = new Sounds(open);
    loud.enabled = true;
    loud.play(null);
    expect(open).not.toHaveBeenCalled();
    expect(() => loud.play("move")).toThrow("nobody");
  });
});
