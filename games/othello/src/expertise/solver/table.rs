//! The solver's memory: positions with bounds of their scores and the best moves found.
//!
//! An entry holds the whole board, so that no position is ever taken for another. Two entries share a
//! cache line; of the two, the one from an older search or with less work behind it makes room.

use agon_core::memory;

use super::board::Board;

/// No move.
pub(super) const NO_MOVE: u8 = 64;

/// What is known of a position.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(super) struct Entry {
    own: u64,
    opponent: u64,
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
    _unused: u8,
}

const VACANT: Entry = Entry {
    own: 0,
    opponent: 0,
    lower: -64,
    upper: 64,
    depth: 0,
    care: 0,
    moves: [NO_MOVE; 2],
    age: 0,
    _unused: 0,
};

#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct Bucket([Entry; 2]);

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
        Self { buckets: memory::Table::made(|| Bucket([VACANT; 2]), 1 << bits), shift: 64 - bits, age: 0 }
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
    pub(super) fn find(&self, board: Board) -> Option<&Entry> {
        let bucket = &self.buckets[self.index(board)];
        bucket.0.iter().find(|entry| entry.own == board.own && entry.opponent == board.opponent)
    }

    /// Remembers a result.
    #[inline(always)]
    pub(super) fn store(&mut self, board: Board, finding: Finding) {
        let (index, age) = (self.index(board), self.age);
        let [first, second] = &mut self.buckets[index].0;
        let is_it = |entry: &Entry| entry.own == board.own && entry.opponent == board.opponent;
        let worth = |entry: &Entry| (entry.age == age, entry.depth, entry.care);
        let entry = if is_it(first) {
            first
        } else if is_it(second) || worth(second) <= worth(first) {
            second
        } else {
            first
        };
        let Finding { depth, care, alpha, beta, score, best } = finding;
        let (lower, upper) = (if score > alpha { score } else { -64 }, if score < beta { score } else { 64 });
        let (mut lower, mut upper) = (lower as i8, upper as i8);
        let mut moves = [best, NO_MOVE];
        if is_it(entry) {
            if (u32::from(entry.depth), entry.care) == (depth, care) {
                (lower, upper) = (lower.max(entry.lower), upper.min(entry.upper));
            }
            moves = match entry.moves {
                // A search that failed low knows no best move: the old ones stand.
                old if best == NO_MOVE => old,
                [old, second] if old == best => [best, second],
                [old, _] => [best, old],
            };
        }
        *entry = Entry {
            own: board.own,
            opponent: board.opponent,
            lower,
            upper,
            depth: depth as u8,
            care,
            moves,
            age,
            _unused: 0,
        };
    }
}
