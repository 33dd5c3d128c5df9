//! The folder of a tournament: everything that has happened, on disk as it happens.
//!
//! - `tournament.toml` is a copy of the file and `origin.json` says where it was: the tournament can be resumed without it.
//! - `games/00001.jsonl` holds the events of game 1, each written before the next move is asked for, and synced when the game ends.
//!   `games/00001.txt` is its record. What is left of a game that was cut short is kept as `games/00001.jsonl.cut-1`.
//! - `finished.jsonl` has a line for each game that counts. It spares replaying all games to resume, and keeps what their events
//!   do not tell; what is missing in it is taken from the games.
//! - `authors/NAME` is for the author of an agent alone: what it wrote.
//! - `lock` is held by the process that runs the tournament.

use std::fs::{self, File};
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use agon_erased::{Games, Rules};
use agon_match::{LogEvent, Match};
use agon_records::Record;
use serde::{Deserialize, Serialize};

use super::plan::Tournament;
use crate::experiment::{ResultStore, StoredResult};
use crate::folder::{FolderError, Held, at, whole_lines};
use crate::reader::Mistakes;
use crate::report::author_folder;
use crate::results::GameResult;

const FILE: &str = "tournament.toml";
const ORIGIN: &str = "origin.json";
const GAMES: &str = "games";
const LEDGER: &str = "finished.jsonl";

/// Where the tournament file was.
#[derive(Serialize, Deserialize)]
struct Origin {
    folder: PathBuf,
}

/// The folder of a tournament, held by this process.
#[derive(Debug)]
pub struct Store {
    held: Held,
}

