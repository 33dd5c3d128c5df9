//! Tables in a file, by SQLite.
//!
//! One thread writes. It takes all that waits and commits it together, so that two hundred games cost hardly more than one; whoever waits
//! hears of it after the commit. With `synchronous=NORMAL` a commit survives the end of the process; the end of a game is
//! committed with `FULL` and survives a failure of power. If a batch fails, its parts are tried one by one, so that nobody
//! suffers for another's fault. Reading has a connection of its own.
//!
//! Events of all games are first written one behind the other, and filed by game only after a while: a move changes a part of one page then,
//! and not two pages of its own. Whoever reads sees both.

mod writing;

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use agon_protocol::web::TableMode;
use rusqlite::config::DbConfig;
use rusqlite::{Connection, ErrorCode, OpenFlags, OptionalExtension, params};
use tokio::runtime::Handle;
use tokio::sync::oneshot;

use self::writing::write_all;
use super::{
    KeyHash, Later, Listed, NewTable, Store, StoreError, Stored, StoredLine, StoredTable, TableId, Usage,
    VisitorId, Write,
};

/// The steps from an empty file to today's form, each run once.
const MIGRATIONS: &[&str] = &[
    include_str!("migrations/1.sql"),
    include_str!("migrations/2.sql"),
    include_str!("migrations/3.sql"),
    include_str!("migrations/4.sql"),
];
/// How much may wait to be written before more is refused.
const QUEUE: usize = 4096;
/// Larger files are not checked as a whole when they are opened: that would take too long.
const CHECKED_BYTES: u64 = 32 << 20;

/// Tables in a file.
pub struct SqliteStore {
    jobs: Option<SyncSender<Job>>,
    reader: Arc<Mutex<Connection>>,
    is_well: Arc<AtomicBool>,
    writer: Option<JoinHandle<()>>,
}

/// Something to be written, and who waits for it.
struct Job {
    request: WriteRequest,
    done: oneshot::Sender<Result<(), StoreError>>,
}

enum WriteRequest {
    Create(Box<NewTable>),
    Table(Box<Write>),
    Name(VisitorId, String),
    Lobby(TableId, String),
    DropLobby(TableId),
    Opened(TableId, u64),
    Delete(TableId),
    Expire { opened: u64, uploads: u64 },
}

/// Which failures a commit survives. Surviving a power failure costs a sync of the disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Durability {
    /// The end of the process, for example by `kill -9`.
    Process,
    /// A power failure or crash of the machine as well.
    Power,
}

impl WriteRequest {
    fn durability(&self) -> Durability {
        let ends = match self {
            Self::Create(table) => table.over,
            Self::Table(write) => write.events.as_ref().is_some_and(|events| events.ends),
            _ => false,
        };
        if ends { Durability::Power } else { Durability::Process }
    }

    /// The table at which something has happened.
    fn table(&self) -> Option<&TableId> {
        match self {
            Self::Table(write) => write.events.as_ref().map(|_| &write.table),
            _ => None,
        }
    }
}

impl SqliteStore {
    /// Opens the file `path`, which is made if there is none and brought up to date if it is old.
    ///
    /// # Errors
    /// If it is damaged, too new, or cannot be used.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        let mut writer = connect(path)?;
        // Nothing is written to a file before it is known to be sound and ours, not even what a killed server has left beside it.
        writer.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true).map_err(failure)?;
        check(&writer, path)?;
        version(&writer)?;
        writer.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, false).map_err(failure)?;
        writer.pragma_update(None, "journal_mode", "WAL").map_err(failure)?;
        migrate(&mut writer)?;
        let reader = connect(path)?;
        reader.pragma_update(None, "query_only", true).map_err(failure)?;
        let (jobs, waiting) = sync_channel(QUEUE);
        let is_well = Arc::new(AtomicBool::new(true));
        let health = Arc::clone(&is_well);
        let runtime = Handle::try_current().ok();
        let thread = std::thread::Builder::new()
            .name("store".to_owned())
            .spawn(move || write_all(writer, &waiting, &health, runtime.as_ref()))
            .map_err(|error| StoreError::Failed(error.to_string()))?;
        let reader = Arc::new(Mutex::new(reader));
        Ok(Self { jobs: Some(jobs), reader, is_well, writer: Some(thread) })
    }

    fn submit(&self, request: WriteRequest) -> Later<()> {
        let (done, wait) = oneshot::channel();
        let sent = match &self.jobs {
            Some(jobs) => jobs.try_send(Job { request, done }).map_err(|error| match error {
                TrySendError::Full(_) => StoreError::Failed("too much waits to be written".to_owned()),
                TrySendError::Disconnected(_) => StoreError::Closed,
            }),
            None => Err(StoreError::Closed),
        };
        Box::pin(async move {
            sent?;
            wait.await.unwrap_or(Err(StoreError::Closed))
        })
    }

    fn read<T: Send + 'static>(
        &self,
        question: impl FnOnce(&Connection) -> rusqlite::Result<T> + Send + 'static,
    ) -> Later<T> {
        let reader = Arc::clone(&self.reader);
        Box::pin(async move {
            let asked = tokio::task::spawn_blocking(move || {
                let reader = reader.lock().unwrap_or_else(PoisonError::into_inner);
                question(&reader).map_err(failure)
            });
            asked.await.unwrap_or(Err(StoreError::Closed))
        })
    }
}

