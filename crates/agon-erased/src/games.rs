//! The list of games as a value, for code that knows a game only by its name.

use std::fmt;
use std::slice;
use std::sync::Arc;

use agon_core::OptionsError;
use agon_core::text::{advice, quote};

use crate::entry::GameEntry;
use crate::session::{OpenError, Rules, Session};

/// The games that a program knows, in the order in which lists show them.
///
/// Libraries take it from their caller instead of naming a list of their own: a change to one game then rebuilds the game and the
/// program, and nothing between them.
#[derive(Clone, Copy, Default)]
pub struct Games(&'static [&'static GameEntry]);

impl Games {
    /// These games.
    pub const fn new(entries: &'static [&'static GameEntry]) -> Self {
        Self(entries)
    }

    /// The entries of all games, in order.
    pub fn iter(self) -> impl ExactSizeIterator<Item = &'static GameEntry> + Clone {
        self.0.iter().copied()
    }

    /// The names of all games, in order.
    pub fn ids(self) -> impl ExactSizeIterator<Item = &'static str> + Clone {
        self.iter().map(|entry| entry.spec.id)
    }

    /// Every game with each set of options that tests go through, see [`GameEntry::variants`].
    pub fn variants(self) -> impl Iterator<Item = (&'static GameEntry, &'static str)> {
        self.iter().flat_map(|entry| entry.variants.iter().map(move |options| (entry, *options)))
    }

    /// The game called `id`.
    ///
    /// # Errors
    /// If there is none, with the nearest one that there is.
    pub fn find(self, id: &str) -> Result<&'static GameEntry, UnknownGame> {
        let unknown = || UnknownGame { name: id.to_owned(), advice: advice(id, self.ids()) };
        self.iter().find(|entry| entry.spec.id == id).ok_or_else(unknown)
    }

    /// The rules of the game called `id` with the given options.
    ///
    /// # Errors
    /// If there is no such game, or its options do not hold.
    pub fn rules(self, id: &str, options: &str) -> Result<Arc<dyn Rules>, SetupError> {
        Ok(self.find(id)?.rules(options)?)
    }

    /// The game called `id` with the given options at `position` (at the start if there is none), after `moves`.
    ///
    /// # Errors
    /// If any of these does not hold.
    pub fn open(
        self,
        id: &str,
        options: &str,
        position: Option<&str>,
        moves: &[String],
    ) -> Result<Opened, SetupError> {
        let rules = self.rules(id, options)?;
        let session = rules.open(position, moves)?;
        Ok((rules, session))
    }
}

impl fmt::Debug for Games {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_list().entries(self.ids()).finish()
    }
}

impl IntoIterator for Games {
    type Item = &'static GameEntry;
    type IntoIter = std::iter::Copied<slice::Iter<'static, &'static GameEntry>>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter().copied()
    }
}

/// There is no such game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no game {}; {advice}", quote(.name))]
pub struct UnknownGame {
    /// What was asked for.
    pub name: String,
    /// What to write instead: the nearest game, or all of them.
    pub advice: String,
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
