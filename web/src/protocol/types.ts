/* Made from schema.json by npm run types. Do not edit. */

/**
 * What is filled into a text.
 */
export type Value = number | string | Message;
/**
 * How a seat has done in a game.
 */
export type SeatResult = "win" | "draw" | "loss" | "technical-win" | "technical-loss";
/**
 * How far a tournament has come.
 */
export type TournamentState = "running" | "stopped" | "finished" | "damaged";
/**
 * A message of a browser. Its `id` is chosen by the browser and comes back with the answer.
 */
export type ClientMessage =
  | {
      /**
       * The version that the page speaks, [`PROTOCOL`](super::PROTOCOL).
       */
      protocol: number;
      type: "hello";
    }
  | {
      /**
       * The game.
       */
      game: string;
      /**
       * Names the message.
       */
      id: string;
      /**
       * The number of the last event that the page knows.
       */
      since?: number | null;
      type: "watch";
    }
  | {
      /**
       * The game.
       */
      game: string;
      /**
       * Names the message.
       */
      id: string;
      type: "unwatch";
    }
  | {
      /**
       * The board, from 0.
       */
      board: number;
      /**
       * The game.
       */
      game: string;
      /**
       * The gesture that means the move, instead of the move. It is refused if it means several.
       */
      gesture?: Gesture | null;
      /**
       * Names the message. A move that is sent again under its name is made only once.
       */
      id: string;
      /**
       * The move; left out if it is made by a gesture.
       */
      move?: string | null;
      /**
       * How many plies the sender knows of; the move is refused if others have been played meanwhile.
       */
      ply: number;
      type: "move";
      /**
       * Whether a person has typed it, in whatever way people write moves.
       */
      typed: boolean;
    }
  | {
      /**
       * What.
       */
      action: ClientAction;
      /**
       * The game.
       */
      game: string;
      /**
       * Names the message. An action that is sent again under its name is done only once.
       */
      id: string;
      type: "act";
    }
  | {
      /**
       * The board, from 0.
       */
      board: number;
      /**
       * The game.
       */
      game: string;
      /**
       * The gesture.
       */
      gesture: Gesture;
      /**
       * Names the message.
       */
      id: string;
      type: "explain";
    }
  | {
      /**
       * The board, from 0.
       */
      board: number;
      /**
       * The game.
       */
      game: string;
      /**
       * Names the message.
       */
      id: string;
      /**
       * How many plies had been played.
       */
      ply: number;
      type: "look";
    }
  | {
      /**
       * The board, from 0.
       */
      board: number;
      /**
       * The game.
       */
      game: string;
      /**
       * Names the message.
       */
      id: string;
      type: "hint";
    }
  | {
      /**
       * Names the message.
       */
      id: string;
      type: "watch-lobbies";
    }
  | {
      /**
       * Names the message.
       */
      id: string;
      type: "unwatch-lobbies";
    }
  | {
      /**
       * Names the message.
       */
      id: string;
      /**
       * The tournament; the list if left out.
       */
      tournament?: string | null;
      type: "watch-arena";
    }
  | {
      /**
       * Names the message.
       */
      id: string;
      /**
       * The tournament; the list if left out.
       */
      tournament?: string | null;
      type: "unwatch-arena";
    }
  | {
      /**
       * Names the message.
       */
      id: string;
      type: "ping";
    };
/**
 * How somebody makes a move without writing it.
 */
export type Gesture =
  | {
      kind: "point";
      /**
       * The places, in order.
       */
      places: Spot[];
    }
  | {
      /**
       * That cell.
       */
      corner: Spot;
      kind: "turn";
    }
  | {
      /**
       * Where to.
       */
      heading: Heading;
      kind: "slide";
    };
/**
 * A place on the board: row and column of its grid, from 0 at the top left. Browsers get it as `[row, column]`, because most of what
 * they are told is places.
 *
 * @minItems 2
 * @maxItems 2
 */
export type Spot = [number, number];
/**
 * Where a slide of the whole board goes.
 */
export type Heading = "left" | "right" | "up" | "down";
/**
 * What the people in a game can do besides moving.
 */
export type ClientAction =
  | {
      /**
       * The board, from 0.
       */
      board: number;
      do: "take-back";
    }
  | {
      /**
       * Whether to agree.
       */
      accept: boolean;
      do: "answer-take-back";
    }
  | {
      /**
       * The board, from 0.
       */
      board: number;
      do: "resign";
    }
  | {
      do: "offer-draw";
    }
  | {
      /**
       * Whether to accept.
       */
      accept: boolean;
      do: "answer-draw";
    }
  | {
      do: "pause";
    }
  | {
      do: "resume";
    }
  | {
      do: "step";
    }
  | {
      do: "pace";
      /**
       * In milliseconds.
       */
      millis: number;
    }
  | {
      do: "skip";
    }
  | {
      do: "seat";
      /**
       * Who plays.
       */
      occupant: string;
      /**
       * The seat, from 0.
       */
      seat: number;
    }
  | {
      do: "sit";
      /**
       * The key of the link, where the lobby is not public.
       */
      key?: string | null;
      /**
       * By which name. In a private lobby it may be empty: whoever has the link is a guest.
       */
      name: string;
      /**
       * Whether a program plays, which is shown as a bot.
       */
      program: boolean;
      /**
       * The seat, from 0.
       */
      seat: number;
    }
  | {
      do: "leave";
    }
  | {
      do: "remove";
      /**
       * The seat, from 0.
       */
      seat: number;
    }
  | {
      do: "say";
      /**
       * By which name somebody speaks who looks on; others go by the names of their seats.
       */
      name?: string | null;
      /**
       * What: 1 to 300 characters of plain text.
       */
      text: string;
    }
  | {
      do: "mute";
      /**
       * Whether to hear no more.
       */
      muted: boolean;
      /**
       * The seat, from 0.
       */
      seat: number;
    }
  | {
      /**
       * What.
       */
      choice: AbsenceChoice;
      do: "decide-absence";
    }
  | {
      /**
       * Whether to.
       */
      accept: boolean;
      do: "rematch";
    }
  | {
      do: "hand-over";
      /**
       * The seat, from 0.
       */
      seat: number;
    };
/**
 * What a player wants to become of the seats of those who have been away for too long. It happens once all who are present want it.
 */
export type AbsenceChoice = "wait" | "bot" | "end";
/**
 * Where pickers show a bot.
 */
export type BotGroup = "level" | "original" | "algorithm";
/**
 * The values that an option takes.
 */
export type OptionInfoKind =
  | {
      kind: "integer";
      /**
       * The largest.
       */
      max: number;
      /**
       * The smallest.
       */
      min: number;
      /**
       * Whether it may be `off` too.
       */
      off: boolean;
      /**
       * What it must be a multiple of.
       */
      step: number;
    }
  | {
      kind: "choice";
      /**
       * The words.
       */
      words: string[];
    }
  | {
      kind: "switch";
    }
  | {
      /**
       * What it must look like.
       */
      expected: string;
      kind: "text";
      /**
       * Usual values.
       */
      suggestions: string[];
    };
/**
 * A seat at the board, counted from 0 in playing order.
 */
export type Player = number;
/**
 * How cells lie to one another.
 */
export type Layout = "squares" | "star" | "tiles";
/**
 * One change that a move makes.
 */
export type Effect =
  | {
      /**
       * Where.
       */
      at: Spot;
      kind: "place";
      /**
       * What.
       */
      piece: Piece;
    }
  | {
      /**
       * Where it stood.
       */
      from: Spot;
      kind: "move";
      /**
       * Where it stands.
       */
      to: Spot;
    }
  | {
      kind: "flip";
      /**
       * What each becomes; left out of legal moves as browsers get them, to keep messages short.
       */
      piece?: Piece | null;
      /**
       * Where, in the order in which they do.
       */
      spots: Spot[];
    }
  | {
      /**
       * Where it stood.
       */
      at: Spot;
      kind: "remove";
    }
  | {
      /**
       * Its top left cell.
       */
      corner: Spot;
      kind: "turn";
    }
  | {
      /**
       * Where it was.
       */
      from: Spot;
      kind: "slide";
      /**
       * Where it is.
       */
      to: Spot;
    }
  | {
      /**
       * Where it was.
       */
      from: Spot;
      kind: "merge";
      /**
       * What they become.
       */
      piece: Piece;
      /**
       * Where both are now.
       */
      to: Spot;
    };
/**
 * What kind of move a step is, hence how somebody points at it.
 */
export type StepKind = "place" | "move" | "pass" | "turn" | "slide" | "appear";
/**
 * In what way a game has ended.
 */
export type EndKind = "won" | "drawn" | "lost" | "forfeit" | "aborted";
/**
 * What is offered or asked for.
 */
export type OfferKind = "draw" | "take-back";
/**
 * What becomes of the seat of somebody who leaves a running game.
 */
export type Leavers = "bot" | "resign" | "ask";
/**
 * How a ground or a piece is drawn: hints that need no knowledge of the game.
 */
export type Style = {
  /**
   * The colour by its role, which a theme knows; `None` for that of the surface.
   */
  colour: string | null;
  /**
   * The letter by which positions name it; `None` for what they do not name by a letter.
   */
  letter: string | null;
  /**
   * The key of the message that names it: "castle", "white disc".
   */
  name: string;
  /**
   * What else sets it apart.
   */
  ornament: Ornament | null;
  /**
   * What is drawn on it so that it is known without its colour.
   */
  sign: Sign | null;
  /**
   * By what cells and pieces refer to it.
   */
  token: string;
} & Style1;
/**
 * What sets a piece or a ground apart from its like.
 */
export type Ornament = "crown" | "frame";
/**
 * What is drawn on a piece.
 */
export type Sign = "triangle" | "ring" | "bar" | "cross" | "diamond" | "two-bars";
export type Style1 =
  | {
      ground: Pattern;
    }
  | {
      piece: Shape;
    };
/**
 * How a ground is told from plain ones.
 */