impl Drop for SqliteStore {
    /// Writes what waits, then closes the file.
    fn drop(&mut self) {
        self.jobs = None;
        if let Some(writer) = self.writer.take() {
            let _ = writer.join();
        }
    }
}

impl Store for SqliteStore {
    fn create(&self, table: NewTable) -> Later<()> {
        self.submit(WriteRequest::Create(Box::new(table)))
    }

    fn write(&self, write: Write) -> Later<()> {
        self.submit(WriteRequest::Table(Box::new(write)))
    }

    fn load(&self, table: TableId) -> Later<Option<StoredTable>> {
        self.read(move |reader| {
            // One view of both tables, whatever is written meanwhile.
            let reader = reader.unchecked_transaction()?;
            let head = reader
                .prepare_cached(
                    "SELECT owner, mode, settings, created, deadline, (SELECT opened FROM tables WHERE id = ?1)
                     FROM standing WHERE id = ?1",
                )?
                .query_row([&table], |row| {
                    let owner = row.get::<_, VisitorId>(0)?;
                    let mode = row.get::<_, String>(1)?;
                    Ok((owner, mode, row.get(2)?, row.get(3)?, row.get(4)?, row.get(5)?))
                })
                .optional()?;
            let Some((owner, mode, settings, created, deadline, last_opened)) = head else { return Ok(None) };
            let mode = mode_of(&mode).ok_or(rusqlite::Error::InvalidQuery)?;
            let mut events = Vec::new();
            let mut messages = Vec::new();
            let mut rows = reader.prepare_cached(
                "SELECT seq, message, body FROM events WHERE table_id = ?1
                 UNION ALL SELECT seq, message, body FROM recent WHERE table_id = ?1 ORDER BY seq",
            )?;
            let mut rows = rows.query([&table])?;
            while let Some(row) = rows.next()? {
                if let Some(message) = row.get::<_, Option<String>>(1)? {
                    messages.push((message, row.get(0)?));
                }
                events.push(row.get(2)?);
            }
            Ok(Some(StoredTable { owner, mode, settings, created, last_opened, deadline, events, messages }))
        })
    }

    fn owned(&self, owner: VisitorId, skip: usize, limit: usize) -> Later<Vec<Listed>> {
        self.read(move |reader| {
            let mut rows = reader.prepare_cached(
                "SELECT id, head, course, created, updated, held FROM standing
                 LEFT JOIN (SELECT table_id, group_concat(seat) AS held FROM holders WHERE visitor = ?1 GROUP BY table_id)
                 ON table_id = id
                 WHERE id IN (SELECT id FROM tables WHERE owner = ?1 UNION SELECT table_id FROM holders WHERE visitor = ?1)
                 ORDER BY updated DESC, id LIMIT ?2 OFFSET ?3",
            )?;
            let listed = rows.query_map(params![owner, limit as i64, skip as i64], |row| {
                Ok(Listed {
                    id: row.get(0)?,
                    head: row.get(1)?,
                    status: row.get(2)?,
                    created: row.get(3)?,
                    updated: row.get(4)?,
                    held: row.get::<_, Option<String>>(5)?.map(|seats| {
                        seats.split(',').filter_map(|seat| seat.parse().ok()).collect()
                    }),
                })
            })?;
            listed.collect()
        })
    }

    fn name(&self, visitor: VisitorId) -> Later<Option<String>> {
        self.read(move |reader| {
            let mut rows = reader.prepare_cached("SELECT name FROM visitors WHERE id = ?1")?;
            rows.query_row([visitor], |row| row.get(0)).optional()
        })
    }

    fn set_name(&self, visitor: VisitorId, name: String) -> Later<()> {
        self.submit(WriteRequest::Name(visitor, name))
    }

    fn due(&self, now: u64, limit: usize) -> Later<Vec<TableId>> {
        self.read(move |reader| {
            let mut rows = reader.prepare_cached(
                "SELECT id, deadline FROM tables WHERE deadline <= ?1 AND id NOT IN (SELECT table_id FROM latest)
                 UNION ALL SELECT table_id, deadline FROM latest WHERE deadline <= ?1
                 ORDER BY deadline LIMIT ?2",
            )?;
            rows.query_map(params![now, limit as i64], |row| row.get(0))?.collect()
        })
    }

    fn link(&self, hash: KeyHash) -> Later<Option<(TableId, Option<usize>)>> {
        self.read(move |reader| {
            let mut rows = reader.prepare_cached("SELECT table_id, seat FROM link_keys WHERE hash = ?1")?;
            rows.query_row([hash], |row| Ok((row.get(0)?, row.get(1)?))).optional()
        })
    }

