// Runs plans by a clock.

import type { Plan, Sprite } from "./motion.ts";

/** Tells the time and calls back for the next picture. Tests bring their own. */
export interface Clock {
  now: () => number;
  request: (callback: () => void) => number;
  cancel: (handle: number) => void;
}

const SCREEN: Clock = {
  now: () => performance.now(),
  request: (callback) => requestAnimationFrame(callback),
  cancel: (handle) => cancelAnimationFrame(handle),
};

const NOTHING: ReadonlySet<number> = new Set();

/** Shows one plan at a time. */
export class Animator {
  /** What is seen of the pieces that move; empty if none does. */
  sprites = $state.raw<Sprite[]>([]);
  /** The places whose pieces are among them. */
  covers = $state.raw<ReadonlySet<number>>(NOTHING);
  /** By how many degrees the board is still turned away from how it is to be seen. */
  angle = $state(0);

  readonly #clock: Clock;
  #handle: number | null = null;

  constructor(clock: Clock = SCREEN) {
    this.#clock = clock;
  }

  /** Whether something moves. */
  get isRunning(): boolean {
    return this.#handle !== null;
  }

  /** Shows a plan, ending what was shown before. */
  start(plan: Plan): void {
    this.finish();
    if (plan.duration <= 0) return;
    this.covers = plan.covers;
    this.#run(plan.duration, (time) => (this.sprites = plan.at(time)));
  }

  /** Turns the board from an angle to where it is to be. */
  turn(angle: number, millis: number): void {
    this.finish();
    this.#run(millis, (time) => (this.angle = angle * (1 - time / millis) ** 2));
  }

  /** Ends what is shown: everything is where it belongs. */
  finish(): void {
    if (this.#handle !== null) this.#clock.cancel(this.#handle);
    this.#handle = null;
    if (this.sprites.length > 0) this.sprites = [];
    if (this.covers.size > 0) this.covers = NOTHING;
    if (this.angle !== 0) this.angle = 0;
  }

  #run(millis: number, show: (time: number) => void): void {
    const begin = this.#clock.now();
    const frame = (): void => {
      const time = this.#clock.now() - begin;
      if (time >= millis) {
        this.finish();
        return;
      }
      show(time);
      this.#handle = this.#clock.request(frame);
    };
    frame();
  }
}