export type Pattern = "hatched" | "crossed" | "chevron" | "outlined";
/**
 * The outline of a piece.
 */
export type Shape = "disc" | "marble" | "tile";
/**
 * What an invitation is good for.
 */
export type InvitationKind = "lobby" | "seat";
/**
 * How the boards of a game belong together.
 */
export type TableMode = "single" | "race" | "in-turn";
/**
 * What decides a race.
 */
export type Goal =
  | {
      kind: "score";
    }
  | {
      kind: "moves";
      /**
       * How many.
       */
      moves: number;
    }
  | {
      kind: "time";
      /**
       * How long, in seconds.
       */
      seconds: number;
    };
/**
 * What it costs an agent to print anything but its answers.
 */
export type Printing = "warn" | "loss" | "disqualify";
/**
 * Why a message was refused, for programs.
 */
export type RefusalCode =
  | "malformed"
  | "too-large"
  | "too-fast"
  | "version"
  | "unknown"
  | "forbidden"
  | "disabled"
  | "not-your-turn"
  | "stale"
  | "illegal"
  | "state"
  | "invalid"
  | "taken"
  | "full"
  | "gone"
  | "started"
  | "limit"
  | "storage"
  | "stopping";
/**
 * How much a move gave away.
 */
export type FaultMark = "dubious" | "mistake" | "blunder";
/**
 * A message of the server.
 */
export type ServerMessage =
  | {
      /**
       * The build of the server's web app. A page of another build should load itself anew when it is convenient.
       */
      build: string;
      /**
       * The version that the server speaks.
       */
      protocol: number;
      type: "welcome";
    }
  | {
      /**
       * The message that is answered.
       */
      id: string;
      /**
       * The number of the last event that it led to.
       */
      seq?: number | null;
      type: "ack";
    }
  | {
      /**
       * Why, for programs.
       */
      code: RefusalCode;
      /**
       * The field of the message that is wrong, where one is.
       */
      field?: string | null;
      /**
       * The message that is answered; `null` if it could not be read so far.
       */
      id: string | null;
      /**
       * Why, for people.
       */
      message: Message;
      type: "error";
    }
  | {
      /**
       * The game.
       */
      game: string;
      /**
       * How it stands.
       */
      state: TableState;
      type: "state";
    }
  | (Update & {
      type: "event";
    })
  | {
      /**
       * The same in figures. Moves, clocks and offers are left out.
       */
      facts: BoardFacts;
      /**
       * The message that is answered.
       */
      id: string;
      /**
       * The board.
       */
      picture: BoardPicture;
      /**
       * After how many plies.
       */
      ply: number;
      type: "looked";
    }
  | {
      /**
       * The message that is answered.
       */
      id: string;
      /**
       * Why; `null` if it is one.
       */
      message: Message | null;
      type: "explained";
    }
  | {
      /**
       * The message that is answered.
       */
      id: string;
      /**
       * After how many plies it is to be played.
       */
      ply: number;
      /**
       * What it is worth to the player to move.
       */
      score: ScoreState | null;
      /**
       * The move.
       */
      token: string;
      type: "hinted";
    }
  | (Thinking & {
      type: "thinking";
    })
  | {
      /**
       * The board, from 0.
       */
      board: number;
      /**
       * The game.
       */
      game: string;
      /**
       * Its place in the line, from 1; 0 once it is its turn.
       */
      place: number;
      type: "waiting";
    }
  | {
      /**
       * How many.
       */
      count: number;
      /**
       * The game.
       */
      game: string;
      type: "watchers";
    }
  | (LobbyState & {
      type: "lobby";
    })
  | {
      /**
       * The ids of those that have started, filled up beyond joining, or closed.
       */
      gone: string[];
      /**
       * Lobbies that are new or have changed.
       */
      lobbies: LobbyInfo[];
      /**
       * Whether this is the beginning of the whole list: forget what you know.
       */
      reset: boolean;
      type: "lobbies";
    }
  | {
      /**
       * The lobby or tournament.
       */
      game: string;
      /**
       * Why.
       */
      message: Message;
      type: "gone";
    }
  | {
      /**
       * The lobby or game.
       */
      game: string;
      /**
       * What.
       */
      message: Message;
      type: "notice";
    }
  | {
      /**
       * The game.
       */
      game: string;
      /**
       * One for each seat; `null` where no person plays.
       */
      seats: (Presence | null)[];
      /**
       * How many browsers look on that hold no seat.
       */
      spectators: number;
      type: "presence";
    }
  | {
      /**
       * The lobby or game.
       */
      game: string;
      /**
       * The lines, oldest first.
       */
      lines: ChatLine[];
      type: "chat";
    }
  | {
      /**
       * The game that is over.
       */
      game: string;
      /**
       * Who, and where.
       */
      rematch: RematchState;
      type: "rematch";
    }
  | (TournamentList & {
      type: "arena";
    })
  | {
      /**
       * How it stands.
       */
      state: Tournament;
      /**
       * Its id.
       */
      tournament: string;
      type: "tournament";
    }
  | {
      /**
       * The message that is answered.
       */
      id: string;
      /**
       * The key.
       */
      key: string;
      type: "link";
    };
/**
 * What a comparison says about strength.
 */
export type StudyVerdict = "stronger" | "weaker" | "open";
/**
 * How far a study has come.
 */
export type StudyState = "running" | "stopped" | "finished" | "damaged";
/**
 * The tree of a search.
 */
export type SearchTree =
  | (WindowTree & {
      kind: "window";
    })
  | (PlayoutTree & {
      kind: "playouts";
    });
/**
 * How a value that is not exact relates to the true one.
 */
export type TreeBound = "lower" | "upper";
/**
 * What became of a node or branch.
 */
export type TreeFate =
  | "searched"
  | "cut"
  | "over"
  | "repetition"
  | "leaf"
  | "table"
  | "foreseen"
  | "null-move"
  | "predicted"
  | "multi-cut"
  | "pruned-by-cut"
  | "pruned-early"
  | "pruned-as-futile"
  | "pruned-by-looks"
  | "pruned-by-rule"
  | "symmetric";
/**
 * Why a search visits a node, other than to find its value.
 */
export type TreePurpose = "scout" | "reduced" | "again" | "null-move" | "prediction" | "multi-cut" | "ordering";
/**
 * What happens at a node.
 */
export type TreeEvent = "enter" | "judge" | "table" | "raise" | "cut" | "leave";

/**
 * What server and browsers say to one another.
 */
export interface Protocol {
  AnalysisQuestion?: AnalysisQuestion;
  ArenaDesk?: ArenaDesk;
  AuthorKeys?: AuthorKeys;
  AuthorPage?: AuthorPage;
  ClientMessage?: ClientMessage;
  FeatureAnswer?: FeatureAnswer;
  FeatureQuestion?: FeatureQuestion;
  GameInfo?: GameInfo;
  Health?: Health;
  Invitation?: Invitation;
  LobbyList?: LobbyList;
  LobbyState?: LobbyState;
  Me?: Me;
  NewLobby?: NewLobby;
  NewTable?: NewTable;
  NewTournament?: NewTournament;
  Opened?: Opened;
  PlyList?: PlyList;
  PositionAnswer?: PositionAnswer;
  PositionRequest?: PositionRequest;
  Problem?: Problem;
  QrCode?: QrCode;
  ReviewPart?: ReviewPart;
  RulePicture?: RulePicture;
  ServerMessage?: ServerMessage;
  Statistics?: Statistics;
  Study?: Study;
  StudyList?: StudyList;
  TableList?: TableList;
  Tournament?: Tournament;
  TournamentGames?: TournamentGames;
  TournamentList?: TournamentList;
  TreeAnswer?: TreeAnswer;
  TreeQuestion?: TreeQuestion;
  UploadedAgent?: UploadedAgent;
  version?: 7;
}
/**
 * A position that a bot is to think about.
 */
export interface AnalysisQuestion {
  /**
   * The specification of the bot; our best one if left out.
   */
  bot: string | null;
  /**
   * The game's name.
   */
  game: string;
  /**
   * How long it thinks, in milliseconds; a second if left out.
   */
  millis: number | null;
  /**
   * Moves that are made from there.
   */
  moves: string[];
  /**
   * Its options.
   */
  options: string;
  /**
   * The position; the usual start if left out.
   */
  position: string | null;
}
/**
 * What a teacher can work with.
 */
export interface ArenaDesk {
  /**
   * The agents that have been uploaded, by name.
   */
  agents: UploadedAgent[];
  /**
   * The interpreters by which agents can be run.
   */
  interpreters: Interpreter[];
  /**
   * The largest upload, in bytes.
   */
  maxUpload: number;
  /**
   * The id of the tournament started here that is being played; `null` if none is. One runs at a time.
   */
  running: string | null;
  /**
   * Whether agents can be uploaded and tournaments started here (`--arena-uploads`).
   */
  uploads: boolean;
}
/**
 * An agent that was uploaded.
 */
export interface UploadedAgent {
  /**
   * The size of all files, in bytes.
   */
  bytes: number;
  /**
   * The file that the interpreter is given.
   */
  file: string;
  /**
   * The number of files.
   */
  files: number;
  /**
   * The interpreter that runs it.
   */
  interpreter: string;
  /**
   * The name of the player that it becomes.
   */
  name: string;
  /**
   * When it was uploaded.
   */
  uploaded: string;
}
/**
 * An interpreter by which agents can be run.
 */
export interface Interpreter {
  /**
   * How files that it runs end, such as `.py`.
   */
  endings: string[];
  /**
   * Its name, such as `python3`.
   */
  name: string;
}
/**
 * The keys of the authors of a tournament, for the teacher to hand out. Each author's page is `/arena/ID/KEY`.
 */
export interface AuthorKeys {
  /**
   * One for each player that is a program, in the order of the table.
   */
  keys: AuthorKey[];
}
/**
 * The key of an author.
 */
export interface AuthorKey {
  /**
   * The key.
   */
  key: string;
  /**
   * The player's name.
   */
  player: string;
}
/**
 * What the author of a player sees, and nobody else.
 */
