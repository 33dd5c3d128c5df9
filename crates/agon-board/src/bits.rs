//! Sets of squares as bits, in three sizes: one `u64` up to 8×8, one `u128` up to 11×11, and
//! [`Rows`] up to 32×32. A game generic over [`Bits`] is written once and compiled three times.
//!
//! Square (row, column) is bit `row * STRIDE + column`, whatever the board's own size, so that shifts
//! are constants. A board smaller than the layout keeps to its part by [`Bits::board`].

use std::convert::Infallible;
use std::fmt::Debug;
use std::ops::{BitAnd, BitOr, BitXor, ControlFlow, Not};

use agon_core::cpu;

/// A set of squares of a square board.
pub trait Bits:
    Copy
    + Eq
    + Debug
    + Send
    + Sync
    + 'static
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Not<Output = Self>
{
    /// Squares from one row of the layout to the next.
    const STRIDE: usize;
    /// The side of the largest board that fits.
    const MAX_SIZE: usize;
    /// No square.
    const EMPTY: Self;

    /// The set of one square.
    fn square(index: usize) -> Self;

    /// Whether the square is in the set.
    fn contains(self, index: usize) -> bool;

    /// Whether the set has no square.
    fn is_empty(self) -> bool;

    /// How many squares the set has.
    fn count(self) -> u32;

    /// The lowest square; meaningless for the empty set.
    fn lowest(self) -> usize;

    /// The set without its lowest square.
    fn without_lowest(self) -> Self;

    /// The square that has `count` lower ones in the set; meaningless if there is none.
    #[inline(always)]
    fn nth(self, count: u32) -> usize {
        (0..count).fold(self, |rest, _| rest.without_lowest()).lowest()
    }

    /// Every square one column to the right; those of the last column fall off.
    fn east(self) -> Self;

    /// Every square one column to the left; those of the first column fall off.
    fn west(self) -> Self;

    /// Every square one row down; those of the last row of the layout fall off.
    fn south(self) -> Self;

    /// Every square one row up; those of the first row fall off.
    fn north(self) -> Self;

    /// Folds the set into a hash.
    fn hash_into(self, state: u64) -> u64;

    /// The squares of a board of `size` × `size`.
    fn board(size: usize) -> Self {
        debug_assert!(size <= Self::MAX_SIZE);
        let mut board = Self::EMPTY;
        for row in 0..size {
            for column in 0..size {
                board = board | Self::square(Self::index(row, column));
            }
        }
        board
    }

    /// The bit of a square.
    #[inline(always)]
    fn index(row: usize, column: usize) -> usize {
        row * Self::STRIDE + column
    }

    /// The row and column of a bit.
    #[inline(always)]
    fn row_column(index: usize) -> (usize, usize) {
        (index / Self::STRIDE, index % Self::STRIDE)
    }

    /// Runs `body`, a step of many operations on sets: inlined where a set is one word, and through
    /// [`cpu::run_outlined`] where it is more, so that it is compiled once and not into every loop.
    fn run_outlined_if_wide<T>(body: impl FnOnce() -> T) -> T;

    /// Calls `visit` for every square from the lowest on, until it breaks.
    #[inline(always)]
    fn try_for_each<T>(self, mut visit: impl FnMut(usize) -> ControlFlow<T>) -> ControlFlow<T> {
        let mut rest = self;
        while !rest.is_empty() {
            visit(rest.lowest())?;
            rest = rest.without_lowest();
        }
        ControlFlow::Continue(())
    }

    /// Calls `visit` for every square from the lowest on.
    #[inline(always)]
    fn for_each(self, mut visit: impl FnMut(usize)) {
        let ControlFlow::Continue(()) = self.try_for_each(
            #[inline(always)]
            |square| -> ControlFlow<Infallible> {
                visit(square);
                ControlFlow::Continue(())
            },
        );
    }

    /// The set and all its neighbours in eight directions. Squares beyond a board smaller than the
    /// layout are included: intersect with [`Bits::board`].
    #[inline(always)]
    fn dilate(self) -> Self {
        let wide = self | self.east() | self.west();
        wide | wide.north() | wide.south()
    }
}

#[inline(always)]
fn in_place<T>(body: impl FnOnce() -> T) -> T {
    body()
}

