//! A board as the solver sees it: two sets of discs, the side to move first.

use crate::{Flank, Othello};

/// The discs of the side to move and of the other side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Board {
    pub(super) own: u64,
    pub(super) opponent: u64,
}

impl Board {
    /// The board after a move to `square` that turns `flips`, seen by the other side.
    #[inline(always)]
    pub(super) fn after(self, square: usize, flips: u64) -> Self {
        Self { own: self.opponent ^ flips, opponent: self.own ^ flips ^ (1 << square) }
    }

    /// The board after a pass.
    #[inline(always)]
    pub(super) fn passed(self) -> Self {
        Self { own: self.opponent, opponent: self.own }
    }

    /// The squares on which the side to move may put a disc.
    #[inline(always)]
    pub(super) fn moves(self, game: &Othello<u64>) -> u64 {
        <u64 as Flank>::moves(game, self.own, self.opponent)
    }

    /// What a disc on `square` turns; nothing if it may not be put there.
    #[inline(always)]
    pub(super) fn flips(self, square: usize) -> u64 {
        <u64 as Flank>::flips(self.own, self.opponent, square)
    }

    /// The difference of the discs, empty squares given to the winner, once nobody can move.
    #[inline(always)]
    pub(super) fn final_score(self, empties: u32) -> i32 {
        let difference = self.own.count_ones() as i32 - self.opponent.count_ones() as i32;
        difference + difference.signum() * empties as i32
    }

    /// The squares next to an opponent's disc: where the side to move may come to have moves.
    #[inline(always)]
    pub(super) fn potential(self, empties: u64) -> u64 {
        neighbours(self.opponent) & empties
    }
}

/// The squares next to a square of `set`, in eight directions.
#[inline(always)]
pub(super) const fn neighbours(set: u64) -> u64 {
    const NOT_FIRST: u64 = 0xFEFE_FEFE_FEFE_FEFE;
    const NOT_LAST: u64 = 0x7F7F_7F7F_7F7F_7F7F;
    let wide = set | (set << 1) & NOT_FIRST | (set >> 1) & NOT_LAST;
    wide | wide << 8 | wide >> 8
}
