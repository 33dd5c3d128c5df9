//! Lines of Action: its promises, its figures, its moves and endings, what it refuses.

use std::sync::Arc;

use agon_core::perft::perft;
use agon_core::random::seeded;
use agon_core::{Diagram, Game, Line, Notation, Options, Ply, Turn};
use agon_loa::{AnyLoa, SPEC};
use agon_testkit::{
    conformance, legal_moves, options, options_text, random_moves_are_even, read, square_images, verdict,
};

/// Evaluates `$body` for the game with `$options`, whatever its board is made of.
macro_rules! with_game {
    ($options:expr, |$game:ident| $body:expr) => {{
        let text: &str = $options;
        match AnyLoa::new(&options(&SPEC, text)).unwrap_or_else(|error| panic!("{text}: {error}")) {
            AnyLoa::Small($game) => $body,
            AnyLoa::Medium($game) => $body,
            AnyLoa::Large($game) => $body,
        }
    }};
}

/// What can be said of a position, in the words of records and interfaces.
#[derive(Debug)]
struct Answer {
    position: String,
    to_move: String,
    /// `ongoing`, or as in `won b (connected)`.
    standing: String,
    legal: Vec<String>,
}

impl Answer {
    fn allows(&self, token: &str) -> bool {
        self.legal.iter().any(|legal| legal == token)
    }
}

/// Plays `moves`, separated by spaces, from `position`, or from the start if that is empty.
fn ask(options: &str, position: &str, moves: &str) -> Result<Answer, String> {
    with_game!(options, |game| answer(game, position, moves))
}

fn answer<G: Game + Notation>(game: G, position: &str, moves: &str) -> Result<Answer, String> {
    let game = Arc::new(game);
    let start = if position.is_empty() {
        game.start()
    } else {
        game.parse_position(position).map_err(|error| error.to_string())?
    };
    let mut line = Line::from_position(Arc::clone(&game), start);
    for token in moves.split_whitespace() {
        let mv = game.parse_move(token).map_err(|error| error.to_string())?;
        if !line.play(Ply::Move(mv)) {
            return Err(format!("{token} is illegal"));
        }
    }
    let legal = legal_moves(&*game, line.position());
    let Turn::Player(player) = line.turn() else { return Err("chance acts".to_owned()) };
    let standing = verdict(&*game, line.outcome());
    let position = game.position_text(line.position());
    Ok(Answer { position, to_move: game.seat(player).to_owned(), standing, legal })
}

fn nodes(options: &str, position: &str, depth: u32) -> u64 {
    with_game!(options, |game| {
        let start = if position.is_empty() { game.start() } else { read(&game, position) };
        perft(&game, &start, depth, 1_000_000_000).expect("a small count")
    })
}

#[test]
fn conforms_on_one_word() {
    for options in ["", "rules=standard", "size=5,turns=10", "size=6,rules=standard,first=white", "size=7"] {
        with_game!(options, |game| conformance(game, 6, 210));
    }
}

#[test]
fn conforms_on_a_double_word() {
    for options in ["size=9,turns=20", "size=10,rules=standard,turns=30", "size=11,first=white,turns=20"] {
        with_game!(options, |game| conformance(game, 2, 210));
    }
}

#[test]
fn conforms_on_rows() {
    for options in ["size=12,turns=10", "size=17,rules=standard,turns=20", "size=30,turns=10,first=white"] {
        with_game!(options, |game| conformance(game, 1, 15));
    }
}

/// The figures published with the specification.
#[test]
fn perft_from_the_start() {
    for (options, counts) in [
        ("rules=standard", &[36, 1_244, 44_952, 1_563_208][..]),
        ("rules=rotating", &[50, 2_432, 127_386, 6_517_580]),
        ("size=5", &[26, 616, 14_960, 345_714]),
        ("size=30,rules=standard", &[168, 28_172]),
    ] {
        for (depth, &count) in (1..).zip(counts) {
            assert_eq!(nodes(options, "", depth), count, "{options} at depth {depth}");
        }
    }
}

