import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import type { ClientMessage, ServerMessage } from "../protocol/types.ts";
import {
  type ArenaFollower,
  type ArenaMessage,
  Connection,
  type Follower,
  PROTOCOL,
  type Refusal,
  type Socket,
  type Status,
  type TableMessage,
} from "./connection.ts";

class FakeSocket implements Socket {
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: unknown }) => void) | null = null;
  onclose: (() => void) | null = null;
  readonly sent: ClientMessage[] = [];
  closed = false;

  send(text: string): void {
    this.sent.push(JSON.parse(text) as ClientMessage);
  }

  close(): void {
    this.closed = true;
  }

  /** Says something as the server. */
  say(message: ServerMessage): void {
    this.onmessage?.({ data: JSON.stringify(message) });
  }

  greet(build = "one"): void {
    this.onopen?.();
    this.say({ type: "welcome", protocol: PROTOCOL, build });
  }

  drop(): void {
    this.onclose?.();
  }

  of<T extends ClientMessage["type"]>(type: T): Extract<ClientMessage, { type: T }>[] {
    return this.sent.filter((message): message is Extract<ClientMessage, { type: T }> => message.type === type);
  }
}

class FakeFollower implements Follower {
  seq: number | null = null;
  timed = false;
  readonly got: TableMessage[] = [];
  refusal: Refusal | null = null;

  since(): number | null {
    return this.seq;
  }

  receive(message: TableMessage): boolean {
    if (message.type === "event") {
      if (message.from !== this.seq) return false;
      this.seq = message.seq;
    }
    this.got.push(message);
    return true;
  }

  refuse(refusal: Refusal): void {
    this.refusal = refusal;
  }

  isTimed(): boolean {
    return this.timed;
  }
}

class FakeArenaFollower implements ArenaFollower {
  readonly got: ArenaMessage[] = [];
  refusal: Refusal | null = null;

  receive(message: ArenaMessage): void {
    this.got.push(message);
  }

  refuse(refusal: Refusal): void {
    this.refusal = refusal;
  }
}

function update(from: number, seq: number): ServerMessage {
  return { type: "event", game: "t", from, seq, boards: [], paused: false, skipping: false, pace: 0, ranking: [] };
}

