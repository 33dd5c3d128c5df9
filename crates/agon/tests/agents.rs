//! `agon agent` and `agon arena import` as authors and teachers use them.
#![cfg(unix)]

mod support;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use support::{agon, transcript};

/// A folder that goes when the test does.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("agon-agents-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).expect("a folder");
        Self(path)
    }

    fn path(&self, name: &str) -> String {
        self.0.join(name).to_str().expect("a plain path").to_owned()
    }

    fn write(&self, name: &str, text: &str) -> String {
        let path = self.0.join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("it can be made");
        fs::write(&path, text).expect("it can be written");
        self.path(name)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn text(args: &[&str]) -> String {
    transcript(args, "")
}

/// Checks an agent: the exit code, and the trials.
fn checked(command: &str, more: &[&str]) -> (Option<i32>, Vec<Value>) {
    let output = agon(&[&["agent", "check", command, "--json"], more].concat(), b"");
    let report: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(report["ok"], output.status.success());
    (output.status.code(), report["trials"].as_array().expect("trials").clone())
}

/// The reasons for which trials failed. Whether an answer is late depends on how busy this machine is, so that does not count here.
fn reasons(trials: &[Value]) -> Vec<&str> {
    let mut reasons: Vec<&str> =
        trials.iter().filter_map(|trial| trial["finding"]["reason"].as_str()).collect();
    reasons.retain(|reason| *reason != "late");
    reasons.dedup();
    reasons
}

fn is_there(program: &str) -> bool {
    Command::new(program).arg("--version").output().is_ok_and(|output| output.status.success())
}

/// Writes a starter, builds it, and returns its folder.
fn starter(folder: &Folder, language: &str, game: &str) -> String {
    let dir = folder.path(language);
    let said = text(&["agent", "new", "--lang", language, "--game", game, &dir]);
    assert!(said.contains(&format!("cd {dir}")), "{said}");
    let steps: Vec<&str> = said
        .lines()
        .map(str::trim)
        .skip_while(|line| !line.starts_with("cd "))
        .skip(1)
        .take_while(|line| !line.starts_with("agon "))
        .collect();
    for step in steps {
        let built =
            Command::new("sh").args(["-c", step]).current_dir(&dir).env_remove("CARGO_TARGET_DIR").output();
        let output = built.expect("a shell");
        assert!(output.status.success(), "{step}: {}", String::from_utf8_lossy(&output.stderr));
        assert!(output.stderr.is_empty(), "{step} warns: {}", String::from_utf8_lossy(&output.stderr));
    }
    dir
}

fn a_starter_plays(language: &str, tools: &[&str], command: &str) {
    if !tools.iter().all(|tool| is_there(tool)) {
        // What cannot be built here is not this test's to judge.
        return;
    }
    let folder = Folder::new(language);
    let dir = starter(&folder, language, "othello");
    let command = command.replace("DIR", &dir);
    let (_, trials) = checked(&command, &["--game", "othello", "--options", "size=4", "--time", "20s"]);
    assert!(reasons(&trials).is_empty(), "{trials:#?}");
    assert!(trials.len() >= 8 && trials.iter().any(|trial| trial["trial"] == "has to pass"), "{trials:#?}");
    for game in ["loa", "tablut", "2048"] {
        let (_, trials) = checked(&command, &["--game", game, "--options", "", "--time", "20s"]);
        assert!(reasons(&trials).is_empty(), "{game}: {trials:#?}");
    }
}

#[test]
fn the_python_starter_plays() {
    // The kit is beside the agent; nothing has to be installed.
    let folder = Folder::new("python");
    let dir = starter(&folder, "python", "loa");
    for game in ["loa", "chinese-checkers", "2048"] {
        let (_, trials) = checked(&dir, &["--game", game, "--options", "", "--time", "20s"]);
        assert!(reasons(&trials).is_empty(), "{trials:#?}");
        assert!(trials.iter().all(|trial| trial["name"] != ""), "{trials:#?}");
    }
}

#[test]
fn a_submission_without_the_kit_is_checked_as_it_would_be_imported() {
    let folder = Folder::new("bare");
    let agent = "from agon_agent import GameAgent\n\n\nclass Agent(GameAgent):\n    def move(self, game_state):\n        return game_state.legal_actions[0]\n";
    folder.write("mine/agent.py", agent);
    let options = ["--game", "othello", "--options", "size=4", "--time", "20s"];
    let (_, trials) = checked(&folder.path("mine"), &options);
    assert!(!trials.is_empty() && reasons(&trials).is_empty(), "{trials:#?}");
    assert_eq!(
        fs::read_dir(folder.0.join("mine")).expect("it is there").count(),
        1,
        "nothing was added to it"
    );
    // A protocol that the check does not speak is not held against the agent.
    folder.write("engine/agent.toml", "command = [\"./engine\"]\nprotocol = \"ugi\"\n");
    folder.write("engine/engine", "");
    let output = agon(&["agent", "check", &folder.path("engine"), "--game", "othello"], b"");
    let error = String::from_utf8(output.stderr).expect("UTF-8");
    assert!(!output.status.success() && error.contains("it speaks ugi"), "{error}");
}

#[test]
fn the_c_starter_plays() {
    a_starter_plays("c", &["cc", "make"], "DIR/agent");
}

#[test]
fn the_java_starter_plays() {
    a_starter_plays("java", &["javac", "jar", "java"], "java -jar DIR/agent.jar");
}

#[test]
fn the_rust_starter_plays() {
    a_starter_plays("rust", &["cargo"], "DIR/target/release/agent");
}

#[test]
fn a_starter_overwrites_nothing() {
    let folder = Folder::new("overwrite");
    folder.write("mine/agent.py", "precious");
    let output = agon(&["agent", "new", "--lang", "python", &folder.path("mine")], b"");
    let error = String::from_utf8(output.stderr).expect("UTF-8");
    assert!(!output.status.success() && error.contains("nothing was written"), "{error}");
    assert_eq!(fs::read_to_string(folder.0.join("mine/agent.py")).expect("it is there"), "precious");
    assert_eq!(fs::read_dir(&folder.0).expect("it is there").count(), 1);
}

/// What shells need to start other programs.
const THREADS: [&str; 2] = ["--threads", "8"];

/// Every way to lose a game by one's own fault is found and named.
#[test]
fn bad_agents_are_found_out() {
    let folder = Folder::new("bad");
    let ready = r#"echo '{"type":"ready","name":"a"}'"#;
    let good = format!(
        "read l; {ready}; while read l; do m=${{l#*legal\\\":[\\\"}}; echo '{{\"type\":\"move\",\"move\":\"'${{m%%\\\"*}}'\"}}'; done"
    );
    for (name, script, reason) in [
        ("silent", "read l; sleep 60".to_owned(), "setup"),
        ("crash at start", "exit 3".to_owned(), "setup"),
        ("crash in a move", format!("read l; {ready}; read l; echo 'it broke' >&2; exit 3"), "crash"),
        (
            "illegal",
            format!("read l; {ready}; read l; echo '{{\"type\":\"move\",\"move\":\"z9\"}}'; read l"),
            "illegal",
        ),
        ("printing first", format!("echo hello; {good}"), "printing"),
        ("printing instead", format!("read l; {ready}; read l; echo thinking; read l"), "printing"),
        // If the second answer is slow, it meets the next question.
        ("answering twice", format!("read l; {ready}; {ready}; read l; read l; read l"), "printing"),
        (
            "moving too early",
            "read l; echo '{\"type\":\"move\",\"move\":\"a2\"}'; read l".to_owned(),
            "protocol",
        ),
        (
            "a malformed answer",
            format!("read l; {ready}; read l; echo '{{\"type\":\"move\"}}'; read l"),
            "protocol",
        ),
        ("half a line", format!("read l; {ready}; read l; printf half; exit 0"), "crash"),
    ] {
        let path = folder.write("agent.sh", &script);
        let options = ["--game", "othello", "--options", "size=4", "--setup", "2s", "--time", "2s"];
        let (code, trials) = checked(&format!("sh {path}"), &[&options[..], &THREADS].concat());
        assert_eq!(code, Some(1), "{name}");
        let found = reasons(&trials);
        let is_right =
            found.first() == Some(&reason) || name == "answering twice" && found.contains(&"protocol");
        assert!(is_right, "{name}: {trials:#?}");
        let finding = &trials.iter().find(|trial| trial["ok"] == false).expect("it failed")["finding"];
        assert!(finding["fix"].as_str().is_some_and(|fix| fix.len() > 40), "{name}: {finding}");
        if name == "crash in a move" {
            assert_eq!(finding["errors"][0], "it broke");
            assert!(
                finding["what"].as_str().is_some_and(|what| what.contains("exit status: 3")),
                "{finding}"
            );
        }
    }
    // One that never answers is late, on any machine.
    let path = folder.write("agent.sh", &format!("read l; {ready}; read l; sleep 60"));
    let late = ["--game", "othello", "--options", "size=4", "--time", "100ms"];
    let (code, trials) = checked(&format!("sh {path}"), &[&late[..], &THREADS].concat());
    assert_eq!((code, &trials[0]["finding"]["reason"]), (Some(1), &Value::from("late")));
    assert!(trials.len() > 5, "what else is wrong is found, too");
    // One that stays when it should go loses nothing, but is told.
    let path = folder.write("agent.sh", &format!("{good}; sleep 60"));
    let patient = ["--game", "othello", "--options", "size=4", "--time", "20s"];
    let (_, trials) = checked(&format!("sh {path}"), &[&patient[..], &THREADS].concat());
    let ends = trials.iter().find(|trial| trial["trial"] == "ends when its input ends").expect("it is tried");
    assert!(
        ends["ok"] == true && ends["finding"]["reason"].is_null() && ends["finding"]["what"] != "",
        "{ends}"
    );
}

#[test]
fn what_people_read_says_what_happened_and_how_to_mend_it() {
    let folder = Folder::new("words");
    let path = folder.write("agent.sh", "echo 'hello there'; read l");
    let output =
        agon(&["agent", "check", &format!("sh {path}"), "--game", "othello", "--options", "size=4"], b"");
    let said = String::from_utf8(output.stdout).expect("UTF-8");
    assert!(
        said.contains("LOSS")
            && said.contains("'hello there'")
            && said.contains("Reason in the table: printing"),
        "{said}"
    );
    assert!(said.contains("To fix it: Standard output is for answers only"), "{said}");
    let error = String::from_utf8(output.stderr).expect("UTF-8");
    assert!(error.contains("would lose games by its own fault"), "{error}");
    for (command, expected) in [
        ("no-such-program", "there is no program"),
        ("'x", "a ' is missing"),
        (folder.write("lonely.py", "").as_str(), "try 'python3 -m agon_agent"),
        (folder.0.to_str().expect("plain"), "neither agent.py nor agent.toml"),
    ] {
        let output = agon(&["agent", "check", command, "--game", "othello"], b"");
        let error = String::from_utf8(output.stderr).expect("UTF-8");
        assert!(!output.status.success() && error.contains(expected), "{command}: {error}");
    }
}

/// The positions that the Python tests hold the example's rules to are what the rules say.
#[test]
fn the_known_positions_of_the_python_tests_hold() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../python/tests/loa_positions.jsonl");
    let lines = fs::read_to_string(path).expect("the positions are there");
    for line in lines.lines() {
        let known: Value = serde_json::from_str(line).expect("JSON");
        let request =
            serde_json::json!({"game": "loa", "options": known["options"], "position": known["position"]});
        let output = agon(&["query"], request.to_string().as_bytes());
        let answer: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        for (key, value) in known.as_object().expect("an object") {
            assert_eq!(&answer[key], value, "{key} of {line}");
        }
    }
}

