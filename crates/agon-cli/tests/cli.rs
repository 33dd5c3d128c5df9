//! What the program prints, as snapshots; and what it does with input that nobody should send.

use std::io::Write;
use std::process::{Command, Output, Stdio};

use proptest::prelude::*;

/// Runs `agon` with `input` on its standard input.
fn agon(args: &[&str], input: &[u8]) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_agon"))
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("agon starts");
    let mut stdin = child.stdin.take().expect("standard input is a pipe");
    let input = input.to_vec();
    let writer = std::thread::spawn(move || {
        // A program that ends early closes the pipe, which is its right.
        let _ = stdin.write_all(&input);
    });
    let output = child.wait_with_output().expect("agon ends");
    writer.join().expect("the writer ends");
    output
}

/// Everything that a user sees of a run.
fn transcript(args: &[&str], input: &str) -> String {
    let output = agon(args, input.as_bytes());
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).expect("output is UTF-8");
    let mut seen = format!("$ agon {}\n{}", args.join(" "), text(&output.stdout));
    if !output.stderr.is_empty() {
        seen += &format!("--- standard error\n{}", text(&output.stderr));
    }
    if !output.status.success() {
        seen += &format!("--- exit code {:?}\n", output.status.code());
    }
    seen
}

#[test]
fn listings_and_boards() {
    insta::assert_snapshot!("games", transcript(&["games"], ""));
    insta::assert_snapshot!("help", transcript(&["--help"], ""));
    let boards: Vec<String> = [
        &["show", "othello"][..],
        &["show", "othello", "--import", "transcript", "f5d6c3"],
        &["show", "othello", "--options", "size=26"],
        &["show", "tablut"],
        &["show", "loa", "--options", "size=12,rules=standard"],
        &["show", "chinese-checkers", "--options", "seats=g/y/o/r/p/b"],
        &["show", "2048", "--position", "2,4,8,16/0,0,0,0/131072,0,2048,0/0,0,0,0 4096"],
    ]
    .iter()
    .map(|args| transcript(args, ""))
    .collect();
    insta::assert_snapshot!("boards", boards.join("\n"));
}

#[test]
fn errors_say_what_is_wrong() {
    let errors: Vec<String> = [
        &["show", "otello"][..],
        &["show", "othello", "--options", "size=7"],
        &["show", "othello", "--options", "rules=old,size=8,size=8"],
        &["show", "othello", "--position", "8/8 x"],
        &["show", "othello", "--import", "sgf", "x"],
        &["show", "othello", "--import", "transcript", "f5a1"],
        &["show", "othello", "--import", "obf", "XO X"],
        &["show", "tablut", "--options", "rules=bologna,limit=50"],
        &["show", "chinese-checkers", "--options", "seats=g"],
        &["show", "2048", "--position", "3,0,0,0/0,0,0,0/0,0,0,0/0,0,0,0 0"],
        &["play", "othello", "--players", "human"],
        &["play", "othello", "--players", "human,gredy"],
        &["record", "check", "no-such-file"],
        &["bench", "othello", "loa", "--options", "size=6"],
    ]
    .iter()
    .map(|args| transcript(args, ""))
    .collect();
    insta::assert_snapshot!("errors", errors.join("\n"));
}

#[test]
fn games_played_on_lines() {
    let dialogue = "help\nz9\n(3,4)\nmoves\nundo\nboard\nd3\nexit\n";
    insta::assert_snapshot!("play-othello", transcript(&["play", "othello", "--seed", "1"], dialogue));
    insta::assert_snapshot!(
        "play-bots",
        transcript(
            &["play", "othello", "--options", "size=4", "--players", "greedy,random", "--seed", "1"],
            ""
        )
    );
    insta::assert_snapshot!("play-2048", transcript(&["play", "2048", "--seed", "1"], "left\nleft\nup\n"));
    insta::assert_snapshot!("menu", transcript(&[], "9\n1\n3\nd3\nexit\nexit\n"));
}

