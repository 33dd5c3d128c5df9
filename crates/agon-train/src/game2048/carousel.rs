//! The carousel: boards of earlier games from which later ones begin.
//!
//! Whoever looks ahead gets further than the learner, which does not, and so needs to know best what the learner meets least: late
//! boards. So what lies on the board, added up, is divided into levels; whenever a game enters one, its board is kept there, and most
//! games begin on a board of a level drawn at random. What happens late is so learnt from as often as what happens early
//! (carousel shaping, Jaśkowski 2018, <https://arxiv.org/abs/1604.05085>).

use agon_2048::Board;
use agon_core::Rng;
use agon_core::random::below;

/// Levels are so far apart: half a thousand moves.
const LEVEL: u64 = 1024;
/// How many boards of a level are kept, the latest ones.
const KEPT: usize = 64;

/// A board on which a game may begin, and what was scored before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Start {
    pub(super) board: Board,
    pub(super) score: u64,
}

/// The boards that are kept, by level; none at level 0, which begins with an empty board.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Carousel {
    pub(super) levels: Vec<Vec<Start>>,
    /// How many have been offered, which says whose turn it is to go.
    pub(super) offered: u64,
}

impl Carousel {
    /// Where a game is to begin; `None` for the start.
    pub(super) fn draw(&self, rng: &mut Rng) -> Option<Start> {
        let level = below(rng, self.levels.len().max(1) as u64) as usize;
        let starts = self.levels.get(level).filter(|starts| !starts.is_empty())?;
        Some(starts[below(rng, starts.len() as u64) as usize])
    }

    /// Keeps a board that has just entered a level.
    #[cold]
    pub(super) fn keep(&mut self, level: usize, start: Start) {
        if self.levels.len() <= level {
            self.levels.resize(level + 1, Vec::new());
        }
        let starts = &mut self.levels[level];
        if starts.len() < KEPT {
            starts.push(start);
        } else {
            starts[self.offered as usize % KEPT] = start;
        }
        self.offered += 1;
    }
}

/// The level of a board whose tiles add up to `sum`.
#[inline(always)]
pub(super) fn level(sum: u64) -> usize {
    (sum / LEVEL) as usize
}

/// What the tiles of a board add up to.
pub(super) fn sum(board: Board) -> u64 {
    (0..16)
        .map(|cell| board.exponent(cell))
        .filter(|exponent| *exponent != 0)
        .map(|exponent| 1 << exponent)
        .sum()
}
