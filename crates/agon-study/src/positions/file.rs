//! Files of positions, one per line; `#` begins a comment.
//!
//! OBF and FFO lists have a board string (`X`, `O` and `-`), the side to move, and then either moves with their scores, `; a2:+38; b1:+12`,
//! of which the highest count, or the score and the best moves, `+38 a2,b1`. A number in front is the position's name.
//!
//! The project's own format begins with a line `game NAME OPTIONS`. Then each line is `position POSITION`, `moves MOVE …` or both, and ends
//! with `best MOVE …`.

use std::sync::Arc;

use agon_core::text::quote;
use agon_erased::{GameEntry, Games, Rules};

use super::{Position, Suite};

/// The largest file that is read, in bytes.
pub const MAX_BYTES: u64 = 16 << 20;
const MAX_POSITIONS: usize = 100_000;
/// The name that a game gives to boards written as in OBF files.
const OBF: &str = "obf";

/// A file that does not hold.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {fault}")]
pub struct FileError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong.
    pub fault: String,
}

pub(super) fn parse(games: Games, text: &str, options: &str) -> Result<Suite, FileError> {
    let mut lines = (1..)
        .zip(text.lines())
        .map(|(number, line)| (number, line.split('#').next().unwrap_or_default().trim()))
        .filter(|(_, line)| !line.is_empty())
        .peekable();
    let fail = |line: usize, fault: String| FileError { line, fault };
    let Some(&(number, first)) = lines.peek() else {
        return Err(fail(text.lines().count().max(1), "there is no position in the file".to_owned()));
    };
    let (entry, rules, is_own) = match first.strip_prefix("game ") {
        Some(rest) => {
            lines.next();
            let (name, own_options) = rest.trim().split_once(' ').unwrap_or((rest.trim(), ""));
            if !own_options.is_empty() && !options.is_empty() {
                return Err(fail(
                    number,
                    "the file names the game's options; they cannot be given as well".to_owned(),
                ));
            }
            let entry = games.find(name).map_err(|error| fail(number, error.to_string()))?;
            let options = if own_options.is_empty() { options } else { own_options.trim() };
            let rules = entry.rules(options).map_err(|error| fail(number, error.to_string()))?;
            (entry, rules, true)
        }
        None => {
            let entry = games.iter().find(|entry| entry.imports.iter().any(|import| import.name == OBF));
            let Some(entry) = entry else {
                return Err(fail(number, "expected a line `game NAME`".to_owned()));
            };
            let rules = entry.rules(options).map_err(|error| fail(number, error.to_string()))?;
            (entry, rules, false)
        }
    };
    let mut positions = Vec::new();
    for (number, line) in lines {
        if positions.len() == MAX_POSITIONS {
            return Err(fail(number, format!("there are more than {MAX_POSITIONS} positions")));
        }
        let name = (positions.len() + 1).to_string();
        let position = if is_own { own(line, name) } else { obf(line, name, entry, &rules) };
        let position = position.and_then(|position| checked(position, &*rules));
        positions.push(position.map_err(|fault| fail(number, fault))?);
    }
    if positions.is_empty() {
        return Err(fail(number, "there is no position in the file".to_owned()));
    }
    Ok(Suite { rules, positions })
}

/// A line of the project's own format.
fn own(line: &str, name: String) -> Result<Position, String> {
    const FORM: &str = "expected `position POSITION`, `moves MOVE …` or both, and then `best MOVE …`";
    let words: Vec<&str> = line.split_whitespace().collect();
    let at = |word: &str| words.iter().position(|found| *found == word);
    let Some(best_at) = at("best") else { return Err(FORM.to_owned()) };
    let moves_at = at("moves").filter(|index| *index < best_at);
    let list = |words: &[&str]| -> Vec<String> {
        words
            .iter()
            .flat_map(|word| word.split(','))
            .filter(|word| !word.is_empty())
            .map(str::to_owned)
            .collect()
    };
    let board_end = moves_at.unwrap_or(best_at);
    let start = match words.first() {
        Some(&"position") if board_end > 1 => Some(words[1..board_end].join(" ")),
        _ if board_end == 0 => None,
        _ => return Err(FORM.to_owned()),
    };
    let moves = moves_at.map_or_else(Vec::new, |from| list(&words[from + 1..best_at]));
    Ok(Position { name, start, moves, best: list(&words[best_at + 1..]) })
}

/// A line of an OBF file or an FFO list.
fn obf(line: &str, name: String, entry: &GameEntry, rules: &Arc<dyn Rules>) -> Result<Position, String> {
    let (name, board) = match line.split_once(char::is_whitespace) {
        Some((first, rest)) if first.bytes().all(|byte| byte.is_ascii_digit()) => {
            (first.to_owned(), rest.trim_start())
        }
        _ => (name, line),
    };
    let session = entry.import(&**rules, OBF, board).map_err(|error| error.to_string())?;
    let best = match board.split_once(';') {
        Some((_, scored)) => highest(scored)?,
        None => board
            .split_whitespace()
            .skip(2)
            .find(|word| word.starts_with(|char: char| char.is_ascii_alphabetic()) && !word.contains('='))
            .map(|moves| moves.split(',').map(str::to_lowercase).collect())
            .unwrap_or_default(),
    };
    Ok(Position { name, start: Some(session.position()), moves: Vec::new(), best })
}

/// The moves with the highest score of `a2:+38; b1:+12`.
fn highest(scored: &str) -> Result<Vec<String>, String> {
    let mut moves: Vec<(f64, String)> = Vec::new();
    for pair in scored.split(';').map(str::trim).filter(|pair| !pair.is_empty()) {
        let fault = || format!("{} is not a move with its score, as in a2:+38", quote(pair));
        let (token, score) = pair.split_once(':').ok_or_else(fault)?;
        // Some lists add the depth or a remark after the score.
        let score = score.split_whitespace().next().unwrap_or_default();
        let score: f64 = score.parse().map_err(|_| fault())?;
        moves.push((score, token.trim().to_lowercase()));
    }
    let most = moves.iter().map(|(score, _)| *score).fold(f64::NEG_INFINITY, f64::max);
    Ok(moves.into_iter().filter(|(score, _)| *score >= most).map(|(_, token)| token).collect())
}

/// The position, if it can be played and its best moves are legal.
fn checked(position: Position, rules: &dyn Rules) -> Result<Position, String> {
    let session =
        rules.open(position.start.as_deref(), &position.moves).map_err(|error| error.to_string())?;
    if position.best.is_empty() {
        return Err("it does not say which moves are best".to_owned());
    }
    let legal = session.legal();
    if let Some(wrong) = position.best.iter().find(|token| !legal.contains(token)) {
        return Err(format!("the best move {} is not legal there", quote(wrong)));
    }
    Ok(position)
}
