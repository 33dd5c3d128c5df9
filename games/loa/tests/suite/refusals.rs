//! What is said about moves that are not legal.

use agon_core::view::{Gesture, Spot};
use agon_loa::ENTRY;
use agon_testkit::Attempt::{Made, Pointed, Written};
use agon_testkit::refusals;

#[test]
fn illegal_moves_are_refused_with_the_rule_they_break() {
    const START: &str = "1bbbbbb1/w6w/w6w/w6w/w6w/w6w/w6w/1bbbbbb1 b 0";
    let pass = "You may pass only when you have no other move.";
    let two = "2 pieces stand on that line, so the piece must move 2 squares.";
    let alone = "The piece stands alone on that line, so it must move one square.";
    let turn = |row, column| Made(Gesture::Turn { corner: Spot { row, column } });
    refusals(
        &ENTRY,
        &[
            ("", START, Written("3,3-4,4"), "There is no piece on 3,3."),
            ("", START, Written("1,0-1,2"), "Not your piece."),
            ("", START, Written("0,1-0,1"), "A piece must move to another place."),
            ("", START, Written("0,1-2,2"), "Pieces move along rows, columns and diagonals."),
            ("", START, Written("0,1-1,1"), two),
            ("", START, Pointed((0, 1), (1, 1)), two),
            ("", "8/1b6/8/8/8/8/5b2/ww4w1 b 4", Written("1,1-1,4"), alone),
            ("", "8/1bw4b/8/8/8/8/8/w7 b 4", Written("1,1-1,4"), "Blocked by the piece on 1,2."),
            ("", "8/1b1b4/8/8/8/8/8/w3w3 b 4", Written("1,1-1,3"), "Your own piece is on 1,3."),
            ("", START, Written("@3,3"), "That block holds none of your pieces."),
            ("", START, Written("pass"), pass),
            ("rules=standard", START, Written("pass"), pass),
            ("rules=standard", START, turn(0, 0), "Blocks turn only under the rotating rules."),
            ("", START, turn(7, 7), "That is not on the board."),
            (
                "",
                "8/2b5/3b4/8/4ww2/5w2/1b6/8 b 4",
                Written("pass"),
                "The game is over: all pieces are connected.",
            ),
            ("", "bb6/8/8/8/8/8/8/ww6 b 4", Written("pass"), "The game is over: both sides are connected."),
            ("turns=10", "b1b5/8/8/8/8/8/8/w1w5 b 20", Written("pass"), "The game is over: move limit."),
        ],
    );
}
