//! The bots of Othello, weakest first.

use agon_erased::Preset;

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

/// Every bot.
pub(super) const PRESETS: &[Preset] = &[
    Preset { name: "novice", algorithm: "alphabeta", settings: "depth=1,eval=discs,noise=3" },
    Preset { name: "s5-beginner", algorithm: "alphabeta", settings: s5!("2", "s5-beginner") },
    Preset { name: "easy", algorithm: "alphabeta", settings: "depth=1,eval=features,noise=600" },
    Preset { name: "s5-intermediate", algorithm: "alphabeta", settings: s5!("4", "s5-intermediate") },
    Preset { name: "medium", algorithm: "alphabeta", settings: "depth=3,eval=features,noise=150" },
    Preset { name: "s5-advanced", algorithm: "alphabeta", settings: s5!("6", "s5-advanced") },
    Preset { name: "hard", algorithm: "alphabeta", settings: "depth=5,noise=60,solve=10" },
    Preset { name: "expert", algorithm: "alphabeta", settings: "probcut=1.3,solve=26,aspiration=150,tt=64" },
];
