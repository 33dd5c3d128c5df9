//! What the trained evaluation counts besides its patterns: moves, moves that may come, and how full the board is.
//!
//! Each count has a weight of its own for every value that it can take, so that the tenth move need not be worth as much as the first.

use agon_board::Bits;

use crate::flank::moves_on_full_board as moves;

/// How many counts there are.
pub const COUNTS: usize = 5;
/// How many values are told apart; larger ones count as the largest.
const VALUES: [usize; COUNTS] = [32, 32, 40, 40, 65];
/// Where the weights of each count begin.
const FIRST: [usize; COUNTS] = {
    let (mut first, mut count) = ([0; COUNTS], 1);
    while count < COUNTS {
        first[count] = first[count - 1] + VALUES[count - 1];
        count += 1;
    }
    first
};

/// How many weights the counts have.
pub const TERMS: usize = FIRST[COUNTS - 1] + VALUES[COUNTS - 1];

/// The places of the weights that a position has: by the moves of the side to move and of the other side, by the empty squares next to
/// the discs of either, and by the number of discs.
#[inline(always)]
pub fn places(own: u64, opponent: u64) -> [usize; COUNTS] {
    let empties = !(own | opponent);
    let counts = [
        moves(own, opponent).count_ones(),
        moves(opponent, own).count_ones(),
        (opponent.dilate() & empties).count_ones(),
        (own.dilate() & empties).count_ones(),
        (own | opponent).count_ones(),
    ];
    std::array::from_fn(|count| FIRST[count] + (counts[count] as usize).min(VALUES[count] - 1))
}
