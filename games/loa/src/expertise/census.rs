//! What is counted about the pieces of each side and kept up to date from move to move.
//!
//! Quads are the 2×2 windows on the board, those that hang over its edge included, by what they hold. Their numbers
//! give the Euler number (groups less holes) and the pairs of neighbours ([Winands, Uiterwijk and van den Herik, "The
//! Quad Heuristic in Lines of Action"](https://doi.org/10.3233/ICG-2001-24102)). A piece that comes or goes changes
//! the four quads around it, and how depends on its eight neighbours alone: one entry of a table.
//!
//! The sums of coordinates give the centre of mass, and with the sum of their squares the spread around it, so that
//! neither asks for a look at the pieces.

use crate::{Grid, Move, Position};
use agon_board::Bits;
use agon_core::Player;

use super::around::neighbours;

/// How many quads of each kind there are, five numbers in one word.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Quads(u64);

/// Bits for the number of one kind; 56 pieces touch 224 quads at most.
const LANE: u32 = 12;

/// Kinds of quads by the pieces that they hold.
const ONE: u32 = 0;
const TWO: u32 = LANE;
const DIAGONAL: u32 = 2 * LANE;
const THREE: u32 = 3 * LANE;
const FOUR: u32 = 4 * LANE;

/// What a piece adds to the quads, by its neighbours.
static ADDED: [u64; 256] = added();

/// One quad of the kind of its four squares: upper left, upper right, lower left, lower right from bit 0 on.
const fn one_of(quad: usize) -> u64 {
    match quad.count_ones() {
        0 => 0,
        1 => 1 << ONE,
        2 if quad == 0b1001 || quad == 0b0110 => 1 << DIAGONAL,
        2 => 1 << TWO,
        3 => 1 << THREE,
        _ => 1 << FOUR,
    }
}

const fn added() -> [u64; 256] {
    let mut table = [0; 256];
    let mut around = 0;
    while around < 256 {
        // The piece itself is the last square of the upper left quad, the first of the lower right one, and so on.
        let (upper_left, upper_right) = (around & 3 | around >> 1 & 4, around >> 1 & 3 | around >> 1 & 8);
        let (lower_left, lower_right) =
            (around >> 3 & 1 | around >> 3 & 12, around >> 3 & 2 | around >> 4 & 12);
        let quads = [(upper_left, 8), (upper_right, 4), (lower_left, 2), (lower_right, 1)];
        let mut index = 0;
        let mut change: u64 = 0;
        while index < 4 {
            let (others, own) = quads[index];
            change = change.wrapping_add(one_of(others | own)).wrapping_sub(one_of(others));
            index += 1;
        }
        table[around] = change;
        around += 1;
    }
    table
}

impl Quads {
    #[inline(always)]
    fn number(self, kind: u32) -> i32 {
        (self.0 >> kind) as i32 & ((1 << LANE) - 1)
    }

    /// Groups less holes.
    #[inline(always)]
    pub(super) fn euler_number(self) -> i32 {
        (self.number(ONE) - self.number(THREE) - 2 * self.number(DIAGONAL)) / 4
    }

    /// Pairs of neighbouring pieces. Two side by side share two quads, two corner to corner one.
    #[inline(always)]
    pub(super) fn links(self) -> i32 {
        let (two, diagonal) = (self.number(TWO), self.number(DIAGONAL));
        let (three, four) = (self.number(THREE), self.number(FOUR));
        (two + 2 * three + 4 * four) / 2 + diagonal + three + 2 * four
    }
}

/// What is counted about one side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Army {
    /// Pieces.
    pub(super) pieces: i32,
    /// Their rows added up.
    pub(super) rows: i32,
    /// Their columns added up.
    pub(super) columns: i32,
    /// The squares of their rows and columns added up.
    pub(super) squares: i32,
    /// How far inside the board they stand, added up: see [`Inside`].
    pub(super) inside: i32,
    /// Their quads.
    pub(super) quads: Quads,
}

/// What being well inside the board is worth, square by square, in percent: a piece on the edge has the fewest ways to
/// go, one in a corner hardly any, and beyond a few rows inside it makes no difference.
#[derive(Clone, Debug)]
pub(super) struct Inside(Box<[i32]>);

