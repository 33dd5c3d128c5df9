//! The tree: nodes in one block of memory that never grows.
//!
//! The children of a node are neighbours in memory and lie behind it. That order survives when the tree is thinned out or a
//! subtree becomes the whole, so both are one pass over the nodes that moves each towards the front ([`Tree::keep`]).

use std::collections::TryReserveError;
use std::ops::Range;

use agon_core::{Player, Turn, Verdict};

use super::results::{Fate, Results};

/// A ply of the tree and what has been learnt about the position that it leads to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node<P> {
    /// What led here; `None` at the first root.
    pub(super) ply: Option<P>,
    /// The sum of what the playouts through this node were worth to the player who chose it.
    pub(super) sum: f64,
    /// How many these were.
    pub(super) visits: u32,
    /// What the position is worth by the evaluation to the player who chose it, if that was asked.
    pub(super) prior: f32,
    parent: u32,
    first: u32,
    count: u16,
    /// Plies to the end once that is proven for the player to act.
    pub(super) distance: u16,
    pub(super) results: Results,
    /// What the player who acts here is sure of.
    pub(super) floor: Fate,
    pub(super) actor: Actor,
}

/// Who acts in the position of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Actor {
    /// Nobody has been there yet.
    Unseen,
    /// The game is over.
    Nobody,
    Chance,
    Player(Player),
}

impl From<Turn> for Actor {
    #[inline(always)]
    fn from(turn: Turn) -> Self {
        match turn {
            Turn::Player(player) => Self::Player(player),
            Turn::Chance => Self::Chance,
        }
    }
}

impl<P> Node<P> {
    fn new(ply: Option<P>, prior: f32, parent: u32) -> Self {
        Self {
            ply,
            sum: 0.0,
            visits: 0,
            prior,
            parent,
            first: 0,
            count: 0,
            distance: 0,
            results: Results::ANY,
            floor: Fate::Loss,
            actor: Actor::Unseen,
        }
    }

    /// Whether its plies are in the tree.
    #[inline(always)]
    pub(super) fn is_expanded(&self) -> bool {
        self.count > 0
    }

    /// Whether `player`, who is sure of `floor`, may still choose it: for something better, or for just that.
    #[inline(always)]
    pub(super) fn matters(&self, player: Player, floor: Fate) -> bool {
        self.results.best(player) > floor || floor > Fate::Loss && self.results.worst(player) == floor
    }

    /// Adds what another tree says about the same position.
    pub(super) fn add(&mut self, other: &Self) {
        self.sum += other.sum;
        self.visits = self.visits.saturating_add(other.visits);
        if self.results == Results::ANY {
            self.distance = other.distance;
        }
        self.results = self.results.and(other.results);
    }

    /// What the playouts through this node were worth on average to the player who chose it.
    #[inline(always)]
    pub(super) fn mean(&self) -> f64 {
        self.sum / f64::from(self.visits.max(1))
    }
}

/// The index of the root.
pub(super) const ROOT: usize = 0;
/// In place of the parent of a node that is to go.
const DEAD: u32 = u32::MAX;
/// The most nodes whatever the memory.
const MAX_NODES: usize = DEAD as usize;

/// All nodes, the root first.
#[derive(Debug)]
pub(super) struct Tree<P> {
    nodes: Vec<Node<P>>,
    capacity: usize,
}

impl<P: Copy + PartialEq> Tree<P> {
    /// An empty tree that will never take more than `bytes`.
    pub(super) fn with_memory(bytes: usize) -> Result<Self, TryReserveError> {
        let capacity = (bytes / size_of::<Node<P>>()).min(MAX_NODES);
        let mut nodes = Vec::new();
        nodes.try_reserve_exact(capacity)?;
        Ok(Self { nodes, capacity })
    }

