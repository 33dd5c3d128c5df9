//! What the server says over a WebSocket.

use agon_core::Message;
use agon_core::view::{Cell, Piece, Spot, Step, Token};
use schemars::JsonSchema;
use serde::Serialize;

use super::arena::{Tournament, TournamentList};
use super::online::{ChatLine, LobbyInfo, LobbyState, Presence, RematchState};
use super::state::{BoardFacts, BoardPicture, PlyState, ScoreState, TableState};

/// A message of the server.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(tag = "type", rename_all = "kebab-case", rename_all_fields = "camelCase")]
pub enum ServerMessage {
    /// The first message.
    Welcome {
        /// The version that the server speaks.
        protocol: u32,
        /// The build of the server's web app. A page of another build should load itself anew when it is convenient.
        build: String,
    },
    /// What was asked for has been done, or had been done before.
    Ack {
        /// The message that is answered.
        id: String,
        /// The number of the last event that it led to.
        #[serde(skip_serializing_if = "Option::is_none")]
        seq: Option<u64>,
    },
    /// What was asked for has not been done; nothing has changed.
    Error {
        /// The message that is answered; `null` if it could not be read so far.
        id: Option<String>,
        /// Why, for programs.
        code: RefusalCode,
        /// Why, for people.
        message: Message,
        /// The field of the message that is wrong, where one is.
        #[serde(skip_serializing_if = "Option::is_none")]
        field: Option<String>,
    },
    /// A game as it stands.
    State {
        /// The game.
        game: String,
        /// How it stands.
        state: Box<TableState>,
    },
    /// Something has happened in a game.
    Event(Box<Update>),
    /// What a board looked like.
    Looked {
        /// The message that is answered.
        id: String,
        /// After how many plies.
        ply: usize,
        /// The board.
        picture: Box<BoardPicture>,
        /// The same in figures. Moves, clocks and offers are left out.
        facts: Box<BoardFacts>,
    },
    /// Why a gesture is no legal move.
    Explained {
        /// The message that is answered.
        id: String,
        /// Why; `null` if it is one.
        message: Option<Message>,
    },
    /// A good move.
    Hinted {
        /// The message that is answered.
        id: String,
        /// After how many plies it is to be played.
        ply: usize,
        /// The move.
        token: String,
        /// What it is worth to the player to move.
        score: Option<ScoreState>,
    },
    /// A bot thinks.
    Thinking(Box<Thinking>),
    /// A bot waits until the server has time for it.
    Waiting {
        /// The game.
        game: String,
        /// The board, from 0.
        board: usize,
        /// Its place in the line, from 1; 0 once it is its turn.
        place: usize,
    },
    /// How many browsers follow a game.
    Watchers {
        /// The game.
        game: String,
        /// How many.
        count: usize,
    },
    /// A lobby as it stands: told to whoever watches its id, again with every change.
    Lobby(Box<LobbyState>),
    /// Open lobbies, for those who follow the list.
    Lobbies {
        /// Whether this is the beginning of the whole list: forget what you know.
        reset: bool,
        /// Lobbies that are new or have changed.
        lobbies: Vec<LobbyInfo>,
        /// The ids of those that have started, filled up beyond joining, or closed.
        gone: Vec<String>,
    },
    /// A lobby has closed without a game, or a tournament has been removed.
    Gone {
        /// The lobby or tournament.
        game: String,
        /// Why.
        message: Message,
    },
    /// Something that the people in a lobby or game may like to know: somebody has come, left or been removed.
    Notice {
        /// The lobby or game.
        game: String,
        /// What.
        message: Message,
    },
    /// Who is there; told with every change.
    Presence {
        /// The game.
        game: String,
        /// One for each seat; `null` where no person plays.
        seats: Vec<Option<Presence>>,
        /// How many browsers look on that hold no seat.
        spectators: usize,
    },
    /// What has been said: all that is known when a browser begins to watch, then each new line.
    Chat {
        /// The lobby or game.
        game: String,
        /// The lines, oldest first.
        lines: Vec<ChatLine>,
    },
    /// Who wants to play again, and the next game once all do.
    Rematch {
        /// The game that is over.
        game: String,
        /// Who, and where.
        rematch: RematchState,
    },
    /// The list of tournaments, for those who follow it.
    Arena(Box<TournamentList>),
    /// A tournament as it stands, for those who follow it. One that is removed is told as `gone`.
    Tournament {
        /// Its id.
        tournament: String,
        /// How it stands.
        state: Box<Tournament>,
    },
    /// The key of a link, `/join/KEY`.
    Link {
        /// The message that is answered.
        id: String,
        /// The key.
        key: String,
    },
}

