//! How the file is opened, checked and brought up to date.

use std::path::Path;
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, ErrorCode, OpenFlags, Row, ffi};

use crate::store::StoreError;

/// The steps from an empty file to today's form, each run once.
const MIGRATIONS: &[&str] = &[
    include_str!("../migrations/1.sql"),
    include_str!("../migrations/2.sql"),
    include_str!("../migrations/3.sql"),
    include_str!("../migrations/4.sql"),
    include_str!("../migrations/5.sql"),
];
/// Larger files are not checked as a whole when they are opened: that would take too long.
const CHECKED_BYTES: u64 = 32 << 20;

/// The two connections of a store.
pub(super) struct Connections {
    /// The one that writes; `None` as long as there is no room to write anything.
    pub(super) writer: Option<Connection>,
    pub(super) reader: Connection,
}

/// Opens a file, which is made if there is none and brought up to date if it is old. If there is no room for
/// that, what is stored can be read all the same.
pub(super) fn open(path: &Path) -> Result<Connections, StoreError> {
    let inspected = connect(path, Sharing::Shared).and_then(|first| inspect(&first, path));
    inspected.and_then(|()| open_both(path)).or_else(|error| match error {
        StoreError::Full | StoreError::Unwritable(_) => {
            let reader = open_alone(path)?;
            inspect(&reader, path)?;
            // A file of an older form has to be written before it can be read.
            if version(&reader)? < MIGRATIONS.len() {
                return Err(error);
            }
            check_form(&reader)?;
            tracing::error!(%error, "nothing can be stored; what is stored can be read");
            Ok(Connections { writer: None, reader })
        }
        error => Err(error),
    })
}

/// Opens a file that has been inspected for writing and for reading.
pub(super) fn open_both(path: &Path) -> Result<Connections, StoreError> {
    let merging = |connection: Connection| {
        let merges = connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, false);
        merges.map_err(failure).map(|_| connection)
    };
    let mut writer = merging(connect(path, Sharing::Shared)?)?;
    writer.pragma_update(None, "journal_mode", "WAL").map_err(failure)?;
    migrate(&mut writer)?;
    check_form(&writer)?;
    let reader = merging(connect(path, Sharing::Shared)?)?;
    reader.pragma_update(None, "query_only", true).map_err(failure)?;
    Ok(Connections { writer: Some(writer), reader })
}

/// Opens a file for reading without writing anything anywhere. Connections share what SQLite knows about
/// changes that are not merged yet by a file, for which there must be room; one that has the database to
/// itself keeps it in memory.
pub(super) fn open_alone(path: &Path) -> Result<Connection, StoreError> {
    let reader = connect(path, Sharing::Alone)?;
    reader.pragma_update(None, "query_only", true).map_err(failure)?;
    Ok(reader)
}

/// Whether other connections can use the file at the same time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sharing {
    Shared,
    Alone,
}

/// A connection that, unless it is told otherwise, leaves the file alone when it is closed, and with it what
/// a killed server has left beside it.
fn connect(path: &Path, sharing: Sharing) -> Result<Connection, StoreError> {
    let flags =
        OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags).map_err(failure)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true).map_err(failure)?;
    connection.busy_timeout(Duration::from_secs(5)).map_err(failure)?;
    if sharing == Sharing::Alone {
        // Before anything else: most settings read the file.
        connection.pragma_update(None, "locking_mode", "EXCLUSIVE").map_err(failure)?;
    }
    connection.pragma_update(None, "foreign_keys", true).map_err(failure)?;
    // Games that go on change the same pages again and again; the less often these are copied back, the
    // better.
    connection.pragma_update(None, "wal_autocheckpoint", 4000).map_err(failure)?;
    // Readers and writer need little: tables are in memory while they are played.
    connection.pragma_update(None, "cache_size", -4096).map_err(failure)?;
    Ok(connection)
}

/// Refuses a file that is damaged or not ours: nothing is written to it before this is known.
fn inspect(connection: &Connection, path: &Path) -> Result<(), StoreError> {
    let is_small = std::fs::metadata(path).is_ok_and(|file| file.len() <= CHECKED_BYTES);
    check(connection, if is_small { "PRAGMA quick_check(1)" } else { "SELECT count(*) FROM sqlite_schema" })?;
    version(connection).map(|_| ())
}

