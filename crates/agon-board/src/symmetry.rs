//! The symmetries of a square board: four turns, and a mirror image of each.
//!
//! They are numbered from 0, which changes nothing, to 7: the lowest bit mirrors left and right, the next above and below, the third
//! swaps rows and columns, in this order.

use crate::bits::Bits;

/// The numbers of all symmetries that change something.
pub const SYMMETRIES: std::ops::Range<u8> = 1..8;

/// Where the square in this row and column of a board of `size` by `size` squares falls.
pub fn image_of_place((row, column): (usize, usize), size: usize, symmetry: u8) -> (usize, usize) {
    let column = if symmetry & 1 != 0 { size - 1 - column } else { column };
    let row = if symmetry & 2 != 0 { size - 1 - row } else { row };
    if symmetry & 4 != 0 { (column, row) } else { (row, column) }
}

/// Where a square, as [`Bits`] numbers it, falls.
pub fn image_of_square<B: Bits>(square: usize, size: usize, symmetry: u8) -> usize {
    let (row, column) = image_of_place(B::row_column(square), size, symmetry);
    B::index(row, column)
}

/// Where the squares of `set` fall.
pub fn image_of_set<B: Bits>(set: B, size: usize, symmetry: u8) -> B {
    let mut image = B::EMPTY;
    set.for_each(|square| image = image | B::square(image_of_square::<B>(square, size, symmetry)));
    image
}

/// Whether the board is turned, so that clockwise stays clockwise, rather than mirrored.
pub fn is_turn(symmetry: u8) -> bool {
    symmetry.count_ones().is_multiple_of(2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_eight_differ_and_the_turns_keep_the_sense_of_rotation() {
        let place = (0, 1);
        let images: Vec<_> = (0..8).map(|symmetry| image_of_place(place, 4, symmetry)).collect();
        for (number, image) in images.iter().enumerate() {
            assert!(!images[..number].contains(image), "{number}");
        }
        // The corners in clockwise order stay in clockwise order.
        let corners = [(0, 0), (0, 3), (3, 3), (3, 0)];
        for symmetry in 0..8 {
            let images = corners.map(|corner| image_of_place(corner, 4, symmetry));
            let first = corners.iter().position(|corner| *corner == images[0]).expect("a corner");
            assert_eq!(images[1] == corners[(first + 1) % 4], is_turn(symmetry), "{symmetry}");
        }
        let set = u64::square(u64::index(2, 0)) | u64::square(u64::index(1, 1));
        assert_eq!(image_of_set(set, 3, 1), u64::square(u64::index(2, 2)) | u64::square(u64::index(1, 1)));
    }
}
