//! What is said about moves that are not legal.

use agon_chinese_checkers::ENTRY;
use agon_testkit::Attempt::{Pointed, Written};
use agon_testkit::refusals;

#[test]
fn illegal_moves_are_refused_with_the_rule_they_break() {
    const START: &str = "g/gg/ggg/gggg/13/12/11/10/9/10/11/12/13/rrrr/rrr/rr/r g 0";
    const DONE: &str = "r/rr/rrr/rrrr/13/12/11/10/9/10/11/12/13/gggg/ggg/gg/g r 90";
    const LATE: &str = "g/gg/ggg/gggg/13/12/11/10/9/10/11/12/13/rrrr/rrr/rr/r g 40";
    let far = "0511 is not a neighbouring hole, and no chain of hops leads there.";
    refusals(
        &ENTRY,
        &[
            ("", START, Written("0808-0810"), "There is no piece on 0808."),
            ("", START, Written("1309-1210"), "Not your piece."),
            ("", START, Written("0309-0309"), "A piece must move to another place."),
            ("", START, Written("0210-0309"), "0309 is occupied."),
            ("", START, Written("0309-0511"), far),
            ("", START, Written("pass"), "You may pass only when you have no other move."),
            ("", START, Pointed((3, 9), (3, 10)), "That is not on the board."),
            ("", START, Pointed((13, 9), (13, 9)), "Not your piece."),
            ("", DONE, Written("0309-0410"), "The game is over: all marbles are home."),
            ("goal=fill", DONE, Written("0309-0410"), "The game is over: the target is full."),
            ("rounds=20", LATE, Written("pass"), "The game is over: move limit."),
        ],
    );
}
