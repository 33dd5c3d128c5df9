//! The board: sixteen exponents, how they slide, which slides there are, which cells are empty.
//!
//! Cell (row, column) is nibble `4 * row + column` of one `u64`, which holds exponents up to 15 (tile
//! 32768). The two larger tiles need a fifth bit; it lives in a plane of its own that is zero in practically
//! every position, so that the fast paths test for that once and leave the rest to exact code that is
//! slow and marked `cold`.

use super::rows::{self, Entry, LARGEST, TABLES};

/// The lowest bit of every nibble.
const CELLS: u64 = 0x1111_1111_1111_1111;
/// Those of the cells that have a neighbour to the right.
const HAVE_RIGHT: u64 = 0x0111_0111_0111_0111;
/// Those of the cells that have a neighbour below.
const HAVE_BELOW: u64 = 0x0000_1111_1111_1111;

/// A way to slide the tiles: a move of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Direction {
    /// Towards column 0.
    Left,
    /// Towards column 3.
    Right,
    /// Towards row 0.
    Up,
    /// Towards row 3.
    Down,
}

impl Direction {
    /// All four, in the order in which moves are listed.
    pub const ALL: [Self; 4] = [Self::Left, Self::Right, Self::Up, Self::Down];

    /// Its name, which is how the move is written.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Left => "left",
            Self::Right => "right",
            Self::Up => "up",
            Self::Down => "down",
        }
    }

    #[inline(always)]
    fn is_vertical(self) -> bool {
        self as u8 & 2 != 0
    }

    #[inline(always)]
    fn is_to_high_end(self) -> bool {
        self as u8 & 1 != 0
    }
}

/// A set of directions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Directions(u8);

impl Directions {
    /// No direction.
    pub const NONE: Self = Self(0);

    /// For each set its members in order; the places behind the last one are never asked for.
    const MEMBERS: [[Direction; 4]; 16] = {
        let mut members = [[Direction::Left; 4]; 16];
        let mut set = 0;
        while set < 16 {
            let (mut direction, mut count) = (0, 0);
            while direction < 4 {
                if set >> direction & 1 != 0 {
                    members[set][count] = Direction::ALL[direction];
                    count += 1;
                }
                direction += 1;
            }
            set += 1;
        }
        members
    };

    /// How many there are.
    #[inline(always)]
    pub fn count(self) -> u64 {
        u64::from(self.0.count_ones())
    }

    /// Whether there is none.
    #[inline(always)]
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether `direction` is one of them.
    #[inline(always)]
    pub fn contains(self, direction: Direction) -> bool {
        self.0 >> direction as u8 & 1 != 0
    }

    /// The direction at `index`, which is below [`count`](Self::count).
    #[inline(always)]
    pub fn nth(self, index: u64) -> Direction {
        debug_assert!(index < self.count());
        Self::MEMBERS[usize::from(self.0 & 15)][index as usize & 3]
    }
}

/// A tile that appears, a draw of chance: the nibbles of a board that has no other tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Tile(u64);

impl Tile {
    /// A 2 (exponent 1) or a 4 (exponent 2) on a cell.
    #[inline(always)]
    pub(super) fn new(cell: usize, exponent: u8) -> Self {
        debug_assert!(cell < 16 && (1..=2).contains(&exponent));
        Self(u64::from(exponent) << (4 * cell))
    }

    /// Where it appears: `4 * row + column`.
    #[inline(always)]
    pub fn cell(self) -> usize {
        self.0.trailing_zeros() as usize / 4
    }

    /// Its exponent of two: 1 for a 2, 2 for a 4.
    #[inline(always)]
    pub fn exponent(self) -> u8 {
        (self.0 >> (4 * self.cell())) as u8
    }
}

/// Sixteen cells, each empty or with a tile.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Board {
    nibbles: u64,
    fifth: u16,
}

impl Board {
    /// No tile.
    pub const EMPTY: Self = Self { nibbles: 0, fifth: 0 };

