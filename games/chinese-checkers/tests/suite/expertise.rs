//! What a search is told about Chinese Checkers, and the players of source S2.

use std::sync::Arc;

use agon_chinese_checkers::{ChineseCheckers, ENTRY, Position, SPEC};
use agon_core::{Game, Line, Notation};
use agon_erased::Expertise;
use agon_search::{Budget, Evaluation, Limits, Tactics, Unit};
use agon_testkit::{options, read, symmetric_moves_are_alike};

fn game(text: &str) -> ChineseCheckers {
    ChineseCheckers::new(&options(&SPEC, text)).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn of_nodes(nodes: u64) -> Budget {
    Budget::new(Limits { nodes: Some(nodes), ..Limits::default() })
}

#[test]
fn expert_does_not_move_a_marble_back_and_forth() {
    let rules = ENTRY.rules("").expect("defaults");
    // Green is some six moves ahead. Its marble on 0711 has just come from 0713, and nothing calls it back there.
    let start = "r/r1/3/4/13/12/11/5g4/3rgr3/4rgr3/4rgr4/5r1r4/6g6/1gg1/1g1/1g/g g 72";
    let mut session = rules.start_from(start).expect(start);
    for token in ["0713-0711", "0810-0612"] {
        session.play(token).expect(token);
    }
    let mut bot = rules.bot(&"expert:multi=500".parse().expect("a specification"), 4).expect("a bot");
    let thought = bot.think(&*session, &of_nodes(4_000), &mut |_| {}).expect("a move");
    assert_ne!(thought.best, "0711-0713");
    // It is not forbidden, but costs a move.
    let back = |session: &dyn agon_erased::Session| {
        let budget = Budget::analysis(Limits { depth: Some(2), ..Limits::default() });
        let mut bot = rules.bot(&"expert:multi=500".parse().expect("a specification"), 4).expect("a bot");
        let thought = bot.think(session, &budget, &mut |_| {}).expect("a move");
        thought.moves.iter().find(|known| known.mv == "0711-0713").expect("it is considered").score
    };
    let forgotten = rules.start_from(&session.position()).expect("the same position");
    assert_eq!(back(&*session), back(&*forgotten) - 1000.0);
}

#[test]
fn symmetric_moves_get_the_same_score() {
    for (seats, count) in [("g/r", 1), ("y/p", 1), ("gy/rp", 1), ("gyo/rpb", 1), ("g/o", 0)] {
        let game = game(&format!("seats={seats}"));
        let start = game.start();
        symmetric_moves_are_alike(game, start, count);
    }
    let game = game("");
    let rows = "g/gg/ggg/ggg1/5g7/12/11/10/9/10/11/12/13/rrrr/rrr/rr/r r 1";
    let position = read(&game, rows);
    symmetric_moves_are_alike(game, position, 0);
}

/// The moves that source S2 considers in a position.
fn considered(game: &ChineseCheckers, position: &Position) -> Vec<String> {
    let knowledge = game.knowledge("s2").expect("an evaluation");
    let rule = knowledge.selections().iter().position(|name| *name == "s2").expect("a selection");
    let mut moves: Vec<(u8, String)> = Vec::new();
    game.for_each_move(position, |mv| {
        moves.push((knowledge.grade(game, position, mv, rule), game.move_text(mv)));
    });
    let highest = moves.iter().map(|(grade, _)| *grade).max();
    let kept = moves.into_iter().filter(|(grade, _)| Some(*grade) == highest);
    let mut kept: Vec<String> = kept.map(|(_, text)| text).collect();
    kept.sort();
    kept
}

#[test]
fn s2_thinks_of_forward_moves_then_of_moves_within_the_last_rows_then_of_all() {
    let game = game("");
    let forward = read(&game, "1/gg/ggg/gggg/6g6/12/11/10/9/10/11/12/13/rrrr/rrr/rr/r g 20");
    let moves = considered(&game, &forward);
    let rows = |text: &str| {
        let (from, to) = text.split_once('-').expect("a move");
        [from, to].map(|hole| hole[..2].parse::<usize>().expect("a row"))
    };
    assert!(!moves.is_empty() && moves.iter().all(|text| rows(text)[0] < rows(text)[1]), "{moves:?}");
    // All but one of green's marbles are home as far as they can go; the last one, on 1208, has only ways along its row and back.
    let last = read(&game, "r/rr/rrr/rrr1/13/12/11/10/9/10/11/12/4g8/rggg/ggg/gg/g g 90");
    let moves = considered(&game, &last);
    assert!(
        !moves.is_empty() && moves.iter().all(|text| rows(text)[0] == rows(text)[1] && rows(text)[0] >= 12)
    );
    // Red sees the same from its side.
    let red = read(&game, "r/rr/rrr/rrrg/8r4/12/11/10/9/10/11/12/13/ggg1/ggg/gg/g r 91");
    let moves = considered(&game, &red);
    assert!(moves.iter().all(|text| rows(text)[0] == rows(text)[1] && rows(text)[0] <= 4), "{moves:?}");
    // Where there is neither, all are thought of: the marble at home is shut in, and those in the target, which is full, can only go back.
    let stuck = read(&game, "g/rr/r1r/4/13/12/11/10/rrrrr4/10/11/12/13/rggg/ggg/gg/g g 90");
    let moves = considered(&game, &stuck);
    assert!(!moves.is_empty() && moves.iter().all(|text| rows(text)[0] > rows(text)[1]), "{moves:?}");
    assert_eq!(moves.len() as u64, game.count_moves(&stuck));
}

#[test]
fn of_equal_moves_s2_takes_the_one_that_advances_further_from_further_back() {
    let game = game("");
    let knowledge = game.knowledge("s2").expect("an evaluation");
    let position = game.start();
    let preference = |text: &str| {
        let mv = game.parse_move(text).expect(text);
        assert!(game.is_legal(&position, mv), "{text}");
        knowledge.tie_break(&game, &position, mv)
    };
    assert!(preference("0210-0412") > preference("0309-0410"), "two rows rather than one");
    let later = read(&game, "g/gg/ggg/ggg1/6g6/12/11/10/9/10/11/12/13/rrrr/rrr/rr/r g 20");
    let preference = |text: &str| knowledge.tie_break(&game, &later, game.parse_move(text).expect(text));
    assert!(preference("0309-0410") > preference("0412-0511"), "one row each, from the rows 3 and 4");
    // In play: from the start, where many moves are worth the same to its evaluation.
    let rules = ENTRY.rules("").expect("defaults");
    let mut bot = rules
        .bot(&"s2-ab:book=off,time=off,depth=1,start=1,multi=500".parse().expect("a specification"), 0)
        .expect("a bot");
    let thought = bot.think(&*rules.start(), &Budget::new(Limits::default()), &mut |_| {}).expect("a move");
    let equals = thought.moves.iter().take_while(|known| Some(known.score) == thought.score);
    let best = equals.map(|known| {
        let mv = game.parse_move(&known.mv).expect("a move");
        knowledge.tie_break(&game, &game.start(), mv)
    });
    let best: Vec<i32> = best.collect();
    assert!(best.is_sorted_by(|one, other| one >= other), "{best:?}");
}

#[test]
fn the_shapes_of_s2_hard_count_by_the_round_of_the_game_that_is_played() {
    let game = Arc::new(game(""));
    let rows = "g/gg/ggg/gggg/13/12/11/10/9/10/11/12/12r/rrr1/rrr/rr/r";
    let at =
        |ply: u32| read(&*game, &format!("{rows} {} {ply}", if ply.is_multiple_of(2) { 'g' } else { 'r' }));
    let mut knowledge = game.knowledge("s2-hard").expect("an evaluation");
    let mut score_after = |played: u32, seen: u32| {
        knowledge.prepare(&Line::from_position(Arc::clone(&game), at(played)));
        let position = at(seen);
        knowledge.score(&game, &position, &knowledge.state(&game, &position))
    };
    let (early, late) = (score_after(0, 0), score_after(200, 200));
    assert_ne!(early, late, "shapes count in one and not in the other");
    assert_eq!(score_after(76, 84), early, "the game stands before round 40, wherever the search looks");
    assert_eq!(score_after(78, 78), late, "round 40");
    assert_eq!(score_after(80, 76), late);
}

#[test]
fn the_tree_of_s2_grows_over_all_moves() {
    let rules = ENTRY.rules("").expect("defaults");
    let mut session = rules.start();
    for token in ["0309-0410", "1309-1210", "0315-0414", "1315-1214"] {
        session.play(token).expect(token);
    }
    let mut bot = rules.bot(&"s2-mc:time=off,book=off".parse().expect("a specification"), 1).expect("a bot");
    let thought = bot.think(&*session, &of_nodes(40_000), &mut |_| {}).expect("a move");
    let mut moves: Vec<&str> = thought.moves.iter().map(|known| known.mv.as_str()).collect();
    moves.sort_unstable();
    let mut legal = session.legal();
    legal.sort_unstable();
    assert_eq!(moves, legal, "moves back and sideways as well");
    // Random moves bring nobody home: every playout is undecided.
    assert!(thought.moves.iter().all(|known| known.score == 0.0), "{thought:?}");
}

#[test]
fn bots_say_what_their_scores_mean_and_take_weights() {
    let rules = ENTRY.rules("").expect("defaults");
    let bot = |spec: &str| rules.bot(&spec.parse().expect(spec), 0);
    for (spec, unit) in [
        ("expert", Unit::Expectation { scale: 2500.0 }),
        ("s2-ab", Unit::Amount { name: "rows", one: 1.0 }),
        ("novice", Unit::Amount { name: "steps", one: 100.0 }),
    ] {
        assert_eq!(bot(spec).expect(spec).unit(), Some(unit), "{spec}");
    }
    let session = rules.start();
    let weights = |spec: &str| {
        let features = bot(spec).expect(spec).features(&*session).into_iter();
        features.map(|feature| (feature.name, feature.weight)).collect::<Vec<_>>()
    };
    assert!(weights("s2-ab:weights=lonely:-3+at-home:-40").contains(&("marbles at home", -40.0)));
    assert!(weights("s2-hard:weights=triangles:7").contains(&("triangles", 7.0)));
    assert!(weights("expert:weights=shut-in:-1").contains(&("shut in", -1.0)));
    let error = bot("s2-ab:weights=triangles:7").err().expect("only the hard one has shapes").to_string();
    assert!(error.contains("rows (1), lonely (-10), at-home (-30)"), "{error}");
    // What is set is what is searched by.
    let score = |spec: &str| {
        bot(spec).expect(spec).think(&*session, &of_nodes(500), &mut |_| {}).expect("a move").score
    };
    assert_ne!(score("alphabeta:eval=s2,weights=rows:50"), score("alphabeta:eval=s2"));
}
