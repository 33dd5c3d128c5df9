//! The evaluation of S1, the program that Agon's Tablut comes from: seven features, weighted for the side to
//! move. Its unit is a thousandth of the original's.
//!
//! White and black weigh material differently, so the opinion of a position is that of the side to move, which
//! is what a negamax search asks for at its leaves. Turns are plies, as in the original's limit of 100 turns.

use crate::{CAMPS, CASTLE, EXITS, KEEP, Position, Side, Tablut};
use agon_board::Bits;
use agon_core::{Game, Player};
use agon_search::{Feature, Weight};

use super::king::{King, neighbours, occupied};

/// The original's unit in ours.
pub(super) const UNIT: f64 = 1000.0;

/// The lead that wins about three games in four, roughly.
pub(super) const SCALE: f64 = 6.0 * UNIT;

/// The square weights count while fewer turns than this have been played.
const OPENING: u32 = 15;
/// After this turn white's paths and black's dangers count more.
const LATE: u32 = 35;
/// By so much.
const LATE_FACTOR: f64 = 1.2;
/// The largest square weight, by which averages are scaled to 0..1.
const LARGEST: f64 = 5.0;
/// The exits among which the original looks for the nearest free one.
const EXITS_BUT_CORNERS: u128 = {
    let last = 8 * <u128 as Bits>::STRIDE;
    EXITS & !(1 | 1 << 8 | 1 << last | 1 << (last + 8))
};

/// The names of the weights, in the order of [`Weights`].
const NAMES: [&str; 9] = [
    "white-alive",
    "black-eaten",
    "white-eaten",
    "black-alive",
    "danger",
    "king-paths",
    "king-near",
    "guards",
    "squares",
];

/// What each feature counts, in the original's unit: first what white, then what black makes of material, then what is good for one and
/// as bad for the other.
#[derive(Clone, Copy, Debug)]
pub(super) struct Weights([f64; NAMES.len()]);

impl Default for Weights {
    /// Those that the original's author found by letting bots with different ones play each other.
    fn default() -> Self {
        Self([20.0, 12.0, 16.0, 16.0, 16.0, 32.0, 10.0, 10.0, 5.0])
    }
}

impl Weights {
    pub(super) fn named(&self) -> Vec<Weight> {
        NAMES.iter().zip(self.0).map(|(name, value)| Weight::of(name, value)).collect()
    }

    pub(super) fn set(&mut self, place: usize, value: f64) {
        self.0[place] = value;
    }
}

/// The squares' weights for white's men, rows from the top, then mirrored.
const WHITE: Planes = planes([*b"222000222", *b"211404112", *b"212232212", *b"042131240", *b"003303300"]);
/// And for black's.
const BLACK: Planes = planes([*b"132333231", *b"325131523", *b"251525152", *b"315121513", *b"332202233"]);

/// Square weights by their binary digits: the squares whose weight has a 1, a 2, a 4 in it.
type Planes = [u128; 3];

const fn planes(rows: [[u8; 9]; 5]) -> Planes {
    let mut planes = [0; 3];
    let mut row = 0;
    while row < 9 {
        let mut column = 0;
        while column < 9 {
            let weight = rows[if row < 5 { row } else { 8 - row }][column] - b'0';
            let square = 1 << (row * <u128 as Bits>::STRIDE + column);
            let mut digit = 0;
            while digit < planes.len() {
                if weight >> digit & 1 != 0 {
                    planes[digit] |= square;
                }
                digit += 1;
            }
            column += 1;
        }
        row += 1;
    }
    planes
}

/// The mean weight of the squares of `men`, 0 to 1.
#[inline(always)]
fn mean(planes: &Planes, men: u128) -> f64 {
    let [ones, twos, fours] = *planes;
    let sum = (men & ones).count() + 2 * (men & twos).count() + 4 * (men & fours).count();
    f64::from(sum) / f64::from(men.count().max(1)) / LARGEST
}

