//! What is asked of a bot that judges rather than plays: exact scores at one depth, the same for moves that are the same by symmetry,
//! untouched by noise, and the same answer to the same question.

mod common;

use std::sync::Arc;
use std::time::Duration;

use agon_core::random::mix;
use agon_core::{Game, Line, Options, OptionsError, Payoffs, Player};
use agon_search::{
    ALGORITHMS, Bound, Budget, Evaluation, Feature, GameBot, Limits, Tactics, Thought, Unit, Weight, build,
};
use agon_testkit::{Node, Tree};
use common::{ByHash, TestClock, statistic};

/// Judges as told, and says of pairs of moves at the root that they are the same.
#[derive(Clone, Debug, Default)]
struct Told {
    /// Every position counts nothing, whatever its hash says.
    is_flat: bool,
    /// Whether the moves 2n and 2n + 1 at the root are the same by symmetry.
    is_symmetric: bool,
    /// A move at the root that costs this much.
    dear: Option<(u8, i32)>,
    /// A weight that can be set; once it is, every position counts nothing.
    weight: f64,
}

impl Evaluation<Tree> for Told {
    type State = ();

    fn state(&self, _tree: &Tree, _node: &Node) {}

    fn advance(&self, _: &Tree, _: &mut (), _: &Node, _: u8, _: &Node) {}

    fn payoffs(&self, tree: &Tree, node: &Node, state: &()) -> Payoffs {
        if self.is_flat {
            Payoffs::default()
        } else {
            <ByHash as Evaluation<Tree>>::payoffs(&ByHash, tree, node, state)
        }
    }

    fn at_end(&self, tree: &Tree, node: &Node, _outcome: &agon_core::Outcome) -> Payoffs {
        self.payoffs(tree, node, &())
    }

    fn features(&self, _tree: &Tree, _node: &Node, _player: Player) -> Vec<Feature> {
        Vec::new()
    }

    fn unit(&self) -> Unit {
        Unit::Amount { name: "leaves", one: 1000.0 }
    }

    fn weights(&self) -> Vec<Weight> {
        vec![Weight::of("first thing", self.weight), Weight::of("second", 2.0)]
    }

    fn set_weight(&mut self, place: usize, value: f64) {
        assert_eq!(place, 0, "only the first is set here");
        self.weight = value;
        self.is_flat = true;
    }
}

impl Tactics<Tree> for Told {
    fn slots(&self, _tree: &Tree) -> usize {
        16
    }

    fn slot(&self, _tree: &Tree, mv: u8) -> usize {
        usize::from(mv)
    }

    fn selections(&self) -> &'static [&'static str] {
        &["remainder"]
    }

    fn grade(&self, _tree: &Tree, _node: &Node, mv: u8, _rule: usize) -> u8 {
        // Moves divisible by three are the last resort.
        mv % 3
    }

    fn tie_break(&self, _tree: &Tree, _node: &Node, mv: u8) -> i32 {
        i32::from(mv % 4)
    }

    fn cost(&self, _line: &Line<Tree>, mv: u8) -> i32 {
        self.dear.filter(|(dear, _)| *dear == mv).map_or(0, |(_, cost)| cost)
    }

    fn symmetries(&self, _tree: &Tree, _node: &Node) -> Vec<u8> {
        if self.is_symmetric { vec![1] } else { Vec::new() }
    }

    fn image(&self, _tree: &Tree, mv: u8, symmetry: u8) -> u8 {
        mv ^ symmetry
    }
}

fn bot(
    tree: &Tree,
    told: &Told,
    algorithm: &'static str,
    settings: &str,
) -> Result<Box<dyn GameBot<Tree>>, OptionsError> {
    let known = ALGORITHMS.iter().find(|known| known.name == algorithm).expect("an algorithm");
    let options = Options::parse_declared(algorithm, known.parameters, settings)?;
    build(algorithm, tree, told.clone(), &options, 7)
}

fn think(tree: &Tree, told: &Told, algorithm: &'static str, settings: &str, budget: &Budget) -> Thought<u8> {
    let mut bot = bot(tree, told, algorithm, settings).expect(settings);
    bot.think(&Line::new(Arc::new(*tree)), budget, &mut |_| {}).expect("a move")
}

fn analysis() -> Budget {
    Budget::analysis(Limits::default())
}

fn of_nodes(nodes: u64) -> Limits {
    Limits { nodes: Some(nodes), ..Limits::default() }
}

