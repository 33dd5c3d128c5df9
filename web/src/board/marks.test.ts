import { describe, expect, it } from "vitest";

import type { BoardFacts, BoardPicture } from "../protocol/types.ts";
import { BOARD_TEXTS, type BoardText } from "./api.ts";
import { stepDigest } from "./digest.ts";
import { Geometry } from "./geometry.ts";
import { labeller } from "./labels.ts";
import { type Doing, madeMoves, markBoard, type Marking, occupiedPlaces } from "./marks.ts";
import { Moves } from "./selection.ts";
import { stylesByToken } from "./shapes.ts";
import {
  cellAt,
  DISCS,
  factsWith,
  hole,
  MARBLES,
  moveOf,
  square,
  squares,
  star,
  TILES,
  tiles,
} from "./testing/samples.ts";

const IDLE: Doing = {
  selected: null,
  targets: new Map(),
  aimed: null,
  focus: null,
  hint: null,
  pending: null,
  struck: [],
};

function mark(picture: BoardPicture, facts: Partial<BoardFacts>, doing: Partial<Doing> = {}): Marking {
  return markBoard(new Geometry(picture), occupiedPlaces(picture), factsWith([], facts), { ...IDLE, ...doing });
}

function said(marking: Marking): string[] {
  return [...marking.under, ...marking.over].map(({ tone, shape, x, y }) => `${tone} ${shape} ${x} ${y}`);
}

const BOARD = squares("b.. .w. ...");

describe("marks", () => {
  it("put dashes where the last move began, brackets where it ended, and a cross where it captured", () => {
    const step = {
      kind: "move" as const,
      from: square("b1"),
      to: square("a1"),
      effects: [{ kind: "remove" as const, at: square("c3") }],
    };
    const marking = mark(BOARD, { last: { seat: 0, token: "b1a1", step } });
    expect(said(marking)).toEqual(["last dashes 150 50", "last brackets 50 50", "last cross 250 250"]);
    expect(marking.under).toHaveLength(1);
  });

  it("keep the cross beside the piece that took another's place", () => {
    const step = { kind: "move" as const, to: square("a1"), effects: [{ kind: "remove" as const, at: square("a1") }] };
    expect(said(mark(BOARD, { last: { seat: 0, token: "", step } }))).toContain("last cross 84 16");
  });

  it("put brackets around a block that was turned", () => {
    const step = { kind: "turn" as const, effects: [{ kind: "turn" as const, corner: square("a1") }] };
    expect(said(mark(BOARD, { last: { seat: 0, token: "", step } }))).toEqual(["last brackets 100 100"]);
  });

  it("show rings and the way of hops on a star", () => {
    const names = ["0311", "0513", "0711"];
    const path = names.map(hole);
    const step = { kind: "move" as const, from: hole("0311"), to: hole("0711"), path, effects: [] };
    const marking = mark(star(), { last: { seat: 0, token: "", step } });
    expect(marking.trails.map((trail) => trail.points.length)).toEqual([3]);
    expect(marking.under.map(({ shape }) => shape)).toEqual(["dashed-ring"]);
    expect(marking.over.map(({ shape }) => shape)).toEqual(["ring"]);
  });

  it("tell moves of several players apart by colour and sign, the last one in yellow, too", () => {
    const picture = star([
      ["0311", "0711"],
      ["1311", "1210"],
    ]);
    const made = (seat: number, names: string[]) => ({
      seat,
      token: "",
      step: {
        kind: "move" as const,
        from: hole(names[0] ?? ""),
        to: hole(names.at(-1) ?? ""),
        path: names.map(hole),
        effects: [],
      },
    });
    const [green, red] = [made(0, ["0311", "0513", "0711"]), made(3, ["1311", "1210"])];
    const moves = madeMoves([green, red], picture, stylesByToken(MARBLES));
    expect(moves.map(({ colour, sign }) => [colour, sign])).toEqual([
      ["var(--role-green, var(--muted))", "triangle"],
      ["var(--role-red, var(--muted))", "cross"],
    ]);
    const facts = factsWith([], { last: red });
    const marking = markBoard(new Geometry(picture), occupiedPlaces(picture), facts, IDLE, moves);
    const colours = (marks: Marking["over"], shape: string) =>
      marks.filter((one) => one.shape === shape).map(({ colour }) => colour ?? "last");
    expect(marking.trails.map(({ colour }) => colour)).toEqual(moves.map(({ colour }) => colour));
    expect(colours(marking.over, "sign")).toEqual(moves.map(({ colour }) => colour));
    expect(colours(marking.over, "ring")).toEqual([moves[0]?.colour, "last"]);
    expect(marking.under).toEqual([]);
    // A piece that has been captured meanwhile has no colour to be told by.
    expect(madeMoves([{ ...green, seat: 5 }], picture, stylesByToken(MARBLES))).toEqual([]);
  });

  it("warn of threats", () => {
    const threats = [{ at: square("b2"), message: { key: "threat", text: "" } }];
    expect(said(mark(BOARD, { threats }))).toEqual(["threat threat 150 150"]);
  });

  it("show what is selected and where it can go, with a ring around a piece that would be taken", () => {
    const moves = [moveOf(square("a1"), square("b2"), "1"), moveOf(square("a1"), square("c1"), "2")];
    const targets = new Moves(moves).targets([square("a1")]);
    expect(said(mark(BOARD, {}, { selected: square("a1"), targets }))).toEqual([
      "now ring 50 50",
      "now dot 150 150",
      "now ring 150 150",
      "now dot 250 50",
    ]);
  });

  it("outline what a move would turn over or take", () => {
    const effects = [{ kind: "remove" as const, at: square("b2") }];
    const aimed = moveOf(square("a1"), square("c3"), "x", { effects });
    expect(said(mark(BOARD, {}, { aimed }))).toEqual(["now dashed-ring 150 150"]);
  });

  it("cross out a place once, however many moves go there", () => {
    const struck = [
      moveOf(square("a1"), square("c1"), "x"),
      moveOf(square("b2"), square("c1"), "y"),
      moveOf(square("a1"), square("a3"), "z"),
    ];
    expect(said(mark(BOARD, {}, { struck }))).toEqual(["threat cross 250 50", "threat cross 50 250"]);
  });

  it("show hints in their own tone, for slides as an arrow", () => {
    expect(said(mark(BOARD, {}, { hint: moveOf(square("a1"), square("c1"), "x") }))).toEqual([
      "hint ring 50 50",
      "hint dot 250 50",
    ]);
    const slide = { kind: "slide" as const, token: "left", heading: "left" as const };
    const tray = tiles("2 0 0 0\n0 0 0 0\n0 0 0 0\n0 0 0 0");
    expect(said(mark(tray, {}, { hint: slide }))).toEqual(["hint arrow 230 230"]);
  });

  it("have names of their own, so that none is drawn twice", () => {
    const step = { kind: "move" as const, from: square("c1"), to: square("a1"), effects: [] };
    const marking = mark(
      BOARD,
      { last: { seat: 0, token: "", step } },
      {
        selected: square("a1"),
        focus: square("a1"),
        hint: moveOf(square("a1"), square("c1"), "x"),
      },
    );
    const ids = [...marking.under, ...marking.over].map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });
});

