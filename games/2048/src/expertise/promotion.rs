//! Promotion: what has never been tried with a large tile is taken to be like what was tried with the next smaller one.
//!
//! A learner meets 16384 for the first time with tables that say nothing about it, and loses because it lacks knowledge that
//! it has about 8192. So an untried entry borrows the weight of the entry whose largest tiles, down to the first gap below
//! them, are one smaller: the tile-downgrading that Guei et al. 2021 (<https://arxiv.org/abs/2111.11090>) do to the board
//! when they play, done to the tables, where learning can build on it.

/// The smallest tile that is promoted, 256: everything with smaller ones is tried soon.
const LEAST: u32 = 8;

/// Cells are looked up three at a time: this many bits, and this many ways to fill them.
const BITS: u32 = 12;
const FILLINGS: usize = 1 << BITS;

/// Goes through a table from its first entry on and has each one decided: `decide` is told the index, the entries before it, the
/// entry itself, and what it may borrow, which is decided already; nothing if its tiles are too small. What it says is the entry.
///
/// `table` is that of a tuple of four to six cells, its index having four bits a cell.
#[inline(always)]
pub fn decide<T: Copy + PartialEq>(table: &mut [T], mut decide: impl FnMut(usize, &[T], T, Option<T>) -> T) {
    let present: Vec<u32> = (0..FILLINGS).map(present).collect();
    let smaller: Vec<[u16; 16]> =
        (0..FILLINGS).map(|cells| std::array::from_fn(|lowest| ones(cells, lowest) as u16)).collect();
    for high in 0..table.len() / FILLINGS {
        for low in 0..FILLINGS {
            let index = high << BITS | low;
            let (earlier, others) = table.split_at_mut(index);
            // The source is an earlier entry, which by now has its own weight.
            let borrowed = lowest_to_promote(present[high] | present[low]).map(|lowest| {
                let less = usize::from(smaller[high][lowest]) << BITS | usize::from(smaller[low][lowest]);
                earlier[index - less]
            });
            // Memory that nobody has written to yet costs nothing, so it is left alone where it is right.
            let decided = decide(index, earlier, others[0], borrowed);
            if others[0] != decided {
                others[0] = decided;
            }
        }
    }
}

/// Gives each untried entry with a large tile the weight that it borrows.
pub fn promote<T: Copy + PartialEq>(table: &mut [T], is_tried: impl Fn(usize) -> bool) {
    decide(table, |index, _, entry, borrowed| match borrowed {
        Some(borrowed) if !is_tried(index) => borrowed,
        _ => entry,
    });
}

/// Which exponents there are among three cells, a bit each.
fn present(cells: usize) -> u32 {
    (0..3).fold(0, |present, cell| present | 1 << (cells >> (4 * cell) & 15))
}

/// A one in each of three cells that holds at least `lowest`.
fn ones(cells: usize, lowest: usize) -> usize {
    (0..3).fold(0, |ones, cell| ones | usize::from(cells >> (4 * cell) & 15 >= lowest) << (4 * cell))
}

/// The smallest exponent of the unbroken run that ends with the largest; `None` if it is too small to be promoted.
#[inline(always)]
fn lowest_to_promote(present: u32) -> Option<usize> {
    let above = present.leading_zeros();
    let run = (!(present << above)).leading_zeros();
    let lowest = 32 - above - run;
    (lowest >= LEAST).then_some(lowest as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn untried_entries_borrow_from_those_one_tile_down() {
        let mut table = vec![0i16; 1 << 16];
        table[0x1081] = 7;
        table[0x8182] = 5;
        table[0xA9A0] = 3;
        table[0xFEDC] = 1;
        let tried = [0x1081, 0x8182, 0xA9A0, 0x10C1];
        promote(&mut table, |index| tried.contains(&index));
        assert_eq!((table[0x1091], table[0x10A1], table[0x10B1]), (7, 7, 7), "step by step");
        assert_eq!((table[0x10C1], table[0x10D1]), (0, 0), "not over what was tried, but from it");
        assert_eq!(table[0x9192], 5, "all equal tiles");
        assert_eq!((table[0xBAB0], table[0xCBC0], table[0xCAC0]), (3, 3, 3), "runs down to their gaps");
        assert_eq!(table[0xBA00], 0, "from an entry of its own");
        assert_eq!(table[0x1071], 0, "nothing goes down");
        assert_eq!(table[0xFEDC], 0, "borrowed from what is empty");
    }
}
