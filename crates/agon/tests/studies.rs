//! `agon study` as its users run it: files that are refused, `kill -9` and resuming, Ctrl-C, position suites.
#![cfg(unix)]

#[path = "support/runs.rs"]
mod runs;
mod support;

use std::fs;
use std::io::Write;

use runs::{Folder, interrupt, start, text, wait_for_lines};
use serde_json::Value;
use support::{agon, transcript};

const STUDY: &str = r#"
question = "Is more better?"
game = "othello"
reference = "alphabeta:nodes=300,tt=1"
opening_plies = 6
games = 30
seed = 7

[[vary]]
parameter = "nodes"
values = [100, 900]

[[vary]]
parameter = "tt"
values = ["off"]

[[vary]]
bots = ["random"]
"#;

/// The results without times, which no two runs share.
fn essence(dir: &str) -> Value {
    fn strip(value: &mut Value) {
        match value {
            Value::Object(fields) => {
                fields.retain(|key, _| !key.contains("seconds"));
                fields.values_mut().for_each(strip);
            }
            Value::Array(items) => items.iter_mut().for_each(strip),
            _ => {}
        }
    }
    let text = fs::read_to_string(format!("{dir}/results.json")).expect("results");
    let mut results: Value = serde_json::from_str(&text).expect("JSON");
    strip(&mut results);
    results
}

#[test]
fn cut_off_or_interrupted_it_ends_with_the_same_results() {
    let folder = Folder::new();
    let file = folder.write("study.toml", STUDY);
    let (whole, cut) = (folder.path("whole"), folder.path("cut"));
    let output = agon(&["study", "run", &file, "--out", &whole, "--jobs", "2"], b"");
    assert!(output.status.success(), "{}", text(&output.stderr));
    let said = text(&output.stdout);
    assert!(
        said.contains("Is more better?") && said.contains("random is weaker than the reference"),
        "{said}"
    );
    let told = text(&output.stderr);
    assert!(told.contains("With 30 games of each setting, only scores at least"), "{told}");
    // Cut off in the middle of everything, and of a line.
    let ledger = format!("{cut}/games.jsonl");
    let mut child = start(&["study", "run", &file, "--out", &cut, "--jobs", "2"]);
    wait_for_lines(&ledger, 5);
    child.kill().expect("kill -9");
    child.wait().expect("it has ended");
    let mut file_of_games = fs::OpenOptions::new().append(true).open(&ledger).expect("games");
    file_of_games.write_all(b"{\"comparison\":0,\"ga").expect("half a line");
    let before = fs::read_to_string(&ledger).expect("games").lines().count();
    // Then by Ctrl-C, which lets running games end.
    let child = start(&["study", "run", &file, "--out", &cut, "--jobs", "1"]);
    wait_for_lines(&ledger, before + 3);
    if interrupt(child, "The same command continues it") {
        assert_eq!(essence(&cut)["state"], "stopped");
    }
    let output = agon(&["study", "run", &file, "--out", &cut, "--json"], b"");
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert_eq!(essence(&cut), essence(&whole));
    assert_eq!(essence(&cut)["state"], "finished");
    for name in
        ["report.html", "summary.txt", "effects.csv", "comparisons.csv", "depths.csv", "plots/strength-1.png"]
    {
        assert!(fs::metadata(format!("{cut}/{name}")).is_ok_and(|file| file.len() > 100), "{name}");
    }
    // Another study does not get into the same directory.
    let other = folder.write("other.toml", &STUDY.replace("seed = 7", "seed = 8"));
    let output = agon(&["study", "run", &other, "--out", &cut], b"");
    assert!(text(&output.stderr).contains("holds another study"), "{}", text(&output.stderr));
}

/// The same of somebody's program, in its sandbox, at a fixed depth.
#[test]
fn a_study_of_a_program_that_is_killed_and_resumed_equals_one_that_is_not() {
    let folder = Folder::new();
    write_agent(&folder, AGENT);
    let file = folder.write("agent/study.toml", PROGRAMS);
    let (whole, cut) = (folder.path("whole"), folder.path("cut"));
    let output = agon(&["study", "run", &file, "--out", &whole], b"");
    assert!(output.status.success(), "{}", text(&output.stderr));
    let ledger = format!("{cut}/games.jsonl");
    let mut child = start(&["study", "run", &file, "--out", &cut, "--jobs", "1"]);
    wait_for_lines(&ledger, 3);
    child.kill().expect("kill -9");
    child.wait().expect("it has ended");
    let before = fs::read_to_string(&ledger).expect("games").lines().count();
    let output = agon(&["study", "run", &file, "--out", &cut, "--json"], b"");
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert_eq!(essence(&cut), essence(&whole));
    let games = essence(&whole)["comparisons"][0]["games"].as_u64().expect("a number");
    assert!((before as u64) < games, "it was killed before its end: {before} of {games}");
    let side = &essence(&whole)["comparisons"][0]["sides"][0];
    assert!(side["counters"]["looked"].as_f64().is_some_and(|looked| looked > 1.0), "{side}");
    // What the agent does not declare is refused before anything is played.
    let bad = folder.write("agent/bad.toml", &PROGRAMS.replace("values = [2]", "values = [9]"));
    let output = agon(&["study", "run", &bad, "--out", &folder.path("bad")], b"");
    let said = text(&output.stderr);
    assert!(
        said.contains("bad.toml:9:11: depth = '9' does not fit; expected a whole number from 1 to 3"),
        "{said}"
    );
    assert!(fs::metadata(folder.path("bad")).is_err(), "something was written");
}