export interface AuthorPage {
  /**
   * The player's games, latest first; at most [`MAX_AUTHOR_GAMES`].
   */
  games: AuthorGame[];
  /**
   * The number of the player's games that have ended.
   */
  gamesCount: number;
  /**
   * The author's line in the table.
   */
  standing: Standing;
  /**
   * The tournament.
   */
  tournament: TournamentSummary;
  /**
   * What has cost the player games, in plain words.
   */
  verdicts: Verdict[];
  /**
   * Lines printed against the protocol where the tournament only counts them.
   */
  warnings: number;
}
/**
 * A game as the author of one of its players sees it.
 */
export interface AuthorGame {
  /**
   * The game.
   */
  game: TournamentGame;
  /**
   * The size of what the player's program wrote, in bytes; it can be had at `/api/v1/arena/ID/authors/KEY/logs/NUMBER`. Left out if there is no log.
   */
  log?: number | null;
  /**
   * The author's seat, from 0.
   */
  seat: number;
}
/**
 * A game of a tournament.
 */
export interface TournamentGame {
  /**
   * The game's name, such as `othello`.
   */
  game: string;
  /**
   * Its name in links (`/game/ID`), in `watch` and in `/api/v1/games/ID`; `null` if it was not played, because a player had been disqualified.
   */
  id: string | null;
  /**
   * Its number, from 1.
   */
  number: number;
  /**
   * All its options.
   */
  options: string;
  /**
   * Who plays, in turn order.
   */
  players: string[];
  /**
   * How it ended; left out while it is played.
   */
  result?: TournamentResult | null;
  /**
   * The round it belongs to, from 1.
   */
  round: number;
}
/**
 * How a game of a tournament ended.
 */
export interface TournamentResult {
  /**
   * What exactly happened if it ended by an offence, in English; may be empty.
   */
  detail: string;
  /**
   * The offence in a word if it ended by one, as [`TechnicalLoss::fault`].
   */
  fault?: string | null;
  /**
   * The number of plies played.
   */
  plies: number;
  /**
   * What each seat gets.
   */
  points: number[];
  /**
   * Why: a phrase without a full stop.
   */
  reason: Message;
  /**
   * What each seat scored, in games that everybody plays alone, such as 2048; otherwise empty.
   */
  scores: number[];
  /**
   * How each seat has done.
   */
  seats: SeatResult[];
}
/**
 * Something to be said.
 */
export interface Message {
  /**
   * What is filled into the text.
   */
  arguments?: {
    [k: string]: Value;
  };
  /**
   * What is said, whatever the language.
   */
  key: string;
  /**
   * The English text.
   */
  text: string;
}
/**
 * A player's line in the table. Every game counts as one of won, drawn, lost, technical win and technical loss.
 */
export interface Standing {
  /**
   * Whether the player was disqualified.
   */
  disqualified: boolean;
  /**
   * Games drawn.
   */
  draws: number;
  /**
   * The Elo rating; `null` before the first game.
   */
  elo: number | null;
  /**
   * Half of the width of its 95% interval.
   */
  eloError: number | null;
  /**
   * Games that have ended.
   */
  games: number;
  /**
   * What kind of player it is, in a word: `bot`, `python`, `java`, `person`.
   */
  kind: string;
  /**
   * Games lost on the board.
   */
  losses: number;
  /**
   * The mean search depth, where the player reports it.
   */
  meanDepth: number | null;
  /**
   * The mean time per move in seconds; `null` if no move was timed.
   */
  meanTime: number | null;
  /**
   * The player's name.
   */
  name: string;
  /**
   * The place, from 1; may be shared.
   */
  place: number;
  /**
   * The points of all games.
   */
  points: number;
  /**
   * The slowest move in seconds.
   */
  slowest: number | null;
  /**
   * Games lost because this player failed.
   */
  technicalLosses: number;
  /**
   * Games won because another player failed.
   */
  technicalWins: number;
  /**
   * Games won on the board.
   */
  wins: number;
}
/**
 * A tournament in a list.
 */
export interface TournamentSummary {
  /**
   * The names of the games played, such as `othello`, each once.
   */
  games: string[];
  /**
   * Its name in links, `/arena/ID`.
   */
  id: string;
  /**
   * The players in first place; empty before the first game has ended.
   */
  leaders: string[];
  /**
   * Its name.
   */
  name: string;
  /**
   * The number of games in all, as far as that is known.
   */
  planned: number;
  /**
   * The number of games that have ended.
   */
  played: number;
  /**
   * The number of players.
   */
  players: number;
  /**
   * The number of games being played now.
   */
  running: number;
  /**
   * How far it has come.
   */
  state: TournamentState;
  /**
   * When its results last changed, `2026-11-15T18:00:00Z`.
   */
  updated: string;
  /**
   * Whether it was started on the web, so that the admin can stop and resume it here.
   */
  web: boolean;
}
/**
 * What has cost a player games, why, and what to do about it.
 */
export interface Verdict {
  /**
   * The latest of them, at most 20.
   */
  cases: TechnicalLoss[];
  /**
   * The number of games that it cost.
   */
  count: number;
  /**
   * The offence in a word, as [`TechnicalLoss::fault`].
   */
  fault: string;
  /**
   * How to fix it: one or two sentences.
   */
  fix: Message;
  /**
   * The rule that was broken: one or two sentences.
   */
  rule: Message;
}
/**
 * A game lost because a player failed.
 */
export interface TechnicalLoss {
  /**
   * What exactly happened, in English; may be empty.
   */
  detail: string;
  /**
   * Whether the player was disqualified for it.
   */
  disqualified: boolean;
  /**
   * The offence in a word: `illegal`, `late`, `setup`, `crash`, `protocol`, `printing`, `memory`, `threads`, `network` or `files`.
   */
  fault: string;
  /**
   * The id by which the game can be watched; `null` if it was not played because the player had been disqualified.
   */
  game: string | null;
  /**
   * The number of the game, from 1.
   */
  number: number;
  /**
   * The other players of the game.
   */
  opponents: string[];
  /**
   * Who failed.
   */
  player: string;
  /**
   * The number of plies that had been played.
   */
  ply: number;
  /**
   * What happened: a phrase without a full stop.
   */
  reason: Message;
  /**
   * The round, from 1.
   */
  round: number;
}
/**
 * What an evaluation sees in a position.
 */
export interface FeatureAnswer {
  /**
   * The evaluation; empty if the bot does not judge positions.
   */
  evaluation: string;
  /**
   * All evaluations of the game, the best first.
   */
  evaluations: string[];
  /**
   * The features that have a weight, that with the largest product first; none where nobody is to move.
   */
  features: FeatureState[];
  /**
   * The seat that the features are seen from, which is to move; left out where chance acts or the game is over.
   */
  seat?: number | null;
  /**
   * The evaluation that was asked for, where nobody could read its reasons and those of another one are shown.
   */
  standsFor?: string | null;
  /**
   * The sum of the products.
   */
  total: number;
  /**
   * What the sum means to people; left out where there are no features.
   */
  worth?: FeatureWorth | null;
}
/**
 * One reason for an opinion.
 */
export interface FeatureState {
  /**
   * What it is called, a message of the game.
   */
  name: Message;
  /**
   * What all of it is worth.
   */
  product: number;
  /**
   * How much of it there is.
   */
  value: number;
  /**
   * What one of it is worth.
   */
  weight: number;
}
/**
 * What the numbers of an evaluation mean to people.
 */
export interface FeatureWorth {
  /**
   * How much of the products is one of the unit; left out for an expected result, which is no sum.
   */
  one?: number | null;
  /**
   * The unit: `discs`, `points`, `percent` for an expected result, or a unit of the evaluation's own.
   */
  unit: string | null;
  /**
   * The sum in the unit.
   */
  value: number;
}
/**
 * A position of which the evaluation's reasons are wanted.
 */
export interface FeatureQuestion {
  /**
   * The specification of a bot whose evaluation is wanted instead, with the bot's weights.
   */
  bot: string | null;
  /**
   * The evaluation; if neither it nor a bot is named, the game's best one that people can read.
   */
  evaluation: string | null;
  /**
   * The game's name.
   */
  game: string;
  /**
   * Moves that are made from there.
   */
  moves: string[];
  /**
   * Its options.
   */
  options: string;
  /**
   * The position; the usual start if left out.
   */
  position: string | null;
}
/**
 * A game that Agon knows, with options fixed.
 *
 * All texts are keys of the messages of the game: `title`, `summary`, `option.KEY`, `option.KEY.help`, `choice.KEY.WORD`, `bot.NAME` (what a bot is
 * like), `level.NAME` and `level.NAME.text`, `algorithm.NAME`.
 */
export interface GameInfo {
  /**
   * The bots that play it, weakest first.
   */
  bots: BotInfo[];
  /**
   * Whether chance takes part.
   */
  chance: boolean;
  /**
   * What can be chosen.
   */
  choices: OptionInfo[];
  /**
   * The name by which programs call it, and its path in the web app.
   */
  game: string;
  /**
   * Notations of other programs that games can be read from.
   */
  imports: string[];
  /**
   * All its options as they are fixed here.
   */
  options: string;
  /**
   * The board in the middle of a game, with that position's facts, to be looked at.
   */
  sample: BoardPicture;
  /**
   * The facts of the sample.
   */
  sampleFacts: BoardFacts;
  /**
   * The seats in playing order; who plays there is left open.
   */
  seats: SeatState[];
  /**
   * The board at the start.
   */
  start: BoardPicture;
  /**
   * How grounds and pieces are drawn.
   */
  styles: Style[];
  /**
   * Options that go well with these, for people who have not chosen them, such as `goal=fill`; the defaults are what the rules say.
   */
  suggested: string;
  /**
   * A position whose search tree can be gone through step by step.
   */
  tree: TreeExample;
}
/**
 * A bot.
 */