describe("the connection", () => {
  let sockets: FakeSocket[];
  let statuses: Status[];
  let versions: number;
  let builds: number;
  let connection: Connection;

  const last = () => sockets.at(-1) ?? new FakeSocket();

  beforeEach(() => {
    vi.useFakeTimers();
    sockets = [];
    statuses = [];
    versions = builds = 0;
    let ids = 0;
    connection = new Connection({
      connect: () => {
        const socket = new FakeSocket();
        sockets.push(socket);
        return socket;
      },
      onstatus: (status) => statuses.push(status),
      onversion: () => (versions += 1),
      onbuild: () => (builds += 1),
      random: () => 1,
      newId: () => `id${++ids}`,
    });
    connection.start();
  });

  afterEach(() => {
    vi.useRealTimers();
  });

  it("greets first and is open once it is welcomed", () => {
    last().onopen?.();
    expect(last().sent).toEqual([{ type: "hello", protocol: PROTOCOL }]);
    expect(connection.status).toBe("connecting");
    last().greet();
    expect(connection.status).toBe("open");
  });

  it("asks for a fresh page if the server speaks another version", () => {
    last().onopen?.();
    last().say({ type: "welcome", protocol: PROTOCOL + 1, build: "x" });
    expect(versions).toBe(1);
    last().say({ type: "error", id: null, code: "version", message: { key: "refused.version", text: "" } });
    expect(versions).toBe(2);
    expect(connection.status).toBe("connecting");
  });

  it("notices a newer app after a restart of the server", () => {
    last().greet("one");
    last().drop();
    vi.advanceTimersByTime(400);
    last().greet("two");
    expect(builds).toBe(1);
  });

  it("comes back with growing delays and says so", () => {
    last().greet();
    last().drop();
    expect(connection.status).toBe("reconnecting");
    for (const delay of [400, 800, 1600]) {
      vi.advanceTimersByTime(delay - 1);
      const before = sockets.length;
      vi.advanceTimersByTime(1);
      expect(sockets.length).toBe(before + 1);
      last().drop();
    }
    expect(connection.status).toBe("offline");
    for (let attempt = 0; attempt < 6; attempt += 1) {
      vi.advanceTimersByTime(15_000);
      last().drop();
    }
    vi.advanceTimersByTime(15_000);
    last().greet();
    expect(statuses).toEqual(["open", "reconnecting", "offline", "open"]);
  });

  it("does not wait when the browser is online again", () => {
    last().greet();
    last().drop();
    connection.hurry();
    expect(sockets.length).toBe(2);
    connection.hurry();
    expect(sockets.length).toBe(2);
  });

  it("sends what is pending again under its id, after the game is watched", async () => {
    const follower = new FakeFollower();
    last().greet();
    connection.follow("t", follower);
    const answer = connection.act("t", { do: "pause" });
    const [first] = last().of("act");
    last().drop();
    follower.seq = 7;
    vi.advanceTimersByTime(400);
    last().greet();
    expect(last().sent.map((message) => message.type)).toEqual(["hello", "watch", "act"]);
    expect(last().of("watch")[0]?.since).toBe(7);
    expect(last().of("act")[0]).toEqual(first);
    last().say({ type: "ack", id: first?.id ?? "", seq: 8 });
    await expect(answer).resolves.toEqual({ type: "ack", id: first?.id, seq: 8 });
    last().drop();
    vi.advanceTimersByTime(400);
    last().greet();
    expect(last().of("act")).toEqual([]);
  });

  it("keeps what is asked before it is open", () => {
    void connection.act("t", { do: "resume" });
    expect(last().sent).toEqual([]);
    last().greet();
    expect(last().of("act")).toHaveLength(1);
  });

  it("passes refusals on with their reason", async () => {
    last().greet();
    const answer = connection.act("t", { do: "resume" });
    const id = last().of("act")[0]?.id ?? "";
    last().say({
      type: "error",
      id,
      code: "state",
      message: { key: "refused.not-paused", text: "The game is not paused." },
    });
    await expect(answer).rejects.toMatchObject({ code: "state", message: "The game is not paused." });
  });

  it("tells followers what concerns them, and nobody once they have left", () => {
    const follower = new FakeFollower();
    last().greet();
    const leave = connection.follow("t", follower);
    last().say({ type: "watchers", game: "t", count: 2 });
    last().say({ type: "watchers", game: "other", count: 3 });
    expect(follower.got).toHaveLength(1);
    leave();
    expect(last().of("unwatch")).toHaveLength(1);
    last().say({ type: "watchers", game: "t", count: 4 });
    expect(follower.got).toHaveLength(1);
  });

  it("watches a game again, once, if something is missing", () => {
    const follower = new FakeFollower();
    follower.seq = 3;
    last().greet();
    connection.follow("t", follower);
    last().say({ type: "ack", id: last().of("watch")[0]?.id ?? "" });
    last().say(update(3, 4));
    expect(follower.seq).toBe(4);
    last().say(update(6, 7));
    last().say(update(7, 8));
    expect(
      last()
        .of("watch")
        .map(({ since }) => since),
    ).toEqual([3, 4]);
  });

  it("takes a whole state as the answer, so that a later gap is noticed", () => {
    const follower = new FakeFollower();
    last().greet();
    connection.follow("t", follower);
    last().say({ type: "state", game: "t", state: { seq: 5 } } as ServerMessage);
    follower.seq = 5;
    last().say(update(8, 9));
    expect(
      last()
        .of("watch")
        .map(({ since }) => since),
    ).toEqual([null, 5]);
  });

  it("says that a game cannot be followed", () => {
    const follower = new FakeFollower();
    last().greet();
    connection.follow("t", follower);
    const id = last().of("watch")[0]?.id ?? "";
    last().say({
      type: "error",
      id,
      code: "unknown",
      message: { key: "refused.unknown-table", text: "No game here." },
    });
    expect(follower.refusal?.code).toBe("unknown");
  });

  it("tells followers of a lobby about it and about the game that it becomes", () => {
    const follower = new FakeFollower();
    last().greet();
    connection.follow("t", follower);
    last().say({ type: "lobby", lobby: { id: "t" } } as ServerMessage);
    last().say({ type: "chat", game: "t", lines: [] });
    last().say({ type: "state", game: "t", state: {} } as ServerMessage);
    expect(follower.got.map(({ type }) => type)).toEqual(["lobby", "chat", "state"]);
  });

  it("follows the list of lobbies, after a break too, until nobody wants it", () => {
    const heard: string[] = [];
    last().greet();
    const leaveFirst = connection.followLobbies(({ lobbies }) => heard.push(`first ${lobbies.length}`));
    const leaveSecond = connection.followLobbies(({ lobbies }) => heard.push(`second ${lobbies.length}`));
    last().say({ type: "lobbies", reset: true, lobbies: [], gone: [] });
    expect(heard).toEqual(["first 0", "second 0"]);
    leaveFirst();
    expect(last().of("unwatch-lobbies")).toHaveLength(0);
    last().drop();
    vi.advanceTimersByTime(400);
    last().greet();
    expect(last().of("watch-lobbies")).toHaveLength(1);
    leaveSecond();
    expect(last().of("unwatch-lobbies")).toHaveLength(1);
  });

  it("follows the list of tournaments and single ones, after a break too, until they are left", () => {
    const [list, one] = [new FakeArenaFollower(), new FakeArenaFollower()];
    last().greet();
    const leaveList = connection.followArena(null, list);
    const leaveOne = connection.followArena("spring", one);
    expect(
      last()
        .of("watch-arena")
        .map(({ tournament }) => tournament),
    ).toEqual([null, "spring"]);
    last().say({ type: "arena", tournaments: [], more: false, uploads: false });
    last().say({ type: "tournament", tournament: "spring", state: {} } as ServerMessage);
    last().say({ type: "tournament", tournament: "autumn", state: {} } as ServerMessage);
    expect([list.got.length, one.got.length]).toEqual([1, 1]);
    leaveList();
    last().drop();
    vi.advanceTimersByTime(400);
    last().greet();
    expect(
      last()
        .of("watch-arena")
        .map(({ tournament }) => tournament),
    ).toEqual(["spring"]);
    leaveOne();
    expect(
      last()
        .of("unwatch-arena")
        .map(({ tournament }) => tournament),
    ).toEqual(["spring"]);
    last().say({ type: "tournament", tournament: "spring", state: {} } as ServerMessage);
    expect(one.got).toHaveLength(1);
  });

  it("says that a tournament does not exist, or no longer", () => {
    const [never, once] = [new FakeArenaFollower(), new FakeArenaFollower()];
    last().greet();
    connection.followArena("nothing", never);
    connection.followArena("spring", once);
    const [wrong, right] = last()
      .of("watch-arena")
      .map(({ id }) => id);
    last().say({
      type: "error",
      id: wrong ?? "",
      code: "unknown",
      message: { key: "refused.unknown", text: "No tournament here." },
    });
    last().say({ type: "ack", id: right ?? "" });
    expect([never.refusal?.code, once.refusal]).toEqual(["unknown", null]);
    last().say({ type: "gone", game: "spring", message: { key: "gone", text: "Removed." } });
    expect(once.refusal?.code).toBe("gone");
  });

  it("gives up a socket that has fallen silent", () => {
    last().greet();
    vi.advanceTimersByTime(20_000);
    expect(last().of("ping")).toHaveLength(1);
    const silent = last();
    vi.advanceTimersByTime(10_000);
    expect(silent.closed).toBe(true);
    expect(connection.status).toBe("reconnecting");
    silent.drop();
    vi.advanceTimersByTime(400);
    expect(sockets.length).toBe(2);
  });

  it("notices a dead network within 5 s where clocks run", () => {
    const follower = new FakeFollower();
    last().greet();
    connection.follow("t", follower);
    follower.timed = true;
    last().say({ type: "state", game: "t", state: {} } as ServerMessage);
    for (let pings = 1; pings <= 10; pings += 1) {
      vi.advanceTimersByTime(2_000);
      expect(last().of("ping")).toHaveLength(pings);
      last().say({ type: "ack", id: last().of("ping").at(-1)?.id ?? "" });
    }
    const silent = last();
    vi.advanceTimersByTime(5_000);
    expect([connection.status, silent.closed]).toEqual(["reconnecting", true]);
    // The next attempt is not waited for much longer either.
    const attempt = last();
    expect(attempt).not.toBe(silent);
    vi.advanceTimersByTime(5_000);
    expect(attempt.closed).toBe(true);
  });

  it("asks more often as soon as a clock runs, and less often once none does", () => {
    const follower = new FakeFollower();
    last().greet();
    connection.follow("t", follower);
    vi.advanceTimersByTime(10_000);
    expect(last().of("ping")).toHaveLength(0);
    const receive = follower.receive.bind(follower);
    const became = (timed: boolean) => {
      follower.receive = (message) => {
        follower.timed = timed;
        return receive(message);
      };
      last().say({ type: "state", game: "t", state: {} } as ServerMessage);
    };
    became(true);
    vi.advanceTimersByTime(2_000);
    expect(last().of("ping")).toHaveLength(1);
    became(false);
    vi.advanceTimersByTime(19_999);
    expect(last().of("ping")).toHaveLength(1);
  });

  it("notices within 5 s that a move is not answered, with or without a clock", () => {
    last().greet();
    connection.follow("t", new FakeFollower());
    void connection.ask({ type: "move", game: "t", board: 0, ply: 0, typed: false, move: "d3" });
    vi.advanceTimersByTime(5_000);
    expect(connection.status).toBe("reconnecting");
    last().greet();
    expect(last().of("move")).toHaveLength(1);
    last().say({ type: "ack", id: last().of("move")[0]?.id ?? "", seq: 1 });
    vi.advanceTimersByTime(19_000);
    expect(connection.status).toBe("open");
  });

  it("gives up a server that never greets", () => {
    vi.advanceTimersByTime(10_000);
    expect(last().closed).toBe(true);
    expect(connection.status).toBe("reconnecting");
  });

  it("keeps a socket on which something arrives", () => {
    last().greet();
    for (let second = 0; second < 60; second += 10) {
      vi.advanceTimersByTime(10_000);
      last().say({ type: "watchers", game: "x", count: 1 });
    }
    expect(sockets.length).toBe(1);
  });

  it("ignores what cannot be read", () => {
    last().greet();
    last().onmessage?.({ data: "{" });
    last().onmessage?.({ data: new ArrayBuffer(1) });
    expect(connection.status).toBe("open");
  });
});
