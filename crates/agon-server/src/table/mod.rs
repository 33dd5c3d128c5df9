//! The tasks of tables. What a table does is decided in [`agon_table`]; a [`driver`] does it. A game that is played elsewhere is a
//! [`spectated`] one, which takes the same commands.

mod driver;
pub mod journal;
pub mod spectated;
mod watchers;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use agon_erased::Opened;
use agon_messages::Refused;
use agon_protocol::web::ServerMessage;
use agon_protocol::web::TableState;
use agon_protocol::web::api::{PlyList, TableSummary};
use agon_table::view::changes::PlyRange;
use agon_table::{ConnectionId, KeyHash, VisitorId};
use axum::extract::ws::Utf8Bytes;
use tokio::sync::{mpsc, oneshot};

pub use driver::{size_of, spawn};

use crate::bots::Requester;

/// How the task of a table is told what to do.
pub type TableHandle = mpsc::Sender<TaskCommand>;

/// What the task of a table is told.
pub enum TaskCommand {
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
    /// Anything else that the table itself understands.
    Table(agon_table::Command),
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
        /// Which.
        range: PlyRange,
        /// Who waits.
        reply: oneshot::Sender<Result<PlyList, Refused>>,
    },
    /// The rules, and a board whose game is over, to be looked back at.
    Finished {
        /// The board.
        board: usize,
        /// Who waits.
        reply: oneshot::Sender<Result<Opened, Refused>>,
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
    /// It is to leave memory, unless somebody follows it.
    Retire,
    /// What is stored of it changes or goes: the table ends, and leaves its followers and what it was told since to whoever asks.
    HandOver(oneshot::Sender<(Vec<Follower>, Vec<TaskCommand>)>),
    /// The server stops: all are told, and the table ends.
    Stop(oneshot::Sender<()>),
}

/// A connection as a table knows it.
#[derive(Clone)]
pub struct Follower {
    /// Its name.
    pub id: ConnectionId,
    /// Whose browser it is, and where.
    pub requester: Requester,
    /// Where its messages go.
    pub outbox: Outbox,
    /// Whether clocks run at the table, so that its silence is to be noticed soon; set by the table.
    pub is_timed: Arc<AtomicBool>,
}

impl Follower {
    /// As the table itself knows it.
    pub fn at_table(&self) -> agon_table::Follower {
        agon_table::Follower { id: self.id, visitor: self.requester.visitor }
    }
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

/// About how long an update or a state is, and anything else, in bytes. A text that begins with too little room is copied again and
/// again while it is written.
const LONG: usize = 2 << 10;
const SHORT: usize = 128;

/// A message as it is sent.
pub fn message_text(message: &ServerMessage) -> Option<Utf8Bytes> {
    let is_long = matches!(message, ServerMessage::Event(_) | ServerMessage::State { .. });
    let mut text = Vec::with_capacity(if is_long { LONG } else { SHORT });
    match serde_json::to_writer(&mut text, message) {
        // JSON is always UTF-8.
        Ok(()) => Utf8Bytes::try_from(text).ok(),
        Err(error) => {
            // Only numbers that JSON does not know could do that, and they are left out where they arise.
            tracing::error!(%error, "a message cannot be written");
            None
        }
    }
}
