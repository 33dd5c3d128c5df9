//! Our own evaluation, `tafl`: what decides games of Tablut, each reason with a name and a weight.
//!
//! Everything is seen from white, and a white lead of [`SCALE`] wins about three games in four. What depends on
//! single squares is carried along from move to move (see [`Squares`]); the rest is read off the lines of the king.

use crate::{CAMPS, KEEP, Move, Position, Side, Tablut};
use agon_board::Bits;
use agon_core::Player;
use agon_search::{Feature, Weight, as_opinion};

use super::king::{Detours, King, neighbours};
use super::squares::{self, Table, by_class};

/// The lead that wins about three games in four.
pub(super) const SCALE: f64 = 1000.0;

/// The squares on which S1's author wants black's men: a rhombus between camps and castle.
const RHOMBUS: u128 = {
    let mut rhombus = 0;
    let mut row = 0;
    while row < 9 {
        let mut column = 0;
        while column < 9 {
            // b3, c2, c4, d3 and their images.
            if matches!(squares::class(row, column), 6 | 10) {
                rhombus |= 1 << (row * <u128 as Bits>::STRIDE + column);
            }
            column += 1;
        }
        row += 1;
    }
    rhombus
};

/// The squares next to the camps, from which white hinders attackers from coming out.
const BESIDE_CAMPS: u128 = {
    let stride = <u128 as Bits>::STRIDE;
    let mut beside = 0;
    let mut square = 0;
    while square < 9 * stride {
        let (row, column) = (square / stride, square % stride);
        if column < 9 {
            let near = (column > 0 && CAMPS >> (square - 1) & 1 != 0)
                || (column < 8 && CAMPS >> (square + 1) & 1 != 0)
                || (row > 0 && CAMPS >> (square - stride) & 1 != 0)
                || (row < 8 && CAMPS >> (square + stride) & 1 != 0);
            if near && CAMPS >> square & 1 == 0 {
                beside |= 1 << square;
            }
        }
        square += 1;
    }
    beside
};

/// The corners of the board, four by four squares each, without the camps.
const CORNERS: [u128; 4] = [corner(0, 0), corner(0, 5), corner(5, 0), corner(5, 5)];

const fn corner(top: usize, left: usize) -> u128 {
    let mut corner = 0;
    let mut number = 0;
    while number < 16 {
        corner |= 1 << ((top + number / 4) * <u128 as Bits>::STRIDE + left + number % 4);
        number += 1;
    }
    corner & !CAMPS
}

// The weights below are a logistic fit of the results of 3,500 games that this evaluation, with weights set by hand,
// played against itself (1,200 to 3,000 nodes a move, both rule sets, random openings), 54,000 positions in all, with a
// ridge penalty of 0.01; SCALE / ln 3 brings its logits to our unit. Reasons that hardly ever occur in such positions,
// because a threat is answered at once, keep the weight that was set by hand. The fitted weights won 64% (36 wins, 5
// draws, 19 losses) against those set by hand at 5,000 nodes a move.

/// What a square is worth to white with an attacker on it.
const ATTACKER_SQUARES: Table =
    by_class([163, 82, -220, -167, 21, -42, -132, 115, -110, -479, -211, -211, -123, -6, 0]);
/// With a defender on it.
const DEFENDER_SQUARES: Table =
    by_class([257, 265, 249, 0, 0, 510, 358, -170, 0, 279, 296, 149, 152, 159, 0]);
/// With the king on it.
const KING_SQUARES: Table = by_class([0, 0, 0, 0, 0, 0, 311, 0, 0, 1102, 297, 236, -190, -254, 186]);

/// What the men's squares are worth to white, kept up move by move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Squares(i32);

impl Squares {
    /// Counted from nothing.
    #[inline(always)]
    pub(super) fn of(position: &Position) -> Self {
        Self(
            squares::sum(&ATTACKER_SQUARES, position.attackers())
                + squares::sum(&DEFENDER_SQUARES, position.defenders()),
        )
    }

    /// Brought from before a move to after it.
    #[inline(always)]
    pub(super) fn advance(&mut self, before: &Position, mv: Move, after: &Position) {
        let (own, others, captured) = match before.side() {
            Side::Attackers => {
                (&ATTACKER_SQUARES, &DEFENDER_SQUARES, before.defenders() & !after.defenders())
            }
            Side::Defenders => {
                (&DEFENDER_SQUARES, &ATTACKER_SQUARES, before.attackers() & !after.attackers())
            }
        };
        if before.king() != Some(mv.from()) {
            self.0 += squares::at(own, mv.to()) - squares::at(own, mv.from());
        }
        self.0 -= squares::sum(others, captured);
    }
}

/// How many reasons there are.
const REASONS: usize = 21;

/// What one of each reason is worth to white.
pub(super) type Weights = [i32; REASONS];

/// Every reason and its weight, in the order of [`values`].
const LISTED: [(&str, i32); REASONS] = [
    // What it takes for an even position to count nothing.
    ("balance", 2497),
    ("defenders", 213),
    ("attackers", -292),
    ("squares of the men", 1),
    ("square of the king", 1),
    // An exit that stands open when black is to move has to be closed; two cannot be, nor any on white's turn.
    ("open lines", 400),
    ("double open lines", 15_000),
    ("two-step exits", 109),
    ("two-step forks", 50),
    ("closed chain", -100),
    ("hostile squares beside the king", -55),
    ("squares where the king would fall", -100),
    ("guards beside the king", 14),
    ("king's moves", 22),
    ("king's way back", 136),
    ("unguarded corners", 183),
    ("rhombus", -163),
    ("squares beside camps", 123),
    ("attackers in camps", -54),
    ("mobility", 16),
    ("turn", 166),
];

