//! What has been worked out in this search: values by position and remaining depth.
//!
//! The tag of an entry is the position's key mixed with the depth and with a number of the search, so that one
//! comparison tells whether an entry is the one, and entries of earlier searches need not be cleared away.
//! Positions that a search reaches by different orders of the same moves meet here; those of different depths do not,
//! which keeps the search exact.
//!
//! Threads that search together share the table without waiting for one another: what is stored of a tag is mixed with the value, so that
//! the tag of one entry with the value of another is not found.

use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

use agon_core::random::mix;
use agon_core::{OptionsError, memory};

use crate::parameters;

/// A bounded store of values; a new value takes the place of the old one.
#[derive(Debug)]
pub(super) struct Table {
    /// A power of two of them, from the first search on: many ask for a bot only to see whether there is one.
    entries: memory::Table<Entry>,
    /// How many there are then.
    count: usize,
    /// Mixed into every tag.
    search: u64,
}

#[derive(Debug, Default)]
struct Entry {
    /// The tag mixed with the value.
    check: AtomicU64,
    /// The bits of the value.
    value: AtomicU64,
}

impl Table {
    /// A table of at most this many megabytes.
    ///
    /// # Errors
    /// If the machine has not that much memory.
    pub(super) fn new(megabytes: u32) -> Result<Self, OptionsError> {
        let most = (megabytes as usize) << 20;
        let count = 1 << (most / size_of::<Entry>()).max(1).ilog2();
        let has_room = memory::Table::<Entry>::check_room(count);
        has_room.map_err(|_| parameters::too_much_memory("tt", megabytes))?;
        Ok(Self { entries: memory::Table::empty(), count, search: 0 })
    }

    /// Forgets everything. The first search makes the room; if there is none any more, one entry is all.
    pub(super) fn begin(&mut self) {
        if self.entries.is_empty() {
            self.entries = memory::Table::try_made(Entry::default, self.count)
                .unwrap_or_else(|_| memory::Table::made(Entry::default, 1));
        }
        self.search += 1;
    }

    /// The tag of a position, told by its key, with `depth` plies to go.
    #[inline(always)]
    pub(super) fn tag(&self, key: u64, depth: u32) -> u64 {
        mix(key, self.search << 8 | u64::from(depth))
    }

    /// The value stored under `tag`.
    #[inline(always)]
    pub(super) fn find(&self, tag: u64) -> Option<f64> {
        let Entry { check, value } = &self.entries[self.place(tag)];
        let value = value.load(Relaxed);
        (check.load(Relaxed) ^ value == tag).then_some(f64::from_bits(value))
    }

    /// Stores `value` under `tag`.
    #[inline(always)]
    pub(super) fn store(&self, tag: u64, value: f64) {
        let entry = &self.entries[self.place(tag)];
        entry.check.store(tag ^ value.to_bits(), Relaxed);
        entry.value.store(value.to_bits(), Relaxed);
    }

    #[inline(always)]
    fn place(&self, tag: u64) -> usize {
        tag as usize & (self.entries.len() - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_takes_its_memory_when_it_is_first_used() {
        let mut table = Table::new(1).expect("a megabyte");
        assert!(table.entries.is_empty());
        table.begin();
        let tag = table.tag(5, 1);
        table.store(tag, 0.5);
        assert_eq!((table.entries.len(), table.find(tag)), (1 << 16, Some(0.5)));
    }
}
