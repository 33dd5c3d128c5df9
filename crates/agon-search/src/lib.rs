//! Search and the bots made of it, for any [`Game`]. Nothing here names a game: what a position is
//! worth comes in as an [`Evaluation`].

mod bots;
mod plain;

use agon_core::{Game, Line, Payoffs};

pub use bots::{Greedy, Random};
pub use plain::{Report, deepen};

/// An opinion of what an unfinished position is worth to each player, in the currency of
/// [`Payoffs`]: the larger, the better for that player.
pub trait Evaluation<G: Game>: Send + Sync + 'static {
    /// The worth of `position`.
    fn evaluate(&self, game: &G, position: &G::Position) -> Payoffs;
}

/// A player that is a program.
pub trait Bot<G: Game>: Send {
    /// The move it makes in the game as it stands; `None` only if it has no legal move.
    fn choose(&mut self, line: &Line<G>) -> Option<G::Move>;
}

/// What `position` is worth: by its outcome if the game is over, else by the evaluation.
fn worth<G: Game>(game: &G, position: &G::Position, evaluation: &impl Evaluation<G>) -> Payoffs {
    match game.outcome(position) {
        Some(outcome) => game.payoffs(position, &outcome),
        None => evaluation.evaluate(game, position),
    }
}
