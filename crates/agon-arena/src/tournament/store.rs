//! The folder of a tournament: everything that has happened, on disk as it happens.
//!
//! - `tournament.toml` is a copy of the file and `origin.json` says where it was: the tournament can be resumed without it.
//! - `games/00001.jsonl` holds the events of game 1, each written before the next move is asked for, and synced when the game ends.
//!   `games/00001.txt` is its record. What is left of a game that was cut short is kept as `games/00001.jsonl.cut-1`.
//! - `finished.jsonl` has a line for each game that counts. It spares replaying all games to resume, and keeps what their events
//!   do not tell; what is missing in it is taken from the games.
//! - `authors/NAME` is for the author of an agent alone: what it wrote.
//! - `lock` is held by the process that runs the tournament.

use std::collections::HashMap;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use agon_match::{Match, Race};
use agon_records::Record;
use agon_registry::Rules;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::plan::Tournament;
use super::reader::Mistakes;
use crate::desk::Play;
use crate::report::author_folder;
use crate::results::GameResult;

const FILE: &str = "tournament.toml";
const ORIGIN: &str = "origin.json";
const GAMES: &str = "games";
const LOCK: &str = "lock";
const LEDGER: &str = "finished.jsonl";
/// How often the lock is tried, and how long it is waited in between.
const LOCK_ATTEMPTS: usize = 10;
const LOCK_PAUSE: Duration = Duration::from_millis(20);

/// Where the tournament file was.
#[derive(Serialize, Deserialize)]
struct Origin {
    folder: PathBuf,
}

/// The folder of a tournament, held by this process.
#[derive(Debug)]
pub struct Store {
    dir: PathBuf,
    /// Held as long as this lives.
    _lock: File,
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
    /// Another process runs the tournament.
    #[error("another process is running the tournament in {}", .0.display())]
    Running(PathBuf),
    /// The copy of the tournament file does not hold any more.
    #[error("{0}")]
    Mistakes(#[from] Mistakes),
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
        let store = Self::hold(dir)?;
        let parent = file.parent().filter(|parent| !parent.as_os_str().is_empty());
        let folder = parent.unwrap_or(Path::new(".")).canonicalize().map_err(at(file))?;
        let origin = serde_json::to_string(&Origin { folder }).unwrap_or_default();
        store.write(ORIGIN, origin.as_bytes())?;
        let text = fs::read(file).map_err(at(file))?;
        store.write(FILE, &text)?;
        Ok(store)
    }

    /// The folder of a tournament that was started before, and the tournament.
    ///
    /// # Errors
    /// If there is none, it is being run, or it does not hold any more.
    pub fn open(dir: &Path) -> Result<(Self, Tournament), StoreError> {
        let tournament = Self::read(dir)?;
        Ok((Self::hold(dir)?, tournament))
    }

    /// The tournament of a folder.
    ///
    /// # Errors
    /// If there is none, or it does not hold any more.
    pub fn read(dir: &Path) -> Result<Tournament, StoreError> {
        let file = dir.join(FILE);
        if !file.is_file() {
            return Err(StoreError::NoTournament(dir.to_path_buf()));
        }
        let path = dir.join(ORIGIN);
        let origin = fs::read(&path).map_err(at(&path))?;
        let origin: Origin = serde_json::from_slice(&origin)
            .map_err(|error| StoreError::Damaged { path, fault: error.to_string() })?;
        Ok(Tournament::read_in(&file, &origin.folder)?)
    }

    fn hold(dir: &Path) -> Result<Self, StoreError> {
        let path = dir.join(LOCK);
        let lock = OpenOptions::new().create(true).append(true).open(&path).map_err(at(&path))?;
        for attempt in 1.. {
            match lock.try_lock() {
                Ok(()) => break,
                // Somebody may just be looking whether it is held.
                Err(TryLockError::WouldBlock) if attempt < LOCK_ATTEMPTS => thread::sleep(LOCK_PAUSE),
                Err(TryLockError::WouldBlock) => return Err(StoreError::Running(dir.to_path_buf())),
                Err(TryLockError::Error(error)) => return Err(at(&path)(error)),
            }
        }
        Ok(Self { dir: dir.to_path_buf(), _lock: lock })
    }

    /// Whether a folder holds a tournament, whatever became of it.
    pub fn is_tournament(dir: &Path) -> bool {
        dir.join(FILE).is_file()
    }

    /// Whether a process is running the tournament of a folder.
    pub fn is_running(dir: &Path) -> bool {
        let lock = File::open(dir.join(LOCK));
        lock.is_ok_and(|lock| matches!(lock.try_lock_shared(), Err(TryLockError::WouldBlock)))
    }

