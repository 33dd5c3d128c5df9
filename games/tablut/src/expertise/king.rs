//! How the king stands: where he can go, which exits lie open, and where attackers would capture him.
//!
//! Both sides' tactics turn on these three questions, so they are answered once, exactly, from the two lines
//! on which he stands.

use crate::{CAMPS, CASTLE, EXITS, KEEP, Position, ReachableSpan, Side, Tablut};
use agon_board::Bits;

/// The last place of a line.
const LAST: usize = 8;
/// The first column.
const COLUMN: u128 = {
    let (mut column, mut row) = (0, 0);
    while row <= LAST {
        column |= 1 << (row * <u128 as Bits>::STRIDE);
        row += 1;
    }
    column
};

/// The squares next to those of `set`, in four directions; beside the board there may be some too.
#[inline(always)]
pub(super) fn neighbours(set: u128) -> u128 {
    set.east() | set.west() | set.north() | set.south()
}

/// A king on his square, in a game that goes on.
#[derive(Clone, Copy)]
pub(super) struct King {
    row: usize,
    column: usize,
    /// How far he can go along his row and along his column.
    along_row: ReachableSpan,
    along_column: ReachableSpan,
}

impl King {
    /// The king of `position`; `None` if he is gone or has escaped.
    #[inline(always)]
    pub(super) fn of(game: &Tablut, position: &Position) -> Option<Self> {
        // Not by `map`: closures are not compiled into their callers for certain.
        match position.king() {
            Some(king) if !EXITS.contains(king) => Some(Self::at(game, position, king)),
            _ => None,
        }
    }

    /// A king who has come to `square`. Where he came from still counts as occupied.
    #[inline(always)]
    pub(super) fn at(game: &Tablut, position: &Position, square: usize) -> Self {
        let (row, column) = u128::row_column(square);
        let [along_row, along_column] = game.reachable_span(position, Side::Defenders, square);
        Self { row, column, along_row, along_column }
    }

    #[inline(always)]
    pub(super) fn square(&self) -> u128 {
        u128::square(u128::index(self.row, self.column))
    }

    /// How many exits he can reach in one move: at most one in each direction, because camps close the
    /// middle of each edge.
    #[inline(always)]
    pub(super) fn exits(&self) -> u32 {
        u32::from(self.along_row.low == 0)
            + u32::from(self.along_row.high == LAST)
            + u32::from(self.along_column.low == 0)
            + u32::from(self.along_column.high == LAST)
    }

    /// How many moves he has.
    #[inline(always)]
    pub(super) fn moves(&self) -> usize {
        self.along_row.moves() + self.along_column.moves()
    }

    /// The squares to which he can move.
    #[inline(always)]
    pub(super) fn squares(&self) -> u128 {
        let row = in_row(self.row, self.along_row.low, self.along_row.high);
        let column = in_column(self.column, self.along_column.low, self.along_column.high);
        row ^ column
    }

    /// His row and his column.
    #[inline(always)]
    pub(super) fn lines(&self) -> u128 {
        in_row(self.row, 0, LAST) | in_column(self.column, 0, LAST)
    }

    /// The squares on his ways to open exits, the exits among them.
    #[inline(always)]
    pub(super) fn paths(&self) -> u128 {
        let mut paths = 0;
        if self.along_row.low == 0 {
            paths |= in_row(self.row, 0, self.column);
        }
        if self.along_row.high == LAST {
            paths |= in_row(self.row, self.column, LAST);
        }
        if self.along_column.low == 0 {
            paths |= in_column(self.column, 0, self.row);
        }
        if self.along_column.high == LAST {
            paths |= in_column(self.column, self.row, LAST);
        }
        paths & !self.square()
    }

    /// The defenders who alone stand between him and an exit in a straight line.
    #[inline(always)]
    pub(super) fn doorkeepers(&self, game: &Tablut, position: &Position) -> u128 {
        let fixed = occupied(position) | CAMPS | CASTLE;
        let row = (fixed >> (self.row * u128::STRIDE)) as u16 & 0x1FF;
        let column = game.column_blocks(position, self.column);
        let mut keepers = 0;
        if let Some(place) = lone(row & ((1 << self.column) - 1)) {
            keepers |= u128::square(u128::index(self.row, place));
        }
        if let Some(place) = lone(row >> (self.column + 1) << (self.column + 1)) {
            keepers |= u128::square(u128::index(self.row, place));
        }
        if let Some(place) = lone(column & ((1 << self.row) - 1)) {
            keepers |= u128::square(u128::index(place, self.column));
        }
        if let Some(place) = lone(column >> (self.row + 1) << (self.row + 1)) {
            keepers |= u128::square(u128::index(place, self.column));
        }
        keepers & position.defenders()
    }

