//! Moves as people type them.

use agon_loa::ENTRY;
use agon_testkit::typed_moves;

#[test]
fn typed_moves_are_taken_as_people_write_them() {
    typed_moves(
        &ENTRY,
        &[("7,6-5,6", "7,6-5,6"), ("(7,6)-(5,6)", "7,6-5,6"), ("7, 6 - 5, 6", "7,6-5,6"), ("@(0,0)", "@0,0")],
        &["(7,6)", "@(7,7)"],
    );
}
