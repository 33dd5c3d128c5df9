//! The slide of one row: the rule itself, and two tables of it.
//!
//! A row is four exponents, the cell nearest the side it slides to first. [`slide`] is the only place
//! that says what sliding means; the tables hold what it says for all 65,536 rows of four nibbles, once
//! for slides to the low end (left, up) and once for slides to the high end (right, down). A second table
//! costs less than turning the board round: it was measured a third faster when directions are mixed.

use std::sync::LazyLock;

/// The exponent of the largest tile there can be, 131072.
pub(super) const LARGEST: u8 = 17;

/// How many rows of four nibbles there are.
const ROWS: usize = 1 << 16;

/// The result of sliding a row of nibbles, packed so that one load brings all of it: bits 0 to 15 are
/// the row, bits 16 to 30 a quarter of what its merges score (at most 65,536 as long as the row stays
/// in nibbles), and bit 31 says that the row does not stay in nibbles, two 32768 having merged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Entry(u32);

impl Entry {
    const OVERFLOW: u32 = 1 << 31;

    fn new(exponents: [u8; 4], gained: u32) -> Self {
        if exponents.iter().any(|&exponent| exponent > 15) {
            return Self(Self::OVERFLOW);
        }
        let row = (0..4).fold(0, |row, cell| row | u32::from(exponents[cell]) << (4 * cell));
        Self(row | (gained / 4) << 16)
    }

    /// The row after the slide.
    #[inline(always)]
    pub(super) fn row(self) -> u64 {
        u64::from(self.0 & 0xFFFF)
    }

    /// A quarter of the score.
    #[inline(always)]
    pub(super) fn quarter_gained(self) -> u32 {
        self.0 >> 16
    }

    /// Whether any of the rows holds a tile too large for a nibble; the rest of its entry is void.
    #[inline(always)]
    pub(super) fn any_overflows(entries: [Self; 4]) -> bool {
        entries.iter().fold(0, |all, entry| all | entry.0) & Self::OVERFLOW != 0
    }
}

/// The table of slides to the low end, then that of slides to the high end.
pub(super) static TABLES: LazyLock<[Box<[Entry; ROWS]>; 2]> = LazyLock::new(|| {
    let table = |to_high_end: bool| {
        let entry = |row: usize| {
            let mut cells: [u8; 4] = std::array::from_fn(|cell| (row >> (4 * cell) & 15) as u8);
            if to_high_end {
                cells.reverse();
            }
            let (mut cells, gained) = slide(cells);
            if to_high_end {
                cells.reverse();
            }
            Entry::new(cells, gained)
        };
        let entries: Box<[Entry]> = (0..ROWS).map(entry).collect();
        entries.try_into().expect("one entry for every row")
    };
    [table(false), table(true)]
});

/// Slides four exponents towards the first cell: what they become, and what the merges score.
pub(super) fn slide(cells: [u8; 4]) -> ([u8; 4], u32) {
    let mut result = [0; 4];
    let mut filled = 0;
    let mut gained = 0;
    // Whether the last tile placed may still merge: a tile does so at most once in a move.
    let mut open = false;
    for exponent in cells.into_iter().filter(|&exponent| exponent != 0) {
        if open && result[filled - 1] == exponent && exponent < LARGEST {
            result[filled - 1] += 1;
            gained += 1 << (exponent + 1);
            open = false;
        } else {
            result[filled] = exponent;
            filled += 1;
            open = true;
        }
    }
    (result, gained)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pair_nearest_the_side_merges_first_and_no_tile_twice() {
        for (cells, result, gained) in [
            ([1, 1, 1, 0], [2, 1, 0, 0], 4),
            ([1, 1, 1, 1], [2, 2, 0, 0], 8),
            ([1, 1, 2, 0], [2, 2, 0, 0], 4),
            ([2, 1, 1, 0], [2, 2, 0, 0], 4),
            ([0, 3, 0, 3], [4, 0, 0, 0], 16),
            ([1, 2, 1, 2], [1, 2, 1, 2], 0),
            ([0, 0, 0, 5], [5, 0, 0, 0], 0),
            ([16, 16, 17, 17], [17, 17, 17, 0], 131_072),
            ([17, 17, 0, 0], [17, 17, 0, 0], 0),
        ] {
            assert_eq!(slide(cells), (result, gained), "{cells:?}");
        }
    }

    #[test]
    fn entries_hold_the_largest_scores_and_flag_what_they_cannot_hold() {
        let row = |cells: [u8; 4]| (0..4).fold(0, |row, cell| row | usize::from(cells[cell]) << (4 * cell));
        let low = &TABLES[0][row([14, 14, 14, 14])];
        assert_eq!((low.row(), low.quarter_gained() * 4), (0x00FF, 65_536));
        let high = &TABLES[1][row([14, 14, 14, 14])];
        assert_eq!((high.row(), high.quarter_gained() * 4), (0xFF00, 65_536));
        let fine = TABLES[0][row([15, 14, 15, 14])];
        assert!(!Entry::any_overflows([fine; 4]));
        for table in TABLES.iter() {
            let merged = table[row([0, 15, 15, 1])];
            assert!(Entry::any_overflows([fine, fine, merged, fine]));
        }
    }
}
