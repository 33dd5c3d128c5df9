//! Experiments: many games, whose results are judged in the order of the schedule and survive whatever happens to the process.
//!
//! A [`Job`] is a game that is to be played, as a value with a name of its own; a [`JobResult`] is what came of it. An [`Experiment`] says
//! which game is next, given the results so far, and what a result means to it: tournaments, studies and tunings are experiments and do
//! not know who plays. [`run`] has a [`Worker`](crate::runner::Worker) play, on several threads, whatever the [`ResultStore`] does not
//! hold yet, so that starting and resuming are the same thing, and writes every result down before it counts.

mod job;
mod result;
mod run;
mod store;
pub mod telemetry;

pub use job::{Job, JobHash, JobHashError, JobOpening, JobPlayer, ProgramLimits};
pub use result::{JobResult, JobResultError};
pub use run::{
    Experiment, ExperimentError, Host, Journal, Next, Progress, RunEnd, ScheduledGame, Stops, run,
};
pub use store::{ResultStore, StoredResult};
