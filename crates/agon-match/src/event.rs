//! What happens in a match, as it is stored and sent.

use agon_core::Player;
use serde::{Deserialize, Serialize};

use crate::action::{Action, Move, TakeBackTo};
use crate::clock::Millis;
use crate::end::{End, Fault};
use crate::seats::Seat;
use crate::setup::{Remark, Setup};

/// The version of the events' form.
pub const SCHEMA: u32 = 1;

/// Something that has happened. A match is the sum of its events: [`Match::replay`](crate::Match::replay) rebuilds it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum Event {
    /// The match began: always the first event, and only that.
    Started(Box<Started>),
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
    /// The match is over.
    Ended {
        /// When.
        at: Millis,
        /// How.
        end: End,
    },
}

/// How a match began.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Started {
    /// The version of the events' form, [`SCHEMA`].
    pub schema: u32,
    /// When.
    pub at: Millis,
    /// The game's name.
    pub game: String,
    /// All its options.
    pub options: String,
    /// Players, policy, and what was played before.
    pub setup: Setup,
    /// What fixes all randomness; hidden from the players until the match is over.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "seed_text")]
    pub seed: Option<u64>,
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
            Self::TakenBack { at, .. }
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
            | Self::Ended { at, .. } => *at,
        }
    }

    /// The event as players may see it before the match is over: without the seed, from which all luck could be foretold.
    #[must_use]
    pub fn redacted(&self) -> Self {
        let mut event = self.clone();
        if let Self::Started(started) = &mut event {
            started.seed = None;
        }
        event
    }

    /// The action that has this event as its first one; `None` if only other events lead to it.
    pub(crate) fn cause(&self) -> Option<Action> {
        Some(match self.clone() {
            Self::Played(Played { seat: Some(seat), token, spent, remark, .. }) => {
                Action::Move(Move { seat, token, typed: false, spent: Some(spent), remark })
            }
            Self::Started(_) | Self::Played(_) | Self::TakenBack { .. } => return None,
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
            Self::Ended { end, .. } => Action::Conclude(end),
        })
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
