//! Moves as people type them.

use agon_2048::ENTRY;
use agon_testkit::typed_moves;

#[test]
fn typed_moves_are_taken_as_people_write_them() {
    typed_moves(&ENTRY, &[], &["sideways"]);
}
