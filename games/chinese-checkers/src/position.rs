//! A moment of the game, and what changes it.

use agon_core::Player;

use super::colours::Colour;
use super::holes::{Hole, Holes};

/// One turn: a marble goes from a hole to another, however it gets there, or the seat passes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Move {
    /// A step or a chain of hops; only start and end count.
    Marble {
        /// Where the marble stood.
        from: Hole,
        /// Where it stops.
        to: Hole,
    },
    /// What a seat without any other move must do.
    Pass,
}

/// Marbles, turn and plies, with a hash and the winner kept up to date.
///
/// A hole's colour is a number of three bits, 0 for an empty hole, spread over three sets: half the
/// size of a set for each colour, and a marble moves without a look at its colour.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Position {
    pub(super) planes: [Holes; 3],
    /// The exclusive or of the numbers of all marbles in the game's table.
    pub(super) marbles_key: u64,
    pub(super) ply: u32,
    pub(super) turn: Player,
    pub(super) winner: Option<Player>,
}

impl Position {
    /// An empty board.
    pub(super) fn empty(turn: Player, ply: u32) -> Self {
        Self { planes: [Holes::EMPTY; 3], marbles_key: 0, ply, turn, winner: None }
    }

    /// The seat to move.
    #[inline(always)]
    pub fn mover(&self) -> Player {
        self.turn
    }

    /// The plies played.
    #[inline(always)]
    pub fn plies(&self) -> u32 {
        self.ply
    }

    /// All holes with a marble.
    #[inline(always)]
    pub fn occupied(&self) -> Holes {
        self.planes[0] | self.planes[1] | self.planes[2]
    }

    /// The holes with a marble of `colour`.
    #[inline(always)]
    pub fn marbles(&self, colour: Colour) -> Holes {
        let code = code(colour);
        self.planes[0].or_complement(code & 1 != 0)
            & self.planes[1].or_complement(code & 2 != 0)
            & self.planes[2].or_complement(code & 4 != 0)
    }

    /// The colour of the marble in `hole`, if there is one.
    pub fn colour_at(&self, hole: Hole) -> Option<Colour> {
        let code: usize = (0..3).map(|plane| usize::from(self.planes[plane].contains(hole)) << plane).sum();
        code.checked_sub(1).map(|index| Colour::ALL[index])
    }

    /// Puts a marble into an empty hole.
    pub(super) fn put(&mut self, hole: Hole, colour: Colour) {
        for (index, plane) in self.planes.iter_mut().enumerate() {
            if code(colour) >> index & 1 != 0 {
                *plane = plane.with(hole);
            }
        }
    }

    /// Moves the marble in `from` to the empty hole `to` and says the code of its colour.
    #[inline(always)]
    pub(super) fn relocate(&mut self, from: Hole, to: Hole) -> usize {
        let [low, middle, high] = &mut self.planes;
        usize::from(low.relocate(from, to))
            | usize::from(middle.relocate(from, to)) << 1
            | usize::from(high.relocate(from, to)) << 2
    }
}

/// The number that stands for a colour in the planes of a position.
#[inline(always)]
pub(super) const fn code(colour: Colour) -> usize {
    colour as usize + 1
}
