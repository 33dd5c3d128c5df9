// A network that goes dead without closing anything: connections stay open, new ones are taken, and nothing passes.
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";

export class StallingProxy {
  readonly #sockets = new Set<Socket>();

  private constructor(
    private readonly listener: Server,
    readonly url: string,
  ) {}

  /** Stands in front of the server at `target`. */
  static async before(target: string): Promise<StallingProxy> {
    const { hostname, port } = new URL(target);
    const listener = createServer();
    await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
    const proxy = new StallingProxy(listener, `http://127.0.0.1:${(listener.address() as AddressInfo).port}`);
    listener.on("connection", (near) => proxy.#join(near, connect(Number(port), hostname)));
    return proxy;
  }

  #isStalled = false;

  #join(near: Socket, far: Socket): void {
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      this.#sockets.add(from);
      from.pipe(to);
      from.on("error", () => to.destroy());
      from.on("close", () => {
        this.#sockets.delete(from);
        to.destroy();
      });
      if (this.#isStalled) from.pause();
    }
  }

  /** From now on nothing arrives on either side, and nothing says so. */
  stall(): void {
    this.#isStalled = true;
    for (const socket of this.#sockets) socket.pause();
  }

  /** What was sent meanwhile arrives, and all goes on. */
  resume(): void {
    this.#isStalled = false;
    for (const socket of this.#sockets) socket.resume();
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.listener.close(resolve));
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }
}
