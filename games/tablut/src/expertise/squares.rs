//! Tables of what a square is worth, by the symmetry of the board.

use agon_board::Bits;

/// A value for every square.
pub(super) type Table = [i32; 128];

/// Squares that turn into each other when the board is turned or mirrored: the fifteen cells of the triangle
/// between the edge and a diagonal, row by row from the corner: a1 b1 c1 d1 e1, b2 c2 d2 e2, c3 d3 e3, d4 e4, e5.
pub(super) const CLASSES: usize = 15;

/// The class of the square in this row and column.
pub(super) const fn class(row: usize, column: usize) -> usize {
    let row = if row < 4 { row } else { 8 - row };
    let column = if column < 4 { column } else { 8 - column };
    let (near, far) = if row < column { (row, column) } else { (column, row) };
    // Rows of the triangle hold 5, 4, 3, 2, 1 classes.
    near * 5 - near * near.saturating_sub(1) / 2 + (far - near)
}

/// The table that gives every square the value of its class.
pub(super) const fn by_class(values: [i32; CLASSES]) -> Table {
    let mut table = [0; 128];
    let mut row = 0;
    while row < 9 {
        let mut column = 0;
        while column < 9 {
            table[row * <u128 as Bits>::STRIDE + column] = values[class(row, column)];
            column += 1;
        }
        row += 1;
    }
    table
}

/// The value of `square`.
#[inline(always)]
pub(super) fn at(table: &Table, square: usize) -> i32 {
    table[square % 128]
}

/// The sum of the values of all squares of `set`.
#[inline(always)]
pub(super) fn sum(table: &Table, set: u128) -> i32 {
    let mut sum = 0;
    set.for_each(
        #[inline(always)]
        |square| sum += at(table, square),
    );
    sum
}
