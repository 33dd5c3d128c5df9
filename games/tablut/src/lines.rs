//! The eighteen lines of the board, nine rows and nine columns, and what is known about them in
//! advance.
//!
//! Every piece moves along a line and falls along a line, so the rules are rules about nine squares
//! in a row. What stands there is one number, the line's *code*: a digit to base three per square,
//! 0 empty, 1 an attacker, 2 one of the king's side. Lines equally far from the edge have the same
//! camps, so five tables with an [`Entry`] for each of the 3^9 codes serve all eighteen lines. A
//! position keeps its codes and the sum of its entries' move counts; a ply changes three lines,
//! hence three entries, and how many moves either side has is never counted again.

use std::sync::LazyLock;

use super::position::Side;

/// Squares in a line.
pub(super) const SIZE: usize = 9;
/// Rows 0 to 8 from the top, then columns 0 to 8 from the left.
pub(super) const LINES: usize = 2 * SIZE;
/// Lines differ only by how far they are from the edge: 0 to 4.
pub(super) const DISTANCES: usize = SIZE / 2 + 1;

/// The camp squares of a line, by its distance from the edge.
pub(super) const CAMPS: [u16; DISTANCES] = [0b000_111_000, 0b000_010_000, 0, 0b100_000_001, 0b110_000_011];
/// The middle edge squares of the camps, which do not help against attackers under `bologna`.
pub(super) const BACKS: [u16; DISTANCES] = [0b000_010_000, 0, 0, 0, 0b100_000_001];
/// The castle.
pub(super) const CASTLE: [u16; DISTANCES] = [0, 0, 0, 0, 0b000_010_000];

/// The weights of the digits of a code.
pub(super) const POWERS: [u16; SIZE] = [1, 3, 9, 27, 81, 243, 729, 2187, 6561];

/// Codes are below 3^9, hence below 2^15: tables are that long so that a masked code needs no
/// bounds check.
const CODE_BITS: usize = 15;
const CODES: usize = 1 << CODE_BITS;
/// Room for the five tables, again a power of two.
const ENTRIES: usize = DISTANCES.next_power_of_two() * CODES;

/// How far a line is from the nearest edge parallel to it.
pub(super) const fn distance(line: usize) -> usize {
    let place = line % SIZE;
    if place < SIZE / 2 { place } else { SIZE - 1 - place }
}

const DISTANCE: [usize; LINES] = {
    let mut distances = [0; LINES];
    let mut line = 0;
    while line < LINES {
        distances[line] = distance(line);
        line += 1;
    }
    distances
};

/// The squares of a line that are closed to a piece, by side, distance and the piece's own place:
/// the castle and the camps, but for an attacker the camp in which it stands.
const CLOSED: [[[u16; SIZE]; DISTANCES]; 2] = {
    let mut closed = [[[0; SIZE]; DISTANCES]; 2];
    let mut distance = 0;
    while distance < DISTANCES {
        let mut place = 0;
        while place < SIZE {
            let all = CAMPS[distance] | CASTLE[distance];
            closed[Side::Attackers as usize][distance][place] = all & !run(CAMPS[distance], place);
            closed[Side::Defenders as usize][distance][place] = all;
            place += 1;
        }
        distance += 1;
    }
    closed
};

/// The places of a line from which a piece could come to a place if the line were empty, by side, distance and
/// the place it comes to.
const OPEN: [[[u16; SIZE]; DISTANCES]; 2] = {
    let mut open = [[[0; SIZE]; DISTANCES]; 2];
    let mut index = 0;
    while index < 2 * DISTANCES * SIZE {
        let (side, distance, start) = (index / SIZE / DISTANCES, index / SIZE % DISTANCES, index % SIZE);
        let ReachableSpan { low, high } = reachable_span(0, CLOSED[side][distance][start], start);
        let mut end = low;
        while end <= high {
            open[side][distance][end] |= (1 << start) & !(1 << end);
            end += 1;
        }
        index += 1;
    }
    open
};

