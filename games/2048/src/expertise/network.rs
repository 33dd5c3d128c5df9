//! The n-tuple network: what a board of 2048 is worth right after a slide, read from tables.
//!
//! A tuple is a set of cells; the exponents on them, four bits each, are an index into the tuple's table.
//! The value of a board is the sum of all its tuples' entries over the eight ways to turn and mirror it, which
//! share the tables (Szubert & Jaśkowski 2014, <https://doi.org/10.1109/CIG.2014.6932907>). The four tuples of
//! six cells are those of Yeh et al. 2016 (<https://arxiv.org/abs/1606.07374>). The five small tuples repeat part
//! of what the large ones see, "redundant encoding" (Jaśkowski 2018, <https://arxiv.org/abs/1604.05085>): their
//! entries are met often and so learn early.
//!
//! The cells of every tuple are runs of neighbours in a row, so that an index takes two masks and a shift.

use std::ops::AddAssign;

use crate::Board;
use agon_core::memory;

/// How many tuples have six cells.
pub const LARGE_TUPLES: usize = 4;
/// How many tuples have four cells.
pub const SMALL_TUPLES: usize = 5;
/// How many tables there are, one for each tuple, the large ones first.
pub const TABLES: usize = LARGE_TUPLES + SMALL_TUPLES;
/// Entries of a tuple of six cells.
pub const LARGE: usize = 1 << 24;
/// Entries of a tuple of four cells.
pub const SMALL: usize = 1 << 16;
/// How many entries are summed for one board.
pub const LOOKUPS: usize = 8 * TABLES;

/// One entry for everything that each tuple can see.
#[derive(Clone, Debug)]
pub struct Tables<T> {
    /// The tuples of six cells.
    pub large: [Box<[T; LARGE]>; LARGE_TUPLES],
    /// The tuples of four cells.
    pub small: [Box<[T; SMALL]>; SMALL_TUPLES],
}

impl<T: Copy> Tables<T> {
    /// Tables with the same entry everywhere.
    pub fn filled(entry: T) -> Self {
        fn table<T: Copy, const N: usize>(entry: T) -> Box<[T; N]> {
            // By way of the heap: the array would not fit on the stack.
            match memory::filled(entry, N).into_boxed_slice().try_into() {
                Ok(table) => table,
                Err(_) => unreachable!("the vector has N entries"),
            }
        }
        Self { large: std::array::from_fn(|_| table(entry)), small: std::array::from_fn(|_| table(entry)) }
    }

    /// All tables, the large ones first.
    pub fn slices(&self) -> impl Iterator<Item = &[T]> {
        let large = self.large.iter().map(|table| &table[..]);
        large.chain(self.small.iter().map(|table| &table[..]))
    }

    /// All tables, the large ones first.
    pub fn slices_mut(&mut self) -> impl Iterator<Item = &mut [T]> {
        let large = self.large.iter_mut().map(|table| &mut table[..]);
        large.chain(self.small.iter_mut().map(|table| &mut table[..]))
    }
}

impl<T: Copy> Tables<T> {
    /// The sum of all entries that belong to the board.
    #[inline(always)]
    pub fn sum<S: Default + From<T> + AddAssign>(&self, cells: u64) -> S {
        // One sum for each orientation, so that the additions need not wait for each other.
        let sums = symmetries(cells).map(
            #[inline(always)]
            |cells| {
                let mut sum = S::default();
                for (table, index) in self.large.iter().zip(large_indices(cells)) {
                    sum += S::from(table[index]);
                }
                for (table, index) in self.small.iter().zip(small_indices(cells)) {
                    sum += S::from(table[index]);
                }
                sum
            },
        );
        let mut total = S::default();
        for sum in sums {
            total += sum;
        }
        total
    }
}

/// The exponents as the network sees them: the tiles beyond 32768 look like it.
#[inline(always)]
pub fn cells(board: Board) -> u64 {
    if board.fifth_bits() == 0 { board.nibbles() } else { clipped(board) }
}

#[cold]
fn clipped(board: Board) -> u64 {
    (0..16).fold(0, |cells, cell| cells | u64::from(board.exponent(cell).min(15)) << (4 * cell))
}

/// The places in the tables of six cells: a row and a half at the edge, the same inside, a rectangle of two
/// by three in the corner, the same inside.
#[inline(always)]
pub fn large_indices(cells: u64) -> [usize; LARGE_TUPLES] {
    let run = |cells: u64| (cells & 0xFF_FFFF) as usize;
    let rectangle = |cells: u64| (cells & 0xFFF | cells >> 4 & 0xFF_F000) as usize;
    [run(cells), run(cells >> 16), rectangle(cells), rectangle(cells >> 16)]
}

