//! What a position is worth, feature by feature.
//!
//! The features are those of MIA ([Winands, van den Herik and Uiterwijk, "An Evaluation Function for Lines of
//! Action"](https://cris.maastrichtuniversity.nl/en/publications/an-evaluation-function-for-lines-of-action)) in a form
//! of our own: each means the same on boards of every size, and most are read off the [`Census`] without a look at the
//! pieces. Two are added, groups and pieces.
//!
//! Turning blocks changes what they are worth: any piece can then walk a step in four directions and take others along.
//! Hence two sets of weights. They come from logistic regression on the results of games of this evaluation against
//! itself (8×8 under standard rules, 6×6 and 8×8 with turning blocks), rounded, and between the fits where these
//! disagreed. A lead of 100 was worth about three games in four there. Features overlap, and so a weight can have
//! another sign than the feature would have by itself.

use crate::{Grid, Loa, Position};
use agon_board::Bits;
use agon_search::Weight;

use super::census::{Army, Census};

/// How many features there are of each side.
const COUNT: usize = 10;

/// Their names and what one of each is worth, with turning blocks and without.
///
/// * concentration: 1 if the pieces are heaped around their centre of mass as closely as can be, less the further they
///   are spread, down to 0;
/// * centralisation: how far inside the board the pieces stand, from 0 in the corners to 1;
/// * centre of mass: how far it is from the middle of the board, in squares of an 8×8 board, negative;
/// * quads: windows of 2×2 squares with three or four of the pieces, not further than two squares from the centre of
///   mass: solid formations where the group will be;
/// * mobility: moves along lines, per piece;
/// * walls: the share of the pieces that are away from the centre of mass and cannot move towards it, negative;
/// * connectedness: neighbours of the same side, per piece;
/// * uniformity: the share of the board that the smallest rectangle around the pieces covers, negative;
/// * groups: the Euler number, groups less holes, negative;
/// * pieces: their number, times 8 and divided by the size of the board.
const FEATURES: [(&str, [f32; 2]); COUNT] = [
    ("concentration", [3000.0, 1220.0]),
    ("centralisation", [260.0, 170.0]),
    ("centre of mass", [-25.0, -25.0]),
    ("quads", [4.0, 4.0]),
    ("mobility", [30.0, 31.0]),
    ("walls", [100.0, 150.0]),
    ("connectedness", [-20.0, 30.0]),
    ("uniformity", [-10.0, 80.0]),
    ("groups", [24.0, 6.0]),
    ("pieces", [12.0, 38.0]),
];

/// What it is worth to be the one to move, with turning blocks and without.
const TURN: [f32; 2] = [45.0, 28.0];

/// What that is called.
const PLAYER_TO_MOVE: &str = "player to move";

/// What a side has of each feature.
type Values = [f32; COUNT];

/// Sets of squares that depend on the size of the board alone.
#[derive(Clone, Debug)]
pub(super) struct Regions<B> {
    /// The rows above each row, the row below the board included.
    above: Box<[B]>,
    /// The columns left of each column, likewise.
    left: Box<[B]>,
}

impl<B: Bits> Regions<B> {
    pub(super) fn new(size: usize) -> Self {
        let keep = |keeps: &dyn Fn(usize, usize) -> bool| {
            let mut set = B::EMPTY;
            B::board(size).for_each(|square| {
                let (row, column) = B::row_column(square);
                if keeps(row, column) {
                    set = set | B::square(square);
                }
            });
            set
        };
        Self {
            above: (0..=size).map(|end| keep(&|row, _| row < end)).collect(),
            left: (0..=size).map(|end| keep(&|_, column| column < end)).collect(),
        }
    }

    /// The squares of the board's `size` whose row and column are at most two from those of a square on it.
    #[inline(always)]
    fn near(&self, row: usize, column: usize) -> B {
        let size = self.above.len() - 1;
        let (from, to) = (|at: usize| at.saturating_sub(2), |at: usize| (at + 3).min(size));
        self.above[to(row)] & !self.above[from(row)] & self.left[to(column)] & !self.left[from(column)]
    }
}

/// What the features are worth under some rules.
#[derive(Clone, Copy, Debug)]
pub(super) struct Weights {
    features: Values,
    turn: f32,
}

impl Weights {
    /// The weights with turning blocks or without.
    pub(super) fn new(is_rotating: bool) -> Self {
        let rules = usize::from(!is_rotating);
        Self { features: FEATURES.map(|(_, weights)| weights[rules]), turn: TURN[rules] }
    }

    /// The weights with their names.
    pub(super) fn named(&self) -> Vec<Weight> {
        let weights = self.features.iter().chain([&self.turn]);
        let names = FEATURES.iter().map(|(name, _)| *name).chain([PLAYER_TO_MOVE]);
        names.zip(weights).map(|(name, weight)| Weight::of(name, f64::from(*weight))).collect()
    }

    /// Sets the weight with that place among the [`named`](Self::named).
    pub(super) fn set(&mut self, place: usize, value: f64) {
        *self.features.get_mut(place).unwrap_or(&mut self.turn) = value as f32;
    }

