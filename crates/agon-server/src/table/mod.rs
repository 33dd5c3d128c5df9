//! A table: what is played there, who follows it, and what they are told.
//!
//! Every table that somebody follows is a task of its own ([`actor`]), which takes [`Command`]s one after the other: it applies an action to
//! the game, stores the events, and only then tells anybody. A table that nobody follows is not in memory. A game that is played elsewhere is
//! a [`spectated`] one, which takes the same commands.

mod actor;
mod acts;
mod bots;
pub mod chat;
mod driving;
pub mod journal;
pub mod online;
pub mod picture;
pub mod play;
mod presence;
mod scene;
mod social;
pub mod spectated;
pub mod summary;
mod telling;
mod watchers;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use agon_core::view::Gesture;
use agon_match::MoveRequest;
use agon_protocol::web::api::{PlyList, TableSummary};
use agon_protocol::web::{ClientAction, ServerMessage, TableState};
use axum::extract::ws::Utf8Bytes;
use serde::{Deserialize, Serialize};
use tokio::sync::{mpsc, oneshot};

pub use actor::{Opening, spawn};

use crate::bots::News;
use crate::store::{KeyHash, VisitorId};
use crate::words::Refused;

/// Names a connection of a browser.
pub type ConnectionId = u64;

/// How a table is told what to do.
pub type TableHandle = mpsc::Sender<Command>;

/// The slowest pace that can be set, in milliseconds.
pub const MAX_PACE: u32 = 60_000;

/// What a table is told.
pub enum Command {
    /// A browser wants to follow it.
    Join {
        /// The connection.
        connection: Follower,
        /// The message that asks for it.
        id: String,
        /// The last event that the browser knows.
        since: Option<u64>,
    },
    /// Its game begins, and these come from the lobby.
    Begin(Vec<Follower>),
    /// A browser follows it no longer.
    Leave(ConnectionId),
    /// A browser does something.
    Act {
        /// Which connection.
        from: ConnectionId,
        /// Names the message.
        id: String,
        /// What.
        action: ClientAction,
    },
    /// A browser moves.
    Move {
        /// Which connection.
        from: ConnectionId,
        /// Names the message.
        id: String,
        /// What.
        wish: MoveWish,
    },
    /// A browser asks something.
    Ask {
        /// Which connection.
        from: ConnectionId,
        /// Names the message.
        id: String,
        /// The board.
        board: usize,
        /// What.
        question: Ask,
    },
    /// Something is heard of the bot of a board.
    Bot {
        /// The board.
        board: usize,
        /// Which question it was asked.
        number: u64,
        /// What.
        news: News,
    },
    /// A hint has been found, or not.
    Hint {
        /// Who asked.
        to: ConnectionId,
        /// Names the message.
        id: String,
        /// The board.
        board: usize,
        /// After how many plies it was asked.
        ply: usize,
        /// What.
        news: News,
    },
    /// The table as a browser sees it.
    State(VisitorId, oneshot::Sender<Box<TableState>>),
    /// What lists show of it to a browser.
    Summary(VisitorId, oneshot::Sender<Box<TableSummary>>),
    /// The record of what has been played.
    Record(oneshot::Sender<String>),
    /// Some plies of a board.
    Plies {
        /// The board.
        board: usize,
        /// The first one.
        from: usize,
        /// The one behind the last.
        to: usize,
        /// Who waits.
        reply: oneshot::Sender<Result<PlyList, Refused>>,
    },
    /// A browser has the key to a seat.
    TakeSeat {
        /// The seat.
        seat: usize,
        /// Whose browser it is.
        visitor: VisitorId,
        /// What is kept of the key.
        key: KeyHash,
        /// Who waits.
        reply: oneshot::Sender<Result<(), Refused>>,
    },
    /// The table is to be looked after although nobody may follow it; the time is in seconds since 1970.
    Overdue(u64),
    /// The server stops: all are told, and the table ends.
    Stop(oneshot::Sender<()>),
}

