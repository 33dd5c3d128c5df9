//! Trees of searches, for people who want to see how a search works, and what evaluations see in a position.

use agon_core::Message;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A position whose search tree is wanted.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TreeQuestion {
    /// The game's name.
    pub game: String,
    /// Its options.
    #[serde(default)]
    pub options: String,
    /// The position; the usual start if left out.
    #[serde(default)]
    pub position: Option<String>,
    /// Moves that are made from there.
    #[serde(default)]
    pub moves: Vec<String>,
    /// The specification of a bot that searches by `alphabeta` or `mcts`; plain alpha-beta if left out, or `mcts` where the game
    /// has no alpha-beta.
    #[serde(default)]
    pub bot: Option<String>,
    /// How many plies deep alpha-beta searches, from 1 to 4; 3 if left out.
    #[serde(default)]
    pub depth: Option<u32>,
    /// How many playouts Monte-Carlo tree search makes, from 1 to 2000; 200 if left out.
    #[serde(default)]
    pub playouts: Option<u32>,
}

/// What a search found, and the tree in which it found it.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TreeAnswer {
    /// The bot, as it searched.
    pub bot: String,
    /// The position that was searched, after chance has acted where it was its turn.
    pub position: String,
    /// The seat to move in it, from 0.
    pub seat: usize,
    /// The best move.
    pub best: String,
    /// How the search expects the game to go on.
    pub line: Vec<String>,
    /// Moves made in the search, those of quiescence and playouts included.
    pub nodes: u64,
    /// The value of a win on the spot in alpha-beta: `win - n` is a win after `n` plies.
    pub win: i32,
    /// Values beyond this, either way, are wins and losses that have been found; others are opinions of the evaluation.
    pub proven: i32,
    /// How much one unit of the evaluation counts, such as one disc: values are to be divided by it to be read.
    pub one: f64,
    /// The tree.
    pub tree: SearchTree,
}

/// The tree of a search.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum SearchTree {
    /// Of alpha-beta: nodes have windows, and branches are left out.
    Window(WindowTree),
    /// Of Monte-Carlo tree search: it grows playout by playout.
    Playouts(PlayoutTree),
}

/// The tree of alpha-beta. All values are those of the seat to move at the root.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct WindowTree {
    /// The searches from the root, in order; the tree is that of the last one.
    pub passes: Vec<TreePass>,
    /// The nodes, at most 5000: the root, then ply by ply. The children of a node are neighbours, in the order of the search, branches
    /// that were left out last.
    pub nodes: Vec<TreeNode>,
    /// What happened in the last search, step by step, as far as its nodes are among those sent; at most four steps for each of them.
    pub steps: Vec<TreeStep>,
    /// How many nodes were visited in all.
    pub visited: u64,
    /// How many branches were left out in all.
    pub pruned: u64,
    /// Whether the search came to its end before a limit of the server.
    pub finished: bool,
}

/// One search from the root.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TreePass {
    /// Its depth in plies.
    pub depth: u32,
    /// The lower end of its window; left out if it is open.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub alpha: Option<i32>,
    /// The upper end of its window; left out if it is open.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub beta: Option<i32>,
    /// What it found.
    pub value: i32,
    /// Whether that is a bound only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bound: Option<TreeBound>,
    /// How many nodes it visited.
    pub visited: u64,
}

/// A node, or a branch that was left out: such a branch has a move and a fate, but no value.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TreeNode {
    /// The index of the node above; left out at the root.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parent: Option<usize>,
    /// The move that led here; left out at the root and where the search looked at the position without a move.
    #[serde(rename = "move", skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Why the search came here, if not to find the value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub purpose: Option<TreePurpose>,
    /// How many plies were left to search.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth: Option<i32>,
    /// What the maximising side was sure of already; left out if that was nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub alpha: Option<i32>,
    /// What the minimising side was sure of already; left out if that was nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub beta: Option<i32>,
    /// What the node is worth; left out for branches that were not searched.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<i32>,
    /// Whether that is a bound only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bound: Option<TreeBound>,
    /// What became of it.
    pub fate: TreeFate,
    /// The move that is the reason, where one is: that which caused the cut-off, or which is the same by symmetry.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
    /// How many nodes and branches below are not among those sent.
    #[serde(skip_serializing_if = "is_zero")]
    pub hidden: u64,
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}

/// Something that happened in a search.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TreeStep {
    /// The index of the node where it happened.
    pub node: usize,
    /// What happened.
    pub event: TreeEvent,
    /// The index of the node whose value moved an end of the window.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by: Option<usize>,
    /// Where the window was moved: what the maximising side is sure of from then on; left out if that is nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub alpha: Option<i32>,
    /// Where the window was moved: what the minimising side is sure of from then on; left out if that is nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub beta: Option<i32>,
}

/// What happens at a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum TreeEvent {
    /// The search comes to the node, to try its moves.
    Enter,
    /// The node has its value without a move being tried there, or the nodes below it are not sent.
    Judge,
    /// The transposition table has its value.
    Table,
    /// A move moves an end of its window.
    Raise,
    /// The branches that have not been tried are left out.
    Cut,
    /// The search leaves the node, whose value is known.
    Leave,
}