export interface BotInfo {
  /**
   * Its algorithm.
   */
  algorithm: string;
  /**
   * Where pickers show it.
   */
  group: BotGroup;
  /**
   * The name by which it is called everywhere.
   */
  name: string;
  /**
   * What the algorithm's parameters are set to.
   */
  settings: string;
}
/**
 * An option of a game or a parameter of a bot.
 */
export interface OptionInfo {
  /**
   * The default, in words where it depends on other options.
   */
  default: string;
  /**
   * Its name.
   */
  key: string;
  /**
   * Which values it takes.
   */
  kind: OptionInfoKind;
}
/**
 * What is seen of a board.
 */
export interface BoardPicture {
  /**
   * Every place that exists, row by row.
   */
  cells: Cell[];
  /**
   * The names of the columns, from the left.
   */
  columns: string[];
  /**
   * Crossings of the lines between squares that are marked with a dot, each named by the place to its upper left.
   */
  dots?: Spot[];
  /**
   * How cells lie to one another.
   */
  layout: Layout;
  /**
   * How moves name a place, `{row}` and `{column}` standing for the names of its row and column.
   */
  places: string;
  /**
   * The names of the rows, from the top.
   */
  rows: string[];
  /**
   * What the board is made of: `felt`, `wood`, `tray`.
   */
  surface: string;
}
/**
 * A place that exists, and what is there.
 */
export interface Cell {
  /**
   * Where.
   */
  at: Spot;
  /**
   * The token of its ground's style; `None` for plain ground.
   */
  ground?: string | null;
  /**
   * Who stands there.
   */
  piece?: Piece | null;
}
/**
 * A piece on the board.
 */
export interface Piece {
  /**
   * The number on it.
   */
  number?: number | null;
  /**
   * Whose it is.
   */
  owner: Player;
  /**
   * The token of its style.
   */
  style: string;
}
/**
 * What is to be said about a board besides what is seen.
 */
export interface BoardFacts {
  /**
   * Whether there is something to take back.
   */
  canTakeBack: boolean;
  /**
   * What chance has brought last, in a sentence.
   */
  chance?: Message | null;
  /**
   * What is left on the clock of each seat, in milliseconds, when this was sent; empty without clocks.
   */
  clocks?: (number | null)[];
  /**
   * What is counted for each player.
   */
  counts: Count[];
  /**
   * Where three or more play, the moves before the last one, oldest first, as far as nobody has moved twice since. Players
   * find here what the others have played since their own last move.
   */
  earlier?: LastMove[];
  /**
   * How the game has ended.
   */
  end?: EndState | null;
  /**
   * The last move of a player; left out of an update whose steps show it.
   */
  last?: LastMove | null;
  /**
   * The highest mark reached, such as the largest tile, in games for one that have such.
   */
  mark?: Mark | null;
  /**
   * What has been achieved for good although the game goes on.
   */
  milestone?: Milestone | null;
  /**
   * The legal moves, where a person is to move.
   */
  moves?: MoveState[];
  /**
   * How many of them are moves of players.
   */
  movesMade: number;
  /**
   * An offer or request that waits for an answer.
   */
  offer?: OfferState | null;
  /**
   * What they put on the board at their `to`, where that is the same for all that have no `from`; their effects leave it out.
   */
  placed?: Piece | null;
  /**
   * Whether the people who sit there now have played all of the game, so that its points are theirs.
   */
  playedThrough?: boolean;
  /**
   * How many plies have been played, draws of chance included.
   */
  ply: number;
  /**
   * The position as text.
   */
  position: string;
  /**
   * How far the game has gone towards its limit.
   */
  progress?: Progress | null;
  /**
   * The points of a game for one.
   */
  score?: number | null;
  /**
   * Whether the clocks are stopped.
   */
  stopped: boolean;
  /**
   * Pieces that could fall at once and decide the game.
   */
  threats?: Threat[];
  /**
   * The seat to move; `null` once the game is over.
   */
  turn: number | null;
  /**
   * Whether the board waits until the boards before it are done.
   */
  waits: boolean;
}
/**
 * A figure about a player: discs, pieces taken, marbles home, points.
 */
export interface Count {
  /**
   * What is counted, as a heading: "discs", "marbles home".
   */
  name: Message;
  /**
   * Of how many, where there is such a number.
   */
  of?: number | null;
  /**
   * The player.
   */
  owner: Player;
  /**
   * The figure and what it counts: "12 discs", "3/10 home".
   */
  text: Message;
  /**
   * How many.
   */
  value: number;
}
/**
 * The last move of a player.
 */
export interface LastMove {
  /**
   * Who made it.
   */
  seat: number;
  /**
   * What it has done.
   */
  step: Step;
  /**
   * The move as records have it.
   */
  token: string;
}
/**
 * What a move or a draw of chance does, for people who want to see it and to point at it.
 */
export interface Step {
  /**
   * All that changes.
   */
  effects: Effect[];
  /**
   * Where the piece that moves stands; `None` if none does.
   */
  from?: Spot | null;
  /**
   * Where the whole board slides.
   */
  heading?: Heading | null;
  /**
   * What it is.
   */
  kind: StepKind;
  /**
   * The places that the piece visits, both ends included; empty if it goes straight.
   */
  path?: Spot[];
  /**
   * Sequences of places, any of which makes the move when somebody points at its places in order; empty if pointing at `from`
   * and then at `to` does, or at `to` alone where there is no `from`. No sequence may be the beginning of one that makes
   * another move. Two moves may share a sequence: players are then asked which of them they mean.
   */
  places?: Spot[][];
  /**
   * Where a piece arrives or appears; `None` for passes, turned blocks and slides of the whole board.
   */
  to?: Spot | null;
}
/**
 * How a game has ended.
 */
export interface EndState {
  /**
   * In what way.
   */
  kind: EndKind;
  /**
   * Why: a phrase that can follow a colon, without a full stop.
   */
  reason: Message;
  /**
   * Who has won, or whose fault it was where `kind` is `forfeit`.
   */
  seat?: number | null;
}
/**
 * How far the only player of a game has come besides points: the mark of [`Standing`](crate::Standing).
 */
export interface Mark {
  /**
   * What it is called: "largest tile".
   */
  name: Message;
  /**
   * How high it is; 0 before the first.
   */
  value: number;
}
/**
 * Something that has been achieved for good although the game goes on.
 */
export interface Milestone {
  /**
   * Whether it is a feat for a bot as well, and not for people only.
   */
  countsForBots: boolean;
  /**
   * What whoever has achieved it is told.
   */
  text: Message;
  /**
   * What has been achieved, in a word that can follow "has reached".
   */
  what: Message;
}
/**
 * A legal move.
 */
export interface MoveState {
  /**
   * The top left cell of the block that turns.
   */
  block?: Spot | null;
  /**
   * All that changes; left out where there are so many moves that this would be too much.
   */
  effects?: Effect[];
  /**
   * Where the piece that moves stands.
   */
  from?: Spot | null;
  /**
   * Where the whole board slides.
   */
  heading?: Heading | null;
  /**
   * What it is.
   */
  kind: StepKind;
  /**
   * The places that the piece visits, both ends included; left out if it goes straight.
   */
  path?: Spot[];
  /**
   * Sequences of places, any of which makes the move when somebody points at its places in order; left out if pointing at `from`
   * and then at `to` does, or at `to` alone where there is no `from`.
   */
  places?: Spot[][];
  /**
   * Where a piece arrives or appears.
   */
  to?: Spot | null;
  /**
   * The move as records have it.
   */
  token: string;
}
/**
 * An offer or request that waits for an answer.
 */
export interface OfferState {
  /**
   * Who has agreed so far.
   */
  agreed?: number[];
  /**
   * What.
   */
  kind: OfferKind;
  /**
   * Who made it.
   */
  seat: number;
}
/**
 * How far a game has gone towards its limit.
 */
export interface Progress {
  /**
   * After how many the game is a draw; `None` if it has no limit.
   */
  limit: number | null;
  /**
   * How many moves, turns or rounds have been played.
   */
  played: number;
  /**
   * In words, which one is being played, or was the last: "Turn 3 of 100" after two turns.
   */
  text: Message;
}
/**
 * A piece that could fall at once and decide the game.
 */
export interface Threat {
  /**
   * Where it stands.
   */
  at: Spot;
  /**
   * What players are told.
   */
  message: Message;
}
/**
 * A seat.
 */
export interface SeatState {
  /**
   * Whether the player has left for good and a bot plays on.
   */
  forfeited: boolean;
  /**
   * Whether that person sits at this browser.
   */
  mine: boolean;
  /**
   * The name of whoever plays.
   */
  name: string;
  /**
   * `human`, or the specification of a bot.
   */
  occupant: string;
  /**
   * Whether a person plays.
   */
  person: boolean;
  /**
   * Whether the player is there; left out where no person holds the seat, and in games at one browser.
   */
  presence?: Presence | null;
  /**
   * Whether a program of its holder plays: it is shown as a bot.
   */
  program: boolean;
  /**
   * Whether a bot plays for somebody who is away and may come back.
   */
  standIn: boolean;
  /**
   * The styles of its pieces at the start.
   */
  styles: string[];
  /**
   * What the game calls it: "Black", "Attackers".
   */
  title: Message;
}
/**
 * Whether the player of a seat is there.
 */
export interface Presence {
  /**
   * Whether those present may decide now what becomes of the seat.
   */
  absent?: boolean;
  /**
   * What this player has chosen to become of the seats of the absent.
   */
  choice?: AbsenceChoice | null;
  /**
   * Whether they are connected.
   */
  here: boolean;
  /**
   * In how many milliseconds a bot takes over, the seat is forfeited, or those present may decide; left out if nothing will happen.
   */
  leavesIn?: number | null;
  /**
   * What happens then.
   */
  then?: Leavers | null;
}
/**
 * A position whose tree is small enough to be gone through step by step.
 */
