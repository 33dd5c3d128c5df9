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
    Preset {
        name: "novice",
        summary: "Takes what turns many discs, as beginners do, and not always the most.",
        algorithm: "alphabeta",
        settings: "depth=1,eval=discs,noise=3",
    },
    Preset {
        name: "s5-beginner",
        summary: "Source S5's beginner: alpha-beta, depth 2, the share of discs.",
        algorithm: "alphabeta",
        settings: s5!("2", "s5-beginner"),
    },
    Preset {
        name: "easy",
        summary: "Knows corners and mobility, sees its own move and little of the answer, and varies.",
        algorithm: "alphabeta",
        settings: "depth=1,eval=features,noise=600",
    },
    Preset {
        name: "s5-intermediate",
        summary: "Source S5's intermediate level: alpha-beta, depth 4, shares of discs and mobility.",
        algorithm: "alphabeta",
        settings: s5!("4", "s5-intermediate"),
    },
    Preset {
        name: "medium",
        summary: "Looks three plies ahead by the features that players talk about; does not count out the end.",
        algorithm: "alphabeta",
        settings: "depth=3,eval=features,noise=150",
    },
    Preset {
        name: "s5-advanced",
        summary: "Source S5's advanced level: alpha-beta, depth 6, shares of discs, mobility and corners.",
        algorithm: "alphabeta",
        settings: s5!("6", "s5-advanced"),
    },
    Preset {
        name: "hard",
        summary: "Looks five plies ahead with a trained eye, and counts out the last ten squares.",
        algorithm: "alphabeta",
        settings: "depth=5,noise=60,solve=10",
    },
    Preset {
        name: "expert",
        summary: "Trained patterns, ProbCut, and an exact end: the best we have.",
        algorithm: "alphabeta",
        settings: "probcut=1.3,solve=26,aspiration=150,tt=64",
    },
];
