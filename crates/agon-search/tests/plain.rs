//! The plain search against the definition of its value, and its two bots.

mod common;

use std::sync::Arc;

use agon_core::{Game, Line, Payoffs, Ply, Turn};
use agon_search::{Evaluation, GameBot, Greedy, Random, WIN, deepen};
use agon_testkit::Tree;
use common::ByHash;

/// The value by its definition, through the checked interface of a running game.
fn value(line: &mut Line<Tree>, depth: u32) -> Payoffs {
    let plies = line.legal();
    if depth == 0 || plies.is_empty() {
        if !plies.is_empty() {
            return ByHash.payoffs(&**line.game(), line.position(), &());
        }
        let mut value = line.game().value(line.position());
        if line.game().players() > 1 {
            // What the game pays at its end outweighs every opinion.
            value.0.iter_mut().for_each(|value| *value *= f64::from(WIN));
        }
        return value;
    }
    let turn = line.turn();
    let values: Vec<Payoffs> = plies
        .iter()
        .map(|&ply| {
            assert!(line.play(ply));
            let value = value(line, depth - 1);
            line.undo();
            value
        })
        .collect();
    match turn {
        Turn::Player(player) => values
            .into_iter()
            .reduce(|best, other| if other.of(player) > best.of(player) { other } else { best }),
        Turn::Chance => {
            let mut mean = Payoffs::default();
            for value in &values {
                for (sum, value) in mean.0.iter_mut().zip(value.0) {
                    *sum += value * (1.0 / values.len() as f64);
                }
            }
            Some(mean)
        }
    }
    .expect("there are plies")
}

fn trees() -> impl Iterator<Item = Tree> {
    (0..60).map(|seed| Tree {
        players: 1 + (seed % 4) as u8,
        branching: 4,
        depth: 6,
        chance: seed % 3 == 0,
        seed,
    })
}

#[test]
fn the_value_is_that_of_the_definition_at_every_depth() {
    for tree in trees() {
        for depth in 1..=7 {
            let report = deepen(&tree, &tree.start(), &ByHash, depth, |_| false);
            let expected = value(&mut Line::new(Arc::new(tree)), depth);
            assert_eq!(report.value, expected, "{tree:?} at depth {depth}");
            assert_eq!(report.depth, depth);
        }
    }
}

#[test]
fn a_search_that_is_stopped_keeps_the_last_finished_depth() {
    for tree in trees() {
        let full = deepen(&tree, &tree.start(), &ByHash, 3, |_| false);
        let deeper = deepen(&tree, &tree.start(), &ByHash, 4, |_| false);
        let stopped = deepen(&tree, &tree.start(), &ByHash, 4, |nodes| nodes + 1 >= deeper.nodes);
        assert_eq!((stopped.depth, stopped.value, stopped.best), (3, full.value, full.best), "{tree:?}");
        assert!(stopped.nodes < deeper.nodes);
    }
}

#[test]
fn greedy_takes_the_best_next_position_and_random_varies() {
    let mut chosen = std::collections::HashSet::new();
    for tree in trees().filter(|tree| !tree.chance) {
        let line = Line::new(Arc::new(tree));
        let best = deepen(&tree, &tree.start(), &ByHash, 1, |_| false);
        let greedy = Greedy::new(ByHash, 7).choose(&line).expect("a move");
        let mut after = line.clone();
        assert!(after.play(Ply::Move(greedy)));
        assert_eq!(ByHash.payoffs(&tree, after.position(), &()), best.value, "{tree:?}");
        let random: Option<u8> = Random::new(tree.seed).choose(&line);
        assert!(line.is_legal(Ply::Move(random.expect("a move"))));
        chosen.insert(random);
    }
    assert!(chosen.len() > 1, "one seed is not like another");
}