#[test]
fn submissions_become_players() {
    let folder = Folder::new("import");
    folder.write("in/dana/agent.py", "from agon_agent import GameAgent\nclass A(GameAgent):\n    pass\n");
    folder.write("in/avi/agent.py", "def broken(:\n");
    folder.write("in/eve.zip", "this is no ZIP");
    let (submissions, file) = (folder.path("in"), folder.path("course.toml"));
    let output = agon(&["arena", "import", &submissions, "--out", &file, "--json"], b"");
    let report: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let of = |name: &str| {
        let all = report["submissions"].as_array().expect("a list");
        all.iter().find(|one| one["name"] == name).unwrap_or_else(|| panic!("{name} in {report}")).clone()
    };
    assert_eq!(of("dana")["plays"], 1);
    assert!(of("avi")["rejected"].as_str().is_some_and(|why| why.starts_with("agent.py: ")), "{report}");
    assert!(
        of("eve")["rejected"].as_str().is_some_and(|why| why.contains("the ZIP cannot be read")),
        "{report}"
    );
    let said = text(&["arena", "import", &submissions, "--out", &file]);
    assert!(said.contains("version 1 plays") && said.contains("2 of them rejected"), "{said}");
    let toml = fs::read_to_string(&file).expect("the tournament file");
    assert!(
        toml.contains(r#"command = ["python3", "-m", "agon_agent", "course-agents/dana/1/agent.py"]"#),
        "{toml}"
    );
}
