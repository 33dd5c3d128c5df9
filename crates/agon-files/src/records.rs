//! Records on disk: the one place that reads and writes games.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

use agon_records::{MAX_BYTES, Record, RecordError};

use crate::replace::replace;

/// Why there is no record in a file.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// The file cannot be opened.
    #[error("cannot be opened: {0}")]
    Open(io::Error),
    /// The file cannot be read.
    #[error("cannot be read: {0}")]
    Read(io::Error),
    /// What it holds is no record.
    #[error(transparent)]
    Record(#[from] RecordError),
}

/// Reads a record from a file, no more of it than a record may have, without replaying it.
///
/// # Errors
/// If it cannot be read, or as [`Record::parse`].
pub fn load_record(path: &Path) -> Result<Record, LoadError> {
    let file = File::open(path).map_err(LoadError::Open)?;
    let mut bytes = Vec::new();
    file.take(MAX_BYTES as u64 + 1).read_to_end(&mut bytes).map_err(LoadError::Read)?;
    if bytes.len() > MAX_BYTES {
        // A device does not know its length.
        let length = fs::metadata(path).map_or(0, |metadata| metadata.len());
        return Err(RecordError::TooLarge(length.max(bytes.len() as u64)).into());
    }
    Ok(Record::parse(&bytes)?)
}

/// Writes a record to `path`, whole or not at all: what stood there is kept until the new record is safe.
///
/// # Errors
/// If the folder or the disk does not take it.
pub fn save_record(record: &Record, path: &Path) -> io::Result<()> {
    if fs::metadata(path).is_ok_and(|there| !there.is_file()) {
        // A device or a pipe takes the text itself and must not be replaced by a file.
        return fs::write(path, record.to_string());
    }
    replace(path, record.to_string().as_bytes())
}

/// Writes a record to a file that a user has named. One that is there already is only replaced if it holds an earlier record of this
/// game.
///
/// # Errors
/// If it cannot be written, or would replace something else.
pub fn save_record_as(record: &Record, path: &Path) -> io::Result<()> {
    if path.is_file() && !load_record(path).is_ok_and(|old| record.continues(&old)) {
        return Err(io::Error::other("there is such a file already; expected a new name"));
    }
    save_record(record, path)
}
