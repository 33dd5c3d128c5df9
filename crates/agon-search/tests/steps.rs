//! Searches of alpha-beta gone through step by step: what is shown is what happened, in that order, and every bound is true.

mod common;

use std::sync::Arc;

use agon_core::line::PlyOf;
use agon_core::{Line, Ply};
use agon_search::explore::{
    Fate, MAX_STEPS_PER_NODE, Purpose, Tree, Visit, WindowEvent, WindowNode, WindowTree,
};
use agon_search::{Bound, Budget, Evaluation, Limits};
use agon_testkit::{Contest, Minimax, Node, Tree as TreeGame, ends_by};
use common::{ByHash, Hashed, bot, judged};

/// Alpha-beta with every switch off.
const PLAIN: &str = "window=full,deepening=off,ordering=none,hash=off,killers=off,history=off,tt=off";
/// The same with its moves in order, and with a table.
const ORDERED: &str = "window=full,deepening=off,hash=off,tt=off";
const TABLE: &str = "window=full,deepening=off,tt=1";

fn games() -> impl Iterator<Item = TreeGame> {
    (0..8).map(|seed| TreeGame { players: 2, branching: 5, depth: 6, chance: false, seed })
}

fn tree<G: Hashed>(settings: &str, game: &G) -> WindowTree<PlyOf<G>> {
    let budget = Budget { is_analysis: true, ..Budget::new(Limits::default()) };
    let found = bot("alphabeta", settings, game, 1).explore(&Line::new(Arc::new(*game)), &budget, 1);
    match found.expect("a tree").tree {
        Tree::Window(tree) => tree,
        Tree::Playout(_) => panic!("alpha-beta has windows"),
    }
}

/// The moves from the root to a node.
fn way<P: Copy>(nodes: &[WindowNode<P>], mut index: usize) -> Vec<P> {
    let mut way = Vec::new();
    while let Some(parent) = nodes[index].parent {
        way.extend(nodes[index].ply);
        index = parent;
    }
    way.reverse();
    way
}

/// The position at a node.
fn position<G: Hashed>(game: &G, nodes: &[WindowNode<PlyOf<G>>], index: usize) -> Line<G> {
    let mut line = Line::new(Arc::new(*game));
    for ply in way(nodes, index) {
        assert!(line.play(ply));
    }
    line
}

/// Holds every visited node against minimax to the same depth. Returns how many values outside of their windows are exact.
fn check_bounds<G: Hashed + std::fmt::Debug>(settings: &str, game: &G) -> usize {
    let oracle = Minimax {
        end: &ends_by(&ByHash),
        stops: &|_| false,
        leaf: &|_, line: &mut Line<G>, _| ByHash.score(&**line.game(), line.position(), &()),
    };
    let tree = tree(settings, game);
    let mut beyond = 0;
    for (index, node) in tree.nodes.iter().enumerate() {
        let Some(Visit { depth, alpha, beta, value, bound, .. }) = node.visit else { continue };
        let ply = way(&tree.nodes, index).len() as u32;
        let mut line = position(game, &tree.nodes, index);
        let score = oracle.score(&mut line, depth.try_into().expect("no quiescence"), ply);
        let real = if ply.is_multiple_of(2) { score } else { -score };
        let is_true = match bound {
            Bound::Exact => value == real,
            Bound::Lower => value <= real,
            Bound::Upper => value >= real,
        };
        assert!(is_true, "{game:?} with {settings}: {node:?}, really {real}");
        // Only a window that was narrower than what the node is worth makes a bound.
        let is_outside = alpha.is_some_and(|alpha| value <= alpha) || beta.is_some_and(|beta| value >= beta);
        assert!(is_outside || bound == Bound::Exact, "{node:?}");
        if matches!(node.fate, Fate::Leaf | Fate::Over) {
            assert_eq!(
                bound,
                Bound::Exact,
                "{game:?} with {settings}: a leaf is judged, whatever the window: {node:?}"
            );
        }
        beyond += usize::from(is_outside && bound == Bound::Exact);
    }
    beyond
}

#[test]
fn every_bound_is_true_and_leaves_are_exact() {
    let (mut beyond, mut known) = (0, 0);
    for game in games() {
        for settings in [PLAIN, ORDERED, "deepening=off,tt=off", "tt=off", "window=full,deepening=off,tt=1"] {
            for depth in 1..=5 {
                beyond += check_bounds(&format!("{settings},depth={depth}"), &game);
            }
        }
        for settings in [TABLE, "deepening=off,tt=1"] {
            let settings = format!("{settings},depth=5");
            beyond += check_bounds(&settings, &Contest(game));
            let tree = tree(&settings, &Contest(game));
            let hits = tree.nodes.iter().filter(|node| node.fate == Fate::Table);
            known += hits.filter(|node| node.visit.is_some_and(|visit| visit.bound == Bound::Exact)).count();
        }
    }
    assert!(beyond > 1000, "{beyond} values are exact although they lie outside of their windows");
    assert!(known > 10, "{known} values were known exactly by the table");
}

