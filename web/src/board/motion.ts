// What moves where and when: steps of a game become a plan, and a plan knows what is seen at any moment.
// There is no clock here.

import type { BoardPicture, Effect, Piece, Spot, Step } from "../protocol/types.ts";
import { type Geometry, keyOf, type Point } from "./geometry.ts";

/** How long things take, in milliseconds. */
export const MILLIS = {
  move: 180,
  hop: 140,
  hops: 700,
  flip: 220,
  flipStep: 30,
  capture: 200,
  block: 240,
  board: 250,
  slide: 100,
  appear: 150,
} as const;

/** A piece as it is seen at some moment. */
export interface Sprite extends Point {
  id: number;
  piece: Piece;
  /** Its size, 1 being the usual one. */
  scale: number;
  /** Its width as part of its height: less than 1 while it turns over. */
  squash: number;
  opacity: number;
}

type Pose = Omit<Sprite, "id">;

/** Something that an actor does for a while. */
interface Act {
  start: number;
  end: number;
  /** The pose at a part of the way, from 0 to 1. */
  pose: (part: number) => Pose;
}

/** A piece that takes part. */
interface Actor {
  id: number;
  /** How it stands before it does anything; `null` if it is not there yet. */
  before: Pose | null;
  acts: Act[];
}

/** What moves where and when. */
export interface Plan {
  duration: number;
  /** Places whose pieces are among the actors, so that they are not drawn twice. */
  covers: ReadonlySet<number>;
  /** What is seen at a time. */
  at: (time: number) => Sprite[];
}

function between(from: number, to: number, part: number): number {
  return from + (to - from) * part;
}

function eased(part: number): number {
  return part < 0.5 ? 2 * part * part : 1 - 2 * (1 - part) * (1 - part);
}

function fadeIn(part: number): Partial<Pose> {
  return { scale: between(0.5, 1, eased(part)), opacity: Math.min(1, part * 2) };
}

function swell(part: number): Partial<Pose> {
  return { scale: 1 + 0.12 * Math.sin(Math.PI * part) };
}

function distance(one: Spot, other: Spot): number {
  return Math.max(Math.abs(one[0] - other[0]), Math.abs(one[1] - other[1]));
}

class Planner {
  readonly #geometry: Geometry;
  readonly #before = new Map<number, Piece>();
  readonly #actors: Actor[] = [];
  readonly #covers = new Set<number>();
  /** Who stands where after what has been planned so far; `null` for places left empty. */
  readonly #residents = new Map<number, Actor | null>();
  #time = 0;

  constructor(before: BoardPicture, geometry: Geometry) {
    this.#geometry = geometry;
    for (const { at, piece } of before.cells) if (piece) this.#before.set(keyOf(at), piece);
  }

