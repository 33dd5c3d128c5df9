//! The game against its plain twin.

use agon_tablut::{SPEC, Tablut};
use agon_testkit::options;
use agon_testkit::twins::{compare, kinds_of_samples, rounds};

use crate::plain::Tablut as Plain;

#[test]
fn agrees_with_its_twin() {
    for given in [
        "",
        "limit=10",
        "first=defenders",
        "first=defenders,limit=10",
        "rules=ashton,first=attackers,limit=1000",
        "rules=bologna",
        "first=attackers,rules=bologna",
        "first=defenders,rules=bologna",
    ] {
        let game = Tablut::new(&options(&SPEC, given)).expect(given);
        compare::<_, Plain>(game, given, rounds());
    }
}

#[test]
fn samples_are_possible_and_show_every_ending() {
    let ashton = ["king captured", "king escaped", "limit", "no move", "ongoing"];
    assert_eq!(kinds_of_samples::<Plain>("limit=10"), ashton);
    assert_eq!(kinds_of_samples::<Plain>("limit=1000"), ashton);
    let bologna = ["king captured", "king escaped", "no move", "ongoing"];
    assert_eq!(kinds_of_samples::<Plain>("rules=bologna"), bologna);
}
