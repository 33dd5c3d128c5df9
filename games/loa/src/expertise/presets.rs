//! The bots of Lines of Action.
//!
//! The levels are the same search with more and more of it: the weak ones see a ply or two and blur what they see, so that
//! they overlook plans, vary, and still take a win in one move; the strong ones see further and never guess.

use agon_erased::Preset;

/// The bots, weakest first. Those called `course-…` are yardsticks for courses: limited by nodes, so that they play alike on every machine
/// and leave time to others.
pub(super) const PRESETS: &[Preset] = &[
    Preset { name: "novice", algorithm: "alphabeta", settings: "depth=1,noise=100,tt=1,time=1s" },
    Preset { name: "easy", algorithm: "alphabeta", settings: "depth=2,noise=140,tt=1,time=1s" },
    Preset { name: "medium", algorithm: "alphabeta", settings: "depth=3,noise=135,tt=4,time=1s" },
    Preset {
        name: "s4",
        algorithm: "alphabeta",
        settings: "time=5s,eval=s4,ordering=original,window=full,tt=off,hash=off,killers=off,history=off",
    },
    Preset { name: "course-1", algorithm: "alphabeta", settings: "nodes=5000,tt=8" },
    Preset { name: "hard", algorithm: "alphabeta", settings: "nodes=4000,lmr=4,foresight=1,tt=8,time=1s" },
    Preset {
        name: "course-2",
        algorithm: "alphabeta",
        settings: "nodes=6000,lmr=4,foresight=1,quiescence=4,tt=8",
    },
    Preset {
        name: "course-3",
        algorithm: "alphabeta",
        settings: "nodes=14000,lmr=4,foresight=1,quiescence=4,tt=8",
    },
    Preset { name: "expert", algorithm: "alphabeta", settings: "lmr=4,foresight=1,quiescence=4,tt=64" },
];
