//! What can be seen on the boards of a game, whichever game it is: pieces on grounds, as the game draws them.

use std::collections::BTreeMap;

use agon_core::view::{Board, Form, Style};
use agon_erased::{Rules, nearest};

use crate::count::GameResult;
use crate::plan::Study;
use crate::results::{Bin, ObservationResult, mean};

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

/// How many ranges of values are told apart.
const BINS: usize = 4;

/// What was seen in the games of a study.
pub(crate) fn results(study: &Study, games: &[GameResult]) -> Vec<ObservationResult> {
    let comparisons = study.comparisons();
    let mut results = Vec::new();
    for (number, observation) in study.observations.iter().enumerate() {
        for (index, circumstance) in study.circumstances.iter().enumerate() {
            let here: Vec<&GameResult> =
                games.iter().filter(|game| comparisons[game.comparison].circumstance == index).collect();
            let seats = circumstance.rules.titles();
            let value = |game: &GameResult| game.seen.get(number).copied().flatten();
            let mut values: Vec<u64> = here.iter().filter_map(|game| value(game)).collect();
            values.sort_unstable();
            let shares = |games: &[&GameResult]| -> Vec<f64> {
                let share = |seat: usize| {
                    let sum: f64 = games.iter().map(|game| share_of(game, seat, seats.len())).sum();
                    sum / games.len().max(1) as f64
                };
                (0..seats.len()).map(share).collect()
            };
            let mut bins: Vec<Bin> = ranges(&values)
                .into_iter()
                .map(|(from, to)| {
                    let within =
                        |game: &&&GameResult| value(game).is_some_and(|seen| (from..=to).contains(&seen));
                    let games: Vec<&GameResult> = here.iter().filter(within).copied().collect();
                    Bin { from, to: Some(to), games: games.len() as u64, shares: shares(&games) }
                })
                .collect();
            let never: Vec<&GameResult> = here.iter().filter(|game| value(game).is_none()).copied().collect();
            if observation.when == When::UntilNone && !never.is_empty() {
                bins.push(Bin { from: 0, to: None, games: never.len() as u64, shares: shares(&never) });
            }
            results.push(ObservationResult {
                name: observation.name.clone(),
                circumstance: index,
                games: [values.len() as u64, here.len() as u64],
                mean: mean(values.iter().sum(), values.len() as u64),
                bins,
                seats,
            });
        }
    }
    results
}

/// The share of the point that a seat had of a game: a draw is shared by all.
fn share_of(game: &GameResult, seat: usize, seats: usize) -> f64 {
    if game.first_seats.is_empty() {
        return 1.0 / seats as f64;
    }
    if game.first_seats.contains(&seat) { 1.0 / game.first_seats.len() as f64 } else { 0.0 }
}

/// Ranges that hold about as many of the sorted values each; equal values are never parted.
fn ranges(values: &[u64]) -> Vec<(u64, u64)> {
    let mut counts: BTreeMap<u64, usize> = BTreeMap::new();
    for value in values {
        *counts.entry(*value).or_default() += 1;
    }
    let enough = values.len().div_ceil(BINS).max(1);
    let mut ranges: Vec<(u64, u64)> = Vec::new();
    let mut held = enough;
    for (value, count) in counts {
        match ranges.last_mut() {
            Some(last) if held < enough => {
                last.1 = value;
                held += count;
            }
            _ => {
                ranges.push((value, value));
                held = count;
            }
        }
    }
    ranges
}

#[cfg(test)]
mod tests {
    use agon_registry::GAMES;

    use super::*;

    #[test]
    fn ranges_hold_about_as_many_values_each() {
        assert_eq!(ranges(&[]), []);
        assert_eq!(ranges(&[3, 3, 3]), [(3, 3)]);
        assert_eq!(ranges(&[1, 2, 3, 4, 5, 6, 7, 8]), [(1, 2), (3, 4), (5, 6), (7, 8)]);
        assert_eq!(ranges(&[1, 1, 1, 1, 1, 2, 3, 9]), [(1, 1), (2, 3), (9, 9)]);
    }

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
