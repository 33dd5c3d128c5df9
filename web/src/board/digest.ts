// What a step comes to, for those who put it into words.

import type { BoardPicture, Heading, Step, StepKind } from "../protocol/types.ts";
import { placeName } from "./geometry.ts";

/** What a step comes to; places are named as in moves. */
export interface StepDigest {
  kind: StepKind;
  from: string | null;
  to: string | null;
  heading: Heading | null;
  /** The top left cell of the block that turned. */
  block: string | null;
  /** How many pieces turned over. */
  flipped: number;
  /** Where pieces were captured. */
  captured: string[];
  /** How many hops it took; 0 if the piece went straight. */
  hops: number;
  /** The number on the piece that appeared. */
  number: number | null;
}

/** Sums up a step. */
export function stepDigest(picture: BoardPicture, step: Step): StepDigest {
  const digest: StepDigest = {
    kind: step.kind,
    from: step.from ? placeName(picture, step.from) : null,
    to: step.to ? placeName(picture, step.to) : null,
    heading: step.heading ?? null,
    block: null,
    flipped: 0,
    captured: [],
    hops: Math.max(0, (step.path?.length ?? 0) - 1),
    number: null,
  };
  // A step to the next hole is no hop.
  if (step.path?.length === 2) digest.hops = isStep(step) ? 0 : 1;
  for (const effect of step.effects) {
    if (effect.kind === "flip") digest.flipped += effect.spots.length;
    else if (effect.kind === "remove") digest.captured.push(placeName(picture, effect.at));
    else if (effect.kind === "turn") digest.block = placeName(picture, effect.corner);
    else if (effect.kind === "place") digest.number = effect.piece?.number ?? null;
  }
  return digest;
}

function isStep({ from, to }: Step): boolean {
  if (!from || !to) return true;
  const [down, right] = [Math.abs(from[0] - to[0]), Math.abs(from[1] - to[1])];
  // Neighbours of a star are two columns apart in a row, and one in the next row.
  return down === 0 ? right <= 2 : down === 1;
}