#[test]
fn a_ply_limit_inside_the_count_ends_it() {
    let late = "1bbb1/w3w/w3w/w3w/1bbb1 b 18";
    assert_eq!(nodes("size=5,turns=10", late, 2), 616);
    assert_eq!(nodes("size=5,turns=10", late, 3), 0);
    assert_eq!(nodes("size=5,turns=11", late, 3), 14_960);
}

#[test]
fn options_are_printed_whole_and_in_order() {
    for (given, printed) in [
        ("", "size=8,turns=100,rules=rotating,first=black"),
        ("first=white,rules=standard,turns=10,size=30", "size=30,turns=10,rules=standard,first=white"),
    ] {
        assert_eq!(with_game!(given, |game| options_text(&game)), printed);
    }
    for bad in ["size=4", "size=31", "turns=9", "turns=101", "rules=turning", "first=b", "limit=10"] {
        assert!(Options::parse(&SPEC, bad).is_err(), "{bad} was taken");
    }
}

#[test]
fn the_first_seat_is_the_colour_that_moves_first() {
    let black = ask("", "", "").expect("the start");
    assert_eq!(black.position, "1bbbbbb1/w6w/w6w/w6w/w6w/w6w/w6w/1bbbbbb1 b 0");
    let white = ask("size=5,first=white", "", "").expect("the start");
    assert_eq!(white.position, "1bbb1/w3w/w3w/w3w/1bbb1 w 0");
    assert_eq!(white.to_move, "w");
    // Either side may be to move at any ply, whoever began.
    let swapped = ask("size=5,first=white", "1bbb1/w3w/w3w/w3w/1bbb1 b 0", "0,1-2,1").expect("black moves");
    assert_eq!(swapped.position, "2bb1/w3w/wb2w/w3w/1bbb1 w 1");
    with_game!("first=white", |game| {
        assert_eq!([0, 1].map(|seat| game.seat(agon_core::Player(seat))), ["w", "b"]);
    });
}

#[test]
fn a_piece_moves_as_far_as_its_line_has_pieces() {
    // On row 3 are four pieces, two of each colour.
    let scene = "8/8/8/b1bw3w/8/8/8/b6w b 0";
    let answer = ask("rules=standard", scene, "").expect("a position");
    assert!(answer.allows("3,0-5,0"), "two pieces on the column");
    assert!(answer.allows("3,2-2,2") && answer.allows("3,2-4,2"), "alone on the column");
    assert!(!answer.allows("3,2-3,6"), "an enemy is in the way");
    assert!(!answer.allows("3,0-3,4"), "an own piece is jumped, but not the enemy behind it");
    // Without that enemy there are three on the row.
    let answer = ask("rules=standard", "8/8/8/b1b4w/8/8/8/b6w b 0", "").expect("a position");
    assert!(answer.allows("3,0-3,3"), "own pieces may be jumped");
    assert!(!answer.allows("3,2-3,4") && answer.allows("3,2-3,5"), "exactly three squares");
    let answer = ask("rules=standard", "8/8/8/b2b3w/8/8/8/b6w b 0", "").expect("a position");
    assert!(!answer.allows("3,0-3,3"), "an own piece stands there");
}

#[test]
fn landing_on_an_enemy_captures_him() {
    let answer = ask("rules=standard", "8/8/8/b1w5/8/8/8/b6w b 0", "3,0-3,2").expect("a capture");
    assert_eq!(answer.position, "8/8/8/2b5/8/8/8/b6w w 1");
    // White's last piece is a group.
    assert_eq!((answer.standing.as_str(), answer.legal.len()), ("won w (connected)", 0));
}

