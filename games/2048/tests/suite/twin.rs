//! The game against its plain twin.

use agon_2048::{Game2048, SPEC};
use agon_testkit::options;
use agon_testkit::twins::{compare, kinds_of_samples, rounds};

use crate::plain::Game2048 as Plain;

#[test]
fn agrees_with_its_twin() {
    let game = Game2048::new(&options(&SPEC, "")).expect("no options");
    // It has no options to spread the rounds over, and it is quick.
    compare::<_, Plain>(game, "", 40 * rounds());
}

#[test]
fn samples_are_possible_and_show_every_ending() {
    assert_eq!(kinds_of_samples::<Plain>(""), ["no move", "ongoing"]);
}
