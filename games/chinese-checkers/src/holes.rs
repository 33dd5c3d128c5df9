//! The star: its 121 holes, and sets of them in four words.
//!
//! A hop carries a marble two holes along a line, so a chain of hops never leaves the holes whose
//! two coordinates have the same parities as those of its start. There are four such *classes*, and
//! they take apart what makes the moves hard to count. A step always leaves its class and a chain
//! never does: no hole can be reached both ways. The hole that a hop crosses lies in another class
//! than the two it joins: it makes no difference to a chain that its own starting hole is empty
//! meanwhile, and all marbles of a class find the same hops.
//!
//! [`Holes`] gives each class a word. Within a word, hops are shifts by 1, 7 and 8, the same for every
//! class: one flood of shifts and masks follows a marble of every class at once, in one register of
//! 256 bits where there is one. Between words, neighbours are a swap of words and shifts again.

use std::convert::Infallible;
use std::ops::ControlFlow;

use std::fmt;
use std::hint::black_box;
use std::ops::{BitAnd, BitOr, BitXor, Not};

/// Rows of the star.
pub const ROWS: usize = 17;

/// Columns of the grid that the star lies on; the holes of a row are two columns apart.
pub const COLUMNS: usize = 25;

/// How many holes each row has.
pub const WIDTHS: [usize; ROWS] = [1, 2, 3, 4, 13, 12, 11, 10, 9, 10, 11, 12, 13, 4, 3, 2, 1];

/// Rows and columns from a hole to each of its neighbours: the three axes, then their opposites.
pub(super) const DIRECTIONS: [(isize, isize); 6] = [(0, 2), (1, -1), (1, 1), (0, -2), (-1, 1), (-1, -1)];

/// The bit of a hole moves by this much from one row of its class to the next.
const STRIDE: usize = 7;

/// The three directions in which bits grow; each has an opposite.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Axis {
    East,
    SouthWest,
    SouthEast,
}

impl Axis {
    pub(super) const ALL: [Self; 3] = [Self::East, Self::SouthWest, Self::SouthEast];

    /// How far a hop along the axis moves a bit within its word.
    #[inline(always)]
    const fn hop(self) -> usize {
        match self {
            Self::East => 1,
            Self::SouthWest => STRIDE,
            Self::SouthEast => STRIDE + 1,
        }
    }
}

/// A hole of the star: its class in the upper two bits, its bit in that word in the lower six.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Hole(u8);

impl Hole {
    /// The hole at a row and a column of the grid, if there is one.
    pub const fn at(row: usize, column: usize) -> Option<Self> {
        if row >= ROWS || column >= COLUMNS {
            return None;
        }
        let first = first_column(row);
        if column < first || column > COLUMNS - 1 - first || !(column - first).is_multiple_of(2) {
            return None;
        }
        // Slanted so that south-west keeps the column; the leftmost slanted column is 0.
        let slanted = (row + column) / 2 - 2;
        let class = slanted % 2 + row % 2 * 2;
        Some(Self((class * 64 + row / 2 * STRIDE + slanted / 2) as u8))
    }

    /// A hole of a row, counted from the left.
    pub(super) const fn in_row(row: usize, number: usize) -> Option<Self> {
        if row < ROWS { Self::at(row, first_column(row) + 2 * number) } else { None }
    }

    /// The hole this many rows down and columns to the right, if there is one.
    pub(super) const fn shifted(self, (down, right): (isize, isize)) -> Option<Self> {
        Self::at(self.row().wrapping_add_signed(down), self.column().wrapping_add_signed(right))
    }

    /// Its row, from 0 at the top.
    pub const fn row(self) -> usize {
        COORDINATES[self.index()].0 as usize
    }

    /// Its column, from 0 at the left.
    pub const fn column(self) -> usize {
        COORDINATES[self.index()].1 as usize
    }