/// A folder that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// It holds something else, or another tournament.
    #[error("{} is not empty{}", .0.display(), if *.1 { ": it holds a tournament, which `agon arena resume` continues" } else { "" })]
    NotEmpty(PathBuf, bool),
    /// It holds no tournament.
    #[error("{} holds no tournament: there is no {FILE} in it", .0.display())]
    NoTournament(PathBuf),
    /// The copy of the tournament file does not hold any more.
    #[error("{0}")]
    Mistakes(#[from] Mistakes),
    /// It cannot be used.
    #[error(transparent)]
    Folder(#[from] FolderError),
}

impl Store {
    /// A new folder `dir` for the tournament whose file is at `file`.
    ///
    /// # Errors
    /// If the folder holds anything, or cannot be written.
    pub fn create(dir: &Path, file: &Path) -> Result<Self, StoreError> {
        if fs::read_dir(dir).is_ok_and(|mut entries| entries.next().is_some()) {
            return Err(StoreError::NotEmpty(dir.to_path_buf(), dir.join(FILE).is_file()));
        }
        let games = dir.join(GAMES);
        fs::create_dir_all(&games).map_err(at(&games))?;
        let store = Self { held: Held::hold(dir)? };
        let parent = file.parent().filter(|parent| !parent.as_os_str().is_empty());
        let folder = parent.unwrap_or(Path::new(".")).canonicalize().map_err(at(file))?;
        let origin = serde_json::to_string(&Origin { folder }).unwrap_or_default();
        store.held.write(ORIGIN, origin.as_bytes())?;
        let text = fs::read(file).map_err(at(file))?;
        store.held.write(FILE, &text)?;
        Ok(store)
    }

    /// The folder of a tournament that was started before, and the tournament.
    ///
    /// # Errors
    /// If there is none, it is being run, or it does not hold any more.
    pub fn open(games: Games, dir: &Path) -> Result<(Self, Tournament), StoreError> {
        let tournament = Self::read(games, dir)?;
        Ok((Self { held: Held::hold(dir)? }, tournament))
    }

    /// The tournament of a folder.
    ///
    /// # Errors
    /// If there is none, or it does not hold any more.
    pub fn read(games: Games, dir: &Path) -> Result<Tournament, StoreError> {
        let file = dir.join(FILE);
        if !file.is_file() {
            return Err(StoreError::NoTournament(dir.to_path_buf()));
        }
        let path = dir.join(ORIGIN);
        let origin = fs::read(&path).map_err(at(&path))?;
        let origin: Origin = serde_json::from_slice(&origin)
            .map_err(|error| FolderError::Damaged { path, fault: error.to_string() })?;
        Ok(Tournament::read_in(games, &file, &origin.folder, None)?)
    }

    /// Whether a folder holds a tournament, whatever became of it.
    pub fn is_tournament(dir: &Path) -> bool {
        dir.join(FILE).is_file()
    }

    /// Whether a process is running the tournament of a folder.
    pub fn is_running(dir: &Path) -> bool {
        Held::is_held(dir)
    }

    /// The folder.
    pub fn dir(&self) -> &Path {
        self.held.dir()
    }

    /// The name of a game's record, relative to the folder.
    pub fn record_name(number: usize) -> String {
        format!("{GAMES}/{:05}.txt", number + 1)
    }

    /// The name of a game's journal, relative to the folder.
    pub fn journal_name(number: usize) -> String {
        format!("{GAMES}/{:05}.jsonl", number + 1)
    }

    fn journal_path(&self, number: usize) -> PathBuf {
        self.dir().join(Self::journal_name(number))
    }

    /// A new journal for a game. What is left of an earlier attempt is set aside.
    pub(crate) fn begin(&self, number: usize) -> Result<File, FolderError> {
        let path = self.journal_path(number);
        set_aside(&path, "cut").map_err(at(&path))?;
        File::create_new(&path).map_err(at(&path))
    }

    /// The journal of a game that was found complete: whoever wrote it may not have lived to sync it.
    pub(crate) fn journal(&self, number: usize) -> Result<File, FolderError> {
        let path = self.journal_path(number);
        File::open(&path).map_err(at(&path))
    }

    /// Sets aside what was written of a game that does not count.
    pub(crate) fn discard(&self, number: usize) -> Result<(), FolderError> {
        let journal = self.journal_path(number);
        let record = self.dir().join(Self::record_name(number));
        [journal, record].iter().try_for_each(|path| set_aside(path, "discarded").map_err(at(path)))
    }

    /// The same for all games of a range that have been begun.
    pub(crate) fn discard_all(&self, numbers: Range<usize>) -> Result<(), FolderError> {
        let games = self.dir().join(GAMES);
        for entry in fs::read_dir(&games).map_err(at(&games))? {
            let name = entry.map_err(at(&games))?.file_name();
            let number = name.to_str().and_then(|name| name.strip_suffix(".jsonl")?.parse::<usize>().ok());
            if let Some(number) = number.and_then(|number| number.checked_sub(1))
                && numbers.contains(&number)
            {
                self.discard(number)?;
            }
        }
        Ok(())
    }

    /// The game as it stands in its journal, if it has ended; `None` if there is none, or it was cut short.
    pub(crate) fn load(&self, number: usize, rules: &Arc<dyn Rules>) -> Result<Option<Match>, FolderError> {
        let path = self.journal_path(number);
        let text = match fs::read(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(at(&path)(error)),
        };
        let damaged = |fault: String| FolderError::Damaged { path: path.clone(), fault };
        let Some(events) = whole_lines(&text, |line| LogEvent::from_json(line)).map_err(damaged)? else {
            return Ok(None);
        };
        let game = Match::replay(Arc::clone(rules), &events);
        Ok(Some(game.map_err(|error| damaged(error.to_string()))?))
    }

    /// Writes the record of a game. It is not synced: whatever is lost of it can be made again from the journal.
    pub(crate) fn save_record(&self, number: usize, record: &Record) -> Result<(), FolderError> {
        let path = self.dir().join(Self::record_name(number));
        fs::write(&path, record.to_string()).map_err(at(&path))
    }

    /// Where a player's author finds what its agent wrote in a game, relative to `dir`, the folder.
    pub fn log_name(dir: &Path, player: &str, number: usize) -> PathBuf {
        author_folder(dir, player).join(format!("{:05}.log", number + 1))
    }

    /// The same as a path to be written to; an earlier attempt's is set aside.
    pub(crate) fn begin_log(&self, player: &str, number: usize) -> io::Result<PathBuf> {
        let path = self.dir().join(Self::log_name(self.dir(), player, number));
        fs::create_dir_all(path.parent().unwrap_or(self.dir()))?;
        set_aside(&path, "cut")?;
        Ok(path)
    }

    /// The games that have been entered as finished.
    pub(crate) fn results(&self) -> Result<ResultStore<GameResult>, FolderError> {
        ResultStore::open(&self.held, LEDGER)
    }
}

impl StoredResult for GameResult {
    type Key = usize;

    fn key(&self) -> usize {
        self.number
    }
}

/// Gives a file another name that says why, if there is one.
fn set_aside(path: &Path, why: &str) -> io::Result<()> {
    if !path.exists() {
        return Ok(());
    }
    let name = |number: usize| {
        let mut name = path.as_os_str().to_owned();
        name.push(format!(".{why}-{number}"));
        PathBuf::from(name)
    };
    let free = (1..).map(name).find(|candidate| !candidate.exists());
    free.map_or(Ok(()), |free| fs::rename(path, free))
}
