//! Tables in a file, by SQLite.
//!
//! One thread writes. It takes all that waits and commits it together, so that two hundred games cost hardly more than one; whoever waits
//! hears of it after the commit. With `synchronous=NORMAL` a commit survives the end of the process; the end of a game is
//! committed with `FULL` and survives a failure of power. If a batch fails, its parts are tried one by one, so that nobody
//! suffers for another's fault. Reading has a connection of its own.
//!
//! Events of all games are first written one behind the other, and filed by game only after a while: a move changes a part of one page then,
//! and not two pages of its own. Whoever reads sees both.

mod copying;
mod opening;
mod writing;

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{SystemTime, UNIX_EPOCH};

use agon_protocol::web::TableMode;
use rusqlite::types::Type;
use rusqlite::{Connection, OptionalExtension, params};
use tokio::runtime::Handle;
use tokio::sync::oneshot;

pub use self::copying::{check_database, copy_database};
use self::opening::{Connections, failure};
use self::writing::write_all;
use super::{
    KeyHash, Later, Listed, NewTable, Rewrite, Store, StoreError, Stored, StoredLine, StoredTable, TableId,
    Usage, VisitorId, Write,
};

/// How much may wait to be written before more is refused.
const QUEUE: usize = 4096;

/// Tables in a file.
pub struct SqliteStore {
    jobs: Option<SyncSender<Job>>,
    reader: Arc<Mutex<Connection>>,
    is_well: Arc<AtomicBool>,
    writer: Option<JoinHandle<()>>,
}

/// The file, and the connection that reads it.
struct DatabaseFile {
    path: PathBuf,
    reader: Arc<Mutex<Connection>>,
}

impl DatabaseFile {
    /// Tries to open for writing a file that could only be read. Until that succeeds, it can be read as before.
    fn reopen(&self) -> Result<Connection, StoreError> {
        let mut reader = self.reader.lock().unwrap_or_else(PoisonError::into_inner);
        // As long as one connection has the file to itself, no other can open it.
        *reader = Connection::open_in_memory().map_err(failure)?;
        match opening::open_both(&self.path) {
            Ok(Connections { writer: Some(writer), reader: shared }) => {
                *reader = shared;
                Ok(writer)
            }
            opened => {
                *reader = opening::open_alone(&self.path)?;
                Err(opened.err().unwrap_or(StoreError::Full))
            }
        }
    }
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
    Rewrite(Box<Rewrite>),
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
        let Connections { writer, reader } = opening::open(path)?;
        let (jobs, waiting) = sync_channel(QUEUE);
        let is_well = Arc::new(AtomicBool::new(writer.is_some()));
        let reader = Arc::new(Mutex::new(reader));
        let (health, file) =
            (Arc::clone(&is_well), DatabaseFile { path: path.to_owned(), reader: Arc::clone(&reader) });
        let runtime = Handle::try_current().ok();
        let thread = std::thread::Builder::new()
            .name("store".to_owned())
            .spawn(move || write_all(writer, &file, &waiting, &health, runtime.as_ref()))
            .map_err(|error| StoreError::Failed(error.to_string()))?;
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
                    "SELECT owner, mode, settings, head, course, created, deadline, (SELECT opened FROM tables WHERE id = ?1)
                     FROM standing WHERE id = ?1",
                )?
                .query_row([&table], |row| {
                    let mode = row.get::<_, String>(1)?;
                    Ok(StoredTable {
                        owner: row.get(0)?,
                        mode: mode_of(&mode).ok_or(rusqlite::Error::InvalidQuery)?,
                        settings: row.get(2)?,
                        head: row.get(3)?,
                        status: row.get(4)?,
                        created: row.get(5)?,
                        deadline: row.get(6)?,
                        last_opened: row.get(7)?,
                        events: Vec::new(),
                        messages: Vec::new(),
                    })
                })
                .optional()?;
            let Some(mut stored) = head else { return Ok(None) };
            let mut rows = reader.prepare_cached(
                "SELECT seq, message, body, checksum FROM events WHERE table_id = ?1
                 UNION ALL SELECT seq, message, body, checksum FROM recent WHERE table_id = ?1 ORDER BY seq",
            )?;
            let mut rows = rows.query([&table])?;
            while let Some(row) = rows.next()? {
                let (seq, message): (u64, Option<String>) = (row.get(0)?, row.get(1)?);
                let (body, known): (String, Option<u32>) = (row.get(2)?, row.get(3)?);
                // Events of earlier versions have no checksum.
                let is_sound =
                    known.is_none_or(|known| known == checksum(&table, seq, message.as_deref(), &body));
                if seq != stored.events.len() as u64 + 1 || !is_sound {
                    let fault = format!("event {seq} is not as it was stored, or one is missing before it");
                    return Err(rusqlite::Error::FromSqlConversionFailure(2, Type::Text, fault.into()));
                }
                stored.messages.extend(message.map(|message| (message, seq)));
                stored.events.push(body);
            }
            Ok(Some(stored))
        })
    }

    fn names(&self, after: TableId, limit: usize) -> Later<Vec<TableId>> {
        self.read(move |reader| {
            let mut rows =
                reader.prepare_cached("SELECT id FROM tables WHERE id > ?1 ORDER BY id LIMIT ?2")?;
            rows.query_map(params![after, limit as i64], |row| row.get(0))?.collect()
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
            let lines = rows.query_map(params![table, limit.min(i64::MAX as usize) as i64], |row| {
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

    fn rewrite(&self, rewrite: Rewrite) -> Later<()> {
        self.submit(WriteRequest::Rewrite(Box::new(rewrite)))
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

/// A checksum of an event and its place: whatever of it is damaged, it is another one.
fn checksum(table: &str, seq: u64, message: Option<&str>, body: &str) -> u32 {
    let mut sum = crc32fast::Hasher::new();
    for part in [table, message.unwrap_or_default(), body] {
        sum.update(&(part.len() as u64).to_le_bytes());
        sum.update(part.as_bytes());
    }
    sum.update(&seq.to_le_bytes());
    sum.finalize()
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
