//! How a search shows boards to the network: as they are, or with their large tiles smaller.
//!
//! The network has met few boards with a tile of 16384, and hardly any with 32768. But while no 4096 is there, 16384 and 8192 stand
//! in the way of the smaller tiles exactly as 8192 and 4096 would, which it has met all the time. So tiles above a gap are shown
//! as one smaller, by the highest gaps first, until none is larger than 8192: tile-downgrading (Guei et al. 2021,
//! <https://arxiv.org/abs/2111.11090>). What is to be scored with them looks less, but slides are compared with each other in the
//! same light. That is why a whole search keeps the sight that its first board asks for, also where gaps are filled further on.

use crate::Board;

use super::network;

/// The exponent of 8192, the largest tile that is shown if gaps allow it.
const LARGEST_SHOWN: u32 = 13;
/// The smallest gap that counts, 64: smaller ones come and go all the time.
const LEAST_GAP: u32 = 6;
/// More gaps than this are never closed: the largest tile there is has the exponent 17.
const MOST_GAPS: usize = 4;

/// Which tiles are shown smaller.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sight {
    /// Exponents above each of them are shown as one smaller; none are above 0, which stands for no gap.
    gaps: [u8; MOST_GAPS],
}

impl Sight {
    /// How a search that begins with this board shows boards.
    pub fn of(board: Board) -> Self {
        let present = (0..16).fold(0u32, |present, cell| present | 1 << board.exponent(cell));
        let largest = present.ilog2();
        let mut missing = !present & ((1 << largest) - 1) & !((1 << LEAST_GAP) - 1);
        let mut sight = Self::default();
        for (gap, _) in sight.gaps.iter_mut().zip(LARGEST_SHOWN..largest) {
            let Some(highest) = missing.checked_ilog2() else { break };
            missing ^= 1 << highest;
            *gap = highest as u8;
        }
        sight
    }

    /// The exponents as they are shown.
    #[inline(always)]
    pub fn cells(self, board: Board) -> u64 {
        if self.gaps[0] == 0 { network::cells(board) } else { self.downgraded(board) }
    }

    #[inline(always)]
    fn downgraded(self, board: Board) -> u64 {
        /// The lowest bit of every byte.
        const BYTES: u64 = 0x0101_0101_0101_0101;
        if board.fifth_bits() != 0 {
            return self.downgraded_exactly(board);
        }
        let mut cells = board.nibbles();
        for gap in self.gaps {
            if gap == 0 {
                break;
            }
            // Each nibble in a byte of its own: the carry of the addition says which ones are above the gap.
            let add = u64::from(15 - gap) * BYTES;
            let is_above = |nibbles: u64| ((nibbles & (0x0F * BYTES)) + add) >> 4 & BYTES;
            cells -= is_above(cells) | is_above(cells >> 4) << 4;
        }
        cells
    }

    /// The same cell by cell, for tiles beyond 32768.
    #[cold]
    #[inline(never)]
    fn downgraded_exactly(self, board: Board) -> u64 {
        (0..16).fold(0, |cells, cell| {
            let exponent = board.exponent(cell);
            let smaller = self.gaps.iter().filter(|gap| **gap != 0 && exponent > **gap).count() as u8;
            cells | u64::from((exponent - smaller).min(15)) << (4 * cell)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const REST: [u8; 12] = [10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 0];

    fn board(large: [u8; 4]) -> Board {
        let exponents = large.into_iter().chain(REST);
        exponents.zip(0..).fold(Board::EMPTY, |board, (exponent, cell)| board.with_tile(cell, exponent))
    }

    fn shown(sight: Sight, board: Board) -> Vec<u8> {
        let cells = sight.cells(board);
        (0..16).map(|cell| (cells >> (4 * cell) & 15) as u8).collect()
    }

    #[test]
    fn tiles_above_gaps_are_shown_as_smaller_until_8192_is_the_largest() {
        for (large, smaller) in [
            ([13, 12, 10, 10], [13, 12, 10, 10]),
            ([14, 13, 11, 10], [13, 12, 11, 10]),
            ([14, 14, 13, 11], [13, 13, 12, 11]),
            ([15, 13, 12, 10], [13, 12, 11, 10]),
            ([15, 14, 13, 12], [14, 13, 12, 11]),
            ([16, 14, 13, 10], [13, 12, 11, 10]),
            ([17, 16, 15, 14], [14, 13, 12, 11]),
            ([14, 13, 12, 11], [14, 13, 12, 11]),
        ] {
            let board = board(large);
            assert_eq!(shown(Sight::of(board), board), [&smaller[..], &REST].concat(), "{large:?}");
        }
    }

    /// Otherwise the slide that fills a gap would seem to throw tiles away.
    #[test]
    fn a_search_keeps_the_sight_of_its_first_board() {
        let sight = Sight::of(board([14, 12, 12, 11]));
        assert_eq!(shown(sight, board([14, 13, 11, 1]))[..4], [13, 13, 11, 1]);
        assert_eq!(shown(sight, board([16, 13, 11, 1]))[..4], [15, 13, 11, 1]);
        assert_eq!(shown(Sight::default(), board([16, 13, 11, 1]))[..4], [15, 13, 11, 1]);
    }
}
