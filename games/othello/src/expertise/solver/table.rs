//! The solver's memory: positions with bounds of their scores and the best moves found.
//!
//! An entry holds the whole board, so that no position is ever taken for another. Two entries share a
//! cache line; of the two, the one from an older search or with less work behind it makes room.

use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

use agon_core::memory;

use super::board::Board;

/// No move.
pub(super) const NO_MOVE: u8 = 64;

/// What is known of a position, in eight bytes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    /// The score is at least this.
    pub(super) lower: i8,
    /// The score is at most this.
    pub(super) upper: i8,
    /// How deep it was searched.
    pub(super) depth: u8,
    /// How carefully: an index into the levels of selection, larger is more exact.
    pub(super) care: u8,
    /// The best move and the one that was best before, or [`NO_MOVE`].
    pub(super) moves: [u8; 2],
    age: u8,
}

impl Entry {
    const VACANT: Self = Self { lower: -64, upper: 64, depth: 0, care: 0, moves: [NO_MOVE; 2], age: 0 };

    #[inline(always)]
    const fn to_word(self) -> u64 {
        let Self { lower, upper, depth, care, moves: [first, second], age } = self;
        u64::from_le_bytes([lower as u8, upper as u8, depth, care, first, second, age, 0])
    }

    #[inline(always)]
    const fn of_word(word: u64) -> Self {
        let [lower, upper, depth, care, first, second, age, _] = word.to_le_bytes();
        Self { lower: lower as i8, upper: upper as i8, depth, care, moves: [first, second], age }
    }
}

/// A board and what is known of it. Threads that solve together read and write it without waiting for one another: both halves of the
/// board are mixed with the rest, so that what two of them have written in part is taken for no board.
#[derive(Debug)]
struct Slot {
    own: AtomicU64,
    opponent: AtomicU64,
    entry: AtomicU64,
}

/// Spreads what is mixed with one half of a board over other bits than what is mixed with the other half.
const SPREAD: u64 = 0x9E37_79B9_7F4A_7C15;

impl Slot {
    fn vacant() -> Self {
        let slot = Self { own: AtomicU64::new(0), opponent: AtomicU64::new(0), entry: AtomicU64::new(0) };
        slot.write(Board { own: 0, opponent: 0 }, Entry::VACANT);
        slot
    }

    /// What is known here of `board`, if it is the one.
    #[inline(always)]
    fn read(&self, board: Board) -> Option<Entry> {
        let word = self.entry.load(Relaxed);
        let is_it = self.own.load(Relaxed) ^ word == board.own
            && self.opponent.load(Relaxed) ^ word.wrapping_mul(SPREAD) == board.opponent;
        is_it.then_some(Entry::of_word(word))
    }

    #[inline(always)]
    fn write(&self, board: Board, entry: Entry) {
        let word = entry.to_word();
        self.own.store(board.own ^ word, Relaxed);
        self.opponent.store(board.opponent ^ word.wrapping_mul(SPREAD), Relaxed);
        self.entry.store(word, Relaxed);
    }
}

#[derive(Debug)]
#[repr(align(64))]
struct Bucket([Slot; 2]);

/// A result to be remembered.
#[derive(Clone, Copy)]
pub(super) struct Finding {
    pub(super) depth: u32,
    pub(super) care: u8,
    pub(super) alpha: i32,
    pub(super) beta: i32,
    pub(super) score: i32,
    pub(super) best: u8,
}

/// The hash table.
#[derive(Debug)]
pub(super) struct Table {
    buckets: memory::Table<Bucket>,
    shift: u32,
    age: u8,
}

impl Table {
    /// A table of at most `megabytes`, at least a few kilobytes.
    pub(super) fn new(megabytes: usize) -> Self {
        let wanted = (megabytes << 20) / size_of::<Bucket>();
        let bits = wanted.max(64).ilog2();
        Self {
            buckets: memory::Table::made(|| Bucket([Slot::vacant(), Slot::vacant()]), 1 << bits),
            shift: 64 - bits,
            age: 0,
        }
    }

    /// Lets entries of earlier searches give way to new ones; they are still found.
    pub(super) fn begin(&mut self) {
        self.age = self.age.wrapping_add(1);
    }

    #[inline(always)]
    fn index(&self, board: Board) -> usize {
        let mixed = board.own.wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29) ^ board.opponent;
        let mixed = mixed.wrapping_mul(0xD6E8_FEB8_6659_FD93);
        ((mixed ^ mixed >> 32).wrapping_mul(0xC2B2_AE3D_27D4_EB4F) >> self.shift) as usize
    }

    /// What is known of `board`.
    #[inline(always)]
    pub(super) fn find(&self, board: Board) -> Option<Entry> {
        let Bucket([first, second]) = &self.buckets[self.index(board)];
        first.read(board).or_else(|| second.read(board))
    }

    /// Remembers a result.
    #[inline(always)]
    pub(super) fn store(&self, board: Board, finding: Finding) {
        let Bucket([first, second]) = &self.buckets[self.index(board)];
        let worth = |slot: &Slot| {
            let entry = Entry::of_word(slot.entry.load(Relaxed));
            (entry.age == self.age, entry.depth, entry.care)
        };
        let (slot, known) = match (first.read(board), second.read(board)) {
            (Some(known), _) => (first, Some(known)),
            (None, Some(known)) => (second, Some(known)),
            (None, None) if worth(second) <= worth(first) => (second, None),
            (None, None) => (first, None),
        };
        let Finding { depth, care, alpha, beta, score, best } = finding;
        let (lower, upper) = (if score > alpha { score } else { -64 }, if score < beta { score } else { 64 });
        let (mut lower, mut upper) = (lower as i8, upper as i8);
        let mut moves = [best, NO_MOVE];
        if let Some(known) = known {
            if (u32::from(known.depth), known.care) == (depth, care) {
                (lower, upper) = (lower.max(known.lower), upper.min(known.upper));
            }
            moves = match known.moves {
                // A search that failed low knows no best move: the old ones stand.
                old if best == NO_MOVE => old,
                [old, second] if old == best => [best, second],
                [old, _] => [best, old],
            };
        }
        slot.write(board, Entry { lower, upper, depth: depth as u8, care, moves, age: self.age });
    }
}
