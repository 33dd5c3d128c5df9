//! The board as a colour sees it: how far its marbles have come and how far they have to go.

use std::sync::LazyLock;

use crate::{Colour, EVERY_HOLE, Hole, Holes};

/// What a table says of each hole, by [`Hole::index`].
pub(super) type ByHole<T> = [T; 256];

/// The tables of each colour.
static WAYS: LazyLock<[Way; 6]> = LazyLock::new(|| Colour::ALL.map(Way::new));

/// A colour's way from home to target.
#[derive(Debug)]
pub(super) struct Way {
    /// Rows from the tip of home, 0 to 16.
    pub(super) rows: ByHole<u8>,
    /// Columns from the line between the tips of home and target.
    pub(super) aside: ByHole<u8>,
    /// Steps to the tip of the target.
    pub(super) steps: ByHole<u8>,
    /// Where its marbles belong: home, target and the middle, not the corners of others.
    pub(super) proper: Holes,
}

impl Way {
    /// The way of `colour`.
    #[inline(always)]
    pub(super) fn of(colour: Colour) -> &'static Self {
        &WAYS[colour as usize]
    }

    fn new(colour: Colour) -> Self {
        let mut way = Self {
            rows: [0; 256],
            aside: [0; 256],
            steps: [0; 256],
            proper: colour.home() | colour.target(),
        };
        let corners = Colour::ALL.iter().fold(Holes::EMPTY, |all, other| all | other.home());
        for hole in EVERY_HOLE {
            // Green goes straight down the grid; the others see the board as green does once it is turned.
            let seen = hole.turned(6 - colour as usize);
            let (rows_left, aside) = (16 - seen.row(), seen.column().abs_diff(12));
            way.rows[hole.index()] = seen.row() as u8;
            way.aside[hole.index()] = aside as u8;
            way.steps[hole.index()] = (rows_left + aside.saturating_sub(rows_left) / 2) as u8;
            if !corners.contains(hole) {
                way.proper = way.proper.with(hole);
            }
        }
        way
    }

    /// How many steps nearer to the tip of the target a move brings a marble.
    #[inline(always)]
    pub(super) fn gain(&self, from: Hole, to: Hole) -> i32 {
        i32::from(self.steps[from.index()]) - i32::from(self.steps[to.index()])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_colour_sees_the_same_board() {
        for colour in Colour::ALL {
            let way = Way::of(colour);
            for hole in EVERY_HOLE {
                let green = hole.turned(6 - colour as usize);
                assert_eq!(usize::from(way.rows[hole.index()]), green.row());
                assert_eq!(way.proper.contains(hole), Way::of(Colour::Green).proper.contains(green));
            }
            assert_eq!(way.proper.count(), 81);
            assert!(colour.home().iter().all(|hole| way.rows[hole.index()] < 4), "{colour:?}");
            assert!(colour.target().iter().all(|hole| way.steps[hole.index()] < 4), "{colour:?}");
        }
    }
}
