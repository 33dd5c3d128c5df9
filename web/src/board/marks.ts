// What is marked on a board: now, last move, threats, hints.

import type {
  BoardFacts,
  BoardPicture,
  Effect,
  LastMove,
  MoveState,
  Sign,
  Spot,
  Step,
  Style,
} from "../protocol/types.ts";
import { type Geometry, keyOf, type Point, sameSpot } from "./geometry.ts";
import type { Target } from "./selection.ts";
import { roleColour } from "./shapes.ts";

/** What a mark is about. */
export type Tone = "now" | "last" | "threat" | "hint";

/** The colour of what is marked: that of its tone, unless it has one of its own. */
interface Coloured {
  tone: Tone;
  colour?: string;
}

/** Something that is marked. */
export type Mark = Point & { id: string } & Coloured &
  (
    | { shape: "ring"; radius: number }
    | { shape: "dashed-ring"; radius: number }
    | { shape: "dot"; radius: number }
    | { shape: "brackets"; half: number }
    | { shape: "dashes"; half: number }
    | { shape: "cross"; half: number }
    | { shape: "threat" }
    | { shape: "focus"; half: number }
    | { shape: "arrow"; angle: number }
    | { shape: "sign"; sign: Sign | null }
  );

/** A line that is marked, under the pieces. */
export interface Trail extends Coloured {
  id: string;
  points: Point[];
}

/** All that is marked. */
export interface Marking {
  /** Under the pieces. */
  trails: Trail[];
  /** Under the pieces, too. */
  under: Mark[];
  over: Mark[];
}

/** A move that is marked in the colour and by the sign of the pieces of whoever made it. */
export interface Made {
  step: Step;
  colour: string;
  sign: Sign | null;
}

/** What somebody is doing at the board. */
export interface Doing {
  selected: Spot | null;
  targets: ReadonlyMap<number, Target>;
  /** The move that a click would play. */
  aimed: MoveState | null;
  /** The place that has the focus, where that is to be seen. */
  focus: Spot | null;
  hint: MoveState | null;
  pending: MoveState | null;
  /** Moves that are crossed out. */
  struck: readonly MoveState[];
}

const ANGLES = { right: 0, down: 90, left: 180, up: 270 } as const;

type Outline = Mark extends infer One
  ? One extends Mark
    ? Omit<One, "id" | keyof Coloured | "x" | "y">
    : never
  : never;

/** Collects marks. */
class Marker {
  readonly marking: Marking = { trails: [], under: [], over: [] };
  readonly #geometry: Geometry;
  readonly #isOccupied: (spot: Spot) => boolean;

  constructor(geometry: Geometry, occupied: ReadonlySet<number>) {
    this.#geometry = geometry;
    this.#isOccupied = (spot) => occupied.has(keyOf(spot));
  }