/// Writes a Python agent with the kit beside it.
fn write_agent(folder: &Folder, source: &str) {
    let kit = concat!(env!("CARGO_MANIFEST_DIR"), "/../../python/agon_agent");
    for name in
        ["__init__.py", "__main__.py", "actions.py", "agent.py", "parameters.py", "runner.py", "state.py"]
    {
        let source = fs::read_to_string(format!("{kit}/{name}")).expect("the kit");
        folder.write(&format!("agent/agon_agent/{name}"), &source);
    }
    folder.write("agent/agent.py", source);
}

#[test]
fn a_study_file_is_written_from_the_parameters_of_an_agent_and_can_be_run() {
    let folder = Folder::new();
    let varied = AGENT.replace(
        "Int(1, 1, 3)}",
        "Int(1, 1, 3), \"pick\": Choice(\"first\", \"last\"), \"note\": Text(\"\")}",
    );
    write_agent(&folder, &varied.replace("GameAgent, Int", "Choice, GameAgent, Int, Text"));
    let (agent, file) = (folder.path("agent"), folder.path("agent/study.toml"));
    let new = ["study", "new", "--agent", &agent, "--game", "othello", "--options", "size=6", "--games", "4"];
    let output = agon(&new, b"");
    assert!(output.status.success(), "{}", text(&output.stderr));
    let said = text(&output.stdout);
    assert!(
        said.contains("study.toml varies pick.") && said.contains("study.toml --quick --out quick"),
        "{said}"
    );
    assert!(said.contains("1 comparison of at most 4 games: at most about"), "{said}");
    let written = fs::read_to_string(&file).expect("the file");
    assert!(written.contains("1 comparison of at most 4 games: at most about"), "{written}");
    assert!(written.contains("limit = \"depth\"\nvalues = [1] "), "{written}");
    assert!(written.contains("'note' is not varied"), "{written}");
    let output = agon(&["study", "run", &file, "--out", &folder.path("out"), "--json"], b"");
    let results: Value = serde_json::from_slice(&output.stdout).expect("JSON and nothing else");
    assert_eq!(results["comparisons"][0]["games"], 4, "{results}");
    assert!(results["settings"].to_string().contains("pick=last"), "{results}");
    // What was written is the student's.
    let output = agon(&new, b"");
    assert!(text(&output.stderr).contains("is there already"), "{}", text(&output.stderr));
    assert_eq!(fs::read_to_string(&file).expect("the file"), written);
}

#[test]
fn no_study_file_is_written_for_an_agent_that_cannot_be_studied() {
    let folder = Folder::new();
    let refused = |args: &[&str], expected: &str| {
        let output = agon(&[&["study", "new", "--agent", &folder.path("agent")], args].concat(), b"");
        let said = text(&output.stderr);
        assert!(!output.status.success() && said.contains(expected), "{args:?}: {said}");
        assert!(fs::metadata(folder.path("agent/study.toml")).is_err(), "{args:?} wrote something");
    };
    refused(&[], "agent is not a folder; expected that of an agent");
    folder.write("agent/notes.txt", "");
    refused(&[], "there is neither agent.py nor agent.toml in it");
    write_agent(&folder, AGENT);
    refused(&[], "it declares no parameters that a study could vary");
    refused(&["--game", "othelo"], "did you mean othello?");
    refused(&["--options", "size=99"], "size");
    refused(&["--games", "7"], "expected an even number");
    folder.write("agent/agent.py", "from agon_agent import GameAgent\nraise SystemExit(3)\n");
    refused(&[], "the agent cannot be asked for its parameters");
    fs::remove_dir_all(folder.path("agent/agon_agent")).expect("it is there");
    refused(&[], "copy the folder agon_agent beside agent.py");
}

/// An agent that takes the move after which it has the fewest or, by its depth, the most replies to look at.
const AGENT: &str = r#"
from agon_agent import GameAgent, Int


class Agent(GameAgent):
    parameters = {"depth": Int(1, 1, 3)}

    def move(self, game_state):
        moves = game_state.legal_moves
        self.report(depth=self.parameters["depth"], nodes=len(moves), looked=len(moves))
        return moves[(self.parameters["depth"] * len(game_state.history)) % len(moves)]