/// The squares of `set` joined to `place` without a gap; none if `place` is not in it.
const fn run(set: u16, place: usize) -> u16 {
    let mut run = set & (1 << place);
    loop {
        let grown = (run | run << 1 | run >> 1) & set;
        if grown == run {
            return run;
        }
        run = grown;
    }
}

/// What one line contributes: in the low byte the attackers' moves along it, in the next byte the
/// defenders', above them the `FLANKED` flags. No side ever has more than 252 moves (two pieces at
/// the ends of every line), so sums of the low halves never carry from one byte into the other.
#[derive(Clone, Copy)]
pub(super) struct Entry(u32);

impl Entry {
    /// One of the king's side stands between an attacker and an attacker, a camp or the castle.
    pub(super) const FLANKED_DEFENDER: u32 = 1 << 16;
    /// An attacker stands between a defender and a defender, a camp or the castle.
    pub(super) const FLANKED_ATTACKER: u32 = 1 << 17;
    /// The same with the back squares of the camps left out.
    pub(super) const FLANKED_ATTACKER_NOT_BY_BACK: u32 = 1 << 18;

    /// The move counts of both sides.
    #[inline(always)]
    pub(super) fn mobility(self) -> Mobility {
        Mobility(self.0 as u16)
    }

    /// Whether any of `flags` is set here or in `other`.
    #[inline(always)]
    pub(super) fn either_has(self, other: Self, flags: u32) -> bool {
        (self.0 | other.0) & flags != 0
    }
}

/// How many moves each side has, along a line or in all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Mobility(u16);

impl Mobility {
    pub(super) const NONE: Self = Self(0);

    #[inline(always)]
    pub(super) fn of(self, side: Side) -> u64 {
        u64::from(self.0 >> (8 * side as u32) & 0xFF)
    }

    /// The sum after one of its lines has changed.
    #[inline(always)]
    pub(super) fn exchange(&mut self, old: Self, new: Self) {
        self.0 = self.0.wrapping_add(new.0).wrapping_sub(old.0);
    }
}

/// The squares of a line on which each side stands.
#[derive(Clone, Copy)]
pub(super) struct Cells([u16; 2]);

impl Cells {
    #[inline(always)]
    pub(super) fn of(self, side: Side) -> u16 {
        self.0[side as usize]
    }

    /// The places where `side` stands, from the lowest on.
    #[inline(always)]
    pub(super) fn places(self, side: Side) -> impl Iterator<Item = usize> {
        let mut rest = self.of(side);
        std::iter::from_fn(
            #[inline(always)]
            move || {
                let place = rest.trailing_zeros() as usize;
                (rest != 0).then(|| {
                    rest &= rest - 1;
                    place
                })
            },
        )
    }

    /// How far a piece of `side` can go from `place` along `line`.
    #[inline(always)]
    pub(super) fn reachable_span(self, side: Side, line: usize, place: usize) -> ReachableSpan {
        reachable_span(self.0[0] | self.0[1], CLOSED[side as usize][DISTANCE[line]][place], place)
    }

    /// The places on `line` from which pieces of `side` can move to `place`, which is empty: those of the nearest
    /// pieces on either side, if they are theirs and nothing is closed in between.
    #[inline(always)]
    pub(super) fn comers(self, side: Side, line: usize, place: usize) -> u32 {
        let all = u32::from(self.0[0] | self.0[1]);
        let (below, above) = (all & ((1 << place) - 1), all >> place << place);
        // Where there is nobody below, this is a bit beyond the line.
        let nearest_below = (1 << 31_u32) >> (below.leading_zeros() % u32::BITS);
        let nearest_above = above & above.wrapping_neg();
        let own = u32::from(self.of(side) & OPEN[side as usize][DISTANCE[line]][place]);
        (nearest_below | nearest_above) & own
    }
}

/// The squares of one line to which a piece can move, and the one it stands on: a span without gaps.
#[derive(Clone, Copy, Debug)]
pub struct ReachableSpan {
    /// The lowest of them, counted along the line from 0.
    pub low: usize,
    /// The highest.
    pub high: usize,
}

