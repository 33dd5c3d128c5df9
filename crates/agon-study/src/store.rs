//! The directory of a study: everything that has been played, on disk as it is.
//!
//! - `study.toml` is a copy of the study file, and `run.json` says how it is run: together they say whether a directory belongs to a study.
//! - `games.jsonl` has a line for each game that counts, written when it counts. A game that was cut short leaves no trace and is played
//!   again from its beginning, with the same seed. So is one whose line a power failure has taken.
//! - `lock` is held by the process that runs the study.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use agon_arena::folder::{FolderError, Held, Ledger, at};
use serde::{Deserialize, Serialize};

use crate::count::GameResult;

const FILE: &str = "study.toml";
const RUN: &str = "run.json";
const GAMES: &str = "games.jsonl";

/// How a study is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Run {
    /// Whether it is the quick version.
    quick: bool,
}

/// Games by the numbers of their comparison and their own.
pub(crate) type Games = HashMap<(usize, usize), GameResult>;

/// The directory of a study, held by this process.
#[derive(Debug)]
pub struct Store {
    held: Held,
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
    /// It cannot be used.
    #[error(transparent)]
    Folder(#[from] FolderError),
}

/// What the directory of a study says before there are results.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Begun {
    /// What the study is called, if its file says so.
    pub name: Option<String>,
    /// What it asks; may be empty.
    pub question: String,
    /// Whether it is the quick version.
    pub is_quick: bool,
}

impl Begun {
    /// Reads the files that say how a study is run. What cannot be read is left out.
    pub fn read(file: &str, run: &str) -> Self {
        let table: toml::Table = file.parse().unwrap_or_default();
        let text = |key: &str| table.get(key).and_then(toml::Value::as_str).map(str::to_owned);
        let is_quick = serde_json::from_str(run).is_ok_and(|run: Run| run.quick);
        Self { name: text("name"), question: text("question").unwrap_or_default(), is_quick }
    }
}

impl Store {
    /// The name of the copy of the study file in the directory.
    pub const FILE: &'static str = FILE;
    /// The name of the file that says how the study is run.
    pub const RUN: &'static str = RUN;
    /// The largest of these files, in bytes.
    pub const MAX_BYTES: u64 = crate::file::MAX_BYTES;

    /// Whether a directory holds a study.
    pub fn is_study(dir: &Path) -> bool {
        dir.join(FILE).is_file() && dir.join(RUN).is_file()
    }

    /// Whether a process is running the study of a directory.
    pub fn is_running(dir: &Path) -> bool {
        Held::is_held(dir)
    }

    /// The directory `dir` for the study whose file has this text: a new one, or one in which the same study has been begun.
    ///
    /// # Errors
    /// If the directory holds anything else, or cannot be written.
    pub fn open(dir: &Path, text: &str, is_quick: bool) -> Result<Self, StoreError> {
        let (file, run) = (dir.join(FILE), dir.join(RUN));
        let mine = Run { quick: is_quick };
        if Self::is_study(dir) {
            let known = fs::read_to_string(&file).map_err(at(&file))?;
            let before: Run = serde_json::from_slice(&fs::read(&run).map_err(at(&run))?)
                .map_err(|error| FolderError::Damaged { path: run, fault: error.to_string() })?;
            if known != text || before != mine {
                return Err(StoreError::OtherStudy(dir.to_path_buf()));
            }
            return Ok(Self { held: Held::hold(dir)? });
        }
        // What is left of a start that was cut short is our own.
        let is_ours = |name: &std::ffi::OsStr| Held::is_lock(name) || name == RUN;
        let mut entries = fs::read_dir(dir).into_iter().flatten().flatten();
        if entries.any(|entry| !is_ours(&entry.file_name())) {
            return Err(StoreError::NotEmpty(dir.to_path_buf()));
        }
        fs::create_dir_all(dir).map_err(at(dir))?;
        let held = Held::hold(dir)?;
        held.write(RUN, serde_json::to_string(&mine).unwrap_or_default().as_bytes())?;
        held.write(FILE, text.as_bytes())?;
        Ok(Self { held })
    }

    /// The directory.
    pub fn dir(&self) -> &Path {
        self.held.dir()
    }

    /// The games that have been played, and the ledger to go on with.
    pub(crate) fn ledger(&self) -> Result<(Ledger, Games), FolderError> {
        let (ledger, games) = self.held.ledger(GAMES)?;
        let by_number = |game: GameResult| ((game.comparison, game.game), game);
        Ok((ledger, games.into_iter().map(by_number).collect()))
    }
}
