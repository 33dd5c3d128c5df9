//! Copies of a file that a server may be using.

use std::path::Path;
use std::time::Duration;

use rusqlite::backup::Backup;
use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};

use super::opening::{check, failure, version};
use crate::store::StoreError;

/// How often a copy is tried again whose original is locked for a moment, and how long it is waited in
/// between.
const WAITS: usize = 50;
const WAIT: Duration = Duration::from_millis(100);

/// Copies the database `from`, which may be in use, to the new file `to` as it is at one moment, and checks
/// the copy.
///
/// # Errors
/// If it cannot be read or written, or is damaged.
pub fn copy_database(from: &Path, to: &Path) -> Result<(), StoreError> {
    // A file that is not there is no empty database. Reading one that was left by a killed server takes the
    // right to write beside it.
    let source = Connection::open_with_flags(from, OpenFlags::SQLITE_OPEN_READ_WRITE).map_err(failure)?;
    source.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true).map_err(failure)?;
    source.busy_timeout(WAIT).map_err(failure)?;
    let mut copy = Connection::open(to).map_err(failure)?;
    copy_pages(&source, &mut copy)?;
    // The copy is one file, with nothing beside it.
    copy.pragma_update(None, "journal_mode", "DELETE").map_err(failure)?;
    inspect(&copy)
}

/// Checks a database that is a file of its own, every byte that has a meaning for SQLite.
///
/// # Errors
/// If it is damaged, or of a newer version.
pub fn check_database(path: &Path) -> Result<(), StoreError> {
    let copy = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY).map_err(failure)?;
    inspect(&copy)
}

fn inspect(connection: &Connection) -> Result<(), StoreError> {
    check(connection, "PRAGMA integrity_check(1)")?;
    if version(connection)? == 0 {
        return Err(StoreError::Damaged("it holds no games and never did".to_owned()));
    }
    Ok(())
}

/// All pages in one step: in several, every change in between would make SQLite begin again. Writers are not
/// held up by it.
fn copy_pages(source: &Connection, copy: &mut Connection) -> Result<(), StoreError> {
    use rusqlite::backup::StepResult::{Busy, Done, Locked};
    let backup = Backup::new(source, copy).map_err(failure)?;
    for _ in 0..WAITS {
        match backup.step(-1).map_err(failure)? {
            Done => return Ok(()),
            Busy | Locked => std::thread::sleep(WAIT),
            other => return Err(StoreError::Failed(format!("the copy ended with {other:?}"))),
        }
    }
    Err(StoreError::Failed("another program has locked it".to_owned()))
}
