//! Othello: its promises, its figures, its endings, what it refuses, and that every kind of set of squares
//! plays alike.

use agon_board::Rows;
use agon_core::cpu::{Portable, Root};
use agon_core::perft::{Perft, perft};
use agon_core::random::seeded;
use agon_core::{Diagram, Game, Notation, Options, Outcome, Player, Turn, View};
use agon_othello::{AnyOthello, Flank, Move, Othello, SPEC};
use agon_testkit::twins::{self, Twin};
use agon_testkit::{
    compress, conformance, legal_moves, options, options_text, random_moves_are_even, read, square_images,
    verdict,
};

const BLACK: Player = Player(0);
const WHITE: Player = Player(1);

/// Runs a generic check on every size, on each kind of set that holds it.
macro_rules! on_every_board {
    ($check:ident) => {
        for size in (4..=8).step_by(2) {
            $check(Othello::<u64>::new(size));
        }
        for size in (4..=10).step_by(2) {
            $check(Othello::<u128>::new(size));
        }
        for size in (4..=26).step_by(2) {
            $check(Othello::<Rows>::new(size));
        }
    };
}

fn moves<B: Flank>(game: &Othello<B>, text: &str) -> Vec<String> {
    legal_moves(game, &read(game, text))
}

/// Everything that the rules say about one position, and what each of its moves makes of it.
fn compare_with_twin<B: Flank>(game: &Othello<B>, text: &str) {
    let (options, position) = (options_text(game), read(game, text));
    let twin = crate::plain::Othello::read(&options, text).expect("a position");
    assert_eq!(verdict(game, game.outcome(&position)), twin.standing().to_string(), "{text}");
    assert_eq!(legal_moves(game, &position), twin.legal(), "{text}");
    let replies = twins::perft::<crate::plain::Othello>(&options, text, 2);
    assert_eq!(game.count_replies(&position), replies, "{text}: replies");
    game.for_each_move(&position, |mv| {
        let (mut next, mut expected, token) = (position, twin.clone(), game.move_text(mv));
        game.play_unchecked(&mut next, mv);
        expected.play(&token);
        assert_eq!(game.position_text(&next), expected.position(), "{text} after {token}");
    });
}

fn agrees_with_its_twin<B: Flank>(game: Othello<B>) {
    let mut rng = seeded(game.size() as u64);
    // The twin is slow on large boards.
    let (samples, stride) = (256 / game.size(), game.size() * game.size() / 16);
    for _ in 0..samples {
        compare_with_twin(&game, &crate::plain::Othello::sample(&options_text(&game), &mut rng));
    }
    let mut position = game.start();
    for ply in 0.. {
        let mv = game.random_move(&position, &mut rng);
        if ply % stride == 0 || mv.is_none() {
            compare_with_twin(&game, &game.position_text(&position));
        }
        let Some(mv) = mv else { break };
        game.play_unchecked(&mut position, mv);
    }
}

/// Also where a narrower set would do, which is what `tests/twins.rs` does not see.
#[test]
fn every_kind_of_set_agrees_with_the_twin() {
    on_every_board!(agrees_with_its_twin);
}

/// The longest line of each direction, from each end, on a board with nothing else.
fn encloses_longest_lines<B: Flank>(game: Othello<B>) {
    let size = game.size();
    let line = |row: &dyn Fn(usize) -> usize, column: &dyn Fn(usize) -> usize| {
        let mut cells = vec![vec!['.'; size]; size];
        for step in 1..size - 1 {
            cells[row(step)][column(step)] = 'o';
        }
        cells[row(size - 1)][column(size - 1)] = 'x';
        let text = format!("{} x", compress(&cells));
        let target = format!("{}{}", (b'a' + column(0) as u8) as char, row(0) + 1);
        assert_eq!(moves(&game, &text), [target.as_str()], "{text}");
        let mut position = read(&game, &text);
        game.play_unchecked(&mut position, game.parse_move(&target).expect("a square"));
        assert_eq!(position.discs(BLACK).count() as usize, size, "{text}");
        assert!(position.discs(WHITE).is_empty(), "{text}");
    };
    let (there, back) = (|step: usize| step, |step: usize| size - 1 - step);
    line(&there, &there);
    line(&there, &back);
    line(&back, &there);
    line(&back, &back);
    for fixed in 0..size {
        line(&there, &|_| fixed);
        line(&back, &|_| fixed);
        line(&|_| fixed, &there);
        line(&|_| fixed, &back);
    }
}

