// Where games are played: on a server, or in this browser, where there is no server or it cannot be reached.
import { Connection, type Socket } from "../connection/connection.ts";
import type { TableList } from "../protocol/types.ts";
import type { Claims, TabHost } from "../tab/host.ts";
import { obstacle } from "../tab/modules.ts";

/** Whether the page lies on a host for files: then there is no server at all. */
export const isStatic = document.querySelector('meta[name="agon-host"]')?.getAttribute("content") === "static";

/** Says that games are kept in this browser, so that lists need not look for some where there are none. */
const KEPT = "agon.keeps-games";
/** The name of the person, where no server knows it. */
const NAME = "agon.name";

/** The games that are played in this browser, as far as the page has met them. */
const local = new Set<string>();

/** How much of what a bot needs has arrived, 0 to 1; null if nothing is on its way. */
export const download = $state<{ share: number | null }>({ share: null });

/** Whether a game is played in this browser. */
export function isLocal(game: string): boolean {
  return local.has(game);
}

/** Notes that a game is played in this browser. */
export function markLocal(game: string): void {
  local.add(game);
}

/** The address of a game. */
export function gamePath(game: string): string {
  return isLocal(game) ? `game/?local=${encodeURIComponent(game)}` : `game/${encodeURIComponent(game)}`;
}

/** Why games cannot be played in this browser; null if they can. */
export const whyNotHere = obstacle();

let host: Promise<TabHost> | undefined;

function tab(): Promise<TabHost> {
  host ??= import("../tab/host.ts").then(({ TabHost }) => {
    const begin = () => new Worker(new URL("../tab/table.worker.ts", import.meta.url), { type: "module" });
    const progress = (_: string, share: number) => void (download.share = share >= 1 ? null : share);
    const claims = "BroadcastChannel" in globalThis ? (new BroadcastChannel("agon-games") as unknown as Claims) : null;
    return new TabHost(begin as never, document.baseURI, progress, ownName, claims);
  });
  return host;
}

function ownName(): string {
  return localStorage.getItem(NAME) ?? "";
}

let link: Connection | undefined;

/** The connection to the games of this browser. */
export function localConnection(): Connection {
  if (link) return link;
  link = new Connection({
    connect: () => new LateSocket(tab().then((found) => found.socket())),
    onstatus: () => undefined,
    onversion: () => undefined,
    onbuild: () => undefined,
    random: Math.random,
    newId: () => crypto.getRandomValues(new Uint32Array(4)).reduce((id, part) => id + part.toString(36), ""),
  });
  link.start();
  return link;
}

/** A socket that may still have to be loaded. */
class LateSocket implements Socket {
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: unknown }) => void) | null = null;
  onclose: (() => void) | null = null;

  constructor(private readonly socket: Promise<Socket>) {
    socket.then(
      (ready) => {
        ready.onopen = () => this.onopen?.();
        ready.onmessage = (event) => this.onmessage?.(event);
        ready.onclose = () => this.onclose?.();
      },
      () => this.onclose?.(),
    );
  }

  send(text: string): void {
    void this.socket.then((ready) => ready.send(text));
  }

  close(): void {
    void this.socket.then((ready) => ready.close());
  }
}

/** What a host for files has of what a server would answer. */
const FILES: readonly [RegExp, string][] = [
  [/^\/api\/v1\/catalogue$/, "catalogue/games.json"],
  [/^\/api\/v1\/catalogue\/([^/?]+)\/rules$/, "catalogue/$1/rules.json"],
  [/^\/api\/v1\/messages\/([^/?]+\/[^/?]+)$/, "catalogue/messages/$1.json"],
  [/^\/api\/v1\/studies$/, "catalogue/studies.json"],
  [/^\/api\/v1\/studies\/([^/?]+)$/, "catalogue/studies/$1.json"],
  [/^\/api\/v1\/studies\/([^/?]+\/files\/[^/?]+)$/, "catalogue/studies/$1"],
];

/** The address of a file on a host for files that answers a request; null if none does. */
export function fileFor(path: string): string | null {
  for (const [pattern, file] of FILES) if (pattern.test(path)) return path.replace(pattern, file);
  return null;
}

/** What this browser can answer itself. */
const ANSWERED = /^\/api\/v1\/(games|records|positions|features|analysis|tree|catalogue|me)(\/|\?|$)/;

/** Whether a request is about a game that is played here. */
function isOfLocal(path: string): boolean {
  const game = /^\/api\/v1\/games\/([^/?]+)/.exec(path)?.[1];
  return game !== undefined && isLocal(decodeURIComponent(game));
}

function json(value: unknown): Response {
  return new Response(JSON.stringify(value), { headers: { "content-type": "application/json" } });
}

async function answerHere(path: string, request: RequestInit | undefined): Promise<Response> {
  const method = request?.method ?? "GET";
  const body = typeof request?.body === "string" ? request.body : null;
  if (path === "/api/v1/me") {
    if (method === "PUT" && body !== null) localStorage.setItem(NAME, (JSON.parse(body) as { name: string }).name);
    return json({ name: ownName() });
  }
  const response = await (await tab()).answer(method, path, body);
  const opens = method === "POST" && /^\/api\/v1\/(games|records)$/.test(path);
  if (opens && response.ok) {
    const { id } = (await response.clone().json()) as { id: string };
    markLocal(id);
    localStorage.setItem(KEPT, "yes");
    // Asked for once there is something to lose; a browser that says no may still keep it.
    void (navigator.storage as Partial<StorageManager> | undefined)?.persist?.();
  }
  return response;
}

/** Asks whoever answers such a request: the server, this browser, or a file. */
export async function ask(path: string, request?: RequestInit): Promise<Response> {
  if (isStatic) {
    const file = fileFor(path);
    if (file !== null) return fetch(new URL(file, document.baseURI), request);
  }
  if (whyNotHere === null && (isStatic || isOfLocal(path))) return answerHere(path, request);
  if (isStatic) throw new TypeError("there is no server");
  try {
    return withLocal(path, await fetch(path, request));
  } catch (error) {
    // What is played on the server can be told by it alone.
    if (whyNotHere !== null || !ANSWERED.test(path) || /^\/api\/v1\/games\/./.test(path)) throw error;
    return answerHere(path, request);
  }
}

/** Adds the games that are kept in this browser to those of the server. */
async function withLocal(path: string, response: Response): Promise<Response> {
  const isOwn = path === "/api/v1/games?mine=true" && response.ok;
  if (!isOwn || whyNotHere !== null || localStorage.getItem(KEPT) === null) return response;
  const there = (await response.json()) as TableList;
  const here = (await (await answerHere(path, undefined)).json().catch(() => ({ games: [] }))) as TableList;
  for (const { id } of here.games) markLocal(id);
  return json({ ...there, games: [...there.games, ...here.games] });
}
