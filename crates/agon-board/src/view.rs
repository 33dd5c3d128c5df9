//! Boards of squares as people see them.

use agon_core::Message;
use agon_core::view::{Board, Cell, Layout, Piece, Spot, Style, Token, off_board};

/// A square board of `size`, without counts; `cell` says what is where.
pub fn squares(
    size: usize,
    surface: Token,
    styles: &'static [Style],
    places: &'static str,
    column_name: impl Fn(usize) -> Token,
    row_name: impl Fn(usize) -> Token,
    cell: impl Fn(usize, usize) -> (Option<Token>, Option<Piece>),
) -> Board {
    let cells = (0..size * size).map(|index| {
        let (row, column) = (index / size, index % size);
        let (ground, piece) = cell(row, column);
        Cell { spot: Spot::new(row, column), ground, piece }
    });
    let (rows, columns) = ((0..size).map(row_name).collect(), (0..size).map(column_name).collect());
    Board { cells: cells.collect(), ..Board::new(Layout::Squares, surface, styles, places, rows, columns) }
}

/// Row and column of a place on a square board of `size`.
///
/// # Errors
/// If it is beyond the board, a message that says so.
pub fn on_board(size: usize, spot: Spot) -> Result<(usize, usize), Message> {
    let (row, column) = (usize::from(spot.row), usize::from(spot.column));
    if row < size && column < size { Ok((row, column)) } else { Err(off_board()) }
}
