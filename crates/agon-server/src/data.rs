//! The data directory: who may use it, and whether it still has what it had.

use std::fs::{File, TryLockError};
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};

use crate::arena::SECRET;

/// The file that holds all games.
pub const DATABASE: &str = "agon.sqlite";
/// What SQLite keeps beside it: changes that are not merged yet, and an index of those.
pub(crate) const BESIDE_DATABASE: [&str; 3] = ["agon.sqlite-wal", "agon.sqlite-shm", "agon.sqlite-journal"];
/// The file with the hash of the admin token.
pub(crate) const ADMIN_TOKEN: &str = "admin-token";
/// The file that a running server holds.
pub(crate) const LOCK: &str = "server.lock";
/// Where a backup is unpacked before it takes its place.
pub(crate) const RESTORING: &str = ".restoring";

/// Why a data directory cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum DataError {
    /// A running server uses it.
    #[error("the data directory {} is used by a running server{}", .data.display(), at(.address))]
    Running {
        /// The directory.
        data: PathBuf,
        /// The address of that server, if it has said it.
        address: Option<String>,
    },
    /// The system refuses.
    #[error("the data directory {}: {error}", .data.display())]
    Unusable {
        /// The directory.
        data: PathBuf,
        /// What is wrong.
        error: io::Error,
    },
    /// Its database is gone.
    #[error(
        "{} is {state}, but {beside} beside it shows that there were games. Put the database back or restore a backup \
         (agon restore); to begin anew, use another data directory or move {beside} away.",
        .database.display()
    )]
    Lost {
        /// The file.
        database: PathBuf,
        /// How it is found.
        state: &'static str,
        /// What is still there.
        beside: &'static str,
    },
    /// A restore has not ended.
    #[error("{}: a restore was interrupted here; run agon restore again with --replace", .0.display())]
    HalfRestored(PathBuf),
}

fn at(address: &Option<String>) -> String {
    address.as_ref().map_or_else(String::new, |address| format!(" at {address}"))
}

/// Refuses a directory that has lost its database. A new one would hide the loss, and its games would be in
/// the way when the old one is found.
///
/// # Errors
/// If the database is missing or empty although other files show that there was one.
pub fn check(data: &Path) -> Result<(), DataError> {
    if data.join(RESTORING).exists() {
        return Err(DataError::HalfRestored(data.to_owned()));
    }
    let database = data.join(DATABASE);
    let state = match std::fs::metadata(&database) {
        Ok(file) if file.len() == 0 => "empty",
        Err(error) if error.kind() == io::ErrorKind::NotFound => "missing",
        // Whatever else is wrong with it, whoever opens it finds out.
        _ => return Ok(()),
    };
    let has_content = |name: &&str| std::fs::metadata(data.join(name)).is_ok_and(|file| file.len() > 0);
    match [SECRET, ADMIN_TOKEN, BESIDE_DATABASE[0]].into_iter().find(has_content) {
        Some(beside) => Err(DataError::Lost { database, state, beside }),
        None => Ok(()),
    }
}

/// Keeps other servers from a data directory, as long as this lives or the process does.
pub(crate) struct Lock {
    file: File,
}

impl Lock {
    /// Takes a directory, which is made if there is none.
    pub(crate) fn take(data: &Path) -> Result<Self, DataError> {
        let fail = |error| DataError::Unusable { data: data.to_owned(), error };
        std::fs::create_dir_all(data).map_err(fail)?;
        let path = data.join(LOCK);
        let mut file =
            File::options().read(true).write(true).create(true).truncate(false).open(&path).map_err(fail)?;
        match file.try_lock() {
            Ok(()) => Ok(Self { file }),
            Err(TryLockError::Error(error)) => Err(fail(error)),
            Err(TryLockError::WouldBlock) => {
                let mut address = String::new();
                let _ = Read::by_ref(&mut file).take(1000).read_to_string(&mut address);
                let address = Some(address.trim().to_owned()).filter(|address| !address.is_empty());
                Err(DataError::Running { data: data.to_owned(), address })
            }
        }
    }

    /// Notes the address of this server for those who come later. It is a courtesy: nothing depends on it.
    pub(crate) fn say(&mut self, address: &str) {
        let _ = self.file.set_len(0);
        let _ = self.file.rewind();
        let _ = writeln!(self.file, "{address}");
    }
}
