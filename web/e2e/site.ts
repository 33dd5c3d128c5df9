// The exported site as any web host would serve it: files below a folder of the host, and nothing else.
import { execFileSync } from "node:child_process";
import { readFile, rm, stat } from "node:fs/promises";
import { createServer, type Server as HttpServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { extname, join, normalize } from "node:path";

/** Where on the host the site lies. */
export const FOLDER = "/school/agon/";

const TYPES: Record<string, string> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
  ".json": "application/json",
  ".png": "image/png",
  ".wasm": "application/wasm",
};

export class Site {
  /** What was asked for that is not there, and whatever is no file. */
  readonly misses: string[] = [];
  requests = 0;

  private constructor(
    private readonly folder: string,
    private readonly server: HttpServer,
  ) {}

  /** Exports the site with the program and serves it. */
  static async start(program: string): Promise<Site> {
    const folder = join(tmpdir(), `agon-site-${process.pid}`);
    await rm(folder, { recursive: true, force: true });
    execFileSync(program, ["export-site", folder], { stdio: "ignore" });
    const server = createServer();
    const site = new Site(folder, server);
    server.on("request", (request, response) => {
      site.requests += 1;
      void site.#answer(request.url ?? "/").then(({ status, type, body, location }) => {
        response.writeHead(status, { "content-type": type, ...(location ? { location } : {}) });
        response.end(body);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return site;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async #answer(url: string): Promise<{ status: number; type: string; body: Buffer | string; location?: string }> {
    const { pathname, search } = new URL(url, "http://host");
    const missing = { status: 404, type: "text/plain", body: "not found" };
    if (!pathname.startsWith(FOLDER)) return (this.misses.push(url), missing);
    const path = join(this.folder, normalize(decodeURIComponent(pathname.slice(FOLDER.length))));
    const found = await stat(path).catch(() => null);
    if (!found) return (this.misses.push(url), missing);
    if (found.isDirectory() && !pathname.endsWith("/"))
      return { status: 301, type: "text/plain", body: "", location: `${pathname}/${search}` };
    const file = found.isDirectory() ? join(path, "index.html") : path;
    const body = await readFile(file).catch(() => null);
    if (!body) return (this.misses.push(url), missing);
    return { status: 200, type: TYPES[extname(file)] ?? "application/octet-stream", body };
  }

  /** Nobody can be reached any more. */
  cut(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  async stop(): Promise<void> {
    this.cut();
    await rm(this.folder, { recursive: true, force: true });
  }
}
