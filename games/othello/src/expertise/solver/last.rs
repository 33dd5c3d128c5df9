//! The last four empty squares: unrolled, without tables of positions, in order of parity.
//!
//! On the last square nothing is turned any more, only counted: every square that is not an own disc
//! holds an enemy one, so a line's own discs alone say what is enclosed. That also holds on boards
//! smaller than the layout, because no own disc stands beyond their edge to close a line.
//!
//! All functions take the window (`alpha`, `alpha + 1`) and are fail-soft: they return a bound that is at least
//! as good as the window asks for.

use crate::Othello;
use agon_core::cpu::Level;

use super::board::{Board, neighbours};

/// Discs enclosed along a line of eight: by the place of the new disc and the set of own discs.
static ENCLOSED: [[u8; 256]; 8] = enclosed();

/// The two diagonals through each square, without the square itself.
static DIAGONALS: [[u64; 2]; 64] = diagonals();

const fn enclosed() -> [[u8; 256]; 8] {
    let mut table = [[0; 256]; 8];
    let mut place = 0;
    while place < 8 {
        let mut own = 0;
        while own < 256 {
            let (mut count, mut up, mut down) = (0, place + 1, place as isize - 1);
            while up < 8 {
                if own >> up & 1 != 0 {
                    count += up - place - 1;
                    break;
                }
                up += 1;
            }
            while down >= 0 {
                if own >> down & 1 != 0 {
                    count += (place as isize - down - 1) as usize;
                    break;
                }
                down -= 1;
            }
            table[place][own] = count as u8;
            own += 1;
        }
        place += 1;
    }
    table
}

const fn diagonals() -> [[u64; 2]; 64] {
    let mut table = [[0; 2]; 64];
    let mut square = 0;
    while square < 64 {
        let mut other = 0;
        while other < 64 {
            let (row, column) = (square / 8, square % 8);
            let (other_row, other_column) = (other / 8, other % 8);
            if other != square && row + other_column == other_row + column {
                table[square][0] |= 1 << other;
            }
            if other != square && row + column == other_row + other_column {
                table[square][1] |= 1 << other;
            }
            other += 1;
        }
        square += 1;
    }
    table
}

/// How many discs a disc on `square`, the last empty one, turns.
#[inline(always)]
fn count_flips(own: u64, square: usize) -> i32 {
    const FIRST_COLUMN: u64 = 0x0101_0101_0101_0101;
    let (row, column) = (square >> 3, square & 7);
    // Each line is gathered into one byte: a row by a shift, a column and the diagonals by a product
    // whose partial sums meet in the top byte.
    let along_row = (own >> (row * 8)) as u8;
    let along_column = (((own >> column) & FIRST_COLUMN).wrapping_mul(0x0102_0408_1020_4080) >> 56) as u8;
    let diagonal = |index: usize| ((own & DIAGONALS[square][index]).wrapping_mul(FIRST_COLUMN) >> 56) as u8;
    let by_column = &ENCLOSED[column];
    i32::from(by_column[usize::from(along_row)])
        + i32::from(ENCLOSED[row][usize::from(along_column)])
        + i32::from(by_column[usize::from(diagonal(0))])
        + i32::from(by_column[usize::from(diagonal(1))])
}

/// The exact score with one square left; `squares` is how many the board has.
#[inline(always)]
pub(super) fn one(board: Board, square: usize, squares: i32) -> i32 {
    let discs = board.own.count_ones() as i32;
    let gained = count_flips(board.own, square);
    if gained > 0 {
        return 2 * (discs + gained + 1) - squares;
    }
    let lost = count_flips(board.opponent, square);
    if lost > 0 {
        return 2 * (discs - lost) - squares;
    }
    // The square stays empty; an odd number of discs is never even.
    let difference = 2 * discs - (squares - 1);
    difference + difference.signum()
}

/// The quarter of the board that each square lies in: a side that leaves its opponent the first move in a
/// quarter with an even number of empty squares gets the last move there.
static QUARTER: [u8; 64] = {
    let mut table = [0; 64];
    let mut square = 0;
    while square < 64 {
        table[square] = (square / 32 * 2 + square % 8 / 4) as u8;
        square += 1;
    }
    table
};

/// The squares of each quarter.
const QUARTERS: [u64; 4] = [0x0F0F_0F0F, 0xF0F0_F0F0, 0x0F0F_0F0F << 32, 0xF0F0_F0F0 << 32];

/// Those of `empties` that lie in quarters with an odd number of them: the better ones to move to.
#[inline(always)]
pub(super) fn odd(empties: u64) -> u64 {
    let mut odd = 0;
    for quarter in QUARTERS {
        let is_odd = u64::from((empties & quarter).count_ones() & 1);
        odd |= quarter & is_odd.wrapping_neg();
    }
    odd & empties
}

/// A value that no score has: no move was found.
const NONE: i32 = i32::MIN;

/// The search of the last empty squares.
pub(super) struct Last<L> {
    /// The instructions to use.
    pub(super) level: L,
    /// The rules.
    pub(super) game: Othello<u64>,
    /// How many squares the board has.
    pub(super) squares: i32,
    /// Moves made.
    pub(super) nodes: u64,
}

