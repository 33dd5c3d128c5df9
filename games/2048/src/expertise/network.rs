//! The n-tuple network: what a board of 2048 is worth right after a slide, read from tables.
//!
//! A tuple is a set of cells; the exponents on them, four bits each, are an index into the tuple's table.
//! The value of a board is the sum of all its tuples' entries over the eight ways to turn and mirror it, which
//! share the tables (Szubert & Jaśkowski 2014, <https://doi.org/10.1109/CIG.2014.6932907>). The four tuples of
//! six cells are those of Yeh et al. 2016 (<https://arxiv.org/abs/1606.07374>). The five small tuples repeat part
//! of what the large ones see, "redundant encoding" (Jaśkowski 2018, <https://arxiv.org/abs/1604.05085>): their
//! entries are met often and so learn early.
//!
//! Boards with a tile of 16384 or more have tables of their own, a second stage (Yeh et al. 2016), and are seen in a way of
//! their own: see [`view`].
//!
//! The cells of every tuple are runs of neighbours in a row, so that an index takes two masks and a shift.

use std::ops::AddAssign;

use crate::Board;
use agon_core::memory;

/// How many tuples have six cells.
pub const LARGE_TUPLES: usize = 4;
/// How many tuples have four cells.
pub const SMALL_TUPLES: usize = 5;
/// How many tables a stage has, one for each tuple, the large ones first.
pub const TABLES: usize = LARGE_TUPLES + SMALL_TUPLES;
/// Entries of a tuple of six cells.
pub const LARGE: usize = 1 << 24;
/// Entries of a tuple of four cells.
pub const SMALL: usize = 1 << 16;
/// How many entries are summed for one board.
pub const LOOKUPS: usize = 8 * TABLES;

/// How many stages a game has, each with tables of its own.
pub const STAGES: usize = 2;

/// A board as the network sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct View {
    /// Which tables judge it: the second ones once there is a tile of 16384.
    pub stage: usize,
    /// The exponents, with what the second stage makes of large ones.
    pub cells: u64,
}

/// The largest exponent of the first stage, that of 8192. The second stage sees no larger ones either if it can help it.
const LARGEST_SEEN: u32 = 13;
/// The smallest exponent that may be missing under tiles that are seen as one smaller: smaller ones come and go all the time.
const LEAST_GAP: u32 = 6;

/// How the network sees a board.
///
/// As long as no 4096 is there, 16384 and 8192 stand in the way of the smaller tiles exactly as 8192 and 4096 would, which the
/// network has met far more often. So the second stage sees tiles above a gap as one smaller, by the highest gaps first,
/// until none is larger than 8192: tile-downgrading (Guei et al. 2021, <https://arxiv.org/abs/2111.11090>), in learning as in play.
#[inline(always)]
pub fn view(board: Board) -> View {
    /// The highest bit of every cell.
    const HIGHEST: u64 = 0x8888_8888_8888_8888;
    let cells = board.nibbles();
    // The exponents 14 and 15 are those whose three upper bits are set.
    let is_late = cells & cells << 1 & cells << 2 & HIGHEST != 0 || board.fifth_bits() != 0;
    if is_late { View { stage: 1, cells: downgraded(board) } } else { View { stage: 0, cells } }
}

/// The exponents of a board with a tile of 16384 or more, with those above gaps one smaller.
#[inline(never)]
fn downgraded(board: Board) -> u64 {
    if board.fifth_bits() != 0 {
        return downgraded_exactly(board);
    }
    let mut cells = board.nibbles();
    let present = (0..16).fold(0u32, |present, cell| present | 1 << (cells >> (4 * cell) & 15));
    for_each_gap(present, |gap| {
        /// The lowest bit of every byte.
        const BYTES: u64 = 0x0101_0101_0101_0101;
        // Each nibble in a byte of its own: the carry of the addition says which ones are above the gap.
        let add = u64::from(15 - gap) * BYTES;
        let is_above = |nibbles: u64| ((nibbles & (0x0F * BYTES)) + add) >> 4 & BYTES;
        cells -= is_above(cells) | is_above(cells >> 4) << 4;
    });
    cells
}

/// The same cell by cell, for tiles beyond 32768.
#[cold]
fn downgraded_exactly(board: Board) -> u64 {
    let mut exponents: [u32; 16] = std::array::from_fn(|cell| board.exponent(cell).into());
    for_each_gap(exponents.iter().fold(0, |present, exponent| present | 1 << exponent), |gap| {
        for exponent in exponents.iter_mut().filter(|exponent| **exponent > gap) {
            *exponent -= 1;
        }
    });
    (0..16).fold(0, |cells, cell| cells | u64::from(exponents[cell].min(15)) << (4 * cell))
}

/// Calls `close` with the exponents that are missing, from the highest on, until closing the gaps has brought the largest one down to
/// [`LARGEST_SEEN`]; `present` has a bit for each exponent that is there.
#[inline(always)]
fn for_each_gap(present: u32, mut close: impl FnMut(u32)) {
    let largest = present.ilog2();
    let mut missing = !present & ((1 << largest) - 1) & !((1 << LEAST_GAP) - 1);
    for _ in LARGEST_SEEN..largest {
        if missing == 0 {
            return;
        }
        let gap = missing.ilog2();
        missing ^= 1 << gap;
        close(gap);
    }
}

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

/// How many entries the table of a tuple has.
pub fn entries(table: usize) -> usize {
    if table < LARGE_TUPLES { LARGE } else { SMALL }
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

    fn board(exponents: [u8; 16]) -> Board {
        (0..16).fold(Board::EMPTY, |board, cell| board.with_tile(cell, exponents[cell]))
    }

    fn seen(exponents: [u8; 16]) -> (usize, [u8; 16]) {
        let View { stage, cells } = view(board(exponents));
        (stage, std::array::from_fn(|cell| (cells >> (4 * cell) & 15) as u8))
    }

    #[test]
    fn the_first_stage_sees_boards_as_they_are() {
        let early = [13, 13, 11, 0, 7, 6, 5, 4, 0, 1, 2, 3, 12, 9, 0, 1];
        assert_eq!(seen(early), (0, early));
        for cell in 0..16 {
            for exponent in 0..=17 {
                // No run of bits in the neighbours may pass for one in a cell.
                let mut exponents = [13; 16];
                exponents[cell] = exponent;
                assert_eq!(view(board(exponents)).stage, usize::from(exponent >= 14), "{exponents:?}");
            }
        }
    }

    #[test]
    fn the_second_stage_sees_tiles_above_gaps_as_smaller() {
        let rest = [10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 0];
        let with = |large: [u8; 4]| {
            let mut exponents = [0; 16];
            exponents[..4].copy_from_slice(&large);
            exponents[4..].copy_from_slice(&rest);
            exponents
        };
        for (large, shown) in [
            ([14, 13, 11, 10], [13, 12, 11, 10]),
            ([14, 14, 13, 11], [13, 13, 12, 11]),
            ([15, 13, 12, 10], [13, 12, 11, 10]),
            ([15, 14, 13, 12], [14, 13, 12, 11]),
            ([16, 14, 13, 10], [13, 12, 11, 10]),
            ([17, 16, 15, 14], [15, 14, 13, 12]),
            ([14, 13, 12, 11], [14, 13, 12, 11]),
        ] {
            assert_eq!(seen(with(large)), (1, with(shown)), "{large:?}");
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
}
