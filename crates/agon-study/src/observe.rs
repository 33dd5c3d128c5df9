//! What can be seen on the boards of a game, whichever game it is: pieces on grounds, as the game draws them.

use agon_core::view::{Board, Form, Style};
use agon_erased::{Rules, nearest};

/// Something that is looked at in every game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Observation {
    /// What it is called.
    pub name: String,
    /// The kind of piece, by the name that the game gives its style.
    pub piece: String,
    /// The kind of ground that it stands on; any if there is none.
    pub ground: Option<String>,
    /// What is measured.
    pub when: When,
}

/// What is measured about pieces on grounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum When {
    /// How many there are at the end of the game.
    AtEnd,
    /// After how many plies there is none for the first time.
    UntilNone,
}

/// The name of a style: the last part of the key of its message.
fn short(style: &Style) -> &'static str {
    style.name.rsplit('.').next().unwrap_or(style.name)
}

/// Checks that a game has pieces or grounds of a name.
///
/// # Errors
/// What it has instead.
pub(crate) fn check(rules: &dyn Rules, name: &str, is_piece: bool) -> Result<(), String> {
    let styles = rules.spec().styles.iter();
    let known: Vec<&str> =
        styles.filter(|style| matches!(style.form, Form::Piece(_)) == is_piece).map(short).collect();
    if known.contains(&name) {
        return Ok(());
    }
    let what = if is_piece { "piece" } else { "ground" };
    let game = rules.spec().title();
    Err(match nearest(name, known.iter().copied()) {
        Some(meant) => format!("{game} has no such {what}; did you mean {meant}?"),
        None if known.is_empty() => format!("{game} has no named {what}s"),
        None => format!("{game} has no such {what}; expected {}", agon_core::text::or_list(known)),
    })
}

impl Observation {
    /// How many of its pieces stand on its ground.
    fn count(&self, board: &Board) -> u64 {
        let is = |token: &str, name: &str| {
            board.styles.iter().any(|style| style.token == token && short(style) == name)
        };
        let matches = |cell: &&agon_core::view::Cell| {
            cell.piece.is_some_and(|piece| is(piece.style, &self.piece))
                && self.ground.as_ref().is_none_or(|name| cell.ground.is_some_and(|ground| is(ground, name)))
        };
        board.cells.iter().filter(matches).count() as u64
    }
}

/// What is seen in a game of these moves from `start`, a value per observation; `None` where there is nothing to measure.
pub(crate) fn watch(
    observations: &[Observation],
    rules: &dyn Rules,
    start: Option<&str>,
    moves: &[String],
) -> Vec<Option<u64>> {
    let Ok(mut session) = rules.open(start, &[]) else { return vec![None; observations.len()] };
    let mut seen = vec![None; observations.len()];
    let is_followed = observations.iter().any(|observation| observation.when == When::UntilNone);
    for (ply, token) in (1..).zip(moves) {
        if session.play(token).is_err() {
            break;
        }
        if is_followed {
            let board = session.board();
            for (value, observation) in seen.iter_mut().zip(observations) {
                let is_new = observation.when == When::UntilNone && value.is_none();
                if is_new && observation.count(&board) == 0 {
                    *value = Some(ply);
                }
            }
        }
    }
    let board = session.board();
    for (value, observation) in seen.iter_mut().zip(observations) {
        if observation.when == When::AtEnd {
            *value = Some(observation.count(&board));
        }
    }
    seen
}

#[cfg(test)]
mod tests {
    use agon_registry::GAMES;

    use super::*;

    fn observation(piece: &str, ground: Option<&str>, when: When) -> Observation {
        Observation { name: String::new(), piece: piece.to_owned(), ground: ground.map(str::to_owned), when }
    }

    #[test]
    fn pieces_are_counted_on_their_grounds() {
        let rules = GAMES.find("tablut").expect("a game").rules("").expect("options");
        let observations = [
            observation("attacker", Some("camp"), When::AtEnd),
            observation("attacker", None, When::AtEnd),
            observation("king", Some("castle"), When::UntilNone),
            observation("king", None, When::UntilNone),
        ];
        let watched = |moves: &[&str]| {
            let moves: Vec<String> = moves.iter().map(|&token| token.to_owned()).collect();
            watch(&observations, &*rules, None, &moves)
        };
        assert_eq!(watched(&[]), [Some(16), Some(16), None, None]);
        // An attacker leaves its camp, a defender makes way, the king walks out, and another defender captures an attacker in its camp.
        let moves = ["a4a1", "d5d2", "a1a2", "e5d5", "a2a1", "f5f2"];
        assert_eq!(watched(&moves[..3]), [Some(15), Some(16), None, None]);
        assert_eq!(watched(&moves), [Some(14), Some(15), Some(4), None]);
    }

    #[test]
    fn names_that_a_game_does_not_have_are_refused() {
        let rules = GAMES.find("tablut").expect("a game").rules("").expect("options");
        assert_eq!(check(&*rules, "king", true), Ok(()));
        assert_eq!(check(&*rules, "castle", false), Ok(()));
        assert_eq!(
            check(&*rules, "kign", true),
            Err("Tablut has no such piece; did you mean king?".to_owned())
        );
        assert!(check(&*rules, "camp", true).is_err(), "a camp is no piece");
    }
}
