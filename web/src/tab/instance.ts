// A module at work: text in, text out over a handful of exports.

interface Exports {
  memory: WebAssembly.Memory;
  room: (length: number) => number;
  answer: () => number;
  handle: (now: number, date: number) => number;
  think: () => number | Promise<number>;
  load_weights: () => number;
}

/** What a module is lent. */
export interface Lent {
  now(): number;
  /** Called between slices of thinking; true to stop. */
  pause(): boolean | Promise<boolean>;
  /** News while it thinks, as JSON. */
  tell(text: string): void;
}

/** What browsers can do that let WebAssembly wait for promises. */
interface Suspension {
  Suspending: new (call: () => Promise<number>) => WebAssembly.ImportValue;
  promising(call: unknown): () => Promise<number>;
}

function suspension(): Suspension | null {
  return "Suspending" in WebAssembly && "promising" in WebAssembly ? (WebAssembly as unknown as Suspension) : null;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export class Instance {
  private constructor(
    private readonly exports: Exports,
    /** Whether it hears anything while it thinks. */
    readonly canPause: boolean,
  ) {}

  /** Sets a module up. One that thinks hears of other things between slices, where the browser can do that. */
  static async of(module: WebAssembly.Module, lent: Lent): Promise<Instance> {
    const waits = suspension();
    // eslint-disable-next-line prefer-const -- its memory is needed by what it calls
    let exports: Exports | undefined;
    const host = {
      now: () => lent.now(),
      pause: waits ? new waits.Suspending(async () => Number(await lent.pause())) : () => 0,
      tell: (start: number, length: number) => {
        if (exports) lent.tell(decoder.decode(new Uint8Array(exports.memory.buffer, start, length)));
      },
    };
    const instance = await WebAssembly.instantiate(module, { host });
    exports = instance.exports as unknown as Exports;
    const think = waits ? waits.promising(exports.think) : exports.think;
    return new Instance({ ...exports, think }, waits !== null);
  }

  /** What a table answers to a message: effects as JSON. */
  handle(message: string, now: number, date: number): string {
    this.write(encoder.encode(message));
    return this.read(this.exports.handle(now, date));
  }

  /** What an engine answers to a question. */
  async think(question: string): Promise<string> {
    this.write(encoder.encode(question));
    return this.read(await this.exports.think());
  }

  /** Hands in what bots judge by. */
  loadWeights(bytes: Uint8Array): void {
    this.write(bytes);
    if (this.exports.load_weights() !== 0) throw new Error("the weights are not those of this game");
  }

  private write(bytes: Uint8Array): void {
    const start = this.exports.room(bytes.length);
    new Uint8Array(this.exports.memory.buffer, start, bytes.length).set(bytes);
  }

  private read(length: number): string {
    return decoder.decode(new Uint8Array(this.exports.memory.buffer, this.exports.answer(), length));
  }
}
