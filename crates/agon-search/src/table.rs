//! The transposition table: what earlier searches found out about a position.
//!
//! Buckets of three entries, each bucket a line of the processor's cache, found by the upper bits of the key; entries are told
//! apart by the whole of it. A table is made once, before the clock runs, and kept between moves; entries of earlier
//! searches grow old and give way.
//!
//! Threads that search together read and write one table, and none waits for another. An entry is stored as several numbers, and
//! one of them is the key mixed with all the others: what two threads have written half each belongs to no key and is not found
//! (Hyatt & Mann 2002, "A lock-less transposition-table implementation for parallel search chess engines").

use std::array::from_fn;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::num::NonZeroU32;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicI32, AtomicU64};

use agon_core::{MAX_PLAYERS, OptionsError, Payoffs, memory};

use crate::parameters;
use crate::thought::Bound;

/// What a table can keep as the score of a position.
pub(crate) trait Score: Copy {
    /// Where it is kept.
    type Cell: Default + fmt::Debug;

    fn load(cell: &Self::Cell) -> Self;

    fn store(self, cell: &Self::Cell);

    /// A number that differs with the score.
    fn digest(self) -> u64;
}

/// What a position is worth to the player to move.
impl Score for i32 {
    type Cell = AtomicI32;

    #[inline(always)]
    fn load(cell: &AtomicI32) -> Self {
        cell.load(Relaxed)
    }

    #[inline(always)]
    fn store(self, cell: &AtomicI32) {
        cell.store(self, Relaxed);
    }

    #[inline(always)]
    fn digest(self) -> u64 {
        self as u64
    }
}

/// What it is worth to every player.
impl Score for Payoffs {
    type Cell = [AtomicU64; MAX_PLAYERS];

    #[inline(always)]
    fn load(cell: &Self::Cell) -> Self {
        Self(from_fn(|player| f64::from_bits(cell[player].load(Relaxed))))
    }

    #[inline(always)]
    fn store(self, cell: &Self::Cell) {
        for (cell, value) in cell.iter().zip(self.0) {
            cell.store(value.to_bits(), Relaxed);
        }
    }

    #[inline(always)]
    fn digest(self) -> u64 {
        self.0.iter().fold(0, |digest: u64, value| digest.rotate_left(7) ^ value.to_bits())
    }
}

/// A number that stands for a move in the table: the moves of one position have different ones, but for a chance in two thousand million
/// for each pair, and then the wrong one is tried first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct MoveCode(NonZeroU32);

impl MoveCode {
    #[inline(always)]
    pub(crate) fn of(mv: impl Hash) -> Self {
        let mut fields = Fields(1);
        mv.hash(&mut fields);
        let hash = fields.0.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32;
        Self(NonZeroU32::MIN | hash as u32)
    }
}

/// The fields of a move one after the other; squares have eleven bits at most.
struct Fields(u64);

impl Hasher for Fields {
    #[inline(always)]
    fn finish(&self) -> u64 {
        self.0
    }

    #[inline(always)]
    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.write_u64(u64::from(byte)));
    }

    #[inline(always)]
    fn write_u8(&mut self, field: u8) {
        self.write_u64(u64::from(field));
    }

    #[inline(always)]
    fn write_u16(&mut self, field: u16) {
        self.write_u64(u64::from(field));
    }

    #[inline(always)]
    fn write_u32(&mut self, field: u32) {
        self.write_u64(u64::from(field));
    }

    #[inline(always)]
    fn write_u64(&mut self, field: u64) {
        self.0 = self.0 << 11 ^ field;
    }

    #[inline(always)]
    fn write_usize(&mut self, field: usize) {
        self.write_u64(field as u64);
    }

    #[inline(always)]
    fn write_isize(&mut self, field: isize) {
        self.write_u64(field as u64);
    }
}

/// The depth of entries whose move alone can be trusted.
const NO_DEPTH: u8 = u8::MAX;

/// The depth of entries that rest on ends of the game alone: no search, however deep, finds anything else.
pub(crate) const COMPLETE: u8 = NO_DEPTH - 1;

