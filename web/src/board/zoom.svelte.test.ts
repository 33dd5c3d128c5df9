import { describe, expect, it, vi } from "vitest";

import { Geometry } from "./geometry.ts";
import { watchPinch } from "./pinch.ts";
import { squares, star } from "./testing/samples.ts";
import { READABLE, RULER, Zoom } from "./zoom.svelte.ts";

function board(size: number): Geometry {
  return new Geometry(squares(Array(size).fill(".".repeat(size)).join(" ")));
}

const LARGE = board(30);
const applied = (): Promise<void> => Promise.resolve();

/** A window of 378 pixels, 360 without its rulers, onto a board of 30 squares: 12 pixels each. */
function zoomOn(geometry: Geometry, width = 360 + RULER): { zoom: Zoom; scroller: HTMLElement } {
  const zoom = new Zoom(() => geometry);
  zoom.width = width;
  const scroller = document.createElement("div");
  zoom.attach(scroller);
  return { zoom, scroller };
}

describe("zoom", () => {
  it("is needed where squares would be smaller than 28 pixels", () => {
    expect(zoomOn(LARGE).zoom.isNeeded).toBe(true);
    expect(zoomOn(board(13)).zoom.isNeeded).toBe(true);
    expect(zoomOn(board(12)).zoom.isNeeded).toBe(false);
    expect(zoomOn(LARGE, 900).zoom.isNeeded).toBe(false);
    expect(zoomOn(new Geometry(star())).zoom.isNeeded).toBe(false);
    expect(zoomOn(LARGE, 0).zoom.isNeeded).toBe(false);
  });

  it("begins with all of the board", () => {
    const { zoom } = zoomOn(LARGE);
    expect(zoom.cell).toBe(12);
    expect(zoom.isOverview).toBe(true);
    expect(zoom.isZoomed).toBe(false);
    expect(zoom.edgeTowards({ x: 2950, y: 2950 }, 88)).toBeNull();
  });

  it("brings a point to the middle", async () => {
    const { zoom, scroller } = zoomOn(LARGE);
    await zoom.to(READABLE, { x: 1500, y: 1500 }, false, applied);
    expect(zoom.cell).toBe(36);
    expect(zoom.isOverview).toBe(false);
    expect([scroller.scrollLeft, scroller.scrollTop]).toEqual([360, 360]);
    expect(zoom.middle).toEqual({ x: 1500, y: 1500 });
  });

  it("keeps a point where it is under the fingers", async () => {
    const { zoom, scroller } = zoomOn(LARGE);
    await zoom.to(24, { x: 1000, y: 500 }, true, applied);
    // It was at 120, 60 and is at 240, 120 now.
    expect([scroller.scrollLeft, scroller.scrollTop]).toEqual([120, 60]);
  });

  it("goes no farther than the whole board on one side and large squares on the other", async () => {
    const { zoom } = zoomOn(LARGE);
    await zoom.to(1, { x: 0, y: 0 }, true, applied);
    expect(zoom.cell).toBe(12);
    await zoom.to(1000, { x: 0, y: 0 }, true, applied);
    expect(zoom.cell).toBe(96);
  });

  it("steps by keys: first to squares that can be hit", async () => {
    const { zoom } = zoomOn(LARGE);
    expect(zoom.stepped("in")).toBe(READABLE);
    await zoom.to(READABLE, { x: 0, y: 0 }, true, applied);
    expect(zoom.stepped("in")).toBeCloseTo(50.4);
    expect(zoom.stepped("all")).toBe(12);
  });

  it("keeps in sight what has the focus", async () => {
    const { zoom, scroller } = zoomOn(LARGE);
    await zoom.to(READABLE, { x: 0, y: 0 }, true, applied);
    zoom.reveal({ x: 150, y: 150 });
    expect([scroller.scrollLeft, scroller.scrollTop]).toEqual([0, 0]);
    zoom.reveal({ x: 1550, y: 150 });
    // Its square ends at 576, and half a square more is shown.
    expect([scroller.scrollLeft, scroller.scrollTop]).toEqual([576 + 18 - 360, 0]);
  });

  it("tells where at the edge something is to be found that is out of sight", async () => {
    const { zoom } = zoomOn(LARGE);
    await zoom.to(READABLE, { x: 0, y: 0 }, true, applied);
    expect(zoom.edgeTowards({ x: 500, y: 500 }, 88)).toBeNull();
    expect(zoom.edgeTowards({ x: 2000, y: 500 }, 88)).toEqual({ x: 336, y: 180, angle: 0 });
    // The corner is taken by the map.
    expect(zoom.edgeTowards({ x: 2950, y: 2950 }, 88)?.x).toBe(360 - 88 - 48);
  });
});

describe("pinching", () => {
  it("zooms by how far the fingers part, around their middle", () => {
    const area = document.createElement("div");
    const pinched = vi.fn();
    const stop = watchPinch(area, pinched);
    const touch = (type: string, ...xs: number[]): void => {
      const event = new Event(type, { cancelable: true });
      area.dispatchEvent(Object.assign(event, { touches: xs.map((clientX) => ({ clientX, clientY: 50 })) }));
    };
    touch("touchstart", 100);
    touch("touchmove", 120);
    expect(pinched).not.toHaveBeenCalled();
    touch("touchstart", 100, 200);
    touch("touchmove", 50, 250);
    expect(pinched).toHaveBeenCalledExactlyOnceWith(2, 150, 50);
    stop();
    touch("touchmove", 0, 300);
    expect(pinched).toHaveBeenCalledOnce();
  });

  it("leaves the wheel to the page unless Ctrl is held", () => {
    const area = document.createElement("div");
    const pinched = vi.fn();
    watchPinch(area, pinched);
    const wheel = (ctrlKey: boolean): Event => {
      const event = Object.assign(new Event("wheel", { cancelable: true }), { deltaY: -300, ctrlKey });
      area.dispatchEvent(event);
      return event;
    };
    expect(wheel(false).defaultPrevented).toBe(false);
    expect(pinched).not.toHaveBeenCalled();
    expect(wheel(true).defaultPrevented).toBe(true);
    expect(pinched.mock.calls[0]?.[0]).toBeCloseTo(Math.E);
  });
});