"#;

const PROGRAMS: &str = r#"
game = "othello"
options = "size=6"
games = 16
early_stopping = "off"
reference = { command = ["python3", "-m", "agon_agent", "agent.py"], parameters = { depth = 1 } }
[[vary]]
parameter = "depth"
values = [2]
"#;

#[test]
fn what_cannot_be_run_is_refused_before_anything_is_written() {
    let folder = Folder::new();
    let bad = folder.write("bad.toml", &STUDY.replace("\"tt\"", "\"quiescense\""));
    let out = folder.path("out");
    let refused = |args: &[&str]| {
        let output = agon(args, b"");
        assert!(!output.status.success() && output.stdout.is_empty(), "{args:?}");
        assert!(fs::metadata(&out).is_err(), "{args:?} wrote something");
        text(&output.stderr)
    };
    let said = refused(&["study", "run", &bad, "--out", &out]);
    assert!(said.contains("bad.toml:14:13:") && said.contains("did you mean quiescence?"), "{said}");
    let said = transcript(&["study", "run", "tablut-orderin", "--out", &out], "");
    assert!(said.contains("did you mean tablut-ordering?") && said.contains("exit code Some(1)"), "{said}");
    let said = refused(&["study", "run", "no-such.toml", "--out", &out]);
    assert!(said.contains("no-such.toml") && said.contains("cannot be opened"), "{said}");
    let output =
        agon(&["study", "run", &folder.write("full/x.toml", STUDY), "--out", &folder.path("full")], b"");
    assert!(text(&output.stderr).contains("is not empty"), "{}", text(&output.stderr));
}

#[test]
fn ready_made_studies_are_listed_and_can_be_copied() {
    let output = agon(&["study", "list", "--json"], b"");
    let studies: Vec<Value> = serde_json::from_slice(&output.stdout).expect("JSON");
    assert!(studies.len() >= 11);
    for study in &studies {
        let name = study["name"].as_str().expect("a name");
        assert!(study["question"].as_str().is_some_and(|question| question.ends_with('?')), "{name}");
        assert!(
            ["quick", "full"].iter().all(|key| study[key].as_str().is_some_and(|text| text.len() > 3)),
            "{name}"
        );
    }
    let folder = Folder::new();
    let copy = text(&agon(&["study", "list", "--file", "othello-weights"], b"").stdout);
    let file = folder.write("mine.toml", &copy.replace("games = 300", "games = 2"));
    let output = agon(&["study", "run", &file, "--quick", "--out", &folder.path("out"), "--json"], b"");
    let results: Value = serde_json::from_slice(&output.stdout).expect("JSON and nothing else");
    assert_eq!((&results["quick"], &results["state"]), (&true.into(), &"finished".into()));
    assert!(results["comparisons"].as_array().is_some_and(|list| list.iter().all(|one| one["games"] == 2)));
}

#[test]
fn the_folder_of_a_study_does_not_hide_the_ready_made_one_of_its_name() {
    let folder = Folder::new();
    folder.write("tablut-king/notes.txt", "mine");
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_agon"))
        .args(["study", "run", "tablut-king", "--quick", "--out", "tablut-king"])
        .current_dir(folder.path(""))
        .output()
        .expect("it starts");
    let said = text(&output.stderr);
    assert!(said.contains("tablut-king is not empty, and what it holds is not a study"), "{said}");
}

#[test]
fn positions_are_solved_and_counted() {
    let folder = Folder::new();
    // The last moves of a game on a small board, as an OBF file has them, and in our own format.
    let file = folder.write(
        "mates.txt",
        "game tablut\n# The king has an open line to an escape square.\n\
         position 9/9/9/9/9/9/2k6/9/b8 w 0 best c7a7 c7c1 c7c9 c7i7\n",
    );
    let out = folder.path("out");
    let output = agon(
        &["study", "positions", &file, "--bot", "expert:depth=2", "--bot", "random", "--out", &out, "--json"],
        b"",
    );
    assert!(output.status.success(), "{}", text(&output.stderr));
    let outcome: Value = serde_json::from_slice(&output.stdout).expect("JSON and nothing else");
    assert_eq!(outcome["bots"][0]["solved"], 1, "{outcome}");
    assert_eq!(outcome["attempts"].as_array().map(Vec::len), Some(2));
    for name in ["positions.csv", "bots.csv", "positions.json"] {
        assert!(fs::metadata(format!("{out}/{name}")).is_ok(), "{name}");
    }
    let bad = folder.write("bad.txt", "game tablut\nposition 9/9 w best e5e1\n");
    let output = agon(&["study", "positions", &bad], b"");
    assert!(text(&output.stderr).contains("line 2:"), "{}", text(&output.stderr));
}
