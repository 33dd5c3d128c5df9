// A lobby for tests of components: a host, a guest, a bot and an open seat, to be changed where a test needs it.
import type { Answer, Connection, Request } from "../connection/connection.ts";
import { link } from "../connection/live.svelte.ts";
import { Lobby } from "../lobby/lobby.svelte.ts";
import type { LobbyInfo, LobbySeat, LobbyState, Terms } from "../protocol/types.ts";

export const TERMS: Terms = {
  clock: "5m+3s",
  leavers: "bot",
  grace: 60,
  interruption: 15,
  interruptions: 60,
  public: true,
  help: false,
  spectatorsChat: false,
};

export function lobbySeat(title: string, changes: Partial<LobbySeat> = {}): LobbySeat {
  return {
    title: { key: `seat.${title.toLowerCase()}`, text: title },
    styles: [],
    occupant: "open",
    name: "",
    program: false,
    host: false,
    here: false,
    ...changes,
  };
}

export function lobbyInfo(changes: Partial<LobbyInfo> = {}): LobbyInfo {
  return {
    id: "l",
    name: "Friday star",
    game: "chinese-checkers",
    options: "seats=g/y/r/p",
    mode: "single",
    seats: [
      lobbySeat("Green", { occupant: "human", name: "Dana", host: true, here: true }),
      lobbySeat("Yellow", { occupant: "human", name: "Noa", here: true }),
      lobbySeat("Red", { occupant: "hard", name: "hard", here: true }),
      lobbySeat("Purple"),
    ],
    shuffle: false,
    terms: TERMS,
    created: "",
    spectators: 0,
    ...changes,
  };
}

export function lobbyState(changes: Partial<LobbyState> = {}): LobbyState {
  return { lobby: lobbyInfo(), host: true, mine: [0], key: "k1", kept: 900, ...changes };
}

/** A visit to such a lobby. What is asked is kept; `answer` says how each request ends. */
export function visitLobby(
  state: LobbyState,
  answer: (request: Request) => Promise<Answer> = () => Promise.resolve({ type: "ack", id: "" }),
): { lobby: Lobby; asked: Request[] } {
  link.status = "open";
  const asked: Request[] = [];
  const ask = (request: Request) => {
    asked.push(request);
    return answer(request);
  };
  const connection = {
    follow: () => () => undefined,
    ask,
    act: (game: string, action: unknown) => ask({ type: "act", game, action } as Request),
  };
  const lobby = new Lobby(state.lobby.id, connection as unknown as Connection);
  lobby.table.receive({ type: "lobby", ...state });
  return { lobby, asked };
}
