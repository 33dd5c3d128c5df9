//! `agon analyze --json`: what a bot thinks of a position, as one JSON object.

use std::collections::BTreeMap;

use serde::{Serialize, Serializer};

/// What a bot thinks of a position, for the player to move.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Analysis {
    /// The best move.
    pub best: String,
    /// What it is worth, in the unit of the bot's evaluation; `None` if the bot does not judge.
    pub score: Option<f64>,
    /// How many plies deep the bot looked.
    pub depth: u32,
    /// How many moves it made in its search.
    pub nodes: u64,
    /// The same by the second.
    pub nodes_per_second: u64,
    /// How it expects the game to go on.
    pub line: Vec<String>,
    /// The moves that it has compared, the best first.
    pub moves: Vec<ScoredMove>,
    /// What its evaluation sees in the position.
    pub features: Vec<NamedFeature>,
    /// The score in words where the end has been found.
    pub proven: Option<String>,
    /// The depth at which the moves were compared.
    pub moves_depth: u32,
    /// What was counted in the search, in the order of the bot; an object in JSON.
    #[serde(serialize_with = "object")]
    pub statistics: Vec<(&'static str, f64)>,
    /// How long it took.
    pub seconds: f64,
    /// The bot, as it was asked for.
    pub bot: String,
    /// The position.
    pub position: String,
}

/// A move and what it is worth.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ScoredMove {
    /// The move.
    #[serde(rename = "move")]
    pub name: String,
    /// What it is worth to the player to move.
    pub score: f64,
}

/// What an evaluation sees.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct NamedFeature {
    /// What it is called.
    pub name: &'static str,
    /// How much of it there is.
    pub value: f64,
    /// What one of it is worth.
    pub weight: f64,
}

fn object<S: Serializer>(statistics: &[(&str, f64)], serializer: S) -> Result<S::Ok, S::Error> {
    let by_name: BTreeMap<_, _> = statistics.iter().copied().collect();
    by_name.serialize(serializer)
}
