//! Golden playthroughs: seeded random games written out in full, so that a change of the rules shows as a readable
//! difference. They are kept in the game's own folder, one for each of its variants.

use std::fmt::Write;

use agon_core::Turn;
use agon_core::random::{RandomSource, below, seeded};
use agon_erased::Rules;
use agon_registry::GAMES;
use agon_testkit::{snapshots, variant_name};

/// Enough to see every kind of move, little enough to read.
const MAX_PLIES: usize = 40;

fn playthrough(rules: &dyn Rules) -> String {
    let mut session = rules.start();
    let mut rng = seeded(1);
    let mut text = format!(
        "game: {}\noptions: {}\nseats: {}\n",
        rules.spec().id,
        rules.options(),
        rules.seats().join(" ")
    );
    for _ in 0..MAX_PLIES {
        let legal = session.legal();
        let _ = write!(text, "\n{}\n", session.position());
        if legal.is_empty() {
            break;
        }
        let _ = writeln!(text, "{} of {}: {}", session.turn_name(), legal.len(), legal.join(" "));
        match session.turn() {
            Turn::Chance => {
                let drawn = session.draw(rng.next_u64()).expect("chance can draw");
                let _ = writeln!(text, "drawn {drawn}");
            }
            Turn::Player(_) => {
                let token = &legal[below(&mut rng, legal.len() as u64) as usize];
                session.play(token).expect("listed moves are legal");
                let _ = writeln!(text, "played {token}");
            }
        }
    }
    let _ = writeln!(text, "\n{:?}", session.outcome());
    text
}

#[test]
fn playthroughs_are_as_they_were() {
    for (entry, variant) in GAMES.variants() {
        let rules = entry.rules(variant).expect(variant);
        let name = variant_name("playthrough", variant);
        snapshots(entry).bind(|| insta::assert_snapshot!(name, playthrough(&*rules)));
    }
}
