//! Positions and moves.
//!
//! A position says what stands where twice: as boards, for code that looks at squares (captures,
//! text, evaluation), and as the codes of its [`lines`](super::lines), for code that looks for moves.
//! Both are kept up by every ply, which is far cheaper than deriving one from the other.

use agon_board::Bits;

use super::lines::{LINES, Lines, Mobility, POWERS, SIZE};

/// One of the two sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// Black: sixteen attackers, who want the king.
    Attackers,
    /// White: the king, who wants to escape, and his eight defenders.
    Defenders,
}

impl Side {
    /// The other side.
    #[inline(always)]
    pub fn opponent(self) -> Self {
        match self {
            Self::Attackers => Self::Defenders,
            Self::Defenders => Self::Attackers,
        }
    }

    /// The digit by which codes of lines name this side's pieces.
    #[inline(always)]
    pub(super) fn digit(self) -> u16 {
        self as u16 + 1
    }
}

/// In place of the square of a king who has been captured.
pub(super) const NO_KING: u8 = 127;

/// A moment of the game. Squares are bits as [`Bits`] numbers them for `u128`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// The attackers; the king's side with the king.
    pub(super) pieces: [u128; 2],
    /// The code of every line.
    pub(super) lines: [u16; LINES],
    /// The sum over all lines.
    pub(super) mobility: Mobility,
    /// The king's square or [`NO_KING`].
    pub(super) king: u8,
    pub(super) side: Side,
    pub(super) ply: u32,
}

impl Position {
    /// A position from its boards; the king is on `king`, if he is, and among the defenders.
    pub(super) fn assemble(
        lines: Lines,
        pieces: [u128; 2],
        king: Option<usize>,
        side: Side,
        ply: u32,
    ) -> Self {
        let mut position = Self {
            pieces,
            lines: [0; LINES],
            mobility: Mobility::NONE,
            king: king.map_or(NO_KING, |square| square as u8),
            side,
            ply,
        };
        for owner in [Side::Attackers, Side::Defenders] {
            pieces[owner as usize].for_each(|square| {
                let (row, column) = u128::row_column(square);
                position.lines[row] += owner.digit() * POWERS[column];
                position.lines[SIZE + column] += owner.digit() * POWERS[row];
            });
        }
        for (line, &code) in position.lines.iter().enumerate() {
            position.mobility.exchange(Mobility::NONE, lines.entry(line, code).mobility());
        }
        position
    }

    /// The squares of the attackers.
    #[inline(always)]
    pub fn attackers(&self) -> u128 {
        self.pieces[Side::Attackers as usize]
    }

    /// The squares of the defenders, the king's apart.
    #[inline(always)]
    pub fn defenders(&self) -> u128 {
        self.pieces[Side::Defenders as usize] & !(1 << self.king)
    }

    /// The king's square; `None` once he is captured.
    #[inline(always)]
    pub fn king(&self) -> Option<usize> {
        (self.king != NO_KING).then_some(usize::from(self.king))
    }

    /// The side to move.
    #[inline(always)]
    pub fn side(&self) -> Side {
        self.side
    }

    /// How many moves `side` has or would have if it were its turn, whether or not the game is over.
    #[inline(always)]
    pub fn mobility(&self, side: Side) -> u64 {
        self.mobility.of(side)
    }
}

/// A move of one piece along one line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Move {
    /// Rows 0 to 8, then columns.
    line: u8,
    /// Where on the line the move begins, 0 to 8.
    start: u8,
    /// Where on the line it ends.
    end: u8,
}

impl Move {
    #[inline(always)]
    pub(super) fn along(line: usize, start: usize, end: usize) -> Self {
        debug_assert!(line < LINES && start < SIZE && end < SIZE && start != end);
        Self { line: line as u8, start: start as u8, end: end as u8 }
    }

    /// The move between two squares, given by row and column from 0; `None` if they are not two
    /// squares of one line of the board.
    pub fn between(from: (usize, usize), to: (usize, usize)) -> Option<Self> {
        if [from.0, from.1, to.0, to.1].iter().any(|&coordinate| coordinate >= SIZE) {
            return None;
        }
        match (from.0 == to.0, from.1 == to.1) {
            (true, false) => Some(Self::along(from.0, from.1, to.1)),
            (false, true) => Some(Self::along(SIZE + from.1, from.0, to.0)),
            _ => None,
        }
    }

    /// The square that the piece leaves.
    #[inline(always)]
    pub fn from(self) -> usize {
        self.square(self.start)
    }

    /// The square on which it arrives.
    #[inline(always)]
    pub fn to(self) -> usize {
        self.square(self.end)
    }

    #[inline(always)]
    pub(super) fn line(self) -> usize {
        usize::from(self.line)
    }

    /// Where on its line the move begins and ends.
    #[inline(always)]
    pub(super) fn places(self) -> (usize, usize) {
        (usize::from(self.start), usize::from(self.end))
    }

    #[inline(always)]
    pub(super) fn is_horizontal(self) -> bool {
        self.line() < SIZE
    }

    #[inline(always)]
    fn square(self, place: u8) -> usize {
        if self.is_horizontal() {
            u128::index(self.line(), usize::from(place))
        } else {
            u128::index(usize::from(place), self.line() - SIZE)
        }
    }
}