    /// The folder.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    fn write(&self, name: &str, contents: &[u8]) -> Result<(), StoreError> {
        let path = self.dir.join(name);
        agon_records::replace(&path, contents).map_err(at(&path))
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
        self.dir.join(Self::journal_name(number))
    }

    /// A new journal for a game. What is left of an earlier attempt is set aside.
    pub(crate) fn begin(&self, number: usize) -> Result<File, StoreError> {
        let path = self.journal_path(number);
        set_aside(&path, "cut").map_err(at(&path))?;
        File::create_new(&path).map_err(at(&path))
    }

    /// The journal of a game that was found complete: whoever wrote it may not have lived to sync it.
    pub(crate) fn journal(&self, number: usize) -> Result<File, StoreError> {
        let path = self.journal_path(number);
        File::open(&path).map_err(at(&path))
    }

    /// Sets aside what was written of a game that does not count.
    pub(crate) fn discard(&self, number: usize) -> Result<(), StoreError> {
        let journal = self.journal_path(number);
        let record = self.dir.join(Self::record_name(number));
        [journal, record].iter().try_for_each(|path| set_aside(path, "discarded").map_err(at(path)))
    }

    /// The same for all games of a range that have been begun.
    pub(crate) fn discard_all(&self, numbers: Range<usize>) -> Result<(), StoreError> {
        let games = self.dir.join(GAMES);
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
    pub(crate) fn load(
        &self,
        number: usize,
        rules: &Arc<dyn Rules>,
        is_race: bool,
    ) -> Result<Option<Play>, StoreError> {
        let path = self.journal_path(number);
        let text = match fs::read(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(at(&path)(error)),
        };
        let damaged = |fault: String| StoreError::Damaged { path: path.clone(), fault };
        let rules = Arc::clone(rules);
        let play = if is_race {
            let Some(events) = whole_lines(&text).map_err(damaged)? else { return Ok(None) };
            let race = Race::replay(rules, &events);
            Play::Race(race.map_err(|error| damaged(error.to_string()))?)
        } else {
            let Some(events) = whole_lines(&text).map_err(damaged)? else { return Ok(None) };
            let game = Match::replay(rules, &events);
            Play::One(Box::new(game.map_err(|error| damaged(error.to_string()))?))
        };
        Ok(Some(play))
    }

    /// Writes the record of a game. It is not synced: whatever is lost of it can be made again from the journal.
    pub(crate) fn save_record(&self, number: usize, record: &Record) -> Result<(), StoreError> {
        let path = self.dir.join(Self::record_name(number));
        fs::write(&path, record.to_string()).map_err(at(&path))
    }

    /// Where a player's author finds what its agent wrote in a game, relative to the folder.
    pub fn log_name(player: &str, number: usize) -> PathBuf {
        author_folder(player).join(format!("{:05}.log", number + 1))
    }

    /// The same as a path to be written to; an earlier attempt's is set aside.
    pub(crate) fn begin_log(&self, player: &str, number: usize) -> io::Result<PathBuf> {
        let path = self.dir.join(Self::log_name(player, number));
        fs::create_dir_all(path.parent().unwrap_or(&self.dir))?;
        set_aside(&path, "cut")?;
        Ok(path)
    }

    /// The games that have been entered as finished, and the ledger to go on with.
    pub(crate) fn ledger(&self) -> Result<(Ledger, HashMap<usize, GameResult>), StoreError> {
        let path = self.dir.join(LEDGER);
        let mut file = OpenOptions::new()
            .create(true)
            .truncate(false)
            .read(true)
            .write(true)
            .open(&path)
            .map_err(at(&path))?;
        let mut text = Vec::new();
        file.read_to_end(&mut text).map_err(at(&path))?;
        // A line that was cut is written anew.
        let whole = text.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
        file.set_len(whole as u64).and_then(|()| file.seek(io::SeekFrom::End(0))).map_err(at(&path))?;
        let games: Option<Vec<GameResult>> =
            whole_lines(&text[..whole]).map_err(|fault| StoreError::Damaged { path: path.clone(), fault })?;
        let games = games.unwrap_or_default().into_iter().map(|game| (game.number, game)).collect();
        Ok((Ledger { file, path }, games))
    }
}

/// The list of finished games, as it grows.
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

/// The values of a file of JSON lines; `None` if its last line was cut, or there is none.
fn whole_lines<T: DeserializeOwned>(text: &[u8]) -> Result<Option<Vec<T>>, String> {
    let Some(lines) = text.strip_suffix(b"\n") else { return Ok(None) };
    let parse = |(number, line): (usize, &[u8])| {
        serde_json::from_slice(line).map_err(|error| format!("line {number}: {error}"))
    };
    (1..).zip(lines.split(|byte| *byte == b'\n')).map(parse).collect::<Result<_, _>>().map(Some)
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
