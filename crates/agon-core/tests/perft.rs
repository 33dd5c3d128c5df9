//! Counting trees whose every node is known: plainly, with a memory, and not at all.

use agon_core::Game;
use agon_core::cpu::{Portable, Root};
use agon_core::perft::{PerftError, SharedPerft, perft, perft_shared};
use agon_testkit::{Node, Tree};

/// The count by its definition.
fn count(tree: &Tree, node: &Node, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut total = 0;
    tree.for_each_move(node, |mv| {
        let mut next = *node;
        tree.play_unchecked(&mut next, mv);
        total += count(tree, &next, depth - 1);
    });
    tree.for_each_chance(node, |draw, _| {
        let mut next = *node;
        tree.play_chance(&mut next, draw);
        total += count(tree, &next, depth - 1);
    });
    total
}

fn trees() -> impl Iterator<Item = Tree> {
    (0..40).map(|seed| Tree { players: 2, branching: 5, depth: 7, chance: seed % 2 == 0, seed })
}

#[test]
fn counts_are_those_of_the_definition() {
    for tree in trees() {
        for depth in 0..=8 {
            let expected = count(&tree, &tree.start(), depth);
            assert_eq!(perft(&tree, &tree.start(), depth, u64::MAX), Ok(expected), "{tree:?} at {depth}");
            assert_eq!(
                perft_shared(&tree, &tree.start(), depth, u64::MAX),
                Ok(expected),
                "{tree:?} at {depth}"
            );
        }
    }
}

#[test]
fn a_count_is_given_up_exactly_if_it_passes_the_limit() {
    for tree in trees() {
        let nodes = count(&tree, &tree.start(), 7);
        for counted in [perft::<Tree>, perft_shared::<Tree>] {
            assert_eq!(counted(&tree, &tree.start(), 7, nodes), Ok(nodes), "{tree:?}");
            let limit = nodes - 1;
            let refused = Err(PerftError::TooManyNodes { limit });
            assert_eq!(counted(&tree, &tree.start(), 7, limit), refused, "{tree:?}");
        }
    }
}

#[test]
fn a_count_far_beyond_its_limit_is_refused_without_counting() {
    // No machine counts a tree of 60 plies: that this test ends shows that it is not tried.
    let tree = Tree { players: 2, branching: 5, depth: 60, chance: false, seed: 1 };
    let refused = Err(PerftError::TooManyNodes { limit: 10_000_000_000 });
    assert_eq!(perft(&tree, &tree.start(), 60, 10_000_000_000), refused);
    assert_eq!(perft_shared(&tree, &tree.start(), 60, 10_000_000_000), refused);
}

#[test]
fn a_tree_without_leaves_at_the_depth_is_not_walked_for_ever() {
    let tree = Tree { players: 2, branching: 5, depth: 9, chance: false, seed: 1 };
    let start = tree.start();
    let shared = |max_visits| {
        SharedPerft { game: &tree, position: &start, depth: 10, limit: 1, max_visits }.at(Portable)
    };
    assert_eq!(shared(u64::MAX), Ok(0));
    assert_eq!(shared(100), Err(PerftError::TooMuchWork));
}