    /// The low four bits of every cell's exponent, cell 0 (the top left) lowest, row by row.
    #[inline(always)]
    pub fn nibbles(self) -> u64 {
        self.nibbles
    }

    /// The fifth bit of every cell's exponent: set for the tiles 65536 and 131072.
    #[inline(always)]
    pub fn fifth_bits(self) -> u16 {
        self.fifth
    }

    /// The exponent of a cell's tile, 0 if it is empty. A cell is `4 * row + column`.
    #[inline(always)]
    pub fn exponent(self, cell: usize) -> u8 {
        (self.nibbles >> (4 * cell) & 15) as u8 | ((self.fifth >> cell & 1) as u8) << 4
    }

    /// The board with a tile put on an empty cell.
    #[inline(always)]
    #[must_use]
    pub fn with_tile(self, cell: usize, exponent: u8) -> Self {
        debug_assert!(exponent <= LARGEST && self.exponent(cell) == 0);
        Self {
            nibbles: self.nibbles | u64::from(exponent & 15) << (4 * cell),
            fifth: self.fifth | u16::from(exponent >> 4) << cell,
        }
    }

    /// The board with a tile that has appeared on an empty cell.
    #[inline(always)]
    #[must_use]
    pub fn with_new(self, tile: Tile) -> Self {
        debug_assert!(self.exponent(tile.cell()) == 0);
        Self { nibbles: self.nibbles | tile.0, ..self }
    }

    /// The exponent of the largest tile, 0 on an empty board.
    pub fn largest(self) -> u8 {
        (0..16).map(|cell| self.exponent(cell)).max().unwrap_or(0)
    }

    /// The cells that hold a tile: the lowest bit of each one's nibble.
    #[inline(always)]
    fn tiles(self) -> u64 {
        let low = any_bit(self.nibbles);
        if self.fifth == 0 { low } else { low | spread(self.fifth) }
    }

    /// The empty cells: the lowest bit of each one's nibble.
    #[inline(always)]
    fn empty(self) -> u64 {
        self.tiles() ^ CELLS
    }

    /// How many cells are empty.
    #[inline(always)]
    pub fn count_empty(self) -> u64 {
        u64::from(self.empty().count_ones())
    }

    /// The tile that `number`, evenly distributed over all `u64`, lets appear; there is an empty cell.
    ///
    /// One number decides both where and what: of the empty cells, ten parts each, it picks one part, the
    /// first part of a cell being a 4 and the other nine a 2. In one multiplication: the upper half of the
    /// product is the cell, the lower half how far into the cell the number points.
    #[inline(always)]
    pub fn draw(self, number: u64) -> Tile {
        debug_assert!(self.count_empty() > 0);
        let product = u128::from(number) * u128::from(self.count_empty());
        let is_four = product as u64 <= u64::MAX / 10;
        Tile(self.nth_empty((product >> 64) as u64) << u8::from(is_four))
    }

    /// The empty cell before which `index` others are empty, counted row by row from the top left, as
    /// the lowest bit of its nibble; `index` is below [`count_empty`](Self::count_empty).
    ///
    /// Without a loop, whose end no processor could predict: nibble n of the product is the number of
    /// empty cells up to cell n, and the cell sought is the first whose number exceeds `index`. The last
    /// nibble could overflow and is not looked at: if no other exceeds `index`, it is the one.
    #[inline(always)]
    fn nth_empty(self, index: u64) -> u64 {
        const BYTES: u64 = 0x0101_0101_0101_0101;
        let counts = self.empty().wrapping_mul(CELLS);
        // Bytes give the comparison room for its carry: even cells first, then odd ones.
        let threshold = (0x7F - index) * BYTES;
        let exceed = |counts: u64| ((counts & (0x0F * BYTES)) + threshold) & (0x80 * BYTES);
        let exceeding = exceed(counts) >> 7 | exceed(counts >> 4) >> 3 | 1 << 60;
        exceeding & exceeding.wrapping_neg()
    }

