//! Alpha-beta finds what minimax finds.

use agon_tablut::{SPEC, Tablut};
use agon_testkit::{alphabeta_is_minimax, options};

#[test]
fn alphabeta_finds_what_minimax_finds() {
    let cases = ["rules=ashton", "rules=ashton,limit=60", "rules=bologna", "rules=bologna"];
    for (text, seed) in cases.into_iter().zip(1..) {
        alphabeta_is_minimax(Tablut::new(&options(&SPEC, text)).expect(text), 3, seed);
    }
}