    /// A number below 256, for tables.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The next hole along `axis`, unless the star ends here.
    #[inline(always)]
    pub(super) fn next(self, axis: Axis) -> Option<Self> {
        NEXT[axis as usize][self.index()]
    }

    /// Its up to six neighbours.
    #[inline(always)]
    pub fn neighbours(self) -> Holes {
        NEIGHBOURS[self.index()]
    }

    /// Steps from here to `other`, were there no edges and no marbles.
    pub const fn distance(self, other: Self) -> usize {
        let (rows, columns) = (self.row().abs_diff(other.row()), self.column().abs_diff(other.column()));
        rows + columns.saturating_sub(rows) / 2
    }

    /// The hole into which this one falls when the star is turned clockwise by `sixths` of a full
    /// turn: what one colour sees here is what the colour this many places on sees there.
    pub const fn turned(self, sixths: usize) -> Self {
        // Two of the three coordinates of a hexagonal grid around the middle; the third is minus their sum.
        let mut down = self.row() as isize - 8;
        let mut right = (self.column() as isize - 12 - down) / 2;
        let mut turn = 0;
        while turn < sixths % 6 {
            (right, down) = (-down, right + down);
            turn += 1;
        }
        match Self::at((down + 8) as usize, (2 * right + down + 12) as usize) {
            Some(hole) => hole,
            None => unreachable!(),
        }
    }

    /// The hole opposite in the mirror that stands upright in the middle.
    pub const fn mirrored(self) -> Self {
        match Self::at(self.row(), COLUMNS - 1 - self.column()) {
            Some(hole) => hole,
            None => unreachable!(),
        }
    }

    #[inline(always)]
    pub(super) const fn class(self) -> usize {
        (self.0 >> 6) as usize
    }

    #[inline(always)]
    const fn bit(self) -> u32 {
        (self.0 & 63) as u32
    }

    #[inline(always)]
    const fn from_class_and_bit(class: usize, bit: u32) -> Self {
        Self((class * 64) as u8 | (bit as u8 & 63))
    }
}

/// `RRCC`, as moves write it.
impl fmt::Display for Hole {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{:02}{:02}", self.row(), self.column())
    }
}

impl fmt::Debug for Hole {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, out)
    }
}

const fn first_column(row: usize) -> usize {
    COLUMNS / 2 + 1 - WIDTHS[row]
}

/// Every hole, row by row from the top.
pub const EVERY_HOLE: [Hole; 121] = {
    let mut every = [Hole(0); 121];
    let (mut count, mut row) = (0, 0);
    while row < ROWS {
        let mut number = 0;
        while number < WIDTHS[row] {
            if let Some(hole) = Hole::in_row(row, number) {
                every[count] = hole;
                count += 1;
            }
            number += 1;
        }
        row += 1;
    }
    every
};

/// Row and column by [`Hole::index`].
static COORDINATES: [(u8, u8); 256] = {
    let mut table = [(0, 0); 256];
    let mut row = 0;
    while row < ROWS {
        let mut number = 0;
        while let Some(hole) = Hole::in_row(row, number) {
            table[hole.index()] = (row as u8, (first_column(row) + 2 * number) as u8);
            number += 1;
        }
        row += 1;
    }
    table
};

/// The next hole by [`Axis`] and [`Hole::index`].
static NEXT: [[Option<Hole>; 256]; 3] = {
    let mut table = [[None; 256]; 3];
    let mut axis = 0;
    while axis < 3 {
        let mut index = 0;
        while index < EVERY_HOLE.len() {
            let hole = EVERY_HOLE[index];
            table[axis][hole.index()] = hole.shifted(DIRECTIONS[axis]);
            index += 1;
        }
        axis += 1;
    }
    table
};

