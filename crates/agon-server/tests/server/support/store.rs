//! A store that can be made to fail.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use agon_server::store::sqlite::SqliteStore;
use agon_server::store::{
    KeyHash, Later, Listed, NewTable, Rewrite, Store, StoreError, StoredLine, StoredTable, TableId, Usage,
    VisitorId, Write,
};

/// A store that stores nothing while it is full.
pub(crate) struct Leaky {
    inner: SqliteStore,
    pub(crate) is_full: AtomicBool,
    /// How often it was asked to store something while it was full.
    pub(crate) refusals: AtomicUsize,
}

impl Leaky {
    pub(crate) fn new(inner: SqliteStore) -> Arc<Self> {
        Arc::new(Self { inner, is_full: AtomicBool::new(false), refusals: AtomicUsize::new(0) })
    }

    fn or_full(&self, store: impl FnOnce(&SqliteStore) -> Later<()>) -> Later<()> {
        if self.is_full.load(Ordering::SeqCst) {
            self.refusals.fetch_add(1, Ordering::SeqCst);
            return Box::pin(async { Err(StoreError::Full) });
        }
        store(&self.inner)
    }
}

impl Store for Leaky {
    fn create(&self, table: NewTable) -> Later<()> {
        self.or_full(|inner| inner.create(table))
    }

    fn write(&self, write: Write) -> Later<()> {
        self.or_full(|inner| inner.write(write))
    }

    fn due(&self, now: u64, limit: usize) -> Later<Vec<TableId>> {
        self.inner.due(now, limit)
    }

    fn link(&self, hash: KeyHash) -> Later<Option<(TableId, Option<usize>)>> {
        self.inner.link(hash)
    }

    fn save_lobby(&self, id: TableId, body: String) -> Later<()> {
        self.or_full(|inner| inner.save_lobby(id, body))
    }

    fn drop_lobby(&self, id: TableId) -> Later<()> {
        self.or_full(|inner| inner.drop_lobby(id))
    }

    fn lobbies(&self) -> Later<Vec<String>> {
        self.inner.lobbies()
    }

    fn chat(&self, table: TableId, limit: usize) -> Later<Vec<StoredLine>> {
        self.inner.chat(table, limit)
    }

    fn load(&self, table: TableId) -> Later<Option<StoredTable>> {
        self.inner.load(table)
    }

    fn names(&self, after: TableId, limit: usize) -> Later<Vec<TableId>> {
        self.inner.names(after, limit)
    }

    fn owned(&self, owner: VisitorId, skip: usize, limit: usize) -> Later<Vec<Listed>> {
        self.inner.owned(owner, skip, limit)
    }

    fn name(&self, visitor: VisitorId) -> Later<Option<String>> {
        self.inner.name(visitor)
    }

    fn set_name(&self, visitor: VisitorId, name: String) -> Later<()> {
        self.or_full(|inner| inner.set_name(visitor, name))
    }

    fn usage(&self, owner: VisitorId, address: String) -> Later<Usage> {
        self.inner.usage(owner, address)
    }

    fn note_opened(&self, table: TableId, now: u64) -> Later<()> {
        self.or_full(|inner| inner.note_opened(table, now))
    }

    fn rewrite(&self, rewrite: Rewrite) -> Later<()> {
        self.or_full(|inner| inner.rewrite(rewrite))
    }

    fn delete(&self, table: TableId) -> Later<()> {
        self.or_full(|inner| inner.delete(table))
    }

    fn expire(&self, opened: u64, uploads: u64) -> Later<()> {
        self.or_full(|inner| inner.expire(opened, uploads))
    }

    fn is_well(&self) -> bool {
        self.inner.is_well() && !self.is_full.load(Ordering::SeqCst)
    }
}
