//! The bots of the game.
//!
//! Weak levels look a move or two ahead and misjudge what they see; the strong ones judge by moves left, search, and plan the
//! race. All of them see how to bring the last marbles in, because nobody likes to watch a game that does not end.

use crate::ChineseCheckers;
use agon_core::Game;

use agon_erased::{Preset, WeightSet};

/// The bots that play `game`.
pub(super) fn of(game: &ChineseCheckers) -> &'static [Preset] {
    if game.players() == 2 { OF_TWO } else { OF_MANY }
}

/// The bots for two seats. Source S2 says nothing of tables or of an order of moves, so its bots have none. Its tree counts 1, -1 and 0 for
/// won, lost and undecided; ours counts 1, 0 and a half, so that half of its constant for exploration, 1.41, does the same.
const OF_TWO: &[Preset] = &[
    Preset {
        name: "novice",
        algorithm: "alphabeta",
        settings: "depth=1,eval=progress,candidates=ahead,noise=1000,solve=2,tt=off",
    },
    Preset {
        name: "easy",
        algorithm: "alphabeta",
        settings: "depth=1,eval=s2,candidates=ahead,noise=2,solve=2,tt=off",
    },
    Preset {
        name: "medium",
        algorithm: "alphabeta",
        settings: "depth=2,eval=s2,candidates=ahead,noise=1,solve=4,tt=8",
    },
    Preset {
        name: "s2-ab",
        algorithm: "alphabeta",
        settings: "time=1s,start=3,eval=s2,candidates=s2,book=s2,ties=original,tt=off,hash=off,killers=off,history=off,ordering=none,window=full",
    },
    Preset {
        name: "s2-hard",
        algorithm: "alphabeta",
        settings: "time=1s,start=3,eval=s2-hard,candidates=s2,book=s2,ties=original,tt=off,hash=off,killers=off,history=off,ordering=none,window=full",
    },
    Preset {
        name: "s2-mc",
        algorithm: "mcts",
        settings: "time=2s,c=0.705,eval=s2,playout=uniform,patience=100ms,solver=off,reuse=off,book=s2",
    },
    Preset { name: "hard", algorithm: "alphabeta", settings: "time=500ms,depth=4,candidates=ahead,solve=12" },
    Preset { name: "expert", algorithm: "alphabeta", settings: "candidates=ahead,lmr=4,solve=60" },
];

/// The bots for three to six seats.
const OF_MANY: &[Preset] = &[
    Preset {
        name: "novice",
        algorithm: "best-reply",
        settings: "depth=1,eval=progress,candidates=ahead,noise=1500,solve=2",
    },
    Preset { name: "easy", algorithm: "best-reply", settings: "depth=1,candidates=ahead,noise=1400,solve=2" },
    Preset {
        name: "medium",
        algorithm: "best-reply",
        settings: "depth=1,candidates=ahead,noise=500,solve=4",
    },
    Preset {
        name: "hard",
        algorithm: "best-reply",
        settings: "time=500ms,depth=2,candidates=ahead,noise=300,solve=12",
    },
    Preset { name: "expert", algorithm: "best-reply", settings: "candidates=ahead,solve=60" },
];

/// Weights that `agon tune` has found; docs/tuning.md has the command and what they are worth.
pub(super) const WEIGHT_SETS: &[WeightSet] = &[WeightSet {
    name: "tuned",
    evaluation: "s2",
    summary: "S2's three weights, fitted to 600 games of self-play.",
    weights: "rows:6+lonely:-9+at-home:-28",
}];
