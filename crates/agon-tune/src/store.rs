//! The directory of a tuning: everything that has been played, on disk as it is.
//!
//! - `tune.json` says what is tuned and how: it tells whether a directory belongs to a tuning.
//! - `tuning.jsonl` and `match.jsonl` have a line for each game that counts, written when it counts. Everything else is computed from them. A
//!   game that was cut short leaves no trace and is played again from its beginning, with the same seed.
//! - `lock` is held by the process that tunes.

use std::path::Path;

use agon_arena::experiment::{ResultStore, StoredResult};
use agon_arena::folder::{ClaimError, FolderError, Held};

use crate::play::Entry;

const PLAN: &str = "tune.json";

/// The directory of a tuning, held by this process.
#[derive(Debug)]
pub struct Store {
    held: Held,
}

impl Store {
    /// The directory `dir` for a tuning that is [described](crate::Plan::identity) like this: a new one, or one in which the same has been
    /// begun.
    ///
    /// # Errors
    /// If the directory holds anything else, or cannot be written.
    pub fn open(dir: &Path, identity: &str) -> Result<Self, ClaimError> {
        Ok(Self { held: Held::claim(dir, &[(PLAN, identity.as_bytes())], "tuning")? })
    }

    /// The directory.
    pub fn dir(&self) -> &Path {
        self.held.dir()
    }

    /// Writes a file, whole or not at all.
    pub(crate) fn write(&self, name: &str, text: &str) -> Result<(), FolderError> {
        self.held.write(name, text.as_bytes())
    }

    /// The games that have been played.
    pub(crate) fn results(&self, name: &str) -> Result<ResultStore<Entry>, FolderError> {
        ResultStore::open(&self.held, name)
    }
}

impl StoredResult for Entry {
    type Key = usize;

    fn key(&self) -> usize {
        self.game
    }
}
