//! What happens in a match, as it is stored and sent.
//!
//! Every event belongs to a board, the start of the match to the first one. The stored form is that of version [`SCHEMA`]; events of version 1
//! are converted when they are read, one by one, and keep their numbers: see [`LogEvent::from_json`].

use agon_core::Player;
use serde::{Deserialize, Serialize, Serializer};

use crate::action::{Action, Move, TakeBackTo};
use crate::clock::Millis;
use crate::end::{End, Fault};
use crate::seats::Seat;
use crate::setup::{BoardOrder, Goal, MatchSetup, Remark, Setup};

/// The version of the events' form.
pub const SCHEMA: u32 = 2;

/// Something that has happened. A match is the sum of its events: [`Match::replay`](crate::Match::replay) rebuilds it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum Event {
    /// The match began: always the first event, and only that.
    Started(Box<Started>),
    /// A board of a match of several was set up. What chance draws there at once follows.
    Opened {
        /// When.
        at: Millis,
    },
    /// A player moved, or chance drew.
    Played(Played),
    /// Plies were taken back, and an end with them.
    TakenBack {
        /// When.
        at: Millis,
        /// How many plies are left.
        to: usize,
        /// What is left on the clocks, as they were then; empty if nothing is carried over from move to move.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        clocks: Vec<Millis>,
    },
    /// Somebody else took a seat.
    SeatChanged {
        /// When.
        at: Millis,
        /// Which one.
        seat: Player,
        /// Who sits there now.
        by: Seat,
    },
    /// A player has left a game of three or more seats. The stand-in of the match's policy plays on; the seat is ranked last.
    Forfeited {
        /// When.
        at: Millis,
        /// Who.
        seat: Player,
        /// Why.
        reason: Fault,
        /// Why, in a sentence for people; may be empty.
        detail: String,
    },
    /// A player offered a draw. The offer stands until it is answered, the next move, or a change of seats.
    DrawOffered {
        /// When.
        at: Millis,
        /// Who.
        seat: Player,
    },
    /// A player accepted the draw.
    DrawAccepted {
        /// When.
        at: Millis,
        /// Who.
        seat: Player,
    },
    /// A player declined the draw, or withdrew the offer.
    DrawDeclined {
        /// When.
        at: Millis,
        /// Who.
        seat: Player,
    },
    /// A player asked for moves to be taken back.
    TakeBackRequested {
        /// When.
        at: Millis,
        /// Who.
        seat: Player,
        /// How many plies would be left.
        to: usize,
    },
    /// A player agreed to that.
    TakeBackGranted {
        /// When.
        at: Millis,
        /// Who.
        seat: Player,
    },
    /// A player did not agree, or withdrew the request.
    TakeBackDeclined {
        /// When.
        at: Millis,
        /// Who.
        seat: Player,
    },
    /// The clocks were stopped.
    Paused {
        /// When.
        at: Millis,
    },
    /// The clocks run again.
    Resumed {
        /// When.
        at: Millis,
    },
    /// A player's connection is dead. In their turn, their clock stands from `since` on, as long as the policy of the match allows.
    Interrupted {
        /// When that was noticed.
        at: Millis,
        /// Who.
        seat: Player,
        /// Since when nothing has been heard.
        since: Millis,
    },
    /// The player is heard again, and the clock runs.
    Reconnected {
        /// When.
        at: Millis,
        /// Who.
        seat: Player,
    },
    /// The game on this board is over.
    Ended {
        /// When.
        at: Millis,
        /// How.
        end: End,
    },
}

/// How a match began.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "StoredStart")]
pub struct Started {
    /// The version of the events' form, [`SCHEMA`].
    pub schema: u32,
    /// When.
    pub at: Millis,
    /// The game's name.
    pub game: String,
    /// All its options.
    pub options: String,
    /// Boards, players, policy, and what was played before.
    #[serde(flatten)]
    pub setup: MatchSetup,
    /// What fixes all randomness; hidden from the players until the match is over.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "seed_text")]
    pub seed: Option<u64>,
}

/// How the start of a match is read: version 1 had one `setup` for a match and a list of `boards` for a race.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct StoredStart {
    schema: u32,
    at: Millis,
    game: String,
    options: String,
    #[serde(default)]
    setup: Option<Setup>,
    #[serde(default)]
    boards: Vec<Setup>,
    #[serde(default)]
    order: BoardOrder,
    #[serde(default)]
    goal: Goal,
    #[serde(default, with = "seed_text")]
    seed: Option<u64>,
}

impl TryFrom<StoredStart> for Started {
    type Error = &'static str;

    fn try_from(stored: StoredStart) -> Result<Self, Self::Error> {
        let StoredStart { schema, at, game, options, setup, mut boards, order, goal, seed } = stored;
        match (schema, setup) {
            (1, Some(setup)) if boards.is_empty() => boards.push(setup),
            (_, None) if !boards.is_empty() => {}
            _ => return Err("a match starts with one setup for every board"),
        }
        let schema = if schema == 1 { SCHEMA } else { schema };
        Ok(Self { schema, at, game, options, setup: MatchSetup { boards, order, goal }, seed })
    }
}

