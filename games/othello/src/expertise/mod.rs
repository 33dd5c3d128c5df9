//! Othello: what positions are worth, which moves come first, the exact solver, and the bots.
//!
//! The 8×8 board has an evaluation by trained [`patterns`]; boards of every size have one by named [`features`]. The
//! [`solver`] plays the end on boards up to 8×8.

mod bots;
pub mod features;
mod knowledge;
pub mod patterns;
mod s5;
pub mod solver;
pub mod terms;
pub mod weights;

use crate::{Flank, Othello};
use agon_board::Rows;

use agon_erased::{EvaluationSpec, Expertise, Preset, TreeExample, WeightSet};
use knowledge::Opinion;
pub use knowledge::OthelloKnowledge;

/// A set of squares, with its bits where one word holds them.
pub trait Squares: Flank {
    /// The set in one word, if boards of this kind are kept so.
    fn word(self) -> Option<u64>;
}

impl Squares for u64 {
    #[inline(always)]
    fn word(self) -> Option<u64> {
        Some(self)
    }
}

impl Squares for u128 {
    #[inline(always)]
    fn word(self) -> Option<u64> {
        None
    }
}

impl Squares for Rows {
    #[inline(always)]
    fn word(self) -> Option<u64> {
        None
    }
}

impl<B: Squares> Expertise for Othello<B> {
    type Knowledge = OthelloKnowledge;

    fn evaluations(&self) -> &'static [EvaluationSpec] {
        // The best comes first; only the 8×8 board has trained patterns.
        if self.size() == 8 { &EVALUATIONS } else { &EVALUATIONS[1..] }
    }

    fn readable_evaluation<'a>(&self, evaluation: &'a str) -> &'a str {
        if evaluation == "patterns" { "features" } else { evaluation }
    }

    fn knowledge(&self, evaluation: &str) -> Option<OthelloKnowledge> {
        let known = self.evaluations().iter().find(|known| known.name == evaluation)?;
        let index = EVALUATIONS.iter().position(|other| other.name == known.name)?;
        Some(OthelloKnowledge::new(OPINIONS[index]))
    }

    /// The solver orders moves by them, too, however else positions are judged.
    fn needs_weights(&self, _evaluation: &str) -> bool {
        self.size() == 8
    }

    fn presets(&self) -> &'static [Preset] {
        if self.size() <= 8 { &bots::PRESETS } else { &bots::ON_LARGER_BOARDS }
    }

    fn weight_sets(&self) -> &'static [WeightSet] {
        bots::WEIGHT_SETS
    }

    fn tree_example(&self) -> TreeExample {
        TreeExample {
            options: "size=6",
            position: Some("xoooo1/ooooox/xooooo/xxxxoo/xxxxxo/2oxo1 x"),
            depth: 4,
            evaluation: Some("discs"),
        }
    }
}

const EVALUATIONS: [EvaluationSpec; 6] = [
    EvaluationSpec {
        name: "patterns",
        summary: "Trained weights of 46 patterns of squares, in hundredths of a disc (8×8).",
    },
    EvaluationSpec {
        name: "features",
        summary: "Mobility, corners, stability and more, weighted by the phase of the game, in hundredths of a disc.",
    },
    EvaluationSpec { name: "discs", summary: "Own discs minus the opponent's." },
    EvaluationSpec { name: "s5-beginner", summary: "S5's beginner level: the share of discs." },
    EvaluationSpec {
        name: "s5-intermediate",
        summary: "S5's intermediate level: the shares of discs (40%) and mobility (60%).",
    },
    EvaluationSpec {
        name: "s5-advanced",
        summary: "S5's advanced level: the shares of discs (25%), mobility (35%) and corners (40%).",
    },
];

/// The opinions of [`EVALUATIONS`], in the same order.
const OPINIONS: [Opinion; 6] = [
    Opinion::Patterns,
    Opinion::Features,
    Opinion::Discs,
    Opinion::S5(s5::BEGINNER),
    Opinion::S5(s5::INTERMEDIATE),
    Opinion::S5(s5::ADVANCED),
];
