//! A game that another process plays and writes down, read along as its journal grows.

use agon_erased::Games;
use std::fs::{self, File, Metadata};
use std::io::{self, Read, Seek, SeekFrom};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use agon_match::Match;

use agon_table::stored::{self, LogError};

/// The largest journal that is read, in bytes.
const MAX_BYTES: u64 = 64 << 20;
/// The longest line, in bytes.
const MAX_LINE: usize = 1 << 20;
/// How much is read at once, in bytes.
const CHUNK: u64 = 1 << 20;

/// A journal that cannot be shown.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// It cannot be read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// It is not a file, or larger than anybody's game.
    #[error("it is not a file of at most {} MiB", MAX_BYTES >> 20)]
    Size,
    /// It holds something else than events.
    #[error("it holds a line of more than {} KiB, or bytes that are not UTF-8", MAX_LINE >> 10)]
    Line,
    /// Nothing has happened yet.
    #[error("it has no events yet")]
    Empty,
    /// Its events are those of no game.
    #[error(transparent)]
    Events(#[from] LogError),
}

/// What has become of a game since it was last looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Growth {
    /// Nothing has happened.
    None,
    /// There are more events.
    More,
    /// It has begun anew.
    Anew,
}

/// A journal, and the game as far as it has been read.
#[derive(Debug)]
pub struct Journal {
    games: Games,
    lines: Lines,
    play: Match,
    /// The events that have been read. The game may have had more: what follows from the last one by itself.
    read: usize,
}

impl Journal {
    /// Reads the journal of one of `games` as far as it goes.
    ///
    /// # Errors
    /// If it cannot be read, or is not that of a game.
    pub fn open(games: Games, path: &Path) -> Result<Self, JournalError> {
        let mut lines = Lines::open(path)?;
        let first = lines.next_batch()?;
        if first.is_empty() {
            return Err(JournalError::Empty);
        }
        let play = stored::replay(games, &first)?;
        let mut journal = Self { games, lines, play, read: first.len() };
        journal.read_on()?;
        Ok(journal)
    }

    /// What is played.
    pub fn play(&self) -> &Match {
        &self.play
    }

    /// When the journal was begun, as far as the file system tells.
    pub fn begun(&self) -> SystemTime {
        self.lines.begun
    }

    /// Reads what was written since the last time. Where that cannot be, the game stays as it was.
    ///
    /// # Errors
    /// If the journal cannot be read, or does not go on as a game does.
    pub fn look(&mut self) -> Result<Growth, JournalError> {
        if self.lines.was_replaced()? {
            *self = Self::open(self.games, &self.lines.path)?;
            return Ok(Growth::Anew);
        }
        let known = self.play.event_count();
        self.read_on()?;
        Ok(if self.play.event_count() > known { Growth::More } else { Growth::None })
    }

    fn read_on(&mut self) -> Result<(), JournalError> {
        loop {
            let lines = self.lines.next_batch()?;
            if lines.is_empty() {
                return Ok(());
            }
            stored::follow(&mut self.play, self.read, &lines)?;
            self.read += lines.len();
        }
    }
}

/// The first line of a journal, if it is whole and there.
pub fn first_line(path: &Path) -> Option<String> {
    let mut lines = Lines::open(path).ok()?;
    lines.next_batch().ok()?.into_iter().next()
}

/// The lines of a file that grows.
#[derive(Debug)]
struct Lines {
    path: PathBuf,
    file: File,
    /// Tells this file from another one of the same name.
    identity: (u64, u64),
    begun: SystemTime,
    /// How many bytes have been read.
    offset: u64,
    /// The beginning of a line that has not been written to its end.
    rest: Vec<u8>,
}

fn identity(data: &Metadata) -> (u64, u64) {
    (data.dev(), data.ino())
}

impl Lines {
    fn open(path: &Path) -> Result<Self, JournalError> {
        // Anything but a file could keep us waiting for ever.
        if !fs::metadata(path)?.is_file() {
            return Err(JournalError::Size);
        }
        let file = File::open(path)?;
        let data = file.metadata()?;
        let begun = data.created().or_else(|_| data.modified())?;
        let (path, identity) = (path.to_path_buf(), identity(&data));
        Ok(Self { path, file, identity, begun, offset: 0, rest: Vec::new() })
    }

    /// Whether there is another file of this name now, or this one has become shorter.
    fn was_replaced(&self) -> io::Result<bool> {
        let data = fs::metadata(&self.path)?;
        Ok(identity(&data) != self.identity || data.len() < self.offset)
    }

    /// The next whole lines, not all at once if there are many; none at the end of what has been written.
    fn next_batch(&mut self) -> Result<Vec<String>, JournalError> {
        loop {
            if self.offset > MAX_BYTES {
                return Err(JournalError::Size);
            }
            self.file.seek(SeekFrom::Start(self.offset))?;
            let read = Read::by_ref(&mut self.file).take(CHUNK).read_to_end(&mut self.rest)?;
            self.offset += read as u64;
            if let Some(end) = self.rest.iter().rposition(|byte| *byte == b'\n') {
                let rest = self.rest.split_off(end + 1);
                let whole = std::mem::replace(&mut self.rest, rest);
                let text = String::from_utf8(whole).map_err(|_| JournalError::Line)?;
                let lines: Vec<String> = text.lines().map(str::to_owned).collect();
                let is_long = lines.iter().any(|line| line.len() > MAX_LINE);
                return if is_long { Err(JournalError::Line) } else { Ok(lines) };
            }
            if self.rest.len() > MAX_LINE {
                return Err(JournalError::Line);
            }
            if read == 0 {
                return Ok(Vec::new());
            }
        }
    }
}
