//! How far a shallow search may be off, and so what it may cut.

use agon_core::maths;

/// Nothing is cut: the score is exact.
pub(super) const FULL: u8 = 4;

/// How many standard deviations off the window a shallow score must be, by care: it is then outside with
/// a probability of 84, 93, 97.7 and 99.5 in a hundred.
const DEVIATIONS: [f32; FULL as usize] = [1.0, 1.5, 2.0, 2.6];

/// The depth of the search that stands for one of `depth`; `None` where that would not pay. It is of the same
/// parity, because the evaluation favours the side that moved last.
#[inline(always)]
pub(in crate::expertise) fn shallow_depth(depth: u32) -> Option<u32> {
    (depth >= 3).then(|| depth / 4 * 2 + depth % 2).map(|shallow| shallow.min(depth - 2))
}

/// The margin in discs for a search of `shallow` plies to speak for one of `depth` with `empties` squares left.
#[inline(always)]
pub(super) fn margin(care: u8, empties: u32, depth: u32, shallow: u32) -> i32 {
    let Some(deviations) = DEVIATIONS.get(usize::from(care)) else { return 128 };
    (deviations * deviation(empties, depth, shallow)).ceil() as i32
}

/// The standard deviation, in discs, of the difference between a search of `shallow` plies and one of `depth`.
///
/// The coefficients are the most likely ones for 14,813 differences between searches of positions of people's games:
/// `agon train probcut --positions 700 --depth 10 --solve 16`. They reach up to 16 plies; beyond that they are taken to go on alike.
#[inline(always)]
pub(in crate::expertise) fn deviation(empties: u32, depth: u32, shallow: u32) -> f32 {
    maths::exp_f32(1.695 - 0.0191 * empties as f32 + 0.0754 * depth as f32 - 0.1352 * shallow as f32)
}
