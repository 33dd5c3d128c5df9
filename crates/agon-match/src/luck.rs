//! Randomness of a match: what chance draws, and what its bots are given.

use agon_core::Player;
use agon_core::random::{RandomSource, Rng, mix, seeded};

/// The numbers that a seed stands for. The k-th draw of a match is made from the k-th of them, also after moves were taken
/// back, so that nobody gets better luck by trying again and two boards with one seed have the same luck.
#[derive(Clone, Debug)]
pub(crate) struct Luck {
    seed: u64,
    source: Rng,
    /// How many numbers have come from the source.
    made: usize,
}

impl Luck {
    pub(crate) fn new(seed: u64) -> Self {
        Self { seed, source: seeded(seed), made: 0 }
    }

    pub(crate) fn seed(&self) -> u64 {
        self.seed
    }

    /// The number for the draw with this index.
    pub(crate) fn number(&mut self, index: usize) -> u64 {
        if index < self.made {
            *self = Self::new(self.seed);
        }
        while self.made < index {
            self.source.next_u64();
            self.made += 1;
        }
        self.made += 1;
        self.source.next_u64()
    }

    /// What fixes a bot's randomness for the ply with this index: not how often it was asked before.
    pub(crate) fn bot_seed(&self, seat: Player, ply: usize) -> u64 {
        mix(mix(self.seed, u64::from(seat.0) + 1), ply as u64 + 1)
    }
}
