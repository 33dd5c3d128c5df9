//! The directory of a study: everything that has been played, on disk as it is.
//!
//! - `study.toml` is a copy of the study file, and `run.json` says how it is run: together they say whether a directory belongs to a study.
//! - `games.jsonl` has a line for each game that counts, written when it counts. A game that was cut short leaves no trace and is played
//!   again from its beginning, with the same seed. So is one whose line a power failure has taken.
//! - `lock` is held by the process that runs the study.

use std::path::Path;

use agon_arena::experiment::{ResultStore, StoredResult};
use agon_arena::folder::{ClaimError, FolderError, Held};
use serde::{Deserialize, Serialize};

use crate::count::GameResult;

const FILE: &str = "study.toml";
const RUN: &str = "run.json";
const GAMES: &str = "games.jsonl";

/// How a study is run.
#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
struct Run {
    /// Whether it is the quick version.
    quick: bool,
}

/// The directory of a study, held by this process.
#[derive(Debug)]
pub struct Store {
    held: Held,
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
    pub fn open(dir: &Path, text: &str, is_quick: bool) -> Result<Self, ClaimError> {
        let run = serde_json::to_string(&Run { quick: is_quick }).unwrap_or_default();
        let files: [(&str, &[u8]); 2] = [(RUN, run.as_bytes()), (FILE, text.as_bytes())];
        Ok(Self { held: Held::claim(dir, &files, "study")? })
    }

    /// The directory.
    pub fn dir(&self) -> &Path {
        self.held.dir()
    }

    /// The games that have been played.
    pub(crate) fn results(&self) -> Result<ResultStore<GameResult>, FolderError> {
        ResultStore::open(&self.held, GAMES)
    }
}

impl StoredResult for GameResult {
    /// The number of its comparison, and its own.
    type Key = (usize, usize);

    fn key(&self) -> (usize, usize) {
        (self.comparison, self.game)
    }
}
