//! Chinese Checkers: one evaluation that estimates moves left and those of others, a solver for one colour alone, one for
//! the race, and the bots.

mod beam;
mod crossing;
mod evaluation;
mod knowledge;
mod presets;
mod race;
mod s2;
mod tactics;
mod way;

pub use crossing::{Crossing, Solution};
pub use knowledge::ChineseCheckersKnowledge;

use crate::ChineseCheckers;

use agon_erased::{EvaluationSpec, Expertise, Preset, TreeExample, WeightSet};

impl Expertise for ChineseCheckers {
    type Knowledge = ChineseCheckersKnowledge;

    fn evaluations(&self) -> &'static [EvaluationSpec] {
        knowledge::EVALUATIONS
    }

    fn knowledge(&self, evaluation: &str) -> Option<ChineseCheckersKnowledge> {
        ChineseCheckersKnowledge::new(evaluation)
    }

    fn presets(&self) -> &'static [Preset] {
        presets::of(self)
    }

    fn weight_sets(&self) -> &'static [WeightSet] {
        presets::WEIGHT_SETS
    }

    fn tree_example(&self) -> TreeExample {
        TreeExample { options: "", position: None, depth: 2, evaluation: Some("progress") }
    }
}
