//! Boards in one word: all lines of a direction are followed at once, by shifting the board along it.
//!
//! Lines are found by *fills*: from some squares through others, up (towards higher bits) or down an
//! axis. A fill doubles its reach at every step (Kogge and Stone's parallel prefix) and needs no
//! branch. The same fill finds moves, from own discs through enemy discs, and flips, from the new
//! disc through enemy discs.
//!
//! Nothing here names a vector instruction, but all of it has a shape that compilers turn into
//! vector code: [`moves`] and [`flips`] treat the four axes of a position alike, [`count_replies`]
//! treats four moves alike. Measure before rewriting a line.

use std::ops::{Add, Shl, Shr};

use agon_core::Game;
use agon_core::game::count_replies_singly;

use super::{Flank, Othello, Position};
use crate::Move;
use agon_board::Bits;

/// A word that holds a board.
trait Word: Bits + Add<Output = Self> + Shl<u32, Output = Self> + Shr<u32, Output = Self> {
    /// All columns of the layout but the first and the last. A disc on those two is never enclosed
    /// along a row or a diagonal, and without them no line runs over the edge into the next row.
    const INNER: Self;
    /// How many leaps of four squares a fill makes after its first three to pass the longest line.
    const LEAPS: u32;

    /// The four axes: the shift from one square to the next, and the squares that can be enclosed.
    #[inline(always)]
    fn axes() -> [(u32, Self); 4] {
        let row = Self::STRIDE as u32;
        [(1, Self::INNER), (row - 1, Self::INNER), (row, !Self::EMPTY), (row + 1, Self::INNER)]
    }
}

impl Word for u64 {
    const INNER: Self = inner_columns(<Self as Bits>::STRIDE) as Self;
    const LEAPS: u32 = 1;
}

impl Word for u128 {
    const INNER: Self = inner_columns(<Self as Bits>::STRIDE);
    const LEAPS: u32 = 2;
}

const fn inner_columns(stride: usize) -> u128 {
    let row = (1 << (stride - 1)) - 2;
    let (mut columns, mut shift) = (0, 0);
    while shift < stride * stride {
        columns |= row << shift;
        shift += stride;
    }
    columns
}

/// The squares of `from`, and those of `through` that follow one of them upwards in an unbroken line.
#[inline(always)]
fn fill_up<W: Word>(from: W, through: W, shift: u32) -> W {
    let (pairs, fours) = runs(through, shift);
    let mut filled = from | through & (from << shift);
    filled = filled | pairs & (filled << (2 * shift));
    for _ in 0..W::LEAPS {
        filled = filled | fours & (filled << (4 * shift));
    }
    filled
}

/// The squares of `from`, and those of `through` that follow one of them downwards in an unbroken line.
#[inline(always)]
fn fill_down<W: Word>(from: W, through: W, shift: u32) -> W {
    // The runs by their lower ends; written so, they cost next to nothing where `through` is filled
    // upwards too.
    let (pairs, fours) = runs(through, shift);
    let (pairs, fours) = (pairs >> shift, fours >> (3 * shift));
    let mut filled = from | through & (from >> shift);
    filled = filled | pairs & (filled >> (2 * shift));
    for _ in 0..W::LEAPS {
        filled = filled | fours & (filled >> (4 * shift));
    }
    filled
}

/// The upper ends of two, and of four, squares of `set` in a row.
#[inline(always)]
fn runs<W: Word>(set: W, shift: u32) -> (W, W) {
    let pairs = set & (set << shift);
    (pairs, pairs & (pairs << (2 * shift)))
}

#[inline(always)]
fn moves<W: Word>(own: W, opponent: W, board: W) -> W {
    let mut reached = W::EMPTY;
    for (shift, inner) in W::axes() {
        let through = opponent & inner;
        reached = reached | (fill_up(own, through, shift) & through) << shift;
        reached = reached | (fill_down(own, through, shift) & through) >> shift;
    }
    reached & board & !(own | opponent)
}

/// What [`Flank::moves`] says on the full 8×8 board.
#[inline(always)]
pub(crate) fn moves_on_full_board(own: u64, opponent: u64) -> u64 {
    moves(own, opponent, !0)
}

#[inline(always)]
fn flips<W: Word>(own: W, opponent: W, placed: W) -> W {
    let mut flips = W::EMPTY;
    for (shift, inner) in W::axes() {
        let through = opponent & inner;
        let (up, down) = (fill_up(placed, through, shift), fill_down(placed, through, shift));
        flips = flips | if ((up << shift) & own).is_empty() { W::EMPTY } else { up };
        flips = flips | if ((down >> shift) & own).is_empty() { W::EMPTY } else { down };
    }
    flips & !placed
}

