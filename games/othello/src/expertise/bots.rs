//! The bots of Othello, weakest first.

use agon_erased::{Preset, WeightSet};

/// What the bots of source S5 share: alpha-beta as its text has it, with a table keyed by position and remaining depth. Of equal moves the
/// later one is taken.
macro_rules! s5 {
    ($depth:literal, $eval:literal) => {
        concat!(
            "window=full,ordering=none,ties=last,hash=off,killers=off,history=off,exact=on,tt=32,depth=",
            $depth,
            ",eval=",
            $eval
        )
    };
}

/// How many bots there are.
const COUNT: usize = 8;

/// Every bot on boards up to 8×8.
pub(super) const PRESETS: [Preset; COUNT] = [
    Preset { name: "novice", algorithm: "alphabeta", settings: "depth=1,eval=discs,noise=3" },
    Preset { name: "s5-beginner", algorithm: "alphabeta", settings: s5!("2", "s5-beginner") },
    Preset { name: "easy", algorithm: "alphabeta", settings: "depth=1,eval=features,noise=600" },
    Preset { name: "s5-intermediate", algorithm: "alphabeta", settings: s5!("4", "s5-intermediate") },
    Preset { name: "medium", algorithm: "alphabeta", settings: "depth=3,eval=features,noise=150" },
    Preset { name: "s5-advanced", algorithm: "alphabeta", settings: s5!("6", "s5-advanced") },
    Preset { name: "hard", algorithm: "alphabeta", settings: "depth=5,noise=60,solve=10" },
    Preset { name: "expert", algorithm: "alphabeta", settings: "probcut=1.3,solve=60,aspiration=150,tt=64" },
];

/// On larger boards, which have no trained patterns, the best of them judges by features with tuned weights.
pub(super) const ON_LARGER_BOARDS: [Preset; COUNT] = {
    let mut presets = PRESETS;
    presets[COUNT - 1].settings = "solve=26,aspiration=150,tt=64,weights=tuned";
    presets
};

/// Weights that `agon tune` has found; docs/tuning.md has the commands and what they are worth.
pub(super) const WEIGHT_SETS: &[WeightSet] = &[
    WeightSet {
        name: "tuned",
        evaluation: "features",
        summary: "Fitted to 2,000 games of self-play on 10×10, the same throughout the game.",
        weights: "discs:-4+mobility:38+potential-mobility:45+corners:592+beside-corners:-483+stability:150+edges:36+parity:133",
    },
    WeightSet {
        name: "tuned",
        evaluation: "s5-advanced",
        summary: "S5's three weights, fitted to 1,000 games of self-play on 8×8.",
        weights: "discs:12.72+mobility:24.46+corners:54.52",
    },
];