#[test]
fn a_game_of_every_kind_is_played_to_its_end_and_its_record_holds() {
    let folder = std::env::temp_dir().join(format!("agon-test-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for records");
    for (index, (game, options, players)) in [
        ("othello", "size=10", "greedy,random"),
        ("tablut", "", "random,greedy"),
        ("tablut", "rules=bologna", "greedy,random"),
        ("loa", "size=6", "greedy,greedy"),
        ("loa", "size=30,turns=10", "random,greedy"),
        ("chinese-checkers", "seats=gy/r/pb,rounds=20", "greedy,random,greedy"),
        ("2048", "", "greedy"),
    ]
    .into_iter()
    .enumerate()
    {
        let path = folder.join(format!("{index}.txt"));
        let file = path.to_str().expect("a plain path");
        let args = ["play", game, "--options", options, "--players", players, "--seed", "3", "--save", file];
        let output = agon(&args, b"");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let check = agon(&["record", "check", file], b"");
        let said = String::from_utf8_lossy(&check.stdout).into_owned();
        assert!(check.status.success() && !said.contains('*'), "{game} {options}: {said}");
    }
    std::fs::remove_dir_all(&folder).expect("the folder can go");
}

#[test]
fn perft_prints_a_table_or_one_object() {
    let text = String::from_utf8(agon(&["perft", "othello", "--depth", "5"], b"").stdout).expect("UTF-8");
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 7, "{text}");
    assert_eq!(lines[6], "nodes 1396");
    let output = agon(&["perft", "othello", "--depth", "3", "--json"], b"");
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("one object");
    assert_eq!(report["game"], "othello");
    assert_eq!(report["options"], "size=8");
    assert_eq!(report["position"], "8/8/8/3ox3/3xo3/8/8/8 x");
    assert_eq!(report["rows"][2]["depth"], 3);
    assert_eq!(report["rows"][2]["nodes"], 56);
    assert!(report["rows"][2]["nodes_per_second"].is_u64());
}

#[test]
fn queries_are_answered_line_by_line() {
    let requests = r#"{"game": "othello", "moves": ["d3", "c3"]}
{"game": "loa", "options": "size=6", "perft": 3}
{"game": "tablut", "position": "9/9/9/9/9/9/9/9/k8 b 7"}
{"game": "chinese-checkers", "options": "seats=yp/g"}
{"game": "2048", "position": "2,4,2,4/4,2,4,2/2,4,2,4/4,2,4,2 12"}
{"game": "othello", "perft": 20}
{"game": "tablut", "options": "limit=10", "perft": 11}
{"game": "othello", "options": "size=4", "perft": 14}
{"game": "2048", "moves": ["left"]}
{"game": "2048", "moves": ["@0,0=2", "@0,1=2", "@0,2=2"]}
{"game": "chinese-checkers", "moves": ["0309-0409"]}
{"game": "loa", "moves": ["0,1-0,2"]}
{"game": "othello", "options": "size=08"}
{"game": "othello", "options": "size=8,"}
{"game": "othello", "moves": ["a1"]}
{"game": "othello", "options": "size=8,size=8"}
{"game": "go"}
[]
"#;
    insta::assert_snapshot!("query", transcript(&["query"], requests));
}

proptest! {
    // Each case starts the program; the parsers themselves have their own, longer tests.
    #![proptest_config(ProptestConfig::with_cases(16))]

    #[test]
    fn query_answers_every_line_whatever_it_is(lines in prop::collection::vec(
        prop_oneof![
            "\\PC{0,60}",
            "\\{\"game\": ?\"(othello|loa|2048|tablut|chinese-checkers)\", ?\"(options|position)\": ?\"\\PC{0,30}\"\\}",
            "\\{\"game\": \"(othello|loa)\", \"moves\": \\[\"[a-h][1-8]\"(, \"\\PC{0,5}\")*\\]\\}",
        ], 1..40)) {
        let output = agon(&["query"], format!("{}\n", lines.join("\n")).as_bytes());
        prop_assert!(output.status.success());
        let text = String::from_utf8(output.stdout).expect("JSON is UTF-8");
        prop_assert_eq!(text.lines().count(), lines.len());
        for line in text.lines() {
            let answer: serde_json::Value = serde_json::from_str(line).expect("every answer is JSON");
            prop_assert!(answer["ok"].is_boolean());
        }
    }
}