const t: BoardText = (key) => BOARD_TEXTS[key];
const say = (name: string): string => name.replace(/^\w+\./, "");

describe("labels", () => {
  const keep = squares("... .k. ...", "^.. .+. #..");
  const threats = [{ at: square("b2"), message: { key: "threat", text: "" } }];
  const label = labeller(keep, factsWith([], { threats }), stylesByToken(DISCS), t, say);

  it("name the place, its ground, who stands there, and the danger", () => {
    expect(label(cellAt(keep, square("b2")))).toBe("b2, castle, king, in danger");
    expect(label(cellAt(keep, square("a1")))).toBe("a1, exit, empty");
    expect(label(cellAt(keep, square("c3")))).toBe("c3, empty");
  });

  it("name the last move", () => {
    const step = { kind: "move" as const, to: square("b2"), effects: [] };
    const last = labeller(keep, factsWith([], { last: { seat: 0, token: "", step } }), stylesByToken(DISCS), t, say);
    expect(last(cellAt(keep, square("b2")))).toBe("b2, castle, king, last move");
  });

  it("tell the numbers of tiles", () => {
    const tray = tiles("0 64 0 0\n0 0 0 0\n0 0 0 0\n0 0 0 0");
    const numbered = labeller(tray, null, stylesByToken(TILES), t, say);
    expect(numbered(cellAt(tray, [0, 1]))).toBe("0,1, 64");
  });
});

describe("what a step comes to", () => {
  it("counts flips and names captures", () => {
    const piece = { style: "black", owner: 0 };
    const step = {
      kind: "place" as const,
      to: square("c3"),
      effects: [
        { kind: "place" as const, at: square("c3"), piece },
        { kind: "flip" as const, spots: [square("b2"), square("b3")], piece },
        { kind: "remove" as const, at: square("a1") },
      ],
    };
    expect(stepDigest(BOARD, step)).toMatchObject({ to: "c3", from: null, flipped: 2, captured: ["a1"], hops: 0 });
  });

  it("counts hops but no steps", () => {
    const hops = (...names: string[]): number => {
      const path = names.map(hole);
      return stepDigest(star(), { kind: "move", from: path[0], to: path.at(-1), path, effects: [] }).hops;
    };
    expect(hops("0309", "0410")).toBe(0);
    expect(hops("0610", "0612")).toBe(0);
    expect(hops("0309", "0511")).toBe(1);
    expect(hops("0610", "0614")).toBe(1);
    expect(hops("0309", "0511", "0711")).toBe(2);
  });
});
