//! Patterns: what the trained evaluation of the 8×8 board looks at.
//!
//! A pattern is a set of squares; how its discs are arranged is a number in balanced ternary, a digit a square:
//! +1 a black disc, -1 a white one, 0 empty. So the same arrangement seen by the other side is the negative
//! number, a move adds a fixed vector for each disc that it places or turns, and all numbers of a
//! position fit into three vector registers. Twelve shapes with all their images under the symmetries of
//! the board make 46 patterns, as first used by Logistello (M. Buro, "Improving heuristic mini-max search by
//! supervised learning", Artificial Intelligence 134, 2002); images of one shape share their weights.

/// The shapes, by their squares (row × 8 + column) in one place of the board.
pub const SHAPES: [&[u8]; 12] = [
    &[0, 1, 2, 8, 9, 10, 16, 17, 18],    // 3×3 corner
    &[0, 1, 2, 3, 4, 8, 9, 16, 24, 32],  // corner with half of both edges and the X square
    &[0, 1, 2, 3, 4, 5, 6, 7, 9, 14],    // edge with both X squares
    &[0, 2, 3, 4, 5, 7, 10, 11, 12, 13], // corners and the middle of edge and second row
    &[8, 9, 10, 11, 12, 13, 14, 15],     // second row
    &[16, 17, 18, 19, 20, 21, 22, 23],   // third row
    &[24, 25, 26, 27, 28, 29, 30, 31],   // fourth row
    &[0, 9, 18, 27, 36, 45, 54, 63],     // diagonals
    &[1, 10, 19, 28, 37, 46, 55],
    &[2, 11, 20, 29, 38, 47],
    &[3, 12, 21, 30, 39],
    &[4, 13, 22, 31],
];

/// How many patterns there are.
pub const PATTERNS: usize = 46;
/// The patterns rounded up to whole vector registers.
const LANES: usize = 48;
/// The most squares that a pattern has.
const MAX_SQUARES: usize = 10;

/// A shape in one place of the board.
#[derive(Clone, Copy, Debug)]
struct Pattern {
    shape: usize,
    count: usize,
    squares: [u8; MAX_SQUARES],
}

const PATTERN_LIST: [Pattern; PATTERNS] = patterns();

/// The image of a square under one of the eight symmetries of the board.
pub const fn image(square: u8, symmetry: u8) -> u8 {
    let (mut row, mut column) = (square / 8, square % 8);
    if symmetry & 1 != 0 {
        column = 7 - column;
    }
    if symmetry & 2 != 0 {
        row = 7 - row;
    }
    if symmetry & 4 != 0 { column * 8 + row } else { row * 8 + column }
}

const fn patterns() -> [Pattern; PATTERNS] {
    let mut list = [Pattern { shape: 0, count: 0, squares: [0; MAX_SQUARES] }; PATTERNS];
    let (mut length, mut shape) = (0, 0);
    while shape < SHAPES.len() {
        let mut seen = [0u64; 8];
        let mut symmetry = 0;
        while symmetry < 8 {
            let (mut squares, mut set, mut index) = ([0; MAX_SQUARES], 0, 0);
            while index < SHAPES[shape].len() {
                squares[index] = image(SHAPES[shape][index], symmetry);
                set |= 1 << squares[index];
                index += 1;
            }
            let (mut is_new, mut earlier) = (true, 0);
            while earlier < symmetry as usize {
                is_new &= seen[earlier] != set;
                earlier += 1;
            }
            seen[symmetry as usize] = set;
            if is_new {
                list[length] = Pattern { shape, count: SHAPES[shape].len(), squares };
                length += 1;
            }
            symmetry += 1;
        }
        shape += 1;
    }
    assert!(length == PATTERNS);
    list
}

/// How many arrangements a shape has.
pub const fn arrangements(shape: usize) -> usize {
    3usize.pow(SHAPES[shape].len() as u32)
}

/// How many weights a stage of the game has: one for every arrangement of every shape.
pub const WEIGHTS: usize = first_weight(SHAPES.len());

/// Where the weights of a shape begin.
pub const fn first_weight(shape: usize) -> usize {
    let (mut sum, mut index) = (0, 0);
    while index < shape {
        sum += arrangements(index);
        index += 1;
    }
    sum
}

/// What a black disc on each square adds to the numbers of the patterns.
static DISC: [Lanes; 64] = {
    let mut table = [Lanes([0; LANES]); 64];
    let mut pattern = 0;
    while pattern < PATTERNS {
        let (mut index, mut power) = (0, 1i32);
        while index < PATTERN_LIST[pattern].count {
            table[PATTERN_LIST[pattern].squares[index] as usize].0[pattern] = power as i16;
            power *= 3;
            index += 1;
        }
        pattern += 1;
    }
    table
};

