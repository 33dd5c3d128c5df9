//! Monte-Carlo tree search against exact values, its bounds and its memory.

mod common;

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use agon_core::{Game, Line, Payoffs, Player, Ply, Turn, Verdict};
use agon_search::{Budget, GameBot, Limits, ScoredMove, Thought, WIN, proven_in};
use agon_testkit::{Contest, Node, Tree};
use common::{TestClock, bot, statistic};

/// What the results of perfect play can be, whatever players do who have nothing to lose or win by it: 0 to 5 a win of that
/// player, 6 a draw, 7 a loss of all.
fn results(contest: &Contest, node: &Node) -> BTreeSet<u8> {
    if let Some(outcome) = contest.outcome(node) {
        return BTreeSet::from([match outcome.verdict {
            Verdict::Won(player) => player.0,
            Verdict::Drawn => 6,
            Verdict::Lost => 7,
        }]);
    }
    let mut children = Vec::new();
    contest.for_each_move(node, |mv| {
        let mut next = *node;
        contest.play_unchecked(&mut next, mv);
        children.push(results(contest, &next));
    });
    contest.for_each_chance(node, |chance, _| {
        let mut next = *node;
        contest.play_chance(&mut next, chance);
        children.push(results(contest, &next));
    });
    match contest.turn(node) {
        Turn::Chance => children.into_iter().flatten().collect(),
        Turn::Player(player) => {
            let mut all = BTreeSet::new();
            for (number, child) in children.iter().enumerate() {
                let others = children.iter().enumerate().filter(|(other, _)| *other != number);
                let least = others.map(|(_, other)| worst(other, player)).max().unwrap_or(-1);
                all.extend(child.iter().filter(|result| fate(**result, player) >= least));
            }
            all
        }
    }
}

fn fate(result: u8, player: Player) -> i32 {
    match result {
        6 => 0,
        result if result == player.0 => 1,
        _ => -1,
    }
}

fn worst(results: &BTreeSet<u8>, player: Player) -> i32 {
    results.iter().map(|result| fate(*result, player)).min().expect("a result")
}

fn best(results: &BTreeSet<u8>, player: Player) -> i32 {
    results.iter().map(|result| fate(*result, player)).max().expect("a result")
}

/// Contests in which there is something to choose at the start.
fn contests() -> impl Iterator<Item = Contest> {
    let all = (0..120).map(|seed| {
        Contest(Tree { players: 1 + (seed % 6) as u8, branching: 4, depth: 6, chance: seed % 5 == 0, seed })
    });
    all.filter(|contest| contest.count_moves(&contest.start()) > 1)
}

fn think<G: common::Hashed>(bot: &mut dyn GameBot<G>, line: &Line<G>) -> Thought<G::Move> {
    bot.think(line, &Budget::new(Limits::default()), &mut |_| {}).expect("a move")
}

fn after(contest: &Contest, mv: u8) -> Node {
    let mut next = contest.start();
    contest.play_unchecked(&mut next, mv);
    next
}

