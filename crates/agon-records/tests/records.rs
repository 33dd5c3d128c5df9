//! Records: what is written reads back and holds; what does not hold is refused by name.

use agon_core::Turn;
use agon_core::random::{RandomSource, below, seeded};
use agon_records::{Record, RecordResult};
use agon_registry::GAMES;
use agon_testkit::folder;
use proptest::prelude::*;

const LOA: &str = "agon: 1
game: loa
options: size=8,turns=100,rules=rotating,first=black
players: guest | expert
date: 2026-11-15T18:00:00Z
x-event: friendly
result: *

0,1-2,1 1,0-1,2
@2,1
";

/// A random game of `plies` plies at most.
fn played(game: &str, options: &str, seed: u64, plies: usize) -> Record {
    let rules = GAMES.find(game).expect("a game").rules(options).expect("good options");
    let mut session = rules.start();
    let mut rng = seeded(seed);
    for _ in 0..plies {
        let legal = session.legal();
        match session.turn() {
            _ if legal.is_empty() => break,
            Turn::Chance => {
                session.draw(rng.next_u64()).expect("chance can draw");
            }
            Turn::Player(_) => {
                session
                    .play(&legal[below(&mut rng, legal.len() as u64) as usize])
                    .expect("listed moves are legal");
            }
        }
    }
    let mut record = Record::of_session(&*rules, &*session);
    record.seed = Some(seed);
    record
}

fn refusal(text: &str) -> String {
    match Record::parse(text.as_bytes()) {
        Err(error) => error.to_string(),
        Ok(record) => record.replay(GAMES).err().unwrap_or_else(|| panic!("it holds:\n{text}")).to_string(),
    }
}

#[test]
fn the_example_of_the_format_is_read() {
    let record = Record::parse(LOA.as_bytes()).expect("well-formed");
    assert_eq!(record.players, ["guest", "expert"]);
    assert_eq!(record.moves, ["0,1-2,1", "1,0-1,2", "@2,1"]);
    assert_eq!(record.extra, [("x-event".to_owned(), "friendly".to_owned())]);
    assert_eq!(record.result, Some(RecordResult::Unfinished));
    assert_eq!(record.replay(GAMES).expect("it holds").ply(), 3);
    let windows = LOA.replace('\n', "\r\n");
    assert_eq!(Record::parse(windows.as_bytes()), Ok(record), "line ends of Windows");
}

#[test]
fn what_is_written_reads_back_and_holds_in_every_game() {
    for entry in GAMES {
        for seed in 0..5 {
            let record = played(entry.spec.id, "", seed, 150 * seed as usize);
            let text = record.to_string();
            let (_, moves) = text.split_once("\n\n").unwrap_or((&text, ""));
            assert!(moves.lines().all(|line| line.len() <= 80), "moves are wrapped:\n{text}");
            let reread = Record::parse(text.as_bytes()).unwrap_or_else(|error| panic!("{error}:\n{text}"));
            assert_eq!(reread, record);
            reread.replay(GAMES).unwrap_or_else(|error| panic!("{error}:\n{text}"));
        }
    }
}

#[test]
fn a_game_from_a_position_keeps_its_start() {
    let rules = GAMES.find("othello").expect("a game").rules("size=4").expect("good options");
    let mut session = rules.start_from("4/1xo1/1oo1/4 x").expect("a position");
    let first = session.legal()[0].clone();
    session.play(&first).expect("a listed move");
    let record = Record::of_session(&*rules, &*session);
    assert_eq!(record.start.as_deref(), Some("4/1xo1/1oo1/4 x"));
    assert_eq!(record.replay(GAMES).expect("it holds").position(), session.position());
}

