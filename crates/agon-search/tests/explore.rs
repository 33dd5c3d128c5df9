//! Trees of searches as they are shown: they are those of the searches themselves, and watching changes nothing.

mod common;

use std::sync::Arc;

use agon_core::line::PlyOf;
use agon_core::{Game, Line, Ply, Turn};
use agon_search::explore::{
    Exploration, Fate, MAX_SHOWN, PlayoutTree, Purpose, Tree, WindowNode, WindowTree,
};
use agon_search::{Bound, Budget, Evaluation, Limits};
use agon_testkit::{Contest, Minimax, Tree as TreeGame, ends_by};
use common::{ByHash, Hashed, bot};

/// Alpha-beta with every switch off.
const PLAIN: &str = "window=full,deepening=off,ordering=none,hash=off,killers=off,history=off,tt=off";

/// Settings that between them use everything that a search can do.
const SETTINGS: [&str; 12] = [
    PLAIN,
    "deepening=off,tt=off",
    "tt=1",
    "tt=1,aspiration=50",
    "tt=1,multi=3",
    "tt=1,shallow=1",
    "tt=1,null=1",
    "tt=off,lmr=1,lmr-rate=2",
    "tt=off,futility=50",
    "tt=off,multicut=2,multicut-moves=3",
    "tt=off,best=2",
    "tt=1,candidates=even,quiescence=2,noisy=swing",
];

fn games() -> impl Iterator<Item = TreeGame> {
    (0..6).map(|seed| TreeGame { players: 2, branching: 6, depth: 7, chance: false, seed })
}

fn budget() -> Budget {
    Budget { is_analysis: true, ..Budget::new(Limits::default()) }
}

fn explored<G: Hashed>(
    algorithm: &'static str,
    settings: &str,
    game: &G,
    playouts: u32,
) -> Exploration<PlyOf<G>> {
    let line = Line::new(Arc::new(*game));
    bot(algorithm, settings, game, 1).explore(&line, &budget(), playouts).expect("a tree")
}

fn window_tree(settings: &str, game: &TreeGame) -> WindowTree<PlyOf<TreeGame>> {
    match explored("alphabeta", settings, game, 1).tree {
        Tree::Window(tree) => tree,
        Tree::Playout(_) => panic!("alpha-beta has windows"),
    }
}

fn playout_tree<G: Hashed>(settings: &str, game: &G, playouts: u32) -> PlayoutTree<PlyOf<G>> {
    match explored("mcts", settings, game, playouts).tree {
        Tree::Playout(tree) => tree,
        Tree::Window(_) => panic!("playouts have no windows"),
    }
}

#[test]
fn watching_changes_nothing_and_the_root_is_what_the_search_found() {
    for game in games() {
        let line = Line::new(Arc::new(game));
        for settings in SETTINGS {
            for depth in 1..=6 {
                let settings = format!("{settings},depth={depth}");
                let thought = bot("alphabeta", &settings, &game, 1).think(&line, &budget(), &mut |_| {});
                let thought = thought.expect("a move");
                let Exploration { thought: watched, tree } = explored("alphabeta", &settings, &game, 1);
                let Tree::Window(tree) = tree else { panic!("alpha-beta has windows") };
                let context = format!("{game:?} with {settings}");
                assert_eq!(watched.nodes, thought.nodes, "{context}");
                assert_eq!(
                    (watched.best, watched.score),
                    (Ply::Move(thought.best), thought.score),
                    "{context}"
                );
                let root = tree.nodes[0].visit.expect("the root is visited");
                assert_eq!(
                    (Some(f64::from(root.value)), root.bound),
                    (thought.score, Bound::Exact),
                    "{context}"
                );
                assert!(tree.is_finished, "{context}");
                check_windows(&tree, &context);
            }
        }
    }
}