#[test]
fn lines_are_enclosed_from_edge_to_edge() {
    on_every_board!(encloses_longest_lines);
}

#[test]
fn every_board_keeps_the_promises_of_a_game() {
    conformance(Othello::<u64>::new(4), 30, 40);
    conformance(Othello::<u64>::new(6), 10, 80);
    conformance(Othello::<u64>::new(8), 10, 140);
    conformance(Othello::<u128>::new(10), 5, 200);
    conformance(Othello::<Rows>::new(12), 3, 300);
    conformance(Othello::<Rows>::new(26), 1, 1400);
}

/// The counts from the start of 8×8, as published by Aart Bik ("Perft for Reversi") and since confirmed by
/// many programs. At ply 10 those tables have 24,571,284, because they count the 228 games that ended
/// at ply 9 once more; a game that is over adds nothing here.
const PERFT_8: [u64; 11] = [1, 4, 12, 56, 244, 1_396, 8_200, 55_092, 390_216, 3_005_288, 24_571_056];

#[test]
fn perft_counts_what_is_known() {
    let game = Othello::<u64>::new(8);
    for (depth, &nodes) in PERFT_8.iter().enumerate() {
        assert_eq!(perft(&game, &game.start(), depth as u32, 1 << 40), Ok(nodes), "depth {depth}");
    }
    for (depth, &nodes) in PERFT_8.iter().enumerate().take(8) {
        let game = Othello::<u128>::new(8);
        assert_eq!(perft(&game, &game.start(), depth as u32, 1 << 40), Ok(nodes), "depth {depth} in u128");
        let game = Othello::<Rows>::new(8);
        assert_eq!(perft(&game, &game.start(), depth as u32, 1 << 40), Ok(nodes), "depth {depth} in rows");
    }
}

/// To the very end, where passes abound, at the portable level and at the best of this machine.
#[test]
fn perft_agrees_with_the_twin_to_the_end_of_the_game() {
    for (size, text) in [
        (4, "4/1ox1/1xo1/4 x"),
        (6, "xxxxxx/xooox1/xoxox1/xooxx1/xxxxx1/5o x"),
        (8, "xxxxxxx1/oxxxxxo1/oxoxoxo1/oxxoxxo1/oxoxxxo1/ooxxxxo1/oxxxxxx1/1ooooo2 o"),
        (8, "1ooooooo/xoxooooo/xoxxooo1/xooxoo2/xoooxo2/xxooxx1o/x1oxxx2/1oooo3 x"),
    ] {
        let game = Othello::<u64>::new(size);
        let position = read(&game, text);
        for depth in 0..=6 {
            let expected = Ok(twins::perft::<crate::plain::Othello>(&options_text(&game), text, depth));
            let count = Perft { game: &game, position: &position, depth, limit: 1 << 40 };
            assert_eq!(count.at(Portable), expected, "{text} at depth {depth}, portable");
            assert_eq!(perft(&game, &position, depth, 1 << 40), expected, "{text} at depth {depth}");
        }
    }
}

/// The final disc difference for the side to move under best play.
fn solve<B: Flank>(game: &Othello<B>, position: &agon_othello::Position<B>) -> i32 {
    let mut best = None;
    game.for_each_move(position, |mv| {
        let mut next = *position;
        game.play_unchecked(&mut next, mv);
        best = best.max(Some(-solve(game, &next)));
    });
    best.unwrap_or(position.own.count() as i32 - position.opponent.count() as i32)
}

/// Under perfect play white wins 4×4 by 11 to 3.
#[test]
fn the_smallest_board_is_lost_by_eight_discs() {
    let game = Othello::<u64>::new(4);
    assert_eq!(solve(&game, &game.start()), 3 - 11);
}