#[test]
fn malformed_records_are_refused_by_line() {
    for (from, to, words) in [
        ("agon: 1", "agon: 2", "line 1: version '2' is not known"),
        ("agon: 1\n", "", "the header agon is missing"),
        ("game: loa\n", "", "the header game is missing"),
        ("options: size=8,turns=100,rules=rotating,first=black\n", "", "the header options is missing"),
        ("game: loa", "game: no-such-game", "there is no game 'no-such-game'"),
        ("game: loa", "game:loa", "line 2: 'game:loa' is not of the form 'key: value'"),
        ("game: loa", "game: ", "line 2: 'game' has no value"),
        ("game: loa", "game: loa\ngame: loa", "line 3: 'game' is given twice"),
        ("size=8", "size=4", "options: size=4 is not allowed"),
        ("guest | expert", "guest", "players: 1 names for 2 seats"),
        (
            "2026-11-15T18:00:00Z",
            "2026-02-29T18:00:00Z",
            "line 5: date '2026-02-29T18:00:00Z' is not of the form",
        ),
        ("2026-11-15T18:00:00Z", "yesterday", "line 5: date 'yesterday'"),
        ("x-event", "event", "line 6: 'event' is not a header"),
        ("friendly", "fri\0endly", "line 6: 'x-event' holds a control character"),
        ("result: *", "result: won", "line 7: result 'won' is not"),
        ("result: *", "result: won b", "line 7: result 'won b' is not"),
        ("result: *", "result: won b (connected)", "says won b (connected), but the moves give *"),
        ("result: *", "result: drawn (limit)", "says drawn (limit), but the moves give *"),
        ("result: *", "result: forfeit x (time)", "says forfeit x (time), but the moves give *"),
        ("1,0-1,2", "1,0-1,3", "move 2: move '1,0-1,3': 2 pieces stand on that line"),
        ("@2,1", "rotate", "move 3: move 'rotate'"),
    ] {
        let error = refusal(&LOA.replacen(from, to, 1));
        assert!(error.contains(words), "{to}: {error}");
    }
}

#[test]
fn only_an_open_game_is_forfeited_or_agreed_drawn() {
    for result in ["forfeit w (time)", "drawn (agreement)"] {
        let text = LOA.replace("result: *", &format!("result: {result}"));
        Record::parse(text.as_bytes()).expect("well-formed").replay(GAMES).expect("an open game");
    }
    let mut finished = played("othello", "size=4", 1, 100);
    assert_ne!(finished.result, Some(RecordResult::Unfinished));
    finished.replay(GAMES).expect("it holds");
    for result in [
        RecordResult::Unfinished,
        RecordResult::Drawn { reason: "agreement".to_owned() },
        RecordResult::Forfeit { seat: "x".to_owned(), reason: "time".to_owned() },
    ] {
        finished.result = Some(result);
        assert!(finished.replay(GAMES).is_err());
    }
}

#[test]
fn oversized_and_binary_files_are_refused() {
    assert!(refusal(&"x".repeat(agon_records::MAX_BYTES + 1)).contains("at most 4194304 are read"));
    let error = Record::parse(b"agon: 1\n\xff\xfe").expect_err("not text");
    assert_eq!(error.to_string(), "the record is not UTF-8 text from byte 8 on");
}

#[test]
fn a_header_as_long_as_a_record_may_be_is_read_and_a_repetition_found() {
    let extra: String = (0..300_000).map(|number| format!("x-{number:06}: a\n")).collect();
    let header = format!("agon: 1\ngame: 2048\noptions:\n{extra}");
    assert_eq!(Record::parse(header.as_bytes()).expect("a good header").extra.len(), 300_000);
    assert!(refusal(&format!("{header}x-000000: a\n")).contains("line 300004: 'x-000000' is given twice"));
}

/// Each game's sample game holds and is over.
#[test]
fn sample_games_are_whole() {
    for entry in GAMES {
        let path = folder(entry).join("data/sample.txt");
        let text = std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let record = Record::parse(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        assert_eq!(record.game, entry.spec.id);
        let game = record.replay(GAMES).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        assert!(game.outcome().is_some(), "{} is not over", path.display());
    }
}

proptest! {
    #[test]
    fn no_text_makes_the_reader_panic(text in "(agon: 1\n)?(game: (loa|2048)\n)?(options: [a-z=,0-9]{0,9}\n)?\\PC{0,80}\n\n?\\PC{0,40}") {
        if let Ok(record) = Record::parse(text.as_bytes()) {
            let _ = record.replay(GAMES);
            prop_assert_eq!(Record::parse(record.to_string().as_bytes()), Ok(record));
        }
    }

    #[test]
    fn damaged_records_never_panic(at in 0..LOA.len(), length in 0..20_usize, patch in "\\PC{0,5}|\n{1,2}|[0-9,@-]{1,4}") {
        let end = (at + length).min(LOA.len());
        let text = format!("{}{patch}{}", &LOA[..at], &LOA[end..]);
        if let Ok(record) = Record::parse(text.as_bytes()) {
            let _ = record.replay(GAMES);
            prop_assert_eq!(Record::parse(record.to_string().as_bytes()), Ok(record));
        }
    }
}
