//! Openings from a file: one per line, `#` begins a comment.
//!
//! A line is a list of moves from the usual start, or `position POSITION`, which may be followed by `moves` and a list of
//! moves from there.

use agon_core::text::quote;
use agon_erased::Rules;

use crate::openings::Opening;

/// Reads the openings of a file for a game by `rules`.
///
/// # Errors
/// The first line that is wrong, and how.
pub(crate) fn read(text: &str, rules: &dyn Rules) -> Result<Vec<Opening>, (usize, String)> {
    let mut openings = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.split('#').next().unwrap_or_default().trim();
        if line.is_empty() {
            continue;
        }
        let opening = parse(line);
        let session = rules.open(opening.position.as_deref(), &opening.moves);
        let session = session.map_err(|error| (number, error.to_string()))?;
        if session.outcome().is_some() {
            return Err((number, "the game is over after it".to_owned()));
        }
        openings.push(opening);
    }
    if openings.is_empty() {
        return Err((text.lines().count().max(1), "there is no opening in it".to_owned()));
    }
    Ok(openings)
}

fn parse(line: &str) -> Opening {
    let list = |moves: &str| moves.split_whitespace().map(str::to_owned).collect();
    match line.strip_prefix("position ") {
        None => Opening { position: None, moves: list(line) },
        Some(rest) => match rest.split_once(" moves ") {
            Some((position, moves)) => {
                Opening { position: Some(position.trim().to_owned()), moves: list(moves) }
            }
            None => Opening { position: Some(rest.trim().to_owned()), moves: Vec::new() },
        },
    }
}

/// The fault of an opening file in one sentence.
pub(crate) fn fault(file: &str, (line, what): (usize, String)) -> String {
    format!("{} line {line}: {what}", quote(file))
}

#[cfg(test)]
mod tests {
    use agon_registry::GAMES;

    use super::*;

    #[test]
    fn openings_are_moves_or_positions_and_must_hold() {
        let rules = GAMES.find("othello").expect("a game").rules("").expect("options");
        let text = "# two plies\nd3 c5\n\nposition 8/8/8/3ox3/3xo3/8/8/8 x moves d3 # and then\nposition 8/8/8/3ox3/3xo3/8/8/8 x\n";
        let openings = read(text, &*rules).expect("they hold");
        assert_eq!(openings.len(), 3);
        assert_eq!(openings[0].moves, ["d3", "c5"]);
        assert_eq!((openings[1].moves.len(), openings[2].moves.len()), (1, 0));
        for (bad, line) in [("", 1), ("# none\n", 1), ("d3\na1", 2), ("position x", 1), ("d3 d3", 1)] {
            assert_eq!(read(bad, &*rules).expect_err("it is wrong").0, line, "{bad:?}");
        }
        assert_eq!(fault("f", (3, "x".to_owned())), "'f' line 3: x");
    }
}