#[test]
fn turned_and_mirrored_boards_have_as_many_games() {
    let text = "8/2xooo2/2xxo3/3oxo2/2ooxx2/3ox3/4x3/8 o";
    let game = Othello::<u64>::new(8);
    let counts: Vec<_> =
        square_images(text).iter().map(|image| perft(&game, &read(&game, image), 4, 1 << 40)).collect();
    assert!(counts[0].is_ok_and(|count| count > 1000), "{counts:?}");
    assert!(counts.iter().all(|count| *count == counts[0]), "{counts:?}");
}

#[test]
fn games_end_by_discs_and_only_when_neither_can_move() {
    let game = Othello::<u64>::new(4);
    for (text, expected) in [
        // An empty board, a lone colour, a full board of each kind.
        ("4/4/4/4 x", Some(Outcome::drawn("discs"))),
        ("4/4/4/4 o", Some(Outcome::drawn("discs"))),
        ("4/1xx1/4/4 o", Some(Outcome::won(BLACK, "discs"))),
        ("4/1oo1/4/4 o", Some(Outcome::won(WHITE, "discs"))),
        ("xxxx/xxxx/xooo/oooo x", Some(Outcome::won(BLACK, "discs"))),
        ("xxxx/xxxo/xooo/oooo o", Some(Outcome::drawn("discs"))),
        ("xxxx/xoo1/oooo/oooo x", None),
        // Neither colour can move although squares are left.
        ("1xx1/1oo1/4/4 x", None),
        ("x2o/4/4/o2x x", Some(Outcome::drawn("discs"))),
        ("x2o/4/4/4 o", Some(Outcome::drawn("discs"))),
        // Only the other side can move: not over, one must pass.
        ("xo2/4/4/4 x", None),
        ("xo2/4/4/4 o", None),
    ] {
        let position = read(&game, text);
        assert_eq!(game.outcome(&position), expected, "{text}");
        let named = if text.ends_with('x') { BLACK } else { WHITE };
        assert_eq!(game.turn(&position), Turn::Player(named), "{text}: the side that the position names");
    }
    assert_eq!(moves(&game, "xo2/4/4/4 x"), ["c1"]);
    assert_eq!(moves(&game, "xo2/4/4/4 o"), ["pass"]);
    assert_eq!(moves(&game, "xxxx/xxxo/xooo/oooo o"), [""; 0]);
}

#[test]
fn only_listed_moves_are_legal_however_made_up() {
    fn check<B: Flank>(game: Othello<B>) {
        let position = game.start();
        let legal: Vec<u16> =
            (0..=u16::MAX).filter(|&square| game.is_legal(&position, Move::Place(square))).collect();
        assert_eq!(legal.len(), 4, "on {0}×{0}", game.size());
        assert!(!game.is_legal(&position, Move::Pass));
    }
    on_every_board!(check);
}

#[test]
fn random_moves_are_drawn_evenly() {
    let game = Othello::<u64>::new(8);
    let (mut rng, mut position) = (seeded(7), game.start());
    for _ in 0..20 {
        let mv = game.random_move(&position, &mut rng).expect("the game goes on");
        game.play_unchecked(&mut position, mv);
    }
    random_moves_are_even(&game, &position, 1_000, &mut rng);
}

#[test]
fn options_choose_the_board() {
    for size in (4..=26).step_by(2) {
        let given = format!("size={size}");
        let (printed, start) = match AnyOthello::new(&options(&SPEC, &given)).expect("a game") {
            AnyOthello::Small(game) => (options_text(&game), game.position_text(&game.start())),
            AnyOthello::Medium(game) => (options_text(&game), game.position_text(&game.start())),
            AnyOthello::Large(game) => (options_text(&game), game.position_text(&game.start())),
        };
        assert_eq!(printed, given);
        assert_eq!(start.split('/').count(), size);
    }
    let AnyOthello::Small(game) = AnyOthello::new(&options(&SPEC, "")).expect("8×8") else {
        panic!("the usual board is a small one");
    };
    assert_eq!(game.position_text(&game.start()), "8/8/8/3ox3/3xo3/8/8/8 x");
    for bad in ["size=3", "size=2", "size=7", "size=28", "size=0", "size=", "size=08", "rows=8"] {
        assert!(Options::parse(&SPEC, bad).is_err(), "{bad}");
    }
}

