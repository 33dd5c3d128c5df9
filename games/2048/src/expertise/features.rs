//! What people look at: large tiles in a corner, rows in order, neighbours alike, room.

use crate::Board;
use agon_search::{Feature, Weight};

use super::network::symmetries;

/// How much less the next cell counts along the snake that winds from a corner through the board.
const SNAKE: f64 = 0.5;

/// The cells from a corner along the rows, there and back.
const WAY: [usize; 16] = [0, 1, 2, 3, 7, 6, 5, 4, 8, 9, 10, 11, 15, 14, 13, 12];

/// What one of each feature is worth in points, in the order of [`NAMES`].
pub(super) type Weights = [f64; 4];

/// The names of the features.
const NAMES: [&str; 4] = ["corner", "monotonicity", "smoothness", "empty cells"];

/// Our own weights.
pub(super) const OWN: Weights = [1.0, 40.0, 10.0, 100.0];

/// The named features of a board, each with its weight.
pub(super) fn features(weights: &Weights, board: Board) -> [Feature; 4] {
    let lines = lines(board);
    let total = |of: fn(&[u8; 4]) -> f64| lines.iter().map(of).sum();
    let values = [corner(board), total(monotonicity), total(smoothness), board.count_empty() as f64];
    std::array::from_fn(|index| Feature { name: NAMES[index], value: values[index], weight: weights[index] })
}

/// The weights with their names.
pub(super) fn named(weights: &Weights) -> Vec<Weight> {
    NAMES.iter().zip(weights).map(|(name, weight)| Weight::of(name, *weight)).collect()
}

/// The four rows and the four columns.
fn lines(board: Board) -> [[u8; 4]; 8] {
    std::array::from_fn(|line| {
        std::array::from_fn(|step| {
            let cell = if line < 4 { 4 * line + step } else { 4 * step + line - 4 };
            board.exponent(cell)
        })
    })
}

/// The tiles along the snake, each cell counting half of the one before; from the corner and in the direction where
/// that is most.
fn corner(board: Board) -> f64 {
    let sum = |cells: u64| {
        let mut share = 1.0;
        WAY.iter().fold(0.0, |sum, cell| {
            let exponent = cells >> (4 * cell) & 15;
            let tile = if exponent == 0 { 0.0 } else { (1u64 << exponent) as f64 };
            let sum = sum + tile * share;
            share *= SNAKE;
            sum
        })
    };
    symmetries(super::network::cells(board)).into_iter().map(sum).fold(0.0, f64::max)
}

/// How far a line is from falling or rising all the way, in steps of doubling, as a negative number.
fn monotonicity(line: &[u8; 4]) -> f64 {
    let (mut up, mut down) = (0, 0);
    for pair in line.windows(2) {
        let rise = i32::from(pair[1]) - i32::from(pair[0]);
        if rise > 0 { up += rise } else { down -= rise }
    }
    -f64::from(up.min(down))
}

/// How much neighbouring tiles differ, in steps of doubling, as a negative number.
fn smoothness(line: &[u8; 4]) -> f64 {
    let neighbours = line.windows(2).filter(|pair| pair[0] != 0 && pair[1] != 0);
    -neighbours.map(|pair| f64::from(pair[0].abs_diff(pair[1]))).sum::<f64>()
}

/// The evaluation of source S3: each tile counts a quarter of what it would count one cell before, row by row, so
/// that the largest tile belongs into the top left corner.
#[inline(always)]
pub(super) fn s3(board: Board) -> f64 {
    let (mut sum, mut share) = (0.0, 1.0);
    for cell in 0..16 {
        let exponent = board.exponent(cell);
        // An empty cell has no tile, not a tile of 2^0.
        sum += (1u32 << exponent & !1) as f64 * share;
        share *= 0.25;
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    fn board(exponents: [u8; 16]) -> Board {
        (0..16).fold(Board::EMPTY, |board, cell| board.with_tile(cell, exponents[cell]))
    }

    #[test]
    fn the_evaluation_of_s3_counts_tiles_by_quarters() {
        let board = board([3, 0, 1, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 17]);
        let expected = 8.0 + 2.0 / 16.0 + 4.0 / 256.0 + 131_072.0 * 0.25f64.powi(15);
        assert_eq!(s3(board), expected);
    }

    #[test]
    fn order_room_and_a_corner_count() {
        let snake = board([8, 7, 6, 5, 1, 2, 3, 4, 0, 0, 0, 0, 0, 0, 0, 0]);
        let [corner, monotonicity, smoothness, empty] = features(&OWN, snake);
        assert_eq!(corner.value, 256.0 + 64.0 + 16.0 + 4.0 + 1.0 + 0.25 + 0.0625 + 2.0 / 128.0);
        assert_eq!(monotonicity.value, 0.0);
        // Three steps of one in each row; in the columns 7, 5, 3 and 1.
        assert_eq!(smoothness.value, -(3.0 + 3.0 + 7.0 + 5.0 + 3.0 + 1.0));
        assert_eq!(empty.value, 8.0);
        let turned = board([4, 5, 0, 0, 3, 6, 0, 0, 2, 7, 0, 0, 1, 8, 0, 0]);
        assert!(features(&OWN, turned)[0].value < corner.value, "no tile in the corner");
        let mirrored = board([0, 0, 0, 0, 0, 0, 0, 0, 4, 3, 2, 1, 5, 6, 7, 8]);
        assert_eq!(features(&OWN, mirrored)[0].value, corner.value);
        let disordered = board([8, 1, 8, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
        assert_eq!(features(&OWN, disordered)[1].value, -7.0);
    }
}
