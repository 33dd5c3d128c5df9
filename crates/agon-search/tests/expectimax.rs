//! Expectimax against the plain search, whose value it must have, and its parameters.

mod common;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use agon_core::{Game, Line, Options, OptionsError, Turn};
use agon_search::{ALGORITHMS, Budget, Clock, GameBot, Limits, Thought, build, deepen};
use agon_testkit::Tree;
use common::ByHash;

fn bot(tree: &Tree, settings: &str) -> Result<Box<dyn GameBot<Tree>>, OptionsError> {
    let algorithm = ALGORITHMS.iter().find(|algorithm| algorithm.name == "expectimax").expect("it is listed");
    let options = Options::parse_declared(algorithm.name, algorithm.parameters, settings)?;
    build("expectimax", tree, ByHash, &options, 1)
}

fn think(tree: Tree, settings: &str, budget: &Budget) -> Thought<u8> {
    let mut bot = bot(&tree, settings).expect("right settings");
    bot.think(&Line::new(Arc::new(tree)), budget, &mut |_| {}).expect("a move")
}

fn free() -> Budget {
    Budget::new(Limits::default())
}

/// Games of one and of two, with chance and without.
fn trees() -> impl Iterator<Item = Tree> {
    (0..40).map(|seed| Tree {
        players: 1 + (seed % 2) as u8,
        branching: 4,
        depth: 7,
        chance: seed % 4 < 2,
        seed,
    })
}

#[test]
fn the_value_and_the_move_are_those_of_the_plain_search() {
    for tree in trees() {
        let Turn::Player(player) = tree.turn(&tree.start()) else { panic!("a player begins") };
        // Where there is just one move, play does not look deeper than it must.
        let analysis = Budget { keeps_own_limits: false, ..free() };
        for depth in 1..=8 {
            let plain = deepen(&tree, &tree.start(), &ByHash, depth, |_| false);
            let limits = Limits { depth: Some(depth), ..Limits::default() };
            for table in ["tt=off", "tt=1"] {
                let thought = think(tree, table, &Budget { limits, ..analysis.clone() });
                assert_eq!(thought.score, Some(plain.value.of(player)), "{tree:?} at depth {depth}");
                assert_eq!(Some(thought.best), plain.best, "{tree:?} at depth {depth}");
                assert_eq!(thought.depth, depth);
            }
        }
    }
}

#[test]
fn what_is_unlikely_is_judged_at_once() {
    let tree = Tree { players: 1, branching: 6, depth: 9, chance: true, seed: 3 };
    let whole = think(tree, "depth=9", &free());
    let some = think(tree, "depth=9,cut=0.1", &free());
    let none = think(tree, "depth=9,cut=1", &free());
    assert!(none.nodes < some.nodes && some.nodes < whole.nodes, "{none:?} {some:?} {whole:?}");
    assert!(some.statistics.iter().any(|figure| figure.name == "probability cut-offs" && figure.value > 0.0));
    assert_eq!(think(tree, "depth=9,cut=0", &free()).nodes, whole.nodes);
}

#[test]
fn the_depth_follows_the_rule_and_the_limits() {
    let tree = Tree { players: 2, branching: 3, depth: 9, chance: false, seed: 8 };
    assert_eq!(think(tree, "adapt=always three", &free()).depth, 3);
    assert_eq!(think(tree, "adapt=always three,depth=2", &free()).depth, 2);
    assert_eq!(think(tree, "depth=5", &free()).depth, 5);
    let error = bot(&tree, "adapt=never").err().expect("no such rule");
    assert_eq!(
        error.faults,
        ["adapt='never' is not known in this game: choose always two, always three or off"],
    );
}

#[test]
fn a_search_that_is_stopped_plays_what_the_last_finished_depth_found() {
    for tree in trees() {
        for nodes in [1, 10, 100, 400] {
            let limits = Limits { nodes: Some(nodes), ..Limits::default() };
            let thought = think(tree, "tt=off", &Budget { limits, ..free() });
            assert!(thought.nodes <= nodes, "{tree:?}");
            if thought.depth > 0 {
                let plain = deepen(&tree, &tree.start(), &ByHash, thought.depth, |_| false);
                assert_eq!(Some(thought.best), plain.best, "{tree:?}");
            }
        }
    }
}

#[test]
fn time_ends_the_search() {
    /// Every look at it takes a millisecond.
    struct Ticking(AtomicU64);
    impl Clock for Ticking {
        fn now(&self) -> Duration {
            Duration::from_millis(self.0.fetch_add(1, Ordering::Relaxed))
        }
    }
    let tree = Tree { players: 1, branching: 8, depth: 60, chance: true, seed: 1 };
    let clock = Arc::new(Ticking(AtomicU64::new(0)));
    let thought =
        think(tree, "time=100ms", &Budget { clock: Arc::clone(&clock) as Arc<dyn Clock>, ..free() });
    assert!(thought.depth > 0);
    assert!(clock.0.load(Ordering::Relaxed) < 120, "it stopped soon after");
}

#[test]
fn noise_varies_play_by_its_seed_alone() {
    let tree = Tree { players: 1, branching: 8, depth: 4, chance: true, seed: 5 };
    let algorithm = ALGORITHMS.iter().find(|algorithm| algorithm.name == "expectimax").expect("it is listed");
    let options =
        Options::parse_declared(algorithm.name, algorithm.parameters, "depth=2,noise=10000").expect("right");
    let choice = |seed| {
        let mut bot = build("expectimax", &tree, ByHash, &options, seed).expect("right");
        bot.choose(&Line::new(Arc::new(tree))).expect("a move")
    };
    let choices: Vec<u8> = (0..20).map(choice).collect();
    assert!(choices.iter().any(|mv| *mv != choices[0]));
    assert_eq!(choices, (0..20).map(choice).collect::<Vec<u8>>());
}
