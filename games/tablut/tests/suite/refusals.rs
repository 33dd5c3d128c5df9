//! What is said about moves that are not legal.

use agon_tablut::ENTRY;
use agon_testkit::Attempt::{Pointed, Written};
use agon_testkit::refusals;

#[test]
fn illegal_moves_are_refused_with_the_rule_they_break() {
    const START: &str = "3bbb3/4b4/4w4/b3w3b/bbwwkwwbb/b3w3b/4w4/4b4/3bbb3 b 0";
    let castle = "No piece may stop on the castle or cross it.";
    let left = "Camps are closed, except to attackers who have not left theirs yet.";
    let closed = "Camps are closed to the king and the defenders.";
    refusals(
        &ENTRY,
        &[
            ("", START, Written("c1c2"), "There is no piece on c1."),
            ("", START, Written("e3d3"), "Not your piece."),
            ("", START, Written("d1d9"), "Blocked by the piece on d5."),
            ("", START, Written("d1d5"), "d5 is occupied."),
            ("", "9/9/9/2w6/4k4/2b6/9/9/9 b 4", Written("c6a6"), left),
            ("", "9/9/9/2w6/4k4/2b6/9/9/9 w 4", Written("c4a4"), closed),
            ("", "9/9/9/9/2w6/9/6k2/9/9 w 4", Written("c5e5"), castle),
            ("", "9/9/9/9/2w6/9/6k2/9/9 w 4", Written("c5g5"), castle),
            ("", START, Pointed((0, 3), (2, 5)), "Pieces move along rows and columns."),
            ("", START, Pointed((0, 3), (0, 3)), "A piece must move to another place."),
            ("", START, Pointed((4, 4), (4, 4)), "Not your piece."),
            ("", START, Pointed((0, 3), (9, 3)), "That is not on the board."),
            ("", "9/9/9/2b6/9/9/9/9/9 w 4", Written("c4c5"), "The game is over: the king is captured."),
            ("", "k8/9/9/9/9/9/9/9/b8 b 4", Written("a9a8"), "The game is over: the king has escaped."),
            ("", "9/9/9/3k5/9/9/9/9/9 b 4", Written("d4d5"), "The game is over: the attackers have no move."),
            ("limit=10", "9/9/9/3k5/9/9/9/9/b8 b 10", Written("a9a8"), "The game is over: move limit."),
        ],
    );
}