/// The neighbours by [`Hole::index`].
static NEIGHBOURS: [Holes; 256] = {
    let mut table = [Holes::EMPTY; 256];
    let mut direction = 0;
    while direction < 6 {
        let mut index = 0;
        while index < EVERY_HOLE.len() {
            let hole = EVERY_HOLE[index];
            if let Some(neighbour) = hole.shifted(DIRECTIONS[direction]) {
                table[hole.index()] = table[hole.index()].with(neighbour);
            }
            index += 1;
        }
        direction += 1;
    }
    table
};

/// How far the words of a set shift in [`Holes::before`], by [`Axis`].
static SHIFTS: [[usize; 4]; 3] = [[0, 1, 0, 1], [0, 0, STRIDE, STRIDE], [0, 1, STRIDE, STRIDE + 1]];

/// A set of holes: one word for each class, by the parities of slanted column and row.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[repr(align(32))]
pub struct Holes([u64; 4]);

impl Holes {
    /// No hole.
    pub const EMPTY: Self = Self([0; 4]);

    /// The whole star.
    pub const ALL: Self = {
        let (mut all, mut index) = (Self::EMPTY, 0);
        while index < EVERY_HOLE.len() {
            all = all.with(EVERY_HOLE[index]);
            index += 1;
        }
        all
    };

    /// For each axis the holes that have a next hole along it.
    pub(super) const JOINED: [Self; 3] = {
        let mut joined = [Self::EMPTY; 3];
        let mut axis = 0;
        while axis < 3 {
            let mut index = 0;
            while index < EVERY_HOLE.len() {
                if EVERY_HOLE[index].shifted(DIRECTIONS[axis]).is_some() {
                    joined[axis] = joined[axis].with(EVERY_HOLE[index]);
                }
                index += 1;
            }
            axis += 1;
        }
        joined
    };

    /// The set and one more hole.
    #[inline(always)]
    pub const fn with(mut self, hole: Hole) -> Self {
        self.0[hole.class()] |= 1 << hole.bit();
        self
    }

    /// Whether the hole is in the set.
    #[inline(always)]
    pub const fn contains(self, hole: Hole) -> bool {
        self.0[hole.class()] >> hole.bit() & 1 != 0
    }

    /// Whether the set has no hole.
    #[inline(always)]
    pub const fn is_empty(self) -> bool {
        self.0[0] | self.0[1] | self.0[2] | self.0[3] == 0
    }

    /// How many holes the set has.
    #[inline(always)]
    pub fn count(self) -> u64 {
        self.counts().iter().sum()
    }

    /// Calls `visit` for every hole until it breaks.
    #[inline(always)]
    pub fn try_for_each<T>(self, mut visit: impl FnMut(Hole) -> ControlFlow<T>) -> ControlFlow<T> {
        for class in 0..4 {
            let mut rest = self.0[class];
            while rest != 0 {
                visit(Hole::from_class_and_bit(class, rest.trailing_zeros()))?;
                rest &= rest - 1;
            }
        }
        ControlFlow::Continue(())
    }

    /// Calls `visit` for every hole.
    #[inline(always)]
    pub fn for_each(self, mut visit: impl FnMut(Hole)) {
        let ControlFlow::Continue(()) = self.try_for_each(
            #[inline(always)]
            |hole| -> ControlFlow<Infallible> {
                visit(hole);
                ControlFlow::Continue(())
            },
        );
    }

    /// The holes one by one, for use where time does not matter.
    pub fn iter(self) -> impl Iterator<Item = Hole> {
        EVERY_HOLE.into_iter().filter(move |&hole| self.contains(hole))
    }

    /// The hole with this number in the set; meaningless if there are not as many.
    #[inline(always)]
    pub(super) fn nth(self, mut number: u64) -> Hole {
        let counts = self.counts();
        let mut class = 0;
        while class < 3 && number >= counts[class] {
            number -= counts[class];
            class += 1;
        }
        let mut rest = self.0[class];
        for _ in 0..number {
            rest &= rest.wrapping_sub(1);
        }
        Hole::from_class_and_bit(class, rest.trailing_zeros())
    }

