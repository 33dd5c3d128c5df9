//! Tablut: its promises, its figures, its endings, its symmetries, what it refuses.

use std::sync::Arc;

use agon_board::Bits;
use agon_core::perft::perft;
use agon_core::random::seeded;
use agon_core::{Diagram, Game, Line, Notation, Options, Player, Ply, Turn};
use agon_tablut::{Move, SPEC, Side, Tablut};
use agon_testkit::twins::Twin;
use agon_testkit::{
    conformance, legal_moves, options, options_text, random_moves_are_even, read, square_images, verdict,
};

const START: &str = "3bbb3/4b4/4w4/b3w3b/bbwwkwwbb/b3w3b/4w4/4b4/3bbb3";

fn game(text: &str) -> Tablut {
    Tablut::new(&options(&SPEC, text)).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn line(options: &str, position: &str) -> Line<Tablut> {
    let game = Arc::new(game(options));
    let start = read(&*game, position);
    Line::from_position(game, start)
}

fn play(line: &mut Line<Tablut>, moves: &str) {
    for token in moves.split(' ') {
        let mv = line.game().parse_move(token).unwrap_or_else(|error| panic!("{error}"));
        assert!(line.play(Ply::Move(mv)), "{token} in {}", text(line));
    }
}

fn text(line: &Line<Tablut>) -> String {
    line.game().position_text(line.position())
}

fn standing(line: &Line<Tablut>) -> String {
    verdict(&**line.game(), line.outcome())
}

#[test]
fn conforms() {
    for options in
        ["", "rules=bologna", "first=defenders,limit=10", "limit=1000", "rules=bologna,first=attackers"]
    {
        conformance(game(options), 12, 160);
    }
}

#[test]
fn options_are_printed_whole_and_in_order() {
    for (given, printed) in [
        ("", "rules=ashton,first=attackers,limit=100"),
        ("limit=10,first=defenders", "rules=ashton,first=defenders,limit=10"),
        ("rules=bologna", "rules=bologna,first=defenders"),
        ("first=attackers,rules=bologna", "rules=bologna,first=attackers"),
    ] {
        assert_eq!(options_text(&game(given)), printed);
    }
}

#[test]
fn bad_options_are_refused_by_name() {
    for (options, fault) in [
        ("rules=bologna,limit=50", "limit=50 is not allowed: rules=bologna has no ply limit"),
        ("limit=9", "limit must be 10 to 1000"),
        ("limit=1001", "limit must be 10 to 1000"),
        ("first=b", "first must be attackers or defenders"),
        ("rules=fetlar", "rules must be ashton or bologna"),
        ("size=9", "no option 'size'"),
    ] {
        let refused = Options::parse(&SPEC, options).and_then(|parsed| Tablut::new(&parsed).map(|_| ()));
        let error = refused.expect_err(options).to_string();
        assert!(error.contains(fault), "{options}: {error}");
    }
}

#[test]
fn the_side_that_starts_is_the_first_player() {
    for (options, seats) in [
        ("", ["b", "w"]),
        ("first=defenders", ["w", "b"]),
        ("rules=bologna", ["w", "b"]),
        ("rules=bologna,first=attackers", ["b", "w"]),
    ] {
        let game = game(options);
        assert_eq!([game.seat(Player(0)), game.seat(Player(1))], seats, "{options}");
        assert_eq!(game.turn(&game.start()), Turn::Player(Player(0)));
        assert_eq!(game.position_text(&game.start()), format!("{START} {} 0", seats[0]));
        for (seat, side) in [("b", Side::Attackers), ("w", Side::Defenders)] {
            let position = game.parse_position(&format!("{START} {seat} 7")).expect("either side may move");
            assert_eq!(position.side(), side);
            assert_eq!(game.turn(&position), Turn::Player(game.player(side)));
            assert_eq!(game.seat(game.player(side)), seat);
            assert_eq!(game.side_of(game.player(side)), side);
        }
    }
}

#[test]
fn known_counts_hold() {
    // From the rules of the Bologna challenge, whose depth 5 is 1,074,150,880.
    let game = game("rules=bologna");
    for (depth, nodes) in [(0, 1), (1, 56), (2, 4_408), (3, 248_456), (4, 19_159_224)] {
        assert_eq!(perft(&game, &game.start(), depth, u64::MAX), Ok(nodes), "depth {depth}");
    }
}

#[test]
fn turned_and_mirrored_boards_play_alike() {
    for options in ["", "rules=bologna"] {
        let game = game(options);
        let mut rng = seeded(5);
        for _ in 0..40 {
            let position = crate::plain::Tablut::sample(options, &mut rng);
            let images: Vec<_> = square_images(&position)
                .iter()
                .map(|image| {
                    let image = read(&game, image);
                    (perft(&game, &image, 2, u64::MAX), verdict(&game, game.outcome(&image)))
                })
                .collect();
            assert!(images.iter().all(|image| *image == images[0]), "{options} {position}: {images:?}");
        }
    }
}

#[test]
fn random_moves_are_drawn_evenly() {
    let game = game("");
    let position = read(&game, "4b4/9/9/b8/3wk3b/9/9/w2w5/9 w 0");
    random_moves_are_even(&game, &position, 2_000, &mut seeded(11));
}

/// Options, position, moves, the position that follows and its verdict; `*` stands for both rules.
const SCENES: &[(&str, &str, &str, &str, &str)] = &[
    // Between two enemies: a defender moves up, the king helps, the king moves up, three fall at once.
    ("*", "b8/9/2wb4w/9/4k4/9/9/9/9 w 0", "i3e3", "b8/9/2w1w4/9/4k4/9/9/9/9 b 1", "ongoing"),
    ("*", "b8/9/2kb4w/9/9/9/9/9/9 w 0", "i3e3", "b8/9/2k1w4/9/9/9/9/9/9 b 1", "ongoing"),
    ("*", "b8/9/2wb2k2/9/9/9/9/9/9 w 0", "g3e3", "b8/9/2w1k4/9/9/9/9/9/9 b 1", "ongoing"),
    ("*", "b8/9/9/9/3wk4/3b5/1wb5w/3b5/9 w 0", "i7d7", "b8/9/9/9/3wk4/9/1w1w5/9/9 b 1", "ongoing"),
    ("*", "9/9/1bw6/9/4k4/8b/9/3b5/9 b 0", "d8d3", "9/9/1b1b5/9/4k4/8b/9/9/9 w 1", "ongoing"),
    // Nothing falls to a line that the mover does not close, or that it steps into itself.
    ("*", "9/9/2w1w4/9/4k4/3b5/9/9/9 b 0", "d6d3", "9/9/2wbw4/9/4k4/9/9/9/9 w 1", "ongoing"),
    ("*", "9/9/2wbw4/9/4k4/9/9/9/w8 w 0", "a9a8", "9/9/2wbw4/9/4k4/9/9/w8/9 b 1", "ongoing"),
    // Nothing falls against the edge.
    ("*", "b7b/9/w8/9/4k4/9/9/9/9 w 0", "a3a2", "b7b/w8/9/9/4k4/9/9/9/9 b 1", "ongoing"),
    // A camp, empty or not, is hostile to both sides.
    ("*", "9/9/2b6/1w7/4k4/9/9/9/9 b 0", "c3c4", "9/9/9/2b6/4k4/9/9/9/9 w 1", "ongoing"),
    ("*", "8b/9/2w6/1b7/4k4/9/9/9/9 w 0", "c3c4", "8b/9/9/2w6/4k4/9/9/9/9 b 1", "ongoing"),
    ("*", "9/9/2w6/bb7/4k4/9/9/9/9 w 0", "c3c4", "9/9/9/b1w6/4k4/9/9/9/9 b 1", "ongoing"),
    // Its back square helps against attackers under `ashton` only.
    ("rules=ashton", "9/9/9/2w6/bb2k4/9/9/9/9 w 0", "c4c5", "9/9/9/9/b1w1k4/9/9/9/9 b 1", "ongoing"),
    ("rules=bologna", "9/9/9/2w6/bb2k4/9/9/9/9 w 0", "c4c5", "9/9/9/9/bbw1k4/9/9/9/9 b 1", "ongoing"),
    ("rules=ashton", "3b4b/9/2w6/9/4k4/9/9/9/9 w 0", "c3c1", "2w5b/9/9/9/4k4/9/9/9/9 b 1", "ongoing"),
    ("rules=bologna", "3b4b/9/2w6/9/4k4/9/9/9/9 w 0", "c3c1", "2wb4b/9/9/9/4k4/9/9/9/9 b 1", "ongoing"),
    ("*", "8b/9/9/1w7/1b2k4/2w6/9/9/9 w 0", "c6b6", "8b/9/9/1w7/4k4/1w7/9/9/9 b 1", "ongoing"),
    // The castle is hostile to both sides, empty or with the king on it.
    ("*", "8b/9/9/2w6/3b5/9/6k2/9/9 w 0", "c4c5", "8b/9/9/9/2w6/9/6k2/9/9 b 1", "ongoing"),
    ("*", "8b/9/9/2w6/3bk4/9/9/9/9 w 0", "c4c5", "8b/9/9/9/2w1k4/9/9/9/9 b 1", "ongoing"),
    ("*", "9/9/3b5/4w4/9/9/6k2/9/9 b 0", "d3e3", "9/9/4b4/9/9/9/6k2/9/9 w 1", "ongoing"),
    ("*", "9/9/3b5/4w4/4k4/9/9/9/9 b 0", "d3e3", "9/9/4b4/9/4k4/9/9/9/9 w 1", "ongoing"),
    // The king on the castle falls to four attackers, not to two or three.
    ("*", "9/9/9/4bb3/3bk4/4b4/9/9/9 b 0", "f4f5", "9/9/9/4b4/3b1b3/4b4/9/9/9 w 1", "won b (king captured)"),
    ("*", "9/9/9/4bb3/3bk4/9/9/9/9 b 0", "f4f5", "9/9/9/4b4/3bkb3/9/9/9/9 w 1", "ongoing"),
    ("*", "9/9/9/4bb3/3bk4/4w4/9/9/9 b 0", "f4f5", "9/9/9/4b4/3bkb3/4w4/9/9/9 w 1", "ongoing"),
    // Next to the castle he falls to three, whichever of them comes last, not to two.
    ("*", "9/9/3b5/3bkb3/9/9/9/9/9 b 0", "d3e3", "9/9/4b4/3b1b3/9/9/9/9/9 w 1", "won b (king captured)"),
    ("*", "9/9/4bb3/3bk4/9/9/9/9/9 b 0", "f3f4", "9/9/4b4/3b1b3/9/9/9/9/9 w 1", "won b (king captured)"),
    ("*", "9/9/5b3/3bk4/9/9/9/9/9 b 0", "f3f4", "9/9/9/3bkb3/9/9/9/9/9 w 1", "ongoing"),
    ("*", "9/9/3b5/3bk4/9/9/9/9/9 b 0", "d3e3", "9/9/4b4/3bk4/9/9/9/9/9 w 1", "ongoing"),
    ("*", "9/9/4wb3/3bk4/9/9/9/9/9 b 0", "f3f4", "9/9/4w4/3bkb3/9/9/9/9/9 w 1", "ongoing"),
    // Elsewhere he falls like any other piece, a defender with him.
    ("*", "9/9/1bk6/3b5/9/9/9/9/9 b 0", "d4d3", "9/9/1b1b5/9/9/9/9/9/9 w 1", "won b (king captured)"),
    ("*", "9/3k5/4b4/9/9/9/9/9/9 b 0", "e3d3", "9/9/3b5/9/9/9/9/9/9 w 1", "won b (king captured)"),
    ("*", "9/9/9/3b5/2k6/9/9/9/9 b 0", "d4d5", "9/9/9/9/3b5/9/9/9/9 w 1", "won b (king captured)"),
    ("*", "9/9/1bk1wb3/3b5/9/9/9/9/9 b 0", "d4d3", "9/9/1b1b1b3/9/9/9/9/9/9 w 1", "won b (king captured)"),
    ("*", "9/9/1bk6/9/3b5/9/9/9/9 b 0", "d5d4", "9/9/1bk6/3b5/9/9/9/9/9 w 1", "ongoing"),
    // The king moves between two attackers and is safe.
    ("*", "9/9/2b1b4/9/9/9/3k5/9/9 w 0", "d7d3", "9/9/2bkb4/9/9/9/9/9/9 b 1", "ongoing"),
    // Escapes; on the last ply too, and a side without a move loses even there.
    ("*", "8b/9/2k6/9/9/9/9/9/9 w 0", "c3a3", "8b/9/k8/9/9/9/9/9/9 b 1", "won w (king escaped)"),
    ("*", "8b/9/2k6/9/9/9/9/9/9 w 99", "c3c1", "2k5b/9/9/9/9/9/9/9/9 b 100", "won w (king escaped)"),
    ("*", "b8/w8/1w7/9/4k4/9/9/9/9 w 99", "b3b1", "bw7/w8/9/9/4k4/9/9/9/9 b 100", "won w (no move)"),
    ("", "b8/9/1w7/9/4k4/9/9/9/9 w 98", "b3b2 a1a2", "9/bw7/9/9/4k4/9/9/9/9 w 100", "drawn (limit)"),
    ("limit=200", "b8/9/1w7/9/4k4/9/9/9/9 w 98", "b3b2 a1a2", "9/bw7/9/9/4k4/9/9/9/9 w 100", "ongoing"),
    ("rules=bologna", "b8/9/1w7/9/4k4/9/9/9/9 w 98", "b3b2 a1a2", "9/bw7/9/9/4k4/9/9/9/9 w 100", "ongoing"),
    ("*", "8b/9/2kbw4/9/9/9/9/9/9 b 3", "i1h1", "7b1/9/2kbw4/9/9/9/9/9/9 w 4", "ongoing"),
];

#[test]
fn scenes_play_out() {
    for (options, before, moves, after, end) in SCENES {
        let both = ["rules=ashton", "rules=bologna"];
        let options = if *options == "*" { &both[..] } else { std::slice::from_ref(options) };
        for options in options {
            let mut line = line(options, before);
            play(&mut line, moves);
            assert_eq!(text(&line), *after, "{options} {before} {moves}");
            assert_eq!(standing(&line), *end, "{options} {after}");
        }
    }
}

#[test]
fn positions_are_judged_as_they_stand() {
    for (options, position, end) in [
        ("", "9/9/9/9/9/9/9/9/9 w 0", "won b (king captured)"),
        ("limit=10", "b8/9/9/9/9/9/9/9/9 w 500", "won b (king captured)"),
        ("limit=10", "2k6/9/9/9/9/9/9/9/8b b 500", "won w (king escaped)"),
        ("limit=10", "2k6/9/9/9/9/9/9/9/8b w 0", "won w (king escaped)"),
        ("limit=10", "9/9/9/9/4k4/9/9/9/9 b 500", "won w (no move)"),
        ("limit=10", "9/9/9/4b4/3bkb3/4b4/9/9/9 w 10", "won b (no move)"),
        ("limit=10", "9/9/9/4b4/3bkb3/4b4/9/9/9 b 10", "drawn (limit)"),
        ("limit=10", "9/9/9/4b4/3bkb3/4b4/9/9/9 b 9", "ongoing"),
        ("rules=bologna", "9/9/9/9/4k4/9/9/9/9 w 1000000", "ongoing"),
        ("rules=bologna", "9/9/9/9/4k4/9/9/9/9 b 1000000", "won w (no move)"),
    ] {
        let line = line(options, position);
        assert_eq!(standing(&line), end, "{options} {position}");
        assert_eq!(line.legal().is_empty(), end != "ongoing", "{options} {position}");
    }
}

#[test]
fn camps_open_from_inside_and_the_castle_never() {
    for (position, moves) in [
        // Along its own camp and on, but not into the camp opposite.
        (
            "3b5/9/9/9/4k4/9/9/9/9 b 0",
            "d1a1 d1b1 d1c1 d1d2 d1d3 d1d4 d1d5 d1d6 d1d7 d1d8 d1e1 d1f1 d1g1 d1h1 d1i1",
        ),
        ("9/9/9/9/1b2k4/9/9/9/9 b 0", "b5a5 b5b1 b5b2 b5b3 b5b4 b5b6 b5b7 b5b8 b5b9 b5c5 b5d5"),
        ("4b4/9/9/9/9/9/6k2/9/9 b 0", "e1a1 e1b1 e1c1 e1d1 e1e2 e1e3 e1e4 e1f1 e1g1 e1h1 e1i1"),
        // Once out, out.
        ("2b6/9/9/9/4k4/9/9/9/9 b 0", "c1a1 c1b1 c1c2 c1c3 c1c4 c1c5 c1c6 c1c7 c1c8 c1c9"),
        // The king leaves the castle and cannot cross or enter it again.
        (
            "4b4/9/9/4w4/2b1kb3/4w4/9/9/9 w 0",
            "e4b4 e4c4 e4d4 e4e3 e4f4 e4g4 e4h4 e5d5 e6b6 e6c6 e6d6 e6e7 e6f6 e6g6 e6h6",
        ),
        ("8b/9/9/4b4/3k5/3b5/9/9/9 w 0", "d5c5 d5d2 d5d3 d5d4"),
    ] {
        for options in ["", "rules=bologna"] {
            let game = game(options);
            let listed = legal_moves(&game, &read(&game, position));
            assert_eq!(listed.join(" "), moves, "{position}");
        }
    }
}

#[test]
fn a_position_that_comes_again_is_a_draw_under_bologna_only() {
    for (options, end) in [("rules=bologna", "drawn (repetition)"), ("", "ongoing")] {
        let mut line = line(options, "b8/9/2w6/9/4k4/9/9/9/9 w 0");
        play(&mut line, "c3c4 a1b1 c4c3 b1a1");
        assert_eq!(line.outcome(), None, "{options}: where the game began is not counted");
        play(&mut line, "c3c4");
        assert_eq!(standing(&line), end);
        assert_eq!(line.legal().is_empty(), options == "rules=bologna");
    }
    // The position after a capture is counted, those before it cannot come again.
    let mut line = line("rules=bologna", "b8/9/2wb4w/9/4k4/9/9/9/9 w 0");
    play(&mut line, "i3e3 a1b1 e3e4 b1a1");
    assert_eq!(line.outcome(), None);
    let mut seen: Vec<_> = line.plies_since(0).map(|(before, _)| before).collect();
    seen.push(*line.position());
    let irreversible: Vec<bool> =
        seen.windows(2).map(|step| line.game().is_irreversible(&step[0], &step[1])).collect();
    assert_eq!(irreversible, [true, false, false, false]);
    play(&mut line, "e4e3");
    assert_eq!(standing(&line), "drawn (repetition)");
}

#[test]
fn impossible_and_malformed_positions_are_refused() {
    let game = game("");
    for (position, fault) in [
        ("", "does not have the 3 fields rows, side to move, plies"),
        (START, "does not have the 3 fields"),
        ("9/9/9/9/4k4/9/9/9/9 b", "does not have the 3 fields"),
        ("9/9/9/9/4k4/9/9/9/9 b 0 ", "does not have the 3 fields"),
        ("9/9/9/9/4k4/9/9/9 b 0", "8 rows where 9 are expected"),
        ("9/9/9/9/4k3/9/9/9/9 b 0", "row 5 from the top: 8 cells where 9 are expected"),
        ("9/9/9/9/4K4/9/9/9/9 b 0", "row 5 from the top: 'K' is not b, w or k or a run length"),
        ("9/9/9/9/4k4/9/9/9/9 x 0", "side to move: 'x' is not b or w"),
        ("9/9/9/9/4k4/9/9/9/9 b 01", "plies: '01' is not a whole number from 0 to 1000000"),
        ("9/9/9/9/4k4/9/9/9/9 b 1000001", "plies: '1000001'"),
        ("bbb1bb3/bbbb1bbbb/9/bbbb5/4k4/9/9/9/9 b 0", "17 attackers where at most 16 can be"),
        ("9/www6/www6/www6/4k4/9/9/9/9 b 0", "9 defenders where at most 8 can be"),
        ("9/9/9/2k6/4k4/9/9/9/9 b 0", "2 kings where at most 1 can be"),
        ("9/9/9/9/4b4/9/9/9/9 b 0", "an attacker on the castle, on e5"),
        ("9/9/9/9/4w4/9/9/9/9 b 0", "a defender on the castle, on e5"),
        ("9/4w4/9/9/4k4/9/9/9/9 b 0", "a defender in a camp, on e2"),
        ("9/9/9/9/8k/9/9/9/9 b 0", "the king in a camp, on i5"),
    ] {
        let error = game.parse_position(position).expect_err(position).to_string();
        assert!(error.contains(fault), "{position}: {error}");
    }
    let all = game.parse_position("3k1w3/9/9/9/4b4/9/9/9/kkkkkkkk w -1").expect_err("five faults");
    assert_eq!(
        all.to_string(),
        "position: row 9 from the top: 8 cells where 9 are expected; 9 kings where at most 1 can be; \
         an attacker on the castle, on e5; a defender in a camp, on f1; the king in a camp, on d1; \
         the king in a camp, on d9; the king in a camp, on e9; the king in a camp, on f9; \
         plies: '-1' is not a whole number from 0 to 1000000 in plain digits"
    );
}

#[test]
fn malformed_moves_are_refused() {
    let game = game("");
    for token in
        ["", "d1", "d1d", "d1d10", "d1d3 ", " d1d3", "D1D3", "d1-d3", "d1j1", "d1d0", "d1d1", "d1e2", "d01d3"]
    {
        let error = game.parse_move(token).expect_err(token).to_string();
        assert!(error.starts_with("move '"), "{error}");
    }
    assert_eq!(Move::between((0, 0), (0, 9)), None);
}

#[test]
fn the_diagram_shows_the_board() {
    let ashton = game("");
    let Diagram { board, facts } = ashton.diagram(&ashton.start());
    assert_eq!(
        board + &facts,
        "  a b c d e f g h i\n\
         1 . . . b b b . . .\n\
         2 . . . . b . . . .\n\
         3 . . . . w . . . .\n\
         4 b . . . w . . . b\n\
         5 b b w w k w w b b\n\
         6 b . . . w . . . b\n\
         7 . . . . w . . . .\n\
         8 . . . . b . . . .\n\
         9 . . . b b b . . .\n\
         empty: . square, : camp, + castle\n\
         attackers 16, defenders 8, ply 0 of 100"
    );
    let bologna = game("rules=bologna");
    assert_eq!(bologna.diagram(&bologna.start()).facts, "attackers 16, defenders 8, ply 0");
}

#[test]
fn insight_agrees_with_the_rules() {
    let mut rng = seeded(11);
    for options in ["", "rules=bologna", "limit=400"] {
        let game = game(options);
        for _ in 0..30 {
            let mut position = game.start();
            while let Some(chosen) = game.random_move(&position, &mut rng) {
                let side = position.side();
                let mut arrivals = 0;
                game.for_each_move(&position, |mv| {
                    let mut next = position;
                    game.play_unchecked(&mut next, mv);
                    let all = |position: &agon_tablut::Position| match side {
                        Side::Attackers => position.defenders() | position.king().map_or(0, u128::square),
                        Side::Defenders => position.attackers(),
                    };
                    assert_eq!(game.captured_by(&position, mv), all(&position) ^ all(&next), "{mv:?}");
                    arrivals |= u128::square(mv.to());
                });
                let king = position.king().map_or(0, u128::square);
                let empty = u128::board(9) & !(position.attackers() | position.defenders() | king);
                empty.for_each(|square| {
                    let can = game.can_arrive(&position, side, square);
                    assert_eq!(can, arrivals.contains(square), "{square} in {position:?}");
                });
                game.play_unchecked(&mut position, chosen);
            }
        }
    }
}

#[test]
fn a_skipped_turn_changes_nothing_but_the_turn() {
    let game = game("");
    let mut position = game.start();
    game.skip(&mut position);
    assert_eq!(game.position_text(&position), format!("{START} w 1"));
}
