//! Discs that can never be turned again, and the bound on the score that they give.
//!
//! The count is a lower bound: edges are judged by a table of all their arrangements, discs on four full
//! lines are stable, and so is a disc that has on each of its four axes a full line, the edge of the
//! board, or a stable disc of its own colour beside it.

use std::sync::LazyLock;

use super::board::Board;

/// The stable own discs of an edge, by the edge's own and enemy discs.
static EDGES: LazyLock<Box<[u8]>> = LazyLock::new(edges);

const FIRST_COLUMN: u64 = 0x0101_0101_0101_0101;
const LAST_COLUMN: u64 = FIRST_COLUMN << 7;
const BORDER: u64 = 0xFF81_8181_8181_81FF;

fn edges() -> Box<[u8]> {
    let mut table = vec![0; 1 << 16].into_boxed_slice();
    // Fuller edges first: what can still happen on an edge leads to fuller ones.
    for discs in (0..=8).rev() {
        for occupied in (0..=255u8).filter(|set| set.count_ones() == discs) {
            let mut own = occupied;
            loop {
                table[edge_index(own, occupied & !own)] = stable_on_edge(&table, own, occupied & !own);
                if own == 0 {
                    break;
                }
                own = (own - 1) & occupied;
            }
        }
    }
    table
}

fn edge_index(own: u8, opponent: u8) -> usize {
    usize::from(own) << 8 | usize::from(opponent)
}

/// The own discs that survive every way in which an empty square may be filled, by either side, with or without
/// turning discs along the edge (a disc may be put there for what it turns elsewhere).
fn stable_on_edge(table: &[u8], own: u8, opponent: u8) -> u8 {
    let mut stable = own;
    for square in (0..8).filter(|square| (own | opponent) >> square & 1 == 0) {
        let placed = 1 << square;
        let flips = edge_flips(own, opponent, square);
        stable &= table[edge_index(own | placed | flips, opponent & !flips)];
        let flips = edge_flips(opponent, own, square);
        stable &= table[edge_index(own & !flips, opponent | placed | flips)];
        if stable == 0 {
            break;
        }
    }
    stable
}

fn edge_flips(own: u8, opponent: u8, square: u32) -> u8 {
    let mut flips = 0;
    for step in [-1, 1] {
        let (mut line, mut place) = (0, square as i32 + step);
        while (0..8).contains(&place) && opponent >> place & 1 != 0 {
            line |= 1 << place;
            place += step;
        }
        if (0..8).contains(&place) && own >> place & 1 != 0 {
            flips |= line;
        }
    }
    flips
}

/// Finds stable discs on the full-sized board.
#[derive(Clone, Copy)]
pub(in crate::expertise) struct Stability {
    edges: &'static [u8],
}

impl Stability {
    pub(in crate::expertise) fn new() -> Self {
        Self { edges: &EDGES }
    }

    /// Own discs that no play can turn.
    #[inline(always)]
    pub(in crate::expertise) fn stable(self, own: u64, opponent: u64) -> u64 {
        let mut stable = self.stable_edges(own, opponent);
        let [rows, columns, falling, rising] = full_lines(own | opponent);
        stable |= own & rows & columns & falling & rising;
        if stable == 0 {
            return 0;
        }
        let inner = own & !BORDER;
        loop {
            let along_row = rows | stable << 1 | stable >> 1;
            let along_column = columns | stable << 8 | stable >> 8;
            let along_falling = falling | stable << 9 | stable >> 9;
            let along_rising = rising | stable << 7 | stable >> 7;
            let grown = stable | inner & along_row & along_column & along_falling & along_rising;
            if grown == stable {
                return stable;
            }
            stable = grown;
        }
    }

    /// The most that the side to move can still score, for the enemy's stable discs stay.
    #[inline(always)]
    pub(super) fn upper_bound(self, board: Board) -> i32 {
        64 - 2 * self.stable(board.opponent, board.own).count_ones() as i32
    }

    #[inline(always)]
    fn stable_edges(self, own: u64, opponent: u64) -> u64 {
        let edge = |own: u64, opponent: u64| {
            u64::from(self.edges[usize::from(own as u8) << 8 | usize::from(opponent as u8)])
        };
        let top = edge(own & 0xFF, opponent & 0xFF);
        let bottom = edge(own >> 56, opponent >> 56) << 56;
        let left = spread(edge(gather(own), gather(opponent)));
        let right = spread(edge(gather(own >> 7), gather(opponent >> 7))) << 7;
        top | bottom | left | right
    }
}

/// The first column as a byte.
#[inline(always)]
fn gather(set: u64) -> u64 {
    (set & FIRST_COLUMN).wrapping_mul(0x0102_0408_1020_4080) >> 56
}

/// A byte as the first column.
#[inline(always)]
fn spread(edge: u64) -> u64 {
    ((edge & 0x7F).wrapping_mul(0x0002_0408_1020_4081) & FIRST_COLUMN) | (edge & 0x80) << 49
}

/// The squares that lie on full rows, columns, and diagonals of either kind.
#[inline(always)]
fn full_lines(occupied: u64) -> [u64; 4] {
    let mut rows = occupied & occupied >> 4;
    rows &= rows >> 2;
    rows &= rows >> 1;
    let rows = (rows & FIRST_COLUMN).wrapping_mul(0xFF);
    let mut columns = occupied & occupied.rotate_left(32);
    columns &= columns.rotate_left(16);
    columns &= columns.rotate_left(8);
    // A diagonal is followed both ways; what would come in over the edge counts as full.
    let (mut falling, mut rising) = (occupied, occupied);
    falling &= falling >> 9 | LAST_COLUMN | 0xFF << 56;
    falling &= falling << 9 | FIRST_COLUMN | 0xFF;
    let edge = 0xC0C0_C0C0_C0C0_C0C0 | 0xFFFF << 48;
    falling &= falling >> 18 | edge;
    falling &= falling << 18 | 0x0303_0303_0303_0303 | 0xFFFF;
    falling &= falling >> 36 | 0xF0F0_F0F0_F0F0_F0F0 | 0xFFFF_FFFF << 32;
    falling &= falling << 36 | 0x0F0F_0F0F_0F0F_0F0F | 0xFFFF_FFFF;
    rising &= rising >> 7 | FIRST_COLUMN | 0xFF << 56;
    rising &= rising << 7 | LAST_COLUMN | 0xFF;
    rising &= rising >> 14 | 0x0303_0303_0303_0303 | 0xFFFF << 48;
    rising &= rising << 14 | 0xC0C0_C0C0_C0C0_C0C0 | 0xFFFF;
    rising &= rising >> 28 | 0x0F0F_0F0F_0F0F_0F0F | 0xFFFF_FFFF << 32;
    rising &= rising << 28 | 0xF0F0_F0F0_F0F0_F0F0 | 0xFFFF_FFFF;
    [rows, columns, falling, rising]
}
