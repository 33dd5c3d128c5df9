//! What those who judge positions ask the rules: how far a piece can go, who can get to a square, what a
//! move would take, what it would be like to sit out a turn.

use agon_board::Bits;

use super::Tablut;
use super::lines::{CAMPS, CASTLE, ReachableSpan, SIZE, distance};
use super::position::{Move, Position, Side};

impl Tablut {
    /// How far a piece of `side` on `square` can go along its row and along its column, or could if
    /// it stood there.
    #[inline(always)]
    pub fn reachable_span(&self, position: &Position, side: Side, square: usize) -> [ReachableSpan; 2] {
        let (row, column) = u128::row_column(square);
        let cells = |line: usize| self.lines.cells(position.lines[line]);
        [
            cells(row).reachable_span(side, row, column),
            cells(SIZE + column).reachable_span(side, SIZE + column, row),
        ]
    }

    /// The squares of a column that are occupied or closed to the king, the topmost in the lowest bit.
    #[inline(always)]
    pub fn column_blocks(&self, position: &Position, column: usize) -> u16 {
        let cells = self.lines.cells(position.lines[SIZE + column]);
        let fixed = CAMPS[distance(column)] | CASTLE[distance(column)];
        cells.of(Side::Attackers) | cells.of(Side::Defenders) | fixed
    }

    /// Whether some piece of `side` can move to `square`, which is empty.
    #[inline(always)]
    pub fn can_arrive(&self, position: &Position, side: Side, square: usize) -> bool {
        let (row, column) = u128::row_column(square);
        let comers = |line, place| self.lines.cells(position.lines[line]).comers(side, line, place);
        comers(row, column) | comers(SIZE + column, row) != 0
    }

    /// Calls `visit` for every move of the side to move that ends on `square`, which is empty.
    #[inline(always)]
    pub fn for_each_arrival(&self, position: &Position, square: usize, mut visit: impl FnMut(Move)) {
        let (row, column) = u128::row_column(square);
        for (line, place) in [(row, column), (SIZE + column, row)] {
            let mut comers = self.lines.cells(position.lines[line]).comers(position.side, line, place);
            while comers != 0 {
                visit(Move::along(line, comers.trailing_zeros() as usize, place));
                comers &= comers - 1;
            }
        }
    }

    /// The squares on which a piece of the side to move captures on its arrival, the king's protection apart.
    #[inline(always)]
    pub fn capturing_squares(&self, position: &Position) -> u128 {
        let victim = position.side.opponent();
        let enemies = position.pieces[victim as usize];
        let helpers = position.pieces[position.side as usize] | self.hostile[victim as usize];
        (helpers.east() & enemies).east()
            | (helpers.west() & enemies).west()
            | (helpers.north() & enemies).north()
            | (helpers.south() & enemies).south()
    }

    /// The squares of the pieces that `mv` takes from the board; the king may be among them.
    #[inline(always)]
    pub fn captured_by(&self, position: &Position, mv: Move) -> u128 {
        let mut pieces = position.pieces;
        let target = u128::square(mv.to());
        pieces[position.side as usize] ^= u128::square(mv.from()) | target;
        let king = if let Some(king) = position.king() { u128::square(king) } else { 0 };
        self.captured(position.side, pieces, king, target)
    }

    /// Hands the turn to the other side without a move; the ply counts.
    #[inline(always)]
    pub fn skip(&self, position: &mut Position) {
        position.side = position.side.opponent();
        position.ply += 1;
    }
}
