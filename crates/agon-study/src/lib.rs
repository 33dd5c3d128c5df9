//! Studies: what each part of a bot is worth, and how certain that is.
//!
//! A [`Study`] is read from a [`file`](Study::read) or taken from the [`library`]. It compares *settings* of bots, one of which is the
//! reference, under one or more *circumstances* (a game with its options, and limits that hold for both sides). Every comparison is a
//! match of pairs of games, played by the arena's runner; [`run`](Study::run) plays whatever the [`Store`] does not hold yet, so that
//! starting and resuming are the same thing. [`Results`] are computed from the games, and [`report`] makes files of them.
//!
//! [`positions`] is the other kind of study: how many of a set of positions bots solve, and how quickly.

pub mod bots;
mod casting;
mod count;
mod effects;
mod factors;
mod file;
mod forecast;
pub mod library;
mod messages;
mod observe;
mod plan;
mod players;
pub mod positions;
mod power;
mod proposal;
mod reading;
pub mod report;
mod results;
mod run;
mod store;
mod summary;

pub use count::{Estimate, GameResult};
pub use forecast::Forecast;
pub use messages::{MESSAGES, name, observation, question};
pub use observe::{Observation, When};
pub use plan::{Against, Asks, Circumstance, Comparison, Contrast, Setting, Study, StudyPlayer};
pub use power::{Cost, Outlook, Power, Reach};
pub use proposal::Proposal;
pub use results::{
    Bin, CircumstanceResult, ComparisonResult, DepthResult, EffectResult, ObservationResult, Rating, Results,
    SettingResult, SideResult, State, Verdict,
};
pub use run::{Means, StudyError};
pub use store::{Begun, Store};
pub use summary::{answer, findings, summary};
