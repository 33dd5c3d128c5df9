import { describe, expect, it } from "vitest";

import type { BoardPicture, Piece, Step } from "../protocol/types.ts";
import { Animator, type Clock } from "./animator.svelte.ts";
import { Geometry, keyOf } from "./geometry.ts";
import { MILLIS, type Plan, planSteps, type Sprite } from "./motion.ts";
import { hole, square, squares, star, tiles } from "./testing/samples.ts";

const WHITE: Piece = { style: "white", owner: 1 };

function plan(before: BoardPicture, ...steps: Step[]): Plan {
  return planSteps(before, steps, new Geometry(before));
}

function near(sprites: Sprite[], x: number, y: number): Sprite[] {
  return sprites.filter((sprite) => Math.hypot(sprite.x - x, sprite.y - y) < 1);
}

describe("a move", () => {
  const before = squares("b.w .w. ...");
  const step: Step = {
    kind: "move",
    from: square("a1"),
    to: square("a3"),
    effects: [
      { kind: "move", from: square("a1"), to: square("a3") },
      { kind: "remove", at: square("b2") },
    ],
  };
  const shown = plan(before, step);

  it("takes 180 ms, and a capture 200 more", () => {
    expect(shown.duration).toBe(380);
  });

  it("goes from where the piece stood to where it stands", () => {
    expect(near(shown.at(0), 50, 50)).toHaveLength(1);
    expect(near(shown.at(90), 50, 150)).toHaveLength(1);
    expect(near(shown.at(180), 50, 250)).toHaveLength(1);
  });

  it("lets the captured piece fade once the other has arrived", () => {
    expect(near(shown.at(180), 150, 150)[0]?.opacity).toBe(1);
    expect(near(shown.at(280), 150, 150)[0]?.opacity).toBeCloseTo(0.5);
    expect(near(shown.at(380), 150, 150)).toEqual([]);
  });

  it("leaves all others alone", () => {
    expect([...shown.covers].sort()).toEqual(["a1", "a3", "b2"].map((name) => keyOf(square(name))).sort());
    expect(shown.at(50)).toHaveLength(2);
  });

  it("onto an enemy shows both until the enemy has faded", () => {
    const taking: Step = {
      kind: "move",
      from: square("a1"),
      to: square("c1"),
      effects: [
        { kind: "remove", at: square("c1") },
        { kind: "move", from: square("a1"), to: square("c1") },
      ],
    };
    expect(
      plan(before, taking)
        .at(190)
        .map((sprite) => sprite.piece.style)
        .sort(),
    ).toEqual(["black", "white"]);
    expect(
      plan(before, taking)
        .at(380)
        .map((sprite) => sprite.piece.style),
    ).toEqual(["black"]);
  });

  it("after another begins when that has ended", () => {
    const back: Step = { kind: "move", effects: [{ kind: "move", from: square("a3"), to: square("a1") }] };
    const both = plan(before, step, back);
    expect(both.duration).toBe(560);
    expect(near(both.at(380), 50, 250)).toHaveLength(1);
    expect(near(both.at(560), 50, 50)).toHaveLength(1);
  });
});

describe("hops", () => {
  const way = (names: string[]): Step => ({
    kind: "move",
    path: names.map(hole),
    effects: [{ kind: "move", from: hole(names[0] ?? ""), to: hole(names.at(-1) ?? "") }],
  });

  it("take 140 ms each and visit every hole", () => {
    const shown = plan(star(), way(["0311", "0513", "0711", "0913"]));
    const geometry = new Geometry(star());
    expect(shown.duration).toBe(420);
    expect(near(shown.at(140), geometry.at(hole("0513")).x, geometry.at(hole("0513")).y)).toHaveLength(1);
    expect(near(shown.at(280), geometry.at(hole("0711")).x, geometry.at(hole("0711")).y)).toHaveLength(1);
  });

  it("take 700 ms at most", () => {
    const shown = plan(star(), way(["0311", "0513", "0711", "0913", "1111", "1113", "0913", "0711"]));
    expect(shown.duration).toBe(700);
  });

  it("are moves where there is only one", () => {
    expect(plan(star(), way(["0311", "0410"])).duration).toBe(MILLIS.move);
  });
});

