//! Writes down the tree of a search for those who want to see it.
//!
//! A search that nobody watches executes not one instruction more in its inner loop: after each move it looks at a single flag that says
//! whether to turn aside, be it to stop or to have the move recorded ([`Watch::turns_aside`](crate::Watch)). What is recorded is what
//! the search did; the reasons are found out afterwards, from the position and the settings, so that the search need not carry them
//! along.

use agon_core::Game;
use agon_core::cpu::Level;

use super::root::RootMove;
use super::search::{Here, INFINITE, MAX_PLY, Search, from_table};
use super::shown::{Shown, open};
use crate::explore::{Fate, MAX_SHOWN, Pass, Purpose, WindowTree};
use crate::knowledge::{Knowledge, select};
use crate::thought::Bound;

/// How many nodes and branches are kept in memory, so that the best part of them can be shown in the end.
const MAX_KEPT: u64 = 20 * MAX_SHOWN as u64;

/// A visit that has ended, as the node itself sees it: scores are those of the player to move there.
#[derive(Clone, Copy)]
pub(super) struct Seen<M> {
    /// The move that led there; `None` if there was none.
    pub(super) mv: Option<M>,
    pub(super) purpose: Purpose,
    pub(super) alpha: i32,
    pub(super) beta: i32,
    pub(super) depth: i32,
    pub(super) score: i32,
    /// Whether the rules end the game there by repetition.
    pub(super) is_repeated: bool,
}

/// A move of the inner loop that has been searched, and what was known before.
pub(super) struct Tried {
    /// Its place among the candidates of the whole line, and among those of its node.
    pub(super) place: usize,
    pub(super) index: usize,
    pub(super) raised: i32,
    pub(super) beta: i32,
    pub(super) depth: i32,
    pub(super) is_main_line: bool,
    pub(super) threatened: bool,
    /// What the move is worth to who made it.
    pub(super) score: i32,
}

/// A node that has been searched to the end.
pub(super) struct Node<M> {
    pub(super) seen: Seen<M>,
    /// How its score relates to the true one.
    pub(super) bound: Bound,
    /// What the player who came here was sure of from then on, if this was more than before.
    pub(super) raised: Option<i32>,
    pub(super) fate: Fate<M>,
    pub(super) children: Vec<Node<M>>,
    pub(super) left_out: Vec<(M, Fate<M>)>,
    pub(super) below: Count,
}

/// Nodes visited and branches left out.
#[derive(Clone, Copy, Default)]
pub(super) struct Count {
    visited: u64,
    pruned: u64,
}

impl Count {
    pub(super) fn all(self) -> u64 {
        self.visited + self.pruned
    }
}

/// What has been written down.
pub(super) struct Recorder<M> {
    /// For each ply the nodes that have been searched to the end below the node of the present line at that ply.
    pending: Vec<Vec<Node<M>>>,
    /// Nodes deeper than this are counted, but not kept.
    deepest: usize,
    /// Nodes and branches that are kept.
    kept: u64,
    /// What cut the node off that is just being left, if it was not a move.
    early: Option<Fate<M>>,
    passes: Vec<Pass>,
    /// The tree of the last finished pass.
    last: Option<Node<M>>,
}

impl<M> Default for Recorder<M> {
    fn default() -> Self {
        let pending = std::iter::repeat_with(Vec::new).take(MAX_PLY + 1).collect();
        Self { pending, deepest: MAX_PLY, kept: 0, early: None, passes: Vec::new(), last: None }
    }
}

