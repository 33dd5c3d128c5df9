//! What Lines of Action asks of a set of squares beyond what [`Bits`] has.

use super::field::{DIRECTIONS, Directions};
use super::{bands, lanes};
use agon_board::{Bits, Rows};

/// The array whose elements `make` makes of their indices. A loop, because compilers do not always inline the
/// functions of arrays (`map`, `from_fn`), and these are wanted where moves are counted.
#[inline(always)]
pub(super) fn each<T: Copy + Default, const N: usize>(make: impl Fn(usize) -> T) -> [T; N] {
    let mut elements = [T::default(); N];
    for (index, element) in elements.iter_mut().enumerate() {
        *element = make(index);
    }
    elements
}

/// A set of squares on which Lines of Action can be played.
pub trait Grid: Bits {
    /// For each direction (right, left, down, up, down right, up left, down left, up right) the pieces of
    /// `own` that can move that way on `board`.
    fn movers(own: Self, enemy: Self, board: Self) -> [Self; 8];

    /// The squares of a row, column `c` as bit `c`.
    fn row(self, row: usize) -> u32;

    /// Adds a square that is not in the set, or takes out one that is.
    #[inline(always)]
    fn toggle(&mut self, square: usize) {
        *self = *self ^ Self::square(square);
    }

    /// Takes out a square, if it is in the set.
    #[inline(always)]
    fn remove(&mut self, square: usize) {
        *self = *self & !Self::square(square);
    }

    /// Turns the 2×2 block whose top left square is `corner` clockwise.
    #[inline(always)]
    fn rotate(&mut self, corner: usize) {
        let top_left = Self::square(corner);
        let (top_right, bottom_left) = (top_left.east(), top_left.south());
        let bottom_right = bottom_left.east();
        let set = *self;
        let turned = (set & top_left).east()
            | (set & top_right).south()
            | (set & bottom_right).west()
            | (set & bottom_left).north();
        *self = (set & !(top_left | top_right | bottom_left | bottom_right)) | turned;
    }
}

impl Grid for u64 {
    #[inline(always)]
    fn movers(own: Self, enemy: Self, board: Self) -> Directions<Self> {
        lanes::movers(own, enemy, board)
    }

    #[inline(always)]
    fn row(self, row: usize) -> u32 {
        (self >> (row * Self::STRIDE)) as u32 & ((1 << Self::STRIDE) - 1)
    }
}

impl Grid for u128 {
    #[inline(always)]
    fn movers(own: Self, enemy: Self, board: Self) -> Directions<Self> {
        Self::run_outlined_if_wide(
            #[inline(always)]
            || {
                let movers = bands::movers(to_rows(own), to_rows(enemy), to_rows(board));
                each(
                    #[inline(always)]
                    |direction| from_rows(movers[direction]),
                )
            },
        )
    }

    #[inline(always)]
    fn row(self, row: usize) -> u32 {
        (self >> (row * STRIDE)) as u32 & ((1 << STRIDE) - 1)
    }
}

impl Grid for Rows {
    #[inline(always)]
    fn movers(own: Self, enemy: Self, board: Self) -> Directions<Self> {
        Self::run_outlined_if_wide(
            #[inline(always)]
            || {
                let mut whole = [Self::EMPTY; DIRECTIONS];
                // On half the rows it takes a third of the time.
                if board.0[16] == 0 {
                    let movers = bands::movers(upper_half(own), upper_half(enemy), upper_half(board));
                    for direction in 0..DIRECTIONS {
                        whole[direction].0[..16].copy_from_slice(&movers[direction]);
                    }
                } else {
                    let movers = bands::movers(own.0, enemy.0, board.0);
                    for direction in 0..DIRECTIONS {
                        whole[direction].0 = movers[direction];
                    }
                }
                whole
            },
        )
    }

    #[inline(always)]
    fn row(self, row: usize) -> u32 {
        self.0[row]
    }

    #[inline(always)]
    fn toggle(&mut self, square: usize) {
        let (row, column) = Self::row_column(square);
        self.0[row] ^= 1 << column;
    }

    #[inline(always)]
    fn remove(&mut self, square: usize) {
        let (row, column) = Self::row_column(square);
        self.0[row] &= !(1 << column);
    }