#[test]
fn the_solver_finds_the_exact_result_with_every_kind_of_playout() {
    let kinds = [
        "",
        ",playout=biased",
        ",playout=cut,cutoff=1",
        ",history=3",
        ",bias=5",
        ",fpu=1,playout=cut,cutoff=0",
    ];
    let (mut decided, mut fates) = (0, BTreeSet::new());
    for contest in contests() {
        // Alone, what the game pays and what the evaluation says must be in one unit, which these are not.
        let known = if contest.players() == 1 { 2 } else { kinds.len() };
        let kind = kinds[contest.0.seed as usize / 6 % known];
        let line = Line::new(Arc::new(contest));
        let Turn::Player(player) = line.turn() else { panic!("a player begins") };
        let thought = think(&mut *bot("mcts", &format!("nodes=300000{kind}"), &contest, 1), &line);
        let expected = results(&contest, line.position());
        let chosen = results(&contest, &after(&contest, thought.best));
        // Where perfect play leaves no doubt about what the player gets, the search ends by itself, and has found it.
        if worst(&expected, player) == best(&expected, player) {
            let fate = worst(&expected, player);
            assert!(thought.nodes < 300_000 || contest.0.chance, "{contest:?}{kind}");
            assert!(worst(&chosen, player) >= fate, "{contest:?}{kind}");
            let score = thought.score.expect("a score");
            if contest.players() > 1 && thought.nodes < 300_000 {
                let found = proven_in(score).map_or(0, i64::signum);
                assert_eq!(found, i64::from(fate), "{contest:?}{kind} {score}");
                decided += 1;
                fates.insert(fate);
            }
        }
        // And it never claims what is not so.
        for &ScoredMove { mv, score, .. } in &thought.moves {
            let possible = results(&contest, &after(&contest, mv));
            if contest.players() > 1
                && let Some(plies) = proven_in(score)
            {
                let (least, most) = (worst(&possible, player), best(&possible, player));
                assert_eq!(
                    (least, most),
                    (plies.signum() as i32, plies.signum() as i32),
                    "{contest:?}{kind} {mv}"
                );
            }
        }
    }
    assert!(decided > 40 && fates.len() == 3, "{decided} {fates:?}");
}

#[test]
fn a_win_on_the_spot_is_taken_and_scored_as_one() {
    let mut found = 0;
    for contest in contests().filter(|contest| contest.players() > 1) {
        let mut wins = Vec::new();
        contest.for_each_move(&contest.start(), |mv| {
            if contest.outcome(&after(&contest, mv)).is_some_and(|end| end.verdict == Verdict::Won(Player(0)))
            {
                wins.push(mv);
            }
        });
        if !wins.is_empty() {
            let thought =
                think(&mut *bot("mcts", "nodes=100000", &contest, 5), &Line::new(Arc::new(contest)));
            assert!(wins.contains(&thought.best), "{contest:?}");
            assert_eq!(thought.score, Some(f64::from(WIN - 1)));
            found += 1;
        }
    }
    assert!(found > 5);
}

/// The value of a node, if at every node below the best move is clearly better than the others: where a player hardly cares,
/// convergence takes longer than a test.
fn clear_value(tree: &Tree, node: &Node) -> Option<Payoffs> {
    let mut children = Vec::new();
    let mut next = |step: &dyn Fn(&mut Node)| {
        let mut next = *node;
        step(&mut next);
        children.push(clear_value(tree, &next));
    };
    match tree.turn(node) {
        Turn::Chance => tree.for_each_chance(node, |chance, _| next(&|node| tree.play_chance(node, chance))),
        Turn::Player(_) => tree.for_each_move(node, |mv| next(&|node| tree.play_unchecked(node, mv))),
    }
    let mut values = children.into_iter().collect::<Option<Vec<Payoffs>>>()?;
    match tree.turn(node) {
        _ if values.is_empty() => Some(tree.value(node)),
        Turn::Chance => {
            let mut mean = Payoffs::default();
            for player in 0..tree.players() {
                mean.0[player] =
                    values.iter().map(|value| value.0[player]).sum::<f64>() / values.len() as f64;
            }
            Some(mean)
        }
        Turn::Player(player) => {
            values.sort_by(|one, other| other.of(player).total_cmp(&one.of(player)));
            let is_clear = values.len() < 2 || values[0].of(player) - values[1].of(player) > 0.25;
            is_clear.then_some(values[0])
        }
    }
}

#[test]
fn visits_converge_to_the_best_move_for_any_number_of_players_and_chance() {
    let mut checked = [0; 6];
    for seed in 0..600 {
        let players = 1 + (seed % 6) as u8;
        let tree = Tree { players, branching: 3, depth: 3, chance: players <= 2 && seed % 4 < 2, seed };
        let mut values = Vec::new();
        tree.for_each_move(&tree.start(), |mv| {
            let mut next = tree.start();
            tree.play_unchecked(&mut next, mv);
            values.push(clear_value(&tree, &next));
        });
        if values.len() > 1 && clear_value(&tree, &tree.start()).is_some() {
            let value = |mv: u8| values[usize::from(mv)].expect("it is clear").of(Player(0));
            let best = (0..values.len() as u8).max_by(|one, other| value(*one).total_cmp(&value(*other)));
            let thought = think(&mut *bot("mcts", "nodes=60000", &tree, seed), &Line::new(Arc::new(tree)));
            assert_eq!(Some(thought.best), best, "{tree:?} {values:?} {thought:?}");
            assert_eq!(thought.nodes, 60_000);
            checked[tree.players() - 1] += 1;
        }
    }
    assert!(checked.iter().all(|count| *count > 5), "{checked:?}");
}

