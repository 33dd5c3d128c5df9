//! What is said about moves that are not legal.

use agon_2048::ENTRY;
use agon_core::view::{Gesture, Heading};
use agon_testkit::Attempt::{Made, Pointed, Written};
use agon_testkit::refusals;

#[test]
fn illegal_moves_are_refused_with_the_rule_they_break() {
    const LEFT: &str = "2,0,0,0/0,0,0,0/0,0,0,0/4,0,0,0 0";
    const DUE: &str = "2,0,0,0/0,0,0,0/0,0,0,0/0,0,0,0 0+";
    let slide = || Made(Gesture::Slide { heading: Heading::Left });
    let won = "The game is over: 2048 was reached, and no move is left.";
    refusals(
        &ENTRY,
        &[
            ("", LEFT, Written("left"), "Nothing moves that way."),
            ("", LEFT, slide(), "Nothing moves that way."),
            ("", LEFT, Pointed((0, 0), (0, 1)), "The whole board slides: left, right, up or down."),
            ("", DUE, slide(), "A chance event comes before the next move."),
            ("", DUE, Written("@0,0=2"), "Chance cannot produce that here."),
            ("", "2,4,2,4/4,2,4,2/2,4,2,4/4,2,4,2 8", Written("left"), "The game is over: no move is left."),
            ("", "2048,4,2,4/4,2,4,2/2,4,2,4/4,2,4,2 8", Written("left"), won),
        ],
    );
}