  #still(at: Spot, piece: Piece): Pose {
    const { x, y } = this.#geometry.at(at);
    return { piece, x, y, scale: 1, squash: 1, opacity: 1 };
  }

  #enter(before: Pose | null): Actor {
    const actor = { id: this.#actors.length, before, acts: [] };
    this.#actors.push(actor);
    return actor;
  }

  /** Takes whoever stands somewhere off that place. */
  #take(at: Spot): Actor | null {
    const key = keyOf(at);
    this.#covers.add(key);
    const resident = this.#residents.get(key);
    this.#residents.set(key, null);
    if (resident !== undefined) return resident;
    const piece = this.#before.get(key);
    return piece ? this.#enter(this.#still(at, piece)) : null;
  }

  #put(at: Spot, actor: Actor | null): void {
    this.#covers.add(keyOf(at));
    this.#residents.set(keyOf(at), actor);
  }

  #act(actor: Actor, start: number, millis: number, change: (last: Pose, part: number) => Partial<Pose>): void {
    const last = actor.acts.at(-1)?.pose(1) ?? actor.before;
    if (!last) return;
    actor.acts.push({
      start,
      end: start + millis,
      pose: (part) => ({ ...last, ...change(last, part) }),
    });
  }

  /** A piece comes to be; `grow` tells how it does so, from 0 to 1. */
  #appear(at: Spot, piece: Piece, start: number, grow: (part: number) => Partial<Pose>): void {
    const actor = this.#enter(null);
    const pose = this.#still(at, piece);
    actor.acts.push({ start, end: start + MILLIS.appear, pose: (part) => ({ ...pose, ...grow(part) }) });
    this.#put(at, actor);
  }

  #travel(actor: Actor, path: readonly Spot[], start: number, millis: number): void {
    const points = path.map((spot) => this.#geometry.at(spot));
    const hops = points.length - 1;
    const isHopping = hops > 1;
    this.#act(actor, start, millis, (_last, part) => {
      const along = Math.min(part * hops, hops);
      const index = Math.min(Math.floor(along), hops - 1);
      const [from, to] = [points[index], points[index + 1]];
      if (!from || !to) return {};
      const within = along - index;
      const way = eased(within);
      const scale = isHopping ? 1 + 0.15 * Math.sin(Math.PI * within) : 1;
      return { x: between(from.x, to.x, way), y: between(from.y, to.y, way), scale };
    });
  }

  #turn(corner: Spot, start: number): void {
    const [row, column] = corner;
    const ring: Spot[] = [
      [row, column],
      [row, column + 1],
      [row + 1, column + 1],
      [row + 1, column],
    ];
    const actors = ring.map((spot) => this.#take(spot));
    const centre = this.#geometry.blockCentre(corner);
    actors.forEach((actor, index) => {
      const to = ring[(index + 1) % ring.length];
      if (!actor || !to) return;
      this.#act(actor, start, MILLIS.block, (last, part) => {
        const angle = (Math.PI / 2) * eased(part);
        const [right, down] = [last.x - centre.x, last.y - centre.y];
        return {
          x: centre.x + right * Math.cos(angle) - down * Math.sin(angle),
          y: centre.y + right * Math.sin(angle) + down * Math.cos(angle),
        };
      });
      this.#put(to, actor);
    });
  }

  #slide(from: Spot, to: Spot, start: number): Actor | null {
    const actor = this.#take(from);
    if (actor) this.#travel(actor, [from, to], start, MILLIS.slide);
    return actor;
  }

  #flip(spot: Spot, piece: Piece | null, start: number): void {
    const actor = this.#take(spot);
    if (actor) {
      this.#act(actor, start, MILLIS.flip, (last, part) => ({
        piece: part < 0.5 ? last.piece : (piece ?? last.piece),
        squash: Math.abs(Math.cos(Math.PI * part)),
      }));
    }
    this.#put(spot, actor);
  }

  #effect(effect: Effect, step: Step, start: number, arrival: number): void {
    switch (effect.kind) {
      case "place":
        if (effect.piece) this.#appear(effect.at, effect.piece, start, fadeIn);
        break;
      case "move": {
        const actor = this.#take(effect.from);
        const path = step.path && step.path.length > 2 ? step.path : [effect.from, effect.to];
        if (actor) this.#travel(actor, path, start, arrival - start);
        this.#put(effect.to, actor);
        break;
      }
      case "flip":
        for (const spot of effect.spots) {
          const steps = step.to ? Math.max(0, distance(step.to, spot) - 1) : 0;
          this.#flip(spot, effect.piece ?? null, start + MILLIS.flipStep * steps);
        }
        break;
      case "remove": {
        const actor = this.#take(effect.at);
        if (actor) {
          this.#act(actor, arrival, MILLIS.capture, (_last, part) => ({
            opacity: 1 - part,
            scale: between(1, 0.6, part),
          }));
        }
        break;
      }
      case "turn":
        this.#turn(effect.corner, start);
        break;
      case "slide":
        this.#put(effect.to, this.#slide(effect.from, effect.to, start));
        break;
      case "merge": {
        const merging = [this.#take(effect.to), this.#slide(effect.from, effect.to, start)];
        for (const actor of merging) if (actor) this.#act(actor, start + MILLIS.slide, 0, () => ({ opacity: 0 }));
        this.#appear(effect.to, effect.piece, start + MILLIS.slide, swell);
        break;
      }
    }
  }

  add(step: Step): void {
    const start = this.#time;
    const hops = (step.path?.length ?? 0) - 1;
    const hasMoved = step.effects.some((effect) => effect.kind === "move");
    const travel = hops > 1 ? Math.min(MILLIS.hops, MILLIS.hop * hops) : MILLIS.move;
    const arrival = hasMoved ? start + travel : start;
    for (const effect of step.effects) this.#effect(effect, step, start, arrival);
    // What chance brings appears while tiles still merge.
    this.#time = step.kind === "slide" ? start + MILLIS.slide : this.#end();
  }

  #end(): number {
    return Math.max(this.#time, ...this.#actors.flatMap((actor) => actor.acts.map((act) => act.end)));
  }

  plan(): Plan {
    // Those who travel are drawn above the others.
    const actors = this.#actors.toSorted((one, other) => one.acts.length - other.acts.length);
    return {
      duration: this.#end(),
      covers: this.#covers,
      at: (time) => actors.flatMap((actor) => spriteAt(actor, time) ?? []),
    };
  }
}

function spriteAt(actor: Actor, time: number): Sprite | null {
  let pose = actor.before;
  for (const act of actor.acts) {
    if (time < act.start) break;
    const millis = act.end - act.start;
    pose = act.pose(millis > 0 ? Math.min(1, (time - act.start) / millis) : 1);
  }
  return pose && pose.opacity > 0 ? { id: actor.id, ...pose } : null;
}

/** Plans how steps are shown, `before` being the picture before them. */
export function planSteps(before: BoardPicture, steps: readonly Step[], geometry: Geometry): Plan {
  const planner = new Planner(before, geometry);
  for (const step of steps) planner.add(step);
  return planner.plan();
}
