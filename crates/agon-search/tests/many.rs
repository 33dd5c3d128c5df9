//! max^n, paranoid and best-reply search against their definitions.

mod common;

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use agon_core::{Game, Line, Payoffs, Player, Ply, Turn};
use agon_search::{Budget, Evaluation, Limits, PROVEN, Tactics, Thought, WIN, deepen, proven_in};
use agon_testkit::{Contest, Node, Tree};
use common::{ByHash, Hashed, TestClock, bot, statistic};

const ALGORITHMS: [&str; 3] = ["maxn", "paranoid", "best-reply"];

fn trees() -> impl Iterator<Item = Tree> {
    (0..50).map(|seed| Tree { players: 2 + (seed % 5) as u8, branching: 4, depth: 6, chance: false, seed })
}

fn contests() -> impl Iterator<Item = Contest> {
    (0..50).map(|seed| {
        Contest(Tree { players: 2 + (seed % 5) as u8, branching: 4, depth: 7, chance: false, seed })
    })
}

/// What the end of a game is worth, the sooner the better.
fn end(mut payoffs: Payoffs, ply: u32) -> Payoffs {
    for value in &mut payoffs.0 {
        *value *= f64::from(WIN);
        if value.abs() > f64::from(PROVEN) {
            *value -= value.signum() * f64::from(ply);
        }
    }
    payoffs
}

fn leaf<G: Hashed>(game: &G, node: &Node, ply: u32) -> Payoffs {
    match game.outcome(node) {
        Some(outcome) => end(game.payoffs(node, &outcome), ply),
        None => ByHash.payoffs(game, node, &()),
    }
}

/// The nodes after all moves of `node` that `keeps` keeps.
fn children<G: Hashed>(game: &G, node: &Node, keeps: &dyn Fn(u8) -> bool) -> Vec<(u8, Node)> {
    let mut all = Vec::new();
    game.for_each_move(node, |mv| {
        let mut next = *node;
        game.play_unchecked(&mut next, mv);
        all.push((mv, next));
    });
    if all.iter().any(|(mv, _)| keeps(*mv)) {
        all.retain(|(mv, _)| keeps(*mv));
    }
    all
}

/// A definition: what a node is worth this many plies ahead, this many plies below the root, to the player at the root.
type Definition<G> = fn(&G, &Node, u32, u32, &dyn Fn(u8) -> bool) -> f64;

const ROOT: Player = Player(0);

fn max_n<G: Hashed>(game: &G, node: &Node, depth: u32, ply: u32, keeps: &dyn Fn(u8) -> bool) -> f64 {
    fn vector<G: Hashed>(game: &G, node: &Node, depth: u32, ply: u32, keeps: &dyn Fn(u8) -> bool) -> Payoffs {
        let children = children(game, node, keeps);
        let Turn::Player(player) = game.turn(node) else { panic!("no chance") };
        if depth == 0 || children.is_empty() {
            return leaf(game, node, ply);
        }
        let values = children.iter().map(|(_, next)| vector(game, next, depth - 1, ply + 1, keeps));
        values
            .reduce(|best, other| if other.of(player) > best.of(player) { other } else { best })
            .expect("a child")
    }
    vector(game, node, depth, ply, keeps).of(ROOT)
}

fn paranoid<G: Hashed>(game: &G, node: &Node, depth: u32, ply: u32, keeps: &dyn Fn(u8) -> bool) -> f64 {
    let children = children(game, node, keeps);
    if depth == 0 || children.is_empty() {
        return leaf(game, node, ply).of(ROOT).round();
    }
    let values = children.iter().map(|(_, next)| paranoid(game, next, depth - 1, ply + 1, keeps));
    if game.turn(node) == Turn::Player(ROOT) {
        values.fold(f64::MIN, f64::max)
    } else {
        values.fold(f64::MAX, f64::min)
    }
}

/// The others stand aside by skipping their turns.
fn best_reply<G: Hashed>(game: &G, node: &Node, depth: u32, ply: u32, keeps: &dyn Fn(u8) -> bool) -> f64 {
    let own = Turn::Player(ROOT);
    if depth == 0 || game.outcome(node).is_some() {
        return leaf(game, node, ply).of(ROOT).round();
    }
    if game.turn(node) == own {
        let children = children(game, node, keeps);
        let values = children.iter().map(|(_, next)| best_reply(game, next, depth - 1, ply + 1, keeps));
        return values.fold(f64::MIN, f64::max);
    }
    let aside = |mut node: Node| {
        assert!(<ByHash as Tactics<G>>::skip_turn(&ByHash, game, &mut node));
        node
    };
    let mut worst = f64::MAX;
    let mut stage = *node;
    while game.turn(&stage) != own && game.outcome(&stage).is_none() {
        for (_, mut next) in children(game, &stage, keeps) {
            while game.turn(&next) != own && game.outcome(&next).is_none() {
                next = aside(next);
            }
            worst = worst.min(best_reply(game, &next, depth - 1, ply + 1, keeps));
        }
        stage = aside(stage);
    }
    worst
}

