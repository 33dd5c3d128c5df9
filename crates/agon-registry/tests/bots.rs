//! Bots of all games: the levels that everybody counts on, and signatures.
//!
//! A signature says what a bot thinks of a position within a number of nodes. A change that alters one says so, and shows by a
//! match what it is worth.

use agon_erased::{BotSpec, Budget, Limits};
use agon_registry::GAMES;
use agon_testkit::snapshots;

/// Enough for every algorithm to show what it does, little enough to run in a moment.
const NODES: u64 = 20_000;

/// Menus, hints and matches that somebody leaves ask for levels by name.
#[test]
fn every_game_offers_the_five_levels() {
    for (entry, variant) in GAMES.variants() {
        let rules = entry.rules(variant).expect(variant);
        let names: Vec<&str> = rules.bots().iter().map(|bot| bot.name).collect();
        let levels = ["novice", "easy", "medium", "hard", "expert"];
        let places = levels.map(|level| names.iter().position(|name| *name == level));
        assert!(places.iter().all(Option::is_some), "{} {variant}: {names:?}", entry.spec.id);
        assert!(places.is_sorted(), "{} {variant}: the weaker ones come first: {names:?}", entry.spec.id);
    }
}

#[test]
fn bots_think_as_they_did() {
    for entry in GAMES {
        let rules = entry.rules("").expect("default options");
        let mut session = rules.start();
        // A little way into the game, by the same luck every time.
        for number in 1..=6_u64 {
            if session.draw(number << 60).is_none() {
                let legal = session.legal();
                session.play(&legal[legal.len() / 2]).expect("a legal move");
            }
        }
        while session.draw(1 << 61).is_some() {}
        // wasm/check.mjs has the bots think in WebAssembly about the same position.
        let mut lines = vec![format!("after {}", session.history().join(" "))];
        for bot in rules.bots() {
            let limits = Limits { nodes: Some(NODES), depth: Some(4), ..Limits::default() };
            let budget = Budget { keeps_own_limits: false, ..Budget::new(limits) };
            let thought = rules
                .bot(&BotSpec::named(bot.name), 1)
                .expect("a listed bot")
                .think(&*session, &budget, &mut |_| {})
                .expect("a move");
            let score = thought.score.map_or_else(|| "-".to_owned(), |score| format!("{score:.3}"));
            lines.push(format!(
                "{:<16} depth {:>2}, {:>6} nodes: {} {score}",
                bot.name, thought.depth, thought.nodes, thought.best
            ));
        }
        snapshots(entry).bind(|| insta::assert_snapshot!("signatures", lines.join("\n")));
    }
}