    /// Takes no more than `bytes` from now on, or what it was made with if that is less; what is there already stays.
    pub(super) fn set_memory(&mut self, bytes: usize) {
        self.capacity = (bytes / size_of::<Node<P>>()).min(self.nodes.capacity());
    }

    /// Forgets everything but a root.
    pub(super) fn restart(&mut self) {
        self.nodes.clear();
        self.nodes.push(Node::new(None, 0.0, DEAD));
    }

    /// How many nodes there are.
    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The memory that the nodes take, in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.nodes.len() * size_of::<Node<P>>()
    }

    #[inline(always)]
    pub(super) fn node(&self, index: usize) -> &Node<P> {
        &self.nodes[index]
    }

    #[inline(always)]
    pub(super) fn node_mut(&mut self, index: usize) -> &mut Node<P> {
        &mut self.nodes[index]
    }

    /// The indices of the children of the node at `index`.
    #[inline(always)]
    pub(super) fn children(&self, index: usize) -> Range<usize> {
        let node = &self.nodes[index];
        node.first as usize..node.first as usize + usize::from(node.count)
    }

    /// The children of the node at `index`.
    #[inline(always)]
    pub(super) fn family(&self, index: usize) -> &[Node<P>] {
        &self.nodes[self.children(index)]
    }

    /// The child that `ply` leads to.
    #[inline(always)]
    pub(super) fn child(&self, index: usize, ply: P) -> Option<usize> {
        self.children(index).find(|&child| self.nodes[child].ply == Some(ply))
    }

    /// Gives the node at `index` a child for each of `plies` with its prior; false if there is no room.
    #[inline(always)]
    pub(super) fn expand(&mut self, index: usize, plies: &[(P, f32)]) -> bool {
        let Ok(count) = u16::try_from(plies.len()) else { return false };
        if self.nodes.len() + plies.len() > self.capacity {
            return false;
        }
        let first = self.nodes.len() as u32;
        self.nodes.extend(plies.iter().map(|&(ply, prior)| Node::new(Some(ply), prior, index as u32)));
        let node = &mut self.nodes[index];
        (node.first, node.count) = (first, count);
        true
    }

    /// Notes that the game ends so at the node at `index`.
    pub(super) fn prove(&mut self, index: usize, verdict: Verdict) {
        self.nodes[index].results = Results::only(verdict);
    }

    /// Recomputes what can come of the node at `index` from what can come of its children; says whether that is news.
    pub(super) fn conclude(&mut self, index: usize) -> bool {
        let node = self.nodes[index];
        let results = self.family(index).iter().map(|child| child.results);
        let (possible, floor) = match node.actor {
            Actor::Player(player) => Results::by_choice(player, results),
            _ => (Results::by_chance(results), Fate::Loss),
        };
        // What was known before part of the tree was forgotten still holds.
        let (possible, floor) = (possible.and(node.results), floor.max(node.floor));
        if possible == node.results && floor == node.floor {
            return false;
        }
        // A winner takes the shortest way, everybody else the longest.
        let known = self.family(index).iter().filter(|child| child.results != Results::ANY);
        let distance = match floor {
            Fate::Win => known.filter(|child| child.results == possible).map(|child| child.distance).min(),
            _ => known.map(|child| child.distance).max(),
        };
        let node = &mut self.nodes[index];
        node.distance = distance.unwrap_or(0).saturating_add(1);
        (node.results, node.floor) = (possible, floor);
        true
    }

    /// Makes the node at `root` the root, forgets all that does not come after it, and the children of nodes with fewer than
    /// `least_visits`.
    pub(super) fn keep(&mut self, root: usize, least_visits: u32) {
        let mut kept = 0;
        for index in 0..self.nodes.len() {
            let mut node = self.nodes[index];
            let lives = index == root || index > root && node.parent != DEAD;
            let keeps_children = lives && (index == root || node.visits >= least_visits);
            let parent = if keeps_children { kept as u32 } else { DEAD };
            for child in self.children(index) {
                self.nodes[child].parent = parent;
            }
            if !lives {
                continue;
            }
            if index == root {
                node.parent = DEAD;
            } else if let above = &mut self.nodes[node.parent as usize]
                && above.first as usize == index
            {
                // The parent has moved already; its first child follows.
                above.first = kept as u32;
            }
            if !keeps_children {
                (node.first, node.count) = (0, 0);
            }
            self.nodes[kept] = node;
            kept += 1;
        }
        self.nodes.truncate(kept);
    }

    /// Forgets the least visited parts, a quarter of all nodes or more; false if there is nothing to forget.
    pub(super) fn thin_out(&mut self) -> bool {
        // By the number of binary digits of a node's visits: how many children such nodes have.
        let mut children = [0; u32::BITS as usize + 1];
        for node in &self.nodes[ROOT + 1..] {
            children[(u32::BITS - node.visits.leading_zeros()) as usize] += usize::from(node.count);
        }
        let mut freed = 0;
        for (digits, count) in children.into_iter().enumerate() {
            freed += count;
            if freed >= self.nodes.len().div_ceil(4) || digits == u32::BITS as usize {
                let least_visits = 1_u32.checked_shl(digits as u32).unwrap_or(u32::MAX);
                self.keep(ROOT, least_visits);
                break;
            }
        }
        freed > 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A tree of `memory` nodes' room whose nodes have as many visits as nodes below them, and the names of all nodes by
    /// their way from the root.
    fn grown(memory: usize, expansions: usize) -> Tree<u8> {
        let mut tree = Tree::with_memory(memory * size_of::<Node<u8>>()).expect("so much memory");
        tree.restart();
        for expansion in 0..expansions {
            // Breadth is uneven: low branches are followed more often.
            let mut index = ROOT;
            let mut choice = expansion;
            while tree.node(index).is_expanded() {
                tree.node_mut(index).visits += 1;
                let children = tree.children(index);
                index = children.start + choice % 3 % children.len();
                choice /= 3;
            }
            tree.node_mut(index).visits += 1;
            let plies: Vec<(u8, f32)> = (0..1 + (expansion % 4) as u8).map(|ply| (ply, 0.0)).collect();
            if !tree.expand(index, &plies) {
                break;
            }
        }
        tree
    }

    /// Every node below `index` by its way, with its visits.
    fn ways(tree: &Tree<u8>, index: usize, way: &str) -> Vec<(String, u32)> {
        let mut all = vec![(way.to_owned(), tree.node(index).visits)];
        for child in tree.children(index) {
            assert_eq!(tree.node(child).parent as usize, index);
            all.extend(ways(tree, child, &format!("{way}{}", tree.node(child).ply.expect("a ply"))));
        }
        all
    }

    #[test]
    fn a_subtree_becomes_the_tree() {
        for ply in 0..3 {
            let mut tree = grown(10_000, 500);
            let Some(child) = tree.child(ROOT, 0).and_then(|child| tree.child(child, ply)) else { continue };
            let expected = ways(&tree, child, "");
            assert!(expected.len() > 20 || ply > 0);
            tree.keep(child, 0);
            assert_eq!(ways(&tree, ROOT, ""), expected);
            assert_eq!(tree.len(), expected.len());
        }
    }

    #[test]
    fn thinning_out_forgets_what_was_visited_least() {
        let mut tree = grown(1000, usize::MAX);
        let (full, before) = (tree.len(), ways(&tree, ROOT, ""));
        assert!(full > 990);
        assert!(tree.thin_out());
        assert!(tree.len() <= full * 3 / 4 && tree.len() > 100, "{}", tree.len());
        let after = ways(&tree, ROOT, "");
        assert_eq!(after.len(), tree.len());
        assert!(after.iter().all(|node| before.contains(node)));
        let mut lone = grown(4, 1);
        assert!(!lone.thin_out(), "the root keeps its children");
    }
}
