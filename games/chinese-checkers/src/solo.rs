//! Puzzles that are solved exactly, or nearly so, by a solver of their own instead of by a bot.

use crate::expertise::Crossing;
use crate::{ChineseCheckers, Colour, Holes, LETTERS, SPEC};
use agon_core::{Game, Notation, Options, OptionsError, PositionError};

/// A way home for one colour of Chinese Checkers alone on the board.
#[derive(Clone, Debug)]
pub struct Solo {
    /// The moves as they are written.
    pub moves: Vec<String>,
    /// For each move the holes that the marble visits, from start to end.
    pub paths: Vec<Vec<String>>,
    /// Whether it is certain that there is no shorter way.
    pub is_optimal: bool,
    /// Moves made in the search.
    pub nodes: u64,
}

/// Why there is no way home to show.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SoloError {
    /// Options that do not hold.
    #[error(transparent)]
    Options(#[from] OptionsError),
    /// A position that does not hold.
    #[error(transparent)]
    Position(#[from] PositionError),
    /// A colour that has no marbles in the position.
    #[error("there are no marbles of {colour:?}; expected one of {LETTERS} that a seat plays")]
    NoMarbles {
        /// What was asked for.
        colour: String,
    },
    /// The search was stopped too early.
    #[error("no way home was found in the time allowed; allow more")]
    Stopped,
}

/// Takes all marbles but those of one colour off a position of Chinese Checkers and searches for the shortest
/// way home for them; `colour` is by default the first one of the seat to move, `position` the start.
///
/// # Errors
/// If options, position or colour do not hold, or `stop` ends the search before there is a result.
pub fn solo(
    options: &str,
    position: Option<&str>,
    colour: Option<&str>,
    seed: u64,
    stop: &mut dyn FnMut(u64) -> bool,
) -> Result<Solo, SoloError> {
    let game = ChineseCheckers::new(&Options::parse(&SPEC, options)?)?;
    let position = match position {
        Some(text) => game.parse_position(text)?,
        None => game.start(),
    };
    let colour = match colour {
        None => game.colours(position.mover())[0],
        Some(name) => {
            let mut letters = name.chars();
            let named = letters.next().and_then(Colour::from_letter).filter(|_| letters.next().is_none());
            let present = named.filter(|&colour| !position.marbles(colour).is_empty());
            present.ok_or_else(|| SoloError::NoMarbles { colour: name.to_owned() })?
        }
    };
    let crossing = Crossing { colour, marbles: position.marbles(colour), standing: Holes::EMPTY };
    let solution = crossing.solve(seed, stop).ok_or(SoloError::Stopped)?;
    let mut paths = Vec::with_capacity(solution.moves.len());
    let mut marbles = crossing.marbles;
    for &mv in &solution.moves {
        paths.push(crate::path(marbles, mv).iter().map(ToString::to_string).collect());
        if let crate::Move::Marble { from, to } = mv {
            marbles.relocate(from, to);
        }
    }
    let moves = solution.moves.iter().map(|&mv| game.move_text(mv)).collect();
    Ok(Solo { moves, paths, is_optimal: solution.is_optimal, nodes: solution.nodes })
}