    #[inline(always)]
    fn rotate(&mut self, corner: usize) {
        let (row, column) = Self::row_column(corner);
        let (top, bottom) = (self.0[row] >> column & 3, self.0[row + 1] >> column & 3);
        self.0[row] ^= (top ^ (bottom & 1 | (top & 1) << 1)) << column;
        self.0[row + 1] ^= (bottom ^ (bottom >> 1 | top & 2)) << column;
    }
}

/// Squares from one row of a double word to the next.
const STRIDE: usize = <u128 as Bits>::STRIDE;

/// The rows of a board of one double word.
#[inline(always)]
fn to_rows(set: u128) -> [u32; 16] {
    each(
        #[inline(always)]
        |row| if row < STRIDE { set.row(row) } else { 0 },
    )
}

/// The first sixteen rows.
#[inline(always)]
fn upper_half(set: Rows) -> [u32; 16] {
    each(
        #[inline(always)]
        |row| set.0[row],
    )
}

/// The board of one double word that has these rows.
#[inline(always)]
fn from_rows(rows: [u32; 16]) -> u128 {
    (0..STRIDE).fold(0, |set, row| set | u128::from(rows[row]) << (row * STRIDE))
}

#[cfg(test)]
mod tests {
    use agon_core::Player;
    use agon_core::random::{below, seeded};

    use super::super::Position;
    use super::super::field::Field;
    use super::*;

    /// Boards of every density; on the fullest, whole lines are taken.
    fn random_boards<B: Grid>(size: usize) -> impl Iterator<Item = (B, B)> {
        let mut rng = seeded(size as u64);
        (0..300).map(move |board| {
            let mut sides = [B::EMPTY; 2];
            B::board(size).for_each(|square| {
                if below(&mut rng, 12) <= board % 12 {
                    sides[below(&mut rng, 2) as usize].toggle(square);
                }
            });
            (sides[0], sides[1])
        })
    }

    /// All moves at once against each move by itself.
    fn movers_are_those_with_a_move<B: Grid>(size: usize) {
        let field = Field::<B>::new(size);
        for (own, enemy) in random_boards::<B>(size) {
            let position = Position { own, enemy, ply: 0, turn: Player(0) };
            for (direction, movers) in B::movers(own, enemy, field.squares).into_iter().enumerate() {
                let mut expected = B::EMPTY;
                own.for_each(|from| {
                    if let Some(to) = field.landing_if_legal(&position, from, direction) {
                        expected.toggle(from);
                        assert_eq!(field.landing(&position, from, direction), to);
                    }
                });
                assert_eq!(movers, expected, "size {size}, direction {direction}: {own:?} {enemy:?}");
            }
        }
    }

    /// The operations on single squares, by their definitions.
    fn squares_are_handled_one_by_one<B: Grid>(size: usize) {
        for (set, _) in random_boards::<B>(size) {
            let mut rank = 0;
            set.for_each(|square| {
                assert_eq!(set.nth(rank), square);
                let (row, column) = B::row_column(square);
                assert_eq!(set.row(row) >> column & 1, 1);
                let mut without = set;
                without.remove(square);
                assert!(!without.contains(square) && without.count() == set.count() - 1);
                without.remove(square);
                without.toggle(square);
                assert_eq!(without, set);
                rank += 1;
            });
            B::board(size - 1).for_each(|corner| {
                let mut turned = set;
                turned.rotate(corner);
                let clockwise = [corner, corner + 1, corner + B::STRIDE + 1, corner + B::STRIDE];
                let mut expected = set;
                for (index, &to) in clockwise.iter().enumerate() {
                    let from = clockwise[(index + 3) % 4];
                    if set.contains(from) != set.contains(to) {
                        expected.toggle(to);
                    }
                }
                assert_eq!(turned, expected, "size {size}, corner {corner}: {set:?}");
            });
        }
    }

    fn holds_on<B: Grid>(sizes: &[usize]) {
        for &size in sizes {
            movers_are_those_with_a_move::<B>(size);
            squares_are_handled_one_by_one::<B>(size);
        }
    }

    #[test]
    fn words_of_eight_rows_hold() {
        holds_on::<u64>(&[5, 6, 7, 8]);
    }

    #[test]
    fn double_words_hold() {
        holds_on::<u128>(&[9, 10, 11]);
    }

    #[test]
    fn rows_hold() {
        holds_on::<Rows>(&[12, 13, 16, 17, 29, 30]);
    }
}
