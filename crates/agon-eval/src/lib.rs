//! What positions of the five games are worth: joins games and search.
//!
//! One module a game; [`Evaluated`] says which evaluation belongs to which game type.

mod chinese_checkers;
mod game2048;
mod loa;
mod othello;
mod tablut;

use agon_core::{Game, MAX_PLAYERS, Payoffs};
use agon_search::Evaluation;

/// A game that has an evaluation.
pub trait Evaluated: Game {
    /// The evaluation's type.
    type Evaluation: Evaluation<Self>;

    /// The evaluation that bots use unless told otherwise.
    fn evaluation() -> Self::Evaluation;
}

/// The values of a game of two with opposite interests: `first` for the first player.
fn opposed(first: f32) -> Payoffs {
    let mut payoffs = [0.0; MAX_PLAYERS];
    (payoffs[0], payoffs[1]) = (first, -first);
    Payoffs(payoffs)
}