/// A game of two with as many moves at the root as can be.
fn wide(depth: u32, branching: u8) -> Tree {
    let tree = |seed| Tree { players: 2, branching, depth, chance: false, seed };
    let is_wide = |tree: &Tree| tree.count_moves(&tree.start()) == u64::from(branching);
    (0..).map(tree).find(is_wide).expect("some tree")
}

const SEARCHES: [&str; 5] = ["alphabeta", "maxn", "paranoid", "best-reply", "mcts"];

#[test]
fn moves_that_are_the_same_by_symmetry_are_searched_once_and_score_the_same() {
    let tree = wide(9, 6);
    let symmetric = Told { is_symmetric: true, ..Told::default() };
    for algorithm in SEARCHES.into_iter().chain(["expectimax"]) {
        let multi = if matches!(algorithm, "mcts" | "expectimax") { "" } else { ",multi=500" };
        let settings = format!("nodes=3000,depth=3{multi}");
        let thought = think(&tree, &symmetric, algorithm, &settings, &analysis());
        assert_eq!(thought.moves.len(), 6, "{algorithm} {thought:?}");
        for pair in thought.moves.chunks(2) {
            assert_eq!((pair[0].mv ^ 1, pair[0].score), (pair[1].mv, pair[1].score), "{algorithm}");
        }
        let plain = think(&tree, &Told::default(), algorithm, &settings, &analysis());
        let scores: std::collections::HashSet<u64> =
            plain.moves.iter().map(|known| known.score.to_bits()).collect();
        assert!(scores.len() > 3, "without the symmetry they differ: {algorithm} {plain:?}");
        if algorithm != "mcts" {
            assert!(thought.nodes < plain.nodes, "{algorithm}");
        }
        assert_eq!(thought.moves[0].mv, thought.best, "{algorithm}");
    }
}

#[test]
fn a_search_that_is_interrupted_compares_all_moves_at_the_last_depth_that_it_finished() {
    let tree = wide(30, 7);
    for algorithm in ["alphabeta", "maxn", "paranoid", "best-reply"] {
        let mut depths = std::collections::HashSet::new();
        for nodes in (100..4000).step_by(170) {
            let limits = Limits { nodes: Some(nodes), ..Limits::default() };
            let cut = think(&tree, &Told::default(), algorithm, "multi=500", &Budget::analysis(limits));
            if cut.depth == 0 {
                continue;
            }
            let whole = Limits { depth: Some(cut.depth), ..Limits::default() };
            let whole = think(&tree, &Told::default(), algorithm, "multi=500", &Budget::analysis(whole));
            assert_eq!(cut.moves, whole.moves, "{algorithm} {nodes}");
            assert_eq!((cut.best, cut.score), (whole.best, whole.score), "{algorithm} {nodes}");
            assert_eq!((cut.moves[0].mv, Some(cut.moves[0].score)), (cut.best, cut.score));
            assert!(cut.moves.iter().all(|known| known.bound == Bound::Exact));
            assert!(cut.moves.is_sorted_by(|one, other| one.score >= other.score), "{algorithm} {nodes}");
            depths.insert(cut.depth);
        }
        assert!(depths.len() > 2, "{algorithm} {depths:?}");
    }
}

#[test]
fn noise_chooses_what_is_played_and_never_what_is_reported() {
    let tree = wide(9, 8);
    for algorithm in SEARCHES.into_iter().chain(["expectimax"]) {
        let settings = "nodes=2000,depth=2";
        let clear = think(&tree, &Told::default(), algorithm, settings, &Budget::new(Limits::default()));
        let noisy = format!("{settings},noise=5000");
        let mut played = std::collections::HashSet::new();
        for seed in 0..30 {
            let budget = Budget { seed: Some(seed), ..Budget::new(Limits::default()) };
            let thought = think(&tree, &Told::default(), algorithm, &noisy, &budget);
            let scores = |thought: &Thought<u8>| {
                thought.moves.iter().map(|known| (known.mv, known.score)).collect::<Vec<_>>()
            };
            if algorithm != "mcts" {
                // Noise needs the scores of all moves; those that are known without it are the same.
                assert!(scores(&thought).starts_with(&scores(&clear)), "{algorithm} {thought:?} {clear:?}");
            }
            assert!(thought.moves.is_sorted_by(|one, other| algorithm == "mcts" || one.score >= other.score));
            let chosen = thought.moves.iter().find(|known| known.mv == thought.best).expect("it is listed");
            assert_eq!(thought.score, Some(chosen.score), "the true score of what is played: {algorithm}");
            played.insert(thought.best);
        }
        assert!(played.len() > 2, "{algorithm} {played:?}");
        // Who analyses gets the best move, noise or not.
        let judged = think(&tree, &Told::default(), algorithm, &noisy, &analysis());
        assert_eq!((judged.best, judged.moves[0].mv), (clear.best, clear.best), "{algorithm}");
    }
}

