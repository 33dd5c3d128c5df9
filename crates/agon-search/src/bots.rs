//! The two simplest bots: one draws its moves, one takes what looks best right after the move.

use agon_core::random::{below, seeded};
use agon_core::{Game, Line, Rng, Turn};

use crate::{Bot, Evaluation, worth};

/// Plays any legal move, each equally likely.
#[derive(Debug)]
pub struct Random {
    rng: Rng,
}

impl Random {
    /// A bot whose moves depend on `seed` alone.
    pub fn new(seed: u64) -> Self {
        Self { rng: seeded(seed) }
    }
}

impl<G: Game> Bot<G> for Random {
    fn choose(&mut self, line: &Line<G>) -> Option<G::Move> {
        line.game().random_move(line.position(), &mut self.rng)
    }
}

/// Looks one ply ahead and takes the move after which the evaluation is best for itself; among
/// equals it draws.
#[derive(Debug)]
pub struct Greedy<E> {
    evaluation: E,
    rng: Rng,
}

impl<E> Greedy<E> {
    /// A bot that judges by `evaluation` and breaks ties by `seed`.
    pub fn new(evaluation: E, seed: u64) -> Self {
        Self { evaluation, rng: seeded(seed) }
    }
}

impl<G: Game, E: Evaluation<G>> Bot<G> for Greedy<E> {
    fn choose(&mut self, line: &Line<G>) -> Option<G::Move> {
        let Turn::Player(player) = line.turn() else { return None };
        let game = &**line.game();
        let (mut best, mut value, mut equals) = (None, f32::NEG_INFINITY, 0);
        game.for_each_move(line.position(), |mv| {
            let mut next = *line.position();
            game.play_unchecked(&mut next, mv);
            let worth = worth(game, &next, &self.evaluation).of(player);
            if best.is_none() || worth > value {
                (best, value, equals) = (Some(mv), worth, 1);
            } else if worth == value {
                equals += 1;
                if below(&mut self.rng, equals) == 0 {
                    best = Some(mv);
                }
            }
        });
        best
    }
}
