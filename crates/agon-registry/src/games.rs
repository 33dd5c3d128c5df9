//! The table of games: to add one, add its line here.

use std::sync::Arc;

use agon_core::text::{or_list, quote};
use agon_core::{GameSpec, MoveError, Notation, Options, OptionsError, PositionError};
use agon_games::chinese_checkers::{self, ChineseCheckers};
use agon_games::game2048::{self, Game2048};
use agon_games::loa::{self, AnyLoa};
use agon_games::othello::{self, AnyOthello, Flank, Othello};
use agon_games::tablut::{self, Tablut};

use crate::advice;
use crate::session::{Rules, Session, erase};

/// A game of the registry.
#[derive(Clone, Copy, Debug)]
pub struct GameEntry {
    /// What it is called and which options it takes.
    pub spec: &'static GameSpec,
    /// Which notations of others it reads.
    pub imports: &'static [Import],
    /// How many rounds of random moves make openings that differ and decide nothing.
    pub opening_rounds: usize,
    /// By what moves are marked as mistakes.
    pub yardstick: Yardstick,
    build: fn(&Options) -> Result<Arc<dyn Rules>, OptionsError>,
}

/// By what a move is measured that was not the best one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Yardstick {
    /// By the expected result that it cost, of 0 to 1.
    Expectation,
    /// By the points at the end that it cost, so many units of the evaluation being one.
    Points(f64),
    /// By the share of the expected score that it cost: luck is left out.
    Share,
}

/// Every game.
pub const GAMES: &[GameEntry] = &[
    GameEntry {
        spec: &othello::SPEC,
        imports: OTHELLO_IMPORTS,
        opening_rounds: 4,
        yardstick: Yardstick::Points(100.0),
        build: build_othello,
    },
    GameEntry {
        spec: &tablut::SPEC,
        imports: &[],
        opening_rounds: 2,
        yardstick: Yardstick::Expectation,
        build: build_tablut,
    },
    GameEntry {
        spec: &loa::SPEC,
        imports: &[],
        opening_rounds: 1,
        yardstick: Yardstick::Expectation,
        build: build_loa,
    },
    GameEntry {
        spec: &chinese_checkers::SPEC,
        imports: &[],
        opening_rounds: 1,
        yardstick: Yardstick::Expectation,
        build: build_chinese_checkers,
    },
    GameEntry {
        spec: &game2048::SPEC,
        imports: &[],
        opening_rounds: 0,
        yardstick: Yardstick::Share,
        build: build_2048,
    },
];

fn build_othello(options: &Options) -> Result<Arc<dyn Rules>, OptionsError> {
    Ok(match AnyOthello::new(options)? {
        AnyOthello::Small(game) => erase(&othello::SPEC, game),
        AnyOthello::Medium(game) => erase(&othello::SPEC, game),
        AnyOthello::Large(game) => erase(&othello::SPEC, game),
    })
}

fn build_tablut(options: &Options) -> Result<Arc<dyn Rules>, OptionsError> {
    Ok(erase(&tablut::SPEC, Tablut::new(options)?))
}

fn build_loa(options: &Options) -> Result<Arc<dyn Rules>, OptionsError> {
    Ok(match AnyLoa::new(options)? {
        AnyLoa::Small(game) => erase(&loa::SPEC, game),
        AnyLoa::Medium(game) => erase(&loa::SPEC, game),
        AnyLoa::Large(game) => erase(&loa::SPEC, game),
    })
}

fn build_chinese_checkers(options: &Options) -> Result<Arc<dyn Rules>, OptionsError> {
    Ok(erase(&chinese_checkers::SPEC, ChineseCheckers::new(options)?))
}

fn build_2048(options: &Options) -> Result<Arc<dyn Rules>, OptionsError> {
    Ok(erase(&game2048::SPEC, Game2048::new(options)?))
}

impl GameEntry {
    /// The game with the options of `text`.
    ///
    /// # Errors
    /// If the options cannot be read or do not go together.
    pub fn rules(&self, text: &str) -> Result<Arc<dyn Rules>, OptionsError> {
        (self.build)(&Options::parse(self.spec, text)?)
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
        let mut session = match start {
            Some(position) => rules.start_from(&position)?,
            None => rules.start(),
        };
        for token in &moves {
            session.play(token)?;
        }
        Ok(session)
    }
}

/// The game called `id`.
///
/// # Errors
/// If there is none, with the nearest one that there is.
pub fn find(id: &str) -> Result<&'static GameEntry, UnknownGame> {
    GAMES.iter().find(|entry| entry.spec.id == id).ok_or_else(|| UnknownGame { name: id.to_owned() })
}

/// There is no such game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no game {}; {}", quote(.name), advice(.name, GAMES.iter().map(|entry| entry.spec.id)))]
pub struct UnknownGame {
    /// What was asked for.
    pub name: String,
}

/// A notation of other programs that a game can be read from.
#[derive(Clone, Copy, Debug)]
pub struct Import {
    /// The notation's name.
    pub name: &'static str,
    /// What it looks like.
    pub summary: &'static str,
    read: fn(&Options, &str) -> Result<Imported, ImportError>,
}

/// What a foreign notation says in ours: the start, if it is not the usual one, and the moves.
type Imported = (Option<String>, Vec<String>);

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

const OTHELLO_IMPORTS: &[Import] = &[
    Import {
        name: "transcript",
        summary: "the squares played, run together, passes left out: f5d6c3",
        read: read_othello_transcript,
    },
    Import {
        name: "obf",
        summary: "a board of X, O and - row by row and the side to move, as in FFO and OBF files",
        read: read_othello_board,
    },
];

fn read_othello_transcript(options: &Options, text: &str) -> Result<Imported, ImportError> {
    fn read<B: Flank>(game: &Othello<B>, text: &str) -> Result<Imported, ImportError> {
        let moves = game.parse_transcript(text)?;
        Ok((None, moves.into_iter().map(|mv| game.move_text(mv)).collect()))
    }
    match AnyOthello::new(options)? {
        AnyOthello::Small(game) => read(&game, text),
        AnyOthello::Medium(game) => read(&game, text),
        AnyOthello::Large(game) => read(&game, text),
    }
}

fn read_othello_board(options: &Options, text: &str) -> Result<Imported, ImportError> {
    fn read<B: Flank>(game: &Othello<B>, text: &str) -> Result<Imported, ImportError> {
        let position = game.parse_board_string(text)?;
        Ok((Some(game.position_text(&position)), Vec::new()))
    }
    match AnyOthello::new(options)? {
        AnyOthello::Small(game) => read(&game, text),
        AnyOthello::Medium(game) => read(&game, text),
        AnyOthello::Large(game) => read(&game, text),
    }
}
