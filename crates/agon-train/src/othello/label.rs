//! Samples: positions and what perfect play makes of them.

use agon_core::{Game, Player};
use agon_othello::expertise::solver::{Effort, Solver};
use agon_othello::{Othello, Position};

/// A position and its score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sample {
    /// The discs of the side to move.
    pub own: u64,
    /// The discs of the other side.
    pub opponent: u64,
    /// The final disc difference for the side to move.
    pub score: i8,
    /// Whether the sample is kept from training, to measure by.
    pub is_held_out: bool,
}

/// Makes samples of games.
#[derive(Debug)]
pub struct Labeller {
    game: Othello<u64>,
    solver: Solver,
    solve_from: u32,
}

/// One game in this many is held out.
const HELD_OUT: u64 = 50;
/// The size of the solver's table, in megabytes.
const TABLE: usize = 4;

impl Labeller {
    /// A labeller that solves positions with up to `solve_from` empty squares.
    pub fn new(solve_from: u32) -> Self {
        let game = Othello::new(8);
        Self { game, solver: Solver::new(&game, TABLE), solve_from }
    }

    /// Adds the positions of a game, the `number`-th from 0, to `samples`. `known` is a result found by others: black's score under perfect play, and
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
        samples: &mut Vec<Sample>,
    ) {
        let is_held_out = number.is_multiple_of(HELD_OUT);
        let known = known.filter(|(_, from)| *from > self.solve_from);
        // From the end backwards: the earliest score that was solved holds for all positions before it.
        let mut solved = None;
        for position in positions.iter().rev() {
            if self.game.outcome(position).is_some() {
                continue;
            }
            let empties = 64 - (position.own | position.opponent).count_ones();
            let sign = if position.to_move == Player(0) { 1 } else { -1 };
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
            let (own, opponent) = (position.own, position.opponent);
            samples.push(Sample { own, opponent, score: (sign * score) as i8, is_held_out });
        }
    }
}
