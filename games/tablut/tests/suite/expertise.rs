//! Tablut's knowledge: what it foresees is what search finds, evaluations keep their promises, and the moves it
//! puts first are the right ones.

use agon_board::Bits;
use agon_core::random::{below, seeded};
use agon_core::{Game, Notation, Outcome, Player, Rng, Turn, Verdict};
use agon_erased::Expertise;
use agon_search::{Evaluation, PROVEN, Tactics, WIN};
use agon_tablut::{CAMPS, CASTLE, EXITS, Position, SPEC, Tablut};
use agon_testkit::{compress, options, read};

const RULES: [&str; 3] = ["", "rules=bologna", "limit=10,first=defenders"];

fn game(text: &str) -> Tablut {
    Tablut::new(&options(&SPEC, text)).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn knowledge(game: &Tablut, evaluation: &str) -> <Tablut as Expertise>::Knowledge {
    game.knowledge(evaluation).unwrap_or_else(|| panic!("no evaluation {evaluation}"))
}

/// A position with men anywhere, few enough for lines to be open, on one of the first ten plies.
fn scattered(game: &Tablut, rng: &mut Rng) -> Position {
    let mut cells = vec![vec!['.'; 9]; 9];
    let mut put = |rng: &mut Rng, man: char, forbidden: u128| {
        let (row, column) = (below(rng, 9) as usize, below(rng, 9) as usize);
        let is_allowed = cells[row][column] == '.' && !forbidden.contains(u128::index(row, column));
        if is_allowed {
            cells[row][column] = man;
        }
        is_allowed
    };
    while !put(rng, 'k', CAMPS | EXITS) {}
    for _ in 0..below(rng, 17) {
        put(rng, 'b', CASTLE);
    }
    for _ in 0..below(rng, 9) {
        put(rng, 'w', CASTLE | CAMPS);
    }
    let side = if below(rng, 2) == 0 { 'b' } else { 'w' };
    let ply = below(rng, 10);
    read(game, &format!("{} {side} {ply}", compress(&cells)))
}

/// Positions of random games, and scattered ones.
fn for_each_position(game: &Tablut, seed: u64, count: usize, mut visit: impl FnMut(&Position)) {
    let mut rng = seeded(seed);
    let mut position = game.start();
    for _ in 0..count {
        visit(&position);
        visit(&scattered(game, &mut rng));
        match game.random_move(&position, &mut rng) {
            Some(mv) => game.play_unchecked(&mut position, mv),
            None => position = game.start(),
        }
    }
}

fn result(outcome: &Outcome, player: Player) -> i32 {
    match outcome.verdict {
        Verdict::Won(winner) if winner == player => WIN,
        Verdict::Won(_) => -WIN,
        _ => 0,
    }
}

/// What a search of this depth knows of the end: a score if every line within it ends, or if one that wins does.
fn search(game: &Tablut, position: &Position, depth: u32) -> Option<i32> {
    let Turn::Player(player) = game.turn(position) else { return None };
    if let Some(outcome) = game.outcome(position) {
        return Some(result(&outcome, player));
    }
    if depth == 0 {
        return None;
    }
    let (mut best, mut unknown) = (-WIN, false);
    game.for_each_move(position, |mv| {
        let mut next = *position;
        game.play_unchecked(&mut next, mv);
        match search(game, &next, depth - 1) {
            Some(score) => best = best.max(-(score - score.signum())),
            None => unknown = true,
        }
    });
    (!unknown || best > PROVEN).then_some(best)
}

#[test]
fn what_is_foreseen_is_what_search_finds() {
    for (seed, rules) in RULES.into_iter().enumerate() {
        let game = game(rules);
        let knowledge = knowledge(&game, "tafl");
        let mut foreseen = [0; 3];
        for_each_position(&game, seed as u64, 2000, |position| {
            if game.outcome(position).is_some() {
                return;
            }
            for horizon in 0..3 {
                let Some(score) = knowledge.foresee(&game, position, horizon) else { continue };
                assert_eq!(Some(score), search(&game, position, horizon), "{}", game.position_text(position));
                foreseen[(WIN - score.abs()) as usize] += 1;
            }
            // Wins on the spot are never missed, other than by leaving the enemy no move.
            let search = search(&game, position, 1);
            if search == Some(WIN - 1) && knowledge.foresee(&game, position, 1).is_none() {
                let mut ends = Vec::new();
                game.for_each_move(position, |mv| {
                    let mut next = *position;
                    game.play_unchecked(&mut next, mv);
                    ends.extend(game.outcome(&next).map(|outcome| outcome.reason));
                });
                assert!(ends.contains(&"no move"), "{}", game.position_text(position));
            }
        });
        assert!(foreseen[1] > 500, "{rules}: {foreseen:?}");
        assert!(foreseen[2] > 50 || rules.contains("bologna"), "{rules}: {foreseen:?}");
    }
}

#[test]
fn losses_are_foreseen_whenever_every_answer_lets_the_king_go() {
    let game = game("");
    let knowledge = knowledge(&game, "tafl");
    for_each_position(&game, 5, 2000, |position| {
        let lost = game.outcome(position).is_none() && search(&game, position, 2) == Some(2 - WIN);
        if lost && knowledge.is_threatened(&game, position) && game.side_of(Player(0)) == position.side() {
            assert_eq!(knowledge.foresee(&game, position, 2), Some(2 - WIN), "{position:?}");
        }
    });
}

#[test]
fn evaluations_keep_their_promises() {
    for (seed, rules) in RULES.into_iter().enumerate() {
        let game = game(rules);
        for spec in game.evaluations() {
            let knowledge = knowledge(&game, spec.name);
            for_each_position(&game, seed as u64, 500, |position| {
                if game.outcome(position).is_some() {
                    return;
                }
                let state = knowledge.state(&game, position);
                let score = knowledge.score(&game, position, &state);
                let Turn::Player(player) = game.turn(position) else { return };
                let payoffs = knowledge.payoffs(&game, position, &state);
                assert!(score.abs() < PROVEN);
                assert!((payoffs.of(player) - f64::from(score)).abs() <= 0.5);
                for seat in [Player(0), Player(1)] {
                    let features = knowledge.features(&game, position, seat);
                    let sum: f64 = features.iter().map(|feature| feature.value * feature.weight).sum();
                    assert!((sum - payoffs.of(seat)).abs() < 1e-6, "{}", spec.name);
                }
                game.for_each_move(position, |mv| {
                    let (mut next, mut carried) = (*position, state);
                    game.play_unchecked(&mut next, mv);
                    knowledge.advance(&game, &mut carried, position, mv, &next);
                    assert_eq!(carried, knowledge.state(&game, &next));
                });
            });
        }
    }
}

#[test]
fn the_original_counts_as_its_document_says() {
    let game = game("");
    let knowledge = knowledge(&game, "s1");
    let values = |text: &str, player: u8| -> Vec<(&'static str, f64, f64)> {
        let position = read(&game, text);
        let round = |value: f64| (value * 1e4).round() / 1e4 + 0.0;
        knowledge
            .features(&game, &position, Player(player))
            .into_iter()
            .map(|feature| (feature.name, round(feature.value), round(feature.weight)))
            .collect()
    };
    // The king on c4: a free path up and one down, an attacker beside him, the nearest exit c1 or a3 two or
    // three steps away.
    assert_eq!(
        values("9/9/9/1bk6/9/9/4w4/9/9 w 40", 1),
        [
            ("white men alive", 0.125, 20000.0),
            ("black men eaten", 0.9375, 12000.0),
            ("danger to the king", 0.5, -16000.0),
            ("king's free paths", 1.5385, 38400.0),
            ("king's nearness to an exit", 0.5714, 10000.0),
            ("guards beside the king", 0.0, 10000.0),
            ("square weights", 0.0, 5000.0),
        ]
    );
    // At the start: four guards, no danger, no path, six steps to an exit, and every man on a square of weight 3.
    assert_eq!(
        values("3bbb3/4b4/4w4/b3w3b/bbwwkwwbb/b3w3b/4w4/4b4/3bbb3 b 0", 0),
        [
            ("white men eaten", 0.0, 16000.0),
            ("black men alive", 1.0, 16000.0),
            ("danger to the king", 0.0, 16000.0),
            ("king's free paths", 0.0, -32000.0),
            ("king's nearness to an exit", 0.1429, -10000.0),
            ("guards beside the king", 1.0, -10000.0),
            ("square weights", 0.0, 5000.0),
        ]
    );
}

#[test]
fn the_original_forgets_square_weights_after_the_opening() {
    let game = game("");
    let knowledge = knowledge(&game, "s1");
    // A defender on c4, weight 2; an attacker on c2, weight 5; averages are scaled by the largest weight, 5.
    for (ply, lead) in [(0, -0.6), (14, -0.6), (15, 0.0)] {
        let position = read(&game, &format!("9/2b6/9/2w6/4k4/9/9/9/9 w {ply}"));
        let features = knowledge.features(&game, &position, Player(1));
        assert!((features[6].value - lead).abs() < 1e-9, "{ply}: {:?}", features[6]);
    }
}

#[test]
fn decisive_moves_come_first() {
    for (rules, position, best) in [
        // The king runs; the attackers capture him; they close the only open line; the king opens two lines at once.
        ("", "3bbb3/9/1k7/9/9/9/9/9/8b w 4", "b3a3 b3b1 b3i3"),
        ("rules=bologna", "9/9/3b5/3k5/9/b8/9/3b5/9 b 4", "d8d5"),
        ("", "9/9/5b3/2k6/9/2b6/9/9/9 b 4", "f3c3"),
        ("rules=bologna", "8b/9/9/2b1k4/9/9/9/b8/9 w 4", "e4e3 e4g4"),
    ] {
        let game = game(rules);
        let position = read(&game, position);
        let knowledge = knowledge(&game, "tafl");
        let mut moves = Vec::new();
        game.for_each_move(&position, |mv| moves.push((knowledge.order(&game, &position, mv), mv)));
        let first = moves.iter().map(|&(order, _)| order).max();
        let mut first: Vec<String> = moves
            .iter()
            .filter(|&&(order, _)| Some(order) == first)
            .map(|&(_, mv)| game.move_text(mv))
            .collect();
        first.sort();
        assert_eq!(first.join(" "), best);
    }
}

#[test]
fn noisy_moves_are_found_by_where_they_end() {
    for (seed, rules) in RULES.into_iter().enumerate() {
        let game = game(rules);
        let knowledge = knowledge(&game, "tafl");
        let mut found = 0;
        for_each_position(&game, seed as u64, 500, |position| {
            if game.outcome(position).is_some() {
                return;
            }
            for kind in 0..knowledge.noisy_kinds().len() {
                let (mut quick, mut slow) = (Vec::new(), Vec::new());
                knowledge.for_each_noisy_move(&game, position, kind, |mv, order| {
                    quick.push((game.move_text(mv), order))
                });
                game.for_each_move(position, |mv| {
                    if knowledge.is_noisy(&game, position, mv, kind) {
                        slow.push((game.move_text(mv), knowledge.order(&game, position, mv)));
                    }
                });
                quick.sort();
                slow.sort();
                assert_eq!(quick, slow, "{}", game.position_text(position));
                found += quick.len();
                let order = knowledge.ordering(&game, position);
                game.for_each_move(position, |mv| {
                    assert_eq!(order(mv), knowledge.order(&game, position, mv));
                });
            }
        });
        assert!(found > 500, "{rules}: {found}");
    }
}
