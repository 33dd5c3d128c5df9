//! The thread that writes.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Receiver;
use std::time::{Duration, Instant};

use rusqlite::{Connection, ToSql, params};
use tokio::runtime::Handle;

use super::{DatabaseFile, Durability, Job, WriteRequest, checksum, failure, mode_name, seconds};
use crate::random;
use crate::store::{
    Append, Change, KeyChange, KeyHash, NewEvent, NewLine, NewTable, Rewrite, StoreError, TableId, VisitorId,
    Write,
};

/// The most that is committed together.
const BATCH: usize = 256;
/// While several tables write, commits come only this often: a commit costs about as much for ten moves as for one.
const COMMIT_EVERY: Duration = Duration::from_millis(10);
/// How many tables that nobody wants any more are deleted at once.
const EXPIRED: usize = 100;
/// So many recent events are filed together. Whoever reads a table looks through all that are not filed yet.
const FILED: usize = 4000;

/// Writes what comes until nobody can send any more. If the file could only be read so far, it is tried again whenever something comes.
pub(super) fn write_all(
    connection: Option<Connection>,
    file: &DatabaseFile,
    waiting: &Receiver<Job>,
    is_well: &AtomicBool,
    runtime: Option<&Handle>,
) {
    let mut next = None;
    let connection = match connection {
        Some(connection) => connection,
        None => loop {
            let Ok(job) = waiting.recv() else { return };
            match file.reopen() {
                Ok(connection) => {
                    next = Some(job);
                    break connection;
                }
                Err(error) => drop(job.done.send(Err(error))),
            }
        },
    };
    let mut writer = Writer::new(&connection);
    is_well.store(writer.can_write(), Ordering::Relaxed);
    let mut last_table: Option<TableId> = None;
    while let Some(first) = next.take().or_else(|| waiting.recv().ok()) {
        let began = Instant::now();
        let mut batch = vec![first];
        batch.extend(waiting.try_iter().take(BATCH - 1));
        let durability =
            batch.iter().map(|job| job.request.durability()).max().unwrap_or(Durability::Process);
        let results = match writer.commit(durability, batch.iter().map(|job| &job.request)) {
            Ok(()) => vec![Ok(()); batch.len()],
            // A batch stands or falls as a whole; its parts by themselves show whose fault it was.
            Err(_) => batch
                .iter()
                .map(|job| writer.commit(job.request.durability(), [&job.request].into_iter()))
                .collect(),
        };
        let is_sound =
            |result: &Result<(), StoreError>| !matches!(result, Err(error) if *error != StoreError::Conflict);
        is_well.store(results.iter().all(is_sound), Ordering::Relaxed);
        let mut tables = batch.iter().filter_map(|job| job.request.table());
        let is_alone = tables.clone().all(|table| last_table.as_ref().is_none_or(|last| last == table));
        last_table = tables.next_back().cloned().or(last_table);
        for error in results.iter().filter_map(|result| result.as_ref().err()) {
            tracing::error!(%error, "nothing was stored");
        }
        let answer = move || {
            for (job, result) in batch.into_iter().zip(results) {
                // Whoever asked may have gone.
                let _ = job.done.send(result);
            }
        };
        match runtime {
            // A thread of the runtime need not be woken by every answer, which costs a system call each time.
            Some(runtime) => drop(runtime.spawn(async move { answer() })),
            None => answer(),
        }
        if writer.recent >= FILED {
            writer.file();
        }
        // A table that has the server to itself is never kept waiting: bots may play a whole game in a second.
        if !is_alone {
            std::thread::sleep(COMMIT_EVERY.saturating_sub(began.elapsed()));
        }
    }
    writer.file();
}

/// The connection that writes.
struct Writer<'a> {
    connection: &'a Connection,
    /// How durable its commits are at the moment, once that has been said.
    durability: Option<Durability>,
    /// How many events are not filed yet.
    recent: usize,
    /// The tables that have such events, and how many events each of them has in all.
    lengths: HashMap<TableId, u64>,
}

impl<'c> Writer<'c> {
    fn new(connection: &'c Connection) -> Self {
        let mut writer = Self { connection, durability: None, recent: 0, lengths: HashMap::new() };
        // What a server that was killed has left is filed by the next one. If it cannot be, it is still read.
        writer.file();
        writer
    }

    /// Whether there is room to write at all, if only what the file says already.
    fn can_write(&mut self) -> bool {
        let rewritten = self.transact(|writer| {
            let version: u32 = writer
                .connection
                .pragma_query_value(None, "user_version", |row| row.get(0))
                .map_err(failure)?;
            writer.connection.pragma_update(None, "user_version", version).map_err(failure)
        });
        rewritten.inspect_err(|error| tracing::error!(%error, "nothing can be stored")).is_ok()
    }

