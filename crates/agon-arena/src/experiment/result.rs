//! What came of a job, as a value.

use std::sync::Arc;

use agon_erased::Rules;
use agon_match::{LogEvent, Match, ReplayError};
use serde::{Deserialize, Serialize};

use super::job::{Job, JobHash};
use super::telemetry::Telemetry;
use crate::referee::Conduct;
use crate::results::Overhead;
use crate::runner::Played;

/// What came of a job: everything that anybody judges it by. The outcome is not part of it, because it follows from the events: whoever
/// is handed a result by a stranger replays it and believes nothing that the rules do not bear out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JobResult {
    /// The job.
    pub job: JobHash,
    /// What happened, from the start of the match to its end.
    pub events: Vec<LogEvent>,
    /// How each player behaved, in turn order.
    pub conduct: Vec<Conduct>,
    /// The time that the referee itself needed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub overhead: Option<Overhead>,
    /// What each player's searches did, where that was measured; otherwise empty.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub telemetry: Vec<Telemetry>,
}

/// A result that does not hold.
#[derive(Debug, thiserror::Error)]
pub enum JobResultError {
    /// It belongs to another job.
    #[error("the result is that of job {0}")]
    OtherJob(JobHash),
    /// Its events break the rules.
    #[error(transparent)]
    Events(#[from] ReplayError),
    /// It was played with other luck.
    #[error("the game was played with another seed")]
    OtherSeed,
}

impl JobResult {
    /// The result of a job that was played.
    pub fn of(job: &Job, played: &Played) -> Self {
        Self {
            job: job.hash(),
            events: played.game.log(),
            conduct: played.conduct.clone(),
            overhead: played.overhead,
            telemetry: played.telemetry.clone(),
        }
    }

    /// The game as it was played, by the rules of the job.
    ///
    /// # Errors
    /// If it is the result of another job, or its events break the rules.
    pub fn replay(self, job: &Job, rules: &Arc<dyn Rules>) -> Result<Played, JobResultError> {
        if self.job != job.hash() {
            return Err(JobResultError::OtherJob(self.job));
        }
        let game = Match::replay(Arc::clone(rules), &self.events)?;
        if game.seed() != job.luck_seed {
            return Err(JobResultError::OtherSeed);
        }
        Ok(Played {
            game,
            conduct: self.conduct,
            overhead: self.overhead,
            telemetry: self.telemetry,
            doubt: None,
        })
    }
}
