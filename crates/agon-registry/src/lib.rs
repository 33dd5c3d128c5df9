//! The list of games, for code that knows a game only by its name.
//!
//! [`find`] gives a game's [`GameEntry`], [`open`] a game at some position. Everything else is what `agon-erased` offers, passed on
//! so that nobody above has to name both crates.

use std::sync::Arc;

use agon_core::OptionsError;
use agon_core::text::quote;
pub use agon_erased::*;

/// Every game, in the order in which lists show them. A new game adds its line here.
pub const GAMES: &[&GameEntry] = &[
    &agon_othello::ENTRY,
    &agon_tablut::ENTRY,
    &agon_loa::ENTRY,
    &agon_chinese_checkers::ENTRY,
    &agon_2048::ENTRY,
];

/// Every game with each set of options that tests go through, see [`GameEntry::variants`].
pub fn variants() -> impl Iterator<Item = (&'static GameEntry, &'static str)> {
    GAMES.iter().flat_map(|entry| entry.variants.iter().map(move |options| (*entry, *options)))
}

/// The game called `id`.
///
/// # Errors
/// If there is none, with the nearest one that there is.
pub fn find(id: &str) -> Result<&'static GameEntry, UnknownGame> {
    GAMES.iter().copied().find(|entry| entry.spec.id == id).ok_or_else(|| UnknownGame { name: id.to_owned() })
}

/// There is no such game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no game {}; {}", quote(.name), advice(.name, GAMES.iter().map(|entry| entry.spec.id)))]
pub struct UnknownGame {
    /// What was asked for.
    pub name: String,
}

/// The rules of the game called `id` with the given options.
///
/// # Errors
/// If there is no such game, or its options do not hold.
pub fn rules(id: &str, options: &str) -> Result<Arc<dyn Rules>, SetupError> {
    Ok(find(id)?.rules(options)?)
}

/// A game that cannot be set up.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SetupError {
    /// There is no such game.
    #[error(transparent)]
    Game(#[from] UnknownGame),
    /// Its options do not hold.
    #[error(transparent)]
    Options(#[from] OptionsError),
    /// Its position or one of its moves does not hold.
    #[error(transparent)]
    Open(#[from] OpenError),
}

/// A game that has been opened: its rules, and where it stands.
pub type Opened = (Arc<dyn Rules>, Box<dyn Session>);

/// The game called `id` with the given options at `position` (at the start if there is none), after `moves`.
///
/// # Errors
/// If any of these does not hold.
pub fn open(id: &str, options: &str, position: Option<&str>, moves: &[String]) -> Result<Opened, SetupError> {
    let rules = rules(id, options)?;
    let session = rules.open(position, moves)?;
    Ok((rules, session))
}
