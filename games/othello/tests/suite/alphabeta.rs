//! Alpha-beta finds what minimax finds.

use agon_othello::{AnyOthello, SPEC};
use agon_testkit::{alphabeta_is_minimax, options};

#[test]
fn alphabeta_finds_what_minimax_finds() {
    for (size, seed) in [(4, 1), (6, 2), (8, 3), (10, 4), (12, 5)] {
        match AnyOthello::new(&options(&SPEC, &format!("size={size}"))).expect("a size") {
            AnyOthello::Small(game) => alphabeta_is_minimax(game, 4, seed),
            AnyOthello::Medium(game) => alphabeta_is_minimax(game, 3, seed),
            AnyOthello::Large(game) => alphabeta_is_minimax(game, 3, seed),
        }
    }
}
