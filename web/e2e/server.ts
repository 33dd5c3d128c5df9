// A server of our own for the tests: the program itself, on a free port, with data that nobody else has.
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const READY = /Agon is at (http:\/\/\S+)/;
const READY_WITHIN = 20_000;

export class Server {
  #child: ChildProcess | null = null;
  #port = "0";

  private constructor(
    private readonly program: string,
    readonly data: string,
    private readonly flags: readonly string[],
  ) {}

  static async start(program: string, flags: readonly string[] = []): Promise<Server> {
    const server = new Server(program, await mkdtemp(join(tmpdir(), "agon-e2e-")), flags);
    await server.run();
    return server;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** Starts the program, on the port that it had before if it ran already. */
  async run(): Promise<void> {
    const child = spawn(
      this.program,
      ["serve", "--listen", `127.0.0.1:${this.#port}`, "--data", this.data, ...this.flags],
      { stdio: ["ignore", "pipe", "pipe"] },
    );
    this.#child = child;
    const url = await new Promise<string>((resolve, reject) => {
      let said = "";
      const timer = setTimeout(() => reject(new Error(`the server is not ready: ${said}`)), READY_WITHIN);
      const read = (chunk: Buffer) => {
        said += chunk.toString();
        const found = READY.exec(said)?.[1];
        if (!found) return;
        clearTimeout(timer);
        resolve(found);
      };
      child.stdout?.on("data", read);
      child.stderr?.on("data", read);
      child.once("exit", (code) => reject(new Error(`the server ended with ${code}: ${said}`)));
    });
    this.#port = new URL(url).port;
  }

  /** Ends the program without a warning, as a power cut would. */
  async kill(): Promise<void> {
    const child = this.#child;
    if (!child) return;
    this.#child = null;
    const ended = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGKILL");
    await ended;
  }

  async stop(): Promise<void> {
    await this.kill();
    await rm(this.data, { recursive: true, force: true });
  }
}
