//! Moves as people type them.

use agon_chinese_checkers::ENTRY;
use agon_testkit::typed_moves;

#[test]
fn typed_moves_are_taken_as_people_write_them() {
    typed_moves(
        &ENTRY,
        &[("0309 - 0410", "0309-0410"), ("(3,9)-(4,10)", "0309-0410")],
        &["(0,0)-(1,1)", "(99999999999999999999,0)-(1,1)"],
    );
}
