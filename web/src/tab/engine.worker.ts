// Thinks: a module of its own beside that of the tables. It hears of other things between slices of thinking where
// the browser lets WebAssembly wait; elsewhere whoever wants it to stop ends the worker.
import { Instance } from "./instance.ts";
import { compile, fetchWeights, type ModuleFiles } from "./modules.ts";
import type { FromEngine, ToEngine } from "./protocol.ts";

const worker = self as unknown as {
  onmessage: ((event: MessageEvent<ToEngine>) => void) | null;
  postMessage(message: FromEngine): void;
};

interface Question {
  number: number;
  weights: boolean;
  question: unknown;
}

let module: Promise<Instance> | undefined;
let weights: Promise<void> | undefined;
let place: { base: string; files: ModuleFiles } | undefined;
/** The questions that wait, oldest first. */
const waiting: Question[] = [];
let current: number | null = null;
let isStopped = false;

/** Lets messages in. A timer would be slowed down by browsers to four milliseconds and more. */
const channel = new MessageChannel();
let resume: (() => void) | undefined;
channel.port1.onmessage = () => resume?.();

function breathe(): Promise<void> {
  return new Promise((resolve) => {
    resume = resolve;
    channel.port2.postMessage(null);
  });
}

function set(base: string, files: ModuleFiles): Promise<Instance> {
  place = { base, files };
  return compile(base, files).then((compiled) =>
    Instance.of(compiled, {
      now: () => performance.now(),
      pause: async () => {
        await breathe();
        return isStopped;
      },
      tell: (text) => {
        if (current !== null) worker.postMessage({ type: "news", number: current, news: JSON.parse(text) as unknown });
      },
    }),
  );
}

async function loadWeights(instance: Instance): Promise<void> {
  if (!place) return;
  const bytes = await fetchWeights(place.base, place.files, (share) => worker.postMessage({ type: "progress", share }));
  if (bytes) instance.loadWeights(bytes);
}

async function answer({ number, weights: needsWeights, question }: Question): Promise<unknown> {
  try {
    const instance = await module;
    if (!instance) throw new Error("there is no module");
    if (needsWeights) {
      weights ??= loadWeights(instance);
      await weights.catch((error: unknown) => {
        weights = undefined;
        throw error;
      });
    }
    return JSON.parse(await instance.think(JSON.stringify({ number, question }))) as unknown;
  } catch (error) {
    return { number, failed: error instanceof Error ? error.message : String(error) };
  }
}

async function work(): Promise<void> {
  if (current !== null) return;
  for (let question = waiting.shift(); question; question = waiting.shift()) {
    current = question.number;
    isStopped = false;
    const news = await answer(question);
    current = null;
    worker.postMessage({ type: "answer", number: question.number, news });
  }
}

worker.onmessage = ({ data }) => {
  switch (data.type) {
    case "open":
      module = set(data.base, data.files);
      // Whoever asks hears what was wrong.
      module.then(
        ({ canPause }) => worker.postMessage({ type: "ready", canPause }),
        () => undefined,
      );
      return;
    case "ask":
      waiting.push(data);
      return void work();
    case "cancel": {
      if (current === data.number) isStopped = true;
      const index = waiting.findIndex(({ number }) => number === data.number);
      if (index >= 0) waiting.splice(index, 1);
      return;
    }
  }
};