/// What an entry says besides the score, in one number: the best move in its lower half, then the depth, the bound and the age. Zero, for
/// want of a bound, is no entry.
#[derive(Clone, Copy)]
struct Facts(u64);

impl Facts {
    const VACANT: Self = Self(0);

    #[inline(always)]
    fn new(best: u32, depth: Option<u8>, bound: Bound, age: u8) -> Self {
        let bound = match bound {
            Bound::Exact => 1,
            Bound::Lower => 2,
            Bound::Upper => 3,
        };
        let depth = depth.unwrap_or(NO_DEPTH);
        Self(u64::from(best) | u64::from(depth) << 32 | bound << 40 | u64::from(age) << 48)
    }

    #[inline(always)]
    fn is_vacant(self) -> bool {
        self.0 == Self::VACANT.0
    }

    #[inline(always)]
    fn best(self) -> u32 {
        self.0 as u32
    }

    #[inline(always)]
    fn depth(self) -> u8 {
        (self.0 >> 32) as u8
    }

    #[inline(always)]
    fn age(self) -> u8 {
        (self.0 >> 48) as u8
    }

    /// Greater for what is dearer to replace.
    #[inline(always)]
    fn effort(self) -> u8 {
        self.depth().wrapping_add(1)
    }
}

/// What is known about a position.
#[derive(Clone, Copy)]
pub(crate) struct Entry<S = i32> {
    /// The score as its search counts: from this position on, or for every player.
    pub(crate) score: S,
    facts: Facts,
}

impl<S> Entry<S> {
    /// The best move, or the one that cut.
    #[inline(always)]
    pub(crate) fn best(&self) -> Option<MoveCode> {
        NonZeroU32::new(self.facts.best()).map(MoveCode)
    }

    /// How deep the search was; `None` if only the move is to be trusted.
    #[inline(always)]
    pub(crate) fn depth(&self) -> Option<u8> {
        (self.facts.depth() != NO_DEPTH).then_some(self.facts.depth())
    }

