//! Whether a game says which rule an illegal move breaks.

use std::collections::BTreeSet;

use agon_core::message::ENGLISH;
use agon_core::view::{Gesture, Spot, StepKind};
use agon_erased::{GameEntry, Session};

/// A move that is not legal, as somebody tries to make it.
#[derive(Clone, Copy, Debug)]
pub enum Attempt {
    /// Written.
    Written(&'static str),
    /// By pointing at two places, row and column each.
    Pointed((u8, u8), (u8, u8)),
    /// By another gesture.
    Made(Gesture),
}

/// One refusal: options, position, what is tried, and what is said.
pub type Refusal = (&'static str, &'static str, Attempt, &'static str);

/// Holds a game to what it says about illegal moves, and asks that all its own reasons are among the `cases`.
///
/// # Panics
/// If it says something else, or one of its reasons is missing.
pub fn refusals(entry: &GameEntry, cases: &[Refusal]) {
    let mut keys = BTreeSet::new();
    for &(options, position, attempt, said) in cases {
        let rules = entry.rules(options).unwrap_or_else(|error| panic!("{options}: {error}"));
        let mut session = rules.start_from(position).unwrap_or_else(|error| panic!("{position}: {error}"));
        let message = match attempt {
            Attempt::Written(token) => {
                let error = session.play(token).expect_err(token);
                assert!(error.reason.starts_with(said), "{token}: {}", error.reason);
                error.messages.into_iter().next()
            }
            Attempt::Pointed(from, to) => {
                let [from, to] = [from, to].map(|(row, column)| Spot { row, column });
                session.why_not(Gesture::Point { from, to })
            }
            Attempt::Made(gesture) => session.why_not(gesture),
        };
        let Some(message) = message else { panic!("{attempt:?} in {position} is not refused") };
        assert_eq!(message.text, said, "{attempt:?} in {position}");
        keys.insert(message.key);
    }
    let Some(own) = entry.spec.messages.own(ENGLISH) else { panic!("{} speaks no English", entry.spec.id) };
    let is_reason = |key: &str| key.starts_with("illegal.") && !key.ends_with(".one");
    let missing: Vec<&str> =
        own.iter().map(|(key, _)| key).filter(|key| is_reason(key) && !keys.contains(*key)).collect();
    assert!(missing.is_empty(), "{}: no case for {missing:?}", entry.spec.id);
}

/// Every way of pointing at a board: a legal one is a step that begins and ends there, and for any other there is a reason.
///
/// # Panics
/// If a legal move is refused, or an illegal one without a reason.
pub fn pointing_is_explained(session: &dyn Session) {
    let (board, mut steps) = (session.board(), session.steps());
    // What chance does is nobody's to point at.
    steps.retain(|(_, step)| step.kind != StepKind::Appear);
    for from in &board.cells {
        for to in &board.cells {
            let (from, to) = (from.spot, to.spot);
            // Where pieces are put on the board only the last place counts.
            let is_legal = steps
                .iter()
                .any(|(_, step)| step.to == Some(to) && step.from.is_none_or(|start| start == from));
            match session.why_not(Gesture::Point { from, to }) {
                None => assert!(is_legal, "{from:?} {to:?} in {}", session.position()),
                Some(reason) => {
                    assert!(!is_legal, "{reason} about {from:?} {to:?} in {}", session.position());
                    assert!(!reason.text.contains('{') && reason.text.contains(' '), "{}", reason.key);
                }
            }
        }
    }
}
