//! Engines hear everything: whatever is said to them, they answer in their protocol and end when the input does.

use std::io::Cursor;
use std::sync::Arc;

use agon_engines::{Casting, gtp, jsonl, nboard, ugi};
use agon_erased::Rules;
use agon_registry::GAMES;
use proptest::prelude::*;

fn casting() -> Casting {
    Casting { games: GAMES, bot: Some("random".parse().expect("a specification")), seed: 1, threads: 1 }
}

fn othello() -> Arc<dyn Rules> {
    GAMES.find("othello").expect("it is listed").rules("size=4").expect("the size is allowed")
}

/// Words that mean something to some engine, mixed with those that do not.
fn lines() -> impl Strategy<Value = Vec<String>> {
    let word = prop_oneof![
        3 => prop::sample::select(vec![
            "ugi", "isready", "uginewgame", "position", "startpos", "fen", "moves", "go", "stop", "query", "p1turn",
            "result", "gameover", "setoption", "name", "value", "Bot", "Options", "Seed", "infinite", "depth", "movetime",
            "p1time", "greedy", "size=6", "xo6/8/8/8/8/8/8/7x", "x", "1", "a1", "b1", "pass", "play", "genmove", "black", "w",
            "undo", "boardsize", "clear_board", "showboard", "final_score", "time_settings", "time_left", "komi",
            "grhino-setup_board", "known_command", "reg_genmove",
            "nboard", "2", "set", "game", "contempt", "move", "hint", "ping", "learn", "analyze", "B1//2", "PA",
            "(;GM[Othello]BO[4 -----O*--*O----- *]B[b1];)",
        ]).prop_map(str::to_owned),
        1 => "\\PC{0,12}",
        1 => any::<u32>().prop_map(|number| number.to_string()),
    ];
    prop::collection::vec(prop::collection::vec(word, 0..7).prop_map(|words| words.join(" ")), 0..30)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn a_gtp_engine_answers_every_command(lines in lines()) {
        let input = lines.join("\n");
        let mut out = Vec::new();
        gtp::run(othello(), casting(), &mut input.as_bytes(), &mut out).expect("a buffer takes everything");
        let said = String::from_utf8(out).expect("answers are text");
        let answers = said.split_terminator("\n\n").count();
        prop_assert!(said.split_terminator("\n\n").all(|answer| answer.starts_with(['=', '?'])));
        prop_assert!(answers <= lines.len());
    }

    #[test]
    fn an_nboard_engine_answers_every_ping(lines in lines()) {
        let input = lines.join("\n");
        let mut out = Vec::new();
        nboard::run(othello(), casting(), Cursor::new(input.into_bytes()), &mut out).expect("a buffer takes everything");
        let said = String::from_utf8(out).expect("answers are text");
        let known = ["set myname ", "status ", "nodestats ", "search ", "=== ", "analysis ", "learned", "pong "];
        for line in said.lines() {
            prop_assert!(known.iter().any(|start| line.starts_with(start)), "{line}");
        }
        let pings = lines.iter().take_while(|line| *line != "quit" && !line.starts_with("quit "));
        let pings = pings.filter(|line| line.split_whitespace().next() == Some("ping")).count();
        prop_assert_eq!(said.lines().filter(|line| line.starts_with("pong ")).count(), pings);
    }

    #[test]
    fn a_ugi_engine_answers_every_search(lines in lines()) {
        let input = lines.join("\n");
        let mut out = Vec::new();
        ugi::run(othello(), casting(), Cursor::new(input.into_bytes()), &mut out).expect("a buffer takes everything");
        let said = String::from_utf8(out).expect("answers are text");
        let known = ["id ", "option ", "ugiok", "readyok", "info ", "bestmove ", "response "];
        for line in said.lines() {
            prop_assert!(known.iter().any(|start| line.starts_with(start)), "{line}");
        }
    }

    #[test]
    fn an_agent_says_only_what_it_is_asked_for(lines in lines()) {
        let input = lines.join("\n");
        let mut out = Vec::new();
        let mut complaints = 0;
        jsonl::run(&casting(), &mut input.as_bytes(), &mut out, &mut |_| complaints += 1).expect("a buffer takes everything");
        prop_assert!(out.is_empty());
        prop_assert_eq!(complaints, input.lines().count());
    }
}

#[test]
fn lines_that_are_too_long_or_no_text_are_answered_too() {
    let mut input = vec![b'x'; 2 << 20];
    input.extend(b"\n\xff\xfe\nname\nugi\n");
    let mut out = Vec::new();
    gtp::run(othello(), casting(), &mut &*input, &mut out).expect("a buffer takes everything");
    let said = String::from_utf8(out).expect("answers are text");
    assert_eq!(said, "? unknown command\n\n? unknown command\n\n= Agon\n\n? unknown command\n\n");
    let mut out = Vec::new();
    ugi::run(othello(), casting(), Cursor::new(input), &mut out).expect("a buffer takes everything");
    let said = String::from_utf8(out).expect("answers are text");
    assert!(said.starts_with("info string error: the line has 2097152 bytes; at most 1048576 are read\ninfo string error: the line is not UTF-8"));
    assert!(said.ends_with("ugiok\n"));
}
