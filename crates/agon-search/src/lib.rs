//! Search and the bots made of it, for any [`Game`]. Nothing here names a game: what a position is worth and
//! which moves deserve attention come in as [`Knowledge`].
//!
//! An algorithm is a line of [`ALGORITHMS`], which declares its parameters once, and a [`GameBot`] that
//! [`build`] makes from them. How long it may think is a [`Budget`]; what it found is a [`Thought`].

mod algorithms;
mod alphabeta;
mod bots;
mod expectimax;
pub mod explore;
mod knowledge;
mod limits;
mod many;
mod mcts;
pub mod parameters;
mod plain;
mod root;
#[cfg(not(target_family = "wasm"))]
mod system_clock;
mod table;
mod team;
mod thought;

use agon_core::line::PlyOf;
use agon_core::{Game, Line, Payoffs, Ply};

pub use algorithms::{ALGORITHMS, Algorithm, Needs, build};
pub use alphabeta::AlphaBeta;
pub use bots::{Greedy, Random};
pub use knowledge::{
    Evaluation, Feature, Knowledge, PROVEN, Prediction, Solution, Tactics, Unit, WIN, Weight, as_opinion,
    proven_in,
};
pub use limits::{Budget, Clock, Limits, Threads, Watch};
pub use many::Many;
pub use mcts::Mcts;
pub use plain::{Plain, Report, deepen};
#[cfg(not(target_family = "wasm"))]
pub use system_clock::SystemClock;
pub use thought::{Bound, ScoredMove, Statistic, Thought};

/// A program that plays the game `G`, in that game's own types. `agon_erased::Bot` is the same for a game that
/// is not known at compile time.
pub trait GameBot<G: Game>: Send {
    /// The move it makes in the game as it stands, within `budget`; `None` only if it has no legal move. Whenever
    /// it knows more than before (a deeper iteration, a better move), it tells `observe`.
    fn think(
        &mut self,
        line: &Line<G>,
        budget: &Budget,
        observe: &mut dyn FnMut(&Thought<G::Move>),
    ) -> Option<Thought<G::Move>>;

    /// Searches as it does for a move, without opening book, solver or noise, and shows the tree in which it found it; a tree that grows
    /// by playouts stops growing after `playouts`. `None` if it has no legal move, no tree to show, or not enough time to begin one.
    fn explore(
        &mut self,
        _line: &Line<G>,
        _budget: &Budget,
        _playouts: u32,
    ) -> Option<explore::Exploration<PlyOf<G>>> {
        None
    }

    /// The reasons for its opinion of the game as it stands, seen from the player to move; none if it has no opinion.
    fn features(&self, _line: &Line<G>) -> Vec<Feature> {
        Vec::new()
    }

    /// What its scores mean to people; `None` if it does not judge.
    fn unit(&self) -> Option<Unit> {
        None
    }

    /// The move it makes with no limits but its own.
    #[cfg(not(target_family = "wasm"))]
    fn choose(&mut self, line: &Line<G>) -> Option<G::Move> {
        self.think(line, &Budget::new(Limits::default()), &mut |_| {}).map(|thought| thought.best)
    }
}

/// What `position` is worth: by its outcome if the game is over, else by the evaluation.
#[inline(always)]
fn worth<G: Game, E: Evaluation<G>>(
    game: &G,
    position: &G::Position,
    state: &E::State,
    evaluation: &E,
) -> Payoffs {
    match game.outcome(position) {
        Some(outcome) => evaluation.at_end(game, position, &outcome),
        None => evaluation.payoffs(game, position, state),
    }
}

/// The same where the depth of a search is used up.
#[inline(always)]
fn worth_at_leaf<G: Game, E: Evaluation<G>>(
    game: &G,
    position: &G::Position,
    state: &E::State,
    evaluation: &E,
) -> Payoffs {
    if evaluation.sees_ends_at_leaves() {
        worth(game, position, state, evaluation)
    } else {
        evaluation.payoffs(game, position, state)
    }
}

/// The moves of the player to move; none once the game is over or if chance acts.
fn legal_moves<G: Game>(line: &Line<G>) -> Vec<G::Move> {
    let plies = line.legal().into_iter();
    plies.filter_map(|ply| if let Ply::Move(mv) = ply { Some(mv) } else { None }).collect()
}
