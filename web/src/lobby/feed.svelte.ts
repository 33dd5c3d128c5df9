// The list of open lobbies, as it changes.
import type { Connection, LobbiesMessage } from "../connection/connection.ts";
import type { LobbyInfo } from "../protocol/types.ts";

export class LobbyFeed {
  /** The newest first; null until the server has told them. */
  lobbies = $state.raw<readonly LobbyInfo[] | null>(null);
  readonly close: () => void;

  constructor(connection: Connection) {
    this.close = connection.followLobbies((message) => (this.lobbies = applyLobbies(this.lobbies ?? [], message)));
  }
}

/** The list after a message: what has changed takes its old place, and what is new comes first. */
export function applyLobbies(known: readonly LobbyInfo[], message: LobbiesMessage): readonly LobbyInfo[] {
  if (message.reset) return message.lobbies;
  const changed = new Map(message.lobbies.map((lobby) => [lobby.id, lobby]));
  const kept = known
    .filter(({ id }) => !message.gone.includes(id))
    .map((lobby) => {
      const now = changed.get(lobby.id);
      changed.delete(lobby.id);
      return now ?? lobby;
    });
  return [...[...changed.values()].reverse(), ...kept];
}