export interface TreeExample {
  /**
   * How many plies deep alpha-beta searches it.
   */
  depth: number;
  /**
   * The evaluation that judges the leaves; left out for the game's best.
   */
  evaluation?: string | null;
  /**
   * The options of its game.
   */
  options: string;
  /**
   * The position; left out for the usual start.
   */
  position?: string | null;
}
/**
 * How the server is.
 */
export interface Health {
  /**
   * How many stored games were found to be damaged.
   */
  damagedGames: number;
  /**
   * Whether moves can be stored.
   */
  storage: boolean;
  /**
   * The version of Agon.
   */
  version: string;
  /**
   * How many bots wait for their turn.
   */
  waiting: number;
}
/**
 * What the key in a link `/join/KEY` is good for. A `POST` to the same address takes the seat of a game.
 */
export interface Invitation {
  /**
   * The lobby or game.
   */
  id: string;
  /**
   * What it is good for.
   */
  kind: InvitationKind;
  /**
   * The name of the lobby, or of the player whose seat moves to this device.
   */
  name: string;
}
/**
 * Open lobbies.
 */
export interface LobbyList {
  /**
   * The lobbies, the newest first.
   */
  lobbies: LobbyInfo[];
  /**
   * Whether there are more.
   */
  more: boolean;
}
/**
 * A lobby as everybody sees it.
 */
export interface LobbyInfo {
  /**
   * When it was opened, `2026-11-15T18:00:00Z`.
   */
  created: string;
  /**
   * The game's name.
   */
  game: string;
  /**
   * Its id, and that of the game that it becomes.
   */
  id: string;
  /**
   * How boards belong together.
   */
  mode: TableMode;
  /**
   * Its name.
   */
  name: string;
  /**
   * All its options.
   */
  options: string;
  /**
   * The seats. In a race every board has one.
   */
  seats: LobbySeat[];
  /**
   * Whether players are dealt to the seats at random when the game starts.
   */
  shuffle: boolean;
  /**
   * How many browsers look on that hold no seat.
   */
  spectators: number;
  /**
   * What holds in the game.
   */
  terms: Terms;
}
/**
 * A seat in a lobby.
 */
export interface LobbySeat {
  /**
   * Whether whoever holds it is connected; bots always are.
   */
  here: boolean;
  /**
   * Whether it is a seat of the host.
   */
  host: boolean;
  /**
   * The name of whoever has taken it; empty if it is open.
   */
  name: string;
  /**
   * `open`, `human`, or the specification of a bot.
   */
  occupant: string;
  /**
   * Whether a program of its holder plays there: it is shown as a bot.
   */
  program: boolean;
  /**
   * The styles of its pieces at the start.
   */
  styles: string[];
  /**
   * What the game calls it: "Black", "Attackers".
   */
  title: Message;
}
/**
 * What the people in a lobby agree on by sitting down, and what holds in their game.
 */
export interface Terms {
  /**
   * The time control: `none`, `15s` for each move, or `5m+3s` for the game.
   */
  clock: string;
  /**
   * In a game without a clock, how many days a player has for a move; as long as they like if left out.
   */
  days?: number | null;
  /**
   * What decides a race.
   */
  goal?: Goal | null;
  /**
   * How long a player may be away before that, in seconds. In a game of two without a clock it is ten minutes, and the one
   * present decides; with days for each move nobody has to be there.
   */
  grace: number;
  /**
   * Whether hints, evaluations and the thinking of bots are shown before the end.
   */
  help: boolean;
  /**
   * In a game with a clock, how many seconds players get back at most whenever their connection was dead.
   */
  interruption: number;
  /**
   * How many seconds that may be in the whole game, for each player.
   */
  interruptions: number;
  /**
   * What becomes of the seats of players who leave, or who exceed their days. If left out, those present decide where three or more
   * play without days for a move, and a bot plays on otherwise.
   */
  leavers?: Leavers | null;
  /**
   * Whether the lobby is listed. Those that are not are joined by a link.
   */
  public: boolean;
  /**
   * Whether those who look on may write in the chat, by a name that they give.
   */
  spectatorsChat: boolean;
}
/**
 * A lobby as one browser sees it.
 */
export interface LobbyState {
  /**
   * Whether this browser is the host's, who may remove guests and seat bots.
   */
  host: boolean;
  /**
   * For how many seconds the seats of this browser are kept while it is away.
   */
  kept: number;
  /**
   * The key of the link by which others join (`/join/KEY`), told to those who have taken a seat and to the host.
   */
  key?: string | null;
  /**
   * The lobby.
   */
  lobby: LobbyInfo;
  /**
   * The seats of this browser.
   */
  mine: number[];
  /**
   * In how many milliseconds the game starts; left out as long as a seat is open or somebody is away.
   */
  startsIn?: number | null;
}
/**
 * Who sits at this browser.
 */
export interface Me {
  /**
   * The name; empty if nobody has said it yet.
   */
  name: string;
}
/**
 * A lobby to be opened.
 */
export interface NewLobby {
  /**
   * The game's name.
   */
  game: string;
  /**
   * How boards belong together: `single`, or `race`; `single` if left out.
   */
  mode: TableMode | null;
  /**
   * Its name: 1 to 24 characters, unlike those of all other public lobbies. A private one goes by its host's name if it is empty.
   */
  name: string;
  /**
   * Its options; the defaults if left out.
   */
  options: string;
  /**
   * The name of the host, by which seats without a name of their own go; optional in private lobbies.
   */
  player: string;
  /**
   * Who plays: one for each seat, or one for each board of a race. `open`, `human` for somebody at the host's browser, or the
   * specification of a bot.
   */
  seats: NewSeat[];
  /**
   * Whether players are dealt to the seats at random when the game starts.
   */
  shuffle: boolean;
  /**
   * What holds in the game.
   */
  terms: Terms;
}
/**
 * Who is to play a seat.
 */
export interface NewSeat {
  /**
   * The name that is shown; that of the browser's user, or of the bot, if left out.
   */
  name: string | null;
  /**
   * `human` or the specification of a bot.
   */
  occupant: string;
}
/**
 * A game to be opened.
 */
export interface NewTable {
  /**
   * The time control: `none` if left out, `15s` or `5m+3s`.
   */
  clock: string | null;
  /**
   * The game's name.
   */
  game: string;
  /**
   * How boards belong together; `single` if left out.
   */
  mode: TableMode | null;
  /**
   * Moves that have been made before.
   */
  moves: string[];
  /**
   * Its options; the defaults if left out.
   */
  options: string;
  /**
   * The least time from one move of a bot to the next, in milliseconds; 400 if a person plays and it is left out.
   */
  pace: number | null;
  /**
   * The position to begin with; the usual start if left out.
   */
  position: string | null;
  /**
   * Who plays: one for each seat, or one for each board of a race. `human` or the specification of a bot.
   */
  seats: NewSeat[];
}
/**
 * A tournament to be started. Players are uploaded agents and bots of the house.
 */
export interface NewTournament {
  /**
   * The names of the uploaded agents that take part.
   */
  agents: string[];
  /**
   * The bots that take part.
   */
  bots: NewBot[];
  /**
   * Its name, which no other tournament may have.
   */
  name: string;
  /**
   * What it costs an agent to print anything but its answers; the game if left out.
   */
  printing: Printing | null;
  /**
   * What is played.
   */
  rounds: NewRound[];
  /**
   * Fixes openings, luck and the randomness of the bots; 1 if left out.
   */
  seed: number | null;
}
/**
 * A bot that takes part in a tournament.
 */
export interface NewBot {
  /**
   * The specification of the bot, such as `medium`.
   */
  bot: string;
  /**
   * The player's name; that of the bot if left out.
   */
  name: string | null;
}
/**
 * A round of a tournament to be started.
 */
export interface NewRound {
  /**
   * Who meets whom: `round-robin` (if left out), `swiss`, `gauntlet`, `knock-out` or `groups`.
   */
  format: string | null;
  /**
   * The game's name.
   */
  game: string;
  /**
   * Its options; the defaults if left out.
   */
  options: string;
  /**
   * Whether games begin with random openings.
   */
  randomOpenings: boolean;
  /**
   * How often each pair or group is played; once if left out.
   */
  repetitions: number | null;
  /**
   * Time for setup, from `100ms` to `10m`; `10s` if left out.
   */
  setup: string | null;
  /**
   * Time per move from `100ms` to `20s`, or for the whole game with an increment (`10s+100ms`); `5s` if left out.
   */
  time: string | null;
}
/**
 * A game that was opened.
 */
export interface Opened {
  /**
   * Its name in links.
   */
  id: string;
}
/**
 * Plies of a long game.
 */
export interface PlyList {
  /**
   * The number of plies before the first one.
   */
  from: number;
  /**
   * How many of those are moves of players.
   */
  movesBefore: number;
  /**
   * The plies.
   */
  plies: PlyState[];
}
/**
 * A ply of the game: a move, or a draw of chance.
 */
export interface PlyState {
  /**
   * How deep it looked, in plies.
   */
  depth?: number | null;
  /**
   * How long it took, in milliseconds.
   */
  millis?: number | null;
  /**
   * How many moves it made in its search.
   */
  nodes?: number | null;
  /**
   * What a bot thought it was worth to itself.
   */
  score?: ScoreState | null;
  /**
   * Who made it; left out for draws of chance.
   */
  seat?: number | null;
  /**
   * The move as records have it.
   */
  token: string;
}
/**
 * What something is worth to a player.
 */
export interface ScoreState {
  /**
   * Whether it says only that no move is left, or may soon be: then `value` is what a bot reckons with, and nothing to be read.
   */
  deadEnd?: boolean;
  /**
   * In how many plies the game is won (or lost, if negative), where that has been found out.
   */
  proven?: number | null;
  /**
   * Of what: `discs`, `points`, `percent` for an expected result, or a unit of the bot's own; `null` if nobody knows.
   */
  unit: string | null;
  /**
   * How much.
   */
  value: number;
}
/**
 * A position.
 */
export interface PositionAnswer {
  /**
   * Everything else, legal moves included.
   */
  facts: BoardFacts;
  /**
   * What is seen.
   */
  picture: BoardPicture;
}
/**
 * A question about a position: what it looks like and what can be played.
 */
