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
        0..=2 => 7,
        3..=8 => 5,
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
    Preset { name: "greedy", algorithm: "greedy", settings: "eval=score" },
    Preset { name: "s3-randi", algorithm: "random", settings: "" },
    Preset { name: "s3-easy", algorithm: "expectimax", settings: "depth=1,eval=s3" },
    Preset { name: "s3-medium", algorithm: "expectimax", settings: "depth=3,eval=s3" },
    Preset { name: "s3-hard", algorithm: "expectimax", settings: "depth=5,eval=s3" },
    Preset { name: "s3-adaptive", algorithm: "expectimax", settings: "adapt=s3,eval=s3" },
    Preset { name: "novice", algorithm: "expectimax", settings: "depth=1,eval=features,noise=500" },
    Preset { name: "easy", algorithm: "expectimax", settings: "depth=1,eval=features,noise=60" },
    Preset { name: "medium", algorithm: "expectimax", settings: "depth=3,eval=features,noise=50" },
    Preset { name: "hard", algorithm: "expectimax", settings: "depth=1,eval=network,noise=500" },
    Preset { name: "expert", algorithm: "expectimax", settings: "adapt=room,eval=network" },
];
