//! Golden playthroughs: seeded random games written out in full, so that a change of the rules shows as a
//! readable difference.

use std::fmt::Write;

use agon_core::Turn;
use agon_core::random::{RandomSource, below, seeded};
use agon_registry::find;

fn playthrough(game: &str, options: &str, seed: u64, max_plies: usize) -> String {
    let rules = find(game).expect("a game").rules(options).expect("good options");
    let mut session = rules.start();
    let mut rng = seeded(seed);
    let mut text =
        format!("game: {game}\noptions: {}\nseats: {}\n", rules.options(), rules.seats().join(" "));
    for _ in 0..max_plies {
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
    for (game, options, seed, plies) in [
        ("othello", "size=6", 1, 100),
        ("tablut", "limit=20", 2, 100),
        ("tablut", "rules=bologna", 3, 25),
        ("loa", "size=5", 4, 100),
        ("loa", "size=6,rules=standard,first=white", 5, 60),
        ("chinese-checkers", "seats=gy/rp/o", 6, 15),
        ("chinese-checkers", "", 7, 15),
        ("2048", "", 8, 40),
    ] {
        let name = format!("{game}-{options}").replace([',', '=', '/'], "-");
        insta::assert_snapshot!(name, playthrough(game, options, seed, plies));
    }
}