/// Where each pattern's weight of the empty arrangement, number 0, stands among the weights of a stage.
static CENTRES: [i32; LANES] = {
    let mut centres = [0; LANES];
    let mut pattern = 0;
    while pattern < PATTERNS {
        let shape = PATTERN_LIST[pattern].shape;
        centres[pattern] = (first_weight(shape) + arrangements(shape) / 2) as i32;
        pattern += 1;
    }
    centres
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(32))]
struct Lanes([i16; LANES]);

/// The numbers of all patterns of a position, seen by black.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arrangement(Lanes);

impl Default for Arrangement {
    /// That of the empty board.
    #[inline(always)]
    fn default() -> Self {
        Self(Lanes([0; LANES]))
    }
}

impl Arrangement {
    /// That of a position, from scratch.
    pub fn new(black: u64, white: u64) -> Self {
        let mut arrangement = Self::default();
        arrangement.add(black, 1);
        arrangement.add(white, -1);
        arrangement
    }

    #[inline(always)]
    fn add(&mut self, mut discs: u64, factor: i16) {
        let mut sum = [0i16; LANES];
        while discs != 0 {
            let disc = &DISC[discs.trailing_zeros() as usize].0;
            for (sum, disc) in sum.iter_mut().zip(disc) {
                *sum = sum.wrapping_add(*disc);
            }
            discs &= discs - 1;
        }
        for (lane, sum) in self.0.0.iter_mut().zip(&sum) {
            *lane = lane.wrapping_add(factor.wrapping_mul(*sum));
        }
    }

    /// Puts a disc on `square` and turns `flips`; `factor` is 1 if black moves, -1 if white does.
    #[inline(always)]
    pub fn play(&mut self, square: usize, mut flips: u64, factor: i16) {
        debug_assert!(factor == 1 || factor == -1);
        let mut sum = [0i16; LANES];
        while flips != 0 {
            let disc = &DISC[flips.trailing_zeros() as usize].0;
            for (sum, disc) in sum.iter_mut().zip(disc) {
                *sum = sum.wrapping_add(*disc);
            }
            flips &= flips - 1;
        }
        let placed = &DISC[square & 63].0;
        for ((lane, sum), placed) in self.0.0.iter_mut().zip(&sum).zip(placed) {
            // Only the sum of both steps is sure to fit: a disc turned counts twice.
            let change = sum.wrapping_mul(2).wrapping_add(*placed);
            *lane = lane.wrapping_add(factor.wrapping_mul(change));
        }
    }

    /// The sum of the weights of all patterns; `factor` is 1 for black's view, -1 for white's.
    #[inline(always)]
    pub fn sum(&self, weights: &[i16; WEIGHTS], factor: i16) -> i32 {
        let mut indices = [0u32; LANES];
        for lane in 0..LANES {
            let index = (CENTRES[lane] + i32::from(factor.wrapping_mul(self.0.0[lane]))) as u32;
            // The number of a real position lies within ±(3^n - 1) / 2 of its centre, but nothing keeps a caller from
            // playing what no position has. Clamping a whole vector costs less than checking each index.
            indices[lane] = index.min(WEIGHTS as u32 - 1);
        }
        let mut sum = 0;
        for &index in &indices[..PATTERNS] {
            // SAFETY: every index was limited to the last weight just above.
            sum += i32::from(unsafe { *weights.get_unchecked(index as usize) });
        }
        sum
    }

    /// The weights' places of all patterns, for training; `factor` as in [`Arrangement::sum`].
    pub fn places(&self, factor: i16) -> [u32; PATTERNS] {
        std::array::from_fn(|lane| (CENTRES[lane] + i32::from(factor * self.0.0[lane])) as u32)
    }
}

/// For every weight of a stage, the first of those that must be equal to it because a symmetry of the board maps
/// a shape onto itself: a row read from either end is the same row.
pub fn representatives() -> Vec<u32> {
    let mut representatives: Vec<u32> = (0..WEIGHTS as u32).collect();
    for (shape, squares) in SHAPES.iter().enumerate() {
        let orders: Vec<Vec<usize>> = (1..8)
            .filter_map(|symmetry| {
                let place = |square: &u8| squares.iter().position(|other| *other == image(*square, symmetry));
                squares.iter().map(place).collect::<Option<Vec<usize>>>()
            })
            .collect();
        for arrangement in 0..arrangements(shape) {
            let digits: Vec<usize> =
                (0..squares.len()).map(|digit| arrangement / 3usize.pow(digit as u32) % 3).collect();
            let images = orders.iter().map(|order| {
                order
                    .iter()
                    .zip(&digits)
                    .map(|(place, digit)| digit * 3usize.pow(*place as u32))
                    .sum::<usize>()
            });
            let least = images.chain([arrangement]).min().unwrap_or(arrangement);
            representatives[first_weight(shape) + arrangement] = (first_weight(shape) + least) as u32;
        }
    }
    representatives
}
