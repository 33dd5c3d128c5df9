// The engine of a game as the worker of its tables sees it: a worker of its own, begun with the first question and
// begun again if it dies or cannot hear that it should stop.
import type { Engine } from "./driver.ts";
import type { ModuleFiles } from "./modules.ts";
import type { FromEngine, ToEngine } from "./protocol.ts";

/** The part of a worker that is used. */
export interface EngineWorker {
  onmessage: ((event: { data: FromEngine }) => void) | null;
  onerror: ((event: unknown) => void) | null;
  postMessage(message: ToEngine): void;
  terminate(): void;
}

interface Asked {
  weights: boolean;
  question: unknown;
  news: (news: unknown) => void;
}

export class Thinker implements Engine {
  #worker: EngineWorker | null = null;
  #canPause = false;
  /** What has been asked and is not answered, in order; the first is being thought about. */
  readonly #asked = new Map<number, Asked>();

  constructor(
    private readonly begin: () => EngineWorker,
    private readonly base: string,
    private readonly files: ModuleFiles,
    private readonly progress: (share: number) => void,
  ) {}

  ask(number: number, weights: boolean, question: unknown, news: (news: unknown) => void): void {
    this.#asked.set(number, { weights, question, news });
    this.#running().postMessage({ type: "ask", number, weights, question });
  }

  cancel(number: number): void {
    const [thinking] = this.#asked.keys();
    if (!this.#asked.delete(number) || !this.#worker) return;
    if (thinking !== number || this.#canPause) return this.#worker.postMessage({ type: "cancel", number });
    // It hears nothing while it thinks: the others are asked of another one.
    this.#end();
    this.#askAgain();
  }

  #askAgain(): void {
    for (const [number, { weights, question }] of this.#asked)
      this.#running().postMessage({ type: "ask", number, weights, question });
  }

  #running(): EngineWorker {
    if (this.#worker) return this.#worker;
    const worker = this.begin();
    this.#worker = worker;
    worker.onmessage = ({ data }) => this.#hear(data);
    worker.onerror = () => this.#died();
    worker.postMessage({ type: "open", base: this.base, files: this.files });
    return worker;
  }

  #hear(message: FromEngine): void {
    switch (message.type) {
      case "ready":
        this.#canPause = message.canPause;
        return;
      case "progress":
        return this.progress(message.share);
      case "news":
        return this.#asked.get(message.number)?.news(message.news);
      case "answer": {
        const asked = this.#asked.get(message.number);
        this.#asked.delete(message.number);
        return asked?.news(message.news);
      }
    }
  }

  /** The question that killed it fails; the others are asked of another one. */
  #died(): void {
    const [first] = this.#asked;
    this.#end();
    if (!first) return;
    const [number, { news }] = first;
    this.#asked.delete(number);
    news({ number, failed: "the engine has stopped" });
    this.#askAgain();
  }

  #end(): void {
    this.#worker?.terminate();
    this.#worker = null;
    this.#canPause = false;
  }
}
