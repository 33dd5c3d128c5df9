//! What a search is told about Lines of Action.

use agon_core::Game;
use agon_loa::{AnyLoa, ENTRY, SPEC};
use agon_search::{Budget, Limits, Unit};
use agon_testkit::{options, symmetric_moves_are_alike};

#[test]
fn symmetric_moves_get_the_same_score() {
    // At the start half a turn changes nothing. Mirror images do not either, unless blocks are turned clockwise.
    for (text, count) in [("size=6", 1), ("size=6,rules=standard", 3), ("size=9", 1), ("size=12", 1)] {
        match AnyLoa::new(&options(&SPEC, text)).expect(text) {
            AnyLoa::Small(game) => symmetric_moves_are_alike(game.clone(), game.start(), count),
            AnyLoa::Medium(game) => symmetric_moves_are_alike(game.clone(), game.start(), count),
            AnyLoa::Large(game) => symmetric_moves_are_alike(game.clone(), game.start(), count),
        }
    }
}

#[test]
fn bots_say_what_their_scores_mean() {
    let rules = ENTRY.rules("size=6").expect("options");
    for (spec, unit) in [
        ("expert", Unit::Expectation { scale: 100.0 }),
        ("expert:weights=quads:9", Unit::Amount { name: "points", one: 1.0 }),
        ("s4", Unit::Amount { name: "points", one: 1.0 }),
    ] {
        let bot = rules.bot(&spec.parse().expect(spec), 0).expect(spec);
        assert_eq!(bot.unit(), Some(unit), "{spec}");
    }
    let session = rules.start();
    let budget = Budget::new(Limits { depth: Some(2), ..Limits::default() });
    let score = |spec: &str| {
        let mut bot = rules.bot(&spec.parse().expect(spec), 0).expect(spec);
        bot.think(&*session, &budget, &mut |_| {}).expect("a move").score
    };
    assert_ne!(score("alphabeta:weights=player-to-move:500"), score("alphabeta"));
    assert!(rules.bot(&"s4:weights=quads:3".parse().expect("a specification"), 0).is_err());
}