fn definition<G: Hashed>(algorithm: &str) -> Definition<G> {
    match algorithm {
        "maxn" => max_n,
        "paranoid" => paranoid,
        _ => best_reply,
    }
}

fn think<G: Hashed>(algorithm: &'static str, settings: &str, game: &G) -> Thought<u8> {
    let budget = Budget::new(Limits::default());
    // A small table is soon made.
    let table = if settings.contains("tt=") { "" } else { ",tt=1" };
    bot(algorithm, &format!("{settings}{table}"), game, 1)
        .think(&Line::new(Arc::new(*game)), &budget, &mut |_| {})
        .expect("a move")
}

fn is_choice<G: Hashed>(game: &G) -> bool {
    game.count_moves(&game.start()) > 1
}

fn agrees<G: Hashed>(game: &G) {
    for algorithm in ALGORITHMS {
        for (settings, multi, keeps) in [
            ("tt=1", 1, &(|_| true) as &dyn Fn(u8) -> bool),
            ("tt=off", 1, &|_| true),
            ("tt=1,candidates=even", 1, &|mv| mv % 2 == 0),
            ("tt=1,multi=3", 3, &|_| true),
        ] {
            for depth in 1..=6 {
                let expected = definition(algorithm)(game, &game.start(), depth, 0, keeps);
                let thought = think(algorithm, &format!("depth={depth},{settings}"), game);
                let name = format!("{algorithm}:{settings} depth {depth} of {:?}", game.tree());
                if !is_choice(game) {
                    continue;
                }
                assert_eq!(thought.score, Some(expected), "{name}");
                // The move is worth what is said of it, and the list has true scores, best first.
                let mut best: Vec<f64> = Vec::new();
                for (mv, next) in children(game, &game.start(), keeps) {
                    // An earlier end may have been deep enough.
                    let worth = definition(algorithm)(game, &next, thought.depth - 1, 1, keeps);
                    let told = thought.moves.iter().find(|told| told.mv == mv);
                    assert!(told.is_none_or(|told| told.score == worth), "{name} {mv}: {told:?}, {worth}");
                    best.push(worth);
                }
                best.sort_by(|one, other| other.total_cmp(one));
                best.truncate(multi);
                let told: Vec<f64> = thought.moves.iter().map(|known| known.score).take(multi).collect();
                assert_eq!(told, best, "{name}");
                assert_eq!((thought.moves[0].mv, thought.moves[0].score), (thought.best, expected));
                assert!(thought.moves.is_sorted_by(|one, other| one.score >= other.score));
                assert!(thought.depth == depth || proven_in(expected).is_some());
            }
        }
    }
}

#[test]
fn values_are_those_of_the_definitions_on_trees() {
    trees().for_each(|tree| agrees(&tree));
}

#[test]
fn values_are_those_of_the_definitions_where_games_are_won_and_lost_early() {
    contests().for_each(|contest| agrees(&contest));
}

#[test]
fn max_n_finds_what_plain_search_finds() {
    for tree in trees().filter(is_choice) {
        for depth in 1..=5 {
            let report = deepen(&tree, &tree.start(), &ByHash, depth, |_| false);
            let thought = think("maxn", &format!("depth={depth}"), &tree);
            assert_eq!(thought.score, Some(report.value.of(ROOT)), "{tree:?} depth {depth}");
            assert_eq!(thought.depth, depth);
        }
    }
}

#[test]
fn with_two_players_all_are_minimax() {
    for contest in contests().filter(|contest| contest.players() == 2 && is_choice(contest)) {
        let scores = ALGORITHMS.map(|algorithm| think(algorithm, "depth=5", &contest).score.map(f64::round));
        assert!(scores.iter().all(|score| *score == scores[0]), "{contest:?} {scores:?}");
    }
}

