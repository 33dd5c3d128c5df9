//! `agon arena` as an organiser uses it: files that are refused, agents in the sandbox, Ctrl-C, `kill -9` and resuming.
#![cfg(unix)]

#[path = "support/runs.rs"]
mod runs;
mod support;

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use runs::{Folder, interrupt, start, text, wait_for_lines};
use serde_json::Value;
use support::{agon, transcript};

fn json(output: &Output) -> Value {
    assert!(output.status.success(), "{}", text(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("JSON and nothing else")
}

const BOTS: &str = r#"
[[players]]
name = "search"
bot = "expert:nodes=3000"
[[players]]
name = "greedy"
bot = "greedy"
[[rounds]]
game = "othello"
time = "20s"
openings = "random"
repetitions = 10
"#;

/// The table and the results of all games, without times.
fn essence(dir: &str) -> Value {
    let text = fs::read_to_string(Path::new(dir).join("results.json")).expect("results");
    let results: Value = serde_json::from_str(&text).expect("JSON");
    let game = |game: &Value| {
        ["number", "first", "second", "result", "reason", "plies"].map(|key| game[key].clone())
    };
    let games: Vec<_> = results["games"].as_array().expect("games").iter().map(game).collect();
    let player = |player: &Value| ["name", "points", "games", "wins"].map(|key| player[key].clone());
    let players: Vec<_> = results["players"].as_array().expect("players").iter().map(player).collect();
    serde_json::json!([players, games])
}

#[test]
fn a_file_with_mistakes_is_refused_before_anything_runs() {
    let folder = Folder::new();
    let file = folder.write("bad.toml", &BOTS.replace("time = \"20s\"", "tme = \"20\""));
    let out = folder.path("out");
    for args in [&["arena", "check", &file][..], &["arena", "run", &file, "--out", &out]] {
        let error = transcript(args, "");
        assert!(error.ends_with("--- exit code Some(1)\n"), "{error}");
        assert!(
            error.contains("bad.toml:10:1: there is no key 'tme' in [[rounds]]; did you mean time?"),
            "{error}"
        );
    }
    assert!(!Path::new(&out).exists());
}

#[test]
fn a_file_is_checked_and_played() {
    let folder = Folder::new();
    let file = folder.write("good.toml", &BOTS.replace("repetitions = 10", "options = \"size=4\""));
    let checked = agon(&["arena", "check", &file], b"");
    assert!(text(&checked.stdout).starts_with("good: 2 players, 1 round, 2 games, seed 1\n"), "{checked:?}");
    let out = folder.path("out");
    let results = json(&agon(&["arena", "run", &file, "--out", &out, "--json"], b""));
    assert_eq!(results["games"].as_array().expect("games").len(), 2);
    assert_eq!(results["players"][0]["games"], 2);
    let again = agon(&["arena", "run", &file, "--out", &out], b"");
    assert!(text(&again.stderr).contains("agon arena resume"), "{again:?}");
    let resumed = agon(&["arena", "resume", &out], b"");
    assert!(resumed.status.success() && text(&resumed.stdout).contains("greedy"), "{resumed:?}");
    // Without --out it goes where the server looks for tournaments.
    let data = folder.path("data");
    let run = Command::new(env!("CARGO_BIN_EXE_agon"))
        .args(["arena", "run", &file])
        .env("AGON_DATA", &data)
        .output();
    assert!(run.expect("agon runs").status.success());
    assert!(Path::new(&data).join("arena/good/results.json").is_file());
}

#[test]
fn people_are_asked_at_the_terminal() {
    let folder = Folder::new();
    let file = folder.write("people.toml", "[[players]]\nname = \"me\"\nbot = \"human\"\n[[players]]\nname = \"it\"\nbot = \"random\"\n[[rounds]]\ngame = \"othello\"\noptions = \"size=4\"\n");
    // One legal move, and then the terminal is closed.
    let output = agon(&["arena", "run", &file, "--out", &folder.path("out"), "--json"], b"a1\nB1\n");
    let asked = text(&output.stderr);
    assert!(
        asked.contains("me (x), your move: ") && asked.contains("Enter ? for the legal moves"),
        "{asked}"
    );
    let results = json(&output);
    assert_eq!(results["games"][0]["reason"], "crash", "{results}");
    assert!(results["games"][0]["plies"].as_u64() >= Some(1));
}

/// An agent that plays the first legal move.
const AGENT: &str = r#"
while read -r l; do case "$l" in
*'"type":"setup"'*) echo '{"type":"ready","name":"x"}'; echo ready >&2;;
*'"type":"move"'*) m=${l#*\"legal\":[\"}; m=${m%%\"*}; echo "{\"type\":\"move\",\"move\":\"$m\"}";;
*) exit 0;; esac; done
"#;

#[test]
fn agents_run_in_the_sandbox_with_their_folder_and_their_log() {
    let folder = Folder::new();
    folder.write("good/agent.sh", AGENT);
    folder.write("good/secret", "nobody else's");
    // Its folder is where it starts; that of its opponent is out of reach.
    let spy = format!("cat {}; {AGENT}", folder.path("good/secret"));
    folder.write("spy/agent.sh", &spy);
    let file = folder.write(
        "course.toml",
        "[[players]]\nname = \"good\"\ncommand = [\"sh\", \"good/agent.sh\"]\n[[players]]\nname = \"spy\"\ncommand = [\"sh\", \"spy/agent.sh\"]\n[[rounds]]\ngame = \"othello\"\noptions = \"size=4\"\ntime = \"20s\"\nsetup = \"1m\"\n",
    );
    let out = folder.path("out");
    let output = agon(&["arena", "run", &file, "--out", &out, "--json"], b"");
    let results = json(&output);
    for game in results["games"].as_array().expect("games") {
        assert_eq!(game["technical"], true, "{game}");
        let reason = game["reason"].as_str().expect("a reason");
        assert!(["files", "threads", "crash"].contains(&reason), "{game}");
    }
    assert_eq!(results["players"][0]["name"], "good");
    let kept = |name: &str| fs::read_to_string(Path::new(&out).join(format!("authors/{name}/00001.log")));
    assert!(kept("good").is_ok_and(|log| log.contains("err: ready")), "{:?}", kept("good"));
    assert!(!kept("spy").is_ok_and(|log| log.contains("nobody else's")));
}

#[test]
fn cut_off_or_interrupted_it_ends_with_the_same_table() {
    let folder = Folder::new();
    let file = folder.write("bots.toml", BOTS);
    let (whole, cut) = (folder.path("whole"), folder.path("cut"));
    assert!(agon(&["arena", "run", &file, "--out", &whole], b"").status.success());
    let mut child = start(&["arena", "run", &file, "--out", &cut]);
    wait_for_lines(&format!("{cut}/finished.jsonl"), 2);
    child.kill().expect("kill -9");
    child.wait().expect("it has ended");
    // Then by Ctrl-C, which lets running games end.
    let child = start(&["arena", "resume", &cut, "--jobs", "1"]);
    wait_for_lines(&format!("{cut}/finished.jsonl"), 5);
    interrupt(child, "Continue with: agon arena resume");
    assert!(agon(&["arena", "resume", &cut], b"").status.success());
    assert_eq!(essence(&cut), essence(&whole));
}