    /// Files the recent events by table. If that fails they stay where they are, and lose nothing by it.
    fn file(&mut self) {
        // With OR ROLLBACK a statement that fails ends the whole transaction, so that SQLite need not remember every page before it.
        let filed = self.transact(|writer| {
            writer.run(
                "INSERT OR ROLLBACK INTO events SELECT table_id, seq, schema, message, body, checksum FROM recent ORDER BY table_id, seq",
            )?;
            writer.run(
                "UPDATE OR ROLLBACK tables SET course = latest.course, over = latest.over, updated = latest.updated, deadline = latest.deadline
                 FROM latest WHERE table_id = id",
            )?;
            writer.run(
                "UPDATE OR ROLLBACK tables SET bytes = tables.bytes + added.size
                 FROM (SELECT table_id, sum(length(body)) AS size FROM recent GROUP BY table_id) AS added
                 WHERE added.table_id = tables.id",
            )?;
            writer.run("DELETE FROM recent")
        });
        match filed {
            Ok(()) => {
                self.recent = 0;
                self.lengths.clear();
            }
            Err(error) => {
                tracing::error!(%error, "recent events cannot be filed");
                self.recount();
            }
        }
    }

    /// Finds out again what is not filed yet.
    fn recount(&mut self) {
        let counted = self
            .connection
            .prepare_cached("SELECT table_id, max(seq), count(*) FROM recent GROUP BY table_id");
        let counted = counted.and_then(|mut rows| {
            let rows = rows.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get::<_, usize>(2)?)))?;
            rows.collect::<rusqlite::Result<Vec<(TableId, u64, usize)>>>()
        });
        // If even that fails, every append is refused because it seems to be in conflict, until it works again.
        let counted = counted.unwrap_or_default();
        self.recent = counted.iter().map(|(_, _, events)| events).sum();
        self.lengths = counted.into_iter().map(|(table, length, _)| (table, length)).collect();
    }

    fn commit<'a>(
        &mut self,
        durability: Durability,
        mut writes: impl Iterator<Item = &'a WriteRequest>,
    ) -> Result<(), StoreError> {
        if self.durability != Some(durability) {
            let synchronous = match durability {
                Durability::Process => "NORMAL",
                Durability::Power => "FULL",
            };
            self.connection.pragma_update(None, "synchronous", synchronous).map_err(failure)?;
            self.durability = Some(durability);
        }
        let done = self.transact(|writer| writes.try_for_each(|write| writer.carry_out(write)));
        if done.is_err() {
            self.recount();
        }
        done
    }

    /// Does something as a whole or not at all.
    fn transact(&mut self, work: impl FnOnce(&mut Self) -> Result<(), StoreError>) -> Result<(), StoreError> {
        self.run("BEGIN IMMEDIATE")?;
        let done = work(self).and_then(|()| self.run("COMMIT"));
        if done.is_err() && !self.connection.is_autocommit() {
            self.run("ROLLBACK")?;
        }
        done
    }

    fn carry_out(&mut self, request: &WriteRequest) -> Result<(), StoreError> {
        let connection = self.connection;
        match request {
            WriteRequest::Create(table) => {
                let NewTable {
                    id,
                    owner,
                    created,
                    mode,
                    settings,
                    head,
                    status,
                    over,
                    events,
                    holders,
                    lines,
                    key,
                    deadline,
                    address,
                    uploaded,
                } = &**table;
                connection
                    .prepare_cached(
                        "INSERT INTO tables (id, owner, mode, settings, head, course, over, created, updated, deadline,
                         address, bytes, uploaded, opened) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?8, ?9, ?10, ?11, ?12, ?8)",
                    )
                    .and_then(|mut insert| {
                        let mode = mode_name(*mode);
                        let bytes: usize = events.iter().map(|event| event.body.len()).sum();
                        insert.execute(params![
                            id, owner, mode, settings, head, status, over, created, deadline, address, bytes,
                            uploaded
                        ])
                    })
                    .map_err(failure)?;
                if let Some(holders) = holders {
                    set_holders(connection, id, holders)?;
                    connection.execute("DELETE FROM lobbies WHERE id = ?1", [id]).map_err(failure)?;
                }
                if let Some(key) = key {
                    insert_key(connection, key, id, None)?;
                }
                lines.iter().try_for_each(|line| self.say(id, line))?;
                insert_events(connection, id, 0, events)
            }
            WriteRequest::Table(write) => {
                let Write { table, change, events, line } = &**write;
                if let Some(change) = change {
                    self.change(table, change)?;
                }
                if let Some(events) = events {
                    self.append(table, events)?;
                }
                line.as_ref().map_or(Ok(()), |line| self.say(table, line))
            }
            WriteRequest::Lobby(id, body) => {
                let insert = "INSERT INTO lobbies VALUES (?1, ?2) ON CONFLICT (id) DO UPDATE SET body = ?2";
                connection.execute(insert, params![id, body]).map(|_| ()).map_err(failure)
            }
            WriteRequest::DropLobby(id) => {
                connection.execute("DELETE FROM lobbies WHERE id = ?1", [id]).map_err(failure)?;
                connection.execute("DELETE FROM chat WHERE table_id = ?1", [id]).map(|_| ()).map_err(failure)
            }
            WriteRequest::Opened(id, now) => {
                let update = "UPDATE tables SET opened = ?2 WHERE id = ?1";
                connection.execute(update, params![id, now]).map(|_| ()).map_err(failure)
            }
            WriteRequest::Rewrite(rewrite) => rewrite_table(connection, rewrite),
            WriteRequest::Delete(id) => self.delete(id),
            WriteRequest::Expire { opened, uploads } => {
                let expired =
                    "SELECT id FROM tables WHERE opened < ?1 OR (uploaded AND opened < ?2) LIMIT ?3";
                let expired = connection.prepare_cached(expired).and_then(|mut rows| {
                    let ids = rows.query_map(params![opened, uploads, EXPIRED], |row| row.get(0))?;
                    ids.collect::<rusqlite::Result<Vec<TableId>>>()
                });
                expired.map_err(failure)?.iter().try_for_each(|id| self.delete(id))
            }
            WriteRequest::Name(visitor, name) => {
                let insert =
                    "INSERT INTO visitors VALUES (?1, ?2, ?3) ON CONFLICT (id) DO UPDATE SET name = ?2";
                connection.execute(insert, params![visitor, name, seconds()]).map(|_| ()).map_err(failure)
            }
        }
    }

    /// Deletes a table with everything that belongs to it.
    fn delete(&mut self, table: &TableId) -> Result<(), StoreError> {
        for from in ["events", "recent", "chat", "holders", "link_keys"] {
            let delete = format!("DELETE FROM {from} WHERE table_id = ?1");
            self.connection
                .prepare_cached(&delete)
                .and_then(|mut delete| delete.execute([table]))
                .map_err(failure)?;
        }
        self.lengths.remove(table);
        self.connection.execute("DELETE FROM tables WHERE id = ?1", [table]).map(|_| ()).map_err(failure)
    }

    fn change(&self, table: &TableId, change: &Change) -> Result<(), StoreError> {
        let (connection, Change { settings, holders, key }) = (self.connection, change);
        match key {
            Some(KeyChange::Made(key, seat)) => {
                insert_key(connection, &random::hash(key), table, Some(*seat))?;
            }
            Some(KeyChange::Used(hash)) => {
                let used = connection.execute("DELETE FROM link_keys WHERE hash = ?1", [hash]);
                if used.map_err(failure)? == 0 {
                    return Err(StoreError::Conflict);
                }
            }
            None => {}
        }
        if let Some(holders) = holders {
            set_holders(connection, table, holders)?;
        }
        let update = "UPDATE tables SET settings = ?2 WHERE id = ?1";
        connection.execute(update, params![table, settings]).map(|_| ()).map_err(failure)
    }

    fn say(&self, table: &TableId, line: &NewLine) -> Result<(), StoreError> {
        let NewLine { seq, message, body } = line;
        let insert = "INSERT INTO chat VALUES (?1, ?2, ?3, ?4)";
        let said = self.connection.execute(insert, params![table, *seq as i64, message, body]);
        said.map(|_| ()).map_err(failure)
    }

    fn append(&mut self, table: &TableId, append: &Append) -> Result<(), StoreError> {
        let Append { known, events, head, status, over, deadline, .. } = append;
        if self.length(table)? != Some(*known) {
            return Err(StoreError::Conflict);
        }
        if let Some(head) = head {
            self.connection
                .prepare_cached("UPDATE tables SET head = ?2 WHERE id = ?1")
                .and_then(|mut update| update.execute(params![table, head]))
                .map_err(failure)?;
        }
        let mut insert = self
            .connection
            .prepare_cached("INSERT INTO recent VALUES (NULL, ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)")
            .map_err(failure)?;
        let (now, last) = (seconds(), events.len().saturating_sub(1));
        for (index, NewEvent { schema, message, body }) in events.iter().enumerate() {
            let seq = known + 1 + index as u64;
            let sum = checksum(table, seq, message.as_deref(), body);
            let inserted = if index == last {
                insert.execute(params![table, seq, schema, message, body, status, over, now, deadline, sum])
            } else {
                let none = rusqlite::types::Null;
                insert.execute(params![table, seq, schema, message, body, none, none, none, none, sum])
            };
            inserted.map_err(failure)?;
        }
        self.recent += events.len();
        let length = known + events.len() as u64;
        match self.lengths.get_mut(table) {
            Some(known) => *known = length,
            None => {
                self.lengths.insert(table.clone(), length);
            }
        }
        Ok(())
    }

    /// How many events a table has; `None` if there is no such table.
    fn length(&self, table: &TableId) -> Result<Option<u64>, StoreError> {
        if let Some(length) = self.lengths.get(table) {
            return Ok(Some(*length));
        }
        let mut last = self
            .connection
            .prepare_cached("SELECT max(seq) FROM events WHERE table_id = ?1")
            .map_err(failure)?;
        last.query_row([table], |row| row.get(0)).map_err(failure)
    }

    /// Runs a statement that is needed again and again.
    fn run(&self, statement: &str) -> Result<(), StoreError> {
        let ran = self.connection.prepare_cached(statement).and_then(|mut statement| statement.execute([]));
        ran.map(|_| ()).map_err(failure)
    }
}

