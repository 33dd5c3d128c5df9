//! What has been worked out in this search: values by position and remaining depth.
//!
//! The tag of an entry is the position's key mixed with the depth and with a number of the search, so that one
//! comparison tells whether an entry is the one, and entries of earlier searches need not be cleared away.
//! Positions that a search reaches by different orders of the same moves meet here; those of different depths do not,
//! which keeps the search exact.

use agon_core::random::mix;
use agon_core::{OptionsError, memory};

use crate::parameters;

/// A bounded store of values; a new value takes the place of the old one.
#[derive(Debug)]
pub(super) struct Table {
    /// A power of two of them.
    entries: Vec<Entry>,
    /// Mixed into every tag.
    search: u64,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    tag: u64,
    value: f64,
}

impl Table {
    /// A table of at most this many megabytes.
    ///
    /// # Errors
    /// If the machine has not that much memory.
    pub(super) fn new(megabytes: u32) -> Result<Self, OptionsError> {
        let most = (megabytes as usize) << 20;
        let count = 1 << (most / size_of::<Entry>()).max(1).ilog2();
        let entries = memory::try_filled(Entry { tag: 0, value: 0.0 }, count);
        let entries = entries.map_err(|_| parameters::too_much_memory("tt", megabytes))?;
        Ok(Self { entries, search: 0 })
    }

    /// Forgets everything.
    pub(super) fn begin(&mut self) {
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
        let entry = &self.entries[self.place(tag)];
        (entry.tag == tag).then_some(entry.value)
    }

    /// Stores `value` under `tag`.
    #[inline(always)]
    pub(super) fn store(&mut self, tag: u64, value: f64) {
        let place = self.place(tag);
        self.entries[place] = Entry { tag, value };
    }

    #[inline(always)]
    fn place(&self, tag: u64) -> usize {
        tag as usize & (self.entries.len() - 1)
    }
}
