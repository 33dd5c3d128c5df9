//! The six colours, clockwise from the top, and the triangles they own.

use std::sync::LazyLock;

use super::holes::{COLUMNS, EVERY_HOLE, Hole, Holes, ROWS};

/// How many marbles a colour has, and how many holes a triangle.
pub const MARBLES: u64 = 10;

/// The letters of the colours, clockwise from the top.
pub const LETTERS: &str = "gyorpb";

/// A colour, named by the triangle in which its marbles start.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Colour {
    /// `g`, from the top.
    Green,
    /// `y`, from the upper right.
    Yellow,
    /// `o`, from the lower right.
    Orange,
    /// `r`, from the bottom.
    Red,
    /// `p`, from the lower left.
    Purple,
    /// `b`, from the upper left.
    Blue,
}

impl Colour {
    /// All six, clockwise from the top.
    pub const ALL: [Self; 6] = [Self::Green, Self::Yellow, Self::Orange, Self::Red, Self::Purple, Self::Blue];

    /// The colour that a letter stands for.
    pub fn from_letter(letter: char) -> Option<Self> {
        LETTERS.chars().zip(Self::ALL).find(|(known, _)| *known == letter).map(|(_, colour)| colour)
    }

    /// Its letter in positions and seats.
    pub fn letter(self) -> char {
        char::from(LETTERS.as_bytes()[self as usize])
    }

    /// The triangle in which its marbles start.
    pub fn home(self) -> Holes {
        TRIANGLES[self as usize]
    }

    /// The triangle opposite its home, where its marbles must go.
    #[inline(always)]
    pub fn target(self) -> Holes {
        TRIANGLES[(self as usize + 3) % 6]
    }

    /// Steps from `hole` to the nearest hole of the target, whether that one is free or not.
    #[inline]
    pub fn steps_left(self, hole: Hole) -> usize {
        usize::from(STEPS_LEFT[self as usize][hole.index()])
    }
}

/// For each colour and hole the steps to the target; evaluations ask for them all the time.
static STEPS_LEFT: LazyLock<[[u8; 256]; 6]> = LazyLock::new(|| {
    let mut steps = [[0; 256]; 6];
    for colour in Colour::ALL {
        for hole in EVERY_HOLE {
            let nearest = colour.target().iter().map(|goal| hole.distance(goal)).min();
            steps[colour as usize][hole.index()] = nearest.unwrap_or(0) as u8;
        }
    }
    steps
});

/// The corners of the star, clockwise from the top.
static TRIANGLES: [Holes; 6] = {
    let mut triangles = [Holes::EMPTY; 6];
    let mut index = 0;
    while index < EVERY_HOLE.len() {
        if let Some(corner) = corner(EVERY_HOLE[index]) {
            triangles[corner] = triangles[corner].with(EVERY_HOLE[index]);
        }
        index += 1;
    }
    triangles
};

/// The corner in which a hole lies, unless it is in the middle.
const fn corner(hole: Hole) -> Option<usize> {
    let upper = hole.row() <= ROWS / 2;
    // Above and below are mirror images, and so are left and right.
    let row = if upper { hole.row() } else { ROWS - 1 - hole.row() };
    let right = hole.column() > COLUMNS / 2;
    let column = if right { hole.column() } else { COLUMNS - 1 - hole.column() };
    match (upper, right) {
        (true, _) if row < 4 => Some(0),
        (false, _) if row < 4 => Some(3),
        // The side corners point inwards: a row nearer to the middle begins a column further out.
        _ if column < row + 14 => None,
        (true, true) => Some(1),
        (false, true) => Some(2),
        (false, false) => Some(4),
        (true, false) => Some(5),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn triangles_have_ten_holes_each_and_share_none() {
        let mut all = Holes::EMPTY;
        for colour in Colour::ALL {
            assert_eq!(colour.home().count(), MARBLES, "{colour:?}");
            assert!((all & colour.home()).is_empty(), "{colour:?}");
            all = all | colour.home();
            assert_eq!(Colour::from_letter(colour.letter()), Some(colour));
        }
        assert_eq!((Holes::ALL ^ all).count(), 61, "the hexagon in the middle");
    }

    #[test]
    fn triangles_lie_clockwise_from_the_top() {
        let tips = [(0, 12), (4, 24), (12, 24), (16, 12), (12, 0), (4, 0)];
        for (colour, (row, column)) in Colour::ALL.into_iter().zip(tips) {
            let tip = Hole::at(row, column).expect("a hole");
            assert!(colour.home().contains(tip), "{colour:?}");
            let opposite = Hole::at(16 - row, 24 - column).expect("a hole");
            assert!(colour.target().contains(opposite), "{colour:?}");
            // From tip to tip it is 16 steps, and the nearest hole of a triangle is 3 from its tip.
            assert_eq!(colour.steps_left(tip), 13, "{colour:?}");
            assert_eq!(colour.steps_left(opposite), 0, "{colour:?}");
        }
    }
}