    /// Calls `visit` for every empty cell, row by row from the top left.
    #[inline(always)]
    pub fn for_each_empty(self, mut visit: impl FnMut(usize)) {
        let mut empty = self.empty();
        while empty != 0 {
            visit(empty.trailing_zeros() as usize / 4);
            empty &= empty - 1;
        }
    }

    /// The directions in which the tiles can slide.
    ///
    /// A slide changes the board if some tile's neighbour on that side is empty or its equal. All
    /// neighbours are compared at once.
    #[inline(always)]
    pub fn directions(self) -> Directions {
        if self.fifth != 0 {
            return self.directions_exactly();
        }
        let tiles = any_bit(self.nibbles);
        let (right, below) = (tiles >> 4, tiles >> 16);
        let unlike_right = any_bit(self.nibbles ^ self.nibbles >> 4);
        let unlike_below = any_bit(self.nibbles ^ self.nibbles >> 16);
        let left = right & HAVE_RIGHT & !(tiles & unlike_right) != 0;
        let to_right = tiles & HAVE_RIGHT & !(right & unlike_right) != 0;
        let up = below & !(tiles & unlike_below) != 0;
        let down = tiles & HAVE_BELOW & !(below & unlike_below) != 0;
        Directions(u8::from(left) | u8::from(to_right) << 1 | u8::from(up) << 2 | u8::from(down) << 3)
    }

    #[cold]
    #[inline(never)]
    fn directions_exactly(self) -> Directions {
        let can_slide = |direction: &Direction| self.slide_exactly(*direction).0 != self;
        let directions = Direction::ALL.into_iter().filter(can_slide);
        Directions(directions.fold(0, |set, direction| set | 1 << direction as u8))
    }

    /// Slides the tiles: the board that results, the same if nothing moves, and what the merges score.
    #[inline(always)]
    #[must_use]
    pub fn slide(self, direction: Direction) -> (Self, u32) {
        // Selected by masks: a branch on a direction that chance chose is mispredicted too often.
        let vertical = 0u64.wrapping_sub(u64::from(direction.is_vertical()));
        let select = |nibbles: u64| nibbles ^ (nibbles ^ transpose(nibbles)) & vertical;
        let lines = select(self.nibbles);
        let table = &TABLES[usize::from(direction.is_to_high_end())];
        let entries: [Entry; 4] = std::array::from_fn(|line| table[(lines >> (16 * line) & 0xFFFF) as usize]);
        if self.fifth != 0 || Entry::any_overflows(entries) {
            return self.slide_exactly(direction);
        }
        let lines = (0..4).fold(0, |lines, line| lines | entries[line].row() << (16 * line));
        let quarters: u32 = entries.iter().map(|entry| entry.quarter_gained()).sum();
        (Self { nibbles: select(lines), fifth: 0 }, 4 * quarters)
    }

    /// The slide cell by cell, for tiles of all sizes.
    #[cold]
    #[inline(never)]
    fn slide_exactly(self, direction: Direction) -> (Self, u32) {
        let mut board = Self::EMPTY;
        let mut gained = 0;
        for line in 0..4 {
            let cells: [usize; 4] = std::array::from_fn(|step| {
                let along = if direction.is_to_high_end() { 3 - step } else { step };
                if direction.is_vertical() { 4 * along + line } else { 4 * line + along }
            });
            let (exponents, line_gained) = rows::slide(cells.map(|cell| self.exponent(cell)));
            gained += line_gained;
            for (cell, exponent) in cells.into_iter().zip(exponents) {
                board = board.with_tile(cell, exponent);
            }
        }
        (board, gained)
    }
}

/// For each nibble whether any of its bits is set, as its lowest bit.
#[inline(always)]
fn any_bit(nibbles: u64) -> u64 {
    let pairs = nibbles | nibbles >> 2;
    (pairs | pairs >> 1) & CELLS
}

/// Bit n of a plane moved to the lowest bit of nibble n.
#[cold]
fn spread(plane: u16) -> u64 {
    (0..16).fold(0, |nibbles, cell| nibbles | u64::from(plane >> cell & 1) << (4 * cell))
}