/// The places in the tables of four cells: the row at the edge, the row inside, the squares in the corner,
/// at the edge and in the middle.
#[inline(always)]
pub fn small_indices(cells: u64) -> [usize; SMALL_TUPLES] {
    let row = |cells: u64| (cells & 0xFFFF) as usize;
    let square = |cells: u64| (cells & 0xFF | cells >> 8 & 0xFF00) as usize;
    [row(cells), row(cells >> 16), square(cells), square(cells >> 4), square(cells >> 20)]
}

/// The entry of the same table that is met whenever this one is, on the same board turned: the rectangle inside is its
/// own mirror image, so that half of its table repeats the other half.
#[inline(always)]
pub fn twin(table: usize, index: usize) -> usize {
    const RECTANGLE_INSIDE: usize = 3;
    if table == RECTANGLE_INSIDE { index >> 12 | (index & 0xFFF) << 12 } else { index }
}

/// The board in its eight orientations.
#[inline(always)]
pub fn symmetries(cells: u64) -> [u64; 8] {
    let across = transpose(cells);
    let (flipped, across_flipped) = (flip(cells), flip(across));
    [
        cells,
        mirror(cells),
        flipped,
        mirror(flipped),
        across,
        mirror(across),
        across_flipped,
        mirror(across_flipped),
    ]
}

/// Left and right exchanged.
#[inline(always)]
fn mirror(cells: u64) -> u64 {
    let swapped = (cells & 0x0F0F_0F0F_0F0F_0F0F) << 4 | cells >> 4 & 0x0F0F_0F0F_0F0F_0F0F;
    (swapped & 0x00FF_00FF_00FF_00FF) << 8 | swapped >> 8 & 0x00FF_00FF_00FF_00FF
}

/// Top and bottom exchanged.
#[inline(always)]
fn flip(cells: u64) -> u64 {
    let swapped = cells.rotate_left(32);
    (swapped & 0x0000_FFFF_0000_FFFF) << 16 | swapped >> 16 & 0x0000_FFFF_0000_FFFF
}

/// Rows and columns exchanged.
#[inline(always)]
fn transpose(cells: u64) -> u64 {
    let inner = (cells ^ cells >> 12) & 0x0000_F0F0_0000_F0F0;
    let cells = cells ^ inner ^ inner << 12;
    let outer = (cells ^ cells >> 24) & 0x0000_0000_FF00_FF00;
    cells ^ outer ^ outer << 24
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A board with a different exponent on every cell.
    const BOARD: u64 = 0xFEDC_BA98_7654_3210;

    #[test]
    fn the_orientations_are_those_of_the_square() {
        let all = symmetries(BOARD);
        let cell = |cells: u64, row: usize, column: usize| (cells >> (4 * (4 * row + column)) & 15) as usize;
        for (row, column) in (0..4).flat_map(|row| (0..4).map(move |column| (row, column))) {
            let (down, right) = (3 - row, 3 - column);
            let expected = [
                (row, column),
                (row, right),
                (down, column),
                (down, right),
                (column, row),
                (right, row),
                (column, down),
                (right, down),
            ];
            for (orientation, (row_there, column_there)) in all.into_iter().zip(expected) {
                assert_eq!(cell(orientation, row, column), 4 * row_there + column_there, "{orientation:x}");
            }
        }
    }

    #[test]
    fn a_board_is_worth_the_same_in_every_orientation() {
        let mut tables = Tables::filled(0i16);
        for (number, table) in tables.slices_mut().enumerate() {
            // Something different wherever this board looks.
            for cells in symmetries(BOARD) {
                let index = large_indices(cells).into_iter().chain(small_indices(cells)).nth(number);
                let index = index.expect("one for each table");
                table[index] = (index % 1009) as i16;
            }
        }
        let worth: i32 = tables.sum(BOARD);
        assert_ne!(worth, 0);
        for cells in symmetries(BOARD) {
            assert_eq!(tables.sum::<i32>(cells), worth);
        }
    }

    #[test]
    fn tuples_see_their_cells() {
        assert_eq!(large_indices(BOARD), [0x543210, 0x987654, 0x654210, 0xA98654]);
        assert_eq!(small_indices(BOARD), [0x3210, 0x7654, 0x5410, 0x6521, 0xA965]);
        let flipped = symmetries(BOARD)[2];
        let inside = large_indices(BOARD)[3];
        assert_eq!(twin(3, inside), large_indices(flipped)[3]);
        assert_eq!(twin(2, inside), inside);
    }

    #[test]
    fn tiles_beyond_the_tables_look_like_the_largest_in_them() {
        let board = Board::EMPTY.with_tile(0, 17).with_tile(5, 15).with_tile(6, 3);
        assert_eq!(cells(board), 0x0000_0000_03F0_000F);
    }
}