#[test]
fn the_tree_never_outgrows_its_memory_and_is_recycled() {
    let tree = Tree { players: 2, branching: 30, depth: 40, chance: false, seed: 4 };
    let line = Line::new(Arc::new(tree));
    let mut largest = 0.0_f64;
    for settings in ["memory=1,nodes=2000000", "memory=1,nodes=2000000,history=5,playout=cut"] {
        let mut bot = bot("mcts", settings, &tree, 3);
        let thought = bot
            .think(&line, &Budget::new(Limits::default()), &mut |thought| {
                largest = largest.max(statistic(&thought.statistics, "tree memory, MB"));
            })
            .expect("a move");
        assert!(statistic(&thought.statistics, "tree thinned out") >= 1.0, "{thought:?}");
        assert_eq!(thought.nodes, 2_000_000);
        assert!(line.is_legal(Ply::Move(thought.best)));
    }
    assert!(largest > 0.5 && largest <= 1.0, "{largest}");
}

#[test]
fn node_limits_are_exact_and_searches_repeatable() {
    for (number, contest) in contests().enumerate() {
        let line = Line::new(Arc::new(contest));
        for nodes in [1, 2, 17, 300] {
            let settings = format!("nodes={nodes},playout={}", ["uniform", "biased", "cut"][number % 3]);
            let [mut one, mut other] = [9, 9].map(|seed| bot("mcts", &settings, &contest, seed));
            let (one, other) = (think(&mut *one, &line), think(&mut *other, &line));
            assert!(one.nodes == nodes || one.nodes < nodes && proves(&one), "{contest:?} {one:?}");
            assert!(line.is_legal(Ply::Move(one.best)));
            assert_eq!(
                (one.best, one.score, &one.moves),
                (other.best, other.score, &other.moves),
                "{contest:?}"
            );
            assert_eq!((one.nodes, one.depth, one.line), (other.nodes, other.depth, other.line));
        }
    }
}

#[test]
fn every_move_of_a_playout_counts_as_a_node() {
    let tree = Tree { players: 2, branching: 5, depth: 12, chance: true, seed: 3 };
    let thought = think(&mut *bot("mcts", "nodes=10000", &tree, 1), &Line::new(Arc::new(tree)));
    let playouts = statistic(&thought.statistics, "playouts") as u64;
    // Every game of this tree is as long as any other; the last one was not finished.
    assert_eq!((thought.nodes, playouts), (10_000, 10_000 / 12));
}

/// Whether the search ended because everything is known.
fn proves<M>(thought: &Thought<M>) -> bool {
    thought.score.is_some_and(|score| proven_in(score).is_some() || score.abs() <= 1.0)
}

