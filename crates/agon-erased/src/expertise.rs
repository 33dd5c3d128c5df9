//! What a game offers to search: its evaluations, and its bots as presets of algorithms.

use agon_core::Game;
use agon_search::Knowledge;

/// An evaluation as listings show it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EvaluationSpec {
    /// Its name in bot specifications.
    pub name: &'static str,
    /// What it looks at, in one sentence.
    pub summary: &'static str,
}

/// A bot with a name: an algorithm and what its parameters are set to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Preset {
    /// The name by which it is called everywhere. How it plays is told by the game's message `bot.NAME`.
    pub name: &'static str,
    /// The algorithm that it is made of.
    pub algorithm: &'static str,
    /// The algorithm's parameters as a bot specification sets them.
    pub settings: &'static str,
}

/// A set of weights for one of a game's evaluations, by name: `weights=NAME` in a bot specification.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WeightSet {
    /// Its name in bot specifications.
    pub name: &'static str,
    /// The evaluation that it is for.
    pub evaluation: &'static str,
    /// Where the weights come from, in one sentence.
    pub summary: &'static str,
    /// The weights as a bot specification sets them: `NAME:NUMBER`, joined by `+`.
    pub weights: &'static str,
}

/// A position from which plain alpha-beta needs so few nodes that people can go through its tree step by step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TreeExample {
    /// The options of its game.
    pub options: &'static str,
    /// The position; the usual start if there is none.
    pub position: Option<&'static str>,
    /// How many plies deep it is searched.
    pub depth: u32,
    /// The evaluation that judges the leaves, one whose figures can be followed on the board; the game's best if there is none.
    pub evaluation: Option<&'static str>,
}

/// A game that we know how to play.
pub trait Expertise: Game {
    /// All that a search is told about the game.
    type Knowledge: Knowledge<Self>;

    /// The evaluations that this game has with its options as they are, the best first.
    fn evaluations(&self) -> &'static [EvaluationSpec];

    /// The evaluation whose reasons people are shown where a bot judges by `evaluation`: another one where nobody could read its own.
    fn readable_evaluation<'a>(&self, evaluation: &'a str) -> &'a str {
        evaluation
    }

    /// What is known about the game, positions being judged by the evaluation of that name.
    fn knowledge(&self, evaluation: &str) -> Option<Self::Knowledge>;

    /// Whether what is known with that evaluation needs the game's trained weights.
    fn needs_weights(&self, _evaluation: &str) -> bool {
        false
    }

    /// The bots of this game with its options as they are, weakest first.
    fn presets(&self) -> &'static [Preset];

    /// Sets of weights that bots can be given by name, other than the evaluations' own.
    fn weight_sets(&self) -> &'static [WeightSet] {
        &[]
    }

    /// The tree by which people are shown how a search goes, whatever the options of this game are. A game that names no position shows
    /// the moves of its start.
    fn tree_example(&self) -> TreeExample {
        TreeExample { options: "", position: None, depth: 1, evaluation: None }
    }
}
