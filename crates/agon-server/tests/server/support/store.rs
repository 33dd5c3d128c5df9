//! A store that can be made to fail.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use agon_server::store::sqlite::SqliteStore;
use agon_server::store::{
    Append, Later, Listed, NewTable, Store, StoreError, StoredTable, TableId, VisitorId,
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

    fn append(&self, events: Append) -> Later<()> {
        self.or_full(|inner| inner.append(events))
    }

    fn set_settings(&self, table: TableId, settings: String) -> Later<()> {
        self.or_full(|inner| inner.set_settings(table, settings))
    }

    fn load(&self, table: TableId) -> Later<Option<StoredTable>> {
        self.inner.load(table)
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

    fn is_well(&self) -> bool {
        self.inner.is_well() && !self.is_full.load(Ordering::SeqCst)
    }
}
