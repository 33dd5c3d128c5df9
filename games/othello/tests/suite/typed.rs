//! Moves as people type them.

use agon_othello::ENTRY;
use agon_testkit::typed_moves;

#[test]
fn typed_moves_are_taken_as_people_write_them() {
    typed_moves(&ENTRY, &[("(3,4)", "d3"), (" ( 3, 4 ) ", "d3"), ("D3", "d3")], &["(4,3,1)"]);
}