#[test]
fn a_leaf_that_follows_noise_is_exact_unless_its_window_cut_it() {
    let counts = |settings: &str| {
        let leaves = games().flat_map(|game| tree(settings, &game).nodes);
        let leaves: Vec<_> =
            leaves.filter(|node| node.fate == Fate::Leaf).filter_map(|node| node.visit).collect();
        (leaves.iter().filter(|leaf| leaf.bound != Bound::Exact).count(), leaves.len())
    };
    let (cut, all) = counts(&format!("{PLAIN},depth=4,quiescence=2,noisy=swing"));
    assert!(cut > 0 && cut < all, "{cut} of {all}");
}

/// What a textbook writes on the blackboard.
#[derive(Debug, PartialEq)]
enum Note {
    Enter,
    Judge(i32),
    /// A bound moves: which move does it, and the window after that.
    Raise(u8, i32, i32),
    /// These moves are left out.
    Cut(Vec<u8>),
    Leave(i32),
}

/// Alpha-beta as it stands in textbooks, with a maximising and a minimising player, and the notes it makes at the nodes it comes by.
fn textbook(
    line: &mut Line<TreeGame>,
    way: &mut Vec<u8>,
    (mut alpha, mut beta): (i32, i32),
    depth: u32,
    notes: &mut Vec<(Vec<u8>, Note)>,
) -> i32 {
    let is_max = way.len().is_multiple_of(2);
    let sign = if is_max { 1 } else { -1 };
    let oracle = Minimax {
        end: &ends_by(&ByHash),
        stops: &|_| false,
        leaf: &|_, line: &mut Line<TreeGame>, _| ByHash.score(&**line.game(), line.position(), &()),
    };
    if depth == 0 || line.outcome().is_some() {
        let value = sign * oracle.score(line, 0, way.len() as u32);
        notes.push((way.clone(), Note::Judge(value)));
        return value;
    }
    notes.push((way.clone(), Note::Enter));
    let moves: Vec<u8> = line.legal().into_iter().map(number).collect();
    let mut best = None;
    for (at, &mv) in moves.iter().enumerate() {
        assert!(line.play(Ply::Move(mv)));
        way.push(mv);
        let value = textbook(line, way, (alpha, beta), depth - 1, notes);
        way.pop();
        line.undo();
        best = best
            .map_or(Some(value), |best: i32| Some(if is_max { best.max(value) } else { best.min(value) }));
        if is_max && value > alpha || !is_max && value < beta {
            if is_max {
                alpha = value
            } else {
                beta = value
            }
            notes.push((way.clone(), Note::Raise(mv, alpha, beta)));
        }
        if alpha >= beta {
            if at + 1 < moves.len() {
                notes.push((way.clone(), Note::Cut(moves[at + 1..].to_vec())));
            }
            break;
        }
    }
    let best = best.expect("a game that goes on has a move");
    notes.push((way.clone(), Note::Leave(best)));
    best
}

fn number(ply: PlyOf<TreeGame>) -> u8 {
    match ply {
        Ply::Move(mv) | Ply::Chance(mv) => mv,
    }
}

#[test]
fn the_steps_of_plain_alpha_beta_are_those_of_the_textbook() {
    let mut cuts = 0;
    for game in games() {
        for depth in 1..=5 {
            let tree = tree(&format!("{PLAIN},depth={depth}"), &game);
            let mut expected = Vec::new();
            let open = (i32::MIN, i32::MAX);
            textbook(&mut Line::new(Arc::new(game)), &mut Vec::new(), open, depth, &mut expected);
            let value = |index: usize| tree.nodes[index].visit.expect("visited").value;
            let steps = tree.steps.iter().map(|step| {
                let way = way(&tree.nodes, step.node).into_iter().map(number).collect();
                let note = match step.event {
                    WindowEvent::Enter => Note::Enter,
                    WindowEvent::Judge => Note::Judge(value(step.node)),
                    WindowEvent::Table => panic!("there is no table"),
                    WindowEvent::Raise { by, alpha, beta } => Note::Raise(
                        number(tree.nodes[by].ply.expect("a move")),
                        alpha.unwrap_or(i32::MIN),
                        beta.unwrap_or(i32::MAX),
                    ),
                    WindowEvent::Cut => Note::Cut(
                        tree.nodes
                            .iter()
                            .filter(|node| node.parent == Some(step.node) && node.visit.is_none())
                            .map(|node| number(node.ply.expect("a move")))
                            .collect(),
                    ),
                    WindowEvent::Leave => Note::Leave(value(step.node)),
                };
                (way, note)
            });
            assert_eq!(steps.collect::<Vec<_>>(), expected, "{game:?} to depth {depth}");
            cuts += expected.iter().filter(|(_, note)| matches!(note, Note::Cut(_))).count();
        }
    }
    assert!(cuts > 100, "{cuts} cuts");
}