impl<L: Level> Last<L> {
    /// The score above `alpha`, or a bound of it, with `empties` squares left.
    #[inline(always)]
    pub(super) fn search(&mut self, board: Board, alpha: i32, empties: u64) -> i32 {
        match empties.count_ones() {
            0 => board.final_score(0),
            1 => one(board, empties.trailing_zeros() as usize, self.squares),
            2 => {
                let [first, second] = split(empties);
                self.two(board, alpha, first, second)
            }
            3 => {
                let [first, second, third] = split(empties);
                self.three(board, alpha, first, second, third)
            }
            4 => self.four(board, alpha, empties),
            _ => self.shallow(board, alpha, empties),
        }
    }

    fn two(&mut self, board: Board, alpha: i32, first: usize, second: usize) -> i32 {
        self.level.run(
            #[inline(always)]
            || {
                either_side(
                    board,
                    alpha,
                    2,
                    #[inline(always)]
                    |board, alpha| {
                        let mut best = NONE;
                        for (square, left) in [(first, second), (second, first)] {
                            let flips = flips(board, square);
                            if flips != 0 {
                                self.nodes += 2;
                                best = best.max(-one(board.after(square, flips), left, self.squares));
                                if best > alpha {
                                    break;
                                }
                            }
                        }
                        best
                    },
                )
            },
        )
    }

    fn three(&mut self, board: Board, alpha: i32, first: usize, second: usize, third: usize) -> i32 {
        // A square alone in its quarter goes first.
        let (first, second, third) = if QUARTER[first] == QUARTER[second] {
            (third, first, second)
        } else if QUARTER[first] == QUARTER[third] {
            (second, first, third)
        } else {
            (first, second, third)
        };
        self.level.run(
            #[inline(always)]
            || {
                either_side(
                    board,
                    alpha,
                    3,
                    #[inline(always)]
                    |board, alpha| {
                        let mut best = NONE;
                        let orders = [(first, second, third), (second, first, third), (third, first, second)];
                        for (square, one, other) in orders {
                            let flips = flips(board, square);
                            if flips != 0 {
                                self.nodes += 1;
                                let next = board.after(square, flips);
                                best = best.max(-self.two(next, -alpha - 1, one, other));
                                if best > alpha {
                                    break;
                                }
                            }
                        }
                        best
                    },
                )
            },
        )
    }

    fn four(&mut self, board: Board, alpha: i32, empties: u64) -> i32 {
        self.level.run(
            #[inline(always)]
            || {
                let odd = odd(empties);
                either_side(
                    board,
                    alpha,
                    4,
                    #[inline(always)]
                    |board, alpha| {
                        let mut best = NONE;
                        for squares in [odd, empties & !odd] {
                            let mut left = squares;
                            while left != 0 {
                                let square = left.trailing_zeros() as usize;
                                left &= left - 1;
                                let flips = flips(board, square);
                                if flips != 0 {
                                    self.nodes += 1;
                                    let [one, two, three] = split(empties ^ 1 << square);
                                    let next = board.after(square, flips);
                                    best = best.max(-self.three(next, -alpha - 1, one, two, three));
                                    if best > alpha {
                                        return best;
                                    }
                                }
                            }
                        }
                        best
                    },
                )
            },
        )
    }

    /// Five squares and a few more: moves in order of parity, corners before the rest.
    fn shallow(&mut self, board: Board, alpha: i32, empties: u64) -> i32 {
        const CORNERS: u64 = 0x8100_0000_0000_0081;
        self.level.run(
            #[inline(always)]
            || {
                let odd = odd(empties);
                either_side(
                    board,
                    alpha,
                    empties.count_ones(),
                    #[inline(always)]
                    |board, alpha| {
                        let moves = board.moves(&self.game);
                        let mut best = NONE;
                        let first = moves & odd;
                        let rest = moves & !odd;
                        for squares in [first & CORNERS, first & !CORNERS, rest & CORNERS, rest & !CORNERS] {
                            let mut left = squares;
                            while left != 0 {
                                let square = left.trailing_zeros() as usize;
                                left &= left - 1;
                                self.nodes += 1;
                                let next = board.after(square, board.flips(square));
                                best = best.max(-self.search(next, -alpha - 1, empties ^ 1 << square));
                                if best > alpha {
                                    return best;
                                }
                            }
                        }
                        best
                    },
                )
            },
        )
    }
}

/// The lowest squares of a set.
#[inline(always)]
fn split<const COUNT: usize>(mut set: u64) -> [usize; COUNT] {
    let mut squares = [0; COUNT];
    for square in &mut squares {
        *square = set.trailing_zeros() as usize;
        set &= set.wrapping_sub(1);
    }
    squares
}

/// The discs turned on `square`, looked for only where an enemy disc is near.
#[inline(always)]
fn flips(board: Board, square: usize) -> u64 {
    if NEIGHBOURS[square] & board.opponent == 0 { 0 } else { board.flips(square) }
}

/// The squares next to each square.
static NEIGHBOURS: [u64; 64] = {
    let mut table = [0; 64];
    let mut square = 0;
    while square < 64 {
        table[square] = neighbours(1 << square);
        square += 1;
    }
    table
};

/// The best score of the side to move by `moves`, else that of the other side after a pass, else the
/// final count. `moves` gets a board and alpha and returns [`NONE`] if there is no move.
#[inline(always)]
fn either_side(board: Board, alpha: i32, empties: u32, mut moves: impl FnMut(Board, i32) -> i32) -> i32 {
    let score = moves(board, alpha);
    if score != NONE {
        return score;
    }
    let score = moves(board.passed(), -alpha - 1);
    if score != NONE { -score } else { board.final_score(empties) }
}
