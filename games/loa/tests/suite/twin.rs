//! The game against its plain twin.

use agon_loa::{AnyLoa, SPEC};
use agon_testkit::options;
use agon_testkit::twins::{compare, kinds_of_samples, rounds};

use crate::plain::Loa as Plain;

#[test]
fn agrees_with_its_twin() {
    for size in (5..=12).chain([16, 30]) {
        for rest in [
            "",
            ",turns=10,rules=rotating,first=white",
            ",rules=standard",
            ",turns=10,rules=standard,first=white",
        ] {
            let given = format!("size={size}{rest}");
            match AnyLoa::new(&options(&SPEC, &given)).expect(&given) {
                AnyLoa::Small(game) => compare::<_, Plain>(game, &given, rounds()),
                AnyLoa::Medium(game) => compare::<_, Plain>(game, &given, rounds()),
                AnyLoa::Large(game) => compare::<_, Plain>(game, &given, rounds()),
            }
        }
    }
}

#[test]
fn samples_are_possible_and_show_every_ending() {
    for size in [5, 8, 30] {
        let rotating = ["both connected", "connected", "limit", "ongoing"];
        assert_eq!(kinds_of_samples::<Plain>(&format!("size={size}")), rotating);
        let standard = ["both connected", "connected", "limit", "ongoing", "pass"];
        assert_eq!(kinds_of_samples::<Plain>(&format!("size={size},rules=standard")), standard);
    }
}
