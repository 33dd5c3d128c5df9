//! The tree of a search, recorded for people who want to see how the search works.
//!
//! A bot that can show its tree does so in [`GameBot::explore`](crate::GameBot::explore): it searches exactly as it does for a move, while a
//! recorder writes down what happens. Two kinds of trees exist: alpha-beta visits nodes within a window and leaves branches out
//! ([`WindowTree`]); Monte-Carlo tree search grows a tree playout by playout ([`PlayoutTree`]).

use crate::thought::{Bound, Thought};

/// The most nodes that a tree is shown with.
pub const MAX_SHOWN: usize = 5000;

/// The most steps that one node adds to those of a tree: it is entered, raises what the node above is sure of, has branches left out,
/// and is left.
pub const MAX_STEPS_PER_NODE: usize = 4;

/// What a bot found, and the tree in which it found it.
#[derive(Clone, Debug, PartialEq)]
pub struct Exploration<P> {
    /// What it found.
    pub thought: Thought<P>,
    /// The tree.
    pub tree: Tree<P>,
}

/// The tree of a search.
#[derive(Clone, Debug, PartialEq)]
pub enum Tree<P> {
    /// Of alpha-beta.
    Window(WindowTree<P>),
    /// Of Monte-Carlo tree search.
    Playout(PlayoutTree<P>),
}

impl<P: Copy> Exploration<P> {
    /// The same in other words: every move written as `say` writes it.
    pub fn map<N>(&self, say: impl Fn(P) -> N + Copy) -> Exploration<N> {
        let tree = match &self.tree {
            Tree::Window(tree) => Tree::Window(tree.map(say)),
            Tree::Playout(tree) => Tree::Playout(tree.map(say)),
        };
        Exploration { thought: self.thought.map(say), tree }
    }
}

/// The tree that alpha-beta went through. All scores are those of the player to move at the root, so that this player maximises and
/// the other minimises; a win `n` plies below the root is `WIN - n`.
#[derive(Clone, Debug, PartialEq)]
pub struct WindowTree<P> {
    /// The searches from the root, in order: one for each depth, and one more for each window that was missed.
    pub passes: Vec<Pass>,
    /// The last pass that was finished, or as much of the first as was. The root comes first, then ply by ply; a node's children
    /// are neighbours, in the order in which the search came to them.
    pub nodes: Vec<WindowNode<P>>,
    /// What happened in that pass, in the order in which it did, as far as its nodes are shown: each of them takes part in at most
    /// [`MAX_STEPS_PER_NODE`] steps.
    pub steps: Vec<WindowStep>,
    /// How many nodes that pass visited, the root included.
    pub visited: u64,
    /// How many branches it left out.
    pub pruned: u64,
    /// Whether that pass was finished before a limit was reached.
    pub is_finished: bool,
}

/// One search from the root.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pass {
    /// Its depth.
    pub depth: u32,
    /// The window; `None` is open.
    pub alpha: Option<i32>,
    /// The upper end of the window.
    pub beta: Option<i32>,
    /// What it found.
    pub value: i32,
    /// Whether that is the value or a bound, because it lies outside of the window.
    pub bound: Bound,
    /// How many nodes it visited.
    pub visited: u64,
}

/// A node that alpha-beta visited, or a branch that it left out.
#[derive(Clone, Debug, PartialEq)]
pub struct WindowNode<P> {
    /// The index of the node above; `None` at the root.
    pub parent: Option<usize>,
    /// The move that led here; `None` at the root, and where the search looked at the position above in another way.
    pub ply: Option<P>,
    /// What the search saw here; `None` if it left the branch out.
    pub visit: Option<Visit>,
    /// What became of the node.
    pub fate: Fate<P>,
    /// How many of the nodes and branches below are not shown.
    pub hidden: u64,
}

/// What a search saw at a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Visit {
    /// Why it came.
    pub purpose: Purpose,
    /// How many plies were left to search.
    pub depth: i32,
    /// What the maximising player is sure of already; `None` if nothing.
    pub alpha: Option<i32>,
    /// What the minimising player is sure of already; `None` if nothing.
    pub beta: Option<i32>,
    /// What the node is worth.
    pub value: i32,
    /// Whether that is its value or a bound.
    pub bound: Bound,
}

/// Why a search visits a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// To find out what it is worth.
    Value,
    /// To find out, with a null window, whether it is better than the best so far (principal variation search).
    Scout,
    /// The same less deep, because it comes late in the order (late-move reduction).
    Reduced,
    /// To look again, because the scout or the reduced search said that it may be better.
    Again,
    /// To see whether even passing is good enough (null move).
    NullMove,
    /// To predict by a shallow search what a deep one would find (ProbCut).
    Prediction,
    /// To see whether several moves cut off in a shallow search (multi-cut).
    MultiCut,
    /// To put moves in order by a shallow search.
    Ordering,
}

/// Something that happened in a search, to be shown as one step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WindowStep {
    /// The index of the node where it happened.
    pub node: usize,
    /// What happened.
    pub event: WindowEvent,
}

