//! 2048: its promises, its slides and endings, its symmetries, its notation, luck.

use std::collections::HashMap;
use std::sync::Arc;

use agon_2048::{Direction, ENTRY, Game2048, PLAYER, Position, SPEC};
use agon_core::perft::perft;
use agon_core::random::{RandomSource, seeded};
use agon_core::{Diagram, Game, Line, Notation, Options, Outcome, Ply, Turn};
use agon_testkit::{conformance, legal_moves, number_images, options, random_moves_are_even};

fn read(text: &str) -> Position {
    agon_testkit::read(&Game2048, text)
}

/// The position after `mv`, a tile being due, in text.
fn after(position: &str, mv: &str) -> String {
    let mut position = read(position);
    let mv = Game2048.parse_move(mv).expect("a direction");
    assert!(Game2048.is_legal(&position, mv));
    Game2048.play_unchecked(&mut position, mv);
    Game2048.position_text(&position)
}

#[test]
fn it_conforms() {
    let game = Game2048::new(&options(&SPEC, "")).expect("no options");
    conformance(game, 40, 1_000);
    assert!(Options::parse(&SPEC, "size=4").is_err());
    assert!(game.options().is_empty());
    assert_eq!((game.players(), game.seat(PLAYER)), (1, "player"));
}

/// Turned and mirrored boards have turned and mirrored moves, so they count the same.
#[test]
fn symmetric_boards_count_the_same() {
    for text in [
        "2,4,8,16/4,0,0,2/2,2,8,0/4,8,0,0 100",
        "65536,65536,32768,32768/131072,131072,2,0/0,4,0,0/2,2,4,8 3000000",
        "2,2,4,4/0,0,0,0/8,0,8,2/4,2,2,0 12",
    ] {
        let images = number_images(text);
        let counts: Vec<_> = images
            .iter()
            .map(|image| perft(&Game2048, &read(image), 5, u64::MAX).expect("no limit"))
            .collect();
        assert!(counts.iter().all(|count| *count == counts[0]), "{images:?}: {counts:?}");
    }
}

#[test]
fn slides_follow_the_rules() {
    for (position, mv, result) in [
        // The pair nearest the side merges first.
        ("2,2,2,0/0,0,0,0/0,0,0,0/0,0,0,0 0", "left", "4,2,0,0/0,0,0,0/0,0,0,0/0,0,0,0 4+"),
        ("2,2,2,0/0,0,0,0/0,0,0,0/0,0,0,0 0", "right", "0,0,2,4/0,0,0,0/0,0,0,0/0,0,0,0 4+"),
        // Each tile at most once: neither 2 2 4 nor four of a kind become one tile.
        ("2,0,0,0/2,0,0,0/4,0,0,0/0,0,0,0 0", "up", "4,0,0,0/4,0,0,0/0,0,0,0/0,0,0,0 4+"),
        ("8,0,0,0/8,0,0,0/8,0,0,0/8,0,0,0 0", "down", "0,0,0,0/0,0,0,0/16,0,0,0/16,0,0,0 32+"),
        ("0,0,4,8/0,0,4,8/0,0,0,0/0,0,0,0 9", "down", "0,0,0,0/0,0,0,0/0,0,0,0/0,0,8,16 33+"),
        // Beyond what a nibble holds, up to the largest tile and no further.
        ("32768,32768,0,0/0,0,0,0/0,0,0,0/0,0,0,2 0", "left", "65536,0,0,0/0,0,0,0/0,0,0,0/2,0,0,0 65536+"),
        (
            "65536,65536,65536,65536/131072,131072,0,0/0,0,0,0/0,0,0,0 0",
            "right",
            "0,0,131072,131072/0,0,131072,131072/0,0,0,0/0,0,0,0 262144+",
        ),
        (
            "0,131072,0,131072/0,0,0,0/0,0,0,0/0,0,0,0 7",
            "left",
            "131072,131072,0,0/0,0,0,0/0,0,0,0/0,0,0,0 7+",
        ),
        // The largest score that is read leaves room for more.
        (
            "2,2,0,0/0,0,0,0/0,0,0,0/0,0,0,0 1000000000000",
            "left",
            "4,0,0,0/0,0,0,0/0,0,0,0/0,0,0,0 1000000000004+",
        ),
    ] {
        assert_eq!(after(position, mv), result, "{position} {mv}");
    }
}