/// A position whose tree is small enough to be gone through step by step.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TreeExample {
    /// The options of its game.
    pub options: String,
    /// The position; left out for the usual start.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub position: Option<String>,
    /// How many plies deep alpha-beta searches it.
    pub depth: u32,
    /// The evaluation that judges the leaves; left out for the game's best.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub evaluation: Option<String>,
}

/// How a value that is not exact relates to the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum TreeBound {
    /// The true value is at least this.
    Lower,
    /// The true value is at most this.
    Upper,
}

/// Why a search visits a node, other than to find its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum TreePurpose {
    /// To see with a null window whether it is better than the best so far.
    Scout,
    /// The same less deep, because it comes late in the order.
    Reduced,
    /// To look again, because it may be better than the best so far.
    Again,
    /// To see whether even passing is good enough.
    NullMove,
    /// To predict by a shallow search what a deep one would find.
    Prediction,
    /// To see whether several moves are good enough in a shallow search.
    MultiCut,
    /// To put moves in order by a shallow search.
    Ordering,
}

/// What became of a node or branch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum TreeFate {
    /// Its moves were searched.
    Searched,
    /// Its moves were searched until one was good enough for a cut-off.
    Cut,
    /// The game is over.
    Over,
    /// The position arose before, which ends the game.
    Repetition,
    /// The depth is used up: the evaluation judges.
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
    /// Left out: a move beside it caused a cut-off.
    PrunedByCut,
    /// Left out: the node was cut off before its moves were searched.
    PrunedEarly,
    /// Left out: quiet moves are too far from the window.
    PrunedAsFutile,
    /// Left out: it does not look promising enough.
    PrunedByLooks,
    /// Left out: the rule for candidates does not keep it.
    PrunedByRule,
    /// Left out: it is the same by symmetry as another move.
    Symmetric,
}

/// A tree that grew playout by playout. To see it grow, go through the steps and add their gains to the nodes on their ways.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PlayoutTree {
    /// The nodes, in the order in which they were visited first, the root first.
    pub nodes: Vec<PlayoutNode>,
    /// What happened, playout by playout.
    pub steps: Vec<PlayoutStep>,
    /// The exploration constant.
    pub exploration: f64,
}

/// A node of such a tree.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PlayoutNode {
    /// The index of the node above; left out at the root.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parent: Option<usize>,
    /// What led here; left out at the root.
    #[serde(rename = "move", skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// How many children it has, the untried ones included.
    pub children: usize,
    /// In which step, from 0, it was given them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expanded: Option<usize>,
    /// In which step its result was proven.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proven: Option<usize>,
    /// What that result is to the player who chose the node: 1 for a win, 0 for a loss.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub result: Option<f64>,
}

/// One way down the tree, and what came of it.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PlayoutStep {
    /// The last node on the way.
    pub leaf: usize,
    /// What the playout was worth, for each node on the way below the root, to the player who chose it: 0 to 1 with opponents, the
    /// score alone; `null` where chance chose.
    pub gains: Vec<Option<f64>>,
}

/// A position of which the evaluation's reasons are wanted.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct FeatureQuestion {
    /// The game's name.
    pub game: String,
    /// Its options.
    #[serde(default)]
    pub options: String,
    /// The position; the usual start if left out.
    #[serde(default)]
    pub position: Option<String>,
    /// Moves that are made from there.
    #[serde(default)]
    pub moves: Vec<String>,
    /// The evaluation; if neither it nor a bot is named, the game's best one that people can read.
    #[serde(default)]
    pub evaluation: Option<String>,
    /// The specification of a bot whose evaluation is wanted instead, with the bot's weights.
    #[serde(default)]
    pub bot: Option<String>,
}

/// What an evaluation sees in a position.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct FeatureAnswer {
    /// The evaluation; empty if the bot does not judge positions.
    pub evaluation: String,
    /// The evaluation that was asked for, where nobody could read its reasons and those of another one are shown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stands_for: Option<String>,
    /// All evaluations of the game, the best first.
    pub evaluations: Vec<String>,
    /// The seat that the features are seen from, which is to move; left out where chance acts or the game is over.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seat: Option<usize>,
    /// The features that have a weight, that with the largest product first; none where nobody is to move.
    pub features: Vec<FeatureState>,
    /// The sum of the products.
    pub total: f64,
    /// What the sum means to people; left out where there are no features.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub worth: Option<FeatureWorth>,
}

/// What the numbers of an evaluation mean to people.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct FeatureWorth {
    /// The sum in the unit.
    pub value: f64,
    /// The unit: `discs`, `points`, `percent` for an expected result, or a unit of the evaluation's own.
    pub unit: Option<&'static str>,
    /// How much of the products is one of the unit; left out for an expected result, which is no sum.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub one: Option<f64>,
}

/// One reason for an opinion.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct FeatureState {
    /// What it is called, a message of the game.
    pub name: Message,
    /// How much of it there is.
    pub value: f64,
    /// What one of it is worth.
    pub weight: f64,
    /// What all of it is worth.
    pub product: f64,
}
