//! The tree of a search, for people who want to know how machines play.

use agon_core::Turn;
use agon_core::text::quote;
use agon_erased::explore::{self, Fate, Purpose, Tree, WindowEvent};
use agon_erased::{
    BotSpec, BotSpecError, Bound, Budget, Limits, PROVEN, Rules, Session, SpecificationError, Unit, WIN,
};
use agon_protocol::web::tree::{
    PlayoutNode, PlayoutStep, PlayoutTree, SearchTree, TreeAnswer, TreeBound, TreeEvent, TreeFate, TreeNode,
    TreePass, TreePurpose, TreeStep, WindowTree,
};

use crate::analysis::{AnalysisError, let_chance_act};

/// Alpha-beta as textbooks have it: every switch is off.
const PLAIN: &str =
    "alphabeta:window=full,deepening=off,ordering=none,hash=off,killers=off,history=off,tt=off";
/// The algorithms that show their trees.
const ALGORITHMS: [&str; 2] = ["alphabeta", "mcts"];
/// The deepest tree of alpha-beta, and the usual one.
pub const TREE_DEPTHS: std::ops::RangeInclusive<u32> = 1..=4;
const USUAL_DEPTH: u32 = 3;
/// How many playouts a tree may grow by, and how many are usual.
pub const TREE_PLAYOUTS: std::ops::RangeInclusive<u32> = 1..=2000;
const USUAL_PLAYOUTS: u32 = 200;
/// How many moves a search for a tree may make.
const MAX_NODES: u64 = 4_000_000;

/// Which tree is wanted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TreeRequest {
    /// Who searches; the [`default_tree_bot`] if nobody is named.
    pub bot: Option<BotSpec>,
    /// The depth of alpha-beta, one of [`TREE_DEPTHS`].
    pub depth: Option<u32>,
    /// The playouts of Monte-Carlo tree search, one of [`TREE_PLAYOUTS`].
    pub playouts: Option<u32>,
    /// Fixes the randomness of the bot, and that of chance where it is to act before a player.
    pub seed: u64,
}

/// Why there is no tree.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum TreeError {
    /// There is nothing to search, or no such bot.
    #[error(transparent)]
    Analysis(#[from] AnalysisError),
    /// The bot has no tree.
    #[error("the bot {} shows no tree; choose one that searches by alphabeta or mcts", quote(.0))]
    NoTree(String),
    /// The search was stopped before it had found anything.
    #[error("the search did not get far enough to show anything; choose a smaller depth or board")]
    Stopped,
}

/// The bot that shows its tree in a game of `rules` unless another one is asked for: plain alpha-beta, or Monte-Carlo tree search where the
/// game has no alpha-beta.
pub fn default_tree_bot(rules: &dyn Rules) -> &'static str {
    let has_alphabeta = rules.bots().iter().any(|bot| bot.name == ALGORITHMS[0]);
    if has_alphabeta { PLAIN } else { ALGORITHMS[1] }
}

/// Searches `session`, a game of `rules`, and shows the tree; `stop` of the budget ends the search early.
///
/// # Errors
/// If the game is over, there is no such bot, or it has no tree.
pub fn explore(
    rules: &dyn Rules,
    session: &mut dyn Session,
    request: &TreeRequest,
    budget: Budget,
) -> Result<TreeAnswer, TreeError> {
    let_chance_act(rules, session, request.seed)?;
    let spec = match &request.bot {
        Some(spec) => spec.clone(),
        None => default_tree_bot(rules)
            .parse()
            .map_err(|error: BotSpecError| AnalysisError::Specification(SpecificationError::from(error)))?,
    };
    let algorithm = rules.bots().iter().find(|bot| bot.name == spec.name()).map(|bot| bot.algorithm);
    let mut bot = rules.bot(&spec, request.seed).map_err(AnalysisError::Specification)?;
    if !algorithm.is_some_and(|algorithm| ALGORITHMS.contains(&algorithm)) {
        return Err(TreeError::NoTree(spec.name().to_owned()));
    }
    // The depth of a tree of playouts is what they make it.
    let depth = (algorithm == Some(ALGORITHMS[0])).then(|| request.depth.unwrap_or(USUAL_DEPTH));
    let limits = Limits { depth, nodes: Some(MAX_NODES), time: None }.and(budget.limits);
    let budget = Budget { limits, is_analysis: true, ..budget };
    let playouts = request.playouts.unwrap_or(USUAL_PLAYOUTS);
    let found = bot.explore(session, &budget, playouts).ok_or(TreeError::Stopped)?;
    let Turn::Player(player) = session.turn() else { return Err(TreeError::Stopped) };
    Ok(TreeAnswer {
        bot: spec.to_string(),
        position: session.position(),
        seat: player.index(),
        best: found.thought.best,
        line: found.thought.line,
        nodes: found.thought.nodes,
        win: WIN,
        proven: PROVEN,
        // An expectation has no unit of its own: what adds up to it is shown as it is.
        one: match bot.unit() {
            Some(Unit::Amount { one, .. }) => one,
            _ => 1.0,
        },
        tree: match found.tree {
            Tree::Window(tree) => SearchTree::Window(window_tree(tree)),
            Tree::Playout(tree) => SearchTree::Playouts(playout_tree(tree)),
        },
    })
}

