//! The results that a position can still have: the arithmetic of the solver.
//!
//! MCTS-Solver (Winands, Björnsson & Saito 2008, <https://doi.org/10.1007/978-3-540-87608-3_3>) hands proven wins and losses
//! up the tree. With draws and with up to six players a position can be half proven: won by one of two others, say, who
//! are indifferent about which. So every node keeps the *set* of results that sensible play can still lead to, a byte; a
//! node is proven once one result is left, and every smaller set bounds what its players can hope for (as in
//! score-bounded MCTS, Cazenave & Saffidine 2010). No assumption is made about how an indifferent player chooses.

use agon_core::{Player, Verdict};

/// What a result means to one player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Fate {
    Loss,
    Draw,
    Win,
}

/// A set of results, never empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Results(u8);

const DRAWN: u8 = 1 << 6;
const LOST: u8 = 1 << 7;

impl Results {
    /// Nothing is known.
    pub(super) const ANY: Self = Self(u8::MAX);

    /// This result and no other.
    pub(super) fn only(verdict: Verdict) -> Self {
        Self(match verdict {
            Verdict::Won(player) => 1 << player.0,
            Verdict::Drawn => DRAWN,
            Verdict::Lost => LOST,
        })
    }

    /// The result, if it is proven.
    #[inline(always)]
    pub(super) fn proven(self) -> Option<Verdict> {
        match self.0 {
            DRAWN => Some(Verdict::Drawn),
            LOST => Some(Verdict::Lost),
            set if set.is_power_of_two() => Some(Verdict::Won(Player(set.trailing_zeros() as u8))),
            _ => None,
        }
    }

    /// The worst that can still happen to `player`.
    #[inline(always)]
    pub(super) fn worst(self, player: Player) -> Fate {
        match self.0 & !(1 << player.0) {
            0 => Fate::Win,
            DRAWN => Fate::Draw,
            _ => Fate::Loss,
        }
    }

    /// The best that `player` can still hope for.
    #[inline(always)]
    pub(super) fn best(self, player: Player) -> Fate {
        if self.0 & 1 << player.0 != 0 {
            Fate::Win
        } else if self.0 & DRAWN != 0 {
            Fate::Draw
        } else {
            Fate::Loss
        }
    }

    /// What can come of a position in which `player` chooses among `children`, and what is certain for that player: one
    /// who can have a draw takes nothing less.
    pub(super) fn by_choice(player: Player, children: impl Iterator<Item = Self> + Clone) -> (Self, Fate) {
        let floor = children.clone().map(|child| child.worst(player)).max().unwrap_or(Fate::Loss);
        let acceptable = match floor {
            Fate::Loss => u8::MAX,
            Fate::Draw => DRAWN | 1 << player.0,
            Fate::Win => 1 << player.0,
        };
        (Self(Self::by_chance(children).0 & acceptable), floor)
    }

    /// What can come of a position in which chance draws among `children`.
    pub(super) fn by_chance(children: impl Iterator<Item = Self>) -> Self {
        Self(children.fold(0, |all, child| all | child.0))
    }

    /// What is in both sets; this one if nothing is, which would be a contradiction.
    #[must_use]
    pub(super) fn and(self, other: Self) -> Self {
        debug_assert!(self.0 & other.0 != 0, "{self:?} contradicts {other:?}");
        if self.0 & other.0 == 0 { self } else { Self(self.0 & other.0) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIRST: Player = Player(0);
    const SECOND: Player = Player(1);

    fn choose(player: Player, children: &[Results]) -> (Results, Fate) {
        Results::by_choice(player, children.iter().copied())
    }

    #[test]
    fn one_win_is_enough_and_losses_must_be_complete() {
        let [won, lost] = [FIRST, SECOND].map(|player| Results::only(Verdict::Won(player)));
        let drawn = Results::only(Verdict::Drawn);
        assert_eq!(choose(FIRST, &[lost, won, Results::ANY]), (won, Fate::Win));
        assert_eq!(choose(FIRST, &[lost, lost]), (lost, Fate::Loss));
        assert_eq!(choose(FIRST, &[lost, Results::ANY]), (Results::ANY, Fate::Loss));
        assert_eq!(choose(FIRST, &[lost, drawn]), (drawn, Fate::Draw));
        let (open, floor) = choose(FIRST, &[drawn, Results::ANY]);
        assert_eq!((open.worst(FIRST), open.best(FIRST), floor), (Fate::Draw, Fate::Win, Fate::Draw));
        assert_eq!((open.worst(SECOND), open.best(SECOND)), (Fate::Loss, Fate::Draw));
    }

    #[test]
    fn who_loses_anyway_may_choose_either_winner() {
        let [first, second] = [FIRST, SECOND].map(|player| Results::only(Verdict::Won(player)));
        let (either, floor) = choose(Player(2), &[first, second]);
        assert_eq!((either.proven(), floor), (None, Fate::Loss));
        assert_eq!(
            (either.best(Player(2)), either.worst(FIRST), either.best(FIRST)),
            (Fate::Loss, Fate::Loss, Fate::Win)
        );
        // A player who could win by another move does not rely on that choice.
        assert_eq!(choose(FIRST, &[either, first]), (first, Fate::Win));
    }
}