describe("flips", () => {
  const before = squares(".bbb. ..... ..... ..... .....");
  const shown = plan(before, {
    kind: "place",
    to: square("a1"),
    effects: [
      { kind: "place", at: square("a1"), piece: WHITE },
      { kind: "flip", spots: ["b1", "c1", "d1"].map(square), piece: WHITE },
    ],
  });

  it("spread outwards by 30 ms a step", () => {
    expect(shown.duration).toBe(220 + 2 * 30);
    const colours = (time: number): string[] =>
      shown
        .at(time)
        .filter((sprite) => sprite.x > 100)
        .sort((one, other) => one.x - other.x)
        .map((sprite) => sprite.piece.style);
    expect(colours(0)).toEqual(["black", "black", "black"]);
    expect(colours(115)).toEqual(["white", "black", "black"]);
    expect(colours(145)).toEqual(["white", "white", "black"]);
    expect(colours(280)).toEqual(["white", "white", "white"]);
  });

  it("show the disc edge on in between", () => {
    const disc = near(shown.at(110), 150, 50)[0];
    expect(disc?.squash).toBeCloseTo(0);
    expect(near(shown.at(280), 150, 50)[0]?.squash).toBeCloseTo(1);
  });
});

describe("a block", () => {
  it("turns clockwise in 240 ms, around its middle", () => {
    const shown = plan(squares("bw. ... ..."), { kind: "turn", effects: [{ kind: "turn", corner: square("a1") }] });
    expect(shown.duration).toBe(240);
    const styleAt = (x: number, y: number): string | undefined => near(shown.at(240), x, y)[0]?.piece.style;
    expect(styleAt(150, 50)).toBe("black");
    expect(styleAt(150, 150)).toBe("white");
    for (const { x, y } of shown.at(100)) expect(Math.hypot(x - 100, y - 100)).toBeCloseTo(Math.hypot(50, 50));
  });
});

describe("tiles", () => {
  const before = tiles("2 2 0 4\n0 0 0 0\n0 0 0 0\n0 0 0 0");
  const four: Piece = { style: "tile", owner: 0, number: 4 };
  const slide: Step = {
    kind: "slide",
    heading: "left",
    effects: [
      { kind: "slide", from: [0, 0], to: [0, 0] },
      { kind: "merge", from: [0, 1], to: [0, 0], piece: four },
      { kind: "slide", from: [0, 3], to: [0, 1] },
    ],
  };
  const appear: Step = {
    kind: "appear",
    to: [3, 3],
    effects: [{ kind: "place", at: [3, 3], piece: { style: "tile", owner: 0, number: 2 } }],
  };
  const shown = plan(before, slide, appear);
  const numbers = (time: number): (number | null | undefined)[] =>
    shown
      .at(time)
      .map((sprite) => sprite.piece.number)
      .sort();

  it("slide for 100 ms, then merge and appear for 150", () => {
    expect(shown.duration).toBe(250);
    expect(numbers(50)).toEqual([2, 2, 4]);
    expect(numbers(120)).toEqual([2, 4, 4]);
    expect(numbers(250)).toEqual([2, 4, 4]);
  });

  it("end where they belong", () => {
    const end = shown.at(250);
    expect(near(end, 62, 62)[0]).toMatchObject({ piece: four, opacity: 1 });
    expect(near(end, 62, 62)[0]?.scale).toBeCloseTo(1);
    expect(near(end, 174, 62)[0]?.piece.number).toBe(4);
    expect(near(end, 398, 398)[0]).toMatchObject({ scale: 1, opacity: 1 });
  });
});

describe("the animator", () => {
  class TestClock implements Clock {
    time = 0;
    pending: (() => void) | null = null;
    now = (): number => this.time;
    request = (callback: () => void): number => {
      this.pending = callback;
      return 1;
    };
    cancel = (): void => {
      this.pending = null;
    };
    advance(millis: number): void {
      this.time += millis;
      const { pending } = this;
      this.pending = null;
      pending?.();
    }
  }
  const moving = plan(squares("b.. ... ..."), {
    kind: "move",
    effects: [{ kind: "move", from: square("a1"), to: square("a3") }],
  });

  it("shows a plan until it is over", () => {
    const clock = new TestClock();
    const animator = new Animator(clock);
    animator.start(moving);
    expect(animator.sprites).toHaveLength(1);
    expect(animator.covers.size).toBe(2);
    clock.advance(90);
    expect(animator.sprites[0]?.y).toBeCloseTo(150);
    clock.advance(100);
    expect(animator.isRunning).toBe(false);
    expect(animator.sprites).toEqual([]);
    expect(animator.covers.size).toBe(0);
  });

  it("ends at once when it is told to", () => {
    const clock = new TestClock();
    const animator = new Animator(clock);
    animator.start(moving);
    animator.finish();
    expect(clock.pending).toBeNull();
    expect(animator.sprites).toEqual([]);
  });

  it("turns the board to where it belongs", () => {
    const clock = new TestClock();
    const animator = new Animator(clock);
    animator.turn(-180, 250);
    expect(animator.angle).toBe(-180);
    clock.advance(125);
    expect(animator.angle).toBeCloseTo(-45);
    clock.advance(125);
    expect(animator.angle).toBe(0);
  });
});