macro_rules! impl_bits_for_word {
    ($word:ty, $stride:literal, $run:expr) => {
        impl Bits for $word {
            const STRIDE: usize = $stride;
            const MAX_SIZE: usize = $stride;
            const EMPTY: Self = 0;

            #[inline(always)]
            fn run_outlined_if_wide<T>(body: impl FnOnce() -> T) -> T {
                $run(body)
            }

            #[inline(always)]
            fn square(index: usize) -> Self {
                1 << index
            }

            #[inline(always)]
            fn contains(self, index: usize) -> bool {
                self >> index & 1 != 0
            }

            #[inline(always)]
            fn is_empty(self) -> bool {
                self == 0
            }

            #[inline(always)]
            fn count(self) -> u32 {
                self.count_ones()
            }

            #[inline(always)]
            fn lowest(self) -> usize {
                self.trailing_zeros() as usize
            }

            #[inline(always)]
            fn without_lowest(self) -> Self {
                self & self.wrapping_sub(1)
            }

            #[inline(always)]
            fn east(self) -> Self {
                (self << 1) & !FIRST_COLUMN
            }

            #[inline(always)]
            fn west(self) -> Self {
                (self & !FIRST_COLUMN) >> 1
            }

            #[inline(always)]
            fn south(self) -> Self {
                (self << $stride) & ALL
            }

            #[inline(always)]
            fn north(self) -> Self {
                self >> $stride
            }

            #[inline(always)]
            fn hash_into(self, state: u64) -> u64 {
                (0..Self::BITS)
                    .step_by(64)
                    .fold(state, |state, shift| agon_core::random::mix(state, (self >> shift) as u64))
            }
        }

        const ALL: $word = if $stride * $stride == <$word>::BITS {
            <$word>::MAX
        } else {
            (1 << ($stride * $stride % <$word>::BITS)) - 1
        };

        const FIRST_COLUMN: $word = {
            let (mut mask, mut row) = (0, 0);
            // Also of the row below the layout, where the last square would go instead of falling off.
            while row * $stride < <$word>::BITS {
                mask |= 1 << (row * $stride);
                row += 1;
            }
            mask
        };
    };
}

mod word64 {
    use super::Bits;
    impl_bits_for_word!(u64, 8, super::in_place);
}

mod word128 {
    use super::Bits;
    impl_bits_for_word!(u128, 11, agon_core::cpu::run_outlined);
}

/// A set of squares of a board up to 32×32: one word a row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(align(32))]
pub struct Rows(pub [u32; 32]);

impl Rows {
    // Loops over indices, here and below, because compilers do not always inline the functions of arrays and slices
    // (`map`, `zip`, `copy_from_slice`).
    #[inline(always)]
    fn map(mut self, each: impl Fn(u32) -> u32) -> Self {
        for row in &mut self.0 {
            *row = each(*row);
        }
        self
    }

    #[inline(always)]
    fn zip(mut self, other: Self, each: impl Fn(u32, u32) -> u32) -> Self {
        for row in 0..self.0.len() {
            self.0[row] = each(self.0[row], other.0[row]);
        }
        self
    }
}

impl BitAnd for Rows {
    type Output = Self;
    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        self.zip(other, |a, b| a & b)
    }
}

impl BitOr for Rows {
    type Output = Self;
    #[inline(always)]
    fn bitor(self, other: Self) -> Self {
        self.zip(other, |a, b| a | b)
    }
}

impl BitXor for Rows {
    type Output = Self;
    #[inline(always)]
    fn bitxor(self, other: Self) -> Self {
        self.zip(other, |a, b| a ^ b)
    }
}

impl Not for Rows {
    type Output = Self;
    #[inline(always)]
    fn not(self) -> Self {
        self.map(|row| !row)
    }
}

impl Bits for Rows {
    const STRIDE: usize = 32;
    const MAX_SIZE: usize = 32;
    const EMPTY: Self = Self([0; 32]);

    #[inline(always)]
    fn run_outlined_if_wide<T>(body: impl FnOnce() -> T) -> T {
        cpu::run_outlined(body)
    }

    #[inline(always)]
    fn square(index: usize) -> Self {
        let mut rows = Self::EMPTY;
        rows.0[index / 32] = 1 << (index % 32);
        rows
    }

    #[inline(always)]
    fn contains(self, index: usize) -> bool {
        self.0[index / 32] >> (index % 32) & 1 != 0
    }

    #[inline(always)]
    fn is_empty(self) -> bool {
        self.0.iter().fold(0, |all, row| all | row) == 0
    }

    #[inline(always)]
    fn count(self) -> u32 {
        self.0.iter().map(|row| row.count_ones()).sum()
    }

    #[inline(always)]
    fn lowest(self) -> usize {
        let row = self.0.iter().position(|&row| row != 0).unwrap_or(0);
        row * 32 + self.0[row].trailing_zeros() as usize
    }