#[test]
fn a_move_that_changes_nothing_is_illegal() {
    for (position, legal) in [
        ("2,4,0,0/0,0,0,0/0,0,0,0/0,0,0,0 0", &["down", "right"][..]),
        ("0,0,0,0/0,0,0,0/0,0,0,0/0,0,4,2 0", &["left", "up"]),
        ("2,4,8,16/0,0,0,0/0,0,0,0/0,0,0,0 0", &["down"]),
        ("2,2,8,16/0,0,0,0/0,0,0,0/0,0,0,0 0", &["down", "left", "right"]),
        ("131072,131072,131072,131072/0,0,0,0/0,0,0,0/0,0,0,0 0", &["down"]),
        ("2,4,2,4/4,2,4,2/2,4,2,4/4,2,4,4 0", &["down", "left", "right", "up"]),
        ("2,4,2,4/4,2,4,2/2,4,2,8/4,2,4,8 0", &["down", "up"]),
        // While a tile is due the player waits.
        ("2,2,0,0/0,0,0,0/0,0,0,0/0,0,0,0 0+", &[]),
    ] {
        assert_eq!(legal_moves(&Game2048, &read(position)), legal, "{position}");
    }
}

#[test]
fn two_tiles_come_first_then_moves_and_tiles_alternate() {
    let game = Arc::new(Game2048);
    let mut line = Line::new(Arc::clone(&game));
    for (token, position) in [
        ("", "0,0,0,0/0,0,0,0/0,0,0,0/0,0,0,0 0+"),
        ("@0,3=2", "0,0,0,2/0,0,0,0/0,0,0,0/0,0,0,0 0+"),
        ("@2,0=4", "0,0,0,2/0,0,0,0/4,0,0,0/0,0,0,0 0"),
        ("left", "2,0,0,0/0,0,0,0/4,0,0,0/0,0,0,0 0+"),
        ("@1,0=2", "2,0,0,0/2,0,0,0/4,0,0,0/0,0,0,0 0"),
        ("up", "4,0,0,0/4,0,0,0/0,0,0,0/0,0,0,0 4+"),
        ("@3,3=2", "4,0,0,0/4,0,0,0/0,0,0,0/0,0,0,2 4"),
        ("down", "0,0,0,0/0,0,0,0/0,0,0,0/8,0,0,2 12+"),
    ] {
        if token.starts_with('@') {
            let tile = game.parse_chance(token).expect("a tile");
            assert!(line.play(Ply::Chance(tile)), "{token}");
            assert!(!line.play(Ply::Chance(tile)), "{token}: the cell is taken, or the player is to move");
        } else if !token.is_empty() {
            let mv = game.parse_move(token).expect("a direction");
            assert!(line.play(Ply::Move(mv)), "{token}");
            assert!(!line.play(Ply::Move(mv)), "{token}: a tile is due");
        }
        assert_eq!(game.position_text(line.position()), position);
        let due = if position.ends_with('+') { Turn::Chance } else { Turn::Player(PLAYER) };
        assert_eq!(line.turn(), due, "{position}");
        assert_eq!(line.outcome(), None, "{position}");
    }
    // A score does not make an empty board less short of two tiles.
    let mut empty = read("0,0,0,0/0,0,0,0/0,0,0,0/0,0,0,0 8+");
    game.play_chance(&mut empty, game.parse_chance("@0,0=2").expect("a tile"));
    assert_eq!(game.position_text(&empty), "2,0,0,0/0,0,0,0/0,0,0,0/0,0,0,0 8+");
}

