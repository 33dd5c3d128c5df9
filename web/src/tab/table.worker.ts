// The tables of one game: its module, what is kept of them, and the engine that plays for bots.
import { Driver, type Pages, type Time } from "./driver.ts";
import { Instance } from "./instance.ts";
import { compile } from "./modules.ts";
import type { FromTables, ToTables } from "./protocol.ts";
import { Store } from "./store.ts";
import { type EngineWorker, Thinker } from "./thinker.ts";

const worker = self as unknown as {
  onmessage: ((event: MessageEvent<ToTables>) => void) | null;
  postMessage(message: FromTables): void;
};

/** The longest that timers wait in one go; longer ones come back at once. */
const LONGEST_WAIT = 2 ** 31 - 1;

let timer: ReturnType<typeof setTimeout> | undefined;
const time: Time = {
  now: () => performance.now(),
  date: () => Date.now() / 1000,
  wake: (at, callback) => {
    clearTimeout(timer);
    timer = setTimeout(callback, Math.min(Math.max(0, at - performance.now()), LONGEST_WAIT));
  },
};

const pages: Pages = {
  tell: (to, text) => worker.postMessage({ type: "tell", to, text }),
  reply: (reply) => worker.postMessage({ type: "reply", reply }),
};

function randomText(): string {
  return [...crypto.getRandomValues(new Uint8Array(32))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

async function open({ base, files, build, memory }: Extract<ToTables, { type: "open" }>): Promise<Driver> {
  const [module, store] = await Promise.all([compile(base, files), Store.open()]);
  const tables = await Instance.of(module, { now: () => time.now(), pause: () => false, tell: () => undefined });
  const begin = (): EngineWorker =>
    new Worker(new URL("./engine.worker.ts", import.meta.url), { type: "module" }) as unknown as EngineWorker;
  const thinker = new Thinker(begin, base, files, (share) => worker.postMessage({ type: "progress", share }));
  const driver = new Driver(tables, store, thinker, pages, time);
  driver.open(build, randomText(), memory);
  return driver;
}

let driver: Promise<Driver> | undefined;

function perform(message: ToTables, open: Driver): void {
  switch (message.type) {
    case "connect":
      return open.connect(message.connection);
    case "disconnect":
      return open.disconnect(message.connection);
    case "message":
      return open.message(message.connection, message.text);
    case "request": {
      const { type: _, ...request } = message;
      return open.request(request);
    }
    case "open":
      return;
  }
}

worker.onmessage = ({ data }) => {
  if (data.type === "open") driver = open(data);
  driver?.then(
    (ready) => perform(data, ready),
    (error: unknown) =>
      worker.postMessage({ type: "failed", reason: error instanceof Error ? error.message : String(error) }),
  );
};
