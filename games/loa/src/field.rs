//! The board itself: its lines and blocks, and single moves along the lines - what a random move and the
//! check of a given move need, without the work of finding all the others.

use super::Position;
use super::grid::Grid;

/// One value for each axis: along the row, along the column, falling (down and right), rising (down and
/// left).
pub(super) type Axes<T> = [T; 4];

/// One value for each direction: along the first axis and against it, along the second, and so on.
pub(super) type Directions<T> = [T; DIRECTIONS];

/// How many directions there are.
pub(super) const DIRECTIONS: usize = 8;

/// Rows and columns that a step in a direction goes down and right.
const STEPS: Directions<(isize, isize)> =
    [(0, 1), (0, -1), (1, 0), (-1, 0), (1, 1), (-1, -1), (1, -1), (-1, 1)];

/// More lines of one axis than any board has.
const LINES: usize = 64;

/// What keeps an own piece from moving from one square to another.
pub(super) enum Obstacle {
    /// The squares are one and the same.
    Nowhere,
    /// No line runs through both.
    NoLine,
    /// The line holds this many pieces, and the squares are another number of steps apart.
    Length(u32),
    /// An enemy stands in between, here.
    Enemy(usize),
    /// An own piece stands where it would land.
    Own,
}

/// The squares of a board of some size, what is made of them, and the moves along its lines.
#[derive(Clone, Debug)]
pub(super) struct Field<B> {
    pub(super) size: usize,
    /// All squares.
    pub(super) squares: B,
    /// The top left squares of all 2×2 blocks.
    blocks: B,
    /// The squares of every line.
    lines: Axes<[B; LINES]>,
}

/// The number of the line of `axis` through a square.
#[inline(always)]
fn line_of(axis: usize, row: usize, column: usize) -> usize {
    let line = match axis {
        0 => row,
        1 => column,
        2 => LINES + column - row,
        _ => column + row,
    };
    line % LINES
}

impl<B: Grid> Field<B> {
    /// The board of `size` × `size`.
    pub(super) fn new(size: usize) -> Self {
        let squares = B::board(size);
        let mut lines = [[B::EMPTY; LINES]; 4];
        squares.for_each(|square| {
            let (row, column) = B::row_column(square);
            for (axis, lines) in lines.iter_mut().enumerate() {
                lines[line_of(axis, row, column)].toggle(square);
            }
        });
        Self { size, squares, blocks: B::board(size - 1), lines }
    }

    /// The top left squares of the 2×2 blocks that hold one of `pieces` at least.
    #[inline(always)]
    pub(super) fn blocks_of(&self, pieces: B) -> B {
        let wide = pieces | pieces.west();
        (wide | wide.north()) & self.blocks
    }

    /// How far a piece moves from `square` in `direction`: the number of pieces on the line.
    #[inline(always)]
    fn length(&self, position: &Position<B>, square: usize, direction: usize) -> isize {
        let (row, column) = B::row_column(square);
        let axis = direction / 2;
        let line = self.lines[axis][line_of(axis, row, column)];
        ((position.own | position.enemy) & line).count() as isize
    }

    /// Where the own piece on `from`, which can move in `direction`, lands.
    #[inline(always)]
    pub(super) fn landing(&self, position: &Position<B>, from: usize, direction: usize) -> usize {
        from.wrapping_add_signed(self.length(position, from, direction) * way::<B>(direction))
    }

    /// Where the own piece on `from` lands if it moves in `direction`; `None` if it cannot.
    #[inline(always)]
    pub(super) fn landing_if_legal(
        &self,
        position: &Position<B>,
        from: usize,
        direction: usize,
    ) -> Option<usize> {
        let length = self.length(position, from, direction);
        let (row, column) = B::row_column(from);
        let (down, right) = STEPS[direction];
        // A negative coordinate becomes a huge one.
        let is_inside = |from: usize, step: isize| from.wrapping_add_signed(length * step) < self.size;
        if !is_inside(row, down) || !is_inside(column, right) {
            return None;
        }
        let mut square = from;
        for _ in 1..length {
            square = square.wrapping_add_signed(way::<B>(direction));
            if position.enemy.contains(square) {
                return None;
            }
        }
        let to = square.wrapping_add_signed(way::<B>(direction));
        (!position.own.contains(to)).then_some(to)
    }

    /// What keeps the own piece on `from` from moving to `to`, which is not a legal move.
    pub(super) fn obstacle(&self, position: &Position<B>, from: usize, to: usize) -> Obstacle {
        let ((row, column), (to_row, to_column)) = (B::row_column(from), B::row_column(to));
        let (down, right) = (to_row as isize - row as isize, to_column as isize - column as isize);
        let distance = down.abs().max(right.abs());
        if distance == 0 {
            return Obstacle::Nowhere;
        }
        let is_along =
            |&(rows, columns): &(isize, isize)| (distance * rows, distance * columns) == (down, right);
        let Some(direction) = STEPS.iter().position(is_along) else { return Obstacle::NoLine };
        let length = self.length(position, from, direction);
        if length != distance {
            return Obstacle::Length(length as u32);
        }
        let between = (1..distance).map(|steps| from.wrapping_add_signed(steps * way::<B>(direction)));
        between
            .into_iter()
            .find(|&square| position.enemy.contains(square))
            .map_or(Obstacle::Own, Obstacle::Enemy)
    }
}

/// What a step in `direction` adds to a square of the layout.
#[inline(always)]
fn way<B: Grid>(direction: usize) -> isize {
    let (down, right) = STEPS[direction];
    down * B::STRIDE as isize + right
}
