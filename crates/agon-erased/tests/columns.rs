//! A game behind its erased type whose board starts empty, and in which a place means a column.

use std::sync::Arc;

use agon_erased::{Rules, erase};
use agon_testkit::columns::{Columns, SPEC};

fn rules() -> Arc<dyn Rules> {
    erase(&SPEC, Columns)
}

#[test]
fn seats_have_styles_where_the_board_starts_empty() {
    let rules = rules();
    assert!(rules.start().board().cells.iter().all(|cell| cell.piece.is_none()));
    assert_eq!(rules.seat_styles(), [["first"], ["second"]]);
}
