//! Signatures: the same bots on the same positions with the same number of nodes think the same. A change that alters one
//! says so, and shows by a match what it is worth.

use agon_registry::{BotSpec, Budget, GAMES, Limits};

/// Enough for every algorithm to show what it does, little enough to run in a moment.
const NODES: u64 = 20_000;

#[test]
fn bots_think_as_they_did() {
    let mut lines = Vec::new();
    for entry in GAMES {
        let rules = entry.rules("").expect("default options");
        for bot in rules.bots() {
            let mut session = rules.start();
            // A little way into the game, by the same luck every time.
            for number in 1..=6_u64 {
                if session.draw(number << 60).is_none() {
                    let legal = session.legal();
                    session.play(&legal[legal.len() / 2]).expect("a legal move");
                }
            }
            while session.draw(1 << 61).is_some() {}
            let limits = Limits { nodes: Some(NODES), depth: Some(4), ..Limits::default() };
            let budget = Budget { keeps_own_limits: false, ..Budget::new(limits) };
            let thought = rules
                .bot(&BotSpec::named(bot.name), 1)
                .expect("a listed bot")
                .think(&*session, &budget, &mut |_| {})
                .expect("a move");
            let score = thought.score.map_or_else(|| "-".to_owned(), |score| format!("{score:.3}"));
            lines.push(format!(
                "{:<17} {:<16} depth {:>2}, {:>6} nodes: {} {score}",
                entry.spec.id, bot.name, thought.depth, thought.nodes, thought.best
            ));
        }
    }
    insta::assert_snapshot!(lines.join("\n"));
}