fn window_tree(tree: explore::WindowTree<String>) -> WindowTree {
    let pass = |pass: explore::Pass| TreePass {
        depth: pass.depth,
        alpha: pass.alpha,
        beta: pass.beta,
        value: pass.value,
        bound: bound_of(pass.bound),
        visited: pass.visited,
    };
    WindowTree {
        passes: tree.passes.into_iter().map(pass).collect(),
        nodes: tree.nodes.into_iter().map(tree_node).collect(),
        steps: tree.steps.into_iter().map(tree_step).collect(),
        visited: tree.visited,
        pruned: tree.pruned,
        finished: tree.is_finished,
    }
}

fn tree_node(node: explore::WindowNode<String>) -> TreeNode {
    let (fate, by) = fate_of(node.fate);
    let visit = node.visit;
    TreeNode {
        parent: node.parent,
        name: node.ply,
        purpose: visit.and_then(|visit| purpose_of(visit.purpose)),
        depth: visit.map(|visit| visit.depth),
        alpha: visit.and_then(|visit| visit.alpha),
        beta: visit.and_then(|visit| visit.beta),
        value: visit.map(|visit| visit.value),
        bound: visit.and_then(|visit| bound_of(visit.bound)),
        fate,
        by,
        hidden: node.hidden,
    }
}

fn tree_step(step: explore::WindowStep) -> TreeStep {
    let plain = |event| TreeStep { node: step.node, event, by: None, alpha: None, beta: None };
    match step.event {
        WindowEvent::Enter => plain(TreeEvent::Enter),
        WindowEvent::Judge => plain(TreeEvent::Judge),
        WindowEvent::Table => plain(TreeEvent::Table),
        WindowEvent::Raise { by, alpha, beta } => {
            TreeStep { by: Some(by), alpha, beta, ..plain(TreeEvent::Raise) }
        }
        WindowEvent::Cut => plain(TreeEvent::Cut),
        WindowEvent::Leave => plain(TreeEvent::Leave),
    }
}

fn bound_of(bound: Bound) -> Option<TreeBound> {
    match bound {
        Bound::Exact => None,
        Bound::Lower => Some(TreeBound::Lower),
        Bound::Upper => Some(TreeBound::Upper),
    }
}

fn purpose_of(purpose: Purpose) -> Option<TreePurpose> {
    match purpose {
        Purpose::Value => None,
        Purpose::Scout => Some(TreePurpose::Scout),
        Purpose::Reduced => Some(TreePurpose::Reduced),
        Purpose::Again => Some(TreePurpose::Again),
        Purpose::NullMove => Some(TreePurpose::NullMove),
        Purpose::Prediction => Some(TreePurpose::Prediction),
        Purpose::MultiCut => Some(TreePurpose::MultiCut),
        Purpose::Ordering => Some(TreePurpose::Ordering),
    }
}

fn fate_of(fate: Fate<String>) -> (TreeFate, Option<String>) {
    match fate {
        Fate::Searched => (TreeFate::Searched, None),
        Fate::Cut(by) => (TreeFate::Cut, Some(by)),
        Fate::Over => (TreeFate::Over, None),
        Fate::Repetition => (TreeFate::Repetition, None),
        Fate::Leaf => (TreeFate::Leaf, None),
        Fate::Table => (TreeFate::Table, None),
        Fate::Foreseen => (TreeFate::Foreseen, None),
        Fate::NullMove => (TreeFate::NullMove, None),
        Fate::Predicted => (TreeFate::Predicted, None),
        Fate::MultiCut => (TreeFate::MultiCut, None),
        Fate::PrunedByCut(by) => (TreeFate::PrunedByCut, Some(by)),
        Fate::PrunedEarly => (TreeFate::PrunedEarly, None),
        Fate::PrunedAsFutile => (TreeFate::PrunedAsFutile, None),
        Fate::PrunedByLooks => (TreeFate::PrunedByLooks, None),
        Fate::PrunedByRule => (TreeFate::PrunedByRule, None),
        Fate::Symmetric(by) => (TreeFate::Symmetric, Some(by)),
    }
}

fn playout_tree(tree: explore::PlayoutTree<String>) -> PlayoutTree {
    let node = |node: explore::PlayoutNode<String>| PlayoutNode {
        parent: node.parent,
        name: node.ply,
        children: node.children,
        expanded: node.expanded,
        proven: node.proven.map(|(step, _)| step),
        result: node.proven.map(|(_, result)| result),
    };
    // Four digits are more than anybody sees, and less to send.
    let round = |gain: f64| (gain * 1e4).round() / 1e4;
    let step = |step: explore::Step| PlayoutStep {
        leaf: step.leaf,
        gains: step.gains.into_iter().map(|gain| gain.map(round)).collect(),
    };
    PlayoutTree {
        nodes: tree.nodes.into_iter().map(node).collect(),
        steps: tree.steps.into_iter().map(step).collect(),
        exploration: tree.exploration,
    }
}