#[test]
fn the_game_ends_when_no_move_is_left() {
    let lost = Some(Outcome::lost("no move"));
    let won = Some(Outcome::won(PLAYER, "no move"));
    let all_largest = format!("{} 0", ["131072,131072,131072,131072"; 4].join("/"));
    for (position, outcome) in [
        ("2,4,2,4/4,2,4,2/2,4,2,4/4,2,4,2 100", lost),
        ("2,4,2,4/4,2,4,2/2,4,1024,4/4,2,4,2 100", lost),
        ("2,4,2,4/4,2,4,2/2,4,2048,4/4,2,4,2 100", won),
        ("2,4,2,4/4,2,4,2/2,4,4096,4/4,2,4,2 100", won),
        ("65536,4,2,4/4,2,4,2/2,4,2,4/4,2,4,2 100", won),
        // The largest tiles do not merge: a full board of them is over.
        (&all_largest, won),
        // Nothing to slide and nothing due.
        ("0,0,0,0/0,0,0,0/0,0,0,0/0,0,0,0 0", lost),
        ("0,0,0,0/0,0,0,0/0,0,0,0/0,0,0,0 0+", None),
        // Reaching 2048 does not end the game, nor does a board that chance has yet to fill.
        ("2048,0,0,0/0,0,0,0/0,0,0,0/0,0,0,0 20000", None),
        ("2,4,2,4/4,2,4,2/2,4,2048,4/4,2,4,0 100+", None),
        // Full, but one pair is left.
        ("2,4,2,4/4,2,4,2/2,4,2,4/4,2,4,4 100", None),
        ("65536,65536,2,4/4,2,4,2/2,4,2,4/4,2,4,2 100", None),
    ] {
        let position = read(position);
        assert_eq!(Game2048.outcome(&position), outcome, "{}", Game2048.position_text(&position));
        if let Some(outcome) = outcome {
            assert_eq!(Game2048.turn(&position), Turn::Player(PLAYER));
            assert_eq!(Game2048.payoffs(&position, &outcome).of(PLAYER), position.score() as f64);
            assert_eq!(Game2048.ranking(&position, &outcome), [[PLAYER]]);
        }
    }
}

#[test]
fn tiles_come_with_their_probabilities() {
    let position = read("2,4,0,4/4,2,4,2/2,0,2,0/4,2,4,2 100+");
    let mut draws = Vec::new();
    Game2048.for_each_chance(&position, |tile, probability| {
        draws.push((Game2048.chance_text(tile), probability));
    });
    let expected = [
        ("@0,2=2", 0.9),
        ("@0,2=4", 0.1),
        ("@2,1=2", 0.9),
        ("@2,1=4", 0.1),
        ("@2,3=2", 0.9),
        ("@2,3=4", 0.1),
    ];
    assert_eq!(draws.len(), expected.len());
    for ((token, probability), (expected_token, thrice)) in draws.iter().zip(expected) {
        assert_eq!(token, expected_token);
        assert!((probability * 3.0 - thrice).abs() < 1e-12, "{token}: {probability}");
    }

    // What is drawn comes as often as it should: within five standard deviations.
    let mut counts: HashMap<String, f64> = HashMap::new();
    let mut rng = seeded(7);
    let number_of_draws = 300_000.0;
    for _ in 0..number_of_draws as u64 {
        let tile = Game2048.draw(&position, rng.next_u64()).expect("a tile is due");
        *counts.entry(Game2048.chance_text(tile)).or_default() += 1.0;
    }
    for (token, probability) in &draws {
        let deviation = (number_of_draws * probability * (1.0 - probability)).sqrt();
        let surprise = (counts[token] - number_of_draws * probability) / deviation;
        assert!(surprise.abs() < 5.0, "{token} came {} times", counts[token]);
    }
}

/// The k-th tile is the k-th number's, so the parts of the range are fixed for good.
#[test]
fn a_number_always_stands_for_the_same_tile() {
    let position = read("2,4,0,4/4,2,4,2/2,0,2,0/4,2,4,2 100+");
    let third = u64::MAX / 3;
    for (number, token) in [
        (0, "@0,2=4"),
        (third / 10, "@0,2=4"),
        (third / 10 + 1, "@0,2=2"),
        (third, "@0,2=2"),
        (third + 1, "@2,1=4"),
        (2 * third, "@2,1=2"),
        (2 * third + 1, "@2,3=4"),
        (u64::MAX, "@2,3=2"),
    ] {
        let tile = Game2048.draw(&position, number).expect("a tile is due");
        assert_eq!(Game2048.chance_text(tile), token, "{number}");
    }
    assert_eq!(Game2048.draw(&read("2,0,0,0/0,0,0,0/0,0,2,0/0,0,0,0 0"), 0), None, "no tile is due");
}

#[test]
fn random_moves_are_drawn_evenly() {
    let position = read("2,2,8,16/0,0,0,0/0,0,0,0/0,0,0,0 0");
    assert_eq!(legal_moves(&Game2048, &position).len(), 3);
    random_moves_are_even(&Game2048, &position, 10_000, &mut seeded(3));
}

