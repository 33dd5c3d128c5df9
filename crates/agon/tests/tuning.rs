//! `agon tune` as its users run it: help, `kill -9` and resuming, Ctrl-C, and weights from files.
#![cfg(unix)]

#[path = "support/lists.rs"]
mod lists;
#[path = "support/runs.rs"]
mod runs;
mod support;

use std::fs;
use std::io::Write;

use lists::without_lists_of_games;
use runs::{Folder, interrupt, start, text, wait_for_lines};
use support::{agon, transcript};

const TUNING: &[&str] = &[
    "tune",
    "tablut",
    "--bot",
    "expert:tt=1",
    "--games",
    "40",
    "--nodes",
    "120",
    "--match-games",
    "8",
    "--out",
];

fn args<'a>(out: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    TUNING.iter().copied().chain([out]).chain(more.iter().copied()).collect()
}

#[test]
fn the_help_explains_both_methods() {
    insta::assert_snapshot!("help", without_lists_of_games(&transcript(&["tune", "--help"], "")));
}

#[test]
fn cut_off_or_interrupted_it_ends_with_the_same_results() {
    let folder = Folder::new();
    let (whole, cut) = (folder.path("whole"), folder.path("cut"));
    let output = agon(&args(&whole, &["--jobs", "2"]), b"");
    assert!(output.status.success(), "{}", text(&output.stderr));
    let said = text(&output.stdout);
    assert!(said.contains("log loss") && said.contains("95% interval"), "{said}");
    // Cut off in the middle of everything, and of a line.
    let ledger = format!("{cut}/tuning.jsonl");
    let mut child = start(&args(&cut, &["--jobs", "2"]));
    wait_for_lines(&ledger, 3);
    child.kill().expect("kill -9");
    child.wait().expect("it has ended");
    let mut file = fs::OpenOptions::new().append(true).open(&ledger).expect("games");
    file.write_all(b"{\"game\":39,\"sc").expect("half a line");
    let before = fs::read_to_string(&ledger).expect("games").lines().count();
    // Then by Ctrl-C, which lets running games end.
    let child = start(&args(&cut, &["--jobs", "1"]));
    wait_for_lines(&ledger, before + 2);
    interrupt(child, "The same command continues it");
    let output = agon(&args(&cut, &[]), b"");
    assert!(output.status.success(), "{}", text(&output.stderr));
    for name in ["results.json", "weights.toml", "summary.txt", "report.html", "tuning.jsonl", "match.jsonl"]
    {
        let [one, other] = [&whole, &cut].map(|dir| fs::read(format!("{dir}/{name}")).expect(name));
        assert!(one == other && one.len() > 100, "{name}");
    }
    // Another tuning does not get into the same directory.
    let output = agon(&args(&cut, &["--seed", "2"]), b"");
    assert!(text(&output.stderr).contains("holds another tuning"), "{}", text(&output.stderr));
}

#[test]
fn weights_are_loaded_from_files_on_the_command_line_and_nowhere_else() {
    let folder = Folder::new();
    let file = folder.write(
        "mine.toml",
        "name = \"mine\"\ngame = \"tablut\"\nevaluation = \"s1\"\n[weights]\ndanger = 123\nguards = 7\n",
    );
    let bot = format!("s1:depth=1,weights={file}");
    let said = text(&agon(&["analyze", "tablut", "--bot", &bot], b"").stdout);
    assert!(said.contains("weights=danger:123+guards:7"), "{said}");
    let output = agon(&["duel", "tablut", &bot, "random", "--games", "2", "--seed", "1"], b"");
    assert!(
        output.status.success() && text(&output.stdout).contains("mine.toml"),
        "{}",
        text(&output.stderr)
    );
    let players = format!("s1:depth=1,weights={file},random");
    let record = folder.path("game.txt");
    let output = agon(&["watch", "tablut", "--players", &players, "--plain", "--save", &record], b"");
    assert!(output.status.success(), "{}", text(&output.stderr));
    let record = fs::read_to_string(record).expect("a record");
    assert!(record.contains("weights=danger:123+guards:7") && !record.contains("mine.toml"), "{record}");
    // Mistakes have a place; a file for another bot is refused.
    let refused = |bot: &str| {
        let output = agon(&["duel", "tablut", bot, "random", "--games", "2"], b"");
        assert!(!output.status.success());
        text(&output.stderr)
    };
    assert!(refused(&format!("expert:weights={file}")).contains("the evaluation of expert is tafl"));
    let bad = folder
        .write("bad.toml", "name = \"x\"\ngame = \"tablut\"\nevaluation = \"s1\"\n[weights]\ndangr = 1\n");
    let said = refused(&format!("s1:weights={bad}"));
    assert!(said.contains("bad.toml:5:1:") && said.contains("did you mean danger?"), "{said}");
    // Files of others cannot name files.
    let study = folder.write(
        "study.toml",
        &format!("game = \"tablut\"\nreference = \"{bot}\"\n[[vary]]\nparameter = \"depth\"\nvalues = [2]\n"),
    );
    let output = agon(&["study", "run", &study, "--out", &folder.path("out")], b"");
    assert!(
        !output.status.success() && text(&output.stderr).contains("weights:"),
        "{}",
        text(&output.stderr)
    );
    let unknown = folder.write(
        "unknown.toml",
        "game = \"tablut\"\nreference = \"s1:depth=1\"\n[[vary]]\nweight = \"dangr\"\nvalues = [2]\n",
    );
    let said = text(&agon(&["study", "run", &unknown, "--out", &folder.path("out")], b"").stderr);
    assert!(said.contains("unknown.toml:5:11:") && said.contains("did you mean danger?"), "{said}");
}