#[test]
fn one_bot_may_play_all_seats() {
    for contest in contests() {
        for algorithm in ALGORITHMS {
            let mut line = Line::new(Arc::new(contest));
            let mut keeper = bot(algorithm, "depth=5,tt=1", &contest, 1);
            while let Some(&ply) = line.legal().last() {
                // Every other search sees just as far as the one before, which was another seat's: what is remembered of
                // that must not disturb.
                let depth = 5 - line.plies().len() as u32 % 2;
                let budget = Budget::new(Limits { depth: Some(depth), ..Limits::default() });
                let mut fresh = bot(algorithm, "depth=5,tt=1", &contest, 1);
                let [one, other] = [&mut keeper, &mut fresh]
                    .map(|bot| bot.think(&line, &budget, &mut |_| {}).expect("a move").score);
                assert_eq!(one, other, "{algorithm} in {contest:?}");
                assert!(line.play(ply));
            }
        }
    }
}

#[test]
fn tables_and_cuts_save_work() {
    let tree = Tree { players: 3, branching: 9, depth: 12, chance: false, seed: 3 };
    let nodes = ALGORITHMS.map(|algorithm| think(algorithm, "depth=5", &tree).nodes);
    assert!(nodes[1] < nodes[0] / 2 && nodes[2] < nodes[0] / 2, "{nodes:?}");
    let few = ALGORITHMS.map(|algorithm| think(algorithm, "depth=5,best=2", &tree).nodes);
    assert!(few.iter().zip(nodes).all(|(few, nodes)| *few < nodes / 2), "{few:?} {nodes:?}");
}

#[test]
fn limits_are_exact_and_searches_repeatable() {
    let tree = Tree { players: 4, branching: 9, depth: 30, chance: false, seed: 3 };
    let line = Line::new(Arc::new(tree));
    for algorithm in ALGORITHMS {
        for nodes in [1, 2, 10, 333, 5000] {
            let settings = format!("nodes={nodes}");
            let (one, other) = (think(algorithm, &settings, &tree), think(algorithm, &settings, &tree));
            assert_eq!(one.nodes, nodes, "{algorithm}");
            assert_eq!((one.best, one.score, one.depth), (other.best, other.score, other.depth));
            assert!(line.is_legal(Ply::Move(one.best)));
        }
        let budget = Budget { clock: TestClock::shared(), ..Budget::new(Limits::default()) };
        let thought = bot(algorithm, "time=2s", &tree, 1).think(&line, &budget, &mut |_| {}).expect("a move");
        assert!(
            thought.elapsed < Duration::from_millis(2010) && thought.depth > 0,
            "{algorithm} {thought:?}"
        );
        let budget = Budget::new(Limits::default());
        let stop = Arc::clone(&budget.stop);
        let thought = bot(algorithm, "depth=60", &tree, 1).think(&line, &budget, &mut |thought| {
            stop.store(thought.depth >= 3, Ordering::Relaxed);
        });
        assert_eq!(thought.expect("a move").depth, 3);
    }
}

#[test]
fn noise_varies_the_choice_but_never_hides_a_win() {
    let tree = Tree { players: 3, branching: 9, depth: 9, chance: false, seed: 11 };
    for algorithm in ALGORITHMS.into_iter().chain(["mcts"]) {
        let mut bot = bot(algorithm, "noise=3000,nodes=2000", &tree, 4);
        let line = Line::new(Arc::new(tree));
        let moves: std::collections::HashSet<Option<u8>> = (0..20).map(|_| bot.choose(&line)).collect();
        assert!(moves.len() > 2, "{algorithm} {moves:?}");
    }
    for contest in contests() {
        let sure = think("paranoid", "depth=3", &contest);
        if sure.score.and_then(proven_in).is_some_and(|plies| plies > 0) {
            let blurred = think("paranoid", "depth=3,noise=1000", &contest);
            assert_eq!(blurred.score.and_then(proven_in), sure.score.and_then(proven_in), "{contest:?}");
        }
    }
}

#[test]
fn the_line_is_legal_and_leads_where_the_score_says() {
    for tree in trees().filter(is_choice) {
        let thought = think("paranoid", "depth=4", &tree);
        assert!(statistic(&thought.statistics, "table fill") > 0.0);
        let mut line = Line::new(Arc::new(tree));
        for &mv in &thought.line {
            assert!(line.play(Ply::Move(mv)), "{tree:?} {:?}", thought.line);
        }
        if thought.line.len() == 4 {
            assert_eq!(leaf(&tree, line.position(), 4).of(ROOT).round(), thought.score.expect("a score"));
        }
    }
}
