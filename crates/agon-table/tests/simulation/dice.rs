//! The only source of chance in a run.

use agon_core::random::{self, RandomSource, Rng};

/// Dice that always fall the same way for the same seed.
pub(crate) struct Dice(Rng);

impl Dice {
    pub(crate) fn new(seed: u64) -> Self {
        Self(random::seeded(seed))
    }

    pub(crate) fn number(&mut self) -> u64 {
        self.0.next_u64()
    }

    pub(crate) fn below(&mut self, bound: usize) -> usize {
        random::below(&mut self.0, bound as u64) as usize
    }

    /// Whether something happens that does so in so many cases of a hundred.
    pub(crate) fn percent(&mut self, chance: usize) -> bool {
        self.below(100) < chance
    }

    pub(crate) fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }
}
