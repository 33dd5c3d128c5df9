// Axes, and plots as those find them who do not see them.
import { type Component, flushSync, mount, unmount } from "svelte";
import { afterEach, describe, expect, it } from "vitest";

import Intervals from "./Intervals.svelte";
import LinePlot from "./LinePlot.svelte";
import { linear, logarithmic } from "./scale.ts";

const shown: Record<string, unknown>[] = [];

function show<Props extends Record<string, unknown>>(plot: Component<Props>, props: Props): void {
  shown.push(mount(plot, { target: document.body, props }));
  flushSync();
}

afterEach(() => {
  for (const component of shown.splice(0)) void unmount(component);
  document.body.replaceChildren();
});

describe("axes", () => {
  it("hold all values, with room at both ends and round numbers", () => {
    const scale = linear([0, 273, -293]);
    expect(scale.ticks).toEqual([-200, 0, 200]);
    expect(scale.place(-293)).toBeCloseTo(6);
    expect(scale.place(273)).toBeCloseTo(94);
  });

  it.each([
    [
      [0, 1],
      [0, 0.2, 0.4, 0.6, 0.8, 1],
    ],
    [
      [0, 30_010],
      [0, 10_000, 20_000, 30_000],
    ],
    [
      [1, 4],
      [1, 2, 3, 4],
    ],
    [
      [5, 5],
      [4.6, 4.8, 5, 5.2, 5.4],
    ],
    [[], [0, 0.2, 0.4, 0.6, 0.8, 1]],
    [
      [NaN, 2, Infinity, 4],
      [2, 2.5, 3, 3.5, 4],
    ],
  ])("of %j have numbers %j", (values, ticks) => {
    expect(linear(values).ticks).toEqual(ticks);
  });

  it.each([
    [
      [0.5, 4],
      [0.5, 1, 1.5, 2, 3],
    ],
    [
      [0.8, 1.25],
      [0.8, 0.9, 1, 1.1, 1.2],
    ],
    [
      [0.02, 50],
      [0.1, 1, 10],
    ],
    [
      [1e-9, 1e9],
      [1e-8, 1e-4, 1, 1e4, 1e8],
    ],
  ])("of ratios %j have numbers %j", (values, ticks) => {
    expect(logarithmic(values).ticks).toEqual(ticks);
  });

  it("have ratios as far above one as below it", () => {
    const scale = logarithmic([0.25, 4]);
    expect(scale.place(1)).toBeCloseTo(50);
    expect(scale.place(2) - scale.place(1)).toBeCloseTo(scale.place(1) - scale.place(0.5));
    // What cannot be a ratio stands at the end instead of nowhere.
    expect([scale.place(0), scale.place(-3)]).toEqual([6, 6]);
    expect(logarithmic([0, -1]).ticks.every(Number.isFinite)).toBe(true);
  });
});

describe("plots", () => {
  it("tell each interval in words, and by form whether it is open", () => {
    const row = { value: 0.5, low: 0.2, high: 0.7 };
    const rows = [
      { ...row, name: "tt=off", text: "50% (20% to 70%), open", tone: "open" as const },
      { ...row, name: "tt=1", text: "clear", tone: "better" as const },
    ];
    show(Intervals, { rows, scale: linear([0, 1]), axis: "Score", format: String, reference: 0.5 });
    const images = [...document.querySelectorAll("svg[role=img]")].map((image) => image.getAttribute("aria-label"));
    expect(images).toEqual(["50% (20% to 70%), open", "clear"]);
    expect([...document.querySelectorAll("li")].map((item) => item.className.split(" ")[0])).toEqual([
      "open",
      "better",
    ]);
    expect(document.querySelector("circle")?.getAttribute("cx")).toBe("50.00%");
  });

  it("have a table behind their lines", () => {
    const series = [
      {
        name: "size=8",
        points: [
          { x: 1, y: 0.25, low: 0.1, high: 0.4 },
          { x: 4, y: 0.5 },
        ],
      },
      { name: "size=12", points: [{ x: 4, y: 0.75 }] },
    ];
    show(LinePlot, {
      series,
      label: "Score by value",
      xLabel: "tt",
      yLabel: "Score",
      formatX: String,
      formatY: (y: number) => `${100 * y}%`,
      reference: 0.5,
    });
    const rows = [...document.querySelectorAll("tr")].map((row) => [...row.children].map((cell) => cell.textContent));
    expect(rows).toEqual([
      ["tt", "size=8", "size=12"],
      ["1", "25%", "–"],
      ["4", "50%", "75%"],
    ]);
    // Whole numbers have no halves between them.
    expect([...document.querySelectorAll(".ticks text")].map((tick) => tick.textContent)).toEqual(["1", "2", "3", "4"]);
    expect(document.querySelectorAll(".area .interval").length).toBe(1);
  });
});
