//! Games of the program against itself, from random openings: they show what people's games do not, positions after
//! moves that no good player makes.

use agon_core::random::{below, seeded};
use agon_core::{Game, Rng};
use agon_othello::expertise::solver::Solver;
use agon_othello::expertise::weights::Weights;
use agon_othello::{Move, Othello, Position};

/// A player of both sides.
#[derive(Debug)]
pub struct SelfPlay {
    game: Othello<u64>,
    solver: Solver,
    rng: Rng,
}

/// The fewest and the most random plies at the beginning.
const OPENING: (u64, u64) = (6, 34);
/// How deep the program looks.
const DEPTH: u32 = 3;
/// The size of the table, in megabytes.
const TABLE: usize = 4;

impl SelfPlay {
    /// A player by the program's own weights, its randomness fixed by `seed`.
    pub fn new(seed: u64) -> Self {
        let game = Othello::new(8);
        let solver = Solver::with_weights(&game, TABLE, Some(Weights::builtin()));
        Self { game, solver, rng: seeded(seed) }
    }

    /// Plays a game and gives its positions, passes left out, from the end of the random opening on.
    pub fn play(&mut self) -> Vec<Position<u64>> {
        let opening = OPENING.0 + below(&mut self.rng, OPENING.1 - OPENING.0 + 1);
        let (mut position, mut positions) = (self.game.start(), Vec::new());
        for ply in 0.. {
            let random = self.game.random_move(&position, &mut self.rng);
            let mv = match random {
                Some(Move::Place(_)) if ply >= opening => self
                    .solver
                    .outlook(&position, DEPTH, true, &mut |_| false)
                    .and_then(|outlook| outlook.best),
                other => other,
            };
            let Some(mv) = mv else { break };
            self.game.play_unchecked(&mut position, mv);
            if ply >= opening && mv != Move::Pass {
                positions.push(position);
            }
        }
        positions
    }
}