export interface PositionRequest {
  /**
   * The game's name.
   */
  game: string;
  /**
   * Moves that are made from there.
   */
  moves: string[];
  /**
   * Its options.
   */
  options: string;
  /**
   * The position; the usual start if left out.
   */
  position: string | null;
}
/**
 * A refusal.
 */
export interface Problem {
  /**
   * Why, for programs.
   */
  code: RefusalCode;
  /**
   * The field of the request that is wrong, where one is.
   */
  field?: string | null;
  /**
   * Why, for people.
   */
  message: Message;
}
/**
 * A text, such as a link, as a QR code.
 */
export interface QrCode {
  /**
   * Its rows from above, without the margin of four squares around it: `1` for each dark square, `0` for each light one.
   */
  rows: string[];
}
/**
 * Which moves of a finished game gave something away.
 */
export interface ReviewPart {
  /**
   * The moves that did, in their order.
   */
  faults: FaultState[];
  /**
   * How many plies the game has.
   */
  plies: number;
  /**
   * The ply up to which moves have been judged; ask for the rest from there on.
   */
  to: number;
}
/**
 * A move that gave something away.
 */
export interface FaultState {
  /**
   * The better move.
   */
  better: string;
  /**
   * How much it gave away.
   */
  mark: FaultMark;
  /**
   * How many plies had been played before it.
   */
  ply: number;
}
/**
 * One of a game's rules, drawn. The n-th of them is called `lesson.n.title` and explained by `lesson.n.text` in the
 * messages of the game, a paragraph a line.
 */
export interface RulePicture {
  /**
   * What has just been played there, what is in danger, and the moves of the piece that is shown.
   */
  facts: BoardFacts;
  /**
   * The first and the last place of the part that matters; the whole board if there is none.
   *
   * @minItems 2
   * @maxItems 2
   */
  part: [Spot, Spot] | null;
  /**
   * The board that shows it.
   */
  picture: BoardPicture;
  /**
   * The piece of which is shown where it can go.
   */
  piece: Spot | null;
}
/**
 * A game that is played, watched or replayed, as one browser sees it.
 */
export interface TableState {
  /**
   * The boards: one, or several in a race.
   */
  boards: BoardState[];
  /**
   * The time control: `none`, `15s` a move or `5m+3s` a game.
   */
  clock: string;
  /**
   * When it was opened, `2026-11-15T18:00:00Z`.
   */
  created: string;
  /**
   * The game's name, such as `othello`.
   */
  game: string;
  /**
   * Its name in links.
   */
  id: string;
  /**
   * How its boards belong together.
   */
  mode: TableMode;
  /**
   * What online play adds; left out in games at one browser.
   */
  online?: OnlineState | null;
  /**
   * All its options, as `key=value` separated by commas.
   */
  options: string;
  /**
   * Whether this browser has opened it, so that it may pause, pace and change seats.
   */
  owner: boolean;
  /**
   * The least time from one move of a bot to the next, in milliseconds.
   */
  pace: number;
  /**
   * Whether the bots wait.
   */
  paused: boolean;
  /**
   * The seats from first place to last, those that share a place together; empty before that is decided. A race may be decided although
   * somebody plays on.
   */
  ranking: number[][];
  /**
   * Who plays. In a race every board has one seat, and the seats are those of the boards in their order.
   */
  seats: SeatState[];
  /**
   * The number of the last event.
   */
  seq: number;
  /**
   * Whether they play on as fast as they can, to be shown once none of them is to move.
   */
  skipping: boolean;
  /**
   * How many of them hold no seat.
   */
  spectators: number;
  /**
   * How grounds and pieces are drawn.
   */
  styles: Style[];
  /**
   * How many browsers follow it.
   */
  watchers: number;
}
/**
 * A board as it stands.
 */
export interface BoardState {
  /**
   * Everything else.
   */
  facts: BoardFacts;
  /**
   * What is seen.
   */
  picture: BoardPicture;
  /**
   * The plies, oldest first.
   */
  plies: PlyState[];
  /**
   * The number of plies before the first of `plies`: of long games only the last ones are sent.
   */
  skipped: number;
}
/**
 * What online play adds to the state of a game.
 */
export interface OnlineState {
  /**
   * The seats that belong to this browser, also where a bot plays because their holder has given up: whoever holds one talks and plays again
   * as a player.
   */
  held: number[];
  /**
   * Whether hints, evaluations and the thinking of bots are withheld at the moment.
   */
  hidden: boolean;
  /**
   * The seats whose chat is not told to this browser.
   */
  muted: number[];
  /**
   * The name of the lobby that it comes from.
   */
  name: string;
  /**
   * Who wants to play again.
   */
  rematch: RematchState;
  /**
   * What was agreed on.
   */
  terms: Terms;
}
/**
 * Who wants to play again after the end.
 */
export interface RematchState {
  /**
   * The next game.
   */
  next?: string | null;
  /**
   * The seats that do. Once all people do, the next game starts, with sides swapped or seats rotated.
   */
  wanted: number[];
}
/**
 * What has changed in a game.
 */
export interface Update {
  /**
   * The boards on which something has changed.
   */
  boards: BoardUpdate[];
  /**
   * The number of the last event before.
   */
  from: number;
  /**
   * The game.
   */
  game: string;
  /**
   * The least time from one move of a bot to the next, in milliseconds.
   */
  pace: number;
  /**
   * Whether the bots wait.
   */
  paused: boolean;
  /**
   * The seats from first place to last, those that share a place together; empty before that is decided.
   */
  ranking: number[][];
  /**
   * The number of the last event now. A page that does not know of the event `from` must watch the game anew.
   */
  seq: number;
  /**
   * Whether they play on as fast as they can, to be shown once none of them is to move.
   */
  skipping: boolean;
}
/**
 * What has changed on one board.
 */
export interface BoardUpdate {
  /**
   * The board, from 0.
   */
  board: number;
  /**
   * The places that have changed, as they are now.
   */
  changes: Change[];
  /**
   * Everything else about the board.
   */
  facts: BoardFacts;
  /**
   * How many of the plies from before are left: fewer than there were if some were taken back.
   */
  kept: number;
  /**
   * The plies that were added behind them.
   */
  plies: PlyState[];
  /**
   * What each of these has done, in the same order, to be shown one after the other; empty if there were too many to be shown.
   */
  steps: Step[];
}
/**
 * Places of a board that have become alike.
 */
export interface Change {
  /**
   * The token of their ground's style; left out for plain ground.
   */
  ground?: string | null;
  /**
   * Who stands there now.
   */
  piece?: Piece | null;
  /**
   * Where.
   */
  spots: Spot[];
}
/**
 * What a bot that thinks has found so far.
 */
export interface Thinking {
  /**
   * The board, from 0.
   */
  board: number;
  /**
   * How deep it looks, in plies.
   */
  depth: number;
  /**
   * The game.
   */
  game: string;
  /**
   * How it expects the game to go on.
   */
  line: string[];
  /**
   * How many moves it has made in its search.
   */
  nodes: number;
  /**
   * The same by the second.
   */
  nodesPerSecond: number;
  /**
   * How many plies had been played.
   */
  ply: number;
  /**
   * What the position is worth to it.
   */
  score: ScoreState | null;
  /**
   * The seat.
   */
  seat: number;
}
/**
 * A line of chat.
 */
export interface ChatLine {
  /**
   * When it was said, `2026-11-15T18:00:00Z`.
   */
  at: string;
  /**
   * Their name.
   */
  name: string;
  /**
   * The seat of whoever said it, at that time; `null` for those who look on, and for a host without a seat.
   */
  seat: number | null;
  /**
   * Its number. A line that is told again after a reconnection has the same one.
   */
  seq: number;
  /**
   * What they said: plain text.
   */
  text: string;
}
/**
 * The tournaments that the server shows.
 */
export interface TournamentList {
  /**
   * Whether there are more than are listed.
   */
  more: boolean;
  /**
   * The tournaments: running ones first, then the most recently updated one first.
   */
  tournaments: TournamentSummary[];
  /**
   * Whether agents can be uploaded and tournaments started here, with the admin token.
   */
  uploads: boolean;
}
/**
 * A tournament as it stands.
 */
export interface Tournament {
  /**
   * The cross table: what the player of each row has done against the player of each column, both in the order of the table; `null` where
   * they have not met. Empty with more than [`MAX_CROSS`] players: `crosstable.csv` has it then.
   */
  cross: (CrossCell | null)[][];
  /**
   * The names of the files that can be had at `/api/v1/arena/ID/files/NAME`: `report.html`, `table.csv` and so on.
   */
  files: string[];
  /**
   * Remarks that readers of the results should know, such as limits that the machine could not enforce. In English.
   */
  notes: string[];
  /**
   * What is played.
   */
  rounds: TournamentRound[];
  /**
   * The games being played now, at most [`MAX_RUNNING`].
   */
  running: TournamentGame[];
  /**
   * About how many seconds are left; left out if nobody can tell.
   */
  secondsLeft?: number | null;
  /**
   * The table, best player first.
   */
  standings: Standing[];
  /**
   * What lists show of it.
   */
  summary: TournamentSummary;
  /**
   * Technical losses, latest first; at most [`MAX_TECHNICAL`].
   */
  technical: TechnicalLoss[];
  /**
   * The number of technical losses in all.
   */
  technicalCount: number;
}
/**
 * What one player has done against another.
 */
export interface CrossCell {
  /**
   * Games drawn.
   */
  draws: number;
  /**
   * The number of games.
   */
  games: number;
  /**
   * Games lost, technical losses included.
   */
  losses: number;
  /**
   * The points that the player of the row got in them.
   */
  points: number;
  /**
   * Games won, technical wins included.
   */
  wins: number;
}
/**
 * A round of a tournament.
 */
