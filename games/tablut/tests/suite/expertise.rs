//! Tablut's knowledge: what it foresees is what search finds, evaluations keep their promises, and the moves it
//! puts first are the right ones.

use agon_board::Bits;
use agon_core::random::{below, seeded};
use agon_core::{Game, Notation, Outcome, Player, Rng, Turn, Verdict};
use agon_erased::Expertise;
use agon_search::{Budget, Evaluation, Limits, PROVEN, Tactics, Unit, WIN};
use agon_tablut::{CAMPS, CASTLE, ENTRY, EXITS, Position, SPEC, Side, Tablut};
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
fn the_originals_factor_applies_after_turn_35() {
    let game = game("");
    let knowledge = knowledge(&game, "s1");
    for (ply, factor) in [(0, 1.0), (34, 1.0), (35, 1.0), (36, 1.2), (37, 1.2)] {
        for (side, place, weight) in [("w", 3, 32_000.0), ("b", 2, 16_000.0)] {
            let position = read(&game, &format!("9/9/9/1bk6/9/9/4w4/9/9 {side} {ply}"));
            let player = game.turn(&position);
            let Turn::Player(player) = player else { panic!("a player moves") };
            let features = knowledge.features(&game, &position, player);
            assert!((features[place].weight - factor * weight).abs() < 1e-6, "{side} {ply}");
        }
    }
}

#[test]
fn the_original_seeks_exits_that_are_no_corners() {
    let game = game("");
    let knowledge = knowledge(&game, "s1");
    let nearness = |text: &str| {
        let position = read(&game, text);
        let features = knowledge.features(&game, &position, game.player(Side::Defenders));
        (features[4].value * 7.0).round() as i32
    };
    assert_eq!(nearness("9/1k7/9/9/9/9/9/9/9 w 0"), 6, "a2 and b1 are one step away");
    // The exits near the corner are taken. The next ones, g1 and a7, are six steps away, the corner a1 itself two.
    assert_eq!(nearness("1bb6/bk7/b8/9/9/9/9/9/9 w 0"), 1);
}

#[test]
fn the_original_tries_moves_piece_by_piece_up_down_left_right() {
    let game = game("");
    let knowledge = knowledge(&game, "s1");
    let tried = |text: &str| {
        let position = read(&game, text);
        let mut moves = Vec::new();
        game.for_each_move(&position, |mv| moves.push(mv));
        moves.sort_by_key(|&mv| std::cmp::Reverse(knowledge.original_order(&game, &position, mv)));
        moves.into_iter().map(|mv| game.move_text(mv)).collect::<Vec<_>>().join(" ")
    };
    // White: the king on e5 first, then b2, then h8; each up, down, left, right, near squares before far ones.
    let text = tried("9/1w7/3bbb3/4b4/3bk4/4b4/9/7w1/9 w 0");
    assert_eq!(text, "e5f5 e5g5 b2b1 b2b3 b2b4 b2a2 b2c2 b2d2 h8h7 h8h6 h8h9 h8g8 h8f8 h8i8");
    // Black: what ends beside the king, then men outside camps, then those inside; in each group the upper man first.
    let text = tried("3bb4/9/9/3b5/4k4/9/9/9/5b3 b 0");
    let words: Vec<&str> = text.split(' ').collect();
    assert_eq!(words[..4], ["e1e4", "d4d5", "d4e4", "f9f5"], "{text}");
    assert!(words[4].starts_with("d4"), "{text}");
}

#[test]
fn an_analysis_by_the_original_thinks_as_it_plays() {
    let rules = ENTRY.rules("").expect("defaults");
    let mut session = rules.start();
    for token in ["e2f2", "e3f3", "d1d2"] {
        session.play(token).expect(token);
    }
    let think = |spec: &str, budget: Budget| {
        let spec = spec.parse().expect(spec);
        let mut bot = rules.bot(&spec, 0).expect("a bot");
        let thought = bot.think(&*session, &budget, &mut |_| {}).expect("a move");
        (thought.best, thought.score, thought.depth, bot.unit())
    };
    let played = think("s1:depth=3", Budget::new(Limits::default()));
    assert_eq!(think("s1:depth=3,multi=5", Budget::analysis(Limits::default())), played);
    assert_eq!((played.2, played.3), (3, Some(Unit::Amount { name: "S1 points", one: 1000.0 })));
    assert_eq!(think("s1", Budget::analysis(Limits::default())).2, 5, "as deep as it plays");
}

#[test]
fn weights_of_the_original_and_of_ours_are_set_by_name() {
    let rules = ENTRY.rules("").expect("defaults");
    let session = rules.start_from("9/9/9/1bk6/9/9/4w4/9/9 w 40").expect("a position");
    let bot = |spec: &str| rules.bot(&spec.parse().expect(spec), 0);
    let weights = |spec: &str| {
        let features = bot(spec).expect(spec).features(&*session).into_iter();
        features.map(|feature| (feature.name, feature.weight.round())).collect::<Vec<_>>()
    };
    let own = weights("s1");
    let set = weights("s1:weights=king-paths:40+danger:12");
    for (own, set) in own.iter().zip(&set) {
        let expected = match own.0 {
            "danger to the king" => -12_000.0,
            "king's free paths" => 48_000.0,
            _ => own.1,
        };
        assert_eq!((set.0, set.1), (own.0, expected));
    }
    let set = weights("expert:weights=rhombus:-7+king's-moves:30");
    assert!(set.contains(&("rhombus", -7.0)) && set.contains(&("king's moves", 30.0)), "{set:?}");
    // What is set is what the search goes by.
    let score = |spec: &str| {
        let start = rules.start();
        let thought = bot(spec).expect(spec).think(&*start, &Budget::new(Limits::default()), &mut |_| {});
        thought.expect("a move").score.expect("a score")
    };
    let none = "weights=white-alive:0+black-eaten:0+white-eaten:0+black-alive:0+danger:0+king-near:0+guards:0+squares:0";
    assert_eq!(score(&format!("s1:depth=1,{none}+king-paths:0")), 0.0);
    assert_ne!(score("s1:depth=1"), 0.0);
    let text = bot("s1:weights=paths:40").err().expect("there is no such weight").to_string();
    for name in ["paths:40", "white-alive (20)", "king-paths (32)", "danger (16)", "squares (5)"] {
        assert!(text.contains(name), "{text}");
    }
}

#[test]
fn symmetric_moves_are_alike() {
    for (rules, text, count) in [
        ("", "3bbb3/4b4/4w4/b3w3b/bbwwkwwbb/b3w3b/4w4/4b4/3bbb3 b 0", 7),
        ("rules=bologna", "3bbb3/4b4/4w4/b3w3b/bbwwkwwbb/b3w3b/4w4/4b4/3bbb3 w 0", 7),
        ("", "9/9/9/3b1b3/4k4/9/9/9/9 b 0", 1),
        ("", "9/b8/9/9/4k4/9/9/8b/9 w 0", 1),
    ] {
        let game = game(rules);
        let position = read(&game, text);
        agon_testkit::symmetric_moves_are_alike(game, position, count);
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
