import { describe, expect, it } from "vitest";

import type { ModuleFiles } from "./modules.ts";
import type { FromEngine, ToEngine } from "./protocol.ts";
import { type EngineWorker, Thinker } from "./thinker.ts";

class Worker implements EngineWorker {
  onmessage: ((event: { data: FromEngine }) => void) | null = null;
  onerror: ((event: unknown) => void) | null = null;
  readonly heard: ToEngine[] = [];
  isOver = false;

  postMessage(message: ToEngine): void {
    this.heard.push(message);
  }

  terminate(): void {
    this.isOver = true;
  }

  say(data: FromEngine): void {
    this.onmessage?.({ data });
  }

  get asked(): number[] {
    return this.heard.flatMap((message) => (message.type === "ask" ? [message.number] : []));
  }
}

const FILES: ModuleFiles = { module: "m", bytes: 1, weights: null };

function thinking() {
  const workers: Worker[] = [];
  const begin = (): Worker => {
    const worker = new Worker();
    workers.push(worker);
    return worker;
  };
  const news: unknown[] = [];
  const thinker = new Thinker(begin, "http://tab/", FILES, () => undefined);
  const ask = (number: number) => thinker.ask(number, false, { number }, (what) => news.push(what));
  return { workers, news, thinker, ask };
}

describe("the engine of a game", () => {
  it("answers in the end, and tells meanwhile", () => {
    const { workers, news, ask } = thinking();
    ask(1);
    workers[0]?.say({ type: "news", number: 1, news: "deeper" });
    workers[0]?.say({ type: "answer", number: 1, news: "done" });
    workers[0]?.say({ type: "answer", number: 1, news: "again" });
    expect(news).toEqual(["deeper", "done"]);
    expect(workers).toHaveLength(1);
  });

  it("is told to stop where it can hear that, and ended where it cannot", () => {
    const one = thinking();
    one.ask(1);
    one.workers[0]?.say({ type: "ready", canPause: true });
    one.thinker.cancel(1);
    expect(one.workers[0]?.heard.at(-1)).toEqual({ type: "cancel", number: 1 });
    expect(one.workers[0]?.isOver).toBe(false);

    const other = thinking();
    other.ask(1);
    other.ask(2);
    other.workers[0]?.say({ type: "ready", canPause: false });
    other.thinker.cancel(1);
    expect(other.workers[0]?.isOver).toBe(true);
    expect(other.workers[1]?.asked).toEqual([2]);
    // Another question that waits is only taken out of the line.
    other.ask(3);
    other.thinker.cancel(3);
    expect(other.workers).toHaveLength(2);
    expect(other.workers[1]?.heard.at(-1)).toEqual({ type: "cancel", number: 3 });
  });

  it("fails the question that killed it, and asks the others again", () => {
    const { workers, news, ask } = thinking();
    ask(1);
    ask(2);
    workers[0]?.onerror?.(new Error("out of memory"));
    expect(news).toEqual([{ number: 1, failed: "the engine has stopped" }]);
    expect(workers[1]?.asked).toEqual([2]);
    workers[1]?.say({ type: "answer", number: 2, news: "fine" });
    expect(news.at(-1)).toBe("fine");
  });
});
