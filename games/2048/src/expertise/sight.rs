//! How a network is shown a board: as it is, or with its large tiles one smaller.
//!
//! The network has met few boards with a tile of 32768, and none of them often. But while no 8192 is there, 32768 and 16384 stand
//! in the way of the smaller tiles exactly as 16384 and 8192 would, which it has met all the time. So tiles above a gap are shown
//! as if they were one smaller: tile-downgrading (Guei et al. 2021, <https://arxiv.org/abs/2111.11090>). What is to be scored
//! with them looks less, but slides are compared with each other in the same light. So a whole search keeps the sight that its first
//! position asks for.

use crate::Board;

use super::network;

/// Which tiles are seen as one smaller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sight {
    /// Those with at least this exponent, which is above 1; none if it is 16.
    from: u8,
}

/// The lowest bit of every byte.
const BYTES: u64 = 0x0101_0101_0101_0101;

impl Sight {
    /// All tiles as they are.
    pub const PLAIN: Self = Self { from: 16 };

    /// How a search from this board sees tiles: those above the highest gap as one smaller if there is one of exponent `from` or more.
    pub fn of(board: Board, from: u8) -> Self {
        let present = (0..16).fold(0u32, |present, cell| present | 1 << board.exponent(cell));
        let largest = present.ilog2() as u8;
        let gap = (LOWEST_GAP..largest).rev().find(|exponent| present >> exponent & 1 == 0);
        match gap {
            Some(gap) if largest >= from => Self { from: gap + 1 },
            _ => Self::PLAIN,
        }
    }

    /// The exponents as the network is to see them.
    #[inline(always)]
    pub fn cells(self, board: Board) -> u64 {
        let cells = network::cells(board);
        if self == Self::PLAIN {
            return cells;
        }
        // Each nibble in a byte of its own: the carry of the addition says which ones are large.
        let add = (16 - u64::from(self.from)) * BYTES;
        let is_large = |nibbles: u64| ((nibbles & 0x0F * BYTES) + add) >> 4 & BYTES;
        cells - (is_large(cells) | is_large(cells >> 4) << 4)
    }
}

/// Gaps below this exponent, that of 64, are no reason: they fill up within a search.
const LOWEST_GAP: u8 = 6;
