//! Tournaments: many players, many games, hard limits, and a table in the end.
//!
//! A [`Tournament`] is read from a [`file`](Tournament::read), which is refused as a whole if anything in it is wrong. What is
//! played in which order is up to the format of each round ([`pairing`]); a [`Store`] keeps every event on disk as it happens, and
//! [`run`](Tournament::run) plays whatever the store does not hold yet, so that starting and resuming are the same thing.

mod command;
mod file;
mod forecast;
mod game;
mod judge;
mod pairing;
mod plan;
mod run;
mod store;
mod submission_rules;

pub use crate::openings::Openings;
pub use crate::reader::{Mistake, Mistakes};
pub(crate) use command::joined as joined_command;
pub use command::{quoted_word, resolve as resolve_command};
pub use forecast::Forecast;
pub use plan::{
    Finals, Format, Kind, LateRule, OffenceRule, Participant, PrintingRule, Round, Seatings, Tournament,
};
pub use run::{MakePerson, TournamentError, TournamentHost};
pub use store::{Store, StoreError};
pub use submission_rules::SubmissionRules;