impl<G: Game, K: Knowledge<G>, L: Level> Search<'_, G, K, L> {
    /// Records a move of the inner loop.
    #[cold]
    #[inline(never)]
    pub(super) fn record_move(&mut self, here: &Here<G, K::State>, mv: G::Move, tried: &Tried, ply: u32) {
        // Writing down takes so long that the search must not go on for as many nodes as usual before it notices that it is to stop.
        if self.watch.look() {
            return;
        }
        let mut next = here.position;
        self.game.play_unchecked(&mut next, mv);
        let before = self.recorder.as_ref().and_then(|recorder| recorder.pending[ply as usize].last());
        let before = before.filter(|node| node.seen.mv == Some(mv)).map(|node| node.seen.purpose);
        let Tried { index, raised, beta, depth, .. } = *tried;
        let reduction =
            self.planned_reduction(depth, index, tried.is_main_line, tried.threatened, tried.place);
        let (purpose, high, depth) = match before {
            Some(Purpose::Scout) => (Purpose::Again, beta, depth - 1),
            Some(Purpose::Reduced) => (Purpose::Scout, raised + 1, depth - 1),
            _ if index == 0 || !self.settings.pvs => (Purpose::Value, beta, depth - 1),
            _ if reduction > 0 => (Purpose::Reduced, raised + 1, depth - 1 - reduction),
            _ => (Purpose::Scout, raised + 1, depth - 1),
        };
        let is_repeated = self.repeats(&here.position, &next, ply);
        let (alpha, beta, score) = (-high, -raised, -tried.score);
        let seen = Seen { mv: Some(mv), purpose, alpha, beta, depth, score, is_repeated };
        self.record(&next, ply, seen);
        if tried.score > raised {
            self.record_raise(ply, tried.score);
        }
    }

    /// Records that the visit recorded last raised what the player to move at the present line's node at `ply` is sure of.
    pub(super) fn record_raise(&mut self, ply: u32, raised: i32) {
        if let Some(recorder) = &mut self.recorder
            && let Some(node) = recorder.pending[ply as usize].last_mut()
        {
            node.raised = Some(raised);
        }
    }

    /// Records a visit of `at`, made from the node of the present line at `ply`, if somebody watches.
    #[inline(always)]
    pub(super) fn record(&mut self, at: &G::Position, ply: u32, seen: Seen<G::Move>) {
        if self.recorder.is_some() {
            self.write_down(at, ply, ply + 1, 0, seen);
        }
    }

    /// How many nodes have been recorded below the node of the present line at `ply`.
    pub(super) fn recorded(&self, ply: u32) -> usize {
        self.recorder.as_ref().map_or(0, |recorder| recorder.pending[ply as usize].len())
    }

    /// Records a look at the node of the present line itself, which began when so many nodes had been `recorded` below it.
    pub(super) fn record_look(&mut self, at: &G::Position, ply: u32, recorded: usize, seen: Seen<G::Move>) {
        if self.recorder.is_some() {
            self.write_down(at, ply, ply, recorded, seen);
        }
    }

    /// Notes what cuts the present node off, if it is not a move.
    pub(super) fn record_early(&mut self, fate: Fate<G::Move>) {
        if let Some(recorder) = &mut self.recorder {
            recorder.early = Some(fate);
        }
    }

    /// Records a search of the moves at the root from `found` on, the others being better; only one of all moves is shown.
    pub(super) fn record_pass(
        &mut self,
        at: &G::Position,
        moves: &[RootMove<G::Move>],
        found: usize,
        seen: Seen<G::Move>,
    ) {
        if self.recorder.is_none() {
            return;
        }
        let mut root = self.node(at, 0, 0, seen);
        for root_move in moves {
            for &twin in &root_move.twins {
                if let Some((_, fate)) = root.left_out.iter_mut().find(|(mv, _)| *mv == twin) {
                    *fate = Fate::Symmetric(root_move.mv);
                }
            }
        }
        let Some(recorder) = &mut self.recorder else { return };
        recorder.recount();
        if found == 0 {
            recorder.passes.push(Pass {
                depth: seen.depth as u32,
                alpha: open(seen.alpha),
                beta: open(seen.beta),
                value: seen.score,
                bound: bound_by_window(&seen),
                visited: root.below.visited + 1,
            });
            recorder.last = Some(root);
        }
    }

    #[cold]
    #[inline(never)]
    fn write_down(&mut self, at: &G::Position, ply: u32, below: u32, recorded: usize, seen: Seen<G::Move>) {
        if self.watch.has_stopped() {
            return;
        }
        let node = self.node(at, below, recorded, seen);
        let Some(recorder) = &mut self.recorder else { return };
        recorder.push(ply as usize, node);
    }

    /// The node that has been left, with the nodes below the line's node at `ply` that were recorded after the first `recorded`.
    fn node(&mut self, at: &G::Position, ply: u32, recorded: usize, seen: Seen<G::Move>) -> Node<G::Move> {
        let recorder = self.recorder.as_mut();
        let (children, early) = recorder.map_or((Vec::new(), None), |recorder| {
            (recorder.pending[ply as usize].split_off(recorded), recorder.early.take())
        });
        let horizon = self.settings.foresight.map(|beyond| beyond + seen.depth.max(0) as u32);
        let is_foreseen =
            horizon.is_some_and(|horizon| self.knowledge.foresee(self.game, at, horizon).is_some());
        let is_root = ply == 0;
        let fate = match early {
            _ if seen.is_repeated => Fate::Repetition,
            _ if self.game.outcome(at).is_some() => Fate::Over,
            _ if is_foreseen && !is_root => Fate::Foreseen,
            _ if seen.depth <= 0 || ply as usize >= MAX_PLY - 1 => Fate::Leaf,
            _ if self.knowledge.is_leaf(self.game, at) && !is_root => Fate::Leaf,
            Some(early) => early,
            None if children.is_empty() => Fate::Table,
            None => match children.last().and_then(|child| child.seen.mv) {
                Some(mv) if seen.score >= seen.beta => Fate::Cut(mv),
                _ => Fate::Searched,
            },
        };
        let left_out = self.left_out(at, &fate, &children);
        let mut below = count(&children);
        below.pruned += left_out.len() as u64;
        let is_exact = match fate {
            Fate::Over | Fate::Repetition | Fate::Foreseen => true,
            Fate::Leaf => !self.follows_noise(at),
            Fate::Table => self.is_known_exactly(at, seen.score, ply),
            Fate::Searched | Fate::Cut(_) => {
                let is_open =
                    |(_, fate): &(_, Fate<_>)| matches!(fate, Fate::PrunedByCut(_) | Fate::PrunedAsFutile);
                children.iter().any(|child| is_best(seen.score, child)) && !left_out.iter().any(is_open)
            }
            _ => false,
        };
        let bound = if is_exact { Bound::Exact } else { bound_by_window(&seen) };
        Node { seen, bound, raised: None, fate, children, left_out, below }
    }

    /// The moves of a node that were not searched, and why.
    fn left_out(
        &self,
        at: &G::Position,
        fate: &Fate<G::Move>,
        children: &[Node<G::Move>],
    ) -> Vec<(G::Move, Fate<G::Move>)> {
        let reason = match *fate {
            Fate::Cut(mv) => Fate::PrunedByCut(mv),
            Fate::NullMove | Fate::Predicted | Fate::MultiCut => Fate::PrunedEarly,
            Fate::Searched if self.has_tried_the_best(children) => Fate::PrunedByLooks,
            Fate::Searched => Fate::PrunedAsFutile,
            _ => return Vec::new(),
        };
        // A look at a move before its turn is no search of it, unless it settled the matter.
        let settles =
            |purpose: Purpose| is_search(purpose) || purpose == Purpose::MultiCut && *fate == Fate::MultiCut;
        let is_visited = |mv: G::Move| {
            children.iter().any(|child| child.seen.mv == Some(mv) && settles(child.seen.purpose))
        };
        let mut moves = Vec::new();
        self.game.for_each_move(at, |mv| moves.push(mv));
        let mut kept = moves.clone();
        if let Some(rule) = self.settings.candidates {
            select(self.knowledge, self.game, at, rule, &mut kept, 0, |mv| Some(*mv));
        }
        let missing = moves.into_iter().filter(|&mv| !is_visited(mv));
        missing.map(|mv| (mv, if kept.contains(&mv) { reason.clone() } else { Fate::PrunedByRule })).collect()
    }

    /// Whether as many moves were tried as the parameter `best` allows.
    fn has_tried_the_best(&self, children: &[Node<G::Move>]) -> bool {
        let Some(most) = self.settings.best else { return false };
        // Several visits of one move follow each other.
        let mut moves: Vec<_> = children.iter().map(|child| child.seen.mv).collect();
        moves.dedup();
        moves.len() >= most
    }

    /// Whether the table knows the score of a node at `ply` exactly, whatever the window. With `exact`, keys depend on the way to a
    /// position, which is not at hand here.
    fn is_known_exactly(&self, at: &G::Position, score: i32, ply: u32) -> bool {
        let known = if self.settings.exact { None } else { self.table.probe(self.key(at)) };
        known.is_some_and(|entry| entry.bound() == Bound::Exact && from_table(entry.score, ply) == score)
    }

    /// Whether a move from `before` to `after` repeats a position.
    fn repeats(&mut self, before: &G::Position, after: &G::Position, ply: u32) -> bool {
        if self.repetition.is_none() || self.game.outcome(after).is_some() {
            return false;
        }
        let irreversible = self.game.is_irreversible(before, after);
        self.path.push(self.game.key(after), irreversible, ply + 1);
        let repeats = self.path.repeats().is_some();
        self.path.pop();
        repeats
    }
}