export interface TournamentRound {
  /**
   * Who meets whom: `round-robin`, `swiss`, `gauntlet`, `knock-out` or `groups`.
   */
  format: string;
  /**
   * The game's name, such as `othello`.
   */
  game: string;
  /**
   * Its number, from 1.
   */
  number: number;
  /**
   * All its options, as `key=value` separated by commas.
   */
  options: string;
  /**
   * The number of games in all; 0 while that is not known.
   */
  planned: number;
  /**
   * The number of games that have ended.
   */
  played: number;
  /**
   * Time for setup.
   */
  setup: string;
  /**
   * Time per move (`1s`), or for the whole game with an increment (`10s+100ms`).
   */
  time: string;
}
/**
 * What somebody has reached in a game for one: games that were played from the usual start to the end, and nothing else.
 */
export interface Statistics {
  /**
   * The most points of one of them.
   */
  best: number;
  /**
   * How many games.
   */
  games: number;
  /**
   * The games, the latest first; of many only the last ones.
   */
  history: PlayedAlone[];
  /**
   * What marks are called in the game, such as "largest tile"; left out if it has none.
   */
  mark?: Message | null;
  /**
   * In how many games each mark was the highest, the highest mark first.
   */
  marks: MarkCount[];
}
/**
 * A game for one that somebody has played.
 */
export interface PlayedAlone {
  /**
   * The table's name in links.
   */
  id: string;
  /**
   * The highest mark.
   */
  mark: number;
  /**
   * How many moves were made.
   */
  moves: number;
  /**
   * The points.
   */
  score: number;
  /**
   * When something happened there last.
   */
  updated: string;
}
/**
 * In how many games a mark was the highest.
 */
export interface MarkCount {
  /**
   * How many.
   */
  games: number;
  /**
   * The mark.
   */
  mark: number;
}
/**
 * A study as it stands.
 */
export interface Study {
  /**
   * Whether every setting meets every other one, and not the reference alone.
   */
  allAgainstAll: boolean;
  /**
   * The answer to what it asks, a sentence each, to be quoted.
   */
  answer: Message[];
  /**
   * Where they are compared.
   */
  circumstances: StudyCircumstance[];
  /**
   * The command that repeats the study; left out if nobody knows its file.
   */
  command?: string | null;
  /**
   * The comparisons under single circumstances; at most [`MAX_COMPARISONS`], of which `comparisons.csv` has all.
   */
  comparisons: StudyComparison[];
  /**
   * Whether settings are played no further once everything about them is clear.
   */
  earlyStopping: boolean;
  /**
   * The main effects: what settings are worth over all circumstances together; at most [`MAX_COMPARISONS`].
   */
  effects: StudyEffect[];
  /**
   * How likely the study was to make any false claim about strength.
   */
  error: number;
  /**
   * The names of the files that can be had at `/api/v1/studies/ID/files/NAME`: `report.html`, `comparisons.csv` and so on.
   */
  files: string[];
  /**
   * What else it comes to, a sentence each.
   */
  findings: Message[];
  /**
   * The most games of a comparison.
   */
  gamesPerComparison: number;
  /**
   * What was observed in the games; at most [`MAX_OBSERVATIONS`].
   */
  observations: StudyObservation[];
  /**
   * What so many games can show; left out before the first.
   */
  outlook?: StudyOutlook | null;
  /**
   * The values that the reference has of what settings vary, as far as they are numbers.
   */
  referenceValues: StudyValue[];
  /**
   * Fixes openings, luck and the randomness of the bots: a whole number, which may be too large for a number of JavaScript.
   */
  seed: string;
  /**
   * The settings that are compared; the first is the reference.
   */
  settings: StudySetting[];
  /**
   * What lists show of it.
   */
  summary: StudySummary;
}
/**
 * Where settings are compared: a game, and limits for both sides.
 */
export interface StudyCircumstance {
  /**
   * The bot of each setting.
   */
  bots: string[];
  /**
   * The game's name, such as `othello`.
   */
  game: string;
  /**
   * What it is called, `8×8, 10 ms` or `size=8, nodes=1000`. An empty key means that the text is its author's own.
   */
  name: Message;
  /**
   * All its options, as `key=value` separated by commas.
   */
  options: string;
  /**
   * The strength of each setting among all others, if all met all; empty otherwise.
   */
  ratings: StudyRating[];
}
/**
 * The strength of a setting among all others.
 */
export interface StudyRating {
  /**
   * In Elo, relative to the mean of all.
   */
  elo: number;
  /**
   * The half-width of its 95% interval.
   */
  error: number;
}
/**
 * A comparison of two settings under one circumstance.
 */
export interface StudyComparison {
  /**
   * Where it is played, by index.
   */
  circumstance: number;
  /**
   * By how many plies it searched deeper.
   */
  depth: StudyEstimate | null;
  /**
   * Games drawn.
   */
  draws: number;
  /**
   * Whether it ended before all games were played, because everything about its setting was clear.
   */
  early: boolean;
  /**
   * The difference in Elo that the score stands for; `null` if it is infinite. The same holds for the ends of its interval.
   */
  elo: number | null;
  /**
   * The upper end.
   */
  eloHigh: number | null;
  /**
   * The lower end.
   */
  eloLow: number | null;
  /**
   * Games played.
   */
  games: number;
  /**
   * Games that it lost.
   */
  losses: number;
  /**
   * How many times the nodes per move of its opponent the setting needed. Intervals of this and the following are approximate.
   */
  nodes: StudyEstimate | null;
  /**
   * The setting that it meets.
   */
  opponent: number;
  /**
   * Its share of the points. The interval holds however often one looks, for the whole study together.
   */
  score: StudyEstimate;
  /**
   * The setting, by index.
   */
  setting: number;
  /**
   * What the setting and its opponent did.
   *
   * @minItems 2
   * @maxItems 2
   */
  sides: [StudySide, StudySide];
  /**
   * How many times the time per move of its opponent.
   */
  time: StudyEstimate | null;
  /**
   * What that says.
   */
  verdict: StudyVerdict;
  /**
   * Games that the setting won.
   */
  wins: number;
}
/**
 * A measured value with its interval.
 */
export interface StudyEstimate {
  /**
   * The upper end.
   */
  high: number;
  /**
   * The lower end of its interval.
   */
  low: number;
  /**
   * The value.
   */
  value: number;
}
/**
 * What a side did, on average per move.
 */
export interface StudySide {
  /**
   * The effective branching factor.
   */
  branching: number | null;
  /**
   * The share of nodes that ended in a cut-off.
   */
  cutoffs: number | null;
  /**
   * The depth.
   */
  depth: number;
  /**
   * How long it took to finish each depth, in the moves in which that happened; at most [`MAX_DEPTHS`] depths that were finished in at least
   * a twentieth of the moves.
   */
  depths: StudyDepth[];
  /**
   * The share of cut-offs by the first move that was tried.
   */
  firstMove: number | null;
  /**
   * Moves made.
   */
  moves: number;
  /**
   * Nodes per move.
   */
  nodes: number;
  /**
   * Mean points, in games for one.
   */
  points: StudyEstimate | null;
  /**
   * Seconds per move.
   */
  seconds: number;
  /**
   * The share of nodes that the transposition table answered.
   */
  tableHits: number | null;
}
/**
 * What it took to finish a depth.
 */
export interface StudyDepth {
  /**
   * The depth.
   */
  depth: number;
  /**
   * Mean seconds until then.
   */
  seconds: number;
}
/**
 * What a setting is worth over all circumstances together, each of which counts the same.
 */
export interface StudyEffect {
  /**
   * By how many plies it searched deeper.
   */
  depth: StudyEstimate | null;
  /**
   * The difference in Elo that the score stands for; `null` if it is infinite. The same holds for the ends of its interval.
   */
  elo: number | null;
  /**
   * The upper end.
   */
  eloHigh: number | null;
  /**
   * The lower end.
   */
  eloLow: number | null;
  /**
   * Games played, under all circumstances.
   */
  games: number;
  /**
   * How many times the nodes per move of its opponent the setting needed. Intervals of this and the following are approximate.
   */
  nodes: StudyEstimate | null;
  /**
   * The setting that it meets.
   */
  opponent: number;
  /**
   * Its share of the points. The interval holds however often one looks, for the whole study together.
   */
  score: StudyEstimate;
  /**
   * The setting, by index.
   */
  setting: number;
  /**
   * How many times the time per move of its opponent.
   */
  time: StudyEstimate | null;
  /**
   * What that says.
   */
  verdict: StudyVerdict;
}
/**
 * What was seen of one thing in all games under the same circumstances.
 */
export interface StudyObservation {
  /**
   * Where, by index.
   */
  circumstance: number;
  /**
   * All games.
   */
  games: number;
  /**
   * The mean value.
   */
  mean: number;
  /**
   * What was looked at. An empty key means that the text is the author's own.
   */
  name: Message;
  /**
   * How the seats did by ranges of the value.
   */
  ranges: StudyRange[];
  /**
   * The titles of the seats.
   */
  seats: Message[];
  /**
   * Games in which there was something to measure.
   */
  seen: number;
}
/**
 * Games in which a value lay in a range.
 */
export interface StudyRange {
  /**
   * The smallest value.
   */
  from: number;
  /**
   * Games.
   */
  games: number;
  /**
   * The share of points of each seat.
   */
  shares: number[];
  /**
   * The largest value; `null` stands for games in which it did not happen.
   */
  to: number | null;
}
/**
 * What the games of a study can show, and what others would take.
 */
export interface StudyOutlook {
  /**
   * How far from even a score has to be that so many games of a setting show.
   */
  curve: StudyReach[];
  /**
   * The most games of each setting.
   */
  games: number;
  /**
   * What the study shows, and what it takes to show less.
   */
  rows: StudyCost[];
}
/**
 * What so many games of a setting are likely to show.
 */
export interface StudyReach {
  /**
   * The same for every circumstance by itself; `null` also if there is one alone.
   */
  each: number | null;
  /**
   * The games, under all circumstances together.
   */
  games: number;
  /**
   * How far from even a main effect has to be; `null` if none would be shown.
   */
  main: number | null;
}
/**
 * What it takes to show a difference from even.
 */
