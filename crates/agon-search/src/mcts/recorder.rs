//! Writes down how a tree grows, for those who want to see it.

use std::collections::HashMap;

use agon_core::Game;
use agon_core::line::PlyOf;

use super::rewards::reward_of;
use super::search::Search;
use super::tree::{Actor, ROOT};
use crate::explore::{PlayoutNode, PlayoutTree, Step};
use crate::knowledge::Knowledge;

/// What has been written down.
pub(super) struct Recorder<G: Game> {
    tree: PlayoutTree<PlyOf<G>>,
    /// The places of nodes in `tree` by their places in the search.
    places: HashMap<usize, usize>,
    /// What each of the nodes was worth in all, after the last step.
    sums: Vec<f64>,
}

impl<G: Game> Recorder<G> {
    pub(super) fn new(exploration: f64) -> Self {
        let root = PlayoutNode { parent: None, ply: None, children: 0, expanded: None, proven: None };
        Self {
            tree: PlayoutTree { nodes: vec![root], steps: Vec::new(), exploration },
            places: HashMap::from([(ROOT, 0)]),
            sums: vec![0.0],
        }
    }

    /// Writes the last way down the tree down.
    pub(super) fn record<K: Knowledge<G>>(&mut self, search: &Search<'_, G, K>) {
        let (found, step) = (search.tree(), self.tree.steps.len());
        let (mut above, mut chooser, mut gains) = (None, Actor::Unseen, Vec::new());
        for &index in search.path() {
            let node = found.node(index);
            let next = self.tree.nodes.len();
            let place = *self.places.entry(index).or_insert(next);
            if place == next {
                let (parent, ply) = (above, node.ply);
                self.tree.nodes.push(PlayoutNode { parent, ply, children: 0, expanded: None, proven: None });
                self.sums.push(0.0);
            }
            let gained = node.sum - std::mem::replace(&mut self.sums[place], node.sum);
            let known = &mut self.tree.nodes[place];
            if known.expanded.is_none() && node.is_expanded() {
                (known.children, known.expanded) = (found.children(index).len(), Some(step));
            }
            if let Actor::Player(player) = chooser
                && known.proven.is_none()
                && let Some(verdict) = node.results.proven()
            {
                known.proven = Some((step, reward_of(&search.currency.of_verdict(verdict), player)));
            }
            if above.is_some() {
                gains.push(matches!(chooser, Actor::Player(_)).then_some(gained));
            }
            (above, chooser) = (Some(place), node.actor);
        }
        self.tree.steps.push(Step { leaf: above.unwrap_or(0), gains });
    }

    /// How many steps have been written down.
    pub(super) fn steps(&self) -> usize {
        self.tree.steps.len()
    }

    pub(super) fn tree(self) -> PlayoutTree<PlyOf<G>> {
        self.tree
    }
}
