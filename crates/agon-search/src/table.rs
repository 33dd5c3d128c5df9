//! The transposition table: what earlier searches found out about a position.
//!
//! Buckets of four entries, found by the upper bits of the key and told apart by the whole of it. A table is
//! made once, before the clock runs, and kept between moves; entries of earlier searches grow old and give way.

use agon_core::OptionsError;

/// How a stored score relates to the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bound {
    /// It is the score.
    Exact,
    /// The score is at least this.
    Lower,
    /// The score is at most this.
    Upper,
}

/// What is known about a position.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry<M, S = i32> {
    key: u64,
    /// The score as its search counts: from this position on, or for every player.
    pub(crate) score: S,
    /// How deep the search was; `None` if only the move is to be trusted.
    pub(crate) depth: Option<u8>,
    /// How the score is meant.
    pub(crate) bound: Bound,
    age: u8,
    /// The best move, or the one that cut.
    pub(crate) best: Option<M>,
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

const WAYS: usize = 4;

/// The table. Without room it remembers nothing.
#[derive(Debug)]
pub(crate) struct Table<M, S = i32> {
    entries: Vec<Option<Entry<M, S>>>,
    replacement: Replacement,
    age: u8,
    used: usize,
}

impl<M: Copy, S: Copy> Table<M, S> {
    /// A table that remembers nothing.
    pub(crate) fn off() -> Self {
        Self { entries: Vec::new(), replacement: Replacement::Aged, age: 0, used: 0 }
    }

    /// A table of at most so many megabytes.
    ///
    /// # Errors
    /// If the machine has not that much memory.
    pub(crate) fn new(megabytes: u32, replacement: Replacement) -> Result<Self, OptionsError> {
        let refuse =
            || OptionsError::new(format!("tt={megabytes}: there is not that much memory (in MB) left"));
        let bytes = u64::from(megabytes) << 20;
        if available_memory().is_some_and(|available| bytes > available) {
            return Err(refuse());
        }
        let buckets = (bytes as usize / (WAYS * size_of::<Option<Entry<M, S>>>())).max(1);
        let mut entries = Vec::new();
        entries.try_reserve_exact(buckets * WAYS).map_err(|_| refuse())?;
        entries.resize(buckets * WAYS, None);
        Ok(Self { entries, replacement, age: 0, used: 0 })
    }

    /// Whether there is room for anything.
    #[inline(always)]
    pub(crate) fn is_on(&self) -> bool {
        !self.entries.is_empty()
    }

    /// Lets everything stored so far grow older.
    pub(crate) fn next_search(&mut self) {
        self.age = self.age.wrapping_add(1);
    }

    /// The share of the room that is taken.
    pub(crate) fn fill(&self) -> f64 {
        if self.is_on() { self.used as f64 / self.entries.len() as f64 } else { 0.0 }
    }

    #[inline(always)]
    fn bucket(&self, key: u64) -> usize {
        let buckets = (self.entries.len() / WAYS) as u64;
        agon_core::random::scale(key, buckets) as usize * WAYS
    }

    /// What is known about the position with this key.
    #[inline(always)]
    pub(crate) fn probe(&self, key: u64) -> Option<Entry<M, S>> {
        if !self.is_on() {
            return None;
        }
        let start = self.bucket(key);
        self.entries[start..start + WAYS].iter().flatten().find(|entry| entry.key == key).copied()
    }

    /// Remembers what was found; a known best move is kept if there is no new one.
    #[inline(always)]
    pub(crate) fn store(&mut self, key: u64, score: S, depth: Option<u8>, bound: Bound, best: Option<M>) {
        if !self.is_on() {
            return;
        }
        let (start, age) = (self.bucket(key), self.age);
        let replacement = self.replacement;
        let bucket = &mut self.entries[start..start + WAYS];
        let same = bucket.iter().position(|slot| slot.is_some_and(|entry| entry.key == key));
        let place = same.unwrap_or_else(|| {
            let stale = |slot: &Option<Entry<M, S>>| match (slot, replacement) {
                (None, _) => (0, 0),
                (Some(entry), Replacement::Aged) => {
                    (1 + u8::from(entry.age == age), entry.depth.map_or(0, |depth| depth + 1))
                }
                (Some(entry), Replacement::Depth) => (1, entry.depth.map_or(0, |depth| depth + 1)),
                (Some(entry), Replacement::Always) => (1 + u8::from(entry.key % 4 != key % 4), 0),
            };
            (0..WAYS).min_by_key(|&way| stale(&bucket[way])).unwrap_or(0)
        });
        let slot = &mut bucket[place];
        if let Some(old) = slot
            && same.is_none()
            && replacement == Replacement::Depth
            && old.depth > depth
        {
            return;
        }
        self.used += usize::from(slot.is_none());
        let kept = slot.filter(|_| same.is_some()).and_then(|entry| entry.best);
        *slot = Some(Entry { key, score, depth, bound, age, best: best.or(kept) });
    }
}

/// How many bytes of memory can still be used, where the system says so.
pub(crate) fn available_memory() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok().map(|kilobytes| kilobytes << 10)
}