/// Every window is open, and as wide as its purpose has it; a node's value lies where its bound says.
fn check_windows<P>(tree: &WindowTree<P>, context: &str) {
    for (index, node) in tree.nodes.iter().enumerate() {
        assert_eq!(node.parent.is_none(), index == 0, "{context}");
        assert!(node.parent.is_none_or(|parent| parent < index), "{context}");
        let Some(visit) = node.visit else { continue };
        let (alpha, beta) = (visit.alpha.unwrap_or(i32::MIN), visit.beta.unwrap_or(i32::MAX));
        assert!(alpha < beta, "{context}: {visit:?}");
        if matches!(
            visit.purpose,
            Purpose::Scout | Purpose::Reduced | Purpose::NullMove | Purpose::Prediction
        ) {
            assert_eq!(beta - alpha, 1, "{context}: {visit:?}");
        }
        let is_inside = visit.value > alpha && visit.value < beta;
        assert!(is_inside <= (visit.bound == Bound::Exact), "{context}: {visit:?}");
        if visit.purpose == Purpose::Value
            && let Some(above) = node.parent.and_then(|parent| tree.nodes[parent].visit)
            && above.purpose == Purpose::Value
        {
            let outer = (above.alpha.unwrap_or(i32::MIN), above.beta.unwrap_or(i32::MAX));
            assert!(outer.0 <= alpha && beta <= outer.1, "{context}: {visit:?} in {above:?}");
        }
    }
}

#[test]
fn plain_alpha_beta_shows_every_move_once_and_has_the_value_of_minimax() {
    let oracle = Minimax {
        end: &ends_by(&ByHash),
        stops: &|_| false,
        leaf: &|_, line: &mut Line<TreeGame>, _| ByHash.score(&**line.game(), line.position(), &()),
    };
    let mut pruned = 0;
    for game in games() {
        for depth in 1..=4 {
            let mut line = Line::new(Arc::new(game));
            let expected = oracle.score(&mut line, depth, 0);
            let Exploration { thought, tree } =
                explored("alphabeta", &format!("{PLAIN},depth={depth}"), &game, 1);
            let Tree::Window(tree) = tree else { panic!("alpha-beta has windows") };
            assert_eq!(tree.nodes[0].visit.expect("the root is visited").value, expected, "{game:?}");
            assert_eq!(tree.visited, thought.nodes + 1, "the root and one node a move");
            assert_eq!(tree.nodes.len() as u64, tree.visited + tree.pruned, "everything fits");
            check_families(&tree, &mut line, 0, true);
            pruned += tree.pruned;
        }
    }
    assert!(pruned > 100, "{pruned} branches were left out");
}

/// Every legal move is there once, the value comes from the moves that were searched, and a cut-off has its reason.
fn check_families(tree: &WindowTree<PlyOf<TreeGame>>, line: &mut Line<TreeGame>, index: usize, is_max: bool) {
    let node = &tree.nodes[index];
    let visit = node.visit.expect("only visited nodes have families");
    let family: Vec<usize> =
        (0..tree.nodes.len()).filter(|&other| tree.nodes[other].parent == Some(index)).collect();
    if matches!(node.fate, Fate::Leaf | Fate::Over) {
        assert!(family.is_empty());
        assert_eq!(node.fate == Fate::Over, line.outcome().is_some());
        return;
    }
    let key = |ply: &PlyOf<TreeGame>| format!("{ply:?}");
    let mut shown: Vec<String> =
        family.iter().map(|&child| key(&tree.nodes[child].ply.expect("a move"))).collect();
    let mut legal: Vec<String> = line.legal().iter().map(key).collect();
    shown.sort();
    legal.sort();
    assert_eq!(shown, legal);
    let searched: Vec<&WindowNode<_>> =
        family.iter().map(|&child| &tree.nodes[child]).filter(|child| child.visit.is_some()).collect();
    let values = searched.iter().map(|child| child.visit.expect("visited").value);
    let best = if is_max { values.max() } else { values.min() };
    assert_eq!(best, Some(visit.value), "the best of the moves that were searched");
    for &child in &family {
        let left_out = &tree.nodes[child];
        match (&node.fate, left_out.visit) {
            (_, Some(_)) => {
                let ply = left_out.ply.expect("a move");
                assert!(line.play(ply));
                check_families(tree, line, child, !is_max);
                line.undo();
            }
            (Fate::Cut(by), None) => {
                assert_eq!(left_out.fate, Fate::PrunedByCut(*by));
                assert_eq!(searched.last().and_then(|child| child.ply), Some(*by));
            }
            (fate, None) => panic!("{left_out:?} was left out of a node that was {fate:?}"),
        }
    }
    if matches!(node.fate, Fate::Cut(_)) {
        let beyond = if is_max {
            visit.beta.is_some_and(|beta| visit.value >= beta)
        } else {
            visit.alpha.is_some_and(|alpha| visit.value <= alpha)
        };
        assert!(beyond, "{visit:?} is no cut-off");
    }
}

