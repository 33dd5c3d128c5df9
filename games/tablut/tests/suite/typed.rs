//! Moves as people type them.

use agon_tablut::ENTRY;
use agon_testkit::typed_moves;

#[test]
fn typed_moves_are_taken_as_people_write_them() {
    typed_moves(
        &ENTRY,
        &[("d1d3", "d1d3"), ("D1-D3", "d1d3"), ("d1 d3", "d1d3"), ("(1,4)-(3,4)", "d1d3")],
        &["(1,4)", "d1--d3"],
    );
}
