//! The transposition table: what earlier searches found out about a position.
//!
//! Buckets of three entries, each bucket a line of the processor's cache, found by the upper bits of the key; entries are told
//! apart by the whole of it. A table is made once, before the clock runs, and kept between moves; entries of earlier
//! searches grow old and give way.

use agon_core::{OptionsError, memory};

use crate::parameters;
use crate::thought::Bound;

/// What is known about a position.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry<M, S = i32> {
    /// The position's key, in halves: so an entry needs no padding, and three of them fit into 64 bytes.
    key: [u32; 2],
    /// The score as its search counts: from this position on, or for every player.
    pub(crate) score: S,
    /// The best move, or the one that cut.
    pub(crate) best: Option<M>,
    depth: u8,
    /// How the score is meant.
    pub(crate) bound: Bound,
    age: u8,
}

/// The depth of entries whose move alone can be trusted.
const NO_DEPTH: u8 = u8::MAX;

/// The depth of entries that rest on ends of the game alone: no search, however deep, finds anything else.
pub(crate) const COMPLETE: u8 = NO_DEPTH - 1;

impl<M, S> Entry<M, S> {
    /// How deep the search was; `None` if only the move is to be trusted.
    #[inline(always)]
    pub(crate) fn depth(&self) -> Option<u8> {
        (self.depth != NO_DEPTH).then_some(self.depth)
    }

    /// Greater for what is dearer to replace.
    #[inline(always)]
    fn effort(&self) -> u8 {
        self.depth.wrapping_add(1)
    }
}

/// Which entry of a full bucket gives way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Replacement {
    /// The shallowest, those of earlier moves of the game first.
    Aged,
    /// The shallowest; never for a shallower one.
    Depth,
    /// The one that the key points at.
    Always,
}

const WAYS: usize = 3;

#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct Bucket<M, S>([Option<Entry<M, S>>; WAYS]);

/// The table. Without room it remembers nothing.
#[derive(Debug)]
pub(crate) struct Table<M, S = i32> {
    buckets: memory::Table<Bucket<M, S>>,
    /// How many buckets there are from the first search on: many ask for a bot only to see whether there is one.
    count: usize,
    replacement: Replacement,
    age: u8,
    used: usize,
}

impl<M: Copy, S: Copy> Table<M, S> {
    /// A table that remembers nothing.
    pub(crate) fn off() -> Self {
        Self { buckets: memory::Table::empty(), count: 0, replacement: Replacement::Aged, age: 0, used: 0 }
    }

    /// A table of at most this many megabytes.
    ///
    /// # Errors
    /// If the machine has not that much memory.
    pub(crate) fn new(megabytes: u32, replacement: Replacement) -> Result<Self, OptionsError> {
        let count = (((megabytes as usize) << 20) / size_of::<Bucket<M, S>>()).max(1);
        let has_room = memory::Table::<Bucket<M, S>>::check_room(count);
        has_room.map_err(|_| parameters::too_much_memory("tt", megabytes))?;
        Ok(Self { count, replacement, ..Self::off() })
    }

    /// Whether there is room for anything.
    #[inline(always)]
    pub(crate) fn is_on(&self) -> bool {
        !self.buckets.is_empty()
    }

    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        if self.used > 0 {
            self.buckets.fill(Bucket([None; WAYS]));
            self.used = 0;
        }
    }

    /// Lets everything stored so far grow older. The first search makes the room; if there is none any more, nothing is remembered.
    pub(crate) fn next_search(&mut self) {
        if self.buckets.len() < self.count {
            self.buckets = memory::Table::try_filled(Bucket([None; WAYS]), self.count)
                .unwrap_or_else(|_| memory::Table::empty());
        }
        self.age = self.age.wrapping_add(1);
    }

    /// The share of the room that is taken.
    pub(crate) fn fill(&self) -> f64 {
        if self.is_on() { self.used as f64 / (WAYS * self.buckets.len()) as f64 } else { 0.0 }
    }

    #[inline(always)]
    fn bucket(&self, key: u64) -> usize {
        agon_core::random::scale(key, self.buckets.len() as u64) as usize
    }

    /// Has the memory of this key fetched meanwhile: it is asked for soon.
    #[inline(always)]
    pub(crate) fn prefetch(&self, key: u64) {
        if let Some(bucket) = self.buckets.get(self.bucket(key)) {
            memory::prefetch(bucket);
        }
    }

    /// What is known about the position with this key.
    #[inline(always)]
    pub(crate) fn probe(&self, key: u64) -> Option<Entry<M, S>> {
        let bucket = self.buckets.get(self.bucket(key))?;
        let key = halves(key);
        bucket.0.iter().flatten().find(|entry| entry.key == key).copied()
    }

    /// Remembers what was found; a known best move is kept if there is no new one.
    #[inline(always)]
    pub(crate) fn store(&mut self, key: u64, score: S, depth: Option<u8>, bound: Bound, best: Option<M>) {
        let (index, age, replacement) = (self.bucket(key), self.age, self.replacement);
        let Some(Bucket(bucket)) = self.buckets.get_mut(index) else { return };
        let way = (key % WAYS as u64) as usize;
        let key = halves(key);
        let same = bucket.iter().position(|slot| slot.is_some_and(|entry| entry.key == key));
        let place = same.unwrap_or_else(|| {
            let stale = |slot: &Option<Entry<M, S>>| match (slot, replacement) {
                (None, _) => 0,
                (Some(entry), Replacement::Aged) => {
                    1 + u16::from(entry.effort()) + if entry.age == age { 256 } else { 0 }
                }
                (Some(entry), _) => 1 + u16::from(entry.effort()),
            };
            match replacement {
                Replacement::Always => way,
                Replacement::Aged | Replacement::Depth => {
                    (0..WAYS).min_by_key(|&way| stale(&bucket[way])).unwrap_or(0)
                }
            }
        });
        let new = Entry { key, score, best, depth: depth.unwrap_or(NO_DEPTH), bound, age };
        let slot = &mut bucket[place];
        if let Some(old) = slot
            && same.is_none()
            && replacement == Replacement::Depth
            && old.effort() > new.effort()
        {
            return;
        }
        self.used += usize::from(slot.is_none());
        let kept = slot.filter(|_| same.is_some()).and_then(|entry| entry.best);
        *slot = Some(Entry { best: best.or(kept), ..new });
    }
}

#[inline(always)]
fn halves(key: u64) -> [u32; 2] {
    [key as u32, (key >> 32) as u32]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_takes_its_memory_when_it_is_first_used() {
        let mut table = Table::<u8>::new(1, Replacement::Aged).expect("a megabyte");
        assert!(table.buckets.is_empty());
        table.next_search();
        table.store(5, 7, Some(1), Bound::Exact, None);
        assert_eq!(table.probe(5).map(|entry| entry.score), Some(7));
        assert_eq!(table.buckets.len(), table.count);
        // What was found stays.
        table.next_search();
        assert!(table.probe(5).is_some());
    }
}
