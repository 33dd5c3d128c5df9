//! Labels for the positions of games that others played.

use agon_core::Game;
use agon_othello::expertise::solver::{Effort, Solver};
use agon_othello::expertise::weights::Weights;
use agon_othello::{Othello, Position};

use super::sample::{Sample, Source};
use super::self_play::{empties, sign};

/// Makes samples of games between people.
#[derive(Debug)]
pub struct Labeller {
    game: Othello<u64>,
    solver: Solver,
    solve_from: u32,
}

/// The size of the solver's table, in megabytes.
const TABLE: usize = 2;

impl Labeller {
    /// A labeller that solves positions with up to `solve_from` empty squares.
    pub fn new(solve_from: u32) -> Self {
        let game = Othello::new(8);
        let solver = Solver::with_weights(&game, TABLE, Some(Weights::builtin()));
        Self { game, solver, solve_from }
    }

    /// The samples of a game, the `number`-th. `known` is a result found by others: black's score under perfect play, and
    /// from how many empty squares on it holds.
    ///
    /// Between the two solved positions, the known one and the first that this labeller solves, the label goes over
    /// evenly from the one score to the other: mistakes made before a position spoil the first for it, mistakes made
    /// after it the second, and the mean weighted so has the least variance.
    pub fn label(
        &mut self,
        number: u64,
        positions: &[Position<u64>],
        known: Option<(i32, u32)>,
    ) -> Vec<Sample> {
        let known = known.filter(|(_, from)| *from > self.solve_from);
        let mut samples = Vec::new();
        // From the end backwards: the earliest score that was solved holds for all positions before it.
        let mut solved = None;
        for position in positions.iter().rev() {
            if self.game.outcome(position).is_some() {
                continue;
            }
            let empties = empties(position);
            let sign = sign(position);
            if empties <= self.solve_from {
                let solution = self.solver.solve(position, Effort::Score, &mut |_| false);
                solved = solution.map(|solution| sign * solution.score);
            }
            let score = match (known, solved) {
                (Some((score, from)), _) if empties >= from => score,
                (Some((score, from)), Some(solved)) if empties > self.solve_from => {
                    let (early, late) = ((empties - self.solve_from) as i32, (from - empties) as i32);
                    (score * early + solved * late) / (early + late)
                }
                (_, Some(solved)) => solved,
                // A game that broke off before it could be solved teaches nothing.
                (_, None) => continue,
            };
            samples.push(Sample::new(number, position, sign * score, sign * score, Source::People));
        }
        samples
    }
}