    fn save_lobby(&self, id: TableId, body: String) -> Later<()> {
        self.submit(WriteRequest::Lobby(id, body))
    }

    fn drop_lobby(&self, id: TableId) -> Later<()> {
        self.submit(WriteRequest::DropLobby(id))
    }

    fn lobbies(&self) -> Later<Vec<String>> {
        self.read(|reader| {
            reader.prepare_cached("SELECT body FROM lobbies")?.query_map([], |row| row.get(0))?.collect()
        })
    }

    fn chat(&self, table: TableId, limit: usize) -> Later<Vec<StoredLine>> {
        self.read(move |reader| {
            let mut rows = reader.prepare_cached(
                "SELECT message, body FROM chat WHERE table_id = ?1 ORDER BY seq DESC LIMIT ?2",
            )?;
            let lines = rows.query_map(params![table, limit as i64], |row| {
                Ok(StoredLine { message: row.get(0)?, body: row.get(1)? })
            })?;
            let mut lines = lines.collect::<rusqlite::Result<Vec<StoredLine>>>()?;
            lines.reverse();
            Ok(lines)
        })
    }

    fn usage(&self, owner: VisitorId, address: String) -> Later<Usage> {
        self.read(move |reader| {
            let stored = |row: &rusqlite::Row| Ok(Stored { games: row.get(0)?, bytes: row.get(1)? });
            let browser = reader
                .prepare_cached("SELECT count(*), coalesce(sum(bytes), 0) FROM tables WHERE owner = ?1")?
                .query_row([owner], stored)?;
            let address = reader
                .prepare_cached("SELECT count(*), coalesce(sum(bytes), 0) FROM tables WHERE address = ?1")?
                .query_row([address], stored)?;
            let pages: u64 = reader.pragma_query_value(None, "page_count", |row| row.get(0))?;
            let free: u64 = reader.pragma_query_value(None, "freelist_count", |row| row.get(0))?;
            let size: u64 = reader.pragma_query_value(None, "page_size", |row| row.get(0))?;
            Ok(Usage { browser, address, total: pages.saturating_sub(free) * size })
        })
    }

    fn note_opened(&self, table: TableId, now: u64) -> Later<()> {
        self.submit(WriteRequest::Opened(table, now))
    }

    fn delete(&self, table: TableId) -> Later<()> {
        self.submit(WriteRequest::Delete(table))
    }

    fn expire(&self, opened: u64, uploads: u64) -> Later<()> {
        self.submit(WriteRequest::Expire { opened, uploads })
    }

    fn is_well(&self) -> bool {
        self.is_well.load(Ordering::Relaxed)
    }
}

fn connect(path: &Path) -> Result<Connection, StoreError> {
    let flags =
        OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags).map_err(failure)?;
    connection.busy_timeout(Duration::from_secs(5)).map_err(failure)?;
    connection.pragma_update(None, "foreign_keys", true).map_err(failure)?;
    // Games that go on change the same pages again and again; the less often these are copied back, the better.
    connection.pragma_update(None, "wal_autocheckpoint", 4000).map_err(failure)?;
    // Readers and writer need little: tables are in memory while they are played.
    connection.pragma_update(None, "cache_size", -4096).map_err(failure)?;
    Ok(connection)
}

/// Refuses a file that is damaged: nothing is better than a file that loses what is written to it.
fn check(connection: &Connection, path: &Path) -> Result<(), StoreError> {
    let is_small = std::fs::metadata(path).is_ok_and(|file| file.len() <= CHECKED_BYTES);
    let question = if is_small { "PRAGMA quick_check(1)" } else { "SELECT count(*) FROM sqlite_schema" };
    let answer: rusqlite::types::Value =
        connection.query_row(question, [], |row| row.get(0)).map_err(failure)?;
    match answer {
        rusqlite::types::Value::Text(fault) if fault != "ok" => Err(StoreError::Damaged(fault)),
        _ => Ok(()),
    }
}

/// The version of the file, unless this program is too old for it.
fn version(connection: &Connection) -> Result<usize, StoreError> {
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

fn failure(error: rusqlite::Error) -> StoreError {
    match error.sqlite_error_code() {
        Some(ErrorCode::DiskFull) => StoreError::Full,
        Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => StoreError::Damaged(error.to_string()),
        Some(ErrorCode::ConstraintViolation) => StoreError::Conflict,
        _ => StoreError::Failed(error.to_string()),
    }
}

fn mode_name(mode: TableMode) -> &'static str {
    match mode {
        TableMode::Single => "single",
        TableMode::Race => "race",
        TableMode::InTurn => "in-turn",
    }
}

fn mode_of(name: &str) -> Option<TableMode> {
    [TableMode::Single, TableMode::Race, TableMode::InTurn].into_iter().find(|mode| mode_name(*mode) == name)
}

fn seconds() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs())
}
