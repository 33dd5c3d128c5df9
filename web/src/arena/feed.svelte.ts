// The list of tournaments, and one tournament, as they change.
import type { ArenaFollower, ArenaMessage, Connection, Refusal } from "../connection/connection.ts";
import type { Tournament, TournamentList } from "../protocol/types.ts";

export class ArenaFeed implements ArenaFollower {
  /** What the server shows; null until it has said so. */
  list = $state.raw<TournamentList | null>(null);
  readonly close: () => void;

  constructor(connection: Connection) {
    this.close = connection.followArena(null, this);
  }

  receive(message: ArenaMessage): void {
    if (message.type === "arena") this.list = message;
  }

  refuse(): void {
    this.list ??= { tournaments: [], more: false, uploads: false };
  }
}

export class TournamentFeed implements ArenaFollower {
  state = $state.raw<Tournament | null>(null);
  /** Why there is nothing to follow. */
  refusal = $state.raw<Refusal | null>(null);
  readonly close: () => void;

  constructor(
    readonly id: string,
    connection: Connection,
  ) {
    this.close = connection.followArena(id, this);
  }

  receive(message: ArenaMessage): void {
    if (message.type !== "tournament") return;
    this.state = message.state;
    this.refusal = null;
  }

  refuse(refusal: Refusal): void {
    this.refusal = refusal;
  }
}
