//! What a table wants to have done.

use std::sync::Arc;
use std::time::Duration;

use agon_core::Player;
use agon_erased::{Limits, Rules, Session};
use agon_match::Occupant;
use agon_messages::Refused;
use agon_protocol::web::ServerMessage;

use crate::online::Start;
use crate::{ConnectionId, TableId, VisitorId};

/// Something that a driver does for a table, in the order in which it was said.
pub enum Effect {
    /// Store this, all of it or nothing. If that fails, everything behind it is dropped.
    Store(Box<Write>),
    /// Open another table. If that fails, everything behind it is dropped, as if it could not be stored.
    OpenTable(Box<Start>),
    /// Tell these followers this.
    Tell(Vec<ConnectionId>, Box<ServerMessage>),
    /// The answer to [`Command::TakeSeat`](crate::Command::TakeSeat).
    SeatTaken(Result<(), Refused>),
    /// Find out whether the bots of this table may think now, and say so by
    /// [`Command::BotsReserved`](crate::Command::BotsReserved).
    ReserveBots,
    /// They will not think any more.
    ReleaseBots,
    /// Ask a bot.
    AskBot(Box<BotQuestion>),
    /// The answer to the question of this number is not wanted any more.
    CancelBot(u64),
    /// Have time pass at this moment at the latest, on the driver's monotonic clock. It holds until the next one is named.
    WakeAt(Duration),
}

/// What a bot is asked.
pub struct BotQuestion {
    /// Names the question.
    pub number: u64,
    /// What for.
    pub purpose: Purpose,
    /// The board.
    pub board: usize,
    /// For whom it thinks.
    pub seat: Player,
    /// Which bot.
    pub occupant: Occupant,
    /// The rules.
    pub rules: Arc<dyn Rules>,
    /// The game as it stands.
    pub session: Box<dyn Session>,
    /// How much it may use by the clocks of the match.
    pub limits: Limits,
    /// What fixes its randomness.
    pub seed: u64,
}

/// What a bot thinks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// To move.
    Move,
    /// To give a hint to the person to move.
    Hint,
}

/// The hash of the key of a link.
pub type KeyHash = [u8; 32];

/// Why something was not stored.
#[derive(Clone, Debug, PartialEq)]
pub enum StoreFailure {
    /// Somebody else has used the key meanwhile.
    Conflict,
    /// Nothing can be stored at the moment.
    Unavailable,
    /// There is no room for it.
    Refused(Refused),
}

/// What is stored together: all of it or nothing.
#[derive(Clone, Debug, Default)]
pub struct Write {
    /// The table.
    pub table: TableId,
    /// A change of what has been set there.
    pub change: Option<Change>,
    /// Further events.
    pub events: Option<Append>,
    /// A line of chat.
    pub line: Option<NewLine>,
}

/// Events to be stored behind those that a table has.
#[derive(Clone, Debug)]
pub struct Append {
    /// How many events it has already.
    pub known: u64,
    /// What comes behind them.
    pub events: Vec<NewEvent>,
    /// Who plays now, as JSON; `None` if that has not changed.
    pub head: Option<String>,
    /// How the game stands now, as JSON.
    pub status: String,
    /// Whether its game is over now.
    pub over: bool,
    /// When it is to be looked after, in seconds since 1970.
    pub deadline: Option<u64>,
    /// Whether these events must survive a failure of power.
    pub ends: bool,
}

/// An event to be stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewEvent {
    /// The version of its form.
    pub schema: u32,
    /// The follower's name for what led to it.
    pub message: Option<String>,
    /// The event as JSON.
    pub body: String,
}

/// A change of what has been set at a table.
#[derive(Clone, Debug)]
pub struct Change {
    /// What has been set, as JSON.
    pub settings: String,
    /// Who holds its seats from now on; `None` if that has not changed.
    pub holders: Option<Vec<(usize, VisitorId)>>,
    /// What becomes of a key.
    pub key: Option<KeyChange>,
}

/// What becomes of a key.
#[derive(Clone, Debug)]
pub enum KeyChange {
    /// This key is good for a seat from now on, in place of an earlier one.
    Made(String, usize),
    /// The key with this hash has been used. If it is not known any more, nothing changes.
    Used(KeyHash),
}

/// A line of chat to be stored.
#[derive(Clone, Debug)]
pub struct NewLine {
    /// Its number.
    pub seq: u64,
    /// The follower's name for the message that brought it.
    pub message: String,
    /// The line as JSON.
    pub body: String,
}

/// Effects in the order in which they are to be performed.
#[derive(Default)]
pub(crate) struct Effects(Vec<Effect>);

impl Effects {
    pub(crate) fn push(&mut self, effect: Effect) {
        self.0.push(effect);
    }

    /// Tells one follower something.
    pub(crate) fn tell(&mut self, to: ConnectionId, message: ServerMessage) {
        self.push(Effect::Tell(vec![to], Box::new(message)));
    }

    /// Answers a message by an acknowledgement, with the number of the last event that it led to, or by a refusal.
    pub(crate) fn answer(&mut self, to: ConnectionId, id: String, done: Result<Option<u64>, Refused>) {
        self.tell(
            to,
            match done {
                Ok(seq) => ServerMessage::Ack { id, seq },
                Err(Refused { code, message, field }) => {
                    ServerMessage::Error { id: Some(id), code, message, field }
                }
            },
        );
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// Puts effects before those from the index `at` on.
    pub(crate) fn insert(&mut self, at: usize, effect: Effect) {
        self.0.insert(at, effect);
    }

    pub(crate) fn into_vec(self) -> Vec<Effect> {
        self.0
    }
}
