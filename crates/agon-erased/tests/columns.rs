//! A game behind its erased type whose board starts empty, and in which a place means a column.

use std::sync::Arc;

use agon_core::view::{Gesture, Spot};
use agon_erased::{Rules, erase};
use agon_testkit::columns::{Columns, SPEC};
use agon_testkit::pointing_is_explained;

fn rules() -> Arc<dyn Rules> {
    erase(&SPEC, Columns)
}

#[test]
fn seats_have_styles_where_the_board_starts_empty() {
    let rules = rules();
    assert!(rules.start().board().cells.iter().all(|cell| cell.piece.is_none()));
    assert_eq!(rules.seat_styles(), [["first"], ["second"]]);
}

fn point(row: u8, column: u8) -> Gesture {
    Gesture::Point { places: vec![Spot { row, column }] }
}

#[test]
fn every_place_of_a_column_means_the_column_until_it_is_full() {
    let mut session = rules().start();
    for row in [0, 1] {
        assert_eq!(session.moves_meant(&point(0, 1)), ["b"]);
        assert_eq!(session.play_gesture(&point(row, 1)).as_deref(), Ok("b"));
        pointing_is_explained(&*session);
    }
    assert_eq!(session.position(), "--12--");
    assert!(session.moves_meant(&point(0, 1)).is_empty());
    let error = session.play_gesture(&point(0, 1)).expect_err("a full column");
    assert_eq!(error.reason, "This column is full.");
    assert_eq!(session.len(), 2);
}

#[test]
fn gestures_after_the_end_are_told_that_the_game_is_over() {
    let mut session = rules().start();
    for token in ["a", "a", "b", "b", "c", "c"] {
        session.play(token).expect("a legal move");
    }
    let reason = session.why_not(&point(0, 0)).expect("a reason");
    assert_eq!(reason.text, "The game is over: the board is full.");
    pointing_is_explained(&*session);
}
