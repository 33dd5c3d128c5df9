//! What stands next to a square: the small windows on the board from which connections are counted.

use crate::Grid;

/// The eight neighbours of a square that are in `set`, row by row from the upper left: bits 0 to 2 above, 3 left,
/// 4 right, 5 to 7 below.
#[inline(always)]
pub(super) fn neighbours<B: Grid>(set: B, square: usize) -> usize {
    let (row, column) = B::row_column(square);
    // Three squares of a row, the middle one in the column of the square.
    let three = |row: usize| ((set.row(row) << 1) >> column & 7) as usize;
    let above = if row > 0 { three(row - 1) } else { 0 };
    let below = if row + 1 < B::MAX_SIZE { three(row + 1) } else { 0 };
    let beside = three(row);
    above | (beside & 1) << 3 | (beside & 4) << 2 | below << 5
}

/// How many of `set` stand next to a square.
#[inline(always)]
pub(super) fn links<B: Grid>(set: B, square: usize) -> i32 {
    neighbours(set, square).count_ones() as i32
}

/// The 4×4 squares around a block, row by row, the block's own squares in the middle.
#[inline(always)]
pub(super) fn window<B: Grid>(set: B, corner: usize) -> u32 {
    let (row, column) = B::row_column(corner);
    let four = |row: usize| (set.row(row) << 1) >> column & 15;
    let above = if row > 0 { four(row - 1) } else { 0 };
    let below = if row + 2 < B::MAX_SIZE { four(row + 2) } else { 0 };
    above | four(row) << 4 | four(row + 1) << 8 | below << 12
}

/// The window after its inner block has been turned clockwise.
#[inline(always)]
pub(super) fn turned(window: u32) -> u32 {
    const TOP_LEFT: u32 = 1 << 5;
    const TOP_RIGHT: u32 = 1 << 6;
    const BOTTOM_LEFT: u32 = 1 << 9;
    const BOTTOM_RIGHT: u32 = 1 << 10;
    const BLOCK: u32 = TOP_LEFT | TOP_RIGHT | BOTTOM_LEFT | BOTTOM_RIGHT;
    window & !BLOCK
        | (window & TOP_LEFT) << 1
        | (window & TOP_RIGHT) << 4
        | (window & BOTTOM_RIGHT) >> 1
        | (window & BOTTOM_LEFT) >> 4
}

/// How many pairs of neighbours there are in a window.
#[inline(always)]
pub(super) fn pairs(window: u32) -> i32 {
    /// The columns of a window but the last, and but the first.
    const LEFT: u32 = 0x7777;
    const RIGHT: u32 = 0xeeee;
    let beside = window & LEFT & window >> 1;
    let below = window & window >> 4;
    let falling = window & LEFT & window >> 5;
    let rising = window & RIGHT & window >> 3;
    // Four words of sixteen bits in one count.
    let all = u64::from(beside | below << 16) | u64::from(falling | rising << 16) << 32;
    all.count_ones() as i32
}

#[cfg(test)]
mod tests {
    use agon_board::Rows;
    use agon_core::random::{RandomSource, seeded};

    use super::*;

    /// Every window against the board read square by square.
    fn is_read_square_by_square<B: Grid>(size: usize) {
        let mut rng = seeded(size as u64);
        for _ in 0..20 {
            let mut set = B::EMPTY;
            B::board(size).for_each(|square| {
                if rng.next_u64().is_multiple_of(3) {
                    set.toggle(square);
                }
            });
            let has = |row: isize, column: isize| {
                let inside = |at: isize| (0..size as isize).contains(&at);
                inside(row) && inside(column) && set.contains(B::index(row as usize, column as usize))
            };
            let around = [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)];
            B::board(size).for_each(|square| {
                let (row, column) = B::row_column(square);
                let expected = around.iter().enumerate().fold(0, |seen, (bit, (down, right))| {
                    seen | usize::from(has(row as isize + down, column as isize + right)) << bit
                });
                assert_eq!(neighbours(set, square), expected, "{set:?}, square {square}");
            });
            B::board(size - 1).for_each(|corner| {
                let (row, column) = B::row_column(corner);
                let here = |set: B| {
                    (0..16).fold(0, |seen, bit: usize| {
                        let (row, column) =
                            ((row + bit / 4).wrapping_sub(1), (column + bit % 4).wrapping_sub(1));
                        let inside = row < size && column < size;
                        seen | u32::from(inside && set.contains(B::index(row, column))) << bit
                    })
                };
                let mut after = set;
                after.rotate(corner);
                assert_eq!(window(set, corner), here(set), "{set:?}, corner {corner}");
                assert_eq!(turned(window(set, corner)), here(after), "{set:?}, corner {corner}");
                let seen = here(set);
                let twice: u32 = (0..16)
                    .filter(|bit| seen >> bit & 1 != 0)
                    .map(|bit| {
                        let near = |other: i32| {
                            (bit / 4 - other / 4).abs() <= 1
                                && (bit % 4 - other % 4).abs() <= 1
                                && other != bit
                        };
                        (0..16).filter(|&other| seen >> other & 1 != 0 && near(other)).count() as u32
                    })
                    .sum();
                assert_eq!(2 * pairs(seen), twice as i32);
            });
        }
    }

    #[test]
    fn windows_are_read_square_by_square() {
        [5, 8].into_iter().for_each(is_read_square_by_square::<u64>);
        [9, 11].into_iter().for_each(is_read_square_by_square::<u128>);
        [12, 30].into_iter().for_each(is_read_square_by_square::<Rows>);
    }
}
