//! Records on disk: the one place that reads and writes games.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

use crate::record::{MAX_BYTES, Record, RecordError};
use crate::replace::replace;

impl Record {
    /// Reads a record from a file, no more of it than a record may have, without replaying it.
    ///
    /// # Errors
    /// If it cannot be read, or as [`Record::parse`].
    pub fn load(path: &Path) -> Result<Self, RecordError> {
        let unreadable =
            |what: &str, error: &io::Error| RecordError::Unreadable(format!("cannot be {what}: {error}"));
        let file = File::open(path).map_err(|error| unreadable("opened", &error))?;
        let mut bytes = Vec::new();
        file.take(MAX_BYTES as u64 + 1)
            .read_to_end(&mut bytes)
            .map_err(|error| unreadable("read", &error))?;
        if bytes.len() > MAX_BYTES {
            // A device does not know its length.
            let length = fs::metadata(path).map_or(0, |metadata| metadata.len());
            return Err(RecordError::TooLarge(length.max(bytes.len() as u64)));
        }
        Self::parse(&bytes)
    }

    /// Writes the record to `path`, whole or not at all: what stood there is kept until the new record is safe.
    ///
    /// # Errors
    /// If the folder or the disk does not take it.
    pub fn save(&self, path: &Path) -> io::Result<()> {
        if fs::metadata(path).is_ok_and(|there| !there.is_file()) {
            // A device or a pipe takes the text itself and must not be replaced by a file.
            return fs::write(path, self.to_string());
        }
        replace(path, self.to_string().as_bytes())
    }

    /// Writes the record to a file that a user has named. One that is there already is only replaced if it holds an earlier record
    /// of this game.
    ///
    /// # Errors
    /// If it cannot be written, or would replace something else.
    pub fn save_as(&self, path: &Path) -> io::Result<()> {
        if path.is_file() && !Self::load(path).is_ok_and(|old| self.continues(&old)) {
            return Err(io::Error::other("there is such a file already; expected a new name"));
        }
        self.save(path)
    }

    /// Whether `old` is a record of the same game, written earlier or before moves were taken back.
    fn continues(&self, old: &Self) -> bool {
        let shared = old.moves.len().min(self.moves.len());
        old.game == self.game && old.seed == self.seed && old.moves[..shared] == self.moves[..shared]
    }
}