    /// How he could escape in two moves if nobody moved in between.
    #[inline(always)]
    pub(super) fn detours(&self, game: &Tablut, position: &Position) -> Detours {
        let blocked = occupied(position) | CAMPS | CASTLE;
        let mut detours = Detours::default();
        // Only these lines end in exits; in the three between them camps close both ends.
        for line in [1, 2, 6, 7] {
            let row = (blocked >> (line * u128::STRIDE)) as u16 & 0x1FF;
            detours.add(row, self.column, line != self.row && within(self.along_column, line));
            let column = game.column_blocks(position, line);
            detours.add(column, self.row, line != self.column && within(self.along_row, line));
        }
        detours
    }

    /// The empty squares on which the arrival of an attacker captures him.
    #[inline(always)]
    pub(super) fn weak_squares(&self, position: &Position) -> u128 {
        let king = self.square();
        let attackers = position.attackers();
        let empty = !(attackers | position.defenders());
        if king & KEEP != 0 {
            let missing = neighbours(king) & !attackers & !CASTLE;
            return if missing.without_lowest() == 0 { missing & empty } else { 0 };
        }
        let helpers = attackers | CAMPS;
        let mut weak = 0;
        if king.east() & helpers != 0 {
            weak |= king.west();
        }
        if king.west() & helpers != 0 {
            weak |= king.east();
        }
        if king.north() & helpers != 0 {
            weak |= king.south();
        }
        if king.south() & helpers != 0 {
            weak |= king.north();
        }
        weak & empty
    }

    /// Whether the attackers can capture him, were it their turn.
    #[inline(always)]
    pub(super) fn can_be_captured(&self, game: &Tablut, position: &Position) -> bool {
        can_arrive_on_any(game, position, self.weak_squares(position))
    }

    /// Whether the attackers can close his only open way.
    #[inline(always)]
    pub(super) fn can_be_stopped(&self, game: &Tablut, position: &Position) -> bool {
        can_arrive_on_any(game, position, self.paths())
    }

    /// Whether an unbroken chain of attackers, camps and castle parts him from every exit: his own men are
    /// not in his way, they could step aside.
    #[inline(always)]
    pub(super) fn is_enclosed(&self, position: &Position) -> bool {
        let open = u128::board(LAST + 1) & !(position.attackers() | CAMPS | CASTLE);
        let mut region = self.square();
        loop {
            let grown = region | neighbours(region) & open;
            if grown & EXITS != 0 {
                return false;
            }
            if grown == region {
                return true;
            }
            region = grown;
        }
    }
}

/// Ways out that take two moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Detours {
    /// Pairs of a first move and an exit open after it.
    pub(super) ways: u32,
    /// First moves after which two exits are open.
    pub(super) forks: u32,
}

impl Detours {
    /// Counts the exits at the ends of a line with these `blocks`, seen from `place`.
    #[inline(always)]
    fn add(&mut self, blocks: u16, place: usize, can_be_entered: bool) {
        let low = u32::from(blocks & ((1 << place) - 1) == 0 && can_be_entered);
        let high = u32::from(blocks >> (place + 1) == 0 && can_be_entered);
        self.ways += low + high;
        self.forks += low & high;
    }
}

#[inline(always)]
fn can_arrive_on_any(game: &Tablut, position: &Position, mut squares: u128) -> bool {
    while squares != 0 {
        if game.can_arrive(position, Side::Attackers, squares.lowest()) {
            return true;
        }
        squares = squares.without_lowest();
    }
    false
}

/// The squares on which anything stands.
#[inline(always)]
pub(super) fn occupied(position: &Position) -> u128 {
    let men = position.attackers() | position.defenders();
    if let Some(king) = position.king() { men | u128::square(king) } else { men }
}

/// The only place of `blocks`, if there is one and no other.
#[inline(always)]
fn lone(blocks: u16) -> Option<usize> {
    (blocks != 0 && blocks & (blocks - 1) == 0).then_some(blocks.trailing_zeros() as usize)
}

#[inline(always)]
fn within(reach: ReachableSpan, place: usize) -> bool {
    (reach.low..=reach.high).contains(&place)
}

/// The squares of a row from column `low` to `high`.
#[inline(always)]
fn in_row(row: usize, low: usize, high: usize) -> u128 {
    ((2_u128 << high) - (1 << low)) << (row * u128::STRIDE)
}

/// The squares of a column from row `low` to `high`.
#[inline(always)]
fn in_column(column: usize, low: usize, high: usize) -> u128 {
    let from = COLUMN << (low * u128::STRIDE);
    let until = COLUMN >> ((LAST - high) * u128::STRIDE);
    (from & until) << column
}
