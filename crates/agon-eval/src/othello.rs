//! Othello: discs.

use agon_core::{Payoffs, Player};
use agon_games::othello::{Flank, Othello, Position};
use agon_search::Evaluation;

use crate::{Evaluated, opposed};

/// The difference of the discs as a share of all discs.
#[derive(Clone, Copy, Debug)]
pub struct Discs;

impl<B: Flank> Evaluation<Othello<B>> for Discs {
    fn evaluate(&self, _game: &Othello<B>, position: &Position<B>) -> Payoffs {
        let [black, white] = [0, 1].map(|seat| position.discs(Player(seat)).count() as f32);
        opposed((black - white) / (black + white).max(1.0))
    }
}

impl<B: Flank> Evaluated for Othello<B> {
    type Evaluation = Discs;

    fn evaluation() -> Discs {
        Discs
    }
}