#[test]
fn keys_tell_positions_apart() {
    let texts = [
        "2,0,0,0/0,0,0,0/0,0,2,0/0,0,0,0 0",
        "2,0,0,0/0,0,0,0/0,0,2,0/0,0,0,0 0+",
        "2,0,0,0/0,0,0,0/0,0,2,0/0,0,0,0 4",
        "2,0,0,0/0,0,0,0/0,0,4,0/0,0,0,0 0",
        "2,65536,0,0/0,0,0,0/0,0,2,0/0,0,0,0 0",
        "2,0,65536,0/0,0,0,0/0,0,2,0/0,0,0,0 0",
        "131072,0,0,0/0,0,0,0/0,0,2,0/0,0,0,0 0",
    ];
    let keys: HashMap<u64, &str> = texts.iter().map(|text| (Game2048.key(&read(text)), *text)).collect();
    assert_eq!(keys.len(), texts.len());
}

#[test]
fn positions_are_read_strictly() {
    let good = "131072,65536,32768,2/0,0,0,0/4,0,2,0/0,0,0,0";
    for score in ["0", "7", "0+", "1000000000000", "1000000000000+"] {
        let text = format!("{good} {score}");
        assert_eq!(Game2048.position_text(&read(&text)), text);
    }
    for (text, fault) in [
        ("", "position: '' does not have the 2 fields rows, score separated by one space each"),
        (good, "does not have the 2 fields"),
        ("0,0,0,0/0,0,0,0/0,0,0,0/0,0,0,0 0 +", "does not have the 2 fields"),
        (" 0,0,0,0/0,0,0,0/0,0,0,0/0,0,0,0 0", "does not have the 2 fields"),
        ("0,0,0,0/0,0,0,0/0,0,0,0 0", "position: 3 rows where 4 are expected"),
        ("0,0,0,0/0,0,0,0/0,0,0,0/0,0,0,0/ 0", "5 rows where 4 are expected"),
        ("0,0,0,0/0,0,0/0,0,0,0/0,0,0,0,0 0", "row 2 from the top: 3 tiles where 4 are expected; row 4"),
        (
            "0,3,0,0/0,0,0,0/0,0,0,0/0,0,0,0 0",
            "row 1 from the top, tile 2: '3' is not 0 or a power of two from 2 to 131072",
        ),
        ("1,0,0,0/0,0,0,0/0,0,0,0/0,0,0,0 0", "tile 1: '1' is not"),
        ("02,0,0,0/0,0,0,0/0,0,0,0/0,0,0,0 0", "tile 1: '02' is not"),
        ("+2,0,0,0/0,0,0,0/0,0,0,0/0,0,0,0 0", "tile 1: '+2' is not"),
        ("٢,0,0,0/0,0,0,0/0,0,0,0/0,0,0,0 0", "tile 1: '٢' is not"),
        (",0,0,0/0,0,0,0/0,0,0,0/0,0,0,0 0", "tile 1: '' is not"),
        ("262144,0,0,0/0,0,0,0/0,0,0,0/0,0,0,0 0", "tile 1: '262144' is not"),
        ("18446744073709551618,0,0,0/0,0,0,0/0,0,0,0/0,0,0,0 0", "tile 1: '18446744073709551618' is not"),
        ("0,0,0,0/0,0,0,0/0,0,0,0/0,0,0,0 ", "score: '' is not a whole number from 0 to 1000000000000"),
        ("0,0,0,0/0,0,0,0/0,0,0,0/0,0,0,0 +", "score: '' is not"),
        ("0,0,0,0/0,0,0,0/0,0,0,0/0,0,0,0 0++", "score: '0+' is not"),
        ("0,0,0,0/0,0,0,0/0,0,0,0/0,0,0,0 00", "score: '00' is not"),
        ("0,0,0,0/0,0,0,0/0,0,0,0/0,0,0,0 -4", "score: '-4' is not"),
        ("0,0,0,0/0,0,0,0/0,0,0,0/0,0,0,0 1000000000001", "score: '1000000000001' is not"),
        ("0,0,0,0/0,0,0,0/0,0,0,0/0,0,0,0 0\n", "score: '0\\n' is not"),
        ("2,4,2,4/4,2,4,2/2,4,2,4/4,2,4,2 0+", "'+' after the score: no tile can be due on a full board"),
    ] {
        let error = Game2048.parse_position(text).expect_err(text).to_string();
        assert!(error.contains(fault), "{text}: {error}");
    }
    // All faults at once, in reading order.
    let error = Game2048.parse_position("2,6,2,4/4,2,4,2/2,4,2/4,2,4,x 01+").expect_err("four faults");
    assert_eq!(error.faults.len(), 4, "{error}");
    let error = Game2048.parse_position("2,4,2,4/4,2,4,2/2,4,2,4/4,2,4,2 x+").expect_err("two faults");
    assert_eq!(error.faults.len(), 2, "{error}");
}

