//! The directory of a tuning: everything that has been played, on disk as it is.
//!
//! - `tune.json` says what is tuned and how: it tells whether a directory belongs to a tuning.
//! - `tuning.jsonl` and `match.jsonl` have a line for each game that counts, written when it counts. Everything else is computed from them. A
//!   game that was cut short leaves no trace and is played again from its beginning, with the same seed.
//! - `lock` is held by the process that tunes.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use agon_arena::folder::{Claim, FolderError, Held, Ledger};

use crate::play::Entry;

const PLAN: &str = "tune.json";

/// The directory of a tuning, held by this process.
#[derive(Debug)]
pub struct Store {
    held: Held,
}

/// A directory that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// It holds something else.
    #[error("{} is not empty, and what it holds is not a tuning", .0.display())]
    NotEmpty(PathBuf),
    /// It holds another tuning.
    #[error("{} holds another tuning, or this one with other settings; choose a new directory", .0.display())]
    Other(PathBuf),
    /// It cannot be used.
    #[error(transparent)]
    Folder(#[from] FolderError),
}

impl Store {
    /// The directory `dir` for a tuning that is [described](crate::Plan::identity) like this: a new one, or one in which the same has been
    /// begun.
    ///
    /// # Errors
    /// If the directory holds anything else, or cannot be written.
    pub fn open(dir: &Path, identity: &str) -> Result<Self, StoreError> {
        match Held::claim(dir, &[(PLAN, identity.as_bytes())])? {
            Claim::Ours(held) => Ok(Self { held }),
            Claim::NotEmpty => Err(StoreError::NotEmpty(dir.to_path_buf())),
            Claim::Other => Err(StoreError::Other(dir.to_path_buf())),
        }
    }

    /// The directory.
    pub fn dir(&self) -> &Path {
        self.held.dir()
    }

    /// Writes a file, whole or not at all.
    pub(crate) fn write(&self, name: &str, text: &str) -> Result<(), FolderError> {
        self.held.write(name, text.as_bytes())
    }

    /// The games that have been played, by number, and the ledger to go on with.
    pub(crate) fn games(&self, name: &str) -> Result<(Ledger, HashMap<usize, Entry>), FolderError> {
        let (ledger, games) = self.held.ledger::<Entry>(name)?;
        Ok((ledger, games.into_iter().map(|game| (game.game, game)).collect()))
    }
}
