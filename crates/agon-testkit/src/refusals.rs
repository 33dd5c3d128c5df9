//! Whether a game says which rule an illegal move breaks.

use std::collections::BTreeSet;

use agon_core::message::ENGLISH;
use agon_core::view::{Gesture, Spot};
use agon_erased::{GameEntry, Session};

/// A move that is not legal, as somebody tries to make it.
#[derive(Clone, Debug)]
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
    for (options, position, attempt, said) in cases {
        let rules = entry.rules(options).unwrap_or_else(|error| panic!("{options}: {error}"));
        let mut session = rules.start_from(position).unwrap_or_else(|error| panic!("{position}: {error}"));
        let message = match attempt {
            Attempt::Written(token) => {
                let error = session.play(token).expect_err(token);
                assert!(error.reason.starts_with(said), "{token}: {}", error.reason);
                error.messages.into_iter().next()
            }
            Attempt::Pointed(from, to) => {
                let [from, to] = [*from, *to].map(Spot::from);
                session.why_not(&Gesture::Point { places: vec![from, to] })
            }
            Attempt::Made(gesture) => session.why_not(gesture),
        };
        let Some(message) = message else { panic!("{attempt:?} in {position} is not refused") };
        assert_eq!(message.text, *said, "{attempt:?} in {position}");
        keys.insert(message.key);
    }
    let Some(own) = entry.spec.messages.own(ENGLISH) else { panic!("{} speaks no English", entry.spec.id) };
    let is_reason = |key: &str| key.starts_with("illegal.") && !key.ends_with(".one");
    let missing: Vec<&str> =
        own.iter().map(|(key, _)| key).filter(|key| is_reason(key) && !keys.contains(*key)).collect();
    assert!(missing.is_empty(), "{}: no case for {missing:?}", entry.spec.id);
}

/// Every way of pointing at one or two places of a board means legal moves, or there is a reason why it does not; and what a
/// legal move names means that move. No sequence of places that means a move is the beginning of another: nobody could reach the
/// longer one.
///
/// # Panics
/// If a gesture that a legal move names is refused or does not mean that move, or if any gesture is refused without a reason.
pub fn pointing_is_explained(session: &dyn Session) {
    let (board, steps) = (session.board(), session.steps());
    let spots: Vec<Spot> = board.cells.iter().map(|cell| cell.spot).collect();
    let mut sequences: Vec<Vec<Spot>> = spots.iter().map(|&spot| vec![spot]).collect();
    sequences.extend(spots.iter().flat_map(|&from| spots.iter().map(move |&to| vec![from, to])));
    let named = steps.iter().flat_map(|(_, step)| step.places.iter().cloned());
    sequences.extend(named);
    for places in sequences {
        let gesture = Gesture::Point { places: places.clone() };
        let about = format!("{places:?} in {}", session.position());
        let named: Vec<&String> =
            steps.iter().filter(|(_, step)| step.is_meant_by(&gesture)).map(|(token, _)| token).collect();
        let is_beginning = steps.iter().any(|(_, step)| step.is_begun_by(&places));
        assert!(named.is_empty() || !is_beginning, "{about} is a move and the beginning of another");
        let Some(reason) = session.why_not(&gesture) else {
            let meant = session.moves_meant(&gesture);
            assert!(named.iter().all(|token| meant.contains(token)), "{named:?} is not meant by {about}");
            match (&meant[..], session.fork().play_gesture(&gesture)) {
                ([token], played) => assert_eq!(played.as_ref(), Ok(token), "{about}"),
                (several, played) => assert!(several.len() > 1 && played.is_err(), "{about}"),
            }
            continue;
        };
        assert!(named.is_empty(), "{reason} about {about}");
        assert!(!reason.text.contains('{') && reason.text.contains(' '), "{}", reason.key);
    }
}