#[test]
fn a_block_turns_clockwise_with_all_that_is_on_it() {
    let scene = "b4/5/2bw1/5/1w2w b 0";
    for (rotation, after) in [
        ("@2,2", "b4/5/3b1/3w1/1w2w w 1"),
        ("@1,1", "b4/5/1b1w1/5/1w2w w 1"),
        ("@2,1", "b4/5/3w1/2b2/1w2w w 1"),
        ("@0,0", "1b3/5/2bw1/5/1w2w w 1"),
    ] {
        assert_eq!(ask("size=5", scene, rotation).expect(rotation).position, after, "{rotation}");
    }
    let answer = ask("size=5", scene, "").expect("a position");
    assert!(!answer.allows("@2,3") && !answer.allows("@3,0"), "blocks without an own piece");
    assert_eq!(answer.legal.iter().filter(|token| token.starts_with('@')).count(), 5);
    assert!(!answer.allows("pass"), "a rotation is always there");
}

#[test]
fn a_turn_that_changes_nothing_is_a_move() {
    let scene = "bb3/bb3/5/4b/w3w b 0";
    let answer = ask("size=5", scene, "@0,0").expect("a turn");
    assert_eq!(answer.position, "bb3/bb3/5/4b/w3w w 1");
}

#[test]
fn rotations_are_for_the_rotating_rules_only() {
    let error = ask("rules=standard", "", "@0,0").expect_err("no rotation");
    assert_eq!(error, "move '@0,0': blocks turn under rules=rotating only");
    assert!(ask("rules=rotating", "", "@0,0").is_ok());
}

#[test]
fn whoever_is_connected_alone_has_won() {
    // The mover connects.
    let answer = ask("size=5,rules=standard", "b4/2b2/5/5/w3w b 7", "0,0-2,2").expect("a move");
    assert_eq!(answer.standing, "won b (connected)");
    assert_eq!(answer.to_move, "w", "the position still names who would be next");
    assert!(answer.legal.is_empty());
    // The mover captures the piece that kept the other side apart.
    let answer = ask("size=5,rules=standard", "b3b/5/2w2/4w/3w1 b 7", "0,0-2,2").expect("a capture");
    assert_eq!(answer.standing, "won w (connected)");
    // A turned block connects the other side.
    let answer = ask("size=5", "2w2/1b3/1w3/5/b3b b 7", "@0,1").expect("a turn");
    assert_eq!(answer.position, "1b3/2w2/1w3/5/b3b w 8");
    assert_eq!(answer.standing, "won w (connected)");
}

#[test]
fn both_connected_at_once_is_a_draw() {
    // Black takes the piece that kept white apart and joins his own.
    let answer = ask("size=5,rules=standard", "2b2/5/2w2/3bw/4w b 3", "0,2-2,2").expect("a capture");
    assert_eq!(answer.standing, "drawn (both connected)");
    // Judged as it stands, whoever is to move, before any limit.
    for position in ["b4/5/5/5/4w b 0", "b4/5/5/5/4w w 1000000", "bb3/5/5/5/3ww b 200"] {
        assert_eq!(ask("size=5", position, "").expect(position).standing, "drawn (both connected)");
    }
}

#[test]
fn after_the_last_turn_the_game_is_drawn_unless_it_is_won() {
    let scene = "b4/2b2/5/5/w3w b 19";
    for (moves, standing) in [("", "ongoing"), ("0,0-2,2", "won b (connected)"), ("0,0-2,0", "drawn (limit)")]
    {
        let answer = ask("size=5,turns=10,rules=standard", scene, moves).expect(moves);
        assert_eq!(answer.standing, standing, "{moves}");
    }
    for ply in [20, 21, 1_000_000] {
        let position = format!("b4/2b2/5/5/w3w b {ply}");
        let answer = ask("size=5,turns=10", &position, "").expect("a position");
        assert_eq!((answer.standing.as_str(), answer.legal.len()), ("drawn (limit)", 0));
        let position = format!("b4/1b3/5/5/w3w b {ply}");
        assert_eq!(ask("size=5,turns=10", &position, "").expect("a position").standing, "won b (connected)");
    }
}

