// Presses, drags and swipes, told apart by how far the pointer goes. No drawing, no rules.

import type { Heading } from "../protocol/types.ts";

/** How far a pointer may go before it drags, in pixels. */
const THRESHOLD = { touch: 10, other: 6 };
/** How far a swipe goes at least, and how many times as far along one axis as along the other. */
const SWIPE = 24;
const SWIPE_RATIO = 1.5;

/** What matters of a pointer event. */
export interface PointerLike {
  pointerId: number;
  pointerType: string;
  clientX: number;
  clientY: number;
}

/** A pointer that is down. */
export class Press<Target> {
  readonly id: number;
  readonly target: Target;
  readonly isTouch: boolean;
  isDragging = false;
  readonly #start: { x: number; y: number };
  #last: { x: number; y: number };

  constructor(event: PointerLike, target: Target) {
    this.id = event.pointerId;
    this.target = target;
    this.isTouch = event.pointerType === "touch";
    this.#start = { x: event.clientX, y: event.clientY };
    this.#last = this.#start;
  }

  /** Follows the pointer. Returns how far it went since the last time once it drags, `null` before. */
  follow(event: PointerLike): { right: number; down: number } | null {
    const { clientX: x, clientY: y } = event;
    const threshold = this.isTouch ? THRESHOLD.touch : THRESHOLD.other;
    this.isDragging ||= Math.hypot(x - this.#start.x, y - this.#start.y) >= threshold;
    if (!this.isDragging) return null;
    const gone = { right: x - this.#last.x, down: y - this.#last.y };
    this.#last = { x, y };
    return gone;
  }
}

/** Where a swipe goes; `null` if it is too short or too slanted. */
export function swipeHeading(right: number, down: number): Heading | null {
  const [across, along] = [Math.abs(right), Math.abs(down)];
  if (Math.max(across, along) < SWIPE) return null;
  if (across >= SWIPE_RATIO * along) return right > 0 ? "right" : "left";
  if (along >= SWIPE_RATIO * across) return down > 0 ? "down" : "up";
  return null;
}

/** Watches an element for swipes; returns how to stop. Each press makes at most one. */
export function watchSwipes(area: HTMLElement | SVGElement, onSwipe: (heading: Heading) => void): () => void {
  let start: { id: number; x: number; y: number } | null = null;
  const down = (event: Event): void => {
    const { isPrimary, pointerId, clientX, clientY } = event as PointerEvent;
    if (isPrimary) start = { id: pointerId, x: clientX, y: clientY };
  };
  const move = (event: Event): void => {
    const { pointerId, clientX, clientY } = event as PointerEvent;
    if (start?.id !== pointerId) return;
    const heading = swipeHeading(clientX - start.x, clientY - start.y);
    if (!heading) return;
    start = null;
    onSwipe(heading);
  };
  const end = (): void => {
    start = null;
  };
  const listeners = { pointerdown: down, pointermove: move, pointerup: end, pointercancel: end };
  for (const [name, listener] of Object.entries(listeners)) area.addEventListener(name, listener);
  area.classList.add("swipe-area");
  return () => {
    for (const [name, listener] of Object.entries(listeners)) area.removeEventListener(name, listener);
    area.classList.remove("swipe-area");
  };
}