/// Asks SQLite whether the file is sound.
pub(super) fn check(connection: &Connection, question: &str) -> Result<(), StoreError> {
    let answer: rusqlite::types::Value =
        connection.query_row(question, [], |row| row.get(0)).map_err(failure)?;
    match answer {
        rusqlite::types::Value::Text(fault) if fault != "ok" => Err(StoreError::Damaged(fault)),
        _ => Ok(()),
    }
}

/// The version of the file, unless this program is too old for it.
pub(super) fn version(connection: &Connection) -> Result<usize, StoreError> {
    let version: usize =
        connection.pragma_query_value(None, "user_version", |row| row.get(0)).map_err(failure)?;
    if version > MIGRATIONS.len() {
        let fault = format!("it is of version {version}, and this program knows only {}", MIGRATIONS.len());
        return Err(StoreError::Failed(fault));
    }
    Ok(version)
}

fn migrate(connection: &mut Connection) -> Result<(), StoreError> {
    let version = version(connection)?;
    for (index, migration) in MIGRATIONS.iter().enumerate().skip(version) {
        let transaction = connection.transaction().map_err(failure)?;
        transaction.execute_batch(migration).map_err(failure)?;
        transaction.pragma_update(None, "user_version", index + 1).map_err(failure)?;
        transaction.commit().map_err(failure)?;
    }
    Ok(())
}

/// Refuses a file in which a name or a definition is damaged: it opens, and then every question about it fails, or finds nothing.
fn check_form(connection: &Connection) -> Result<(), StoreError> {
    let mut sound = Connection::open_in_memory().map_err(failure)?;
    migrate(&mut sound)?;
    let form = |connection: &Connection| {
        let mut rows =
            connection.prepare("SELECT type, name, tbl_name, coalesce(sql, '') FROM sqlite_schema")?;
        let row = |row: &Row| Ok([row.get(0)?, row.get(1)?, row.get(2)?, row.get::<_, String>(3)?]);
        rows.query_map([], row)?.collect::<rusqlite::Result<Vec<[String; 4]>>>()
    };
    let ours = form(connection).map_err(failure)?;
    // Whoever runs the server may have added something.
    match form(&sound).map_err(failure)?.into_iter().find(|part| !ours.contains(part)) {
        Some([kind, name, ..]) => {
            Err(StoreError::Damaged(format!("the {kind} {name} is not as this program makes it")))
        }
        None => Ok(()),
    }
}

/// What a failure of SQLite means.
pub(super) fn failure(error: rusqlite::Error) -> StoreError {
    use rusqlite::Error::{
        FromSqlConversionFailure, IntegralValueOutOfRange, InvalidColumnType, InvalidQuery, Utf8Error,
    };
    let unwritable = [
        ffi::SQLITE_IOERR_WRITE,
        ffi::SQLITE_IOERR_TRUNCATE,
        ffi::SQLITE_IOERR_FSYNC,
        ffi::SQLITE_IOERR_SHMOPEN,
        ffi::SQLITE_IOERR_SHMSIZE,
        ffi::SQLITE_IOERR_SHMMAP,
    ];
    match error.sqlite_error_code() {
        Some(ErrorCode::DiskFull) => StoreError::Full,
        Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => StoreError::Damaged(error.to_string()),
        Some(ErrorCode::ConstraintViolation) => StoreError::Conflict,
        Some(ErrorCode::SystemIoFailure)
            if error.sqlite_error().is_some_and(|error| unwritable.contains(&error.extended_code)) =>
        {
            StoreError::Unwritable(error.to_string())
        }
        _ if matches!(
            error,
            FromSqlConversionFailure(..)
                | IntegralValueOutOfRange(..)
                | InvalidColumnType(..)
                | InvalidQuery
                | Utf8Error(..)
        ) =>
        {
            StoreError::Damaged(error.to_string())
        }
        _ => StoreError::Failed(error.to_string()),
    }
}