#[test]
fn a_stuck_side_passes_under_the_standard_rules() {
    let scene = "5/1b1b1/w3w/1b1b1/5 b 4";
    let answer = ask("size=5,rules=standard", scene, "").expect("a position");
    assert_eq!(answer.legal, ["pass"]);
    assert_eq!(nodes("size=5,rules=standard", scene, 1), 1, "a pass is a ply");
    let answer = ask("size=5,rules=standard", scene, "pass").expect("a pass");
    assert_eq!(answer.position, "5/1b1b1/w3w/1b1b1/5 w 5");
    assert!(!answer.legal.is_empty() && !answer.allows("pass"));
    assert_eq!(
        ask("size=5,rules=standard", scene, "pass pass").expect_err("white can move"),
        "pass is illegal"
    );
    assert_eq!(ask("size=5", scene, "pass").expect_err("black can turn blocks"), "pass is illegal");
    let late = scene.replace(" 4", " 19");
    assert_eq!(
        ask("size=5,rules=standard,turns=10", &late, "pass").expect("a pass").standing,
        "drawn (limit)"
    );
    with_game!("size=5,rules=standard", |game| {
        let position = game.parse_position(scene).expect("a position");
        let mv = game.random_move(&position, &mut seeded(1)).expect("a pass");
        assert_eq!(game.move_text(mv), "pass");
    });
}

#[test]
fn random_moves_are_equally_likely() {
    // The last has two moves of six pieces: one time in fifteen all blind draws fail.
    for (options, position) in [
        ("rules=standard", "1bbbbbb1/w6w/w6w/w6w/w6w/w6w/w6w/1bbbbbb1 b 0"),
        ("size=5", "b4/5/2bw1/5/1w2w b 0"),
        ("size=12,rules=standard", "12/12/12/3b8/12/12/b11/12/12/12/w11/11w b 0"),
        ("size=5,rules=standard", "bw3/b1wbb/2w1w/w1bb1/w4 b 0"),
    ] {
        with_game!(options, |game| {
            random_moves_are_even(&game, &read(&game, position), 20_000, &mut seeded(2));
        });
    }
}

#[test]
fn turned_boards_play_alike_and_mirrored_ones_under_the_standard_rules() {
    let scenes = ["b2w1/1bw2/5/w2b1/1w2b b 3", "1bw1b/w4/2bw1/5/b2w1 w 8", "3bw/b1w2/1w3/5/1b1w1 b 15"];
    let mut mirrors_differ = false;
    for scene in scenes {
        for rules in ["size=5,rules=standard", "size=5,rules=rotating"] {
            let counts: Vec<u64> = square_images(scene).iter().map(|image| nodes(rules, image, 3)).collect();
            let alike = if rules.ends_with("standard") { &counts[..] } else { &counts[..4] };
            assert!(
                alike.iter().all(|&count| count == counts[0] && count > 0),
                "{rules}: {scene} {counts:?}"
            );
            assert!(counts[4..].iter().all(|&count| count == counts[4]), "{rules}: {scene} {counts:?}");
            mirrors_differ |= counts[4] != counts[0];
        }
    }
    assert!(mirrors_differ, "in a mirror blocks would have to turn the other way");
}