impl<M: Copy + PartialEq> Recorder<M> {
    fn push(&mut self, ply: usize, mut node: Node<M>) {
        // Below a node at this depth nothing is kept.
        if ply + 1 >= self.deepest {
            self.kept -= node.children.iter().map(kept).sum::<u64>();
            cut_short(&mut node);
        }
        self.kept += 1 + node.left_out.len() as u64;
        self.pending[ply].push(node);
        while self.kept > MAX_KEPT && self.deepest > 1 {
            self.deepest = (self.deepest.min(self.depth()) - 1).max(1);
            for (ply, nodes) in self.pending.iter_mut().enumerate() {
                nodes.iter_mut().for_each(|node| trim(node, ply + 1, self.deepest));
            }
            self.recount();
        }
    }

    fn recount(&mut self) {
        self.kept = self.pending.iter().flatten().map(kept).sum();
    }

    /// How deep the deepest node is that is kept.
    fn depth(&self) -> usize {
        let plies = self.pending.iter().enumerate();
        plies.flat_map(|(ply, nodes)| nodes.iter().map(move |node| ply + height(node))).max().unwrap_or(1)
    }

    /// The tree as it is shown; `None` if not even one move at the root was searched.
    pub(super) fn tree(mut self, is_finished: bool) -> Option<WindowTree<M>> {
        let unfinished = std::mem::take(&mut self.pending[0]);
        let root = self.last.take().or_else(|| partial(unfinished))?;
        let shown = Shown::new(&root);
        Some(WindowTree {
            steps: shown.steps(),
            nodes: shown.nodes,
            visited: root.below.visited + 1,
            pruned: root.below.pruned,
            passes: self.passes,
            is_finished,
        })
    }
}

