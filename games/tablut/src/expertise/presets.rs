//! The bots of Tablut.

use agon_erased::Preset;

/// The bots, weakest first.
pub(super) static PRESETS: &[Preset] = &[
    Preset {
        name: "novice",
        summary: "Sees what stands open right after its move, and often prefers something else.",
        algorithm: "alphabeta",
        settings: "depth=1,noise=2500,tt=off",
    },
    Preset {
        name: "easy",
        summary: "Sees its move and the answer, with moods.",
        algorithm: "alphabeta",
        settings: "depth=2,noise=1000,tt=1",
    },
    Preset {
        name: "medium",
        summary: "Looks three plies ahead and follows captures, not always with the best of plans.",
        algorithm: "alphabeta",
        settings: "depth=3,noise=500,quiescence=2,tt=4",
    },
    Preset {
        name: "s1",
        summary: "The original's player: plain alpha-beta, five plies deep, with its own evaluation and order.",
        algorithm: "alphabeta",
        settings: "depth=5,eval=s1,ordering=original,ties=first,window=full,deepening=off,tt=off,hash=off,killers=off,history=off",
    },
    Preset {
        name: "hard",
        summary: "Looks four plies ahead and beyond where there are captures, foresees escapes, and varies a little.",
        algorithm: "alphabeta",
        settings: "depth=4,noise=80,foresight=2,quiescence=4,null=3,lmr=4,futility=400,counter=on,tt=16",
    },
    Preset {
        name: "expert",
        summary: "Looks as far as a second allows, with selection, and foresees escapes and captures of the king.",
        algorithm: "alphabeta",
        settings: "foresight=2,quiescence=4,null=3,lmr=2,lmr-rate=1.0,futility=250,aspiration=300,counter=on,tt=64",
    },
];