#[test]
fn a_clock_or_a_flag_ends_the_search() {
    let tree = Tree { players: 3, branching: 9, depth: 12, chance: false, seed: 8 };
    let line = Line::new(Arc::new(tree));
    for settings in ["time=2s", "depth=3,time=2s", "time=2s,bias=3"] {
        let budget = Budget { clock: TestClock::shared(), ..Budget::new(Limits::default()) };
        let thought = bot("mcts", settings, &tree, 1).think(&line, &budget, &mut |_| {}).expect("a move");
        assert!(thought.elapsed < Duration::from_millis(2010), "{thought:?}");
        assert!(thought.nodes > 0);
    }
    // A depth alone bounds the tree and not the time.
    let budget =
        Budget { clock: TestClock::shared(), keeps_own_limits: false, ..Budget::new(Limits::default()) };
    let budget = Budget { limits: Limits { depth: Some(2), ..Limits::default() }, ..budget };
    let thought = bot("mcts", "", &tree, 1).think(&line, &budget, &mut |_| {}).expect("a move");
    assert_eq!(statistic(&thought.statistics, "greatest depth"), 2.0);
    let budget = Budget::new(Limits::default());
    budget.stop.store(true, Ordering::Relaxed);
    let thought = bot("mcts", "time=1m", &tree, 1).think(&line, &budget, &mut |_| {}).expect("a move");
    assert!(line.is_legal(Ply::Move(thought.best)) && thought.nodes <= 1, "{thought:?}");
    // And one in the middle of it, set by who watches.
    let budget = Budget::new(Limits::default());
    let stop = Arc::clone(&budget.stop);
    let mut told = 0;
    let mut observe = |_: &Thought<u8>| {
        told += 1;
        stop.store(true, Ordering::Relaxed);
    };
    assert!(bot("mcts", "time=1m", &tree, 1).think(&line, &budget, &mut observe).is_some());
    assert_eq!(told, 2, "once on the way, once at the end");
}

#[test]
fn the_tree_is_kept_while_the_game_goes_on_and_only_then() {
    const KEPT: &str = "playouts kept from before";
    for chance in [false, true] {
        let tree = Tree { players: 2, branching: 4, depth: 12, chance, seed: 3 };
        assert!(tree.count_moves(&tree.start()) > 1);
        let mut line = Line::new(Arc::new(tree));
        let [mut keeper, mut forgetter] =
            ["nodes=60000", "nodes=60000,reuse=off"].map(|settings| bot("mcts", settings, &tree, 2));
        let mut kept = Vec::new();
        while line.outcome().is_none() {
            if line.turn() == Turn::Player(Player(0)) {
                let [one, other] = [&mut keeper, &mut forgetter].map(|bot| think(&mut **bot, &line));
                if line.legal().len() > 1 {
                    assert_eq!(statistic(&other.statistics, KEPT), 0.0);
                    kept.push(statistic(&one.statistics, KEPT));
                }
                assert!(line.play(Ply::Move(one.best)));
            } else {
                // Not what was expected, but legal.
                let reply = *line.legal().last().expect("a ply");
                assert!(line.play(reply));
            }
        }
        assert_eq!(kept[0], 0.0);
        assert!(kept.len() >= 3 && kept[1..3].iter().all(|kept| *kept > 20.0), "{kept:?}");
        // Another game, and a step back, are other matters; the very same moment is not.
        let start = Line::new(Arc::clone(line.game()));
        let again = Line::new(Arc::new(tree));
        assert_eq!(statistic(&think(&mut *keeper, &start).statistics, KEPT), 0.0);
        assert!(statistic(&think(&mut *keeper, &start).statistics, KEPT) > 100.0);
        assert_eq!(statistic(&think(&mut *keeper, &again).statistics, KEPT), 0.0);
    }
}

#[test]
fn where_nobody_is_to_move_there_is_no_thought() {
    let tree = Contest(Tree { players: 2, branching: 3, depth: 3, chance: true, seed: 5 });
    let mut line = Line::new(Arc::new(tree));
    let mut bot = bot("mcts", "nodes=100", &tree, 0);
    while let Some(&ply) = line.legal().first() {
        let moves = line.turn() != Turn::Chance;
        assert_eq!(bot.choose(&line).is_some(), moves);
        assert!(line.play(ply));
    }
    assert_eq!(bot.choose(&line), None);
}

#[test]
fn only_candidates_come_into_the_tree() {
    for contest in contests() {
        let line = Line::new(Arc::new(contest));
        let thought = think(&mut *bot("mcts", "nodes=300,candidates=even", &contest, 4), &line);
        // Move 0 is always there, so that the rule keeps something.
        assert!(thought.best.is_multiple_of(2), "{contest:?} {thought:?}");
        assert!(thought.moves.iter().all(|known| known.mv.is_multiple_of(2)), "{contest:?} {thought:?}");
    }
}
