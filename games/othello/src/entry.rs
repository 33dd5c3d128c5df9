//! Othello in the list of games, with the notations of others that it reads.

use std::sync::Arc;

use agon_core::{Notation, Options, OptionsError};
use agon_erased::{GameEntry, Import, ImportError, Imported, Rules, Yardstick, erase};
use agon_formats::ggf;

use crate::expertise::weights::SHIPPED;
use crate::{AnyOthello, Flank, Othello, SPEC};

/// The game's entry in the list of games.
pub static ENTRY: GameEntry = GameEntry {
    spec: &SPEC,
    imports: IMPORTS,
    variants: &["", "size=4", "size=10", "size=26"],
    sample: include_str!("../data/sample.txt"),
    opening_rounds: 4,
    yardstick: Yardstick::Points(100.0),
    weights: Some(&SHIPPED),
    build,
};

fn build(options: &Options) -> Result<Arc<dyn Rules>, OptionsError> {
    Ok(match AnyOthello::new(options)? {
        AnyOthello::Small(game) => erase(&SPEC, game),
        AnyOthello::Medium(game) => erase(&SPEC, game),
        AnyOthello::Large(game) => erase(&SPEC, game),
    })
}

const IMPORTS: &[Import] = &[
    Import {
        name: "transcript",
        summary: "the squares played, without separators or passes: f5d6c3",
        read: read_transcript,
    },
    Import {
        name: "obf",
        summary: "a board of X, O and - row by row and the side to move, as in FFO and OBF files",
        read: read_board,
    },
    Import {
        name: "ggf",
        summary: "one game as servers and programs keep it: (;GM[Othello]…BO[8 …]B[F5]…;)",
        read: read_ggf,
    },
];

fn read_transcript(options: &Options, text: &str) -> Result<Imported, ImportError> {
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

fn read_board(options: &Options, text: &str) -> Result<Imported, ImportError> {
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

fn read_ggf(options: &Options, text: &str) -> Result<Imported, ImportError> {
    fn read<B: Flank>(game: &Othello<B>, told: &ggf::GgfGame) -> Result<Imported, ImportError> {
        let start = game.parse_position(&told.start())?;
        let moves = game.parse_ggf_moves(start, &told.moves)?;
        Ok((Some(told.start()), moves.into_iter().map(|mv| game.move_text(mv)).collect()))
    }
    let told = ggf::parse(text).map_err(|error| ImportError::Form(error.to_string()))?;
    let (there, here) = (told.size, options.integer("size") as usize);
    if there != here {
        return Err(ImportError::Form(format!(
            "the GGF game is on a board of {there}×{there}, this one on {here}×{here}; set size={there}"
        )));
    }
    match AnyOthello::new(options)? {
        AnyOthello::Small(game) => read(&game, &told),
        AnyOthello::Medium(game) => read(&game, &told),
        AnyOthello::Large(game) => read(&game, &told),
    }
}