export interface StudyCost {
  /**
   * The difference, a share of the points.
   */
  distance: number;
  /**
   * Whether it is to be shown under every circumstance by itself.
   */
  each: boolean;
  /**
   * The games of each setting.
   */
  games: number;
  /**
   * How long those of all settings take on one core, in seconds.
   */
  seconds: number;
}
/**
 * A value of something that is varied.
 */
export interface StudyValue {
  /**
   * What is varied.
   */
  factor: string;
  /**
   * The value.
   */
  value: number;
}
/**
 * A setting.
 */
export interface StudySetting {
  /**
   * What was varied; left out for the reference and where several things were.
   */
  factor?: string | null;
  /**
   * What it is called: its label, or how it differs from the reference, `tt=off`. An empty key means that the text is its author's own.
   */
  name: Message;
  /**
   * Its value, if that is a number.
   */
  value?: number | null;
}
/**
 * A study in a list.
 */
export interface StudySummary {
  /**
   * The number of main effects that came to a claim about strength.
   */
  claims: number;
  /**
   * The number of comparisons.
   */
  comparisons: number;
  /**
   * The number of comparisons that have ended.
   */
  ended: number;
  /**
   * The names of the games played, such as `othello`, each once.
   */
  games: string[];
  /**
   * Its name in links, `/studies/ID`.
   */
  id: string;
  /**
   * Its name.
   */
  name: string;
  /**
   * The most games there will be.
   */
  planned: number;
  /**
   * The number of games that have ended.
   */
  played: number;
  /**
   * Whether it is one of our own runs, which come with the program.
   */
  published: boolean;
  /**
   * What it asks; the text is empty if nobody has said so. An empty key means that the text is its author's own.
   */
  question: Message;
  /**
   * Whether it is the quick version: few games, and fixed nodes instead of time.
   */
  quick: boolean;
  /**
   * How far it has come.
   */
  state: StudyState;
  /**
   * When its results last changed, `2026-11-15T18:00:00Z`; left out for our own runs.
   */
  updated?: string | null;
}
/**
 * The studies that the server shows.
 */
export interface StudyList {
  /**
   * Whether there are more than are listed.
   */
  more: boolean;
  /**
   * The studies: running ones first, then those of directories with the most recently updated one first, then our own runs by name.
   */
  studies: StudySummary[];
}
/**
 * Games in a list.
 */
export interface TableList {
  /**
   * The games, the one in which something happened last first.
   */
  games: TableSummary[];
  /**
   * Whether there are more.
   */
  more: boolean;
}
/**
 * A game in a list.
 */
export interface TableSummary {
  /**
   * When it was opened.
   */
  created: string;
  /**
   * How it has ended; left out while it goes on.
   */
  end?: EndState | null;
  /**
   * The game's name.
   */
  game: string;
  /**
   * Its name in links.
   */
  id: string;
  /**
   * How its boards belong together.
   */
  mode: TableMode;
  /**
   * How many moves players have made.
   */
  moves: number;
  /**
   * The name of the lobby that it comes from, if it is played online.
   */
  name?: string | null;
  /**
   * All its options.
   */
  options: string;
  /**
   * Whether it is played online and anybody may find it.
   */
  public: boolean;
  /**
   * The seats from first place to last; empty while the game goes on.
   */
  ranking: number[][];
  /**
   * The points of each board in games for one.
   */
  scores: number[];
  /**
   * Who plays.
   */
  seats: SeatState[];
  /**
   * When something happened last.
   */
  updated: string;
  /**
   * How many browsers follow it.
   */
  watchers: number;
  /**
   * Whether it is the turn of somebody at this browser.
   */
  yourTurn: boolean;
}
/**
 * Games of a tournament.
 */
export interface TournamentGames {
  /**
   * The games, latest first: those being played, then those that have ended.
   */
  games: TournamentGame[];
  /**
   * The number of games that match the question.
   */
  total: number;
}
/**
 * What a search found, and the tree in which it found it.
 */
export interface TreeAnswer {
  /**
   * The best move.
   */
  best: string;
  /**
   * The bot, as it searched.
   */
  bot: string;
  /**
   * How the search expects the game to go on.
   */
  line: string[];
  /**
   * Moves made in the search, those of quiescence and playouts included.
   */
  nodes: number;
  /**
   * How much one unit of the evaluation counts, such as one disc: values are to be divided by it to be read.
   */
  one: number;
  /**
   * The position that was searched, after chance has acted where it was its turn.
   */
  position: string;
  /**
   * Values beyond this, either way, are wins and losses that have been found; others are opinions of the evaluation.
   */
  proven: number;
  /**
   * The seat to move in it, from 0.
   */
  seat: number;
  /**
   * The tree.
   */
  tree: SearchTree;
  /**
   * The value of a win on the spot in alpha-beta: `win - n` is a win after `n` plies.
   */
  win: number;
}
/**
 * The tree of alpha-beta. All values are those of the seat to move at the root.
 */
export interface WindowTree {
  /**
   * Whether the search came to its end before a limit of the server.
   */
  finished: boolean;
  /**
   * The nodes, at most 5000: the root, then ply by ply. The children of a node are neighbours, in the order of the search, branches
   * that were left out last.
   */
  nodes: TreeNode[];
  /**
   * The searches from the root, in order; the tree is that of the last one.
   */
  passes: TreePass[];
  /**
   * How many branches were left out in all.
   */
  pruned: number;
  /**
   * What happened in the last search, step by step, as far as its nodes are among those sent; at most four steps for each of them.
   */
  steps: TreeStep[];
  /**
   * How many nodes were visited in all.
   */
  visited: number;
}
/**
 * A node, or a branch that was left out: such a branch has a move and a fate, but no value.
 */
export interface TreeNode {
  /**
   * What the maximising side was sure of already; left out if that was nothing.
   */
  alpha?: number | null;
  /**
   * What the minimising side was sure of already; left out if that was nothing.
   */
  beta?: number | null;
  /**
   * Whether that is a bound only.
   */
  bound?: TreeBound | null;
  /**
   * The move that is the reason, where one is: that which caused the cut-off, or which is the same by symmetry.
   */
  by?: string | null;
  /**
   * How many plies were left to search.
   */
  depth?: number | null;
  /**
   * What became of it.
   */
  fate: TreeFate;
  /**
   * How many nodes and branches below are not among those sent.
   */
  hidden?: number;
  /**
   * The move that led here; left out at the root and where the search looked at the position without a move.
   */
  move?: string | null;
  /**
   * The index of the node above; left out at the root.
   */
  parent?: number | null;
  /**
   * Why the search came here, if not to find the value.
   */
  purpose?: TreePurpose | null;
  /**
   * What the node is worth; left out for branches that were not searched.
   */
  value?: number | null;
}
/**
 * One search from the root.
 */
export interface TreePass {
  /**
   * The lower end of its window; left out if it is open.
   */
  alpha?: number | null;
  /**
   * The upper end of its window; left out if it is open.
   */
  beta?: number | null;
  /**
   * Whether that is a bound only.
   */
  bound?: TreeBound | null;
  /**
   * Its depth in plies.
   */
  depth: number;
  /**
   * What it found.
   */
  value: number;
  /**
   * How many nodes it visited.
   */
  visited: number;
}
/**
 * Something that happened in a search.
 */
export interface TreeStep {
  /**
   * Where the window was moved: what the maximising side is sure of from then on; left out if that is nothing.
   */
  alpha?: number | null;
  /**
   * Where the window was moved: what the minimising side is sure of from then on; left out if that is nothing.
   */
  beta?: number | null;
  /**
   * The index of the node whose value moved an end of the window.
   */
  by?: number | null;
  /**
   * What happened.
   */
  event: TreeEvent;
  /**
   * The index of the node where it happened.
   */
  node: number;
}
/**
 * A tree that grew playout by playout. To see it grow, go through the steps and add their gains to the nodes on their ways.
 */
export interface PlayoutTree {
  /**
   * The exploration constant.
   */
  exploration: number;
  /**
   * The nodes, in the order in which they were visited first, the root first.
   */
  nodes: PlayoutNode[];
  /**
   * What happened, playout by playout.
   */
  steps: PlayoutStep[];
}
/**
 * A node of such a tree.
 */
export interface PlayoutNode {
  /**
   * How many children it has, the untried ones included.
   */
  children: number;
  /**
   * In which step, from 0, it was given them.
   */
  expanded?: number | null;
  /**
   * What led here; left out at the root.
   */
  move?: string | null;
  /**
   * The index of the node above; left out at the root.
   */
  parent?: number | null;
  /**
   * In which step its result was proven.
   */
  proven?: number | null;
  /**
   * What that result is to the player who chose the node: 1 for a win, 0 for a loss.
   */
  result?: number | null;
}
/**
 * One way down the tree, and what came of it.
 */
export interface PlayoutStep {
  /**
   * What the playout was worth, for each node on the way below the root, to the player who chose it: 0 to 1 with opponents, the
   * score alone; `null` where chance chose.
   */
  gains: (number | null)[];
  /**
   * The last node on the way.
   */
  leaf: number;
}
/**
 * A position whose search tree is wanted.
 */
export interface TreeQuestion {
  /**
   * The specification of a bot that searches by `alphabeta` or `mcts`; plain alpha-beta if left out, or `mcts` where the game
   * has no alpha-beta.
   */
  bot: string | null;
  /**
   * How many plies deep alpha-beta searches, from 1 to 4; 3 if left out.
   */
  depth: number | null;
  /**
   * The game's name.
   */
  game: string;
  /**
   * Moves that are made from there.
   */
  moves: string[];
  /**
   * Its options.
   */
  options: string;
  /**
   * How many playouts Monte-Carlo tree search makes, from 1 to 2000; 200 if left out.
   */
  playouts: number | null;
  /**
   * The position; the usual start if left out.
   */
  position: string | null;
}
