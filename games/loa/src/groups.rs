//! Whether a set of squares is one group, neighbours counted in eight directions.

use agon_board::Bits;

/// Whether the squares are one group; a single square is, no square is not.
#[inline(always)]
pub fn is_one_group<B: Bits>(set: B) -> bool {
    // Nearly always the Euler number alone shows that there are several groups.
    let may_be_one = B::run_outlined_if_wide(
        #[inline(always)]
        || euler_number(set) <= 1,
    );
    may_be_one && is_reached_from_its_lowest(set)
}

/// The number of groups minus the number of holes in them.
///
/// Seen as closed unit squares, each row is a union of intervals, as many as its runs. Two neighbouring
/// rows meet in points and intervals of the border between them, and the Euler number of a union is the
/// sum of its parts' less that of where they meet. The meeting of two rows has as many pieces as it has
/// corners (columns 0 to n on the border, touched by a square above and a square below) less its
/// edges (a square above an other one): no piece of it branches.
#[inline(always)]
fn euler_number<B: Bits>(set: B) -> i32 {
    let runs = set & !set.east();
    // A corner stands for the square to its right. Only the right end of the layout's last column is
    // missing, and there alone a corner and an edge that go together are both left out.
    let touched = set | set.east();
    let corners = touched & touched.north();
    let edges = (set & set.north()).east();
    runs.count() as i32 - corners.count() as i32 + edges.count() as i32
}

/// Whether a flood from the lowest square covers the set.
#[inline(never)]
fn is_reached_from_its_lowest<B: Bits>(set: B) -> bool {
    if set.is_empty() {
        return false;
    }
    let mut reached = B::square(set.lowest());
    loop {
        let grown = reached.dilate() & set;
        if grown == reached {
            return reached == set;
        }
        reached = grown;
    }
}

#[cfg(test)]
mod tests {
    use agon_core::random::{RandomSource, seeded};

    use super::*;
    use agon_board::Rows;

    /// Groups and holes counted square by square: the Euler number by its definition.
    fn groups_and_holes<B: Bits>(set: B, size: usize) -> (i32, i32) {
        // A margin of empty squares joins everything outside the groups.
        let side = size as isize + 2;
        let filled = |row: isize, column: isize| {
            (1..=size as isize).contains(&row)
                && (1..=size as isize).contains(&column)
                && set.contains(B::index(row as usize - 1, column as usize - 1))
        };
        let mut seen = vec![false; (side * side) as usize];
        let (mut groups, mut empties) = (0, 0);
        for start in 0..side * side {
            if seen[start as usize] {
                continue;
            }
            let kind = filled(start / side, start % side);
            *(if kind { &mut groups } else { &mut empties }) += 1;
            let mut open = vec![start];
            seen[start as usize] = true;
            while let Some(square) = open.pop() {
                for (down, right) in (-1..=1).flat_map(|down| (-1..=1).map(move |right| (down, right))) {
                    let (row, column) = (square / side + down, square % side + right);
                    let inside = (0..side).contains(&row) && (0..side).contains(&column);
                    // Empty squares touch by their sides only, or else groups would not part them.
                    if inside && (kind || down == 0 || right == 0) && filled(row, column) == kind {
                        let next = row * side + column;
                        if !std::mem::replace(&mut seen[next as usize], true) {
                            open.push(next);
                        }
                    }
                }
            }
        }
        (groups, empties - 1)
    }

    fn agrees_with_the_definition<B: Bits>(size: usize) {
        let mut rng = seeded(size as u64);
        for round in 0..400 {
            let mut set = B::EMPTY;
            for row in 0..size {
                for column in 0..size {
                    if rng.next_u64() % 8 < 1 + round % 7 {
                        set = set | B::square(B::index(row, column));
                    }
                }
            }
            let (groups, holes) = groups_and_holes(set, size);
            assert_eq!(euler_number(set), groups - holes, "{set:?}");
            assert_eq!(is_one_group(set), groups == 1, "{set:?}");
        }
    }

    #[test]
    fn groups_are_counted_as_by_their_definition() {
        for size in [3, 5, 8] {
            agrees_with_the_definition::<u64>(size);
        }
        for size in [9, 11] {
            agrees_with_the_definition::<u128>(size);
        }
        for size in [4, 12, 30, 32] {
            agrees_with_the_definition::<Rows>(size);
        }
    }

    #[test]
    fn no_square_is_no_group() {
        assert!(!is_one_group(0u64));
        assert!(is_one_group(1u64));
    }
}
