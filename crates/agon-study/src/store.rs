//! The directory of a study: everything that has been played, on disk as it is.
//!
//! - `study.toml` is a copy of the study file, and `run.json` says how it is run: together they say whether a directory belongs to a study.
//! - `games.jsonl` has a line for each game that counts, written when it counts. A game that was cut short leaves no trace and is played
//!   again from its beginning, with the same seed. So is one whose line a power failure has taken.
//! - `lock` is held by the process that runs the study.

use std::collections::HashMap;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::count::GameResult;

const FILE: &str = "study.toml";
const RUN: &str = "run.json";
const GAMES: &str = "games.jsonl";
const LOCK: &str = "lock";

/// How a study is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Run {
    /// Whether it is the quick version.
    quick: bool,
}

/// The directory of a study, held by this process.
#[derive(Debug)]
pub struct Store {
    dir: PathBuf,
    /// Held as long as this lives.
    _lock: File,
}

/// A directory that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// It holds something else.
    #[error("{} is not empty, and what it holds is not a study", .0.display())]
    NotEmpty(PathBuf),
    /// It holds another study.
    #[error("{} holds another study, or another version of this one; choose a new directory", .0.display())]
    OtherStudy(PathBuf),
    /// Another process runs the study.
    #[error("another process is running the study in {}", .0.display())]
    Running(PathBuf),
    /// A file in it is not what this version wrote.
    #[error("{}: {fault}", .path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        fault: String,
    },
    /// It cannot be read or written.
    #[error("{}: {error}", .path.display())]
    Io {
        /// What.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
}

fn at(path: &Path) -> impl FnOnce(io::Error) -> StoreError {
    let path = path.to_path_buf();
    |error| StoreError::Io { path, error }
}

impl Store {
    /// The directory `dir` for the study whose file has this text: a new one, or one in which the same study has been begun.
    ///
    /// # Errors
    /// If the directory holds anything else, or cannot be written.
    pub fn open(dir: &Path, text: &str, is_quick: bool) -> Result<Self, StoreError> {
        let (file, run) = (dir.join(FILE), dir.join(RUN));
        let mine = Run { quick: is_quick };
        if file.is_file() && run.is_file() {
            let known = fs::read_to_string(&file).map_err(at(&file))?;
            let before: Run = serde_json::from_slice(&fs::read(&run).map_err(at(&run))?)
                .map_err(|error| StoreError::Damaged { path: run, fault: error.to_string() })?;
            if known != text || before != mine {
                return Err(StoreError::OtherStudy(dir.to_path_buf()));
            }
            return Self::hold(dir);
        }
        // What is left of a start that was cut short is our own.
        let is_ours = |name: &std::ffi::OsStr| name == LOCK || name == RUN;
        let mut entries = fs::read_dir(dir).into_iter().flatten().flatten();
        if entries.any(|entry| !is_ours(&entry.file_name())) {
            return Err(StoreError::NotEmpty(dir.to_path_buf()));
        }
        fs::create_dir_all(dir).map_err(at(dir))?;
        let store = Self::hold(dir)?;
        let line = serde_json::to_string(&mine).unwrap_or_default();
        agon_records::replace(&run, line.as_bytes()).map_err(at(&run))?;
        agon_records::replace(&file, text.as_bytes()).map_err(at(&file))?;
        Ok(store)
    }

    fn hold(dir: &Path) -> Result<Self, StoreError> {
        let path = dir.join(LOCK);
        let lock = OpenOptions::new().create(true).append(true).open(&path).map_err(at(&path))?;
        match lock.try_lock() {
            Ok(()) => Ok(Self { dir: dir.to_path_buf(), _lock: lock }),
            Err(TryLockError::WouldBlock) => Err(StoreError::Running(dir.to_path_buf())),
            Err(TryLockError::Error(error)) => Err(at(&path)(error)),
        }
    }

    /// The directory.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// The games that have been played, by comparison and number, and the ledger to go on with.
    pub(crate) fn ledger(&self) -> Result<(Ledger, HashMap<(usize, usize), GameResult>), StoreError> {
        let path = self.dir.join(GAMES);
        let mut options = OpenOptions::new();
        options.create(true).truncate(false).read(true).write(true);
        let mut file = options.open(&path).map_err(at(&path))?;
        let mut text = Vec::new();
        file.read_to_end(&mut text).map_err(at(&path))?;
        // A line that was cut is written anew.
        let whole = text.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
        file.set_len(whole as u64).and_then(|()| file.seek(io::SeekFrom::End(0))).map_err(at(&path))?;
        let lines = text[..whole].split_inclusive(|byte| *byte == b'\n');
        let games = (1..).zip(lines).map(|(number, line)| {
            let game: Result<GameResult, _> = serde_json::from_slice(line);
            let damaged =
                |error| StoreError::Damaged { path: path.clone(), fault: format!("line {number}: {error}") };
            game.map(|game| ((game.comparison, game.game), game)).map_err(damaged)
        });
        let games = games.collect::<Result<_, _>>()?;
        Ok((Ledger { file, path }, games))
    }
}

/// The list of games that count, as it grows.
#[derive(Debug)]
pub(crate) struct Ledger {
    file: File,
    path: PathBuf,
}

impl Ledger {
    /// Enters a game.
    pub(crate) fn enter(&mut self, game: &GameResult) -> Result<(), StoreError> {
        let mut line = serde_json::to_vec(game)
            .map_err(|error| StoreError::Damaged { path: self.path.clone(), fault: error.to_string() })?;
        line.push(b'\n');
        self.file.write_all(&line).map_err(at(&self.path))
    }

    /// Has the disk keep it.
    pub(crate) fn sync(&self) -> Result<(), StoreError> {
        self.file.sync_data().map_err(at(&self.path))
    }
}
