//! Searches of several threads: they find what one finds, keep to the limits together, and end together.

mod common;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::{ThreadId, current};
use std::time::Duration;

use agon_core::{Line, Options, Ply};
use agon_search::{ALGORITHMS, Budget, Clock, Evaluation, GameBot, Limits, Thought, Threads};
use agon_testkit::{Contest, Minimax, Tree, ends_by};
use common::{ByHash, Hashed, bot, statistic};

fn think<G: Hashed>(bot: &mut dyn GameBot<G>, game: G, budget: &Budget) -> Thought<G::Move> {
    bot.think(&Line::new(Arc::new(game)), budget, &mut |_| {}).expect("a move")
}

fn free() -> Budget {
    Budget::new(Limits::default())
}

/// A tree that nobody comes to the end of.
fn endless() -> Tree {
    Tree { players: 2, branching: 9, depth: 60, chance: false, seed: 3 }
}

#[test]
fn several_threads_find_what_minimax_finds() {
    let oracle = Minimax {
        end: &ends_by(&ByHash),
        stops: &|_| false,
        leaf: &|_, line: &mut Line<Tree>, _| ByHash.score(&**line.game(), line.position(), &()),
    };
    let settings = [
        "tt=1",
        "tt=off",
        "tt=1,deepening=off",
        "tt=1,window=full,replace=always",
        "tt=1,aspiration=20,counter=on,replace=depth",
        "tt=1,shallow=1,ordering=none",
        "tt=1,multi=3",
    ];
    for (seed, settings) in (0..70).zip(settings.iter().cycle()) {
        let tree = Tree { players: 2, branching: 5, depth: 7, chance: false, seed };
        let mut line = Line::new(Arc::new(tree));
        let settings = format!("exact=on,{settings},threads={}", 2 + seed % 3);
        // The same bot is asked for more and more, so that what is left in the table counts.
        let mut bot = bot("alphabeta", &settings, &tree, 1);
        for depth in 3..=7 {
            let limits = Limits { depth: Some(depth), ..Limits::default() };
            let budget = Budget { keeps_own_limits: false, ..Budget::new(limits) };
            let expected = f64::from(oracle.score(&mut line, depth, 0));
            let thought = think(&mut *bot, tree, &budget);
            assert_eq!(thought.score, Some(expected), "{tree:?} with {settings} at depth {depth}");
            assert_eq!(thought.moves[0].mv, thought.best, "the best move leads the list");
            let mut next = line.clone();
            assert!(next.play(Ply::Move(thought.best)));
            let worth = -f64::from(oracle.score(&mut next, depth - 1, 1));
            assert_eq!(worth, expected, "{tree:?} with {settings} at depth {depth}: {thought:?}");
        }
    }
}

#[test]
fn one_thread_thinks_as_if_there_were_no_others() {
    let tree = endless();
    for (algorithm, settings) in
        [("alphabeta", "nodes=20000,tt=1"), ("mcts", "nodes=20000"), ("expectimax", "depth=6")]
    {
        // Even where there are many to be had: the answer must not depend on the machine.
        let many = Budget { threads: Threads::usually(8), ..free() };
        let one = think(&mut *bot(algorithm, settings, &tree, 1), tree, &free());
        for (settings, budget) in [(format!("{settings},threads=1"), &free()), (settings.to_owned(), &many)] {
            let other = think(&mut *bot(algorithm, &settings, &tree, 1), tree, budget);
            assert_eq!(
                (one.nodes, one.best, one.score),
                (other.nodes, other.best, other.score),
                "{settings}"
            );
        }
        // And a bot that is told to use many has no more than it is granted.
        let granted = Budget { threads: Threads::at_most(1), ..free() };
        let other = think(&mut *bot(algorithm, &format!("{settings},threads=4"), &tree, 1), tree, &granted);
        assert_eq!((one.nodes, one.best, one.score), (other.nodes, other.best, other.score), "{settings}");
    }
}

#[test]
fn expectimax_finds_the_same_values_with_any_number_of_threads() {
    for seed in 0..24 {
        let tree = Tree { players: 1 + (seed % 2) as u8, branching: 4, depth: 8, chance: seed % 4 < 2, seed };
        for settings in ["depth=3,tt=off", "depth=6,tt=off", "depth=7,tt=1", "depth=1", "nodes=100000000"] {
            let [one, several] = [1, 3].map(|threads| {
                let settings = format!("{settings},threads={threads}");
                think(&mut *bot("expectimax", &settings, &tree, 1), tree, &free())
            });
            assert_eq!((one.best, one.score, one.depth), (several.best, several.score, several.depth));
            let scores =
                |thought: &Thought<u8>| thought.moves.iter().map(|known| known.score).collect::<Vec<_>>();
            assert_eq!(scores(&one), scores(&several), "{tree:?} {settings}");
            if settings.contains("tt=off") {
                assert_eq!(one.nodes, several.nodes, "every position is searched once: {tree:?} {settings}");
            }
        }
    }
}

#[test]
fn trees_grown_by_several_threads_are_added_up() {
    let tree = Tree { players: 2, branching: 9, depth: 12, chance: false, seed: 3 };
    let line = Line::new(Arc::new(tree));
    let mut mcts = bot("mcts", "nodes=12000,threads=3,memory=1", &tree, 1);
    let mut think = || mcts.think(&line, &free(), &mut |_| {}).expect("a move");
    let thought = think();
    let playouts = statistic(&thought.statistics, "playouts") as u64;
    // Every game of this tree is as long as any other; each thread leaves one unfinished, or what is left of its last portion.
    assert!((12_000 - 3 * 256..=12_000).contains(&thought.nodes), "{thought:?}");
    assert!(thought.nodes / 12 - playouts <= 3, "{thought:?}");
    assert_eq!(thought.moves.len(), line.legal().len(), "every move was tried");
    // What is kept from before is kept by all of them.
    let again = think();
    assert_eq!(statistic(&again.statistics, "playouts kept from before") as u64, playouts);
}