#[test]
fn the_same_question_gets_the_same_answer() {
    let tree = wide(20, 8);
    for algorithm in SEARCHES.into_iter().chain(["expectimax", "greedy", "random"]) {
        let settings = if SEARCHES[..4].contains(&algorithm) { "multi=3" } else { "" };
        let mut bot = bot(&tree, &Told::default(), algorithm, settings).expect(settings);
        let line = Line::new(Arc::new(tree));
        let mut ask = |limits: Limits| {
            let thought = bot.think(&line, &Budget::analysis(limits), &mut |_| {}).expect("a move");
            Thought { statistics: Vec::new(), elapsed: Duration::ZERO, ..thought }
        };
        for limits in [of_nodes(3000), Limits { depth: Some(3), ..of_nodes(100_000) }] {
            let first = ask(limits);
            ask(of_nodes(500));
            assert_eq!(first, ask(limits), "{algorithm}");
        }
    }
}

#[test]
fn an_analysis_without_limits_of_its_own_keeps_to_those_by_which_the_bot_plays() {
    let tree = wide(20, 5);
    let told = Told::default();
    let played = think(&tree, &told, "alphabeta", "depth=3", &Budget::new(Limits::default()));
    let judged = think(&tree, &told, "alphabeta", "depth=3,multi=4", &analysis());
    assert_eq!((judged.best, judged.score, judged.depth), (played.best, played.score, 3));
    let deeper = Budget::analysis(Limits { depth: Some(5), ..Limits::default() });
    assert_eq!(think(&tree, &told, "alphabeta", "depth=3", &deeper).depth, 5);
}

#[test]
fn a_search_that_has_seen_every_end_stops_and_says_so() {
    let tree = wide(6, 4);
    for table in ["tt=off", "tt=1"] {
        for multi in [1, 500] {
            let settings = format!("{table},multi={multi},depth=60");
            let thought = think(&tree, &Told::default(), "alphabeta", &settings, &analysis());
            assert!(thought.depth <= 7 && thought.is_proven(), "{settings} {thought:?}");
            assert!(thought.moves.iter().all(|known| known.is_proven), "{settings}");
            let exact = think(&tree, &Told::default(), "alphabeta", "depth=7,exact=on,tt=off", &analysis());
            assert_eq!(thought.score, exact.score, "{settings}");
        }
    }
    // Short of the ends nothing is proven, nor where moves are left out.
    assert!(!think(&tree, &Told::default(), "alphabeta", "depth=4", &analysis()).is_proven());
    let selective = think(&tree, &Told::default(), "alphabeta", "depth=9,candidates=remainder", &analysis());
    assert!(!selective.is_proven() && selective.depth == 9);
}

#[test]
fn of_equal_moves_the_one_is_taken_that_the_settings_say() {
    let tree = wide(9, 7);
    let flat = Told { is_flat: true, ..Told::default() };
    for window in ["window=pvs", "window=full,hash=off,killers=off,history=off"] {
        for (ties, best) in [("first", 0), ("last", 6), ("original", 3)] {
            for limit in ["depth=4", "depth=4,deepening=off", "depth=4,aspiration=5"] {
                let settings = format!("{limit},{window},ties={ties}");
                let thought = think(&tree, &flat, "alphabeta", &settings, &analysis());
                assert_eq!(thought.best, best, "{settings}");
            }
        }
    }
    // Whatever the ties, the score is the same.
    let told = Told::default();
    let scores = ["found", "first", "last", "original"].map(|ties| {
        think(&tree, &told, "alphabeta", &format!("depth=4,exact=on,ties={ties}"), &analysis()).score
    });
    assert!(scores.iter().all(|score| *score == scores[0]), "{scores:?}");
}

