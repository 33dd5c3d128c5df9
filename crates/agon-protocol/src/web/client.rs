//! What browsers say.

use agon_core::view::Gesture;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::online::AbsenceChoice;

/// The longest message that a browser may send, in bytes.
pub const MAX_CLIENT_BYTES: usize = 8 << 10;
/// The longest message id, in bytes.
pub const MAX_MESSAGE_ID: usize = 64;

/// A message of a browser. Its `id` is chosen by the browser and comes back with the answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "kebab-case", rename_all_fields = "camelCase", deny_unknown_fields)]
pub enum ClientMessage {
    /// The first message.
    Hello {
        /// The version that the page speaks, [`PROTOCOL`](super::PROTOCOL).
        protocol: u32,
    },
    /// Follow a game: the answer is its state, or what has happened since `since`.
    Watch {
        /// Names the message.
        id: String,
        /// The game.
        game: String,
        /// The number of the last event that the page knows.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        since: Option<u64>,
    },
    /// Follow a game no longer.
    Unwatch {
        /// Names the message.
        id: String,
        /// The game.
        game: String,
    },
    /// Move for the seat to move.
    Move {
        /// Names the message. A move that is sent again under its name is made only once.
        id: String,
        /// The game.
        game: String,
        /// The board, from 0.
        #[serde(default)]
        board: usize,
        /// How many plies the sender knows of; the move is refused if others have been played meanwhile.
        ply: usize,
        /// The move; left out if it is made by a gesture.
        #[serde(rename = "move", default, skip_serializing_if = "Option::is_none")]
        token: Option<String>,
        /// Whether a person has typed it, in whatever way people write moves.
        #[serde(default)]
        typed: bool,
        /// The gesture that means the move, instead of the move. It is refused if it means several.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        gesture: Option<Gesture>,
    },
    /// Do anything else in a game.
    Act {
        /// Names the message. An action that is sent again under its name is done only once.
        id: String,
        /// The game.
        game: String,
        /// What.
        action: ClientAction,
    },
    /// Ask why a gesture is no legal move. The answer is `explained`.
    Explain {
        /// Names the message.
        id: String,
        /// The game.
        game: String,
        /// The board, from 0.
        board: usize,
        /// The gesture.
        gesture: Gesture,
    },
    /// Ask what a board looked like after so many plies. The answer is `looked`.
    Look {
        /// Names the message.
        id: String,
        /// The game.
        game: String,
        /// The board, from 0.
        board: usize,
        /// How many plies had been played.
        ply: usize,
    },
    /// Ask for a good move. The answer is `hinted`, as soon as it has been found.
    Hint {
        /// Names the message.
        id: String,
        /// The game.
        game: String,
        /// The board, from 0.
        board: usize,
    },
    /// Follow the list of open lobbies: all of them are told, then every change.
    WatchLobbies {
        /// Names the message.
        id: String,
    },
    /// Follow the list no longer.
    UnwatchLobbies {
        /// Names the message.
        id: String,
    },
    /// Follow a tournament, or the list of tournaments: how it stands is told at once and again with every change.
    WatchArena {
        /// Names the message.
        id: String,
        /// The tournament; the list if left out.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        tournament: Option<String>,
    },
    /// Follow it no longer.
    UnwatchArena {
        /// Names the message.
        id: String,
        /// The tournament; the list if left out.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        tournament: Option<String>,
    },
    /// Ask whether anybody is there. The answer is `ack`.
    Ping {
        /// Names the message.
        id: String,
    },
}

/// What the people in a game can do besides moving.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "do", rename_all = "kebab-case", rename_all_fields = "camelCase", deny_unknown_fields)]
pub enum ClientAction {
    /// Take the last choice back.
    TakeBack {
        /// The board, from 0.
        board: usize,
    },
    /// Agree to taking moves back, or not.
    AnswerTakeBack {
        /// Whether to agree.
        accept: bool,
    },
    /// Give up.
    Resign {
        /// The board, from 0.
        board: usize,
    },
    /// Offer a draw.
    OfferDraw,
    /// Accept a draw, or decline it.
    AnswerDraw {
        /// Whether to accept.
        accept: bool,
    },
    /// Have the bots wait.
    Pause,
    /// Have them go on.
    Resume,
    /// Have them make one move and wait again.
    Step,
    /// Set the least time from one move of a bot to the next.
    Pace {
        /// In milliseconds.
        millis: u32,
    },
    /// Have a bot finish its game at once, without pace: the computer's game of "computer first".
    Skip,
    /// Have somebody else play a seat from now on: `human` or the specification of a bot. In a lobby the host may set `open` or a bot on
    /// seats that no guest has taken.
    Seat {
        /// The seat, from 0.
        seat: usize,
        /// Who plays.
        occupant: String,
    },
    /// In a lobby: take an open seat, or change to it.
    Sit {
        /// The seat, from 0.
        seat: usize,
        /// By which name. In a private lobby it may be empty: whoever has the link is a guest.
        name: String,
        /// The key of the link, where the lobby is not public.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        key: Option<String>,
        /// Whether a program plays, which is shown as a bot.
        #[serde(default)]
        program: bool,
    },
    /// In a lobby: give all own seats up. A host who leaves hands the lobby on.
    Leave,
    /// In a lobby: remove a guest, who may not come back. Only the host may.
    Remove {
        /// The seat, from 0.
        seat: usize,
    },
    /// Say something to everybody. Those who have taken a seat may, and others where the terms allow it.
    Say {
        /// What: 1 to 300 characters of plain text.
        text: String,
        /// By which name somebody speaks who looks on; others go by the names of their seats.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        name: Option<String>,
    },
    /// Hear no more of what a player says, or hear it again.
    Mute {
        /// The seat, from 0.
        seat: usize,
        /// Whether to hear no more.
        muted: bool,
    },
    /// Choose what becomes of the seats of those who have been away for too long, where those present decide.
    DecideAbsence {
        /// What.
        choice: AbsenceChoice,
    },
    /// After the end: want to play again, or no longer.
    Rematch {
        /// Whether to.
        accept: bool,
    },
    /// Ask for a link by which an own seat moves to another device, once. The answer is `link`.
    HandOver {
        /// The seat, from 0.
        seat: usize,
    },
}
