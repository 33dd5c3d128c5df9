//! 2048: a network that teaches itself by playing.
//!
//! The learner plays greedily by its own opinion. When a game is over, it goes back through it from the end and shifts its
//! opinion of each board that it left behind towards what that turned out to be worth: what the next move scored,
//! and the opinion, just corrected, of the board after it. This is TD(0) on afterstates (Szubert & Jaśkowski 2014,
//! <https://doi.org/10.1109/CIG.2014.6932907>); going backwards lets news of the end travel through the whole game at once.
//!
//! How far an entry moves is its own matter, temporal coherence: an entry whose errors all point one way moves fully,
//! one whose errors cancel out hardly at all (Beal & Smith 1999; Jaśkowski 2018, <https://arxiv.org/abs/1604.05085>).
//! Entries may start above zero, so that what has not been tried looks worth trying (Guei et al. 2021,
//! <https://arxiv.org/abs/2111.11090>); in an hour's training this costs more than it brings. What does bring much are
//! three things: small tuples beside the large ones, [`promote`], and restarts, by which the late parts of games, that a
//! player who looks ahead meets more often than the learner, are played more often than the early ones.

mod checkpoint;
mod training;

use std::io;

use agon_2048::expertise::network::{LOOKUPS, Tables, cells, large_indices, small_indices, symmetries};
use agon_2048::expertise::promotion::promote;
use agon_2048::expertise::weights::Network;
use agon_2048::{Board, Direction};
use agon_core::cpu::{self, Level, Root};
use agon_core::random::{RandomSource, Rng, mix, seeded};

pub use checkpoint::CheckpointError;
pub use training::{TrainingPlan, TrainingProgress, train};

/// What makes one plan of training different from another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// All luck comes from it.
    pub seed: u64,
    /// What an untried board is thought to be worth.
    pub optimism: f32,
    /// Whether the second half of a finished game is played again, and the second half of that.
    pub restarts: bool,
    /// How many games lie between two promotions of untried entries; none happen if it is 0.
    pub promote_every: u64,
}

/// How coherent an entry's errors were: their sum and the sum of their sizes.
type Coherence = [f32; 2];

/// Whether an entry has ever been learnt from.
fn is_tried([_, size]: Coherence) -> bool {
    size != 0.0
}

/// A network that is learning.
#[derive(Debug)]
pub struct Learner {
    settings: Settings,
    weights: Tables<f32>,
    coherence: Tables<Coherence>,
    /// Games begun from the start so far.
    games: u64,
    moves: u64,
    rng: Rng,
    trail: Vec<Step>,
    /// Where the next game begins, if not at the start.
    restart: Option<(Board, u64)>,
}

/// A game that was played to its end.
#[derive(Clone, Copy, Debug)]
pub struct Played {
    /// Whether it began at the start.
    pub is_whole: bool,
    /// All points, those before a restart included.
    pub score: u64,
    /// Moves made.
    pub moves: u64,
    /// The exponent of the largest tile.
    pub largest: u8,
}

/// What the learner left behind after a move, and what the move scored.
#[derive(Clone, Copy, Debug)]
struct Step {
    after: Board,
    gained: u32,
}

/// A game shorter than this is not restarted from its middle.
const SHORTEST_RESTART: usize = 512;

impl Learner {
    /// A learner that knows nothing.
    pub fn new(settings: Settings) -> Self {
        Self {
            settings,
            weights: Tables::filled(settings.optimism / LOOKUPS as f32),
            coherence: Tables::filled([0.0; 2]),
            games: 0,
            moves: 0,
            rng: seeded(settings.seed),
            trail: Vec::new(),
            restart: None,
        }
    }

    /// Games from the start so far.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// Moves so far, restarts included.
    pub fn moves(&self) -> u64 {
        self.moves
    }

    /// What it has learnt as a file of weights, rounded to multiples of `step`.
    ///
    /// # Errors
    /// If compression runs out of memory.
    pub fn weights_file(&self, step: f32) -> io::Result<Vec<u8>> {
        let coherence: Vec<&[Coherence]> = self.coherence.slices().collect();
        Network::encode(&self.weights, step, |table, index| is_tried(coherence[table][index]))
    }

