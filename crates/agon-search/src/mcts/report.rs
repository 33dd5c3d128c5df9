//! What a tree says about the moves at its root.

use std::cmp::Reverse;

use agon_core::{Game, Player, Ply};

use super::results::Fate;
use super::search::Search;
use super::tree::{Actor, Node, ROOT, Tree};
use crate::knowledge::Knowledge;
use crate::root::Class;
use crate::{ScoredMove, Statistic, Thought, WIN};

/// How a child ranks among its siblings, the most visited one (the *robust* one) first; only proofs count for more. A win is
/// the better the nearer, a loss the farther.
type Rank = (Standing, Reverse<u16>, u32);

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Standing {
    Lost,
    /// Something better is certain.
    Inferior,
    Open,
    Won,
}

fn rank<P>(child: &Node<P>, player: Player, floor: Fate) -> Rank {
    let (worst, best) = (child.results.worst(player), child.results.best(player));
    let standing = match (worst, best) {
        (Fate::Win, _) => Standing::Won,
        (_, Fate::Loss) => Standing::Lost,
        _ if child.matters(player, floor) => Standing::Open,
        _ => Standing::Inferior,
    };
    let distance = match standing {
        Standing::Won => child.distance,
        Standing::Lost => u16::MAX - child.distance,
        _ => 0,
    };
    (standing, Reverse(distance), child.visits)
}

/// The child that would be chosen at the node at `index`; `None` if no player chooses there or nothing is known.
fn best_child<P: Copy + PartialEq>(tree: &Tree<P>, index: usize) -> Option<usize> {
    let Actor::Player(player) = tree.node(index).actor else { return None };
    let floor = tree.node(index).floor;
    tree.children(index)
        .filter(|&child| tree.node(child).visits > 0)
        // The last of equals would be taken otherwise.
        .rev()
        .max_by_key(|&child| rank(tree.node(child), player, floor))
}

/// The longest line that is told.
const MAX_LINE: usize = 60;

/// What `search` has found for `player`, `known` playouts being of earlier searches; `None` if it has not found anything. What holds for
/// a move holds for all of its class in `classes`.
pub(super) fn report<G: Game, K: Knowledge<G>>(
    search: &Search<'_, G, K>,
    classes: &[Class<G::Move>],
    player: Player,
    known: u32,
) -> Option<Thought<G::Move>> {
    let tree = search.tree();
    let best = best_child(tree, ROOT)?;
    let mut line = Vec::new();
    let mut next = Some(best);
    while let Some(index) = next
        && let Some(Ply::Move(mv)) = tree.node(index).ply
        && line.len() < MAX_LINE
    {
        line.push(mv);
        next = best_child(tree, index);
    }
    let floor = tree.node(ROOT).floor;
    let mut children: Vec<&Node<_>> = tree.family(ROOT).iter().filter(|child| child.visits > 0).collect();
    children.sort_by_key(|child| Reverse(rank(child, player, floor)));
    let mut moves = Vec::new();
    for child in &children {
        let Some(Ply::Move(mv)) = child.ply else { continue };
        let is_proven = child.results.proven().is_some();
        let known = ScoredMove { is_proven, ..ScoredMove::exact(mv, score(search, child, player)) };
        let twins = classes.iter().find(|class| class.mv == mv).into_iter().flat_map(|class| &class.twins);
        moves.extend([mv].iter().chain(twins).map(|&mv| known.of(mv)));
    }
    let chosen = tree.node(best);
    let visits: u64 = children.iter().map(|child| u64::from(child.visits)).sum();
    let counts = search.counts;
    let elapsed = search.watch().elapsed();
    let playouts = counts.playouts as f64;
    let statistic = |name, value| Statistic { name, value };
    let mut statistics = vec![
        statistic("playouts", playouts),
        statistic("playouts/s", playouts / elapsed.as_secs_f64().max(1e-9)),
        statistic("playouts kept from before", f64::from(known)),
        statistic("share of the best move, %", 100.0 * f64::from(chosen.visits) / visits as f64),
    ];
    if search.has_opponents() {
        statistics.push(statistic("chance of winning, %", 100.0 * chosen.mean()));
    }
    statistics.extend([
        statistic("greatest depth", f64::from(counts.deepest)),
        statistic("tree nodes", tree.len() as f64),
        statistic("tree memory, MB", tree.bytes() as f64 / super::MEGABYTE as f64),
        statistic("tree thinned out", f64::from(counts.recycled)),
    ]);
    Some(Thought {
        best: line[0],
        score: Some(score(search, chosen, player)),
        depth: (counts.tree_plies as f64 / playouts.max(1.0)).round() as u32,
        nodes: search.watch().nodes(),
        line,
        moves,
        statistics,
        elapsed,
    })
}

/// What a child of the root is worth to `player` in the unit of the evaluation.
fn score<G: Game, K: Knowledge<G>>(
    search: &Search<'_, G, K>,
    child: &Node<impl Copy>,
    player: Player,
) -> f64 {
    let plies = i32::from(child.distance) + 1;
    match (child.results.worst(player), child.results.best(player)) {
        (Fate::Win, Fate::Win) if search.has_opponents() => f64::from(WIN - plies),
        (Fate::Loss, Fate::Loss) if search.has_opponents() => f64::from(plies - WIN),
        (Fate::Draw, Fate::Draw) => 0.0,
        _ => search.currency().score(child.mean()),
    }
}