impl ReachableSpan {
    /// How many moves that is.
    #[inline(always)]
    pub fn moves(self) -> usize {
        self.high - self.low
    }

    /// Where the move with this number ends, for a piece on `start`.
    #[inline(always)]
    pub(super) fn end(self, start: usize, number: usize) -> usize {
        let end = self.low + number;
        end + usize::from(end >= start)
    }
}

#[inline(always)]
const fn reachable_span(occupied: u16, closed: u16, place: usize) -> ReachableSpan {
    let blocked = (occupied | closed) as u32 & !(1 << place);
    let below = blocked & ((1 << place) - 1);
    // A bit beyond the last square stops pieces that nothing else stops.
    let above = (blocked | 1 << SIZE) >> (place + 1);
    ReachableSpan {
        low: (u32::BITS - below.leading_zeros()) as usize,
        high: place + above.trailing_zeros() as usize,
    }
}

/// The tables, shared by all rules values.
#[derive(Clone, Copy)]
pub(super) struct Lines {
    entries: &'static [Entry; ENTRIES],
    cells: &'static [Cells; CODES],
}

impl Lines {
    /// The tables, filled when they are first asked for.
    pub(super) fn shared() -> Self {
        static LINES: LazyLock<Lines> = LazyLock::new(Lines::fill);
        *LINES
    }

    #[inline(always)]
    pub(super) fn entry(self, line: usize, code: u16) -> Entry {
        self.entries[(DISTANCE[line] << CODE_BITS | usize::from(code)) % ENTRIES]
    }

    #[inline(always)]
    pub(super) fn cells(self, code: u16) -> Cells {
        self.cells[usize::from(code) % CODES]
    }

    fn fill() -> Self {
        let mut entries = vec![Entry(0); ENTRIES];
        let mut cells = vec![Cells([0; 2]); CODES];
        for (code, slot) in cells.iter_mut().enumerate().take(3 * usize::from(POWERS[SIZE - 1])) {
            for (place, &power) in POWERS.iter().enumerate() {
                match code / usize::from(power) % 3 {
                    0 => {}
                    digit => slot.0[digit - 1] |= 1 << place,
                }
            }
            for distance in 0..DISTANCES {
                entries[distance << CODE_BITS | code] = summarise(*slot, distance);
            }
        }
        Self { entries: leak(entries), cells: leak(cells) }
    }
}

/// A table that lives as long as the program.
fn leak<T, const N: usize>(table: Vec<T>) -> &'static [T; N] {
    let table: Box<[T; N]> = table.into_boxed_slice().try_into().unwrap_or_else(|_| unreachable!());
    Box::leak(table)
}

/// The entry of a line at `distance` from the edge.
fn summarise(cells: Cells, distance: usize) -> Entry {
    let Cells([attackers, defenders]) = cells;
    let moves = |side: Side| -> u32 {
        cells
            .places(side)
            .map(|place| {
                reachable_span(attackers | defenders, CLOSED[side as usize][distance][place], place).moves()
                    as u32
            })
            .sum()
    };
    let flanked = |victims: u16, enemies: u16, hostile: u16| {
        let helpers = enemies | hostile;
        victims & (enemies << 1 & helpers >> 1 | enemies >> 1 & helpers << 1) != 0
    };
    let hostile = CAMPS[distance] | CASTLE[distance];
    let mut entry = moves(Side::Attackers) | moves(Side::Defenders) << 8;
    for (flag, holds) in [
        (Entry::FLANKED_DEFENDER, flanked(defenders, attackers, hostile)),
        (Entry::FLANKED_ATTACKER, flanked(attackers, defenders, hostile)),
        (Entry::FLANKED_ATTACKER_NOT_BY_BACK, flanked(attackers, defenders, hostile & !BACKS[distance])),
    ] {
        if holds {
            entry |= flag;
        }
    }
    Entry(entry)
}
