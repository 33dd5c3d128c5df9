//! The bots of 2048, and the rules by which they look deeper where it matters.

use crate::Position;

use agon_erased::Preset;

/// The rules for the depth, in the order of their numbers.
pub(super) const DEPTH_RULES: &[&str] = &["room", "s3"];

/// How deep the rule with that number looks from `position`, in plies.
pub(super) fn depth(position: &Position, rule: usize) -> u32 {
    let empty = position.board().count_empty() as u32;
    match rule {
        0 => by_room(empty),
        _ => by_s3(16 - empty, position.score()),
    }
}

/// Deeper where little room is left: there are fewer branches and more to lose. Odd, because the network judges boards as
/// a slide leaves them.
fn by_room(empty: u32) -> u32 {
    match empty {
        0..=1 => 7,
        2..=7 => 5,
        _ => 3,
    }
}

/// Source S3's: its depth counts the layers below a root move, ours that move as well.
fn by_s3(tiles: u32, score: u64) -> u32 {
    let below = match tiles {
        _ if score < 30_000 => 4,
        ..8 => 4,
        8..=12 => 5,
        _ => 6,
    };
    1 + below
}

/// The bots, weakest first.
pub(super) const PRESETS: &[Preset] = &[
    Preset {
        name: "greedy",
        summary: "Takes the slide that scores most, and of those the one that leaves most room.",
        algorithm: "greedy",
        settings: "eval=score",
    },
    Preset {
        name: "s3-randi",
        summary: "Source S3's Randi: any legal slide.",
        algorithm: "random",
        settings: "",
    },
    Preset {
        name: "s3-easy",
        summary: "Source S3's expectimax, easy: judges the board after its slide.",
        algorithm: "expectimax",
        settings: "depth=1,eval=s3",
    },
    Preset {
        name: "s3-medium",
        summary: "Source S3's expectimax, medium: two layers below its slide.",
        algorithm: "expectimax",
        settings: "depth=3,eval=s3",
    },
    Preset {
        name: "s3-hard",
        summary: "Source S3's expectimax, hard: four layers below its slide.",
        algorithm: "expectimax",
        settings: "depth=5,eval=s3",
    },
    Preset {
        name: "s3-adaptive",
        summary: "Source S3's expectimax, adaptive: four to six layers, more as score and board grow.",
        algorithm: "expectimax",
        settings: "adapt=s3,eval=s3",
    },
    Preset {
        name: "novice",
        summary: "Sees what a slide does to the board, roughly, and often takes another.",
        algorithm: "expectimax",
        settings: "depth=1,eval=features,noise=500",
    },
    Preset {
        name: "easy",
        summary: "Keeps large tiles in a corner and looks at the next board only.",
        algorithm: "expectimax",
        settings: "depth=1,eval=features,noise=60",
    },
    Preset {
        name: "medium",
        summary: "Thinks of the tiles that may appear and of its answer to them.",
        algorithm: "expectimax",
        settings: "depth=3,eval=features,noise=50",
    },
    Preset {
        name: "hard",
        summary: "Has a feeling for boards that a network has learnt, not quite sure, and does not look ahead.",
        algorithm: "expectimax",
        settings: "depth=1,eval=network,noise=500",
    },
    Preset {
        name: "expert",
        summary: "Judges by what a network has learnt and looks deeper the fuller the board is.",
        algorithm: "expectimax",
        settings: "adapt=room,eval=network",
    },
];
