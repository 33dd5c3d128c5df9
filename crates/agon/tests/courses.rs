//! A course from what a learning platform exports to the grades.
#![cfg(unix)]

use std::fs;
use std::io::{Cursor, Write};
use std::path::Path;
use std::process::{Command, Output, Stdio};

use agon_testkit::TemporaryFolder;
use serde_json::Value;
use zip::write::{SimpleFileOptions, ZipWriter};

/// An agent that plays the first legal move, without the kit.
const AGENT: &str = "import json, sys\n\nfor line in sys.stdin:\n    message = json.loads(line)\n    if message['type'] == 'setup':\n        print(json.dumps({'type': 'ready', 'name': 'x'}), flush=True)\n    elif message['type'] == 'move':\n        print(json.dumps({'type': 'move', 'move': message['legal'][0]}), flush=True)\n";

fn agon(args: &[&str]) -> Output {
    let output = Command::new(env!("CARGO_BIN_EXE_agon")).args(args).stdin(Stdio::null()).output();
    output.expect("agon runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("UTF-8")
}

/// Where a file of a folder is, as an argument.
fn at(folder: &TemporaryFolder, name: &str) -> String {
    folder.path(name).display().to_string()
}

fn zipped(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (path, bytes) in files {
        writer.start_file(*path, SimpleFileOptions::default()).expect("an entry");
        writer.write_all(bytes).expect("its bytes");
    }
    writer.finish().expect("a ZIP").into_inner()
}

#[test]
fn a_moodle_export_with_hebrew_names_becomes_a_tournament_with_grades() {
    let folder = TemporaryFolder::new();
    let dana = zipped(&[
        ("agent.py", AGENT.as_bytes()),
        (
            "submissions.txt",
            "דנה כהן,012345678,dana@example.org\nנועה בר,111111118,noa@example.org\n".as_bytes(),
        ),
    ]);
    let kit = "from agon_agent import GameAgent\n\n\nclass Agent(GameAgent):\n    def move(self, game_state):\n        return game_state.legal_moves[-1]\n";
    let export = zipped(&[
        ("דנה כהן_12345_assignsubmission_file_/הסוכן שלי.zip", &dana),
        ("אבי לוי_777_assignsubmission_file_/agent.py", kit.as_bytes()),
        ("יעל מזרחי_888_assignsubmission_file_/agent.py", b"def broken(:\n"),
    ]);
    let zip = at(&folder, "קורס-סוכן-12345.zip");
    fs::write(&zip, export).expect("a file");
    let file = at(&folder, "course.toml");
    let imported = agon(&["arena", "import", &zip, "--out", &file, "--game", "othello"]);
    let said = text(&imported.stdout);
    assert!(imported.status.success(), "{}", text(&imported.stderr));
    for line in ["דנה כהן", "אבי לוי", "agent.py:1:12: ", "3 submissions, 1 of them rejected"] {
        assert!(said.contains(line), "{line}: {said}");
    }
    let round = fs::read_to_string(&file)
        .expect("a file")
        .replace("time = \"1s\"", "options = \"size=4\"\ntime = \"20s\"");
    fs::write(&file, round).expect("a file");
    let checked = text(&agon(&["arena", "check", &file]).stdout);
    assert!(checked.contains("3 players, 1 round, 6 games") && checked.contains("at most"), "{checked}");
    let out = at(&folder, "out");
    let played = agon(&["arena", "run", &file, "--out", &out, "--json"]);
    assert!(played.status.success(), "{}", text(&played.stderr));
    let results: Value = serde_json::from_slice(&played.stdout).expect("JSON");
    let names: Vec<&str> = results["players"]
        .as_array()
        .expect("players")
        .iter()
        .filter_map(|player| player["name"].as_str())
        .collect();
    assert!(names.contains(&"דנה כהן") && names.contains(&"אבי לוי"), "{names:?}");
    assert!(
        results["games"].as_array().expect("games").iter().all(|game| game["technical"] == false),
        "{results}"
    );
    let read = |name: &str| fs::read_to_string(Path::new(&out).join(name)).expect(name);
    let grades = read("grades.csv");
    for line in [
        "\"דנה כהן\",012345678,dana@example.org",
        "\"נועה בר\",111111118,noa@example.org",
        "\"אבי לוי\",777,",
    ] {
        assert!(grades.lines().any(|row| row.ends_with(line)), "{line}: {grades}");
    }
    let html = read("report.html");
    assert!(html.contains("<bdi>דנה כהן</bdi>") && !html.contains("dana@example.org"));
    let folders: Vec<String> = fs::read_dir(Path::new(&out).join("authors"))
        .expect("a folder")
        .flatten()
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    assert!(folders.iter().any(|name| name.starts_with("דנה-כהן-")), "{folders:?}");
    // To look at it: AGON_GALLERY=FOLDER cargo test -p agon --test courses.
    if let Some(gallery) = std::env::var_os("AGON_GALLERY") {
        for name in ["report.html", "report.txt", "grades.csv"] {
            fs::copy(Path::new(&out).join(name), Path::new(&gallery).join(name)).expect(name);
        }
    }
}

#[test]
fn a_person_who_does_not_move_in_time_loses_on_time() {
    let folder = TemporaryFolder::new();
    let players = "[[players]]\nname = \"me\"\nbot = \"human\"\ntime = \"1s\"\n[[players]]\nname = \"it\"\nbot = \"random\"\n";
    let round = "[[rounds]]\ngame = \"othello\"\noptions = \"size=4\"\n";
    let file = folder.write("people.toml", &format!("{players}{round}")).display().to_string();
    let out = at(&folder, "out");
    // Nobody types, and the terminal stays open.
    let mut child = Command::new(env!("CARGO_BIN_EXE_agon"))
        .args(["arena", "run", &file, "--out", &out, "--json"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("agon runs");
    let stdin = child.stdin.take();
    let output = child.wait_with_output().expect("it ends by itself");
    drop(stdin);
    let results: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(results["games"][0]["reason"], "late", "{results}");
    let asked = text(&output.stderr);
    assert!(asked.contains("your move (1 s left): ") && asked.contains("The time of me is up."), "{asked}");
}