/// Rows and columns exchanged: first within each quarter of the board, then the quarters themselves.
#[inline(always)]
fn transpose(nibbles: u64) -> u64 {
    let inner = (nibbles ^ nibbles >> 12) & 0x0000_F0F0_0000_F0F0;
    let nibbles = nibbles ^ inner ^ inner << 12;
    let outer = (nibbles ^ nibbles >> 24) & 0x0000_0000_FF00_FF00;
    nibbles ^ outer ^ outer << 24
}

#[cfg(test)]
mod tests {
    use agon_core::random::{RandomSource, below, scale, seeded};

    use super::*;

    /// Boards of all degrees of fullness and of all tiles, or of those up to `largest` only.
    fn random_boards(largest: u8) -> impl Iterator<Item = Board> {
        let mut rng = seeded(u64::from(largest));
        (0..20_000).map(move |_| {
            let fullness = below(&mut rng, 17);
            // Few kinds of tiles, so that many are equal.
            let least = below(&mut rng, u64::from(largest)) as u8 + 1;
            (0..16).fold(Board::EMPTY, |board, cell| {
                if below(&mut rng, 16) >= fullness {
                    return board;
                }
                let exponent = least + below(&mut rng, u64::from(largest - least + 1).min(4)) as u8;
                board.with_tile(cell, exponent)
            })
        })
    }

    #[test]
    fn tables_and_masks_agree_with_the_slide_cell_by_cell() {
        for board in random_boards(15).chain(random_boards(LARGEST)) {
            for direction in Direction::ALL {
                assert_eq!(
                    board.slide(direction),
                    board.slide_exactly(direction),
                    "{board:x?} {}",
                    direction.name()
                );
            }
            assert_eq!(board.directions(), board.directions_exactly(), "{board:x?}");
        }
    }

    #[test]
    fn empty_cells_are_found_in_order() {
        for board in random_boards(LARGEST).chain([Board::EMPTY]) {
            let expected: Vec<usize> = (0..16).filter(|&cell| board.exponent(cell) == 0).collect();
            let mut visited = Vec::new();
            board.for_each_empty(|cell| visited.push(cell));
            assert_eq!(visited, expected);
            assert_eq!(board.count_empty(), expected.len() as u64);
            for (index, &cell) in expected.iter().enumerate() {
                assert_eq!(board.nth_empty(index as u64), 1 << (4 * cell), "{board:x?}");
            }
        }
    }

    #[test]
    fn a_number_picks_one_part_in_ten_of_one_empty_cell() {
        let mut rng = seeded(1);
        for board in random_boards(LARGEST).filter(|board| board.count_empty() > 0) {
            let parts = 10 * board.count_empty();
            // Any number, and those next to where a part begins.
            let edge = (u128::from(below(&mut rng, parts)) << 64).div_ceil(u128::from(parts)) as u64;
            for number in [rng.next_u64(), edge, edge.wrapping_sub(1), 0, u64::MAX] {
                let part = scale(number, parts);
                let exponent = if part.is_multiple_of(10) { 2 } else { 1 };
                let cell = board.nth_empty(part / 10).trailing_zeros() as usize / 4;
                let tile = board.draw(number);
                assert_eq!(tile, Tile::new(cell, exponent), "{board:x?} {number}");
                assert_eq!((tile.cell(), tile.exponent()), (cell, exponent));
                assert_eq!(board.with_new(tile), board.with_tile(cell, exponent));
            }
        }
    }

    #[test]
    fn sets_of_directions_list_their_members() {
        for set in (0..16).map(Directions) {
            let members: Vec<Direction> =
                Direction::ALL.into_iter().filter(|&direction| set.contains(direction)).collect();
            let listed: Vec<Direction> = (0..set.count()).map(|index| set.nth(index)).collect();
            assert_eq!(listed, members);
            assert_eq!(set.is_empty(), members.is_empty());
        }
    }
}
