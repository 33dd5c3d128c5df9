//! Results on disk: a line for each game that counts.

use std::collections::HashMap;
use std::hash::Hash;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::job::JobHash;
use crate::folder::{FolderError, Held, Ledger};

/// What an experiment keeps of a game, a line of JSON.
pub trait StoredResult: Serialize + DeserializeOwned + Send {
    /// What tells the games of an experiment apart.
    type Key: Eq + Hash + Send;

    /// The game that it is the result of.
    fn key(&self) -> Self::Key;
}

/// A line: a result, and the job that it belongs to. Earlier versions did not note the job.
#[derive(Serialize, Deserialize)]
struct Line<R> {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    job: Option<JobHash>,
    #[serde(flatten)]
    result: R,
}

/// The results of an experiment in a file that only grows.
pub struct ResultStore<R: StoredResult> {
    ledger: Ledger,
    /// Results of earlier runs that have not been asked for.
    known: HashMap<R::Key, Line<R>>,
}

impl<R: StoredResult> ResultStore<R> {
    /// The results in the file of this name.
    ///
    /// # Errors
    /// If it is damaged, or cannot be read.
    pub fn open(held: &Held, name: &str) -> Result<Self, FolderError> {
        let (ledger, lines) = held.ledger::<Line<R>>(name)?;
        Ok(Self { ledger, known: lines.into_iter().map(|line| (line.result.key(), line)).collect() })
    }

    /// Whether nothing is known that has not been asked for.
    pub fn is_empty(&self) -> bool {
        self.known.is_empty()
    }

    /// The result of a game, if it is known; the hash of its job, if it is that of another one.
    pub(super) fn take(&mut self, key: &R::Key, job: JobHash) -> Result<Option<R>, JobHash> {
        match self.known.remove(key) {
            Some(Line { job: Some(other), .. }) if other != job => Err(other),
            known => Ok(known.map(|line| line.result)),
        }
    }

    /// Writes a result down.
    pub(super) fn enter(&mut self, job: JobHash, result: &R) -> Result<(), FolderError> {
        self.ledger.enter(&Line { job: Some(job), result })
    }

    /// Has the disk keep what was written.
    ///
    /// # Errors
    /// If the disk does not.
    pub fn sync(&self) -> Result<(), FolderError> {
        self.ledger.sync()
    }
}
