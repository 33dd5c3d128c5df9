//! Alpha-beta against minimax by its definition, on trees without rules.

use std::sync::Arc;
use std::time::Duration;

use agon_core::random::{below, seeded};
use agon_core::{Game, Line, Options, Payoffs, Player, Rng};
use agon_search::{ALGORITHMS, Budget, Clock, Evaluation, Feature, GameBot, Limits, Tactics, Thought, build};
use agon_testkit::{Minimax, Node, Tree, ends_by};

#[derive(Clone, Copy)]
struct ByHash;

impl Evaluation<Tree> for ByHash {
    type State = ();

    fn state(&self, _tree: &Tree, _node: &Node) {}

    fn advance(&self, _: &Tree, _: &mut (), _: &Node, _: u8, _: &Node) {}

    fn payoffs(&self, tree: &Tree, node: &Node, _state: &()) -> Payoffs {
        let mut payoffs = tree.value(node);
        payoffs.0.iter_mut().for_each(|value| *value = (*value * 1000.0).round());
        payoffs
    }

    fn features(&self, _tree: &Tree, _node: &Node, _player: Player) -> Vec<Feature> {
        Vec::new()
    }
}

impl Tactics<Tree> for ByHash {
    fn slots(&self, tree: &Tree) -> usize {
        usize::from(tree.branching)
    }

    fn slot(&self, _tree: &Tree, mv: u8) -> usize {
        usize::from(mv)
    }

    fn order(&self, tree: &Tree, node: &Node, mv: u8) -> i32 {
        let mut next = *node;
        tree.play_unchecked(&mut next, mv);
        -self.score(tree, &next, &())
    }

    fn noisy_kinds(&self) -> &'static [&'static str] {
        &["odd"]
    }

    fn is_noisy(&self, _tree: &Tree, _node: &Node, mv: u8, _kind: usize) -> bool {
        mv % 2 == 1
    }
}

fn bot(tree: &Tree, settings: &str) -> Box<dyn GameBot<Tree>> {
    let algorithm = ALGORITHMS.iter().find(|algorithm| algorithm.name == "alphabeta").expect("it is listed");
    let options = Options::parse_declared("alphabeta", algorithm.parameters, settings).expect(settings);
    build("alphabeta", tree, ByHash, &options, 1).expect(settings)
}

fn trees() -> impl Iterator<Item = Tree> {
    (0..25).map(|seed| Tree { players: 2, branching: 5, depth: 6, chance: false, seed })
}

/// Switches that must not change the value, drawn at random.
fn harmless(rng: &mut Rng) -> String {
    let choices: &[&[&str]] = &[
        &["window=pvs", "window=full"],
        &["deepening=on", "deepening=off"],
        &["aspiration=off", "aspiration=10", "aspiration=500"],
        &["ordering=none", "ordering=static", "ordering=static,sight=1", "ordering=original"],
        &["hash=on", "hash=off"],
        &["killers=on", "killers=off"],
        &["history=on", "history=off"],
        &["counter=on", "counter=off"],
        &["shallow=off", "shallow=1", "shallow=2"],
        &["tt=off", "tt=1", "tt=2"],
        &["replace=aged", "replace=depth", "replace=always"],
        &["multi=1", "multi=3"],
    ];
    let drawn: Vec<&str> =
        choices.iter().map(|words| words[below(rng, words.len() as u64) as usize]).collect();
    format!("exact=on,{}", drawn.join(","))
}

fn think(tree: &Tree, settings: &str) -> Thought<u8> {
    let line = Line::new(Arc::new(*tree));
    let budget = Budget { keeps_own_limits: true, ..Budget::new(Limits::default()) };
    bot(tree, settings).think(&line, &budget, &mut |_| {}).expect("a move")
}

#[test]
fn with_any_harmless_switches_the_value_is_that_of_minimax() {
    let oracle = Minimax {
        end: &ends_by(&ByHash),
        stops: &|_| false,
        leaf: &|_, line: &mut Line<Tree>, _| ByHash.score(line.game(), line.position(), &()),
    };
    let mut rng = seeded(5);
    for tree in trees() {
        for depth in 1..=7 {
            let mut line = Line::new(Arc::new(tree));
            let expected = oracle.score(&mut line, depth, 0);
            for _ in 0..6 {
                let settings = format!("{},depth={depth}", harmless(&mut rng));
                let thought = think(&tree, &settings);
                if line.legal().len() > 1 {
                    assert_eq!(thought.score, Some(f64::from(expected)), "{tree:?} with {settings}");
                    assert_eq!(thought.moves[0].mv, thought.best, "the best move leads the list");
                }
            }
        }
    }
}

