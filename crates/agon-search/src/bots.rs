//! The two simplest bots: one draws its moves, one takes what looks best right after the move.

use agon_core::random::{below, seeded};
use agon_core::{Game, Line, Rng, Turn};

use crate::{Budget, Evaluation, Feature, GameBot, ScoredMove, Thought, Unit, worth};

/// Plays any legal move, each equally likely.
#[derive(Debug)]
pub struct Random {
    rng: Rng,
    seed: u64,
}

impl Random {
    /// A bot whose moves depend on `seed` alone.
    pub fn new(seed: u64) -> Self {
        Self { rng: seeded(seed), seed }
    }
}

impl<G: Game> GameBot<G> for Random {
    fn think(
        &mut self,
        line: &Line<G>,
        budget: &Budget,
        _observe: &mut dyn FnMut(&Thought<G::Move>),
    ) -> Option<Thought<G::Move>> {
        budget.reseed(&mut self.rng, self.seed);
        line.game().random_move(line.position(), &mut self.rng).map(Thought::instinct)
    }
}

/// Looks one ply ahead and takes the move after which the evaluation is best for itself; among
/// equals it draws.
#[derive(Debug)]
pub struct Greedy<E> {
    evaluation: E,
    rng: Rng,
    seed: u64,
}

impl<E> Greedy<E> {
    /// A bot that judges by `evaluation` and breaks ties by `seed`.
    pub fn new(evaluation: E, seed: u64) -> Self {
        Self { evaluation, rng: seeded(seed), seed }
    }
}

impl<G: Game, E: Evaluation<G>> GameBot<G> for Greedy<E> {
    fn think(
        &mut self,
        line: &Line<G>,
        budget: &Budget,
        _observe: &mut dyn FnMut(&Thought<G::Move>),
    ) -> Option<Thought<G::Move>> {
        budget.reseed(&mut self.rng, self.seed);
        let Turn::Player(player) = line.turn() else { return None };
        let game = &**line.game();
        self.evaluation.prepare(line);
        let mut moves: Vec<ScoredMove<G::Move>> = Vec::new();
        game.for_each_move(line.position(), |mv| {
            let mut next = *line.position();
            game.play_unchecked(&mut next, mv);
            let state = self.evaluation.state(game, &next);
            moves.push(ScoredMove::exact(mv, worth(game, &next, &state, &self.evaluation).of(player)));
        });
        moves.sort_by(|one, other| other.score.total_cmp(&one.score));
        let score = moves.first()?.score;
        let equals = moves.iter().take_while(|other| other.score == score).count();
        let chosen = below(&mut self.rng, equals as u64) as usize;
        moves.swap(0, chosen);
        Some(Thought {
            score: Some(score),
            depth: 1,
            nodes: moves.len() as u64,
            moves: moves.clone(),
            ..Thought::instinct(moves[0].mv)
        })
    }

    fn features(&self, line: &Line<G>) -> Vec<Feature> {
        opinion(&self.evaluation, line)
    }

    fn unit(&self) -> Option<Unit> {
        Some(self.evaluation.unit())
    }
}

/// What `evaluation` sees in the game as it stands, from the player to move.
pub(crate) fn opinion<G: Game>(evaluation: &impl Evaluation<G>, line: &Line<G>) -> Vec<Feature> {
    match line.turn() {
        Turn::Player(player) => evaluation.features(line.game(), line.position(), player),
        Turn::Chance => Vec::new(),
    }
}
