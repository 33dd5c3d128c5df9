//! Alpha-beta finds what minimax finds.

use agon_loa::{AnyLoa, SPEC};
use agon_testkit::{alphabeta_is_minimax, options};

#[test]
fn alphabeta_finds_what_minimax_finds() {
    let cases = ["size=5,turns=10", "size=6", "size=8,rules=standard", "size=9,rules=standard,turns=10"];
    for (text, seed) in cases.into_iter().zip(1..) {
        match AnyLoa::new(&options(&SPEC, text)).expect(text) {
            AnyLoa::Small(game) => alphabeta_is_minimax(game, 3, seed),
            AnyLoa::Medium(game) => alphabeta_is_minimax(game, 2, seed),
            AnyLoa::Large(game) => alphabeta_is_minimax(game, 2, seed),
        }
    }
}