    /// What `position` is worth to the side to move.
    #[inline(always)]
    pub(super) fn worth<B: Grid>(
        &self,
        game: &Loa<B>,
        regions: &Regions<B>,
        position: &Position<B>,
        census: &Census,
    ) -> f32 {
        let [own, enemy] = both(game, regions, position, census);
        let mut sum = self.turn;
        for index in 0..COUNT {
            sum += self.features[index] * (own[index] - enemy[index]);
        }
        sum
    }

    /// The name of each feature, how much more of it the side to move has than the other, and its weight.
    pub(super) fn reasons<B: Grid>(
        &self,
        game: &Loa<B>,
        regions: &Regions<B>,
        position: &Position<B>,
        census: &Census,
    ) -> Vec<(&'static str, f32, f32)> {
        let [own, enemy] = both(game, regions, position, census);
        let listed = FEATURES.iter().enumerate();
        let listed =
            listed.map(|(index, (name, _))| (*name, own[index] - enemy[index], self.features[index]));
        listed.chain([(PLAYER_TO_MOVE, 1.0, self.turn)]).collect()
    }
}

/// The features of the side to move and of the other.
#[inline(always)]
fn both<B: Grid>(
    game: &Loa<B>,
    regions: &Regions<B>,
    position: &Position<B>,
    census: &Census,
) -> [Values; 2] {
    let (own, enemy) = (position.own(), position.enemy());
    let [mine, theirs] = census.seen_from(position.turn());
    [values(game, regions, own, enemy, mine), values(game, regions, enemy, own, theirs)]
}

#[inline(always)]
fn values<B: Grid>(game: &Loa<B>, regions: &Regions<B>, own: B, enemy: B, side: &Army) -> Values {
    let size = game.size() as f32;
    let pieces = side.pieces as f32;
    let (row, column) = side.centre();
    let middle = (size - 1.0) / 2.0;
    let off_centre = ((row - middle) * (row - middle) + (column - middle) * (column - middle)).sqrt();
    let movers = B::movers(own, enemy, game.squares());
    let mut moves = 0;
    for movers in &movers {
        moves += movers.count();
    }
    [
        concentration(side, game.size()),
        side.inside as f32 / (100.0 * pieces),
        -off_centre * 8.0 / size,
        quads(regions, own, side) as f32,
        moves as f32 / pieces,
        -(walled(regions, own, &movers, side).count() as f32) / pieces,
        2.0 * side.quads.links() as f32 / pieces,
        -(area(own, game.size()) as f32) / (size * size),
        -side.quads.euler_number() as f32,
        pieces * 8.0 / size,
    ]
}

/// How closely the pieces are heaped: 1 over 1 and the spread, which is the root of the mean square of the distances from
/// the centre of mass that goes beyond that of a round heap, in squares of an 8×8 board.
#[inline(always)]
pub(super) fn concentration(side: &Army, size: usize) -> f32 {
    let pieces = side.pieces as f32;
    let (row, column) = side.centre();
    let variance = side.squares as f32 / pieces - row * row - column * column;
    // In a disc the mean square of the distance from the middle is its area over 2π.
    let least = pieces / std::f32::consts::TAU;
    let spread = (variance - least).max(0.0).sqrt() * 8.0 / size as f32;
    1.0 / (1.0 + spread)
}

/// How many windows of 2×2 squares hold three pieces or four and are at most two squares from the centre of mass: the
/// quad heuristic.
#[inline(always)]
pub(super) fn quads<B: Grid>(regions: &Regions<B>, pieces: B, side: &Army) -> u32 {
    // Each window stands for its upper left square.
    let (right, below) = (pieces.west(), pieces.north());
    let across = right.north();
    let solid = (pieces & right & (below | across)) | (below & across & (pieces | right));
    let (row, column) = side.centre();
    (solid & regions.near(row as usize, column as usize)).count()
}

/// The pieces that are away from the centre of mass and cannot move towards it.
#[inline(always)]
fn walled<B: Grid>(regions: &Regions<B>, own: B, movers: &[B; 8], side: &Army) -> B {
    let size = regions.above.len() - 1;
    let (row, column) = side.centre();
    let (row, column) = (row as usize, column as usize);
    let (above, below) = (regions.above[row], !regions.above[(row + 2).min(size)]);
    let (left, right) = (regions.left[column], !regions.left[(column + 2).min(size)]);
    let away = above | below | left | right;
    let [to_right, to_left, down, up, down_right, up_left, down_left, up_right] = *movers;
    // Along a diagonal one must come nearer on one axis at least and not go away on the other.
    let goes_in = (to_right & left)
        | (to_left & right)
        | (down & above)
        | (up & below)
        | (down_right & !(below | right))
        | (up_left & !(above | left))
        | (down_left & !(below | left))
        | (up_right & !(above | right));
    own & away & !goes_in
}

/// The area of the smallest rectangle around the pieces.
#[inline(always)]
fn area<B: Grid>(pieces: B, size: usize) -> usize {
    let (mut columns, mut first, mut height) = (0, size, 0);
    for row in 0..size {
        let here = pieces.row(row);
        columns |= here;
        if here != 0 {
            first = first.min(row);
            height = row + 1 - first;
        }
    }
    let width = u32::BITS - columns.leading_zeros() - columns.trailing_zeros();
    height * width as usize
}