    /// Plays one game and learns from it.
    pub fn play(&mut self) -> Played {
        let begin = self.restart.take();
        if begin.is_none() {
            self.games += 1;
            if self.settings.promote_every != 0 && self.games.is_multiple_of(self.settings.promote_every) {
                self.promote();
            }
        }
        let is_whole = begin.is_none();
        let (board, score) = begin.unwrap_or_else(|| {
            let first = Board::EMPTY.with_new(Board::EMPTY.draw(self.rng.next_u64()));
            (first.with_new(first.draw(self.rng.next_u64())), 0)
        });
        let (end, gained) = cpu::dispatch(Game { learner: self, board });
        let moves = self.trail.len();
        self.moves += moves as u64;
        if self.settings.restarts && moves >= SHORTEST_RESTART {
            let half = &self.trail[..moves / 2];
            let before: u64 = half.iter().map(|step| u64::from(step.gained)).sum();
            let after = half[half.len() - 1].after;
            self.restart = Some((after.with_new(after.draw(self.rng.next_u64())), score + before));
        }
        Played { is_whole, score: score + gained, moves: moves as u64, largest: end.largest() }
    }

    /// Lets untried entries borrow from tried ones.
    fn promote(&mut self) {
        for (weights, coherence) in self.weights.slices_mut().zip(self.coherence.slices()) {
            promote(weights, |index| is_tried(coherence[index]));
        }
    }

    /// The move that looks best: its board and what it scores; `None` if there is none.
    #[inline(always)]
    fn best(&self, board: Board) -> Option<Step> {
        let mut best = None;
        let mut value = f32::NEG_INFINITY;
        for direction in Direction::ALL {
            let (after, gained) = board.slide(direction);
            if after == board {
                continue;
            }
            let worth = gained as f32 + self.weights.sum::<f32>(cells(after));
            if worth > value {
                (best, value) = (Some(Step { after, gained }), worth);
            }
        }
        best
    }

    /// Shifts the opinion of `after` towards `target`; what it is worth afterwards.
    #[inline(always)]
    fn learn(&mut self, after: Board, target: f32) -> f32 {
        let cells = cells(after);
        let error = target - self.weights.sum::<f32>(cells);
        let mut value = target - error;
        for cells in symmetries(cells) {
            for (table, index) in large_indices(cells).into_iter().enumerate() {
                let (weights, coherence) = (&mut self.weights.large[table], &mut self.coherence.large[table]);
                value += adjust(&mut weights[index], &mut coherence[index], error);
            }
            for (table, index) in small_indices(cells).into_iter().enumerate() {
                let (weights, coherence) = (&mut self.weights.small[table], &mut self.coherence.small[table]);
                value += adjust(&mut weights[index], &mut coherence[index], error);
            }
        }
        value
    }
}

/// Moves one of the entries that together were wrong by `error`; by how much.
#[inline(always)]
fn adjust(weight: &mut f32, coherence: &mut Coherence, error: f32) -> f32 {
    let [sum, size] = *coherence;
    let rate = if size == 0.0 { 1.0 } else { sum.abs() / size };
    let change = error / LOOKUPS as f32 * rate;
    *weight += change;
    *coherence = [sum + error, size + error.abs()];
    change
}

struct Game<'a> {
    learner: &'a mut Learner,
    board: Board,
}

impl Root for Game<'_> {
    type Output = (Board, u64);

    fn at<L: Level>(self, level: L) -> (Board, u64) {
        level.run(
            #[inline(always)]
            || {
                let Game { learner, mut board } = self;
                learner.trail.clear();
                let mut score = 0;
                while let Some(step) = learner.best(board) {
                    score += u64::from(step.gained);
                    learner.trail.push(step);
                    board = step.after.with_new(step.after.draw(learner.rng.next_u64()));
                }
                let mut target = 0.0;
                for number in (0..learner.trail.len()).rev() {
                    let step = learner.trail[number];
                    target = step.gained as f32 + learner.learn(step.after, target);
                }
                (board, score)
            },
        )
    }
}

/// The generator with which training goes on after `games` games.
pub(crate) fn generator(seed: u64, games: u64) -> Rng {
    seeded(mix(seed, games))
}
