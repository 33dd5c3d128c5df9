//! Whether a game reads moves as people type them.

use agon_erased::GameEntry;

/// Holds a game to what it takes for a move at the usual start: each of `cases` is a text that somebody types and the move that
/// it stands for, each of `refused` a text that is none.
///
/// # Panics
/// If it reads something else.
pub fn typed_moves(entry: &GameEntry, cases: &[(&str, &str)], refused: &[&str]) {
    let rules = entry.rules("").unwrap_or_else(|error| panic!("{}: {error}", entry.spec.id));
    for (typed, written) in cases {
        let mut session = rules.start();
        session.play_typed(typed).unwrap_or_else(|error| panic!("{typed}: {error}"));
        assert_eq!(session.history(), [*written], "{typed}");
    }
    for text in refused {
        let mut session = rules.start();
        assert!(session.play_typed(text).is_err(), "{text}");
        assert!(session.history().is_empty(), "{text}");
    }
}
