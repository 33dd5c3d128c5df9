// The service worker: keeps the app, so that it opens without a network, and what games need that are played in the
// browser.
//
// The page is the newest one whenever there is a network, and all that it loads has names of its own. So a new
// version needs no reload: pages that are open go on with the files of their version, which are kept beside those of
// the next.
import { outdated, wayOf } from "./caching.ts";

/** The files of the app, named by scripts/offline.mjs after the build. */
const FILES = JSON.parse("__FILES__") as string[];
const VERSION = "app-__VERSION__";
/** What is kept whatever the version: texts and modules. */
const SHARED = "shared";
/** How long the network may take before the kept page is shown. */
const PATIENCE = 4000;

interface Extendable {
  waitUntil(promise: Promise<unknown>): void;
}

interface FetchEvent {
  request: Request;
  respondWith(response: Promise<Response>): void;
}

const worker = self as unknown as {
  registration: { scope: string };
  skipWaiting(): Promise<void>;
  clients: { claim(): Promise<void> };
  addEventListener(type: "install" | "activate", listener: (event: Extendable) => void): void;
  addEventListener(type: "fetch", listener: (event: FetchEvent) => void): void;
};

const home = new URL(worker.registration.scope);

worker.addEventListener("install", (event) => {
  event.waitUntil(
    caches
      .open(VERSION)
      .then((cache) => cache.addAll(FILES.map((file) => new URL(file, home).href)))
      .then(() => worker.skipWaiting()),
  );
});

worker.addEventListener("activate", (event) => {
  event.waitUntil(
    caches
      .keys()
      .then((names) => Promise.all(outdated(names, VERSION, [SHARED]).map((name) => caches.delete(name))))
      .then(() => worker.clients.claim()),
  );
});

worker.addEventListener("fetch", (event) => {
  const { request } = event;
  switch (wayOf(new URL(request.url), home, request.method, request.mode === "navigate")) {
    case "page":
      return event.respondWith(page(request));
    case "fresh":
      return event.respondWith(fresh(request));
    case "kept":
      return event.respondWith(kept(request));
    case "pass":
      return;
  }
});

async function page(request: Request): Promise<Response> {
  const saved = () => caches.match(home.href).then((found) => found && at(found));
  const late = new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), PATIENCE));
  const answer = fetch(request);
  const first = await Promise.race([answer.catch(() => undefined), late]);
  return first ?? (await saved()) ?? answer;
}

/** The page for an address in any folder below the app: the kept one leads to the folder where it lay itself. */
async function at(response: Response): Promise<Response> {
  const text = (await response.text()).replace(/<base href="[^"]*"/, `<base href="${home.pathname}"`);
  return new Response(text, { headers: { "content-type": "text/html; charset=utf-8" } });
}

async function fresh(request: Request): Promise<Response> {
  const cache = await caches.open(SHARED);
  try {
    const response = await fetch(request);
    if (response.ok) await cache.put(request, response.clone());
    return response;
  } catch (error) {
    const saved = await caches.match(request);
    if (saved) return saved;
    throw error;
  }
}

async function kept(request: Request): Promise<Response> {
  const saved = await caches.match(request);
  if (saved) return saved;
  const response = await fetch(request);
  // Modules are kept once they have been used; the files of the app are kept with their version.
  if (response.ok && response.status === 200) await (await caches.open(SHARED)).put(request, response.clone());
  return response;
}