#[test]
fn positions_are_read_strictly_and_all_faults_named() {
    let game = Othello::<u64>::new(4);
    for (text, faults) in [
        ("", &["does not have the 2 fields rows, side to move"][..]),
        ("4/4/4/4", &["does not have the 2 fields"]),
        ("4/4/4/4  x", &["does not have the 2 fields"]),
        ("4/4/4/4 x ", &["does not have the 2 fields"]),
        ("4/4/4/4 x 0", &["does not have the 2 fields"]),
        ("4/4/4/4 b", &["side to move: 'b' is not x or o"]),
        ("4/4/4/4 X", &["side to move: 'X' is not x or o"]),
        ("4/4/4 x", &["3 rows where 4 are expected"]),
        ("4/4/4/4/4 x", &["5 rows where 4 are expected"]),
        ("8/8/8/3ox3/3xo3/8/8/8 x", &["8 rows where 4 are expected"]),
        ("4/5/4/xoxox X", &["row 2 from the top", "row 4 from the top: more than 4 cells", "side to move"]),
        ("4/3/4/4 x", &["row 2 from the top: 3 cells where 4 are expected"]),
        ("04/4/4/4 x", &["row 1 from the top: run length '04'"]),
        ("4/1*2/4/4 x", &["row 2 from the top: '*' is not x or o"]),
        ("4/-4/4/4 x", &["row 2 from the top: '-' is not x or o"]),
    ] {
        let error = game.parse_position(text).expect_err(text).to_string();
        assert!(error.starts_with("position: "), "{error}");
        for fault in faults {
            assert!(error.contains(fault), "{text}: {error} lacks {fault}");
        }
    }
}

#[test]
fn moves_are_read_strictly() {
    let game = Othello::<u64>::new(8);
    assert_eq!(game.parse_move("d3"), Ok(Move::Place(2 * 8 + 3)));
    assert_eq!(game.parse_move("pass"), Ok(Move::Pass));
    for bad in ["", "d", "3d", "D3", "d03", "d0", "d9", "i1", "d3 ", " d3", "d3d4", "PASS", "(3,4)", "d٣"] {
        let error = game.parse_move(bad).expect_err(bad).to_string();
        let expected = "expected a square such as d3 (columns a to h, rows 1 to 8) or pass";
        assert!(error.contains(expected), "{error}");
    }
    let game = Othello::<Rows>::new(26);
    assert_eq!(game.move_text(game.parse_move("z26").expect("the last square")), "z26");
    assert!(game.parse_move("z27").is_err());
}

#[test]
fn the_terminal_takes_rows_and_columns_too() {
    let game = Othello::<u128>::new(10);
    for (typed, square) in [("d3", "d3"), ("(3,4)", "d3"), ("(10,1)", "a10"), ("(1,10)", "j1")] {
        assert_eq!(game.parse_typed_move(typed), game.parse_move(square), "{typed}");
    }
    assert_eq!(game.parse_typed_move("pass"), Ok(Move::Pass));
    for bad in [
        "(0,1)", "(1,0)", "(11,1)", "(1,11)", "(1)", "(1,2", "1,2)", "1,2", "(1,2,3)", "( 1,2)", "(01,2)",
        "()",
    ] {
        let error = game.parse_typed_move(bad).expect_err(bad).to_string();
        assert!(error.contains("a to j") && error.contains("(row,column) such as (3,4)"), "{error}");
    }
}

#[test]
fn diagrams_show_board_and_discs() {
    let game = Othello::<u64>::new(4);
    let Diagram { board, facts } = game.diagram(&game.start());
    assert_eq!(
        board + &facts,
        "  a b c d\n1 . . . .\n2 . o x .\n3 . x o .\n4 . . . .\ndiscs: Black 2, White 2"
    );
}

#[test]
fn boards_have_dots_two_lines_from_their_edges() {
    let dots = |size: usize| {
        let game = Othello::<u128>::new(size);
        let board = View::board(&game, &game.start());
        board.dots.iter().map(|&dot| board.place_name(dot)).collect::<Vec<_>>()
    };
    assert_eq!(dots(8), ["b2", "f2", "b6", "f6"], "each by the square to its upper left");
    assert_eq!(dots(6), ["b2", "d2", "b4", "d4"]);
    assert!(dots(4).is_empty());
}
