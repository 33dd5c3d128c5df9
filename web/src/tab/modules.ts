// The modules that play in the browser: which there are, whether this browser can run them, and how they are loaded.

/** What a game plays with in the browser. */
export interface ModuleFiles {
  /** Its module, a file below `modules/`. */
  module: string;
  bytes: number;
  /** What its bots judge by, a file below `weights/`; null if they need none. */
  weights: { file: string; bytes: number; sha256: string } | null;
}

// Nothing is found where the modules were not built: the server plays then.
const built = import.meta.glob<Record<string, ModuleFiles>>("../../modules/index.json", {
  eager: true,
  import: "default",
});

export const MODULES: Readonly<Record<string, ModuleFiles>> = Object.values(built)[0] ?? {};

/** A module with one instruction on vectors, which older browsers do not know. */
const WITH_VECTORS = new Uint8Array([
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11,
]);

/** Why games cannot be played in this browser; null if they can. */
export type Obstacle = "no-modules" | "no-webassembly" | "no-vectors" | "no-storage" | "no-workers";

export function obstacle(modules: Readonly<Record<string, unknown>> = MODULES): Obstacle | null {
  // The types say that all of these are always there.
  const around = globalThis as Partial<typeof globalThis>;
  if (Object.keys(modules).length === 0) return "no-modules";
  if (!around.WebAssembly) return "no-webassembly";
  if (!WebAssembly.validate(WITH_VECTORS)) return "no-vectors";
  if (!around.Worker) return "no-workers";
  return around.indexedDB ? null : "no-storage";
}

/** How much of a file has arrived, 0 to 1. */
export type Progress = (share: number) => void;

/** A module, compiled while it arrives. */
export async function compile(base: string, files: ModuleFiles): Promise<WebAssembly.Module> {
  const response = await fetched(new URL(`modules/${files.module}`, base));
  // A host that does not know the type of such files must not keep them from being used.
  if (response.headers.get("content-type")?.startsWith("application/wasm"))
    return WebAssembly.compileStreaming(response);
  return WebAssembly.compile(await response.arrayBuffer());
}

/** What a game's bots judge by, checked to be what the module was built with. */
export async function fetchWeights(base: string, files: ModuleFiles, progress: Progress): Promise<Uint8Array | null> {
  const { weights } = files;
  if (!weights) return null;
  const response = await fetched(new URL(`weights/${weights.file}`, base));
  const bytes = await readAll(response, weights.bytes, progress);
  if (!(await isWhole(bytes, weights.sha256))) throw new Error(`${weights.file} is damaged`);
  return bytes;
}

async function fetched(url: URL): Promise<Response> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url.pathname}: ${response.status}`);
  return response;
}

async function readAll(response: Response, length: number, progress: Progress): Promise<Uint8Array> {
  const bytes = new Uint8Array(length);
  const reader = response.body?.getReader();
  if (!reader) return new Uint8Array(await response.arrayBuffer());
  let at = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    if (at + value.length > length) throw new Error("the file is longer than announced");
    bytes.set(value, at);
    at += value.length;
    progress(at / length);
  }
  return bytes.subarray(0, at);
}

/** Whether the bytes have this SHA-256. Over plain http browsers cannot tell; the module checks too. */
async function isWhole(bytes: Uint8Array, sha256: string): Promise<boolean> {
  const subtle = (globalThis.crypto as Partial<Crypto>).subtle;
  if (!subtle) return true;
  const hash = new Uint8Array(await subtle.digest("SHA-256", bytes as BufferSource));
  return [...hash].map((byte) => byte.toString(16).padStart(2, "0")).join("") === sha256;
}