/// What has changed in a game.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Update {
    /// The game.
    pub game: String,
    /// The number of the last event before.
    pub from: u64,
    /// The number of the last event now. A page that does not know of the event `from` must watch the game anew.
    pub seq: u64,
    /// The boards on which something has changed.
    pub boards: Vec<BoardUpdate>,
    /// Whether the bots wait.
    pub paused: bool,
    /// Whether they play on as fast as they can, to be shown once none of them is to move.
    pub skipping: bool,
    /// The least time from one move of a bot to the next, in milliseconds.
    pub pace: u32,
    /// The seats from first place to last, those that share a place together; empty before that is decided.
    pub ranking: Vec<Vec<usize>>,
}

/// What has changed on one board.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct BoardUpdate {
    /// The board, from 0.
    pub board: usize,
    /// How many of the plies from before are left: fewer than there were if some were taken back.
    pub kept: usize,
    /// The plies that were added behind them.
    pub plies: Vec<PlyState>,
    /// What each of these has done, in the same order, to be shown one after the other; empty if there were too many to be shown.
    pub steps: Vec<Step>,
    /// The places that have changed, as they are now.
    pub changes: Vec<Change>,
    /// Everything else about the board.
    pub facts: BoardFacts,
}

/// Places of a board that have become alike.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Change {
    /// Where.
    pub spots: Vec<Spot>,
    /// The token of their ground's style; left out for plain ground.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ground: Option<Token>,
    /// Who stands there now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub piece: Option<Piece>,
}

impl Change {
    /// What has become of these cells, in the order in which places of each kind come first.
    pub fn of(cells: impl IntoIterator<Item = Cell>) -> Vec<Self> {
        let mut changes: Vec<Self> = Vec::new();
        for Cell { spot, ground, piece } in cells {
            match changes.iter_mut().find(|change| (change.ground, change.piece) == (ground, piece)) {
                Some(alike) => alike.spots.push(spot),
                None => changes.push(Self { spots: vec![spot], ground, piece }),
            }
        }
        changes
    }
}

/// What a bot that thinks has found so far.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Thinking {
    /// The game.
    pub game: String,
    /// The board, from 0.
    pub board: usize,
    /// The seat.
    pub seat: usize,
    /// How many plies had been played.
    pub ply: usize,
    /// How deep it looks, in plies.
    pub depth: u32,
    /// How many moves it has made in its search.
    pub nodes: u64,
    /// The same by the second.
    pub nodes_per_second: u64,
    /// What the position is worth to it.
    pub score: Option<ScoreState>,
    /// How it expects the game to go on.
    pub line: Vec<String>,
}

/// Why a message was refused, for programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum RefusalCode {
    /// The message is not one of the protocol.
    Malformed,
    /// It is larger than allowed.
    TooLarge,
    /// Messages come faster than allowed.
    TooFast,
    /// The page speaks another version of the protocol.
    Version,
    /// There is no such game, board, seat or ply.
    Unknown,
    /// Only whoever opened the game, holds the seat or has the admin token may do that.
    Forbidden,
    /// It is switched off on this server.
    Disabled,
    /// Another player is to move.
    NotYourTurn,
    /// Other plies have been played meanwhile.
    Stale,
    /// The move is not legal.
    Illegal,
    /// It cannot be done as the game stands.
    State,
    /// An option, a bot or a record does not hold.
    Invalid,
    /// A name or a seat is taken. Where it is a name, the argument `name` of the message is a free one.
    Taken,
    /// All seats of a lobby are taken.
    Full,
    /// The lobby is gone.
    Gone,
    /// The game of the lobby has started.
    Started,
    /// The server allows no more at a time.
    Limit,
    /// The server cannot store it now.
    Storage,
    /// The server is stopping.
    Stopping,
}

#[cfg(test)]
mod tests {
    use agon_core::Player;

    use super::*;

    #[test]
    fn places_that_have_become_alike_are_told_together() {
        let piece = |owner| Some(Piece { style: "disc", owner: Player(owner), number: None });
        let cell = |column, ground, piece| Cell { spot: Spot::new(0, column), ground, piece };
        let cells = [
            cell(0, None, piece(0)),
            cell(1, None, None),
            cell(2, None, piece(0)),
            cell(3, Some("camp"), None),
        ];
        let changes = Change::of(cells);
        let spots: Vec<Vec<u8>> =
            changes.iter().map(|change| change.spots.iter().map(|spot| spot.column).collect()).collect();
        assert_eq!(spots, [vec![0, 2], vec![1], vec![3]]);
        assert_eq!((changes[0].piece, changes[1].piece, changes[2].ground), (piece(0), None, Some("camp")));
    }
}
