//! Chinese Checkers: its promises, its figures, its endings, its symmetries.

use std::collections::{HashMap, HashSet};

use agon_board::notation::{read_rows, write_rows};
use agon_chinese_checkers::{ChineseCheckers, Hole, Move, Position, SPEC, WIDTHS};
use agon_core::perft::perft;
use agon_core::random::seeded;
use agon_core::text::quote;
use agon_core::{Diagram, Game, Notation, Options, Player};
use agon_testkit::{conformance, legal_moves, options, options_text, random_moves_are_even, read};

const SIX: &str = "seats=g/y/o/r/p/b";

/// Green across the board but for one marble, which is a step away; red in the middle.
const GREEN_ALMOST_HOME: &str = "1/2/3/4/13/rrrrrrrrrr2/11/10/9/10/11/12/4g8/1ggg/ggg/gg/g";
/// Green and red have changed places.
const BOTH_HOME: &str = "r/rr/rrr/rrrr/13/12/11/10/9/10/11/12/13/gggg/ggg/gg/g";

fn game(text: &str) -> ChineseCheckers {
    ChineseCheckers::new(&options(&SPEC, text)).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// Plays moves that must be legal.
fn play(game: &ChineseCheckers, position: &mut Position, moves: &str) {
    for token in moves.split(' ') {
        let mv = game.parse_move(token).unwrap_or_else(|error| panic!("{error}"));
        assert!(game.is_legal(position, mv), "{token} in {}", game.position_text(position));
        game.play_unchecked(position, mv);
    }
}

fn verdict(game: &ChineseCheckers, position: &Position) -> String {
    agon_testkit::verdict(game, game.outcome(position))
}

/// Positions of random games, every few plies one.
fn positions(game: &ChineseCheckers, games: u64) -> Vec<Position> {
    let mut positions = Vec::new();
    for seed in 0..games {
        let mut rng = seeded(seed);
        let mut position = game.start();
        for ply in 0..120 {
            if ply % 10 == 0 {
                positions.push(position);
            }
            let Some(mv) = game.random_move(&position, &mut rng) else { break };
            game.play_unchecked(&mut position, mv);
        }
    }
    positions
}

#[test]
fn conforms() {
    for (options, games, plies) in [
        ("", 3, 120),
        ("goal=fill", 2, 120),
        ("rounds=20", 3, 41),
        ("seats=r/g,goal=fill,rounds=20", 2, 41),
        ("seats=yp/gr", 2, 80),
        ("seats=gyo/rpb", 1, 60),
        ("seats=g/o/p", 2, 80),
        ("seats=gr/oy/pb,goal=fill", 1, 60),
        ("seats=y/b/r/p,rounds=20", 1, 81),
        ("seats=b/p/r/o/y", 1, 80),
        (SIX, 1, 120),
        ("seats=g/y/o/r/p/b,goal=fill", 1, 120),
    ] {
        conformance(game(options), games, plies);
    }
}

/// From the project's guide to engines. `data/perft.txt` has more and deeper ones.
#[test]
fn known_counts_are_met() {
    for (options, counts) in
        [("", [14, 196, 4_760, 115_600, 3_188_520]), (SIX, [14, 199, 2_828, 40_189, 571_130])]
    {
        let game = game(options);
        for (depth, count) in (1..).zip(counts) {
            assert_eq!(perft(&game, &game.start(), depth, u64::MAX), Ok(count), "{options} depth {depth}");
        }
    }
}

#[test]
fn options_are_printed_whole_and_as_written() {
    for (given, printed) in [
        ("", "seats=g/r,goal=strict,rounds=300"),
        ("rounds=20,goal=fill,seats=rg/b/ypo", "seats=rg/b/ypo,goal=fill,rounds=20"),
        ("seats=b/p/r/o/y/g,rounds=1000", "seats=b/p/r/o/y/g,goal=strict,rounds=1000"),
    ] {
        assert_eq!(options_text(&game(given)), printed);
    }
    let game = game("seats=rg/b/ypo");
    let names: Vec<&str> = (0..3).map(|seat| game.seat(Player(seat))).collect();
    assert_eq!(names, ["rg", "b", "ypo"]);
}

#[test]
fn bad_options_are_refused() {
    for seats in [
        "",
        "/",
        "g",
        "g/",
        "/g",
        "g//r",
        "g/g",
        "gg/r",
        "gr/r",
        "gyor/p",
        "gyorpb",
        "g/y/o/r/p/b/g",
        "g/x",
        "G/r",
        "g r",
        "g/r ",
        "g\\r",
        "é/g",
    ] {
        let options = Options::parse(&SPEC, &format!("seats={seats}")).expect("the game reads this itself");
        let error = ChineseCheckers::new(&options).expect_err(seats).to_string();
        let is_plain = !seats.is_empty() && seats.bytes().all(|byte| byte.is_ascii_graphic());
        let shown = if is_plain { seats.to_owned() } else { quote(seats) };
        assert!(error.contains(&format!("seats={shown} is not allowed")), "{error}");
        assert!(error.contains("2 to 6 seats"), "{error}");
    }
    for options in ["rounds=19", "rounds=1001", "rounds=020", "goal=loose", "goal=", "colours=g", "seats"] {
        assert!(Options::parse(&SPEC, options).is_err(), "{options}");
    }
}

#[test]
fn the_start_is_as_the_rules_write_it() {
    let two = game("");
    assert_eq!(two.position_text(&two.start()), "g/gg/ggg/gggg/13/12/11/10/9/10/11/12/13/rrrr/rrr/rr/r g 0");
    let six = game(SIX);
    assert_eq!(
        six.position_text(&six.start()),
        "g/gg/ggg/gggg/bbbb5yyyy/bbb6yyy/bb7yy/b8y/9/p8o/pp7oo/ppp6ooo/pppp5oooo/rrrr/rrr/rr/r g 0"
    );
    assert!(legal_moves(&two, &two.start()).contains(&"0309-0410".to_owned()));
}

#[test]
fn bad_positions_are_refused_by_name() {
    let game = game("");
    let start = "g/gg/ggg/gggg/13/12/11/10/9/10/11/12/13/rrrr/rrr/rr/r";
    for (text, faults) in [
        (String::new(), &["3 fields"][..]),
        (start.to_owned(), &["3 fields rows, seat to move, plies"]),
        (format!("{start} g 0 "), &["3 fields"]),
        (format!("{start} y 0"), &["side to move: 'y' is not g or r"]),
        (format!("{start} g 00"), &["plies: '00'"]),
        (format!("{start} g 1000001"), &["plies: '1000001' is not a whole number from 0 to 1000000"]),
        (format!("{start}/1 g 0"), &["18 rows where 17 are expected"]),
        (start.replacen("13", "12", 1) + " g 0", &["row 5 from the top: 12 cells where 13 are expected"]),
        (start.replacen("13", "14", 1) + " g 0", &["row 5 from the top: run length '14'"]),
        (start.replacen("13", "x12", 1) + " g 0", &["row 5 from the top: 'x' is not g, y, o, r, p or b"]),
        (start.replacen("13", "g12", 1) + " g 0", &["marbles of g: 11 where 10 are expected"]),
        (start.replacen("gg", "2", 1) + " g 0", &["marbles of g: 8 where 10 are expected"]),
        (start.replacen("13", "y12", 1) + " g 0", &["marbles of y: 1, but no seat plays y"]),
        // Everything at once.
        ("13/x".to_owned() + " z -1", &["2 rows where 17 are expected", "side to move: 'z'", "plies: '-1'"]),
        (
            start.replacen("gg", "bb", 1).replacen("rrrr", "4", 1) + " gr x",
            &[
                "marbles of g: 8",
                "marbles of r: 6",
                "marbles of b: 2, but",
                "side to move: 'gr'",
                "plies: 'x'",
            ],
        ),
    ] {
        let error = game.parse_position(&text).expect_err(&text).to_string();
        for fault in faults {
            assert!(error.contains(fault), "{text}: {error}");
        }
    }
    // Ply counts up to a million go with either seat.
    for (seat, plies) in [("g", 1), ("r", 0), ("r", 1_000_000)] {
        let text = format!("{start} {seat} {plies}");
        assert_eq!(game.position_text(&read(&game, &text)), text);
    }
}

#[test]
fn moves_are_read_strictly() {
    let game = game("");
    for good in ["0309-0410", "0012-1612", "0309-0309", "pass"] {
        let mv = game.parse_move(good).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(game.move_text(mv), good);
    }
    for bad in [
        "",
        "-",
        "0309",
        "0309-",
        "-0410",
        "0309-0410-0511",
        "309-410",
        "00309-0410",
        "0309-0411",
        "0000-0410",
        "0309-1712",
        "0309-0425",
        "+309-0410",
        "0309 -0410",
        "Pass",
        "PASS",
        "pass ",
        "0309–0410",
        "٠٣٠٩-0410",
        "0309-041\u{660}",
        "é-é",
    ] {
        let error = game.parse_move(bad).expect_err(bad).to_string();
        assert!(error.contains("expected"), "{error}");
    }
    let start = game.start();
    assert!(!game.is_legal(&start, game.parse_move("0309-0309").expect("well-formed")));
    assert!(!game.is_legal(&start, Move::Pass));
}

/// The holes that the marble in `from` can reach, as `RRCC`, sorted.
fn ends(game: &ChineseCheckers, position: &Position, from: (usize, usize)) -> Vec<String> {
    let from = Hole::at(from.0, from.1).expect("a hole");
    let mut ends: Vec<String> = game.ends(position, from).iter().map(|hole| hole.to_string()).collect();
    ends.sort();
    let listed = legal_moves(game, position);
    let listed: Vec<&str> =
        listed.iter().filter_map(|token| token.strip_prefix(&format!("{from}-"))).collect();
    assert_eq!(ends, listed, "asked for one marble and for all");
    ends
}

#[test]
fn hops_cross_one_marble_and_go_on() {
    let game = game("");
    // Green at 0804, red at 0806 and 0810: two hops along the row, the first may be the last.
    let position = read(&game, "1/gg/ggg/gggg/13/12/11/10/gr1r5/10/11/12/13/rrrr/rrr/r1/1 g 0");
    assert_eq!(ends(&game, &position, (8, 4)), ["0703", "0705", "0808", "0812", "0903", "0905"]);
    assert_eq!(ends(&game, &position, (8, 6)), [""; 0], "not one's own marble");
    assert_eq!(ends(&game, &position, (8, 8)), [""; 0], "no marble at all");
    let mv = game.parse_move("0804-0812").expect("well-formed");
    let path: Vec<String> = game.path(&position, mv).iter().map(Hole::to_string).collect();
    assert_eq!(path, ["0804", "0808", "0812"]);

    // Two marbles in a row, or a gap before the marble, are not hopped over.
    let position = read(&game, "1/gg/ggg/gggg/13/12/11/10/grr6/10/11/12/13/rrrr/rrr/r1/1 g 0");
    assert_eq!(ends(&game, &position, (8, 4)), ["0703", "0705", "0903", "0905"]);
    let position = read(&game, "1/gg/ggg/gggg/13/12/11/10/g1r6/10/11/12/13/rrrr/rrr/rr/1 g 0");
    assert_eq!(ends(&game, &position, (8, 4)), ["0703", "0705", "0806", "0903", "0905"]);
}

#[test]
fn a_chain_may_pass_its_start_but_not_end_there() {
    let game = game("");
    // From 0808 around a triangle: over 0810 to 0812, over 0911 to 1010, over 0909 back.
    let position = read(&game, "1/gg/ggg/gggg/13/12/11/10/2gr5/3rr5/11/12/13/rrrr/rrr/2/1 g 0");
    let mut hops = ends(&game, &position, (8, 8));
    hops.retain(|end| ["0812", "1010", "0808"].contains(&end.as_str()));
    assert_eq!(hops, ["0812", "1010"]);
    for end in ["0812", "1010"] {
        let mv = game.parse_move(&format!("0808-{end}")).expect("well-formed");
        assert_eq!(game.path(&position, mv).len(), 2, "the short way to {end}");
    }
}

#[test]
fn paths_are_made_of_legal_legs() {
    for options in ["", SIX, "seats=gyo/rpb"] {
        let game = game(options);
        let mut longest = 0;
        for position in positions(&game, 2) {
            let occupied = position.occupied();
            game.for_each_move(&position, |mv| {
                let Move::Marble { from, to } = mv else { return };
                let path = game.path(&position, mv);
                assert_eq!((path.first(), path.last()), (Some(&from), Some(&to)));
                assert_eq!(path.iter().collect::<HashSet<_>>().len(), path.len(), "no hole twice");
                longest = longest.max(path.len());
                for leg in path.windows(2) {
                    assert!(!occupied.contains(leg[1]));
                    let over = ((leg[0].row() + leg[1].row()) / 2, (leg[0].column() + leg[1].column()) / 2);
                    match leg[0].distance(leg[1]) {
                        1 => assert_eq!(path.len(), 2, "a step stands alone"),
                        2 => assert!(Hole::at(over.0, over.1).is_some_and(|over| occupied.contains(over))),
                        _ => panic!("{leg:?} is neither a step nor a hop"),
                    }
                }
            });
        }
        assert!(longest > 3, "{options}: there were chains");
    }
    let game = game("");
    assert!(game.path(&game.start(), Move::Pass).is_empty());
    let unreachable = game.parse_move("0012-1612").expect("well-formed");
    assert!(game.path(&game.start(), unreachable).is_empty());
}

#[test]
fn who_cannot_move_must_pass() {
    let game = game("seats=g/ro,rounds=20");
    // Green is walled in two rows deep: no hole to step into and none to land in.
    let mut position = read(&game, "g/gg/ggg/gggg/4rrrrr4/3rrrrro3/11/10/9/10/11/12/ooooooooo4/4/3/2/1 g 7");
    assert_eq!(legal_moves(&game, &position), ["pass"]);
    assert_eq!(game.count_moves(&position), 1);
    assert_eq!(game.random_move(&position, &mut seeded(1)), Some(Move::Pass));
    play(&game, &mut position, "pass");
    assert_eq!(
        game.position_text(&position),
        "g/gg/ggg/gggg/4rrrrr4/3rrrrro3/11/10/9/10/11/12/ooooooooo4/4/3/2/1 ro 8"
    );
    assert!(!game.is_legal(&position, Move::Pass), "red and orange can move");
    // A pass is a ply, and may be the last.
    let mut last = read(&game, "g/gg/ggg/gggg/4rrrrr4/3rrrrro3/11/10/9/10/11/12/ooooooooo4/4/3/2/1 g 39");
    play(&game, &mut last, "pass");
    assert_eq!(verdict(&game, &last), "drawn (limit)");
}

#[test]
fn strict_asks_for_all_marbles() {
    let strict = game("");
    let mut position = read(&strict, &format!("{GREEN_ALMOST_HOME} g 60"));
    assert_eq!(verdict(&strict, &position), "ongoing");
    play(&strict, &mut position, "1208-1309");
    assert_eq!(verdict(&strict, &position), "won g (home)");
    assert_eq!(strict.turn(&position), agon_core::Turn::Player(Player(1)));
    assert!(legal_moves(&strict, &position).is_empty());
    assert_eq!(strict.count_moves(&position), 0);
    assert_eq!(strict.random_move(&position, &mut seeded(1)), None);

    // A foreign marble in the target keeps a strict game open and is as good as one's own for `fill`.
    let blocked = "1/2/3/4/13/rrrrrrrrr3/11/10/9/10/11/12/4g8/rggg/ggg/gg/g g 60";
    assert_eq!(verdict(&strict, &read(&strict, blocked)), "ongoing");
    let fill = game("goal=fill");
    assert_eq!(verdict(&fill, &read(&fill, blocked)), "won g (home)");

    // A seat with two colours needs both.
    let pairs = game("seats=gr/yp");
    let half = "1/2/3/4/pppp3rrrrrr/ppp2rrrr3/pp9/p9/9/9y/9yy/9yyy/9yyyy/gggg/ggg/gg/g gr 4";
    assert_eq!(verdict(&pairs, &read(&pairs, half)), "ongoing");
}

#[test]
fn the_mover_comes_first_if_several_are_home() {
    for (options, board, winners) in [
        // To move, and who has won: the seat before the one to move if it is home, else the next.
        ("", BOTH_HOME, &[("g", "r"), ("r", "g")][..]),
        (
            "seats=g/r/y",
            "r/rr/rrr/rrrr/9yyyy/9yyy/9yy/9y/9/10/11/12/13/gggg/ggg/gg/g",
            &[("g", "g"), ("r", "g"), ("y", "r")],
        ),
        (
            "seats=r/y/g/b",
            "r/rr/rrr/rrrr/bbbb5yyyy/bbb6yyy/bb7yy/b8y/9/10/11/12/13/gggg/ggg/gg/g",
            &[("r", "r"), ("y", "r"), ("g", "g"), ("b", "g")],
        ),
    ] {
        for goal in ["strict", "fill"] {
            let rest = if options.is_empty() { String::new() } else { format!(",{options}") };
            let game = game(&format!("goal={goal}{rest}"));
            for (to_move, winner) in winners {
                let position = read(&game, &format!("{board} {to_move} 50"));
                assert_eq!(verdict(&game, &position), format!("won {winner} (home)"), "{to_move} to move");
            }
        }
    }
}

#[test]
fn fill_counts_whoever_fills_the_target() {
    let game = game("goal=fill");
    // One green marble deep in the bottom triangle, red ones around it and one a step from the gap.
    let mut position = read(&game, "1/2/3/4/13/ggggggggg3/11/10/9/10/11/12/4r3r4/1rrr/rrr/rr/g r 61");
    assert_eq!(verdict(&game, &position), "ongoing");
    play(&game, &mut position, "1208-1309");
    assert_eq!(verdict(&game, &position), "won g (home)", "green wins by red's move");
    // Full of strangers only, as at the start, is not filled.
    assert_eq!(verdict(&game, &game.start()), "ongoing");
}

#[test]
fn the_limit_draws_and_a_win_counts_first() {
    let game = game("rounds=20");
    let mut won = read(&game, &format!("{GREEN_ALMOST_HOME} g 39"));
    let mut drawn = won;
    play(&game, &mut won, "1208-1309");
    assert_eq!(verdict(&game, &won), "won g (home)");
    play(&game, &mut drawn, "1208-1206");
    assert_eq!(verdict(&game, &drawn), "drawn (limit)");
    assert!(legal_moves(&game, &drawn).is_empty());
    assert_eq!(drawn, read(&game, &format!("{} r 40", GREEN_ALMOST_HOME.replace("4g8", "3g9"))));
    // Far past the limit, and home there.
    assert_eq!(verdict(&game, &read(&game, &format!("{GREEN_ALMOST_HOME} g 1000000"))), "drawn (limit)");
    assert_eq!(verdict(&game, &read(&game, &format!("{BOTH_HOME} g 1000000"))), "won r (home)");
    // The limit is in rounds: six plies each at a table of six.
    let six = self::game("seats=g/y/o/r/p/b,rounds=20");
    let start = six.position_text(&six.start());
    let at = |ply: u32| verdict(&six, &read(&six, &start.replace(" g 0", &format!(" g {ply}"))));
    assert_eq!([at(119), at(120)], ["ongoing", "drawn (limit)"]);
}

#[test]
fn seats_are_ranked_by_marbles_home_then_by_steps_left() {
    let game = game("seats=g/y/o/b");
    let ranking = |text: &str| {
        let position = read(&game, text);
        let outcome = game.outcome(&position).unwrap_or_else(|| panic!("{text} is over"));
        let places = game.ranking(&position, &outcome);
        let place =
            |place: &Vec<Player>| place.iter().map(|&player| game.seat(player)).collect::<Vec<_>>().join("=");
        places.iter().map(place).collect::<Vec<_>>().join(" ")
    };
    for (board, expected) in [
        // Green is home, the others have not moved.
        ("bbbb5yyyy/bbb6yyy/bb7yy/b8y/9/9o/9oo/9ooo/9oooo", "g y=o=b"),
        // Orange has made a step.
        ("bbbb5yyyy/bbb6yyy/bb7yy/b8y/9/8o1/9oo/9ooo/9oooo", "g o y=b"),
        // Blue has a marble across.
        ("1bbb5yyyy/bbb6yyy/bb7yy/b8y/9/8ob/9oo/9ooo/9oooo", "g b o y"),
    ] {
        assert_eq!(ranking(&format!("1/2/3/4/{board}/gggg/ggg/gg/g y 50")), expected);
    }
    let start = game.position_text(&game.start());
    assert_eq!(ranking(&start.replace(" g 0", " g 1200")), "g=y=o=b", "a draw is a draw");
    assert_eq!(
        game.progress(&game.start(), Player(0)),
        (0, 110),
        "rows 0 to 3 are 13 to 10 rows from row 13"
    );
}

/// The board seen in a mirror, with the seats that it then belongs to.
struct Mirror {
    /// Each colour in the order `gyorpb` becomes this one.
    colours: &'static str,
    place: fn(usize, usize) -> (usize, usize),
}

const MIRRORS: [Mirror; 2] = [
    Mirror { colours: "gbproy", place: |row, column| (row, 24 - column) },
    Mirror { colours: "roygbp", place: |row, column| (16 - row, column) },
];

impl Mirror {
    fn colour(&self, letter: char) -> char {
        "gyorpb".find(letter).map_or(letter, |index| char::from(self.colours.as_bytes()[index]))
    }

    fn options(&self, options: &str) -> String {
        let (key, seats) = options.split_once('=').expect("seats");
        format!("{key}={}", seats.chars().map(|letter| self.colour(letter)).collect::<String>())
    }

    fn token(&self, token: &str) -> String {
        let hole = |text: &str| {
            let (row, column) = (text[..2].parse().expect("a row"), text[2..].parse().expect("a column"));
            let (row, column) = (self.place)(row, column);
            format!("{row:02}{column:02}")
        };
        token.split_once('-').map_or(token.to_owned(), |(from, to)| format!("{}-{}", hole(from), hole(to)))
    }

    fn position(&self, text: &str) -> String {
        let [rows, seat, plies] = text.split(' ').collect::<Vec<_>>().try_into().expect("three fields");
        let first = |row: usize| 13 - WIDTHS[row];
        let mut letters = HashMap::new();
        read_rows(rows, &WIDTHS, "gyorpb", |row, number, letter| {
            letters.insert((self.place)(row, first(row) + 2 * number), self.colour(letter));
        })
        .expect("a position");
        let rows = write_rows(&WIDTHS, |row, number| letters.get(&(row, first(row) + 2 * number)).copied());
        let seat: String = seat.chars().map(|letter| self.colour(letter)).collect();
        format!("{rows} {seat} {plies}")
    }
}

#[test]
fn mirrored_boards_have_mirrored_moves() {
    for options in ["seats=g/r", SIX, "seats=yo/pg", "seats=b/r/y"] {
        for mirror in &MIRRORS {
            let (game, mirrored) = (game(options), game(&mirror.options(options)));
            for position in positions(&game, 2) {
                let image = read(&mirrored, &mirror.position(&game.position_text(&position)));
                let mut expected: Vec<String> =
                    legal_moves(&game, &position).iter().map(|token| mirror.token(token)).collect();
                expected.sort();
                assert_eq!(legal_moves(&mirrored, &image), expected);
                assert_eq!(mirrored.count_replies(&image), game.count_replies(&position));
            }
        }
    }
}

/// Each move is drawn as often as any other, steps and chains alike.
#[test]
fn random_moves_are_drawn_evenly() {
    let game = game("");
    let mut rng = seeded(3);
    let mut position = game.start();
    for _ in 0..60 {
        let mv = game.random_move(&position, &mut rng).expect("not over");
        game.play_unchecked(&mut position, mv);
    }
    let mut chains = 0;
    game.for_each_move(&position, |mv| chains += usize::from(game.path(&position, mv).len() > 2));
    assert!(chains > 0, "there are chains to draw");
    random_moves_are_even(&game, &position, 2_000, &mut rng);
}

#[test]
fn the_diagram_shows_where_every_hole_is() {
    let game = game("");
    let expected = "   0000000000111111111122222
   0123456789012345678901234
00             g
01            g g
02           g g g
03          g g g g
04 . . . . . . . . . . . . .
05  . . . . . . . . . . . .
06   . . . . . . . . . . .
07    . . . . . . . . . .
08     . . . . . . . . .
09    . . . . . . . . . .
10   . . . . . . . . . . .
11  . . . . . . . . . . . .
12 . . . . . . . . . . . . .
13          r r r r
14           r r r
15            r r
16             r
0 of 600 plies";
    let Diagram { board, facts } = game.diagram(&game.start());
    assert_eq!(board + &facts, expected);
}
