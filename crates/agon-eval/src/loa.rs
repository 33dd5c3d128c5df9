//! Lines of Action: concentration.

use agon_core::{Payoffs, Player};
use agon_games::board::Bits;
use agon_games::loa::{Grid, Loa, Position};
use agon_search::Evaluation;

use crate::{Evaluated, opposed};

/// How much closer together the first player's pieces stand than the second's: for each side the mean
/// distance of its pieces from their centre of mass, as a share of the board's side.
#[derive(Clone, Copy, Debug)]
pub struct Concentration;

impl<B: Grid> Evaluation<Loa<B>> for Concentration {
    fn evaluate(&self, game: &Loa<B>, position: &Position<B>) -> Payoffs {
        let [first, second] = [0, 1].map(|seat| spread(position.pieces(Player(seat))));
        opposed((second - first) / game.size() as f32)
    }
}

/// The mean distance of the pieces from their centre of mass, in king's moves.
fn spread<B: Bits>(pieces: B) -> f32 {
    let (mut rows, mut columns) = (0, 0);
    pieces.for_each(|square| {
        let (row, column) = B::row_column(square);
        rows += row;
        columns += column;
    });
    let count = pieces.count().max(1) as f32;
    let (centre_row, centre_column) = (rows as f32 / count, columns as f32 / count);
    let mut distance = 0.0;
    pieces.for_each(|square| {
        let (row, column) = B::row_column(square);
        distance += (row as f32 - centre_row).abs().max((column as f32 - centre_column).abs());
    });
    distance / count
}

impl<B: Grid> Evaluated for Loa<B> {
    type Evaluation = Concentration;

    fn evaluation() -> Concentration {
        Concentration
    }
}