/// What happens at a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WindowEvent {
    /// The search comes to the node, to try its moves within its window.
    Enter,
    /// The node has its value without a move being tried there, or what was searched below it is not shown.
    Judge,
    /// The transposition table has the node's value.
    Table,
    /// A move moves an end of the node's window.
    Raise {
        /// The index of the node that the move leads to.
        by: usize,
        /// What the maximising player is sure of from then on; `None` if nothing.
        alpha: Option<i32>,
        /// What the minimising player is sure of from then on; `None` if nothing.
        beta: Option<i32>,
    },
    /// The branches that have not been tried are left out.
    Cut,
    /// The search leaves the node, whose value is known.
    Leave,
}

/// What became of a node, and why.
#[derive(Clone, Debug, PartialEq)]
pub enum Fate<P> {
    /// Its moves were searched.
    Searched,
    /// Its moves were searched until this one was good enough for a cut-off.
    Cut(P),
    /// The game is over here.
    Over,
    /// The position arose before, which ends the game.
    Repetition,
    /// The depth is used up: the evaluation judges, after noisy moves if these are followed.
    Leaf,
    /// The transposition table knew it.
    Table,
    /// The game knew the result without search.
    Foreseen,
    /// Even passing was good enough.
    NullMove,
    /// A shallow search predicted a cut-off.
    Predicted,
    /// Several moves were good enough in a shallow search.
    MultiCut,
    /// It was left out: the move beside it that is given here was good enough for a cut-off.
    PrunedByCut(P),
    /// It was left out after a cut-off that needed no look at the moves, or only a shallow one.
    PrunedEarly,
    /// It was left out because quiet moves were too far from the window (futility pruning).
    PrunedAsFutile,
    /// It was left out because it does not look promising enough (the parameter `best`).
    PrunedByLooks,
    /// It was left out because the rule of the parameter `candidates` does not keep it.
    PrunedByRule,
    /// It was left out because it is the same by symmetry as the move given here.
    Symmetric(P),
}

impl<P: Copy> Fate<P> {
    fn map<N>(&self, say: impl Fn(P) -> N) -> Fate<N> {
        match self {
            Self::Searched => Fate::Searched,
            Self::Cut(ply) => Fate::Cut(say(*ply)),
            Self::Over => Fate::Over,
            Self::Repetition => Fate::Repetition,
            Self::Leaf => Fate::Leaf,
            Self::Table => Fate::Table,
            Self::Foreseen => Fate::Foreseen,
            Self::NullMove => Fate::NullMove,
            Self::Predicted => Fate::Predicted,
            Self::MultiCut => Fate::MultiCut,
            Self::PrunedByCut(ply) => Fate::PrunedByCut(say(*ply)),
            Self::PrunedEarly => Fate::PrunedEarly,
            Self::PrunedAsFutile => Fate::PrunedAsFutile,
            Self::PrunedByLooks => Fate::PrunedByLooks,
            Self::PrunedByRule => Fate::PrunedByRule,
            Self::Symmetric(ply) => Fate::Symmetric(say(*ply)),
        }
    }
}

impl<P: Copy> WindowTree<P> {
    pub(crate) fn map<N>(&self, say: impl Fn(P) -> N) -> WindowTree<N> {
        let node = |node: &WindowNode<P>| WindowNode {
            parent: node.parent,
            ply: node.ply.map(&say),
            visit: node.visit,
            fate: node.fate.map(&say),
            hidden: node.hidden,
        };
        WindowTree {
            passes: self.passes.clone(),
            nodes: self.nodes.iter().map(node).collect(),
            steps: self.steps.clone(),
            visited: self.visited,
            pruned: self.pruned,
            is_finished: self.is_finished,
        }
    }
}

/// A tree that grew playout by playout.
#[derive(Clone, Debug, PartialEq)]
pub struct PlayoutTree<P> {
    /// The nodes in the order in which they were visited first, the root first.
    pub nodes: Vec<PlayoutNode<P>>,
    /// What happened, playout by playout.
    pub steps: Vec<Step>,
    /// The exploration constant.
    pub exploration: f64,
}

/// A node of such a tree.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlayoutNode<P> {
    /// The index of the node above; `None` at the root.
    pub parent: Option<usize>,
    /// What led here; `None` at the root.
    pub ply: Option<P>,
    /// How many children it was given; 0 if none.
    pub children: usize,
    /// In which step, from 0, it was given them.
    pub expanded: Option<usize>,
    /// In which step its result was proven, and what it is to the player who chose the node: 1 for a win, 0 for a loss.
    pub proven: Option<(usize, f64)>,
}

/// One way down the tree, and what came of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// The last node on the way.
    pub leaf: usize,
    /// What the playout was worth, for each node on the way below the root, to the player who chose it: from 0 to 1 with opponents, the
    /// score alone. `None` where chance chose.
    pub gains: Vec<Option<f64>>,
}

impl<P: Copy> PlayoutTree<P> {
    pub(crate) fn map<N>(&self, say: impl Fn(P) -> N) -> PlayoutTree<N> {
        let node = |node: &PlayoutNode<P>| PlayoutNode {
            parent: node.parent,
            ply: node.ply.map(&say),
            children: node.children,
            expanded: node.expanded,
            proven: node.proven,
        };
        PlayoutTree {
            nodes: self.nodes.iter().map(node).collect(),
            steps: self.steps.clone(),
            exploration: self.exploration,
        }
    }
}
