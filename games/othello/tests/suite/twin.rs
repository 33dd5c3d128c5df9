//! The game against its plain twin.

use agon_othello::{AnyOthello, SPEC};
use agon_testkit::options;
use agon_testkit::twins::{compare, kinds_of_samples, rounds};

use crate::plain::Othello as Plain;

#[test]
fn agrees_with_its_twin() {
    let sizes = (4..=26).step_by(2).map(|size| format!("size={size}"));
    for given in sizes.chain([String::new()]) {
        match AnyOthello::new(&options(&SPEC, &given)).expect(&given) {
            AnyOthello::Small(game) => compare::<_, Plain>(game, &given, rounds()),
            AnyOthello::Medium(game) => compare::<_, Plain>(game, &given, rounds()),
            AnyOthello::Large(game) => compare::<_, Plain>(game, &given, rounds()),
        }
    }
}

#[test]
fn samples_are_possible_and_show_every_ending() {
    for options in ["size=4", "size=8", "size=26"] {
        assert_eq!(kinds_of_samples::<Plain>(options), ["discs", "ongoing", "pass"]);
    }
}
