//! Large boards: a word a row, followed row by row.
//!
//! The six directions that leave a row are followed three at a time (to the left, straight on, to the
//! right), down and up the board at once: downwards in the lower half of a double word, upwards in
//! the upper half. No board is so wide that a square could go over from one half to the other.

use super::{Flank, Othello};
use agon_board::{Bits, Rows};

impl Flank for Rows {
    #[inline(always)]
    fn moves(game: &Othello<Self>, own: Self, opponent: Self) -> Self {
        Self::run_outlined_if_wide(
            #[inline(always)]
            || moves(game, own, opponent),
        )
    }

    #[inline(always)]
    fn flips(own: Self, opponent: Self, square: usize) -> Self {
        Self::run_outlined_if_wide(
            #[inline(always)]
            || flips(own, opponent, square),
        )
    }
}

#[inline(always)]
fn moves(game: &Othello<Rows>, own: Rows, opponent: Rows) -> Rows {
    let size = game.size.min(32);
    let mut reached = [0; 32];
    // The enemy discs of the last row that continue a line begun by an own disc, and the own
    // discs of that row, which begin one.
    let (mut lines, mut beginning) = (Fronts([0; 3]), 0);
    for row in 0..size {
        let opposite = size - 1 - row;
        let entering = lines.step().all();
        reached[row] |= entering as u32;
        reached[opposite] |= (entering >> 32) as u32;
        let enemy = halves(opponent.0[row], opponent.0[opposite]);
        lines = lines.each(|line| line | beginning).step().each(|line| line & enemy);
        beginning = halves(own.0[row], own.0[opposite]);
    }
    for ((reached, &own), &opponent) in reached.iter_mut().zip(&own.0).zip(&opponent.0) {
        let left = run_right(own.reverse_bits(), opponent.reverse_bits()).reverse_bits();
        *reached |= run_right(own, opponent) | left;
    }
    Rows(reached) & game.board & !(own | opponent)
}

#[inline(always)]
fn flips(own: Rows, opponent: Rows, square: usize) -> Rows {
    let (row, column) = Rows::row_column(square);
    let placed = 1 << column;
    let mut flips = Rows::EMPTY;
    flips.0[row] = flips_along(own.0[row], opponent.0[row], placed);

    // Twice along all lines: to see which an own disc closes, and to take those.
    let beside = |set: &Rows, distance: usize| {
        let row_of = |row: usize| set.0.get(row).copied().unwrap_or(0);
        halves(row_of(row + distance), row_of(row.wrapping_sub(distance)))
    };
    let (mut lines, mut closed) = (Fronts([halves(placed, placed); 3]), Fronts([0; 3]));
    for distance in 1.. {
        let (own, enemy) = (beside(&own, distance), beside(&opponent, distance));
        let front = lines.step();
        closed = closed.with(front.each(|line| line & own));
        lines = front.each(|line| line & enemy);
        if lines.all() == 0 {
            break;
        }
    }
    let start = |closed: u64| if closed as u32 == 0 { 0 } else { placed };
    lines = closed.each(|line| halves(start(line), start(line >> 32)));
    for distance in 1.. {
        let enemy = beside(&opponent, distance);
        lines = lines.step().each(|line| line & enemy);
        let taken = lines.all();
        if taken == 0 {
            break;
        }
        if let Some(below) = flips.0.get_mut(row + distance) {
            *below = taken as u32;
        }
        if let Some(above) = flips.0.get_mut(row.wrapping_sub(distance)) {
            *above = (taken >> 32) as u32;
        }
    }
    flips
}

/// The row downwards and the row upwards as the halves of a double word.
#[inline(always)]
fn halves(down: u32, up: u32) -> u64 {
    u64::from(down) | u64::from(up) << 32
}

/// Squares on their way down and up the board: those that go to the left, straight on, and to the
/// right.
#[derive(Clone, Copy)]
struct Fronts([u64; 3]);

impl Fronts {
    /// Where they are in the next row.
    #[inline(always)]
    fn step(self) -> Self {
        let Self([left, straight, right]) = self;
        Self([left >> 1, straight, right << 1])
    }

    #[inline(always)]
    fn each(self, change: impl Fn(u64) -> u64) -> Self {
        let Self([left, straight, right]) = self;
        Self([change(left), change(straight), change(right)])
    }

    #[inline(always)]
    fn with(self, other: Self) -> Self {
        let Self([left, straight, right]) = self;
        Self([left | other.0[0], straight | other.0[1], right | other.0[2]])
    }

    #[inline(always)]
    fn all(self) -> u64 {
        let Self([left, straight, right]) = self;
        left | straight | right
    }
}

/// Runs to the right from the squares of `from` through lines of `through`, by the carry of an
/// addition: it clears the lines that it runs through and sets the square behind each.
#[inline(always)]
fn run_right(from: u32, through: u32) -> u32 {
    through.wrapping_add(through & from << 1)
}

/// The discs of `opponent` that the disc `placed` encloses along its row.
#[inline(always)]
fn flips_along(own: u32, opponent: u32, placed: u32) -> u32 {
    let to_the_right = |own: u32, opponent: u32, placed: u32| {
        let run = run_right(placed, opponent);
        if run & !opponent & own == 0 { 0 } else { opponent & !run }
    };
    let left = to_the_right(own.reverse_bits(), opponent.reverse_bits(), placed.reverse_bits());
    to_the_right(own, opponent, placed) | left.reverse_bits()
}
