//! The bots of Lines of Action.
//!
//! The levels are the same search with more and more of it: the weak ones see a ply or two and blur what they see, so that
//! they overlook plans, vary, and still take a win in one move; the strong ones see further and never guess.

use agon_erased::Preset;

/// The bots, weakest first.
pub(super) const PRESETS: &[Preset] = &[
    Preset {
        name: "novice",
        summary: "Takes a win that is there, sees no threats, and plays roughly towards the others.",
        algorithm: "alphabeta",
        settings: "depth=1,noise=100,tt=1,time=1s",
    },
    Preset {
        name: "easy",
        summary: "Sees what the other side can do at once, and is often careless.",
        algorithm: "alphabeta",
        settings: "depth=2,noise=140,tt=1,time=1s",
    },
    Preset {
        name: "medium",
        summary: "Looks three plies ahead, and does not always choose the best of what it sees.",
        algorithm: "alphabeta",
        settings: "depth=3,noise=135,tt=4,time=1s",
    },
    Preset {
        name: "s4",
        summary: "The player of the course on Lines of Action: alpha-beta, the quad heuristic, moves inwards first.",
        algorithm: "alphabeta",
        settings: "time=5s,eval=s4,ordering=original,window=full,tt=off,hash=off,killers=off,history=off",
    },
    Preset {
        name: "hard",
        summary: "Looks as far ahead as four thousand moves take it, and sees wins on the move beyond that.",
        algorithm: "alphabeta",
        settings: "nodes=4000,lmr=4,foresight=1,tt=8,time=1s",
    },
    Preset {
        name: "expert",
        summary: "Everything we know, for as long as it is given, a second by default.",
        algorithm: "alphabeta",
        settings: "lmr=4,foresight=1,quiescence=4,tt=64",
    },
];
