//! The bots of Tablut.

use agon_erased::Preset;

/// The bots, weakest first.
pub(super) static PRESETS: &[Preset] = &[
    Preset { name: "novice", algorithm: "alphabeta", settings: "depth=1,noise=2500,tt=off" },
    Preset { name: "easy", algorithm: "alphabeta", settings: "depth=2,noise=1000,tt=1" },
    Preset { name: "medium", algorithm: "alphabeta", settings: "depth=3,noise=500,quiescence=2,tt=4" },
    Preset {
        name: "s1",
        algorithm: "alphabeta",
        settings: "depth=5,eval=s1,ordering=original,ties=first,window=full,deepening=off,tt=off,hash=off,killers=off,history=off",
    },
    Preset {
        name: "hard",
        algorithm: "alphabeta",
        settings: "depth=4,noise=80,foresight=2,quiescence=4,null=3,lmr=4,futility=400,counter=on,tt=16",
    },
    Preset {
        name: "expert",
        algorithm: "alphabeta",
        settings: "foresight=2,quiescence=4,null=3,lmr=2,lmr-rate=1.0,futility=250,aspiration=300,counter=on,tt=64",
    },
];
