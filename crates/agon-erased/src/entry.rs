//! A game's entry: what the list of games holds of it.

use std::sync::Arc;

use agon_core::text::{or_list, quote};
use agon_core::weights::ShippedWeights;
use agon_core::{GameSpec, MoveError, Options, OptionsError, PositionError};

use crate::session::{OpenError, Rules, Session};

/// A game as the list of games holds it. Every game declares its own.
#[derive(Clone, Copy, Debug)]
pub struct GameEntry {
    /// What it is called and which options it takes.
    pub spec: &'static GameSpec,
    /// Which notations of others it reads.
    pub imports: &'static [Import],
    /// Sets of options that between them show all that the game can do, the usual one first. Tests go through them.
    pub variants: &'static [&'static str],
    /// The record of a whole game with the usual options, to be looked at by people who do not know the game yet.
    pub sample: &'static str,
    /// How many rounds of random moves make openings that differ and decide nothing.
    pub opening_rounds: usize,
    /// By what moves are marked as mistakes.
    pub yardstick: Yardstick,
    /// The trained weights of its bots, if they have any.
    pub weights: Option<&'static dyn ShippedWeights>,
    /// Builds the game from its options.
    pub build: fn(&Options) -> Result<Arc<dyn Rules>, OptionsError>,
}

/// By what a move is measured that was not the best one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Yardstick {
    /// By the expected result that it cost, of 0 to 1.
    Expectation,
    /// By the points at the end that it cost, this many units of the evaluation being one.
    Points(f64),
    /// By the share of the expected score that it cost: luck is left out.
    Share,
}

impl GameEntry {
    /// The game with the options of `text`.
    ///
    /// # Errors
    /// If the options cannot be read or do not go together.
    pub fn rules(&self, text: &str) -> Result<Arc<dyn Rules>, OptionsError> {
        (self.build)(&Options::parse(self.spec, text)?)
    }

    /// The game with the options of `text`, and with what it suggests to people where the text says nothing.
    ///
    /// # Errors
    /// As [`rules`](Self::rules).
    pub fn suggested_rules(&self, text: &str) -> Result<Arc<dyn Rules>, OptionsError> {
        let given = Options::parse(self.spec, text)?;
        let rules = (self.build)(&given)?;
        let suggested = rules.suggested_options().iter().filter(|(key, _)| given.value(key).is_none());
        let suggested: Vec<String> = suggested.map(|(key, value)| format!("{key}={value}")).collect();
        if suggested.is_empty() {
            return Ok(rules);
        }
        let own = Some(text.to_owned()).filter(|text| !text.is_empty());
        self.rules(&own.into_iter().chain(suggested).collect::<Vec<_>>().join(","))
    }

    /// A game read from a notation of others, named by `format`.
    ///
    /// # Errors
    /// If this game has no such notation, or the text does not hold.
    pub fn import(
        &self,
        rules: &dyn Rules,
        format: &str,
        text: &str,
    ) -> Result<Box<dyn Session>, ImportError> {
        let Some(import) = self.imports.iter().find(|import| import.name == format) else {
            return Err(ImportError::UnknownFormat {
                game: self.spec.id,
                name: format.to_owned(),
                known: self.imports.iter().map(|import| import.name).collect(),
            });
        };
        let options = Options::parse(self.spec, &rules.options())?;
        let (start, moves) = (import.read)(&options, text)?;
        Ok(rules.open(start.as_deref(), &moves)?)
    }
}

/// A notation of other programs that a game can be read from.
#[derive(Clone, Copy, Debug)]
pub struct Import {
    /// The notation's name.
    pub name: &'static str,
    /// What it looks like.
    pub summary: &'static str,
    /// Reads it, by the options of the game.
    pub read: fn(&Options, &str) -> Result<Imported, ImportError>,
}

/// What a foreign notation says in ours: the start, if it is not the usual one, and the moves.
pub type Imported = (Option<String>, Vec<String>);

/// Text in a foreign notation that could not be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ImportError {
    /// The game cannot be read from such a notation.
    #[error("{game} is not read from {}; {}", quote(.name), known_formats(.known))]
    UnknownFormat {
        /// The game.
        game: &'static str,
        /// The notation that was asked for.
        name: String,
        /// The notations that there are.
        known: Vec<&'static str>,
    },
    /// The text is not in this notation.
    #[error("{0}")]
    Form(String),
    /// The game it describes does not hold.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// A board that does not hold.
    #[error(transparent)]
    Position(#[from] PositionError),
    /// A move that does not hold.
    #[error(transparent)]
    Move(#[from] MoveError),
    /// Options that do not hold.
    #[error(transparent)]
    Options(#[from] OptionsError),
}

fn known_formats(known: &[&str]) -> String {
    if known.is_empty() {
        "it has no other notations".to_owned()
    } else {
        format!("choose {}", or_list(known))
    }
}