/// A ply.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Played {
    /// When.
    pub at: Millis,
    /// Who moved; nobody if chance drew.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seat: Option<Player>,
    /// The move.
    pub token: String,
    /// How long it took.
    pub spent: Millis,
    /// What is left on all clocks after it; empty if nothing is carried over from move to move.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub clocks: Vec<Millis>,
    /// Whether it came too late, where that is merely counted.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub late: bool,
    /// What its player thought of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub remark: Option<Remark>,
}

impl Event {
    /// When it happened.
    pub fn at(&self) -> Millis {
        match self {
            Self::Started(started) => started.at,
            Self::Played(played) => played.at,
            Self::Opened { at }
            | Self::TakenBack { at, .. }
            | Self::SeatChanged { at, .. }
            | Self::Forfeited { at, .. }
            | Self::DrawOffered { at, .. }
            | Self::DrawAccepted { at, .. }
            | Self::DrawDeclined { at, .. }
            | Self::TakeBackRequested { at, .. }
            | Self::TakeBackGranted { at, .. }
            | Self::TakeBackDeclined { at, .. }
            | Self::Paused { at }
            | Self::Resumed { at }
            | Self::Interrupted { at, .. }
            | Self::Reconnected { at, .. }
            | Self::Ended { at, .. } => *at,
        }
    }

    /// Whether somebody else plays a seat now.
    pub fn changes_seats(&self) -> bool {
        matches!(self, Self::SeatChanged { .. } | Self::Forfeited { .. })
    }

    /// The action that has this event as its first one; `None` if only other events lead to it.
    pub(crate) fn cause(&self) -> Option<Action> {
        Some(match self.clone() {
            Self::Played(Played { seat: Some(seat), token, spent, remark, .. }) => {
                Action::Move(Move { spent: Some(spent), remark, ..Move::new(seat, token) })
            }
            Self::Started(_) | Self::Opened { .. } | Self::Played(_) | Self::TakenBack { .. } => return None,
            Self::SeatChanged { seat, by, .. } => Action::ReplaceSeat(seat, by),
            Self::Forfeited { seat, reason, detail, .. } => Action::Fault { seat, reason, detail },
            Self::DrawOffered { seat, .. } => Action::OfferDraw(seat),
            Self::DrawAccepted { seat, .. } => Action::AcceptDraw(seat),
            Self::DrawDeclined { seat, .. } => Action::DeclineDraw(seat),
            Self::TakeBackRequested { seat, to, .. } => Action::RequestTakeBack(seat, TakeBackTo::Ply(to)),
            Self::TakeBackGranted { seat, .. } => Action::GrantTakeBack(seat),
            Self::TakeBackDeclined { seat, .. } => Action::DeclineTakeBack(seat),
            Self::Paused { .. } => Action::Pause,
            Self::Resumed { .. } => Action::Resume,
            Self::Interrupted { seat, since, .. } => Action::Interrupt(seat, since),
            Self::Reconnected { seat, .. } => Action::Reconnect(seat),
            Self::Ended { end, .. } => Action::Conclude(end),
        })
    }
}

/// An event and the board that it belongs to.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct LogEvent {
    /// The board's index.
    #[serde(default)]
    pub board: usize,
    /// What has happened.
    #[serde(flatten)]
    pub event: Event,
}

impl LogEvent {
    /// Reads a stored event of version 1 or 2. Version 1 wrapped what happened in a race, and had every board of it start like a match.
    ///
    /// # Errors
    /// If it is not the JSON text of an event.
    pub fn from_json(text: impl AsRef<[u8]>) -> Result<Self, serde_json::Error> {
        let text = text.as_ref();
        serde_json::from_slice(text).or_else(|error| Wrapped::read(text).ok_or(error))
    }
}

/// What happened on a board of a race in version 1.
#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
enum Wrapped {
    Board { board: usize, event: Event },
}

impl Wrapped {
    fn read(text: &[u8]) -> Option<LogEvent> {
        let Self::Board { board, event } = serde_json::from_slice(text).ok()?;
        let event = match event {
            Event::Started(started) => Event::Opened { at: started.at },
            event => event,
        };
        Some(LogEvent { board, event })
    }
}

impl Serialize for LogEvent {
    /// The first board goes without saying.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct OnBoard<'a> {
            #[serde(flatten)]
            event: &'a Event,
            board: usize,
        }
        let Self { board, event } = self;
        match *board {
            0 => event.serialize(serializer),
            board => OnBoard { event, board }.serialize(serializer),
        }
    }
}

/// Seeds as decimal text: JSON's readers in browsers round numbers of this size.
pub(crate) mod seed_text {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(crate) fn serialize<S: Serializer>(seed: &Option<u64>, serializer: S) -> Result<S::Ok, S::Error> {
        seed.map(|seed| seed.to_string()).serialize(serializer)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u64>, D::Error> {
        let text = Option::<String>::deserialize(deserializer)?;
        let read = |text: String| agon_core::text::number(&text, 0..=u64::MAX);
        text.map(read).transpose().map_err(serde::de::Error::custom)
    }
}