    /// The holes of one class.
    #[inline(always)]
    pub(super) fn of_class(self, class: usize) -> Self {
        Self(std::array::from_fn(|other| if other == class { self.0[class] } else { 0 }))
    }

    /// Some hole of one class; meaningless if there is none.
    #[inline(always)]
    pub(super) fn any_of_class(self, class: usize) -> Hole {
        Hole::from_class_and_bit(class, self.0[class].trailing_zeros())
    }

    /// One hole of each class in which the set has any.
    #[inline(always)]
    pub(super) fn one_of_each_class(self) -> Self {
        Self(self.0.map(|word| word & word.wrapping_neg()))
    }

    /// For each axis the holes whose next hole along it is in the set, and bits that are no holes.
    #[inline(always)]
    pub(super) fn before(self) -> [Self; 3] {
        // Knowing the distances, the compiler treats shifts by 0 apart and so takes the vector to
        // pieces, here and in all that follows: half the speed of everything.
        let shifts = black_box(&SHIFTS);
        let [a, b, c, d] = self.0;
        let words = [[b, a, d, c], [c, d, a, b], [d, c, b, a]];
        std::array::from_fn(|axis| {
            Self(std::array::from_fn(|class| words[axis][class] >> (shifts[axis][class] & 63)))
        })
    }

    /// The holes a hop along `axis` away, right for holes that such a hop can leave.
    #[inline(always)]
    pub(super) fn forward(self, axis: Axis) -> Self {
        Self(self.0.map(|word| word << axis.hop()))
    }

    /// The holes a hop against `axis` away, right for holes that such a hop can leave.
    #[inline(always)]
    pub(super) fn backward(self, axis: Axis) -> Self {
        Self(self.0.map(|word| word >> axis.hop()))
    }

    /// If `from` is in the set, puts `to` in its place; says whether it was.
    #[inline(always)]
    pub fn relocate(&mut self, from: Hole, to: Hole) -> bool {
        let bit = self.0[from.class()] >> from.bit() & 1;
        self.0[from.class()] ^= bit << from.bit();
        self.0[to.class()] |= bit << to.bit();
        bit != 0
    }

    /// The set itself, or all bits that are not in it.
    #[inline(always)]
    pub(super) fn or_complement(self, itself: bool) -> Self {
        let mask = u64::from(itself).wrapping_sub(1);
        Self(self.0.map(|word| word ^ mask))
    }

    #[inline(always)]
    fn counts(self) -> [u64; 4] {
        self.0.map(|word| u64::from(word.count_ones()))
    }

    #[inline(always)]
    fn zip(self, other: Self, each: impl Fn(u64, u64) -> u64) -> Self {
        Self(std::array::from_fn(|class| each(self.0[class], other.0[class])))
    }
}

impl BitAnd for Holes {
    type Output = Self;
    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        self.zip(other, |a, b| a & b)
    }
}

impl BitOr for Holes {
    type Output = Self;
    #[inline(always)]
    fn bitor(self, other: Self) -> Self {
        self.zip(other, |a, b| a | b)
    }
}

impl BitXor for Holes {
    type Output = Self;
    #[inline(always)]
    fn bitxor(self, other: Self) -> Self {
        self.zip(other, |a, b| a ^ b)
    }
}

