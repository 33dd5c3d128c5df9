//! Tuning: better weights and search parameters for a bot, and a match that says whether they really are better.
//!
//! A [`Plan`] says what is tuned and how. By [regression](fit), the weights of a linear evaluation are fitted to the results of games that
//! the bot plays against itself; by [SPSA](spsa), parameters of its search (or weights) are changed little by little in matches. Either
//! way the bot then plays a match against itself as it was, from openings that tuning never saw. [`run`](Plan::run) plays whatever the
//! [`Store`] does not hold yet, so that starting and resuming are the same thing. Tuned weights are written to a [`WeightFile`].

mod dimension;
pub mod fit;
mod openings;
mod parts;
mod plan;
mod play;
mod report;
mod results;
mod run;
mod sample;
pub mod spsa;
mod store;
mod weight_file;

pub use dimension::{Dimension, Kind};
pub use openings::{Part, split_opening};
pub use plan::{Contest, Limit, Method, Order, Plan, PlanError, Regression};
pub use report::{html, summary};
pub use results::{Change, FitResult, MatchResult, Results, StepResult, Verdict};
pub use run::TuneError;
pub use store::Store;
pub use weight_file::WeightFile;