#[test]
fn impossible_and_malformed_positions_are_refused() {
    for (position, error) in [
        ("", "position: '' does not have the 3 fields rows, side to move, plies separated by one space each"),
        (
            "5/5/5/5/5 b 0",
            "position: black has no piece and needs one at least; white has no piece and needs one at least",
        ),
        ("bbbbb/bb3/5/5/w4 b 0", "position: black has 7 pieces and starts with 6"),
        ("wwwww/wwwww/5/5/b4 b 0", "position: white has 10 pieces and starts with 6"),
        (
            "bbbbb/bb3/5/5/5 x 01",
            "position: black has 7 pieces and starts with 6; white has no piece and needs \
          one at least; side to move: 'x' is not b or w; plies: '01' is not a whole number from 0 to 1000000 in \
          plain digits",
        ),
        (
            "b4/5/5/5/5w b -1",
            "position: row 5 from the top: more than 5 cells; plies: '-1' is not a whole number \
          from 0 to 1000000 in plain digits",
        ),
        ("b4/5/5/w4 b 0", "position: 4 rows where 5 are expected"),
        ("b3x/5/5/5/w4 b 0", "position: row 1 from the top: 'x' is not b or w or a run length"),
        (
            "b4/5/5/5/w4 b 1000001",
            "position: plies: '1000001' is not a whole number from 0 to 1000000 in plain digits",
        ),
    ] {
        let refused = with_game!("size=5", |game| game.parse_position(position).map(|_| ()));
        assert_eq!(refused.map_err(|error| error.to_string()), Err(error.to_owned()), "{position}");
    }
    for bad in
        ["b4/5/5/5/w4 b", "b4/5/5/5/w4  b 0", "b4/5/5/5/w4 b 0 ", " b4/5/5/5/w4 b 0", "B4/5/5/5/w4 b 0"]
    {
        assert!(ask("size=5", bad, "").is_err(), "{bad:?} was taken");
    }
}

#[test]
fn malformed_moves_are_refused() {
    for (token, error) in [
        ("", "move '': expected r,c-r,c, @r,c or pass"),
        ("Pass", "move 'Pass': expected r,c-r,c, @r,c or pass"),
        ("0,1", "move '0,1': expected r,c-r,c, @r,c or pass"),
        ("0,1-2", "move '0,1-2': '2' is not a row and a column, such as 2,3"),
        ("0,1-2,5", "move '0,1-2,5': column '5' is not a whole number from 0 to 4 in plain digits"),
        ("00,1-2,1", "move '00,1-2,1': row '00' is not a whole number from 0 to 4 in plain digits"),
        (
            "0,1-2,1-3,1",
            "move '0,1-2,1-3,1': column '1-3,1' is not a whole number from 0 to 4 in plain digits",
        ),
        ("@4,0", "move '@4,0': row '4' is not a whole number from 0 to 3 in plain digits"),
        ("@1", "move '@1': '1' is not a row and a column, such as 2,3"),
    ] {
        let refused = with_game!("size=5", |game| game.parse_move(token).map(|_| ()));
        assert_eq!(refused.map_err(|error| error.to_string()), Err(error.to_owned()));
    }
    for illegal in ["0,1-0,2", "0,1-2,2", "1,0-1,2", "2,2-2,3", "0,1-0,1", "0,0-1,1"] {
        assert_eq!(ask("size=5", "", illegal).expect_err(illegal), format!("{illegal} is illegal"));
    }
}

#[test]
fn made_up_moves_are_illegal_rather_than_fatal() {
    use agon_loa::Move;
    for options in ["size=8", "size=11", "size=30", "size=5,rules=standard"] {
        with_game!(options, |game| {
            let start = game.start();
            for far in [24, 64, 121, 128, 960, 1024, u16::MAX] {
                for mv in [
                    Move::Slide { from: far, to: 0 },
                    Move::Slide { from: 1, to: far },
                    Move::Rotate { corner: far },
                ] {
                    let mut listed = false;
                    game.for_each_move(&start, |legal| listed |= legal == mv);
                    assert_eq!(game.is_legal(&start, mv), listed, "{options}: {mv:?}");
                }
            }
        });
    }
}

#[test]
fn the_diagram_has_the_coordinates_of_moves() {
    with_game!("size=5", |game| {
        let Diagram { board, facts } = game.diagram(&game.start());
        assert_eq!(
            board + &facts,
            "  0 1 2 3 4\n0 . b b b .\n1 w . . . w\n2 w . . . w\n3 w . . . w\n4 . b b b .\n\
             ply 0 of 200, pieces: Black 6, White 6"
        );
    });
    let large = with_game!("size=12", |game| game.diagram(&game.start())).board;
    assert!(large.starts_with("    0  1  2  3  4  5  6  7  8  9 10 11\n 0  .  b  b"), "{large}");
}
