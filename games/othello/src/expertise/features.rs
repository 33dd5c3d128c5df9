//! The features that players talk about, on boards of every size: each named, counted for both sides, and
//! weighted by the phase of the game. Weights are in hundredths of a disc and were set by hand.

use crate::{Othello, Position};

use super::Squares;

/// A feature: its name and its weights when the board is empty, half full, and full; in between they change evenly.
#[derive(Clone, Copy, Debug)]
pub struct FeatureSpec {
    /// What it is called.
    pub name: &'static str,
    /// What one of it is worth at the beginning, in the middle and at the end.
    pub weights: [i32; 3],
}

/// How many features there are.
pub const COUNT: usize = 8;

/// What each feature is worth at the beginning, in the middle and at the end.
pub type Weights = [[i32; 3]; COUNT];

/// The weights of [`FEATURES`].
pub fn own_weights() -> Weights {
    FEATURES.map(|feature| feature.weights)
}

/// The features, in the order of [`count`].
pub const FEATURES: [FeatureSpec; COUNT] = [
    // Own discs less enemy discs: in the way until the end, when they are all that counts.
    FeatureSpec { name: "discs", weights: [-30, -10, 100] },
    // Own moves less enemy moves.
    FeatureSpec { name: "mobility", weights: [70, 80, 30] },
    // Empty squares beside enemy discs less those beside own discs: moves that may come.
    FeatureSpec { name: "potential mobility", weights: [30, 25, 0] },
    // Own corners less enemy corners.
    FeatureSpec { name: "corners", weights: [700, 600, 200] },
    // Own discs beside an empty corner less enemy ones: they give the corner away.
    FeatureSpec { name: "beside corners", weights: [-250, -200, -50] },
    // Discs that can no longer be turned, counted from the corners.
    FeatureSpec { name: "stability", weights: [150, 130, 60] },
    // Discs on the edge.
    FeatureSpec { name: "edges", weights: [20, 30, 0] },
    // 1 if an odd number of squares is left, so that the side to move is to make the last move, else -1.
    FeatureSpec { name: "parity", weights: [0, 20, 200] },
];

/// The features of `position`, for the side to move.
#[inline(always)]
pub fn count<B: Squares>(game: &Othello<B>, position: &Position<B>) -> [i32; COUNT] {
    let Position { own, opponent, .. } = *position;
    let board = game.board();
    let empty = board & !(own | opponent);
    let (edge, corners) = (edge(game), corners(game));
    let near = (corners & empty).dilate();
    let difference = |one: B, other: B| one.count() as i32 - other.count() as i32;
    [
        difference(own, opponent),
        difference(B::moves(game, own, opponent), B::moves(game, opponent, own)),
        difference(opponent.dilate() & empty, own.dilate() & empty),
        difference(own & corners, opponent & corners),
        difference(own & near, opponent & near),
        difference(stable(game, own), stable(game, opponent)),
        difference(own & edge, opponent & edge),
        if empty.count() % 2 == 1 { 1 } else { -1 },
    ]
}

/// What each feature is worth by these `weights` with `filled` of `squares` squares taken.
#[inline(always)]
pub fn weights_at(weights: &Weights, filled: u32, squares: u32) -> [i32; COUNT] {
    let (filled, squares) = (filled as i32, squares as i32);
    std::array::from_fn(|index| {
        let [first, middle, last] = weights[index];
        let twice = 2 * filled;
        if twice <= squares {
            first + (middle - first) * twice / squares
        } else {
            middle + (last - middle) * (twice - squares) / squares
        }
    })
}

/// The four corners.
#[inline(always)]
pub fn corners<B: Squares>(game: &Othello<B>) -> B {
    let board = game.board();
    let rows = board & !board.south() | board & !board.north();
    let columns = board & !board.east() | board & !board.west();
    rows & columns
}

/// The squares of the edge.
#[inline(always)]
fn edge<B: Squares>(game: &Othello<B>) -> B {
    let board = game.board();
    board & !(board.south() & board.north() & board.east() & board.west())
}

/// Own discs that are safe for good because each of their four axes runs into the edge, or into a safe own disc, at
/// the next square on one side: all that lean on a corner.
#[inline(always)]
fn stable<B: Squares>(game: &Othello<B>, own: B) -> B {
    let board = game.board();
    let (rows, columns) = (!(board.north() & board.south()), !(board.east() & board.west()));
    let mut stable = own & corners(game);
    while !stable.is_empty() {
        let (east, west) = (stable.east(), stable.west());
        let along_row = columns | east | west;
        let along_column = rows | stable.north() | stable.south();
        let falling = rows | columns | east.south() | west.north();
        let rising = rows | columns | east.north() | west.south();
        let grown = stable | own & along_row & along_column & falling & rising;
        if grown == stable {
            break;
        }
        stable = grown;
    }
    stable
}
