//! Which squares enclose lines of enemy discs, and which discs they enclose.
//!
//! One trait, implemented per kind of set: a board in one word is worked on as a whole by shifts,
//! a large one row by row.

mod rows;
mod word;

use agon_core::game::count_replies_singly;

use super::{Othello, Position};
use agon_board::Bits;

pub(crate) use word::moves_on_full_board;

/// A set of squares on which lines can be followed.
pub trait Flank: Bits {
    /// The empty squares on which a disc of `own` encloses discs of `opponent`.
    fn moves(game: &Othello<Self>, own: Self, opponent: Self) -> Self;

    /// The discs of `opponent` that a disc of `own` put on `square` encloses.
    fn flips(own: Self, opponent: Self, square: usize) -> Self;

    /// What [`Game::count_replies`](agon_core::Game::count_replies) says.
    #[inline(always)]
    fn count_replies(game: &Othello<Self>, position: &Position<Self>) -> u64 {
        count_replies_singly(game, position)
    }
}
