import { describe, expect, it } from "vitest";

import { squares, star } from "../board/testing/samples.ts";
import type { GameInfo } from "../protocol/types.ts";
import { seat } from "../testing/table.ts";
import { homesOf } from "./homes.ts";

function info(start: GameInfo["start"], styles: string[][]): GameInfo {
  return { start, seats: styles.map((tokens) => seat("seat", { styles: tokens })) } as unknown as GameInfo;
}

describe("homes in the picture of a board", () => {
  it("lie where the pieces start, and turn with the board", () => {
    const two = info(star(), [["marble-green"], ["marble-red"]]);
    const [green, red] = homesOf(two, 0);
    expect(green).toMatchObject({ seat: 0 });
    expect(green?.top).toBeLessThan(25);
    expect(red?.top).toBeGreaterThan(75);
    expect(green?.left).toBeCloseTo(50);
    const [turned] = homesOf(two, 3);
    expect(turned?.top).toBeCloseTo(red?.top ?? 0);
  });

  it("are several where a seat has several sets", () => {
    const homes = homesOf(info(star(), [["marble-green", "marble-red"]]), 0);
    expect(homes.map(({ seat: owner, token }) => [owner, token])).toEqual([
      [0, "marble-green"],
      [0, "marble-red"],
    ]);
  });

  it("do not exist where pieces of all start side by side", () => {
    expect(homesOf(info(squares("bw wb"), [["black"], ["white"]]), 0)).toEqual([]);
  });
});
