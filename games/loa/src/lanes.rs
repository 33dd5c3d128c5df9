//! All moves of all pieces at once, on a board of one word.
//!
//! The side's pieces march along an axis together, a step at a time. After `n` steps those that are on a
//! line with `n` pieces have arrived - the line does not change on the way, so the square they are on
//! tells - unless an own piece stands there. Those on an enemy go no further: enemies are not jumped.
//!
//! The number of pieces on the line of every square is found by doubling: the pieces within one, two,
//! four, eight squares on either side, as bit-sliced numbers whose plane `p` holds bit `p` of every count.
//!
//! The same straight program serves all four axes, with other shifts and masks. It is written as a loop
//! over the axes without a branch in it, which compilers turn into one pass over four lanes of a vector.

use super::field::{Axes, Directions};
use super::grid::each;
use agon_board::Bits;

const STRIDE: u32 = <u64 as Bits>::STRIDE as u32;

/// How far apart the squares of a line lie.
static STEP: Axes<u32> = [1, STRIDE, STRIDE + 1, STRIDE - 1];

/// The squares that one, two and four steps along an axis lead to from a square on the board; others have
/// come round its edge.
static ENTERED_ALONG: [Axes<u64>; 3] = [entered_along(1), entered_along(2), entered_along(4)];

/// The same for steps against the axis.
static ENTERED_AGAINST: [Axes<u64>; 3] = [entered_against(1), entered_against(2), entered_against(4)];

const fn entered_along(steps: u32) -> Axes<u64> {
    [columns_from(steps), u64::MAX, columns_from(steps), columns_before(STRIDE - steps)]
}

const fn entered_against(steps: u32) -> Axes<u64> {
    [columns_before(STRIDE - steps), u64::MAX, columns_before(STRIDE - steps), columns_from(steps)]
}

const fn columns_from(first: u32) -> u64 {
    !columns_before(first)
}

const fn columns_before(end: u32) -> u64 {
    const FIRST_COLUMN: u64 = u64::MAX / ((1 << STRIDE) - 1);
    FIRST_COLUMN * ((1 << end) - 1)
}

/// A bit-sliced number for every square, modulo eight. A full line of eight counts as none: its pieces
/// cannot move along it anyway.
type Counts = [u64; 3];

#[inline(always)]
fn add(a: Counts, b: Counts) -> Counts {
    let carry0 = a[0] & b[0];
    let half1 = a[1] ^ b[1];
    let carry1 = (a[1] & b[1]) | (half1 & carry0);
    [a[0] ^ b[0], half1 ^ carry0, a[2] ^ b[2] ^ carry1]
}

/// The squares whose count is `wanted`.
#[inline(always)]
fn equal(counts: Counts, wanted: u32) -> u64 {
    let mut equal = u64::MAX;
    for (bit, plane) in counts.into_iter().enumerate() {
        equal &= if wanted >> bit & 1 != 0 { plane } else { !plane };
    }
    equal
}

/// For each direction, the own pieces that can move that way on `board`.
#[inline(always)]
pub(super) fn movers(own: u64, enemy: u64, board: u64) -> Directions<u64> {
    let (occupied, free) = (own | enemy, board & !own);
    let (mut along, mut against): (Axes<u64>, Axes<u64>) = ([0; 4], [0; 4]);
    for axis in 0..4 {
        let step = STEP[axis];
        let mut behind = [occupied, 0, 0];
        let mut ahead = [occupied >> step & ENTERED_AGAINST[0][axis], 0, 0];
        for doubling in 0..3 {
            let reach = step << doubling;
            let (along, against) = (ENTERED_ALONG[doubling][axis], ENTERED_AGAINST[doubling][axis]);
            behind = add(behind, each(|plane| behind[plane] << reach & along));
            ahead = add(ahead, each(|plane| ahead[plane] >> reach & against));
        }
        let counts = add(behind, ahead);

        // Who stands here has not met an enemy and will not leave the board by one step more.
        let goes_on_along = !enemy & ENTERED_AGAINST[0][axis];
        let goes_on_against = !enemy & ENTERED_ALONG[0][axis];
        let (mut marching_along, mut marching_against) = (own, own);
        for length in 1..STRIDE {
            marching_along = (marching_along & goes_on_along) << step;
            marching_against = (marching_against & goes_on_against) >> step;
            let landing = equal(counts, length) & free;
            // Each piece is noted where it came from.
            along[axis] |= (marching_along & landing) >> (length * step);
            against[axis] |= (marching_against & landing) << (length * step);
        }
    }
    each(|direction| [along, against][direction % 2][direction / 2])
}
