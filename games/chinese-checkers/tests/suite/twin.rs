//! The game against its plain twin.

use agon_chinese_checkers::{ChineseCheckers, SPEC};
use agon_testkit::options;
use agon_testkit::twins::{compare, kinds_of_samples, rounds};

use crate::plain::ChineseCheckers as Plain;

#[test]
fn agrees_with_its_twin() {
    let layouts = [
        "g/r",
        "r/g",
        "y/g",
        "o/b",
        "gy/rp",
        "gr/yp",
        "p/yb",
        "gyo/rpb",
        "rgb/oyp",
        "bop/g",
        "g/o/p",
        "y/r/g",
        "gy/or/pb",
        "rg/py/bo",
        "b/or/gyp",
        "y/o/p/b",
        "g/yo/r/pb",
        "g/y/o/r/p",
        "b/p/rg/o/y",
        "g/y/o/r/p/b",
        "b/g/p/y/r/o",
    ];
    let mut sets = vec![String::new()];
    for (index, seats) in layouts.iter().enumerate() {
        // Both goals for every layout, one of them with the limit within reach.
        let limits = ["", ",rounds=20"];
        sets.push(format!("seats={seats},goal=strict{}", limits[index % 2]));
        sets.push(format!("goal=fill,seats={seats}{}", limits[1 - index % 2]));
    }
    for given in sets {
        let game = ChineseCheckers::new(&options(&SPEC, &given)).expect(&given);
        compare::<_, Plain>(game, &given, rounds());
    }
}

#[test]
fn samples_are_possible_and_show_every_ending() {
    // Ten marbles are too few to lock a full home in.
    assert_eq!(kinds_of_samples::<Plain>(""), ["home", "limit", "ongoing"]);
    for options in ["seats=gr/y", "seats=gr/y,goal=fill", "seats=g/y/o/r/p/b", "seats=gyo/rpb,goal=fill"] {
        assert_eq!(kinds_of_samples::<Plain>(options), ["home", "limit", "ongoing", "pass"]);
    }
}