/// A move as a browser asks for it.
pub struct MoveWish {
    /// The board, from 0.
    pub board: usize,
    /// How many plies the browser knows of.
    pub ply: usize,
    /// The move.
    pub request: MoveRequest,
}

/// What a browser may ask about a board.
pub enum Ask {
    /// Why a gesture is no legal move.
    Explain(Gesture),
    /// What the board looked like after so many plies.
    Look(usize),
    /// A good move.
    Hint,
}

/// A connection as a table knows it.
#[derive(Clone)]
pub struct Follower {
    /// Its name.
    pub id: ConnectionId,
    /// Whose browser it is.
    pub visitor: VisitorId,
    /// Where its messages go.
    pub outbox: Outbox,
    /// How long a message takes there and back, in milliseconds, as far as that has been measured.
    pub delay: Arc<AtomicU32>,
}

/// The messages that wait to be sent over a connection. One that does not read them is given up.
#[derive(Clone)]
pub struct Outbox {
    messages: mpsc::Sender<Utf8Bytes>,
    /// Whether a message was lost because too many waited.
    given_up: Arc<AtomicBool>,
}

impl Outbox {
    /// An outbox for so many messages, and where they come out.
    pub fn new(capacity: usize) -> (Self, mpsc::Receiver<Utf8Bytes>) {
        let (messages, waiting) = mpsc::channel(capacity);
        (Self { messages, given_up: Arc::default() }, waiting)
    }

    /// Whether a message was lost because the connection had not read those before it.
    pub fn is_given_up(&self) -> bool {
        self.given_up.load(Ordering::Relaxed)
    }

    /// Sends a message that has been written already.
    pub fn send(&self, text: Utf8Bytes) {
        if let Err(mpsc::error::TrySendError::Full(_)) = self.messages.try_send(text) {
            self.given_up.store(true, Ordering::Relaxed);
        }
    }

    /// Answers a message by an acknowledgement, with the number of the last event that it led to, or by a refusal.
    pub fn answer(&self, id: String, done: Result<Option<u64>, Refused>) {
        match done {
            Ok(seq) => self.say(&ServerMessage::Ack { id, seq }),
            Err(refused) => self.refuse(Some(id), refused),
        }
    }

    /// Refuses a message.
    pub fn refuse(&self, id: Option<String>, refused: Refused) {
        metrics::counter!("agon_refusals_total").increment(1);
        let Refused { code, message, field } = refused;
        self.say(&ServerMessage::Error { id, code, message, field });
    }

    /// Writes a message and sends it.
    pub fn say(&self, message: &ServerMessage) {
        if let Some(text) = message_text(message) {
            self.send(text);
        }
    }
}

/// A message as it is sent.
pub fn message_text(message: &ServerMessage) -> Option<Utf8Bytes> {
    match serde_json::to_string(message) {
        Ok(text) => Some(text.into()),
        Err(error) => {
            // Only numbers that JSON does not know could do that, and they are left out where they arise.
            tracing::error!(%error, "a message cannot be written");
            None
        }
    }
}

/// A message's name together with its sender: others may use the same name.
pub(crate) fn scoped(visitor: &VisitorId, id: &str) -> String {
    let mut scoped = String::with_capacity(17 + id.len());
    for byte in &visitor[..8] {
        scoped
            .extend([byte >> 4, byte & 15].map(|digit| char::from(b"0123456789abcdef"[usize::from(digit)])));
    }
    scoped.push(' ');
    scoped.push_str(id);
    scoped
}

/// What has been set at a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct TableSettings {
    /// The least time from one move of a bot to the next, in milliseconds.
    pub pace: u32,
    /// Whether the bots wait.
    pub paused: bool,
    /// What online play adds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub online: Option<online::Online>,
}

impl Default for TableSettings {
    fn default() -> Self {
        Self { pace: 400, paused: false, online: None }
    }
}
