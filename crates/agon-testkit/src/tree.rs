//! A game that is nothing but its tree: branches, turns and values come from a hash, so that searches can be
//! checked where no rule helps or hides.

use std::ops::ControlFlow;

use agon_core::random::{mix, scale};
use agon_core::{Game, Outcome, Payoffs, Player, Turn, Verdict};

/// A game of `depth` plies in which every position has one to `branching` branches.
#[derive(Clone, Copy, Debug)]
pub struct Tree {
    /// Seats, who take turns.
    pub players: u8,
    /// The most moves that a position has.
    pub branching: u8,
    /// The length of every game.
    pub depth: u32,
    /// Whether every third ply is a draw of chance.
    pub chance: bool,
    /// What makes this tree different from others.
    pub seed: u64,
}

/// A node of the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Node {
    path: u64,
    ply: u32,
}

impl Tree {
    /// The node's value for each player, from -1 to 1; for two players they are opposite.
    pub fn value(&self, node: &Node) -> Payoffs {
        let mut payoffs = Payoffs::default();
        for player in 0..self.players {
            let hash = mix(node.path, u64::from(player) + 1);
            payoffs.0[usize::from(player)] = scale(hash, 2001) as f64 / 1000.0 - 1.0;
        }
        if self.players == 2 {
            payoffs.0[1] = -payoffs.0[0];
        }
        payoffs
    }

    /// The node after the player to act has stood aside.
    #[must_use]
    pub fn skipped(&self, node: &Node) -> Node {
        let mut next = *node;
        Self::descend(&mut next, u8::MAX);
        next
    }

    fn branches(&self, node: &Node) -> u8 {
        if node.ply == self.depth { 0 } else { 1 + scale(mix(node.path, 0), u64::from(self.branching)) as u8 }
    }

    fn is_chance(&self, node: &Node) -> bool {
        self.chance && node.ply % 3 == 1 && node.ply < self.depth
    }

    fn descend(node: &mut Node, branch: u8) {
        *node = Node { path: mix(node.path, 100 + u64::from(branch)), ply: node.ply + 1 };
    }
}

impl Game for Tree {
    type Position = Node;
    type Move = u8;
    type Chance = u8;

    fn players(&self) -> usize {
        usize::from(self.players)
    }

    fn start(&self) -> Node {
        Node { path: self.seed, ply: 0 }
    }

    fn turn(&self, node: &Node) -> Turn {
        if self.is_chance(node) {
            Turn::Chance
        } else {
            Turn::Player(Player((node.ply % u32::from(self.players)) as u8))
        }
    }

    fn try_for_each_move<T>(&self, node: &Node, visit: impl FnMut(u8) -> ControlFlow<T>) -> ControlFlow<T> {
        let branches = if self.is_chance(node) { 0 } else { self.branches(node) };
        (0..branches).try_for_each(visit)
    }

    fn play_unchecked(&self, node: &mut Node, mv: u8) {
        Self::descend(node, mv);
    }

    fn outcome(&self, node: &Node) -> Option<Outcome> {
        (node.ply == self.depth).then_some(Outcome { verdict: Verdict::Drawn, reason: "leaf" })
    }

    fn key(&self, node: &Node) -> u64 {
        node.path
    }

    fn has_chance(&self) -> bool {
        self.chance
    }

    fn for_each_chance(&self, node: &Node, mut visit: impl FnMut(u8, f64)) {
        if self.is_chance(node) {
            let branches = self.branches(node);
            (0..branches).for_each(|branch| visit(branch, 1.0 / f64::from(branches)));
        }
    }

    fn draw(&self, node: &Node, number: u64) -> Option<u8> {
        self.is_chance(node).then(|| scale(number, u64::from(self.branches(node))) as u8)
    }

    fn play_chance(&self, node: &mut Node, chance: u8) {
        Self::descend(node, chance);
    }

    fn payoffs(&self, node: &Node, _outcome: &Outcome) -> Payoffs {
        self.value(node)
    }
}

/// A [`Tree`] that is won and lost, and not quite a tree: some of its nodes end the game early, all ends are wins, draws or
/// losses that pay what those usually pay, and many ways lead to the same node, also at different plies. The depth is a
/// limit of the rules, which the key of a node leaves out as those of other games do.
#[derive(Clone, Copy, Debug)]
pub struct Contest(pub Tree);

/// How many different nodes there are at each ply.
const WIDTH: u64 = 40;

impl Contest {
    /// Takes the place of a node by one of the few that there are.
    fn braid(&self, node: &mut Node) {
        node.path = mix(self.0.seed, scale(node.path, WIDTH));
    }

    fn verdict(&self, node: &Node) -> Verdict {
        let players = u64::from(self.0.players);
        match scale(mix(node.path, 200), players + 1) {
            player if player < players => Verdict::Won(Player(player as u8)),
            _ if players == 1 => Verdict::Lost,
            _ => Verdict::Drawn,
        }
    }

    fn is_over(&self, node: &Node) -> bool {
        node.ply == self.0.depth
            || node.ply > 0 && !self.0.is_chance(node) && scale(mix(node.path, 201), 4) == 0
    }
}

impl Game for Contest {
    type Position = Node;
    type Move = u8;
    type Chance = u8;

    fn players(&self) -> usize {
        self.0.players()
    }

    fn start(&self) -> Node {
        self.0.start()
    }

    fn turn(&self, node: &Node) -> Turn {
        self.0.turn(node)
    }

    fn try_for_each_move<T>(&self, node: &Node, visit: impl FnMut(u8) -> ControlFlow<T>) -> ControlFlow<T> {
        if self.is_over(node) { ControlFlow::Continue(()) } else { self.0.try_for_each_move(node, visit) }
    }

    fn play_unchecked(&self, node: &mut Node, mv: u8) {
        self.0.play_unchecked(node, mv);
        self.braid(node);
    }

    fn outcome(&self, node: &Node) -> Option<Outcome> {
        self.is_over(node).then(|| Outcome { verdict: self.verdict(node), reason: "leaf" })
    }

    fn key(&self, node: &Node) -> u64 {
        let turn = match self.turn(node) {
            Turn::Player(player) => u64::from(player.0),
            Turn::Chance => u64::MAX,
        };
        mix(node.path, turn)
    }

    fn has_chance(&self) -> bool {
        self.0.has_chance()
    }

    fn for_each_chance(&self, node: &Node, visit: impl FnMut(u8, f64)) {
        self.0.for_each_chance(node, visit);
    }

    fn draw(&self, node: &Node, number: u64) -> Option<u8> {
        self.0.draw(node, number)
    }

    fn ply(&self, node: &Node) -> Option<u32> {
        Some(node.ply)
    }

    fn plies_left(&self, node: &Node) -> Option<u32> {
        Some(self.0.depth - node.ply)
    }

    fn play_chance(&self, node: &mut Node, chance: u8) {
        self.0.play_chance(node, chance);
        self.braid(node);
    }
}
