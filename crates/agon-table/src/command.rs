//! What a table is told.

use std::time::Duration;

use agon_core::view::Gesture;
use agon_erased::Thought;
use agon_match::{Millis, MoveRequest};
use agon_protocol::web::ClientAction;

use crate::effect::KeyHash;
use crate::{ConnectionId, VisitorId};

/// Somebody who follows a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Follower {
    /// The connection.
    pub id: ConnectionId,
    /// Whose browser it is.
    pub visitor: VisitorId,
}

/// What a table is told.
#[derive(Clone, Debug)]
pub enum Command {
    /// Somebody wants to follow it.
    Join {
        /// Who.
        follower: Follower,
        /// The message that asks for it.
        id: String,
        /// The last event that they know.
        since: Option<u64>,
    },
    /// Its game begins, and these come from the lobby.
    Begin(Vec<Follower>),
    /// Somebody follows it no longer.
    Leave(ConnectionId),
    /// Nothing has been heard of a connection for a while: it may be dead.
    Silent {
        /// The connection.
        connection: ConnectionId,
        /// For how long.
        silent_for: Duration,
    },
    /// A connection that was silent is heard again.
    Heard(ConnectionId),
    /// A follower moves.
    Move {
        /// Who.
        from: ConnectionId,
        /// Names the message.
        id: String,
        /// The move.
        attempt: MoveAttempt,
    },
    /// A follower does anything else.
    Act {
        /// Who.
        from: ConnectionId,
        /// Names the message.
        id: String,
        /// What.
        action: ClientAction,
    },
    /// A follower asks something.
    Ask {
        /// Who.
        from: ConnectionId,
        /// Names the message.
        id: String,
        /// The board.
        board: usize,
        /// What.
        question: Question,
    },
    /// Whether its bots may think, which was [asked for](crate::Effect::ReserveBots).
    BotsReserved(bool),
    /// Something is heard of a bot.
    BotNews {
        /// Which question it was asked.
        number: u64,
        /// What.
        news: BotNews,
    },
    /// Somebody has the key to a seat. It is answered by [`Effect::SeatTaken`](crate::Effect::SeatTaken).
    TakeSeat {
        /// The seat.
        seat: usize,
        /// Whose browser it is.
        visitor: VisitorId,
        /// What is kept of the key.
        key: KeyHash,
    },
    /// The table is to be looked after although nobody may follow it; the date is in seconds since 1970.
    Overdue(u64),
    /// Time has passed.
    Tick,
    /// The driver stops.
    Stop,
}

/// A move as a follower asks for it.
#[derive(Clone, Debug, PartialEq)]
pub struct MoveAttempt {
    /// The board, from 0.
    pub board: usize,
    /// How many plies the follower knows of.
    pub ply: usize,
    /// The move.
    pub request: MoveRequest,
    /// How long a message takes from the follower and back, as far as that has been measured.
    pub delay: Millis,
}

/// What a follower may ask about a board.
#[derive(Clone, Debug, PartialEq)]
pub enum Question {
    /// Why a gesture is no legal move.
    Explain(Gesture),
    /// What the board looked like after so many plies.
    Look(usize),
    /// A good move.
    Hint,
}

/// What is heard of a bot.
#[derive(Clone, Debug)]
pub enum BotNews {
    /// Its place in a line, from 1; 0 once it thinks.
    Waiting(usize),
    /// What it has found so far.
    Thought(Thought<String>),
    /// Its move, and how long it took.
    Answer(Thought<String>, Duration),
    /// It cannot move.
    Failed(String),
}
