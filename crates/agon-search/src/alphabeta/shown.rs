//! A recorded search as it is shown: its nodes ply by ply, and what happened at them step by step.

use super::recorder::{Node, is_best};
use super::search::INFINITE;
use crate::explore::{Fate, MAX_SHOWN, Purpose, Visit, WindowEvent, WindowNode, WindowStep};
use crate::thought::Bound;

/// A recorded search with the places of its nodes among those that are shown.
pub(super) struct Shown<'a, M> {
    /// The nodes, ply by ply, the children of a node beside each other.
    pub(super) nodes: Vec<WindowNode<M>>,
    /// What is known about each of them; `None` for branches that were left out.
    recorded: Vec<Option<Placed<'a, M>>>,
}

/// A node that is shown.
#[derive(Clone, Copy)]
struct Placed<'a, M> {
    node: &'a Node<M>,
    /// Whether its player maximises.
    is_maximising: bool,
    /// Where its children begin among the nodes, if they are shown.
    children: Option<usize>,
}

impl<'a, M: Copy + PartialEq> Shown<'a, M> {
    /// As many nodes as are shown, ply by ply; the main line comes first where not all families of a ply find room.
    pub(super) fn new(root: &'a Node<M>) -> Self {
        let mut shown = Self { nodes: Vec::new(), recorded: Vec::new() };
        shown.push(None, root, true);
        // The places of one ply, and whether they are on the main line.
        let mut ply = vec![(0, true)];
        let mut is_full = false;
        while !ply.is_empty() {
            ply.sort_by_key(|&(_, is_main)| !is_main);
            let mut next = Vec::new();
            for (index, is_main) in ply {
                let Some(Placed { node, is_maximising, .. }) = shown.recorded[index] else { continue };
                let family = node.children.len() + node.left_out.len();
                is_full |= shown.nodes.len() + family > MAX_SHOWN;
                if is_full || family == 0 {
                    shown.nodes[index].hidden = node.below.all();
                    continue;
                }
                shown.recorded[index] =
                    Some(Placed { node, is_maximising, children: Some(shown.nodes.len()) });
                let main = node.children.iter().position(|child| is_main && is_best(node.seen.score, child));
                for (at, child) in node.children.iter().enumerate() {
                    let is_maximising = is_maximising == (child.seen.purpose == Purpose::Prediction);
                    next.push((shown.nodes.len(), main == Some(at)));
                    shown.push(Some(index), child, is_maximising);
                }
                for (mv, fate) in &node.left_out {
                    let (ply, fate) = (Some(*mv), fate.clone());
                    shown.nodes.push(WindowNode { parent: Some(index), ply, visit: None, fate, hidden: 0 });
                    shown.recorded.push(None);
                }
            }
            ply = next;
        }
        shown
    }

    fn push(&mut self, parent: Option<usize>, node: &'a Node<M>, is_maximising: bool) {
        self.nodes.push(window_node(parent, node, is_maximising));
        self.recorded.push(Some(Placed { node, is_maximising, children: None }));
    }

    /// What happened at the nodes, in the order in which it did.
    pub(super) fn steps(&self) -> Vec<WindowStep> {
        let mut steps = Vec::new();
        self.go_through(0, &mut steps);
        steps
    }

    fn go_through(&self, index: usize, steps: &mut Vec<WindowStep>) {
        let Some(Placed { node, is_maximising, children }) = self.recorded[index] else { return };
        let mut note = |event| steps.push(WindowStep { node: index, event });
        let Some(first) = children else {
            note(if matches!(node.fate, Fate::Table) { WindowEvent::Table } else { WindowEvent::Judge });
            return;
        };
        note(WindowEvent::Enter);
        for (child, by) in node.children.iter().zip(first..) {
            self.go_through(by, steps);
            if let Some(raised) = child.raised {
                let (alpha, beta) = window(raised, node.seen.beta, is_maximising);
                steps.push(WindowStep { node: index, event: WindowEvent::Raise { by, alpha, beta } });
            }
        }
        if !node.left_out.is_empty() {
            steps.push(WindowStep { node: index, event: WindowEvent::Cut });
        }
        steps.push(WindowStep { node: index, event: WindowEvent::Leave });
    }
}

fn window_node<M: Copy>(parent: Option<usize>, node: &Node<M>, is_maximising: bool) -> WindowNode<M> {
    let (seen, bound) = (&node.seen, node.bound);
    let (alpha, beta) = window(seen.alpha, seen.beta, is_maximising);
    let (value, bound) = match bound {
        Bound::Lower if !is_maximising => (-seen.score, Bound::Upper),
        Bound::Upper if !is_maximising => (-seen.score, Bound::Lower),
        _ if !is_maximising => (-seen.score, Bound::Exact),
        _ => (seen.score, bound),
    };
    let visit = Visit { purpose: seen.purpose, depth: seen.depth, alpha, beta, value, bound };
    WindowNode { parent, ply: seen.mv, visit: Some(visit), fate: node.fate.clone(), hidden: 0 }
}

/// A window as the player at the root sees it, from that of the player to move at a node.
fn window(alpha: i32, beta: i32, is_maximising: bool) -> (Option<i32>, Option<i32>) {
    if is_maximising { (open(alpha), open(beta)) } else { (open(-beta), open(-alpha)) }
}

/// An end of a window; `None` if it is open.
pub(super) fn open(end: i32) -> Option<i32> {
    (end.abs() < INFINITE).then_some(end)
}