/// Our own weights.
const OWN: Weights = {
    let (mut weights, mut index) = ([0; REASONS], 0);
    while index < REASONS {
        weights[index] = LISTED[index].1;
        index += 1;
    }
    weights
};

/// How much there is of every reason for our opinion of `position`, seen from white.
#[inline(always)]
fn values(game: &Tablut, position: &Position, squares: &Squares) -> [i32; REASONS] {
    let (attackers, defenders) = (position.attackers(), position.defenders());
    let white_moves = position.side() == Side::Defenders;
    let view = if let Some(king) = King::of(game, position) {
        KingsPart::of(game, position, &king)
    } else {
        KingsPart::default()
    };
    let count = |set: u128| set.count() as i32;
    [
        1,
        count(defenders),
        count(attackers),
        squares.0,
        view.square,
        i32::from(view.exits == 1 && !white_moves),
        i32::from(view.exits >= 2 || view.exits == 1 && white_moves),
        view.detours.ways as i32,
        view.detours.forks as i32,
        i32::from(view.is_enclosed),
        view.hostile,
        view.weak,
        view.guards,
        view.moves,
        i32::from(view.can_return),
        unguarded_corners(attackers),
        count(attackers & RHOMBUS),
        count(defenders & BESIDE_CAMPS),
        count(attackers & CAMPS),
        position.mobility(Side::Defenders) as i32 - position.mobility(Side::Attackers) as i32,
        if white_moves { 1 } else { -1 },
    ]
}

/// In how many corners no attacker waits for the king.
#[inline(always)]
fn unguarded_corners(attackers: u128) -> i32 {
    let mut unguarded = 0;
    for corner in CORNERS {
        unguarded += i32::from(attackers & corner == 0);
    }
    unguarded
}

/// What the king contributes.
#[derive(Clone, Copy, Default)]
struct KingsPart {
    square: i32,
    exits: u32,
    detours: Detours,
    is_enclosed: bool,
    hostile: i32,
    weak: i32,
    guards: i32,
    moves: i32,
    can_return: bool,
}

impl KingsPart {
    #[inline(always)]
    fn of(game: &Tablut, position: &Position, king: &King) -> Self {
        let beside = neighbours(king.square());
        let detours = king.detours(game, position);
        Self {
            square: squares::at(&KING_SQUARES, king.square().lowest()),
            exits: king.exits(),
            detours,
            // A way out is a gap in the chain, and mostly there is one.
            is_enclosed: king.exits() + detours.ways == 0 && king.is_enclosed(position),
            hostile: (beside & (position.attackers() | CAMPS)).count() as i32,
            weak: king.weak_squares(position).count() as i32,
            guards: (beside & position.defenders()).count() as i32,
            moves: king.moves() as i32,
            // To where three attackers are needed to capture him, or four.
            can_return: (king.squares() | king.square()) & KEEP != 0,
        }
    }
}

/// What `position` is worth to white.
#[inline(always)]
pub(super) fn worth(game: &Tablut, position: &Position, squares: &Squares) -> i32 {
    weighted(&OWN, game, position, squares)
}

/// What `position` is worth to white by other weights than our own, which are compiled in.
#[cold]
pub(super) fn worth_by(weights: &Weights, game: &Tablut, position: &Position, squares: &Squares) -> i32 {
    as_opinion(weighted(weights, game, position, squares))
}

#[inline(always)]
fn weighted(weights: &Weights, game: &Tablut, position: &Position, squares: &Squares) -> i32 {
    let values = values(game, position, squares);
    let mut worth = 0;
    for index in 0..REASONS {
        worth += values[index] * weights[index];
    }
    worth
}

/// These weights, or our own, with their names.
pub(super) fn named(weights: Option<&Weights>) -> Vec<Weight> {
    let listed = LISTED.iter().zip(weights.unwrap_or(&OWN));
    listed.map(|((name, _), weight)| Weight::of(name, f64::from(*weight))).collect()
}

/// These weights, or our own, but for one.
pub(super) fn changed(weights: Option<&Weights>, place: usize, value: f64) -> Weights {
    let mut changed = *weights.unwrap_or(&OWN);
    changed[place] = value.round() as i32;
    changed
}

/// The reasons seen from `player`, by these weights or our own.
pub(super) fn seen_from(
    weights: Option<&Weights>,
    game: &Tablut,
    position: &Position,
    player: Player,
) -> Vec<Feature> {
    let sign = if game.side_of(player) == Side::Defenders { 1.0 } else { -1.0 };
    let values = values(game, position, &Squares::of(position)).into_iter();
    let reasons = values.zip(LISTED).zip(weights.unwrap_or(&OWN));
    reasons
        .map(|((value, (name, _)), weight)| Feature {
            name,
            value: sign * f64::from(value),
            weight: f64::from(*weight),
        })
        .collect()
}
