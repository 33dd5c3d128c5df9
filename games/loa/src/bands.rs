//! All moves of all pieces at once, on a board of `N` words, one a row.
//!
//! Seen from each own piece, the board comes nearer a step at a time along an axis and against it. After
//! `n` steps a piece on a line with `n` pieces can move if it sees a square free of own pieces, and is done
//! either way. Another goes on unless it sees an enemy, which it may not jump, or the outside of the board.
//!
//! The number of pieces on the lines is found by adding the rows up, each shifted so that the squares of
//! a line lie above each other, as bit-sliced numbers whose plane `p` holds bit `p` of every count.
//!
//! The loops over the rows have a constant length and no branches, so that compilers turn them into
//! passes over vectors.

use super::field::Directions;
use super::grid::each;

/// The count of pieces on each line of an axis, bit-sliced: a line a bit.
type Counts = [u64; 5];

/// For each direction, the own pieces that can move that way on `board`.
#[inline(always)]
pub(super) fn movers<const N: usize>(
    own: [u32; N],
    enemy: [u32; N],
    board: [u32; N],
) -> Directions<[u32; N]> {
    let occupied: [u32; N] = each(|row| own[row] | enemy[row]);
    let view = Surroundings {
        own,
        free: [[0; N], each(|row| board[row] & !own[row]), [0; N]],
        passable: [[0; N], each(|row| board[row] & !enemy[row]), [0; N]],
    };
    // The falling and the rising diagonals stand upright when row after row is shifted less or more.
    let (less, more) = (|row: usize| N - 1 - row, |row: usize| row);
    let row_counts: [u32; N] = each(|row| occupied[row].count_ones());
    let column_counts = sum(&occupied, |_| 0);
    let falling_counts = sum(&occupied, less);
    let rising_counts = sum(&occupied, more);

    let right = |row: u32, steps: usize| row >> steps;
    let left = |row: u32, steps: usize| row << steps;
    let straight = |row: u32, _: usize| row;
    let on_row = |length, row: usize| if row_counts[row] as usize == length { u32::MAX } else { 0 };
    let on_column = |length, _| equal(&column_counts, length) as u32;
    let on_falling = |length, row| (equal(&falling_counts, length) >> less(row)) as u32;
    let on_rising = |length, row| (equal(&rising_counts, length) >> more(row)) as u32;
    let [east, west] = view.along_and_against(0, right, left, on_row);
    let [south, north] = view.along_and_against(1, straight, straight, on_column);
    let [south_east, north_west] = view.along_and_against(1, right, left, on_falling);
    let [south_west, north_east] = view.along_and_against(1, left, right, on_rising);
    [east, west, south, north, south_east, north_west, south_west, north_east]
}

/// Adds the rows up, each shifted to the left by as much as `shift` says.
#[inline(always)]
fn sum<const N: usize>(rows: &[u32; N], shift: impl Fn(usize) -> usize) -> Counts {
    let mut counts = [0; 5];
    for (row, &squares) in rows.iter().enumerate() {
        let mut carry = u64::from(squares) << shift(row);
        for plane in &mut counts {
            (*plane, carry) = (*plane ^ carry, *plane & carry);
        }
    }
    counts
}

/// The lines whose count is `wanted`.
#[inline(always)]
fn equal(counts: &Counts, wanted: usize) -> u64 {
    let bits = counts.iter().enumerate();
    bits.fold(u64::MAX, |equal, (bit, plane)| equal & if wanted >> bit & 1 != 0 { *plane } else { !plane })
}

/// What the own pieces see. A margin of `N` rows above and below lets every row look as far as it likes.
struct Surroundings<const N: usize> {
    own: [u32; N],
    /// Squares to land on.
    free: [[u32; N]; 3],
    /// Squares to jump over.
    passable: [[u32; N]; 3],
}

impl<const N: usize> Surroundings<N> {
    /// The pieces that can move along an axis and those that can move against it. A step along it leads
    /// `down` rows down; `along` brings a row that is seen this many steps away to the observer's columns, and
    /// `against` does so in the other direction; `on_lines` has the squares of a row that are on
    /// lines with this many pieces.
    #[inline(always)]
    fn along_and_against(
        &self,
        down: usize,
        along: impl Fn(u32, usize) -> u32,
        against: impl Fn(u32, usize) -> u32,
        on_lines: impl Fn(usize, usize) -> u32,
    ) -> [[u32; N]; 2] {
        let (free, passable) = (self.free.as_flattened(), self.passable.as_flattened());
        let mut movers = [[0; N]; 2];
        let [mut along_left, mut against_left] = [self.own; 2];
        for length in 1..N {
            let (below, above) = (N + length * down, N - length * down);
            let (free_below, passable_below) = (&free[below..below + N], &passable[below..below + N]);
            let (free_above, passable_above) = (&free[above..above + N], &passable[above..above + N]);
            let mut left = 0;
            for row in 0..N {
                let lines = on_lines(length, row);
                movers[0][row] |= along_left[row] & lines & along(free_below[row], length);
                movers[1][row] |= against_left[row] & lines & against(free_above[row], length);
                along_left[row] &= !lines & along(passable_below[row], length);
                against_left[row] &= !lines & against(passable_above[row], length);
                left |= along_left[row] | against_left[row];
            }
            if left == 0 {
                break;
            }
        }
        movers
    }
}
