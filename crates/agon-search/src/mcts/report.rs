//! What trees say about the moves at their roots.

use std::cmp::Reverse;

use agon_core::{Player, Ply};

use super::results::{Fate, Results};
use super::rewards::Currency;
use super::search::Counts;
use super::tree::{Actor, Node, ROOT, Tree};
use crate::limits::Watch;
use crate::root::Class;
use crate::{ScoredMove, Statistic, Thought, WIN};

/// What is to be seen of a search.
pub(super) struct Sight<'a, P> {
    /// The trees of its threads, all for the same position.
    pub(super) trees: Vec<&'a Tree<P>>,
    /// What was counted in all of them.
    pub(super) counts: Counts,
    pub(super) currency: Currency,
    pub(super) watch: &'a Watch,
}

impl<'a, P: Copy + PartialEq> Sight<'a, P> {
    /// The moves at the root with what all trees say about them, and what `player`, who chooses there, is sure of.
    fn root(&self, player: Player) -> (Vec<Node<P>>, Fate) {
        let (own, others) = (self.trees[0], &self.trees[1..]);
        let mut family = own.family(ROOT).to_vec();
        let mut floor = own.node(ROOT).floor;
        for tree in others {
            floor = floor.max(tree.node(ROOT).floor);
            for other in tree.family(ROOT) {
                match family.iter_mut().find(|child| child.ply == other.ply) {
                    Some(child) => child.add(other),
                    None => family.push(*other),
                }
            }
        }
        if !others.is_empty() {
            floor = floor.max(Results::by_choice(player, family.iter().map(|child| child.results)).1);
        }
        (family, floor)
    }

    /// The tree that has looked most at what comes after `ply`, and the node there.
    fn best_known(&self, ply: Option<P>) -> Option<(&'a Tree<P>, usize)> {
        let known = |tree: &&'a Tree<P>| {
            let child = tree.children(ROOT).find(|&child| tree.node(child).ply == ply)?;
            Some((*tree, child))
        };
        // The last of equals would be taken otherwise.
        let known = self.trees.iter().rev().filter_map(known);
        known.max_by_key(|(tree, child)| tree.node(*child).visits)
    }
}

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
    let place = best_of(tree.family(index), player, tree.node(index).floor)?;
    Some(tree.children(index).start + place)
}

/// The place of the best of several children.
fn best_of<P>(family: &[Node<P>], player: Player, floor: Fate) -> Option<usize> {
    let known = family.iter().enumerate().filter(|(_, child)| child.visits > 0);
    // The last of equals would be taken otherwise.
    known.rev().max_by_key(|(_, child)| rank(child, player, floor)).map(|(place, _)| place)
}

/// The longest line that is told.
const MAX_LINE: usize = 60;

/// What `search` has found for `player`, `known` playouts being of earlier searches; `None` if it has not found anything. What holds for
/// a move holds for all of its class in `classes`.
pub(super) fn report<M: Copy + PartialEq, C: Copy + PartialEq>(
    search: &Sight<'_, Ply<M, C>>,
    classes: &[Class<M>],
    player: Player,
    known: u32,
) -> Option<Thought<M>> {
    let (family, floor) = search.root(player);
    let chosen = &family[best_of(&family, player, floor)?];
    let mut line = Vec::new();
    let mut next = search.best_known(chosen.ply);
    while let Some((tree, index)) = next
        && let Some(Ply::Move(mv)) = tree.node(index).ply
        && line.len() < MAX_LINE
    {
        line.push(mv);
        next = best_child(tree, index).map(|child| (tree, child));
    }
    let mut children: Vec<&Node<_>> = family.iter().filter(|child| child.visits > 0).collect();
    children.sort_by_key(|child| Reverse(rank(child, player, floor)));
    let mut moves = Vec::new();
    for child in &children {
        let Some(Ply::Move(mv)) = child.ply else { continue };
        let is_proven = child.results.proven().is_some();
        let known = ScoredMove { is_proven, ..ScoredMove::exact(mv, score(search.currency, child, player)) };
        let twins = classes.iter().find(|class| class.mv == mv).into_iter().flat_map(|class| &class.twins);
        moves.extend([mv].iter().chain(twins).map(|&mv| known.of(mv)));
    }
    let visits: u64 = children.iter().map(|child| u64::from(child.visits)).sum();
    let counts = search.counts;
    let elapsed = search.watch.elapsed();
    let playouts = counts.playouts as f64;
    let statistic = |name, value| Statistic { name, value };
    let mut statistics = vec![
        statistic("playouts", playouts),
        statistic("playouts/s", playouts / elapsed.as_secs_f64().max(1e-9)),
        statistic("playouts kept from before", f64::from(known)),
        statistic("share of the best move, %", 100.0 * f64::from(chosen.visits) / visits as f64),
    ];
    if search.currency.has_opponents() {
        statistics.push(statistic("chance of winning, %", 100.0 * chosen.mean()));
    }
    let [nodes, bytes] =
        [Tree::len, Tree::bytes].map(|size| search.trees.iter().map(|tree| size(tree)).sum::<usize>() as f64);
    statistics.extend([
        statistic("greatest depth", f64::from(counts.deepest)),
        statistic("tree nodes", nodes),
        statistic("tree memory, MB", bytes / super::MEGABYTE as f64),
        statistic("tree thinned out", f64::from(counts.recycled)),
    ]);
    Some(Thought {
        best: line[0],
        score: Some(score(search.currency, chosen, player)),
        depth: (counts.tree_plies as f64 / playouts.max(1.0)).round() as u32,
        nodes: search.watch.nodes(),
        line,
        moves,
        statistics,
        elapsed,
    })
}

/// What a child of the root is worth to `player` in the unit of the evaluation.
fn score(currency: Currency, child: &Node<impl Copy>, player: Player) -> f64 {
    let plies = i32::from(child.distance) + 1;
    match (child.results.worst(player), child.results.best(player)) {
        (Fate::Win, Fate::Win) if currency.has_opponents() => f64::from(WIN - plies),
        (Fate::Loss, Fate::Loss) if currency.has_opponents() => f64::from(plies - WIN),
        (Fate::Draw, Fate::Draw) => 0.0,
        _ => currency.score(child.mean()),
    }
}
