//! What is said about moves that are not legal.

use agon_core::view::{Gesture, Spot};
use agon_othello::ENTRY;
use agon_testkit::Attempt::{Made, Pointed, Written};
use agon_testkit::refusals;

#[test]
fn illegal_moves_are_refused_with_the_rule_they_break() {
    const START: &str = "8/8/8/3ox3/3xo3/8/8/8 x";
    let no_white = "A disc must enclose at least one white disc.";
    let no_black = "A disc must enclose at least one black disc.";
    refusals(
        &ENTRY,
        &[
            ("", START, Written("a1"), no_white),
            ("", "8/8/8/3ox3/3xo3/8/8/8 o", Written("a1"), no_black),
            ("size=4", "ooox/ooxx/ooxx/1oxx o", Written("a4"), no_black),
            ("", START, Written("d4"), "d4 is occupied."),
            ("", START, Written("pass"), "You may pass only when you have no other move."),
            ("size=4", "xxxx/xxox/xoox/oooo x", Written("a1"), "The game is over: 9 discs to 7."),
            ("size=4", "xxxx/xxxx/oooo/oooo x", Written("a1"), "The game is over: 8 discs each."),
            ("", START, Pointed((0, 0), (0, 0)), no_white),
            ("", START, Pointed((0, 0), (8, 0)), "That is not on the board."),
            ("", START, Made(Gesture::Turn { corner: Spot { row: 0, column: 0 } }), "Not a legal move."),
        ],
    );
}
