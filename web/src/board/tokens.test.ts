// @vitest-environment node
/// <reference types="node" />
import { readFileSync } from "node:fs";

import { describe, expect, it } from "vitest";

const css = readFileSync(new URL("./tokens.css", import.meta.url), "utf8");

type Colour = [number, number, number];
const THEMES = ["light", "dark", "high-contrast"] as const;

/** The variables of a theme: those of every rule that applies to it, later ones winning. */
function variables(theme: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const [, selectors = "", body = ""] of css.matchAll(/([^{}]+)\{([^}]*)\}/g)) {
    const applies = selectors.includes(":root") || selectors.includes(`"${theme}"`);
    if (!applies) continue;
    for (const [, name = "", value = ""] of body.matchAll(/--([\w-]+):\s*([^;]+);/g)) found.set(name, value);
  }
  return found;
}

function colour(theme: string, name: string): Colour {
  const hex = /^#([0-9a-f]{6})$/.exec(variables(theme).get(name) ?? "")?.[1];
  if (!hex) throw new Error(`${theme}: --${name} is no colour`);
  return [0, 2, 4].map((start) => parseInt(hex.slice(start, start + 2), 16) / 255) as Colour;
}

function linear(value: number): number {
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
}

function contrast(one: Colour, other: Colour): number {
  const luminance = ([r, g, b]: Colour): number => 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
  const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

/** How people see colours who lack one kind of cone (Machado, Oliveira and Fernandes 2009, full severity). */
const DEFICIENCIES: Record<string, readonly (readonly [number, number, number])[]> = {
  none: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};

function oklab(matrix: readonly (readonly [number, number, number])[], shown: Colour): Colour {
  const rgb = shown.map(linear) as Colour;
  const [r, g, b] = matrix.map((row) =>
    Math.min(1, Math.max(0, row[0] * rgb[0] + row[1] * rgb[1] + row[2] * rgb[2])),
  ) as Colour;
  const [l, m, s] = [
    Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b),
    Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b),
    Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b),
  ] as const;
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}

const MARBLES = ["green", "yellow", "orange", "red", "purple", "blue"].map((name) => `role-${name}`);
const TILES = Array.from({ length: 17 }, (_, index) => `tile-${index + 1}`);

describe.each(THEMES)("the %s theme", (theme) => {
  const ratio = (one: string, other: string): number => contrast(colour(theme, one), colour(theme, other));

  it.each([
    ["text", "page"],
    ["text", "surface"],
    ["muted", "page"],
    ["muted", "surface"],
    ["accent", "page"],
    ["accent", "surface"],
    ["on-accent", "accent"],
    ["danger", "page"],
    ["danger", "surface"],
    ["ok", "page"],
    ["ok", "surface"],
    ["warn", "page"],
    ["warn", "surface"],
    ["frame-text", "frame"],
    ...TILES.map((tile) => ["ink", tile]),
  ] as [string, string][])("has text --%s on --%s at 4.5:1", (text, ground) => {
    expect(ratio(text, ground)).toBeGreaterThanOrEqual(4.5);
  });

  it.each(["felt", "wood", "tray"])("has all colours of a board of %s, whatever its layout", (surface) => {
    for (const part of ["", "-second", "-line"]) expect(colour(theme, `surface-${surface}${part}`)).toHaveLength(3);
  });

  it.each([
    ["role-black", "surface-felt"],
    ["role-black", "surface-wood"],
    ["role-black", "surface-wood-second"],
    ["role-white", "surface-felt"],
    ["role-white", "surface-wood"],
    ["role-white", "surface-wood-second"],
    ["role-white", "role-black"],
    ...MARBLES.map((marble) => [marble, "surface-tray"]),
    ...MARBLES.map((marble) => ["ink", marble]),
    ...TILES.map((tile) => [tile, "surface-tray"]),
    ["line", "surface"],
  ] as [string, string][])("has --%s on --%s at 3:1", (piece, ground) => {
    expect(ratio(piece, ground)).toBeGreaterThanOrEqual(3);
  });

  it.each(["now", "last", "threat", "hint"])("has the mark --mark-%s against its casing at 3:1", (tone) => {
    expect(ratio(`mark-${tone}`, "ink")).toBeGreaterThanOrEqual(3);
  });

  it.each(Object.keys(DEFICIENCIES))("has marbles that differ in colour vision: %s", (name) => {
    const matrix = DEFICIENCIES[name] ?? [];
    const seen = MARBLES.map((marble) => [marble, oklab(matrix, colour(theme, marble))] as const);
    for (const [index, [one, here]] of seen.entries()) {
      for (const [other, there] of seen.slice(index + 1)) {
        const difference = Math.hypot(here[0] - there[0], here[1] - there[1], here[2] - there[2]);
        // About four times what people just notice.
        expect(difference, `${one} and ${other}`).toBeGreaterThan(0.08);
      }
    }
  });
});

it("gives all themes the same variables", () => {
  const names = THEMES.map((theme) => [...variables(theme).keys()].sort());
  expect(names[1]).toEqual(names[0]);
  expect(names[2]).toEqual(names[0]);
});