#[test]
fn proofs_of_several_trees_hold() {
    for seed in 0..60 {
        let contest = Contest(Tree { players: 2, branching: 4, depth: 6, chance: false, seed });
        let line = Line::new(Arc::new(contest));
        if line.legal().len() < 2 {
            continue;
        }
        let thought = think(&mut *bot("mcts", "nodes=300000,threads=3", &contest, 1), contest, &free());
        let alone = think(&mut *bot("mcts", "nodes=300000", &contest, 1), contest, &free());
        assert!(thought.nodes < 300_000, "the end was found: {contest:?}");
        let sign = |thought: &Thought<u8>| {
            thought.score.expect("a score").signum() as i32 * i32::from(thought.is_proven())
        };
        assert_eq!(sign(&thought), sign(&alone), "{contest:?}");
    }
}

#[test]
fn a_limit_of_nodes_holds_for_all_threads_together() {
    for (algorithm, settings) in [("alphabeta", "tt=1"), ("mcts", "memory=1"), ("expectimax", "tt=off")] {
        for nodes in [1, 300, 5000, 100_001] {
            let settings = format!("nodes={nodes},threads=4,{settings}");
            let thought = think(&mut *bot(algorithm, &settings, &endless(), 1), endless(), &free());
            assert!(thought.nodes <= nodes, "{algorithm}:{settings} made {}", thought.nodes);
            assert!(thought.nodes + 4 * 256 >= nodes, "{algorithm}:{settings} made {}", thought.nodes);
        }
    }
}

/// A clock of one thread, which goes on a little whenever somebody looks.
struct OfOneThread {
    owner: ThreadId,
    looks: AtomicU64,
    is_read_by_others: AtomicBool,
}

impl Clock for OfOneThread {
    fn now(&self) -> Duration {
        self.is_read_by_others.fetch_or(current().id() != self.owner, Ordering::Relaxed);
        Duration::from_micros(100 * self.looks.fetch_add(1, Ordering::Relaxed))
    }
}

#[test]
fn the_time_of_the_thread_that_was_asked_ends_the_search_of_all() {
    for algorithm in ["alphabeta", "mcts", "expectimax"] {
        let clock = Arc::new(OfOneThread {
            owner: current().id(),
            looks: AtomicU64::new(0),
            is_read_by_others: AtomicBool::new(false),
        });
        let limits = Limits::of_time(Duration::from_millis(50));
        let budget = Budget::on_clock(limits, Arc::clone(&clock) as Arc<dyn Clock>);
        let told = format!("threads=3,{}", if algorithm == "mcts" { "memory=1" } else { "tt=1" });
        let thought = think(&mut *bot(algorithm, &told, &endless(), 1), endless(), &budget);
        assert!(thought.nodes > 0);
        assert!(clock.now() <= Duration::from_millis(52), "{algorithm} went on for {:?}", clock.now());
        assert!(!clock.is_read_by_others.load(Ordering::Relaxed), "{algorithm}");
    }
}

#[test]
fn told_to_stop_all_threads_stop() {
    for (algorithm, settings) in [
        ("alphabeta", "depth=60,tt=1"),
        ("mcts", "nodes=4000000000,memory=1"),
        ("expectimax", "depth=59,nodes=4000000000"),
    ] {
        let budget = free();
        let stop = Arc::clone(&budget.stop);
        let line = Line::new(Arc::new(endless()));
        let mut bot = bot(algorithm, &format!("{settings},threads=3"), &endless(), 1);
        // It would go on for ever.
        let thought =
            bot.think(&line, &budget, &mut |thought| stop.store(thought.nodes > 100, Ordering::Relaxed));
        let thought = thought.expect("a move");
        assert!(line.is_legal(Ply::Move(thought.best)), "{algorithm}");
        // The result that was told is not lost.
        assert!(thought.score.is_some() && thought.nodes > 100, "{algorithm}: {thought:?}");
    }
}

#[test]
fn a_thread_that_fails_ends_the_search_with_its_failure() {
    /// Counts who looks, and fails in the middle of a search.
    struct Failing(AtomicU64);

    impl Clock for Failing {
        fn now(&self) -> Duration {
            assert!(self.0.fetch_add(1, Ordering::Relaxed) < 20, "the clock has stopped");
            Duration::ZERO
        }
    }

    let budget =
        Budget::on_clock(Limits::of_time(Duration::from_secs(1)), Arc::new(Failing(AtomicU64::new(0))));
    let mut bot = bot("alphabeta", "threads=3,tt=1", &endless(), 1);
    let search = std::panic::AssertUnwindSafe(|| think(&mut *bot, endless(), &budget));
    assert!(
        std::panic::catch_unwind(search).is_err(),
        "the helpers have ended, or this would go on for ever"
    );
}

#[test]
fn numbers_of_threads_that_make_no_sense_are_refused() {
    for name in ["alphabeta", "expectimax", "mcts"] {
        let algorithm = ALGORITHMS.iter().find(|algorithm| algorithm.name == name).expect("it is listed");
        let read = |text: &str| Options::parse_declared(name, algorithm.parameters, text);
        for number in ["0", "257", "4294967297", "-1", "1.5", "all", ""] {
            let error = read(&format!("threads={number}")).expect_err(number);
            assert!(error.to_string().contains("threads must be 1 to 256"), "{error}");
        }
        assert!(read("threads=256").is_ok());
    }
}