/// All bits that are not in the set, those that are no holes too.
impl Not for Holes {
    type Output = Self;
    #[inline(always)]
    fn not(self) -> Self {
        Self(self.0.map(|word| !word))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_star_has_121_holes_and_each_knows_its_place() {
        let mut count = 0;
        for (row, width) in WIDTHS.into_iter().enumerate() {
            let holes = (0..COLUMNS).filter(|&column| Hole::at(row, column).is_some()).count();
            assert_eq!(holes, width, "row {row}");
            for column in 0..COLUMNS {
                if let Some(hole) = Hole::at(row, column) {
                    assert_eq!((hole.row(), hole.column()), (row, column));
                    count += 1;
                }
            }
        }
        assert_eq!(count, 121);
        assert_eq!(Holes::ALL.count(), 121, "no two share a bit");
        assert!(Hole::at(17, 12).is_none() && Hole::at(8, 25).is_none() && Hole::in_row(17, 0).is_none());
    }

    #[test]
    fn shifts_find_neighbours_and_hops_as_coordinates_do() {
        for hole in EVERY_HOLE {
            let neighbours: Vec<Hole> =
                DIRECTIONS.iter().filter_map(|&direction| hole.shifted(direction)).collect();
            let set = Holes::EMPTY.with(hole);
            assert_eq!(hole.neighbours().count() as usize, neighbours.len());
            for &neighbour in &neighbours {
                assert!(hole.neighbours().contains(neighbour));
                assert_eq!(hole.distance(neighbour), 1);
                assert_ne!(hole.class(), neighbour.class(), "a step leaves the class");
            }
            for axis in Axis::ALL {
                let (down, right) = DIRECTIONS[axis as usize];
                let before = hole.shifted((-down, -right));
                let found = set.before()[axis as usize] & Holes::ALL;
                assert_eq!(found, before.map_or(Holes::EMPTY, |before| Holes::EMPTY.with(before)));
                assert_eq!(Holes::JOINED[axis as usize].contains(hole), hole.next(axis).is_some());
                // A hop needs a hole to cross; only then must the shift be right.
                for (sign, shifted) in [(1, set.forward(axis)), (-1, set.backward(axis))] {
                    if hole.shifted((sign * down, sign * right)).is_some() {
                        let landing = hole.shifted((2 * sign * down, 2 * sign * right));
                        assert_eq!(
                            shifted & Holes::ALL,
                            landing.map_or(Holes::EMPTY, |landing| Holes::EMPTY.with(landing)),
                            "{hole} {axis:?} {sign}"
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn holes_are_visited_counted_and_numbered_alike() {
        let set = EVERY_HOLE.iter().step_by(3).fold(Holes::EMPTY, |set, &hole| set.with(hole));
        let mut visited = Vec::new();
        set.for_each(|hole| visited.push(hole));
        assert_eq!(visited.len() as u64, set.count());
        assert_eq!(set.iter().count(), visited.len());
        assert!(set.iter().all(|hole| visited.contains(&hole)));
        for (number, &hole) in visited.iter().enumerate() {
            assert_eq!(set.nth(number as u64), hole);
            assert!(set.of_class(hole.class()).contains(set.any_of_class(hole.class())));
        }
        assert_eq!(set.one_of_each_class().count(), 4);
    }

    #[test]
    fn turns_and_mirrors_keep_neighbours_and_come_round() {
        for hole in EVERY_HOLE {
            assert_eq!(hole.turned(6), hole);
            assert_eq!((0..6).fold(hole, |hole, _| hole.turned(1)), hole);
            assert_eq!(hole.mirrored().mirrored(), hole);
            assert_eq!(
                (hole.turned(3).row(), hole.turned(3).column()),
                (16 - hole.row(), 24 - hole.column())
            );
            hole.neighbours().for_each(|neighbour| {
                assert_eq!(hole.turned(1).distance(neighbour.turned(1)), 1);
                assert_eq!(hole.mirrored().distance(neighbour.mirrored()), 1);
            });
        }
        let tip = Hole::at(0, 12).expect("a hole");
        assert_eq!(Hole::at(4, 24), Some(tip.turned(1)), "clockwise");
    }

    #[test]
    fn distances_count_steps() {
        let hole = |row, column| Hole::at(row, column).expect("a hole");
        assert_eq!(hole(0, 12).distance(hole(16, 12)), 16);
        assert_eq!(hole(4, 0).distance(hole(4, 24)), 12);
        assert_eq!(hole(4, 0).distance(hole(12, 24)), 16);
        assert_eq!(hole(8, 12).distance(hole(8, 12)), 0);
    }
}
