// What the server is asked for again and again while it may change.
import { ApiError } from "../lib/api.ts";

export class Polled<T> {
  value = $state.raw<T | null>(null);
  /** Why there is nothing: the server knows no such thing, or does not answer. */
  failure = $state<"unknown" | "answer" | null>(null);
  #timer: ReturnType<typeof setTimeout> | undefined;
  #closed = false;

  constructor(
    private readonly ask: () => Promise<T>,
    /** After how many milliseconds to ask again; null if it will not change. */
    private readonly pause: (value: T) => number | null,
  ) {
    void this.load();
  }

  async load(): Promise<void> {
    clearTimeout(this.#timer);
    try {
      const value = await this.ask();
      if (this.#closed) return;
      this.value = value;
      this.failure = null;
    } catch (error) {
      // What was shown stays, also if the server does not answer for a while.
      if (this.value === null) this.failure = error instanceof ApiError && error.problem ? "unknown" : "answer";
    }
    this.#wait();
  }

  #wait(): void {
    const pause = this.value === null ? null : this.pause(this.value);
    if (pause === null || this.#closed) return;
    // Nobody looks at a page that is hidden.
    this.#timer = setTimeout(() => (document.hidden ? this.#wait() : void this.load()), pause);
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
  }
}