/// Puts what `rewrite` says in the place of what is stored of a table, filed or not.
fn rewrite_table(connection: &Connection, rewrite: &Rewrite) -> Result<(), StoreError> {
    let Rewrite { id, owner, settings, head, status, holders, events, lines } = rewrite;
    let run = |statement: &str, values: &[&dyn ToSql]| {
        connection.prepare_cached(statement).and_then(|mut run| run.execute(values)).map_err(failure)
    };
    run(
        "UPDATE tables SET owner = ?2, settings = ?3, head = ?4, course = ?5 WHERE id = ?1",
        &[id, owner, settings, head, status],
    )?;
    run("UPDATE recent SET course = ?2 WHERE table_id = ?1 AND course IS NOT NULL", &[id, status])?;
    set_holders(connection, id, holders)?;
    run(
        "DELETE FROM link_keys WHERE table_id = ?1 AND seat NOT IN (SELECT seat FROM holders WHERE table_id = ?1)",
        &[id],
    )?;
    for (seq, NewEvent { schema, message, body }) in events {
        let sum = checksum(id, *seq, message.as_deref(), body);
        let values: &[&dyn ToSql] = &[id, seq, schema, message, body, &sum];
        let mut rows = 0;
        for table in ["events", "recent"] {
            let place =
                "schema = ?3, message = ?4, body = ?5, checksum = ?6 WHERE table_id = ?1 AND seq = ?2";
            rows += run(&format!("UPDATE {table} SET {place}"), values)?;
        }
        if rows != 1 {
            return Err(StoreError::Conflict);
        }
    }
    for NewLine { seq, message, body } in lines {
        run(
            "UPDATE chat SET message = ?3, body = ?4 WHERE table_id = ?1 AND seq = ?2",
            &[id, seq, message, body],
        )?;
    }
    Ok(())
}