impl Inside {
    pub(super) fn new<B: Bits>(size: usize) -> Self {
        let mut worths = vec![0; B::STRIDE * B::MAX_SIZE];
        B::board(size).for_each(|square| {
            let (row, column) = B::row_column(square);
            let margin = |at: usize| at.min(size - 1 - at);
            let (one, other) = (margin(row), margin(column));
            worths[square] = match one.min(other) {
                0 if one == other => 0,
                0 => 30,
                1 => 65,
                2 => 85,
                _ => 100,
            };
        });
        Self(worths.into())
    }

    /// What the square is worth.
    #[inline(always)]
    pub(super) fn of(&self, square: usize) -> i32 {
        self.0[square]
    }
}

impl Army {
    /// Counts a piece that comes (`sign` 1) or goes (-1); its neighbours are those in `set`.
    #[inline(always)]
    fn add<B: Grid>(&mut self, inside: &Inside, set: B, square: usize, sign: i32) {
        let (row, column) = B::row_column(square);
        let (row, column) = (row as i32, column as i32);
        self.pieces += sign;
        self.rows += sign * row;
        self.columns += sign * column;
        self.squares += sign * (row * row + column * column);
        self.inside += sign * inside.of(square);
        let change = ADDED[neighbours(set, square)];
        self.quads.0 =
            if sign > 0 { self.quads.0.wrapping_add(change) } else { self.quads.0.wrapping_sub(change) };
    }

    /// Counts the piece on `square` if it differs between two boards, of which `working` is on its way from one to the
    /// other.
    #[inline(always)]
    fn follow<B: Grid>(&mut self, inside: &Inside, working: &mut B, after: B, square: usize) {
        if working.contains(square) != after.contains(square) {
            self.add(inside, *working, square, if after.contains(square) { 1 } else { -1 });
            working.toggle(square);
        }
    }

    /// The row and the column of the centre of mass.
    #[inline(always)]
    pub(super) fn centre(&self) -> (f32, f32) {
        let pieces = self.pieces as f32;
        (self.rows as f32 / pieces, self.columns as f32 / pieces)
    }

    fn of<B: Grid>(inside: &Inside, pieces: B) -> Self {
        let (mut side, mut working) = (Self::default(), B::EMPTY);
        pieces.for_each(|square| side.follow(inside, &mut working, pieces, square));
        side
    }
}

/// Both sides, by seat.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Census {
    sides: [Army; 2],
}

impl Census {
    /// Counts everything.
    pub(super) fn of<B: Grid>(inside: &Inside, position: &Position<B>) -> Self {
        Self { sides: [0, 1].map(|seat| Army::of(inside, position.pieces(Player(seat)))) }
    }

    /// The side of `player` and the other one.
    #[inline(always)]
    pub(super) fn seen_from(&self, player: Player) -> [&Army; 2] {
        [&self.sides[player.index()], &self.sides[1 - player.index()]]
    }

    /// Counts what `mv` changes.
    #[inline(always)]
    pub(super) fn advance<B: Grid>(
        &mut self,
        inside: &Inside,
        before: &Position<B>,
        mv: Move,
        after: &Position<B>,
    ) {
        let mover = before.turn().index();
        match mv {
            Move::Slide { from, to } => {
                let (from, to) = (usize::from(from), usize::from(to));
                let mut own = before.own();
                self.sides[mover].add(inside, own, from, -1);
                own.toggle(from);
                self.sides[mover].add(inside, own, to, 1);
                if before.enemy().contains(to) {
                    self.sides[1 - mover].add(inside, before.enemy(), to, -1);
                }
            }
            Move::Rotate { corner } => {
                let corner = usize::from(corner);
                let sides = [(mover, before.own(), after.enemy()), (1 - mover, before.enemy(), after.own())];
                for (seat, mut working, after) in sides {
                    for square in [corner, corner + 1, corner + B::STRIDE, corner + B::STRIDE + 1] {
                        self.sides[seat].follow(inside, &mut working, after, square);
                    }
                }
            }
            Move::Pass => {}
        }
    }
}