    #[inline(always)]
    fn without_lowest(mut self) -> Self {
        if let Some(row) = self.0.iter_mut().find(|row| **row != 0) {
            *row &= row.wrapping_sub(1);
        }
        self
    }

    #[inline(always)]
    fn nth(self, count: u32) -> usize {
        let mut left = count;
        for (row, &squares) in self.0.iter().enumerate() {
            let here = squares.count_ones();
            if left < here {
                let rest = (0..left).fold(squares, |rest, _| rest & (rest - 1));
                return row * 32 + rest.trailing_zeros() as usize;
            }
            left -= here;
        }
        0
    }

    #[inline(always)]
    fn east(self) -> Self {
        self.map(|row| row << 1)
    }

    #[inline(always)]
    fn west(self) -> Self {
        self.map(|row| row >> 1)
    }

    #[inline(always)]
    fn south(self) -> Self {
        let mut rows = Self::EMPTY;
        for row in 1..32 {
            rows.0[row] = self.0[row - 1];
        }
        rows
    }

    #[inline(always)]
    fn north(self) -> Self {
        let mut rows = Self::EMPTY;
        for row in 1..32 {
            rows.0[row - 1] = self.0[row];
        }
        rows
    }

    #[inline(always)]
    fn hash_into(self, state: u64) -> u64 {
        Self::run_outlined_if_wide(|| {
            self.0.chunks_exact(2).fold(state, |state, pair| {
                agon_core::random::mix(state, u64::from(pair[0]) << 32 | u64::from(pair[1]))
            })
        })
    }

    #[inline(always)]
    fn try_for_each<T>(self, mut visit: impl FnMut(usize) -> ControlFlow<T>) -> ControlFlow<T> {
        for (row, &squares) in self.0.iter().enumerate() {
            let mut rest = squares;
            while rest != 0 {
                visit(row * 32 + rest.trailing_zeros() as usize)?;
                rest &= rest - 1;
            }
        }
        ControlFlow::Continue(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every operation against the same thing done square by square.
    fn agrees_with_squares<B: Bits>() {
        let size = B::MAX_SIZE;
        let mut set = B::EMPTY;
        for step in 0..size * size / 3 {
            let square = step * 7919 % (size * size);
            set = set | B::square(B::index(square / size, square % size));
        }
        let has = |set: B, row: isize, column: isize| {
            let inside = 0..size as isize;
            inside.contains(&row)
                && inside.contains(&column)
                && set.contains(B::index(row as usize, column as usize))
        };
        let mut squares = Vec::new();
        for row in 0..size as isize {
            for column in 0..size as isize {
                assert_eq!(has(set.east(), row, column), has(set, row, column - 1));
                assert_eq!(has(set.west(), row, column), has(set, row, column + 1));
                assert_eq!(has(set.south(), row, column), has(set, row - 1, column));
                assert_eq!(has(set.north(), row, column), has(set, row + 1, column));
                let near = (-1..=1).any(|down| (-1..=1).any(|right| has(set, row + down, column + right)));
                assert_eq!(has(set.dilate(), row, column), near);
                assert_ne!(has(!set, row, column), has(set, row, column));
                if has(set, row, column) {
                    squares.push(B::index(row as usize, column as usize));
                }
            }
        }
        let mut visited = Vec::new();
        set.for_each(|square| visited.push(square));
        assert_eq!(visited, squares);
        assert_eq!(set.count() as usize, squares.len());
        assert_eq!(set.lowest(), squares[0]);
        for (count, &square) in squares.iter().enumerate() {
            assert_eq!(set.nth(count as u32), square);
        }
        assert_eq!(set.without_lowest() | B::square(squares[0]), set);
        assert!(!set.is_empty() && B::EMPTY.is_empty());
        assert_eq!(set ^ B::square(squares[0]), set.without_lowest());
        assert_eq!(B::board(size).count() as usize, size * size);
        assert_eq!(B::board(4).count(), 16);
        let last_column = (0..size).fold(B::EMPTY, |set, row| set | B::square(B::index(row, size - 1)));
        assert!(last_column.east().is_empty(), "the last square falls off too");
        assert_ne!(set.hash_into(0), set.without_lowest().hash_into(0));
    }

    #[test]
    fn all_three_sizes_agree_with_squares() {
        agrees_with_squares::<u64>();
        agrees_with_squares::<u128>();
        agrees_with_squares::<Rows>();
    }
}