    /// How the score is meant.
    #[inline(always)]
    pub(crate) fn bound(&self) -> Bound {
        match self.facts.0 >> 40 & 3 {
            1 => Bound::Exact,
            2 => Bound::Lower,
            _ => Bound::Upper,
        }
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

/// A number of each of its entries after the other, so that all of them fit into 64 bytes.
#[derive(Debug, Default)]
#[repr(align(64))]
struct Bucket<S: Score> {
    /// The keys of the entries, mixed with the rest of them.
    checks: [AtomicU64; WAYS],
    facts: [AtomicU64; WAYS],
    scores: [S::Cell; WAYS],
}

impl<S: Score> Bucket<S> {
    #[inline(always)]
    fn facts(&self, way: usize) -> Facts {
        Facts(self.facts[way].load(Relaxed))
    }

    /// The entry in this place, if it is one for this key.
    #[inline(always)]
    fn read(&self, way: usize, key: u64) -> Option<Entry<S>> {
        let facts = self.facts(way);
        let score = S::load(&self.scores[way]);
        let is_it = self.checks[way].load(Relaxed) ^ facts.0 ^ score.digest() == key && !facts.is_vacant();
        is_it.then_some(Entry { score, facts })
    }

    #[inline(always)]
    fn write(&self, way: usize, key: u64, facts: Facts, score: S) {
        self.checks[way].store(key ^ facts.0 ^ score.digest(), Relaxed);
        self.facts[way].store(facts.0, Relaxed);
        score.store(&self.scores[way]);
    }
}

/// The table. Without room it remembers nothing.
#[derive(Debug)]
pub(crate) struct Table<S: Score = i32> {
    buckets: memory::Table<Bucket<S>>,
    /// How many buckets there are from the first search on: many ask for a bot only to see whether there is one.
    count: usize,
    replacement: Replacement,
    age: u8,
    used: u64,
}

impl<S: Score> Table<S> {
    /// A table that remembers nothing.
    pub(crate) fn off() -> Self {
        Self { buckets: memory::Table::empty(), count: 0, replacement: Replacement::Aged, age: 0, used: 0 }
    }

    /// A table of at most this many megabytes.
    ///
    /// # Errors
    /// If the machine has not that much memory.
    pub(crate) fn new(megabytes: u32, replacement: Replacement) -> Result<Self, OptionsError> {
        let count = (((megabytes as usize) << 20) / size_of::<Bucket<S>>()).max(1);
        let has_room = memory::Table::<Bucket<S>>::check_room(count);
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
            self.buckets.iter_mut().for_each(|bucket| *bucket = Self::vacant());
            self.used = 0;
        }
    }

    /// Lets everything stored so far grow older. The first search makes the room; if there is none any more, nothing is remembered.
    pub(crate) fn next_search(&mut self) {
        if self.buckets.len() < self.count {
            let made = memory::Table::try_made(Self::vacant, self.count);
            self.buckets = made.unwrap_or_else(|_| memory::Table::empty());
        }
        self.age = self.age.wrapping_add(1);
    }

    fn vacant() -> Bucket<S> {
        Bucket { checks: Default::default(), facts: Default::default(), scores: Default::default() }
    }

    /// Is told how many entries a search has put where there was none: threads that counted them in one place would wait for it.
    pub(crate) fn note_filled(&mut self, filled: u64) {
        self.used += filled;
    }

    /// The share of the room that is taken, `filled` entries included that have not been [noted](Self::note_filled).
    pub(crate) fn fill(&self, filled: u64) -> f64 {
        if self.is_on() { (self.used + filled) as f64 / (WAYS * self.buckets.len()) as f64 } else { 0.0 }
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
    pub(crate) fn probe(&self, key: u64) -> Option<Entry<S>> {
        let bucket = self.buckets.get(self.bucket(key))?;
        (0..WAYS).find_map(|way| bucket.read(way, key))
    }

    /// Remembers what was found; a known best move is kept if there is no new one. Says whether there was nothing in its place.
    #[inline(always)]
    pub(crate) fn store(
        &self,
        key: u64,
        score: S,
        depth: Option<u8>,
        bound: Bound,
        best: Option<MoveCode>,
    ) -> bool {
        let Some(bucket) = self.buckets.get(self.bucket(key)) else { return false };
        let best = best.map_or(0, |MoveCode(code)| code.get());
        let new = Facts::new(best, depth, bound, self.age);
        for way in 0..WAYS {
            if let Some(known) = bucket.read(way, key) {
                let best = if best == 0 { known.facts.best() } else { best };
                bucket.write(way, key, Facts::new(best, depth, bound, self.age), score);
                return false;
            }
        }
        let way = match self.replacement {
            Replacement::Always => (key % WAYS as u64) as usize,
            Replacement::Aged | Replacement::Depth => {
                (0..WAYS).min_by_key(|&way| self.value(bucket.facts(way))).unwrap_or(0)
            }
        };
        let old = bucket.facts(way);
        if self.replacement == Replacement::Depth && !old.is_vacant() && old.effort() > new.effort() {
            return false;
        }
        bucket.write(way, key, new, score);
        old.is_vacant()
    }

    /// The same for a search of one thread, where it need not be noted what has been filled.
    #[inline(always)]
    pub(crate) fn store_alone(
        &mut self,
        key: u64,
        score: S,
        depth: Option<u8>,
        bound: Bound,
        best: Option<MoveCode>,
    ) {
        self.used += u64::from(self.store(key, score, depth, bound, best));
    }

    /// The entry of a full bucket that is worth least gives way.
    #[inline(always)]
    fn value(&self, facts: Facts) -> u16 {
        if facts.is_vacant() {
            return 0;
        }
        let is_new = self.replacement == Replacement::Aged && facts.age() == self.age;
        1 + u16::from(facts.effort()) + if is_new { 256 } else { 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_takes_its_memory_when_it_is_first_used() {
        let mut table = Table::<i32>::new(1, Replacement::Aged).expect("a megabyte");
        assert!(table.buckets.is_empty());
        table.next_search();
        let best = Some(MoveCode::of(1_u8));
        assert!(table.store(5, 7, Some(1), Bound::Exact, best));
        assert!(!table.store(5, -8, Some(2), Bound::Upper, None), "its place was taken by itself");
        let known = table.probe(5).expect("it was stored");
        assert_eq!((known.score, known.depth(), known.bound()), (-8, Some(2), Bound::Upper));
        assert_eq!(known.best(), best, "a known move is kept");
        assert_eq!(table.buckets.len(), table.count);
        assert_eq!(size_of::<Bucket<i32>>(), 64);
        // What was found stays.
        table.next_search();
        assert!(table.probe(5).is_some());
        table.note_filled(1);
        table.clear();
        assert!(table.probe(5).is_none());
    }

    #[test]
    fn what_is_half_of_one_entry_and_half_of_another_is_not_found() {
        let bucket = Table::<i32>::vacant();
        let [one, other] = [(7, 3), (-900, 12)].map(|(score, depth)| {
            (score, Facts::new(MoveCode::of((score, depth)).0.get(), Some(depth), Bound::Lower, 1))
        });
        bucket.write(0, 1, one.1, one.0);
        assert!(bucket.read(0, 1).is_some() && bucket.read(0, 2).is_none());
        // Another thread has been interrupted in the middle of its entry: after each of its three numbers.
        bucket.checks[0].store(2 ^ other.1.0 ^ other.0.digest(), Relaxed);
        assert!((0..3).all(|key| bucket.read(0, key).is_none()));
        bucket.facts[0].store(other.1.0, Relaxed);
        assert!((0..3).all(|key| bucket.read(0, key).is_none()));
        other.0.store(&bucket.scores[0]);
        assert_eq!(bucket.read(0, 2).map(|entry| entry.score), Some(other.0));
    }

    #[test]
    fn threads_read_only_what_one_of_them_has_written() {
        let mut table = Table::<i32>::new(1, Replacement::Always).expect("a megabyte");
        table.count = 2;
        table.next_search();
        // All that is stored can be told from the key and the depth.
        let written = |key: u64, depth: u8| {
            let score = (key as i32).wrapping_mul(0x3779_79B9) ^ i32::from(depth) << 20;
            (score, MoveCode::of((key as u16 & 1023, u16::from(depth))))
        };
        let keys: [u64; 16] = from_fn(|index| 0x9E37_79B9_7F4A_7C15_u64.wrapping_mul(index as u64 + 1));
        let hits = std::thread::scope(|scope| {
            let work = |thread: usize| {
                let (table, keys) = (&table, &keys);
                move || {
                    let mut hits = 0;
                    for round in 0..200_000 {
                        let key = keys[(round * 7 + thread * 3) % keys.len()];
                        let depth = (round % 50) as u8;
                        let (score, best) = written(key, depth);
                        table.store(key, score, Some(depth), Bound::Exact, Some(best));
                        let asked = keys[round % keys.len()];
                        if let Some(entry) = table.probe(asked) {
                            let found = (entry.score, entry.best().expect("every entry has a move"));
                            assert_eq!(found, written(asked, entry.depth().expect("a depth")));
                            hits += 1;
                        }
                    }
                    hits
                }
            };
            let threads = [1, 2, 3].map(|thread| scope.spawn(work(thread)));
            threads.into_iter().map(|thread| thread.join().expect("it has ended well")).sum::<u32>()
        });
        assert!(hits > 1000, "{hits}");
    }

    #[test]
    fn moves_are_told_apart() {
        #[derive(Hash)]
        enum Move {
            Slide { from: u16, to: u16 },
            Rotate { corner: u16 },
            Pass,
        }
        let slides = (0..900).flat_map(|from| (0..60).map(move |to| Move::Slide { from, to: to * 15 }));
        let rotations = (0..900).map(|corner| Move::Rotate { corner });
        let moves: Vec<Move> = slides.chain(rotations).chain([Move::Pass]).collect();
        let codes: std::collections::HashSet<u32> = moves.iter().map(|mv| MoveCode::of(mv).0.get()).collect();
        // Of fifty thousand moves a pair or so may be alike; no position has as many.
        assert!(codes.len() + 3 >= moves.len(), "{} of {}", codes.len(), moves.len());
    }
}