#[test]
fn moves_and_tiles_are_read_strictly() {
    for direction in Direction::ALL {
        assert_eq!(Game2048.parse_move(direction.name()), Ok(direction));
    }
    for bad in ["", "Left", "LEFT", "l", "left ", " left", "leftt", "@0,0=2", "pass"] {
        let error = Game2048.parse_move(bad).expect_err(bad).to_string();
        assert!(error.ends_with("a move is left, right, up or down"), "{error}");
    }
    for token in ["@0,0=2", "@3,3=4", "@1,2=2"] {
        assert_eq!(Game2048.parse_chance(token).map(|tile| Game2048.chance_text(tile)).as_deref(), Ok(token));
    }
    for (bad, fault) in [
        ("", "a tile that appears is written @row,column=value"),
        ("left", "is written @row,column=value"),
        ("0,0=2", "is written @row,column=value"),
        ("@0,0", "is written @row,column=value"),
        ("@00=2", "is written @row,column=value"),
        ("@0=0,2", "is written @row,column=value"),
        ("@4,0=2", "row '4' is not a whole number from 0 to 3"),
        ("@00,0=2", "row '00' is not"),
        ("@0, 0=2", "column ' 0' is not"),
        ("@0,-1=2", "column '-1' is not"),
        ("@0,0=8", "value '8' is not 2 or 4"),
        ("@0,0=02", "value '02' is not 2 or 4"),
        ("@0,0=2 ", "value '2 ' is not 2 or 4"),
        ("@0,0=2=2", "value '2=2' is not 2 or 4"),
    ] {
        let error = Game2048.parse_chance(bad).expect_err(bad).to_string();
        assert!(error.contains(fault), "{bad}: {error}");
    }
    let error = Game2048.parse_chance("@4,x=0").expect_err("three faults").to_string();
    assert_eq!(error.matches(" is not ").count(), 3, "{error}");
}

#[test]
fn a_diagram_shows_tiles_coordinates_and_score() {
    let expected = "       0        1        2        3
  +--------+--------+--------+--------+
0 | 131072 |      . |      . |      2 |
  +--------+--------+--------+--------+
1 |      . |      . |      . |      . |
  +--------+--------+--------+--------+
2 |      4 |      . |     16 |      . |
  +--------+--------+--------+--------+
3 |      . |      . |      . |   1024 |
  +--------+--------+--------+--------+
score 3000000";
    let position = read("131072,0,0,2/0,0,0,0/4,0,16,0/0,0,0,1024 3000000");
    let Diagram { board, facts } = Game2048.diagram(&position);
    assert_eq!(board + &facts, expected);
    for (position, facts) in [
        ("0,0,0,0/0,0,0,0/0,0,0,0/0,0,0,0 0+", "score 0, two tiles are due"),
        ("2,0,0,0/0,0,0,0/0,0,0,0/0,0,0,0 0+", "score 0, a tile is due"),
        ("2,4,2,4/4,2,4,2/2,4,2,4/4,2,4,2 60", "score 60"),
    ] {
        assert_eq!(Game2048.diagram(&read(position)).facts, facts, "{position}");
    }
}

#[test]
fn what_is_reached_is_named_and_counts_for_bots_from_32768_on() {
    let rules = ENTRY.rules("").expect("the game");
    let seen = |largest: u32| {
        let session =
            rules.start_from(&format!("{largest},0,0,0/2,0,0,0/0,0,0,0/0,0,0,0 8")).expect("a position");
        session.board()
    };
    assert_eq!(seen(1024).milestone, None);
    for (largest, counts_for_bots) in
        [(2048, false), (4096, false), (16_384, false), (32_768, true), (65_536, true)]
    {
        let milestone = seen(largest).milestone.expect("something to be proud of");
        assert_eq!(milestone.what.text, format!("the {largest} tile"));
        assert!(milestone.text.text.contains(&largest.to_string()), "{}", milestone.text.text);
        assert_eq!(milestone.counts_for_bots, counts_for_bots, "{largest}");
    }
    let mark = seen(64).mark.expect("a largest tile");
    assert_eq!((mark.name.text.as_ref(), mark.value), ("largest tile", 64));
    assert_eq!(rules.start().board().mark.map(|mark| mark.value), Some(0), "the board is empty");
}
