//! Boards of squares as people see them.

use agon_core::view::{Board, Cell, Ground, Layout, Piece, Spot};

/// A square board of `size`, without counts; `cell` says what is where.
pub fn squares(
    size: usize,
    felt: bool,
    column_name: impl Fn(usize) -> String,
    row_name: impl Fn(usize) -> String,
    cell: impl Fn(usize, usize) -> (Ground, Option<Piece>),
) -> Board {
    let cells = (0..size * size).map(|index| {
        let (row, column) = (index / size, index % size);
        let (ground, piece) = cell(row, column);
        Cell { spot: Spot::new(row, column), ground, piece }
    });
    Board {
        layout: Layout::Squares { felt },
        rows: (0..size).map(row_name).collect(),
        columns: (0..size).map(column_name).collect(),
        cells: cells.collect(),
        counts: Vec::new(),
        progress: None,
        threats: Vec::new(),
    }
}