/// The root of a first pass that was not finished: it is worth at least as much as the best of its moves so far.
fn partial<M: Copy>(children: Vec<Node<M>>) -> Option<Node<M>> {
    let depth = children.first()?.seen.depth + 1;
    let score = children.iter().map(|child| -child.seen.score).max()?;
    let below = count(&children);
    let seen = Seen {
        mv: None,
        purpose: Purpose::Value,
        alpha: -INFINITE,
        beta: INFINITE,
        depth,
        score,
        is_repeated: false,
    };
    let (fate, left_out) = (Fate::Searched, Vec::new());
    Some(Node { seen, bound: Bound::Lower, raised: None, fate, children, left_out, below })
}

/// All nodes and those below them.
fn count<M>(nodes: &[Node<M>]) -> Count {
    nodes.iter().fold(Count::default(), |all, node| Count {
        visited: all.visited + node.below.visited + 1,
        pruned: all.pruned + node.below.pruned,
    })
}

/// Nodes and branches that are kept of a node, itself included.
fn kept<M>(node: &Node<M>) -> u64 {
    1 + node.left_out.len() as u64 + node.children.iter().map(kept).sum::<u64>()
}

/// Plies from a node to the deepest one below it that is kept, itself included.
fn height<M>(node: &Node<M>) -> usize {
    let below = if node.left_out.is_empty() { 0 } else { 1 };
    1 + node.children.iter().map(height).max().unwrap_or(0).max(below)
}

fn cut_short<M>(node: &mut Node<M>) {
    node.children = Vec::new();
    node.left_out = Vec::new();
}

/// Forgets what lies deeper than `deepest` below a node at `depth`.
fn trim<M>(node: &mut Node<M>, depth: usize, deepest: usize) {
    if depth >= deepest {
        cut_short(node);
    } else {
        node.children.iter_mut().for_each(|child| trim(child, depth + 1, deepest));
    }
}

/// Whether a node's `score` is that of its `child`, and known exactly.
pub(super) fn is_best<M>(score: i32, child: &Node<M>) -> bool {
    let is_search = matches!(child.seen.purpose, Purpose::Value | Purpose::Again | Purpose::Scout);
    is_search && child.bound == Bound::Exact && -child.seen.score == score
}

/// Whether a visit is a search of a move in its turn, rather than a look at it before or instead of that.
fn is_search(purpose: Purpose) -> bool {
    matches!(purpose, Purpose::Value | Purpose::Scout | Purpose::Reduced | Purpose::Again)
}

/// How a score relates to the true one, by the window in which it was found.
fn bound_by_window<M>(seen: &Seen<M>) -> Bound {
    match seen.score {
        score if score >= seen.beta => Bound::Lower,
        score if score <= seen.alpha => Bound::Upper,
        _ => Bound::Exact,
    }
}