#[test]
fn positions_are_judged_in_the_order_of_the_steps() {
    for game in games() {
        for settings in
            [PLAIN, ORDERED, "deepening=off,ordering=none,tt=off", "deepening=off,ordering=none,tt=1"]
        {
            let (tree, judged) = judged(|| tree(&format!("{settings},depth=4"), &game));
            let is_judged = |index: &usize| tree.nodes[*index].fate == Fate::Leaf;
            let judges =
                tree.steps.iter().filter(|step| step.event == WindowEvent::Judge).map(|step| step.node);
            let expected: Vec<Node> =
                judges.filter(is_judged).map(|node| *position(&game, &tree.nodes, node).position()).collect();
            assert_eq!(judged, expected, "{game:?} with {settings}");
        }
    }
}

/// Goes through the steps with nothing but a window for each node on the way: every visited node that is shown takes part once, is
/// entered below the one where the search is, and within the window that the steps before have made.
fn check_steps<P: Copy + PartialEq + std::fmt::Debug>(tree: &WindowTree<P>, context: &str) {
    let mut stack: Vec<(usize, Option<i32>, Option<i32>)> = Vec::new();
    let mut visited = Vec::new();
    for step in &tree.steps {
        let here = stack.last().copied();
        match step.event {
            WindowEvent::Enter | WindowEvent::Judge | WindowEvent::Table => {
                let node = &tree.nodes[step.node];
                let visit = node.visit.expect("a branch that was left out is not visited");
                assert_eq!(node.parent, here.map(|(above, ..)| above), "{context}");
                if let Some((_, alpha, beta)) = here
                    && visit.purpose == Purpose::Value
                {
                    assert_eq!((visit.alpha, visit.beta), (alpha, beta), "{context}: {node:?}");
                }
                visited.push(step.node);
                assert_eq!(step.event == WindowEvent::Table, node.fate == Fate::Table, "{context}");
                if step.event == WindowEvent::Enter {
                    stack.push((step.node, visit.alpha, visit.beta));
                }
            }
            WindowEvent::Raise { by, alpha, beta } => {
                assert_eq!(
                    visited.iter().rev().find(|&&node| tree.nodes[node].parent == Some(step.node)),
                    Some(&by)
                );
                let (node, before, above) = stack.pop().expect("a node that was entered");
                assert_eq!(node, step.node, "{context}");
                let value = tree.nodes[by].visit.map(|visit| visit.value);
                let is_higher =
                    alpha == value && beta == above && before.is_none_or(|before| alpha > Some(before));
                let is_lower =
                    beta == value && alpha == before && above.is_none_or(|above| beta < Some(above));
                assert!(is_higher || is_lower, "{context}: {step:?} from {before:?} and {above:?}");
                stack.push((node, alpha, beta));
            }
            WindowEvent::Cut => {
                assert_eq!(here.map(|(node, ..)| node), Some(step.node), "{context}");
                assert!(tree.nodes.iter().any(|node| node.parent == Some(step.node) && node.visit.is_none()));
            }
            WindowEvent::Leave => {
                assert_eq!(stack.pop().map(|(node, ..)| node), Some(step.node), "{context}")
            }
        }
    }
    assert!(stack.is_empty(), "{context}");
    visited.sort_unstable();
    let shown: Vec<usize> =
        (0..tree.nodes.len()).filter(|&index| tree.nodes[index].visit.is_some()).collect();
    assert_eq!(visited, shown, "{context}");
    assert!(tree.steps.len() <= MAX_STEPS_PER_NODE * tree.nodes.len(), "{context}");
}

#[test]
fn the_steps_of_every_search_hold_together() {
    let mut hits = 0;
    for game in games() {
        for settings in [
            PLAIN,
            ORDERED,
            TABLE,
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
        ] {
            let settings = format!("{settings},depth=5");
            check_steps(&tree(&settings, &game), &format!("{game:?} with {settings}"));
            let braided = tree(&settings, &Contest(game));
            check_steps(&braided, &format!("{game:?} as a contest with {settings}"));
            hits += braided.steps.iter().filter(|step| step.event == WindowEvent::Table).count();
        }
    }
    assert!(hits > 100, "{hits} answers of the table");
    // A tree that does not fit is gone through as far as it is shown.
    let large = TreeGame { players: 2, branching: 12, depth: 12, chance: false, seed: 4 };
    let large = tree(&format!("{PLAIN},depth=8"), &large);
    assert!(large.nodes.iter().any(|node| node.hidden > 0));
    check_steps(&large, "a large tree");
}
