//! Boards of squares as people see them.

use agon_core::Message;
use agon_core::view::{Board, Cell, Layout, Piece, Spot, Style, Token, off_board};

/// A board of so many rows and columns, without counts; `cell` says what is where.
pub fn squares(
    (rows, columns): (usize, usize),
    surface: Token,
    styles: &'static [Style],
    places: &'static str,
    column_name: impl Fn(usize) -> Token,
    row_name: impl Fn(usize) -> Token,
    cell: impl Fn(usize, usize) -> (Option<Token>, Option<Piece>),
) -> Board {
    let cells = (0..rows * columns).map(|index| {
        let (row, column) = (index / columns, index % columns);
        let (ground, piece) = cell(row, column);
        Cell { spot: Spot::new(row, column), ground, piece }
    });
    let (rows, columns) = ((0..rows).map(row_name).collect(), (0..columns).map(column_name).collect());
    Board { cells: cells.collect(), ..Board::new(Layout::Squares, surface, styles, places, rows, columns) }
}

/// Row and column of a place on a board of so many rows and columns.
///
/// # Errors
/// If it is beyond the board, a message that says so.
pub fn on_board((rows, columns): (usize, usize), spot: Spot) -> Result<(usize, usize), Message> {
    let (row, column) = (usize::from(spot.row), usize::from(spot.column));
    if row < rows && column < columns { Ok((row, column)) } else { Err(off_board()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::{column_name, number_name};

    #[test]
    fn a_board_may_be_wider_than_high() {
        let name = |row| number_name(2 - row);
        let board = squares((2, 3), "wood", &[], "{column}{row}", column_name, name, |_, _| (None, None));
        let names: Vec<String> = board.cells.iter().map(|cell| board.place_name(cell.spot)).collect();
        assert_eq!(names, ["a2", "b2", "c2", "a1", "b1", "c1"]);
        assert!(board.cells.iter().all(|cell| on_board((2, 3), cell.spot).is_ok()));
        assert_eq!(on_board((2, 3), Spot::new(1, 2)), Ok((1, 2)));
        assert_eq!(on_board((2, 3), Spot::new(2, 1)), Err(off_board()));
        assert_eq!(on_board((2, 3), Spot::new(1, 3)), Err(off_board()));
    }
}