#[test]
fn a_move_that_costs_something_is_worth_so_much_less() {
    let tree = wide(9, 6);
    for algorithm in ["alphabeta", "maxn", "paranoid", "best-reply"] {
        let free = think(&tree, &Told::default(), algorithm, "depth=3,multi=500", &analysis());
        for known in &free.moves {
            let told = Told { dear: Some((known.mv, 90)), ..Told::default() };
            for multi in [1, 500] {
                let settings = format!("depth=3,multi={multi}");
                let thought = think(&tree, &told, algorithm, &settings, &analysis());
                if let Some(found) = thought.moves.iter().find(|found| found.mv == known.mv) {
                    assert_eq!(found.score, known.score - 90.0, "{algorithm}");
                }
                let best = free
                    .moves
                    .iter()
                    .map(|other| other.score - if other.mv == known.mv { 90.0 } else { 0.0 });
                assert_eq!(thought.score, best.reduce(f64::max), "{algorithm}");
            }
        }
    }
}

#[test]
fn a_selection_keeps_the_moves_of_the_highest_grade_that_occurs() {
    for (branching, kept) in [(9, vec![2, 5, 8]), (2, vec![1]), (1, vec![0])] {
        let tree = wide(5, branching);
        let settings = "depth=2,multi=500,candidates=remainder";
        let thought = think(&tree, &Told::default(), "alphabeta", settings, &analysis());
        let mut moves: Vec<u8> = thought.moves.iter().map(|known| known.mv).collect();
        moves.sort_unstable();
        assert_eq!(moves, kept);
    }
}

#[test]
fn weights_are_set_by_name_and_wrong_ones_refused_with_the_names() {
    let tree = wide(5, 3);
    let score = |settings: &str| {
        let mut bot = bot(&tree, &Told::default(), "alphabeta", settings).expect(settings);
        bot.think(&Line::new(Arc::new(tree)), &analysis(), &mut |_| {}).and_then(|thought| thought.score)
    };
    assert_eq!(score("depth=2,weights=first-thing:-12.5"), Some(0.0), "what is set is used");
    assert_ne!(score("depth=2"), Some(0.0));
    for (weights, fault) in [
        (
            "third:1",
            "weights: 'third:1' names no weight of this evaluation; the weights are first-thing (0), second (2)",
        ),
        (
            "frist-thing:1",
            "weights: 'frist-thing:1' names no weight of this evaluation; did you mean first-thing?",
        ),
        (
            "second",
            "weights: 'second' is not of the form NAME:NUMBER; the weights are first-thing (0), second (2)",
        ),
        (
            "second:1e3",
            "weights: 'second:1e3' must have a number from -20000 to 20000; the weights are first-thing (0), second (2)",
        ),
        (
            "second:20001",
            "weights: 'second:20001' must have a number from -20000 to 20000; the weights are first-thing (0), second (2)",
        ),
        (
            "first-thing:1+first-thing:2",
            "weights: 'first-thing:2' sets a weight for the second time; the weights are first-thing (0), second (2)",
        ),
        ("", "weights: '' is not of the form NAME:NUMBER; the weights are first-thing (0), second (2)"),
    ] {
        for algorithm in ["greedy", "plain", "alphabeta", "maxn", "mcts", "expectimax"] {
            let error = bot(&tree, &Told::default(), algorithm, &format!("weights={weights}"));
            assert_eq!(error.err().expect(weights).faults, [fault], "{algorithm}");
        }
    }
    let bot = common::bot("alphabeta", "", &tree, 1);
    assert_eq!(bot.unit(), Some(Unit::Expectation { scale: 1000.0 }));
    let options =
        Options::parse_declared("greedy", ALGORITHMS[1].parameters, "weights=a:1").expect("declared");
    let error = build("greedy", &tree, ByHash, &options, 1).err().expect("there are none");
    assert_eq!(error.faults, ["weights: this evaluation has no weights that can be set"]);
}

#[test]
fn a_playout_that_takes_too_long_counts_as_a_draw() {
    // Games so long that no playout gets to an end within its time.
    let tree = Tree { players: 2, branching: 4, depth: 1_000_000, chance: false, seed: mix(1, 2) };
    let line = Line::new(Arc::new(tree));
    let settings = "time=300ms,playout=uniform,patience=10ms,solver=off,memory=1";
    let mut bot = bot(&tree, &Told::default(), "mcts", settings).expect(settings);
    let budget = Budget { clock: TestClock::shared(), ..Budget::new(Limits::default()) };
    let thought = bot.think(&line, &budget, &mut |_| {}).expect("a move");
    assert!(statistic(&thought.statistics, "playouts") > 5.0, "{thought:?}");
    assert!(thought.moves.iter().all(|known| known.score == 0.0), "{thought:?}");
}
