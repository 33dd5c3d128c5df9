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
//! three things: small tuples beside the large ones, [`promote`], and the [`carousel`], by which the late parts of games, that a
//! player who looks ahead meets more often than the learner, are played as often as the early ones.

mod carousel;
mod checkpoint;
pub mod comparison;
mod training;

use std::io;

use agon_2048::expertise::network::{LOOKUPS, Tables, cells, large_indices, small_indices, symmetries};
use agon_2048::expertise::promotion::promote;
pub use agon_2048::expertise::weights::Extract;
use agon_2048::expertise::weights::{Network, NoWeights, for_each_own_weight};
use agon_2048::{Board, Direction};
use agon_core::cpu::{self, Level, Root};
use agon_core::memory::prefetch;
use agon_core::random::{RandomSource, Rng, mix, seeded};

use carousel::{Carousel, Start};
pub use checkpoint::CheckpointError;
pub use training::{TrainingPlan, TrainingProgress, train};

/// What makes one plan of training different from another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// All luck comes from it.
    pub seed: u64,
    /// What an untried board is thought to be worth.
    pub optimism: f32,
    /// Whether most games begin on boards of earlier ones.
    pub restarts: bool,
    /// How many games, those from later boards included, lie between two promotions of untried entries; none happen if it is 0.
    pub promote_every: u64,
}

/// How coherent an entry's errors were: their sum and the sum of their sizes.
type Coherence = [f32; 2];

/// Whether an entry has ever been learnt from.
fn is_tried([_, size]: Coherence) -> bool {
    size != 0.0
}

/// What an entry that comes from a file of weights counts as having learnt: enough that it moves by a tenth at first, and by less
/// from then on, so that the first games do not undo what earlier ones have taught.
const OF_A_FILE: Coherence = [2_000.0, 20_000.0];

/// A network that is learning.
#[derive(Debug)]
pub struct Learner {
    settings: Settings,
    weights: Tables<f32>,
    coherence: Tables<Coherence>,
    /// Games so far, those from later boards included: the number of the game that is played decides its luck.
    episodes: u64,
    /// Games begun from the start so far.
    games: u64,
    moves: u64,
    carousel: Carousel,
    trail: Vec<Step>,
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

impl Learner {
    /// A learner that knows nothing.
    pub fn new(settings: Settings) -> Self {
        Self {
            settings,
            weights: Tables::filled(settings.optimism / LOOKUPS as f32),
            coherence: Tables::filled([0.0; 2]),
            episodes: 0,
            games: 0,
            moves: 0,
            carousel: Carousel::default(),
            trail: Vec::new(),
        }
    }

    /// A learner that knows what a file of weights holds.
    ///
    /// # Errors
    /// If it is no such file.
    pub fn from_weights(settings: Settings, file: &[u8]) -> Result<Self, NoWeights> {
        let mut learner = Self::new(settings);
        let tables = learner.weights.slices_mut().zip(learner.coherence.slices_mut());
        let mut tables: Vec<_> = tables.collect();
        for_each_own_weight(file, |table, index, weight| {
            let (weights, coherence) = &mut tables[table];
            (weights[index], coherence[index]) = (weight, OF_A_FILE);
        })?;
        learner.promote();
        Ok(learner)
    }

    /// Games from the start so far.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// Moves so far, those of games from later boards included.
    pub fn moves(&self) -> u64 {
        self.moves
    }

    /// What it has learnt as a file of weights.
    ///
    /// # Errors
    /// If compression runs out of memory.
    pub fn weights_file(&self, extract: Extract) -> io::Result<Vec<u8>> {
        let coherence: Vec<&[Coherence]> = self.coherence.slices().collect();
        // What was often wrong, and by much, is often met where it matters.
        Network::encode(&self.weights, extract, |table, index| coherence[table][index][1])
    }

    /// Plays one game and learns from it.
    pub fn play(&mut self) -> Played {
        self.episodes += 1;
        if self.settings.promote_every != 0 && self.episodes.is_multiple_of(self.settings.promote_every) {
            self.promote();
        }
        let mut rng = seeded(mix(self.settings.seed, self.episodes));
        let begin = if self.settings.restarts { self.carousel.draw(&mut rng) } else { None };
        let is_whole = begin.is_none();
        self.games += u64::from(is_whole);
        let start = begin.unwrap_or_else(|| {
            let first = Board::EMPTY.with_new(Board::EMPTY.draw(rng.next_u64()));
            Start { board: first.with_new(first.draw(rng.next_u64())), score: 0 }
        });
        let end = cpu::dispatch(Game { learner: self, start, rng });
        let moves = self.trail.len() as u64;
        self.moves += moves;
        Played { is_whole, score: end.score, moves, largest: end.board.largest() }
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

    /// Has everything fetched that learning about `after` will need.
    #[inline(always)]
    fn prefetch(&self, after: Board) {
        let Self { weights, coherence, .. } = self;
        for cells in symmetries(cells(after)) {
            for (table, index) in large_indices(cells).into_iter().enumerate() {
                prefetch(&weights.large[table][index]);
                prefetch(&coherence.large[table][index]);
            }
        }
    }

    /// Shifts the opinion of `after` towards `target`; what it is worth afterwards.
    #[inline(always)]
    fn learn(&mut self, after: Board, target: f32) -> f32 {
        let cells = cells(after);
        let Self { weights, coherence, .. } = self;
        let error = target - weights.sum::<f32>(cells);
        let mut value = target - error;
        for cells in symmetries(cells) {
            for (table, index) in large_indices(cells).into_iter().enumerate() {
                let (weights, coherence) = (&mut weights.large[table], &mut coherence.large[table]);
                value += adjust(&mut weights[index], &mut coherence[index], error);
            }
            for (table, index) in small_indices(cells).into_iter().enumerate() {
                let (weights, coherence) = (&mut weights.small[table], &mut coherence.small[table]);
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

/// A game that is played and learnt from.
struct Game<'a> {
    learner: &'a mut Learner,
    start: Start,
    rng: Rng,
}

impl Root for Game<'_> {
    /// How it ends.
    type Output = Start;

    fn at<L: Level>(self, level: L) -> Start {
        level.run(
            #[inline(always)]
            || {
                let Game { learner, start: Start { mut board, mut score }, mut rng } = self;
                learner.trail.clear();
                let mut sum = carousel::sum(board);
                while let Some(step) = learner.best(board) {
                    score += u64::from(step.gained);
                    learner.trail.push(step);
                    let tile = step.after.draw(rng.next_u64());
                    board = step.after.with_new(tile);
                    let before = carousel::level(sum);
                    sum += 1 << tile.exponent();
                    if carousel::level(sum) > before {
                        learner.carousel.keep(carousel::level(sum), Start { board, score });
                    }
                }
                let mut target = 0.0;
                for number in (0..learner.trail.len()).rev() {
                    if let Some(ahead) = number.checked_sub(FETCHED_AHEAD) {
                        learner.prefetch(learner.trail[ahead].after);
                    }
                    let step = learner.trail[number];
                    target = step.gained as f32 + learner.learn(step.after, target);
                }
                Start { board, score }
            },
        )
    }
}

/// So many steps before they are learnt from, entries are fetched.
const FETCHED_AHEAD: usize = 2;