fn set_holders(
    connection: &Connection,
    table: &str,
    holders: &[(usize, VisitorId)],
) -> Result<(), StoreError> {
    connection.execute("DELETE FROM holders WHERE table_id = ?1", [table]).map_err(failure)?;
    for (seat, visitor) in holders {
        let insert = "INSERT INTO holders VALUES (?1, ?2, ?3)";
        connection.execute(insert, params![table, seat, visitor]).map_err(failure)?;
    }
    Ok(())
}

fn insert_key(
    connection: &Connection,
    hash: &KeyHash,
    table: &str,
    seat: Option<usize>,
) -> Result<(), StoreError> {
    let insert = "INSERT OR REPLACE INTO link_keys VALUES (?1, ?2, ?3, ?4)";
    connection.execute(insert, params![hash, table, seat, seconds()]).map(|_| ()).map_err(failure)
}

fn insert_events(
    connection: &Connection,
    table: &str,
    known: u64,
    events: &[NewEvent],
) -> Result<(), StoreError> {
    let mut insert =
        connection.prepare_cached("INSERT INTO events VALUES (?1, ?2, ?3, ?4, ?5, ?6)").map_err(failure)?;
    for (seq, NewEvent { schema, message, body }) in (known + 1..).zip(events) {
        let sum = checksum(table, seq, message.as_deref(), body);
        insert.execute(params![table, seq as i64, schema, message, body, sum]).map_err(failure)?;
    }
    Ok(())
}
