//! The order in which moves are tried: the better it is, the smaller the tree.

use crate::Othello;
use agon_core::random::mix;

use super::board::Board;
use super::last::odd;
use super::table::NO_MOVE;

/// The most moves that a position can have (33 are known; an empty square each is the plain bound).
const MAX_MOVES: usize = 64;

const CORNERS: u64 = 0x8100_0000_0000_0081;

/// A move with what it turns.
#[derive(Clone, Copy)]
pub(super) struct Candidate {
    /// The board after it.
    pub(super) next: Board,
    /// What it turns.
    pub(super) flips: u64,
    /// Larger is tried earlier.
    pub(super) score: i32,
    /// Where it puts its disc.
    pub(super) square: u8,
}

/// The moves of a position, taken out best first.
pub(super) struct Candidates {
    list: [Candidate; MAX_MOVES],
    length: usize,
}

impl Candidates {
    #[inline(always)]
    pub(super) fn new() -> Self {
        let none = Candidate { next: Board { own: 0, opponent: 0 }, flips: 0, score: 0, square: NO_MOVE };
        Self { list: [none; MAX_MOVES], length: 0 }
    }

    /// All moves of `board`, not yet scored.
    #[inline(always)]
    pub(super) fn fill(&mut self, board: Board, moves: u64) {
        let mut left = moves;
        while left != 0 {
            let square = left.trailing_zeros() as usize;
            left &= left - 1;
            let flips = board.flips(square);
            let next = board.after(square, flips);
            self.list[self.length] = Candidate { next, flips, score: 0, square: square as u8 };
            self.length += 1;
        }
    }

    #[inline(always)]
    pub(super) fn as_mut(&mut self) -> &mut [Candidate] {
        &mut self.list[..self.length]
    }

    /// Has all moves but the best tried in another order: the first helper takes them from the end, others as it comes.
    pub(super) fn vary(&mut self, place: u64) {
        let best = self.as_mut().iter().map(|candidate| candidate.score).max();
        for candidate in self.as_mut().iter_mut().filter(|candidate| Some(candidate.score) != best) {
            candidate.score = match place {
                1 => candidate.score.saturating_neg().min(i32::MAX - 2),
                _ => (mix(place, candidate.square.into()) >> 34) as i32,
            };
        }
        // It stays the first.
        for candidate in self.as_mut().iter_mut().filter(|candidate| Some(candidate.score) == best) {
            candidate.score = i32::MAX;
        }
    }

    /// The best of the moves from `index` on, put in place `index`.
    #[inline(always)]
    pub(super) fn select(&mut self, index: usize) -> Option<Candidate> {
        let rest = self.list.get_mut(index..self.length)?;
        let mut best = 0;
        for (place, candidate) in rest.iter().enumerate() {
            if candidate.score > rest[best].score {
                best = place;
            }
        }
        if rest.is_empty() {
            return None;
        }
        rest.swap(0, best);
        Some(rest[0])
    }
}

/// How good the kinds of squares are: corners best, then the edge and the middle, the squares beside an
/// empty corner worst.
static SQUARE: [i8; 64] = {
    const ROWS: [[i8; 4]; 4] = [[18, 4, 16, 12], [4, 2, 6, 8], [16, 6, 14, 10], [12, 8, 10, 0]];
    let mut table = [0; 64];
    let mut square = 0;
    while square < 64 {
        let (row, column) = (square / 8, square % 8);
        let (row, column) =
            (if row < 4 { row } else { 7 - row }, if column < 4 { column } else { 7 - column });
        table[square] = ROWS[row][column];
        square += 1;
    }
    table
};

/// A score by what can be seen at once: few answers for the opponent (corners count double), few that may come,
/// the last move in a quarter of the board, a good square.
#[inline(always)]
pub(super) fn glance(game: &Othello<u64>, candidate: &Candidate, empties: u64) -> i32 {
    let next = candidate.next;
    let left = empties ^ 1 << candidate.square;
    let answers = next.moves(game);
    let mobility = answers.count_ones() + (answers & CORNERS).count_ones();
    let potential = next.potential(left).count_ones();
    let parity = i32::from(odd(empties) >> candidate.square & 1 != 0);
    i32::from(SQUARE[usize::from(candidate.square)]) + 16 * parity
        - 64 * mobility as i32
        - 16 * potential as i32
}
