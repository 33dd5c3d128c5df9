//! Alpha-beta finds what minimax finds.

use agon_chinese_checkers::{ChineseCheckers, SPEC};
use agon_testkit::{alphabeta_is_minimax, options};

#[test]
fn alphabeta_finds_what_minimax_finds() {
    for (text, seed) in [("seats=g/r", 1), ("seats=g/r,rounds=20", 2)] {
        alphabeta_is_minimax(ChineseCheckers::new(&options(&SPEC, text)).expect(text), 2, seed);
    }
}
