//! Games of the program against itself, from random openings: they show what people's games do not, positions after
//! moves that no good player makes but every search looks at.

use agon_core::random::{below, mix, seeded};
use agon_core::{Game, Player, Rng};
use agon_othello::expertise::solver::{Effort, Solver};
use agon_othello::expertise::weights::Weights;
use agon_othello::{Move, Othello, Position};

use super::sample::{Sample, Source};

/// How games are played and labelled.
#[derive(Clone, Copy, Debug)]
pub struct SelfPlay {
    /// Fixes all randomness.
    pub seed: u64,
    /// How deep each move is searched.
    pub depth: u32,
    /// With how many empty squares a game is solved and so decided.
    pub solve_from: u32,
    /// What the program judges by.
    pub weights: &'static Weights,
}

/// The fewest and the most random plies at the beginning.
const OPENING: (u64, u64) = (6, 20);
/// One position in this many has a random move of it labelled besides the one that was played.
const ASIDE: u64 = 4;
/// The size of the table, in megabytes.
const TABLE: usize = 2;

impl SelfPlay {
    /// Plays the game with this `number`, the same whatever was played before, and labels its positions. Each is labelled by a search, and
    /// those from which the game was played on by its result under perfect play at the end.
    pub fn play(&self, number: u64) -> Vec<Sample> {
        let game = Othello::new(8);
        let mut playing = Playing {
            settings: self,
            solver: Solver::with_weights(&game, TABLE, Some(self.weights)),
            rng: seeded(mix(self.seed, number)),
            game,
            number,
            samples: Vec::new(),
        };
        playing.play();
        playing.samples
    }
}

/// A game that is being played.
struct Playing<'a> {
    settings: &'a SelfPlay,
    game: Othello<u64>,
    solver: Solver,
    rng: Rng,
    number: u64,
    samples: Vec<Sample>,
}

impl Playing<'_> {
    fn play(&mut self) {
        let mut position = self.game.start();
        for _ in 0..OPENING.0 + below(&mut self.rng, OPENING.1 - OPENING.0 + 1) {
            let Some(mv) = self.game.random_move(&position, &mut self.rng) else { return };
            self.game.play_unchecked(&mut position, mv);
        }
        // The positions that were played through, to be labelled by the result once it is known.
        let mut path = Vec::new();
        while !self.is_solved(&position) {
            if self.game.outcome(&position).is_some() {
                break;
            }
            let (searched, best) = self.search(&position);
            path.push((position, searched));
            self.look_aside(&position);
            self.game.play_unchecked(&mut position, best);
        }
        let result = self.finish(position);
        for (position, searched) in path {
            self.push(&position, searched, sign(&position) * result, Source::SelfPlay);
        }
    }

    /// Plays the end of the game perfectly and gives black's result.
    fn finish(&mut self, mut position: Position<u64>) -> i32 {
        if self.game.outcome(&position).is_some() {
            return sign(&position) * final_score(&position);
        }
        let solution = self.solver.solve(&position, Effort::Score, &mut |_| false).expect("never stopped");
        let result = sign(&position) * solution.score;
        for mv in solution.line {
            let score = sign(&position) * result;
            self.push(&position, score, score, Source::SelfPlay);
            self.look_aside(&position);
            self.game.play_unchecked(&mut position, mv);
        }
        result
    }

    /// Labels a position that nobody would play to, now and then.
    fn look_aside(&mut self, position: &Position<u64>) {
        if below(&mut self.rng, ASIDE) > 0 {
            return;
        }
        let Some(mv) = self.game.random_move(position, &mut self.rng) else { return };
        let mut aside = *position;
        self.game.play_unchecked(&mut aside, mv);
        if self.game.outcome(&aside).is_some() {
            return;
        }
        let score = if self.is_solved(&aside) {
            self.solver.solve(&aside, Effort::Score, &mut |_| false).expect("never stopped").score
        } else {
            self.search(&aside).0
        };
        self.push(&aside, score, score, Source::Aside);
    }

    fn is_solved(&self, position: &Position<u64>) -> bool {
        empties(position) <= self.settings.solve_from
    }

    fn search(&mut self, position: &Position<u64>) -> (i32, Move) {
        let outlook = self.solver.outlook(position, self.settings.depth, true, &mut |_| false);
        let outlook = outlook.expect("never stopped");
        (outlook.score, outlook.best.unwrap_or(Move::Pass))
    }

    fn push(&mut self, position: &Position<u64>, searched: i32, result: i32, source: Source) {
        self.samples.push(Sample::new(self.number, position, searched, result, source));
    }
}

/// How many squares are empty.
pub(super) fn empties(position: &Position<u64>) -> u32 {
    64 - (position.own | position.opponent).count_ones()
}

/// Turns the score of the side to move into black's and back.
pub(super) fn sign(position: &Position<u64>) -> i32 {
    if position.to_move == Player(0) { 1 } else { -1 }
}

/// The result of a finished game for the side to move.
pub(super) fn final_score(position: &Position<u64>) -> i32 {
    let lead = position.own.count_ones() as i32 - position.opponent.count_ones() as i32;
    lead + lead.signum() * empties(position) as i32
}
