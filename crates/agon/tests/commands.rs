//! What commands promise to people who read help, interrupt training, or watch programs misbehave.
#![cfg(unix)]

mod support;

use std::io::{BufRead, BufReader, Read};
use std::process::{Command, Stdio};

use support::{agon, transcript};

const AGON: &str = env!("CARGO_BIN_EXE_agon");

fn text(args: &[&str]) -> String {
    String::from_utf8(agon(args, b"").stdout).expect("UTF-8")
}

/// In a narrow terminal, prose is wrapped and examples are not.
#[test]
fn examples_in_help_are_not_wrapped() {
    let help = |args: &[&str]| {
        let output =
            Command::new(AGON).args(args).arg("--help").env("COLUMNS", "60").output().expect("agon runs");
        String::from_utf8(output.stdout).expect("UTF-8")
    };
    let solve = help(&["solve", "othello"]);
    let example = "  agon solve othello --position '2oooooo/1xxxxoox/xxxoxoox/xxoxooox/xooxooox/1xxooxox/2oooxx1/1o1ooo2 x'";
    assert!(solve.lines().any(|line| line == example), "{solve}");
    assert!(
        solve.lines().filter(|line| !line.starts_with("  agon ")).all(|line| line.chars().count() <= 60),
        "{solve}"
    );
    let commands = text(&["--help"]);
    let names =
        commands.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    for name in names.filter_map(|line| line.split_whitespace().next()).filter(|name| *name != "help") {
        let help = help(&[name]);
        assert!(help.contains(&format!("Usage: agon {name}")), "{name} has no help: {help}");
        assert!(!help.contains('\u{a0}'), "{help}");
        for line in help.lines().filter(|line| line.starts_with("  agon ")) {
            assert!(line.matches('\'').count() % 2 == 0, "{name}: {line}");
        }
    }
}

/// What help shows as a default can be typed.
#[test]
fn the_ports_of_the_tablut_server_are_taken_as_help_shows_them() {
    let help = text(&["tablut-server", "--help"]);
    let default = help
        .split("[default: ")
        .find_map(|part| part.split(']').next().filter(|value| value.starts_with("5800")));
    assert_eq!(default, Some("5800,5801"), "{help}");
    let output = agon(&["tablut-server", "--ports", "5800,5801", "--address", "203.0.113.1"], b"");
    let error = String::from_utf8(output.stderr).expect("UTF-8");
    assert!(!error.contains("--ports"), "{error}");
}

#[test]
fn results_name_players_by_their_titles() {
    let over = transcript(&["show", "tablut", "--position", "9/9/9/9/9/9/9/9/k8 b 7"], "");
    assert!(over.ends_with("result: Defenders won: the king has escaped\n"), "{over}");
    let path = std::env::temp_dir().join(format!("agon-late-{}.txt", std::process::id()));
    std::fs::write(&path, "agon: 1\ngame: loa\noptions: size=6\nresult: forfeit b (late)\n\n")
        .expect("a file");
    let checked = text(&["record", "check", path.to_str().expect("a plain path")]);
    std::fs::remove_file(&path).expect("it is ours");
    assert!(checked.ends_with("Black ran out of time: White won.\n"), "{checked}");
    let analysis = text(&["analyze", "tablut", "--bot", "plain:depth=1"]);
    assert!(analysis.contains("for Attackers") && analysis.contains('%'), "{analysis}");
}

/// Crashes, illegal moves and printing have fields and columns of their own.
#[test]
fn duels_count_faults_by_their_kind() {
    let folder = std::env::temp_dir().join(format!("agon-agents-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let agent = |name: &str, answer: &str| {
        let path = folder.join(name);
        let ready = r#"{"type":"ready","name":"a"}"#;
        let script = format!("read l; echo '{ready}'; read l; echo '{answer}'; read l\n");
        std::fs::write(&path, script).expect("a script");
        format!("jsonl:sh {}", path.display())
    };
    for (bot, field) in [
        ("jsonl:false".to_owned(), "crash_b"),
        (agent("illegal", r#"{"type":"move","move":"z9"}"#), "illegal_b"),
        (agent("printing", "hello"), "printing_b"),
    ] {
        let report = text(&["duel", "othello", "random", &bot, "--games", "2", "--seed", "1", "--json"]);
        let report: serde_json::Value = serde_json::from_str(&report).expect("JSON");
        let kinds = ["late", "illegal", "crash", "printing"].into_iter();
        for kind in kinds.flat_map(|kind| [format!("{kind}_a"), format!("{kind}_b")]) {
            assert_eq!(report[&kind], if kind == field { 2 } else { 0 }, "{bot}: {kind} in {report}");
        }
    }
    std::fs::remove_dir_all(folder).expect("it is ours");
}

/// Ctrl-C ends training with all that was learnt, and says how to go on.
#[test]
fn training_that_is_interrupted_is_kept() {
    let folder = std::env::temp_dir().join(format!("agon-train-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let weights = folder.join("2048.bin");
    let mut child = Command::new(AGON)
        .args(["train", "2048", "--games", "1000000", "--report-every", "1ms", "--out"])
        .arg(&weights)
        .stdout(Stdio::piped())
        .spawn()
        .expect("agon starts");
    let mut out = BufReader::new(child.stdout.take().expect("a pipe"));
    let mut line = String::new();
    // The heading, and a report of the first games.
    for _ in 0..2 {
        out.read_line(&mut line).expect("it reports");
    }
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill runs");
    assert!(sent.success());
    let mut rest = String::new();
    out.read_to_string(&mut rest).expect("it says what it has kept");
    assert!(child.wait().expect("it ends").success(), "{rest}");
    let checkpoint = folder.join("2048.checkpoint");
    assert!(
        rest.contains("Interrupted after ")
            && rest.contains(&format!("--checkpoint {}", checkpoint.display())),
        "{rest}"
    );
    assert!(weights.exists() && checkpoint.exists(), "{rest}");
    std::fs::remove_dir_all(folder).expect("it is ours");
}