  #isStar(): boolean {
    return this.#geometry.layout === "star";
  }

  #mark(list: Mark[], tone: Tone, at: Point, outline: Outline, colour?: string): void {
    const id = `${colour ?? tone} ${outline.shape} ${at.x} ${at.y}`;
    list.push({ id, tone, x: at.x, y: at.y, ...(colour === undefined ? {} : { colour }), ...outline });
  }

  over(tone: Tone, spot: Spot, outline: Outline): void {
    this.#mark(this.marking.over, tone, this.#geometry.at(spot), outline);
  }

  under(tone: Tone, spot: Spot, outline: Outline): void {
    this.#mark(this.marking.under, tone, this.#geometry.at(spot), outline);
  }

  trail(tone: Tone, path: readonly Spot[] | undefined, colour?: string): void {
    if (!path || path.length < 2) return;
    const points = path.map((spot) => this.#geometry.at(spot));
    const id = `${colour ?? tone} ${path.map(keyOf).join(" ")}`;
    this.marking.trails.push({ id, tone, points, ...(colour === undefined ? {} : { colour }) });
  }

  target(tone: Tone, spot: Spot): void {
    this.over(tone, spot, { shape: "dot", radius: this.#isStar() ? 18 : 16 });
    if (this.#isOccupied(spot)) this.over(tone, spot, { shape: "ring", radius: 47 });
  }

  block(tone: Tone, corner: Spot): void {
    this.#mark(this.marking.over, tone, this.#geometry.blockCentre(corner), { shape: "brackets", half: 97 });
  }

  end(tone: Tone, spot: Spot): void {
    this.over(tone, spot, this.#isStar() ? { shape: "ring", radius: 47 } : { shape: "brackets", half: 47 });
  }

  start(tone: Tone, spot: Spot): void {
    this.under(tone, spot, this.#isStar() ? { shape: "dashed-ring", radius: 31 } : { shape: "dashes", half: 39 });
  }

  /** Marks which way the whole board slides. */
  heading(tone: Tone, heading: keyof typeof ANGLES): void {
    const { x, y, width, height } = this.#geometry.box;
    const middle = { x: x + width / 2, y: y + height / 2 };
    this.#mark(this.marking.over, tone, middle, { shape: "arrow", angle: ANGLES[heading] });
  }

  /** Marks a move as one of several, and by whom it was made. */
  made({ step, colour, sign }: Made, isLast: boolean): void {
    const { from, to } = step;
    this.trail("last", step.path ?? (from && to ? [from, to] : undefined), colour);
    const end: Outline = this.#isStar() ? { shape: "ring", radius: 47 } : { shape: "brackets", half: 47 };
    if (to && !isLast) this.#mark(this.marking.over, "last", this.#geometry.at(to), end, colour);
    if (!from) return;
    const { x, y } = this.#geometry.at(from);
    // Somebody may stand there by now.
    const at = this.#isOccupied(from) ? { x: x + 34, y: y - 34 } : { x, y };
    this.#mark(this.marking.over, "last", at, { shape: "sign", sign }, colour);
  }

  last(step: Step, isTraced: boolean): void {
    if (this.#geometry.layout === "tiles") return;
    if (this.#isStar() && !isTraced) this.trail("last", step.path);
    if (step.from && !isTraced) this.start("last", step.from);
    if (step.to) this.end("last", step.to);
    for (const effect of step.effects) {
      if (effect.kind === "turn") this.block("last", effect.corner);
      else if (effect.kind === "remove") this.captured(effect.at);
    }
  }

  captured(spot: Spot): void {
    if (!this.#isOccupied(spot)) {
      this.over("last", spot, { shape: "cross", half: 22 });
      return;
    }
    // Somebody stands there now: a small one in the corner.
    const { x, y } = this.#geometry.at(spot);
    this.#mark(this.marking.over, "last", { x: x + 34, y: y - 34 }, { shape: "cross", half: 10 });
  }

  crossOut({ to, block }: MoveState): void {
    if (to) this.over("threat", to, { shape: "cross", half: 22 });
    if (block) this.#mark(this.marking.over, "threat", this.#geometry.blockCentre(block), { shape: "cross", half: 22 });
  }

  /** Outlines what a move would turn over or capture. */
  outcome(effects: readonly Effect[] | undefined): void {
    for (const effect of effects ?? []) {
      const spots = effect.kind === "flip" ? effect.spots : effect.kind === "remove" ? [effect.at] : [];
      for (const spot of spots) this.over("now", spot, { shape: "dashed-ring", radius: 44 });
    }
  }

  move(tone: Tone, move: MoveState): void {
    if (move.block) this.block(tone, move.block);
    if (move.heading) this.heading(tone, move.heading);
    if (this.#isStar()) this.trail(tone, move.path);
    if (move.from) this.over(tone, move.from, { shape: "ring", radius: 47 });
    if (move.to) this.target(tone, move.to);
  }
}

/** The places where somebody stands. */
export function occupiedPlaces(picture: BoardPicture): Set<number> {
  return new Set(picture.cells.filter(({ piece }) => piece).map(({ at }) => keyOf(at)));
}

/** How moves are marked by whom they were made: by the pieces that have arrived. */
export function madeMoves(
  moves: readonly LastMove[],
  picture: BoardPicture,
  styles: ReadonlyMap<string, Style>,
): Made[] {
  return moves.flatMap(({ seat, step }) => {
    const piece = picture.cells.find(({ at }) => sameSpot(at, step.to))?.piece;
    const style = piece?.owner === seat ? styles.get(piece.style) : undefined;
    return style ? [{ step, colour: roleColour(style), sign: style.sign ?? null }] : [];
  });
}

/**
 * Marks what has happened, what threatens, and what somebody is doing. `made` are moves to be told apart by who made
 * them, the last at the end.
 */
export function markBoard(
  geometry: Geometry,
  occupied: ReadonlySet<number>,
  facts: BoardFacts | null,
  doing: Doing,
  made: readonly Made[] = [],
): Marking {
  const marker = new Marker(geometry, occupied);
  const { selected, aimed } = doing;
  made.forEach((move, index) => marker.made(move, index === made.length - 1));
  if (facts?.last) marker.last(facts.last.step, made.length > 0);
  for (const threat of facts?.threats ?? []) marker.over("threat", threat.at, { shape: "threat" });
  if (selected) marker.over("now", selected, { shape: "ring", radius: 47 });
  // Several places may be marked by the one where a piece arrives.
  const marked = new Map([...doing.targets.values()].map(({ mark }) => [keyOf(mark), mark]));
  for (const spot of marked.values()) marker.target("now", spot);
  if (aimed) {
    if (geometry.layout === "star") marker.trail("now", aimed.path);
    if (aimed.block) marker.block("now", aimed.block);
    marker.outcome(aimed.effects);
  }
  if (doing.hint) marker.move("hint", doing.hint);
  // Several moves may go to one place.
  const struck = new Map(doing.struck.map((move) => [JSON.stringify([move.to, move.block]), move]));
  for (const move of struck.values()) marker.crossOut(move);
  if (doing.pending) {
    if (doing.pending.from && !sameSpot(doing.pending.from, selected)) marker.start("now", doing.pending.from);
    if (doing.pending.to) marker.end("now", doing.pending.to);
    if (doing.pending.block) marker.block("now", doing.pending.block);
  }
  if (doing.focus) {
    marker.over("now", doing.focus, { shape: "focus", half: geometry.layout === "star" ? 50 : 48 });
  }
  return marker.marking;
}