#[test]
fn every_way_to_prune_is_told() {
    let all = |settings: &str, depth: u32| -> Vec<WindowNode<PlyOf<TreeGame>>> {
        games().flat_map(|game| window_tree(&format!("{settings},depth={depth}"), &game).nodes).collect()
    };
    let has_fate = |settings: &str, fate: &dyn Fn(&Fate<PlyOf<TreeGame>>) -> bool| {
        let nodes = all(settings, 5);
        assert!(nodes.iter().any(|node| fate(&node.fate)), "{settings}");
    };
    has_fate(PLAIN, &|fate| matches!(fate, Fate::Cut(_)));
    has_fate(PLAIN, &|fate| *fate == Fate::Leaf);
    has_fate("tt=1,deepening=on", &|fate| *fate == Fate::Table);
    has_fate("tt=off,null=1", &|fate| *fate == Fate::NullMove);
    has_fate("tt=off,null=1", &|fate| *fate == Fate::PrunedEarly);
    has_fate("tt=off,futility=1", &|fate| *fate == Fate::PrunedAsFutile);
    has_fate("tt=off,multicut=2,multicut-moves=6", &|fate| *fate == Fate::MultiCut);
    has_fate("tt=off,best=2", &|fate| *fate == Fate::PrunedByLooks);
    has_fate("tt=off,candidates=even", &|fate| *fate == Fate::PrunedByRule);
    let purposes = |settings: &str, purpose: Purpose| {
        let nodes = all(settings, 5);
        let visited = nodes.iter().filter_map(|node| node.visit);
        assert!(visited.into_iter().any(|visit| visit.purpose == purpose), "{settings}: {purpose:?}");
    };
    purposes("tt=off", Purpose::Scout);
    purposes("tt=off,ordering=none", Purpose::Again);
    purposes("tt=off,lmr=1,lmr-rate=2", Purpose::Reduced);
    purposes("tt=off,null=1", Purpose::NullMove);
    purposes("tt=off,multicut=2", Purpose::MultiCut);
    purposes("tt=off,shallow=1", Purpose::Ordering);
    let nodes = all("window=full,tt=off,ordering=none,killers=off,history=off", 3);
    assert!(nodes.iter().all(|node| node.visit.is_none_or(|visit| visit.purpose == Purpose::Value)));
}

#[test]
fn a_large_tree_is_cut_from_below_and_says_so() {
    let game = TreeGame { players: 2, branching: 12, depth: 12, chance: false, seed: 4 };
    let tree = window_tree(&format!("{PLAIN},depth=8"), &game);
    let all = tree.visited + tree.pruned;
    assert!(all > 20 * MAX_SHOWN as u64, "{all} nodes are not many");
    assert!(tree.nodes.len() <= MAX_SHOWN && tree.nodes.len() > MAX_SHOWN / 2, "{}", tree.nodes.len());
    let hidden: u64 = tree.nodes.iter().map(|node| node.hidden).sum();
    assert_eq!(tree.nodes.len() as u64 + hidden, all, "nothing is lost");
    let depths: Vec<i32> = tree.nodes.iter().filter_map(|node| Some(node.visit?.depth)).collect();
    assert!(depths.is_sorted_by(|one, other| one >= other), "ply by ply");
    // The main line is followed for as long as there is room.
    let mut at = 0;
    while let Some(next) = tree.nodes.iter().position(|node| {
        let is_best = node.visit.is_some_and(|visit| {
            visit.bound == Bound::Exact && Some(visit.value) == tree.nodes[at].visit.map(|above| above.value)
        });
        node.parent == Some(at) && is_best
    }) {
        at = next;
    }
    assert_eq!(tree.nodes[at].visit.map(|visit| visit.depth), depths.last().copied());
    let line = Line::new(Arc::new(game));
    let at_root = tree.nodes.iter().filter(|node| node.parent == Some(0)).count();
    assert_eq!(at_root, line.legal().len(), "all moves of the root are shown");
}