impl Flank for u128 {
    #[inline(always)]
    fn moves(game: &Othello<Self>, own: Self, opponent: Self) -> Self {
        Self::run_outlined_if_wide(
            #[inline(always)]
            || moves(own, opponent, game.board),
        )
    }

    #[inline(always)]
    fn flips(own: Self, opponent: Self, square: usize) -> Self {
        Self::run_outlined_if_wide(
            #[inline(always)]
            || flips(own, opponent, Self::square(square)),
        )
    }
}

impl Flank for u64 {
    #[inline(always)]
    fn moves(game: &Othello<Self>, own: Self, opponent: Self) -> Self {
        moves(own, opponent, game.board)
    }

    #[inline(always)]
    fn flips(own: Self, opponent: Self, square: usize) -> Self {
        flips(own, opponent, Self::square(square))
    }

    #[inline(always)]
    fn count_replies(game: &Othello<Self>, position: &Position<Self>) -> u64 {
        count_replies(game, position)
    }
}

/// How many moves are answered side by side: as many as an AVX2 register has words.
const LANES: usize = 4;

#[inline(always)]
fn count_replies(game: &Othello<u64>, position: &Position<u64>) -> u64 {
    let Position { own, opponent, .. } = *position;
    // The enemy lines behind own discs, up and down the axes. What a move encloses is the part of
    // them next to it; that another disc closes the line need not be looked for again.
    let (mut lines_up, mut lines_down, mut reached) = ([0; 4], [0; 4], 0);
    for (axis, (shift, inner)) in u64::axes().into_iter().enumerate() {
        let through = opponent & inner;
        lines_up[axis] = fill_up(own, through, shift) & through;
        lines_down[axis] = fill_down(own, through, shift) & through;
        reached |= lines_up[axis] << shift | lines_down[axis] >> shift;
    }
    let mut squares = reached & game.board & !(own | opponent);
    if squares == 0 {
        return count_replies_to_pass(game, position);
    }
    let mut replies = 0;
    while squares != 0 {
        let mut lanes = [0; LANES];
        for placed in &mut lanes {
            *placed = squares & squares.wrapping_neg();
            squares &= squares.wrapping_sub(1);
        }
        let mut unanswered = 0;
        for placed in lanes {
            let mut taken = 0;
            for (axis, (shift, _)) in u64::axes().into_iter().enumerate() {
                taken |= fill_down(placed, lines_up[axis], shift);
                taken |= carry_up(placed, lines_down[axis], shift);
            }
            // A lane without a move gets no discs to answer with, and so adds nothing.
            let answering = if placed == 0 { 0 } else { opponent & !taken };
            let answers = answers(answering, own | taken, game.board);
            replies += u64::from(answers.count_ones());
            unanswered += u32::from(placed != 0 && answers == 0);
        }
        if unanswered > 0 {
            replies += count_passes(game, position, lanes);
        }
    }
    replies
}

/// [`moves`] in the shape that is best for many positions side by side.
#[inline(always)]
fn answers(own: u64, opponent: u64, board: u64) -> u64 {
    let mut reached = 0;
    for (shift, inner) in u64::axes() {
        let through = opponent & inner;
        reached |= (carry_up(own, through, shift) & through) << shift;
        reached |= (fill_down(own, through, shift) & through) >> shift;
    }
    reached & board & !(own | opponent)
}

/// [`fill_up`], along rows by the carry of a single addition. That is the shorter way unless axes are
/// worked on side by side, which asks for the same steps on each. `through` must be of inner columns on
/// the row axis, so that no carry leaves its row, and may not hold squares of `from`.
#[inline(always)]
fn carry_up(from: u64, through: u64, shift: u32) -> u64 {
    if shift == 1 {
        from | through & !(through + (through & from << 1))
    } else {
        fill_up(from, through, shift)
    }
}

/// The replies where the side to move must pass or the game is over: too rare to be worth more.
#[cold]
#[inline(never)]
fn count_replies_to_pass(game: &Othello<u64>, position: &Position<u64>) -> u64 {
    count_replies_singly(game, position)
}

/// How many of the moves to `lanes` are answered by a pass.
#[cold]
#[inline(never)]
fn count_passes(game: &Othello<u64>, position: &Position<u64>, lanes: [u64; LANES]) -> u64 {
    let is_answered_by_pass = |&placed: &u64| {
        let mut next = *position;
        game.play_unchecked(&mut next, Move::Place(placed.lowest() as u16));
        game.is_legal(&next, Move::Pass)
    };
    lanes.iter().filter(|&&placed| placed != 0).filter(|placed| is_answered_by_pass(placed)).count() as u64
}