/// The features as the side to move sees them.
#[inline(always)]
fn features(weights: &Weights, game: &Tablut, position: &Position) -> [Feature; 7] {
    let ply = game.ply(position).unwrap_or(0);
    let (attackers, defenders) = (position.attackers(), position.defenders());
    let (blacks, whites) = (f64::from(attackers.count()), f64::from(defenders.count()));
    let (mut danger, mut paths, mut near, mut guards) = (0.0, 0.0, 0.0, 0.0);
    if let Some(king) = King::of(game, position) {
        let beside = neighbours(king.square());
        let hostile = beside & (attackers | CAMPS | CASTLE);
        danger = f64::from(hostile.count()) / captors(king.square());
        paths = f64::from(king.exits()) / 1.3;
        near = nearness(position, king.square());
        guards = f64::from((beside & defenders).count()) / 4.0;
    }
    let lead_in_squares = if ply < OPENING { mean(&WHITE, defenders) - mean(&BLACK, attackers) } else { 0.0 };
    let late = if ply > LATE { LATE_FACTOR } else { 1.0 };
    let Weights([white_alive, black_eaten, white_eaten, black_alive, risk, free, nearby, guarded, squares]) =
        *weights;
    match position.side() {
        Side::Defenders => [
            feature("white men alive", whites / 8.0, white_alive),
            feature("black men eaten", (16.0 - blacks) / 16.0, black_eaten),
            feature("danger to the king", danger, -risk),
            feature("king's free paths", paths, free * late),
            feature("king's nearness to an exit", near, nearby),
            feature("guards beside the king", guards, guarded),
            feature("square weights", lead_in_squares, squares),
        ],
        Side::Attackers => [
            feature("white men eaten", (8.0 - whites) / 8.0, white_eaten),
            feature("black men alive", blacks / 16.0, black_alive),
            feature("danger to the king", danger, risk * late),
            feature("king's free paths", paths, -free),
            feature("king's nearness to an exit", near, -nearby),
            feature("guards beside the king", guards, -guarded),
            feature("square weights", -lead_in_squares, squares),
        ],
    }
}

/// What its opinion depends on beyond the board: the turn, until the last change of weights is behind.
#[inline(always)]
pub(super) fn context(game: &Tablut, position: &Position) -> u64 {
    match game.ply(position) {
        Some(ply) if ply <= LATE => u64::from(ply) + 1,
        _ => 0,
    }
}

#[inline(always)]
fn feature(name: &'static str, value: f64, weight: f64) -> Feature {
    Feature { name, value, weight: weight * UNIT }
}

/// What the position is worth to the side to move.
#[inline(always)]
pub(super) fn worth(weights: &Weights, game: &Tablut, position: &Position) -> f64 {
    let mut worth = 0.0;
    for feature in features(weights, game, position) {
        worth += feature.value * feature.weight;
    }
    worth
}

/// The features seen from `player`.
pub(super) fn seen_from(
    weights: &Weights,
    game: &Tablut,
    position: &Position,
    player: Player,
) -> Vec<Feature> {
    let sign = if game.side_of(player) == position.side() { 1.0 } else { -1.0 };
    features(weights, game, position)
        .map(|feature| Feature { value: sign * feature.value, ..feature })
        .to_vec()
}

/// How many captors the king falls to.
#[inline(always)]
fn captors(king: u128) -> f64 {
    match king {
        CASTLE => 4.0,
        _ if king & KEEP != 0 => 3.0,
        _ => 2.0,
    }
}

/// How near the nearest free exit that is no corner is, by steps along rows and columns: 1 on the spot, 0 seven steps away or more.
#[inline(always)]
fn nearness(position: &Position, king: u128) -> f64 {
    const FAR: u32 = 7;
    let free = EXITS_BUT_CORNERS & !occupied(position);
    let mut disc = king;
    let mut distance = 0;
    while disc & free == 0 && distance < FAR {
        disc |= neighbours(disc);
        distance += 1;
    }
    1.0 - f64::from(distance) / f64::from(FAR)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn square_weights_are_those_of_the_source() {
        let weight = |planes: &Planes, square: usize| (mean(planes, u128::square(square)) * LARGEST).round();
        assert_eq!(weight(&WHITE, u128::index(1, 4)), 0.0);
        assert_eq!(weight(&WHITE, u128::index(7, 3)), 4.0);
        assert_eq!(weight(&BLACK, u128::index(6, 1)), 5.0);
        assert_eq!(weight(&BLACK, u128::index(0, 0)), 1.0);
        let all: u32 = WHITE.iter().zip([1, 2, 4]).map(|(plane, digit)| plane.count() * digit).sum();
        assert_eq!(all, 2 * (12 + 16 + 17 + 17) + 12, "the sum of the digits as printed");
    }
}