#[test]
fn a_search_that_is_stopped_shows_what_it_has() {
    let game = TreeGame { players: 2, branching: 12, depth: 20, chance: false, seed: 4 };
    let tree = window_tree("tt=off,nodes=300", &game);
    assert!(!tree.is_finished && !tree.passes.is_empty());
    assert_eq!(tree.nodes[0].visit.map(|visit| visit.value), tree.passes.last().map(|pass| pass.value));
    let whole = explored("alphabeta", &format!("{PLAIN},depth=7"), &game, 1).thought.nodes;
    let tree = window_tree(&format!("{PLAIN},depth=7,nodes={}", whole * 9 / 10), &game);
    assert!(!tree.is_finished && tree.passes.is_empty() && tree.nodes.len() > 1);
    let line = Line::new(Arc::new(game));
    let nothing =
        bot("alphabeta", &format!("{PLAIN},depth=12,nodes=3"), &game, 1).explore(&line, &budget(), 1);
    assert_eq!(nothing, None);
}

#[test]
fn a_tree_of_playouts_can_be_grown_again_step_by_step() {
    for players in [1, 2, 3] {
        let game = TreeGame { players, branching: 5, depth: 9, chance: players == 1, seed: 2 };
        let tree = playout_tree("playout=uniform", &game, 300);
        assert!(tree.steps.len() <= 300 && tree.steps.len() > 50);
        assert!(tree.nodes.len() <= tree.steps.len() + 1, "a step adds one node at most");
        let (mut visits, mut sums) = (vec![0; tree.nodes.len()], vec![0.0; tree.nodes.len()]);
        for (number, step) in tree.steps.iter().enumerate() {
            let mut way = vec![step.leaf];
            while let Some(parent) = tree.nodes[way[way.len() - 1]].parent {
                assert!(parent < way[way.len() - 1]);
                way.push(parent);
            }
            assert_eq!(way.pop(), Some(0), "every way begins at the root");
            visits[0] += 1;
            assert_eq!(way.len(), step.gains.len());
            for (&node, gain) in way.iter().rev().zip(&step.gains) {
                visits[node] += 1;
                sums[node] += gain.unwrap_or_default();
                if players > 1 {
                    assert!(gain.is_some_and(|gain| (-1e-9..=1.0 + 1e-9).contains(&gain)), "{gain:?}");
                }
                let above = tree.nodes[tree.nodes[node].parent.expect("not the root")].expanded;
                assert!(
                    above.is_some_and(|step| step <= number),
                    "a node has children before they are visited"
                );
            }
        }
        assert!(visits.iter().all(|&visits| visits > 0), "only visited nodes are shown");
        let Exploration { thought, .. } = explored("mcts", "playout=uniform,solver=off", &game, 300);
        let tree = playout_tree("playout=uniform,solver=off", &game, 300);
        let count = |index: usize| {
            let passes = |step: &agon_search::explore::Step| {
                let mut at = step.leaf;
                while at > index {
                    at = tree.nodes[at].parent.unwrap_or(0);
                }
                at == index
            };
            tree.steps.iter().filter(|step| passes(step)).count()
        };
        let children = (1..tree.nodes.len()).filter(|&node| tree.nodes[node].parent == Some(0));
        let favourite = children.max_by_key(|&node| count(node)).expect("a child");
        let best = (1..tree.nodes.len())
            .find(|&node| tree.nodes[node].parent == Some(0) && tree.nodes[node].ply == Some(thought.best));
        assert_eq!(best.map(count), Some(count(favourite)), "the move most visited is played");
    }
}

#[test]
fn what_is_proven_is_marked_and_nothing_is_shown_where_nobody_moves() {
    let game = TreeGame { players: 2, branching: 3, depth: 4, chance: false, seed: 1 };
    let tree = playout_tree("solver=on", &Contest(game), 2000);
    assert!(tree.steps.len() < 2000, "the search ends when all is proven");
    let proven: Vec<_> = tree.nodes.iter().filter_map(|node| node.proven).collect();
    assert!(proven.iter().any(|&(step, _)| step + 1 == tree.steps.len()));
    assert!(proven.iter().all(|(_, result)| [0.0, 0.5, 1.0].contains(result)), "{proven:?}");
    let mut line = Line::new(Arc::new(game));
    while let Some(ply) = line.legal().into_iter().next() {
        assert!(line.play(ply));
    }
    assert!(matches!(line.turn(), Turn::Player(_)) && game.outcome(line.position()).is_some());
    for algorithm in ["alphabeta", "mcts"] {
        let over = Line::from_position(Arc::new(game), *line.position());
        assert_eq!(bot(algorithm, "", &game, 1).explore(&over, &budget(), 10), None, "{algorithm}");
    }
    assert_eq!(bot("greedy", "", &game, 1).explore(&Line::new(Arc::new(game)), &budget(), 10), None);
}
