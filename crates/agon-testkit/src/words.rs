//! The small questions that tests ask of any game, put and answered in the written forms of interfaces.

use agon_core::{Game, GameSpec, Notation, Options, Outcome};

use crate::twins::Standing;

/// Options that are good.
///
/// # Panics
/// If they are not.
pub fn options(spec: &'static GameSpec, text: &str) -> Options {
    Options::parse(spec, text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// All options of a game, as they are given: `size=8,turns=100`.
pub fn options_text<G: Notation>(game: &G) -> String {
    let pairs: Vec<String> = game.options().iter().map(|(key, value)| format!("{key}={value}")).collect();
    pairs.join(",")
}

/// A position that can be read.
///
/// # Panics
/// If it cannot.
pub fn read<G: Game + Notation>(game: &G, position: &str) -> G::Position {
    game.parse_position(position).unwrap_or_else(|error| panic!("{position}: {error}"))
}

/// The tokens of all moves of the player to move, in byte order.
pub fn legal_moves<G: Game + Notation>(game: &G, position: &G::Position) -> Vec<String> {
    let mut tokens = Vec::new();
    game.for_each_move(position, |mv| tokens.push(game.move_text(mv)));
    tokens.sort();
    tokens
}

/// How a game stands, as records write it: `ongoing`, `won b (connected)`, `drawn (limit)`.
pub fn verdict<G: Game + Notation>(game: &G, outcome: Option<Outcome>) -> String {
    Standing::of(game, outcome).to_string()
}