#[test]
fn quiescence_is_minimax_with_that_leaf_search() {
    fn quiesce(line: &mut Line<Tree>, oracle: &Minimax<Tree>, left: u32, threshold: i32, ply: u32) -> i32 {
        if let Some(result) = oracle.result(line, ply) {
            return result;
        }
        let stand = ByHash.score(line.game(), line.position(), &());
        let mut best = stand;
        for mv in line.legal().into_iter().filter(|_| left > 0) {
            let agon_core::Ply::Move(number) = mv else { continue };
            if number % 2 == 1 {
                assert!(line.play(mv));
                let after = -ByHash.score(line.game(), line.position(), &());
                if oracle.result(line, ply + 1).is_some() || (after - stand).abs() >= threshold {
                    best = best.max(-quiesce(line, oracle, left - 1, threshold, ply + 1));
                }
                line.undo();
            }
        }
        best
    }
    let oracle = Minimax {
        end: &ends_by(&ByHash),
        stops: &|_| false,
        leaf: &|oracle, line: &mut Line<Tree>, ply| quiesce(line, oracle, 3, 200, ply),
    };
    let mut rng = seeded(6);
    for tree in trees() {
        for depth in 1..=4 {
            let expected = oracle.score(&mut Line::new(Arc::new(tree)), depth, 0);
            let settings =
                format!("{},depth={depth},quiescence=3,noisy=odd,threshold=200", harmless(&mut rng));
            let thought = think(&tree, &settings);
            if thought.score.is_some() {
                assert_eq!(thought.score, Some(f64::from(expected)), "{tree:?} with {settings}");
            }
        }
    }
}

#[test]
fn several_lines_are_the_true_scores_of_the_best_moves() {
    for tree in trees() {
        let line = Line::new(Arc::new(tree));
        let oracle = Minimax {
            end: &ends_by(&ByHash),
            stops: &|_| false,
            leaf: &|_, line: &mut Line<Tree>, _| ByHash.score(line.game(), line.position(), &()),
        };
        let mut expected: Vec<f64> = line
            .legal()
            .into_iter()
            .map(|mv| {
                let mut next = line.clone();
                assert!(next.play(mv));
                -f64::from(oracle.score(&mut next, 3, 1))
            })
            .collect();
        expected.sort_by(|one, other| other.total_cmp(one));
        let thought = think(&tree, "depth=4,multi=500,exact=on");
        if expected.len() > 1 {
            assert_eq!(
                thought.moves.iter().map(|known| known.score).collect::<Vec<_>>(),
                expected,
                "{tree:?}"
            );
        }
    }
}

#[test]
fn a_limit_of_nodes_is_kept_exactly_and_gives_the_same_move_every_time() {
    let tree = Tree { players: 2, branching: 9, depth: 30, chance: false, seed: 3 };
    for nodes in [1, 2, 10, 333, 5000] {
        let settings = format!("nodes={nodes},tt=1");
        let (one, other) = (think(&tree, &settings), think(&tree, &settings));
        assert_eq!(one.nodes, nodes);
        assert_eq!((one.best, one.score, one.depth), (other.best, other.score, other.depth));
    }
}

/// A clock that goes on a little whenever somebody looks.
struct Ticking(std::sync::atomic::AtomicU64);

impl Clock for Ticking {
    fn now(&self) -> Duration {
        Duration::from_micros(100 * self.0.fetch_add(1, std::sync::atomic::Ordering::Relaxed))
    }
}

#[test]
fn a_search_stops_when_its_time_is_over_or_when_told_so() {
    let tree = Tree { players: 2, branching: 9, depth: 50, chance: false, seed: 3 };
    let line = Line::new(Arc::new(tree));
    let clock = Arc::new(Ticking(Default::default()));
    let budget = Budget { clock: clock.clone(), ..Budget::new(Limits::of_time(Duration::from_millis(50))) };
    let thought = bot(&tree, "").think(&line, &budget, &mut |_| {}).expect("a move");
    assert!(thought.depth >= 1, "there was time for something");
    assert!(clock.now() <= Duration::from_millis(51), "it went on for {:?}", clock.now());

    let budget = Budget::new(Limits::default());
    let stop = Arc::clone(&budget.stop);
    let mut seen = 0;
    let thought = bot(&tree, "depth=60").think(&line, &budget, &mut |thought| {
        seen = thought.depth;
        stop.store(thought.depth >= 3, std::sync::atomic::Ordering::Relaxed);
    });
    assert_eq!((seen, thought.expect("a move").depth), (3, 3), "it was stopped after depth 3");
}
