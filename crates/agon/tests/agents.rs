//! `agon agent` and `agon arena import` as authors and teachers use them.
#![cfg(unix)]

mod support;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};

use serde_json::Value;
use support::{agon, transcript};

/// A folder that goes when the test does.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("agon-agents-{name}-{}-{number}", std::process::id()));
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

/// Checks an agent: the exit code, and the whole report. What was said is kept in a folder that goes.
fn report(command: &str, more: &[&str]) -> (Option<i32>, Value) {
    let folder = Folder::new("said");
    let save = folder.path("check");
    let output = agon(&[&["agent", "check", command, "--json", "--save", &save], more].concat(), b"");
    let report: Value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&output.stderr)));
    assert_eq!(report["ok"], output.status.success());
    (output.status.code(), report)
}

/// The same: the exit code, and the trials.
fn checked(command: &str, more: &[&str]) -> (Option<i32>, Vec<Value>) {
    let (code, report) = report(command, more);
    (code, report["trials"].as_array().expect("trials").clone())
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

/// The commands of the first block for a shell in a document.
fn commands(document: &str) -> Vec<String> {
    let block = document.split("```sh\n").nth(1).and_then(|rest| rest.split("```").next()).expect("a block");
    let command = |line: &str| line.split("  #").next().unwrap_or_default().trim().to_owned();
    block.lines().map(command).filter(|line| !line.is_empty()).collect()
}

/// Does what docs/agents.md and then the starter's own document say, word for word, and nothing else.
fn follow_the_documents(language: &str, tools: &[&str]) {
    if !tools.iter().all(|tool| is_there(tool)) {
        return;
    }
    let folder = Folder::new(&format!("follow-{language}"));
    let program = Path::new(env!("CARGO_BIN_EXE_agon")).parent().expect("it is in a folder");
    let path = format!("{}:{}", program.display(), std::env::var("PATH").expect("there is one"));
    let mut place = folder.0.clone();
    let run = |command: &str, place: &Path| {
        let mut shell = Command::new("sh");
        shell.args(["-c", command]).current_dir(place).env("PATH", &path).env_remove("CARGO_TARGET_DIR");
        shell.stdin(std::process::Stdio::null()).output().expect("a shell")
    };
    let must = |command: &str, place: &Path| {
        // Duels are shorter here, and checks may be late on a busy machine, which is all that they may be.
        let command = command.replace("--games 10", "--games 2");
        let is_check = command.starts_with("agon agent check");
        let output = run(&if is_check { command.clone() + " --json" } else { command.clone() }, place);
        if is_check {
            let report: Value = serde_json::from_slice(&output.stdout)
                .unwrap_or_else(|_| panic!("{command}: {}", String::from_utf8_lossy(&output.stderr)));
            let trials = report["trials"].as_array().expect("trials");
            assert!(reasons(trials).is_empty() && trials.len() > 8, "{command}: {trials:#?}");
        } else {
            assert!(output.status.success(), "{command}: {}", String::from_utf8_lossy(&output.stderr));
        }
    };
    let guide = include_str!("../../../docs/agents.md");
    let start = guide.split("\n## ").find(|section| section.starts_with("Start\n")).expect("a section");
    let row =
        start.lines().find(|line| line.starts_with(&format!("| `{language}`"))).expect("a row of the table");
    let runs = row.rsplit('`').nth(1).expect("how it is run");
    let mut is_built = false;
    for command in commands(start) {
        if let Some(dir) = command.strip_prefix("cd ") {
            place.push(dir);
            continue;
        }
        if command.starts_with("agon agent check") && !is_built {
            is_built = true;
            let readme = fs::read_to_string(place.join("README.md")).expect("the starter's document");
            for step in commands(&readme) {
                // People play against it by hand.
                if !step.starts_with("agon play") {
                    must(&step, &place);
                }
            }
            let command = commands(&readme).join("\n");
            assert!(command.contains(runs), "{language} is run by {runs}: {command}");
        }
        must(&command.replace("--lang python", &format!("--lang {language}")), &place);
    }
    assert!(is_built && place.join("README.md").exists());
    // It can be handed in as it is.
    let file = folder.path("course.toml");
    must(&format!("agon arena import . --out {file} --json"), &folder.0);
    assert!(
        fs::read_to_string(file).expect("a tournament file").contains("name = \"my-agent\""),
        "{language}"
    );
}

#[test]
fn the_documents_lead_to_an_agent_in_python() {
    follow_the_documents("python", &[]);
}

#[test]
fn the_documents_lead_to_an_agent_in_rust() {
    follow_the_documents("rust", &["cargo"]);
}

#[test]
fn the_documents_lead_to_an_agent_in_java() {
    follow_the_documents("java", &["javac", "jar", "java"]);
}

#[test]
fn the_documents_lead_to_an_agent_in_c() {
    follow_the_documents("c", &["cc", "make"]);
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
    let save = folder.path("check");
    let command = format!("sh {path}");
    let args = ["agent", "check", &command, "--game", "othello", "--options", "size=4", "--save", &save];
    let output = agon(&args, b"");
    let said = String::from_utf8(output.stdout).expect("UTF-8");
    assert!(
        said.contains("LOSS")
            && said.contains("'hello there'")
            && said.contains("Reason in the table: printing"),
        "{said}"
    );
    assert!(said.contains("To fix it: Standard output is for answers only"), "{said}");
    let error = String::from_utf8(output.stderr).expect("UTF-8");
    assert!(error.contains("would lose games by its own fault") && error.contains("(printing "), "{error}");
    folder.write("in/main.py", "");
    for (command, expected) in [
        ("no-such-program", "there is no program"),
        ("'x", "a ' is missing"),
        (folder.write("lonely.py", "").as_str(), "try 'python3 -m agon_agent"),
        (folder.path("in").as_str(), "neither agent.py nor agent.toml"),
    ] {
        let output = agon(&["agent", "check", command, "--game", "othello"], b"");
        let error = String::from_utf8(output.stderr).expect("UTF-8");
        assert!(!output.status.success() && error.contains(expected), "{command}: {error}");
    }
}

/// Options with which nobody is late.
const CALM: [&str; 6] = ["--game", "othello", "--options", "size=4", "--time", "20s"];

#[test]
fn agents_that_speak_ugi_are_checked() {
    let engine = format!("ugi:{} engine --game othello --bot random", env!("CARGO_BIN_EXE_agon"));
    let more = [&CALM[..], &["--threads", "64"]].concat();
    let (_, trials) = checked(&engine, &more);
    assert!(reasons(&trials).is_empty() && trials.len() >= 6, "{trials:#?}");
    assert!(trials.iter().any(|trial| trial["trial"] == "has to pass" && trial["moves"] == 1), "{trials:#?}");
    // Those that fail, as a submission and as a command.
    let folder = Folder::new("ugi");
    let script = |answer: &str| {
        format!(
            "while read l; do case \"$l\" in ugi) echo ugiok;; isready) echo readyok;; go*) {answer};; quit) exit;; esac; done"
        )
    };
    for (answer, reason, words) in [
        ("echo bestmove z9", "illegal", "It played 'z9', which is not legal"),
        ("echo 'it broke' >&2; exit 3", "crash", "exit status: 3"),
        ("printf bestmove; exit", "crash", "in the middle of a line"),
    ] {
        folder.write("engine/agent.toml", "command = [\"sh\", \"engine.sh\"]\nprotocol = \"ugi\"\n");
        let path = folder.write("engine/engine.sh", &script(answer));
        for command in [folder.path("engine"), format!("ugi:sh {path}")] {
            let (code, trials) = checked(&command, &[&CALM[..], &THREADS].concat());
            let finding = &trials[0]["finding"];
            assert_eq!((code, &finding["reason"]), (Some(1), &Value::from(reason)), "{finding}");
            assert!(finding["what"].as_str().is_some_and(|what| what.contains(words)), "{finding}");
        }
    }
    let path = folder.write("silent.sh", "read l; sleep 60");
    let (_, trials) = checked(&format!("ugi:sh {path}"), &[&CALM[..], &THREADS, &["--setup", "1s"]].concat());
    assert_eq!(trials[0]["finding"]["reason"], "setup");
    let refused = agon(&["agent", "check", "ugi:sh", "--game", "2048"], b"");
    let error = String::from_utf8(refused.stderr).expect("UTF-8");
    assert!(error.contains("UGI is for games of two players without chance, and 2048 is none"), "{error}");
}

#[test]
fn a_fault_is_told_once_and_can_be_repeated() {
    let folder = Folder::new("repeat");
    let agent = "from agon_agent import GameAgent\n\n\nclass Agent(GameAgent):\n    def move(self, game_state):\n        return game_state.board[99]\n";
    folder.write("mine/agent.py", agent);
    // As a student has it, with the kit beside it.
    let kit = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../python/agon_agent");
    let copied = Command::new("cp").arg("-r").arg(kit).arg(folder.0.join("mine")).status();
    assert!(copied.expect("there is cp").success());
    let run = Command::new(env!("CARGO_BIN_EXE_agon"))
        .args(["agent", "check", ".", "--game", "othello", "--options", "size=4", "--time", "20s"])
        .current_dir(folder.0.join("mine"))
        .output()
        .expect("agon runs");
    let said = String::from_utf8(run.stdout).expect("UTF-8");
    assert_eq!(said.matches("To fix it").count(), 1, "{said}");
    assert_eq!(said.matches("IndexError").count(), 1, "{said}");
    assert!(said.matches("crash, as in trial 1").count() >= 4, "{said}");
    // The author's own names, not those of the copy that was checked.
    assert!(said.contains("File \"agent.py\", line 6") && !said.contains("agon-check-"), "{said}");
    let dialogue = fs::read_to_string(folder.0.join("mine/agon-check/1-dialogue.txt")).expect("it was kept");
    for sign in ["> {\"type\":\"setup\"", "< {\"type\": \"ready\"", "! IndexError"] {
        assert!(dialogue.contains(sign), "{sign}: {dialogue}");
    }
    let command = said.lines().find_map(|line| line.trim().strip_prefix("To repeat it:")).expect("a command");
    assert_eq!(command.trim(), "python3 -m agon_agent agent.py < agon-check/1-input.txt");
    let again = Command::new("sh").args(["-c", command]).current_dir(folder.0.join("mine")).output();
    let again = String::from_utf8(again.expect("a shell").stderr).expect("UTF-8");
    assert!(again.contains("IndexError"), "{again}");
    // It is not handed in.
    let output = agon(
        &["arena", "import", folder.0.to_str().expect("plain"), "--out", &folder.path("course.toml")],
        b"",
    );
    assert!(output.status.success(), "{output:?}");
    assert!(!folder.0.join("course-agents/mine/1/agon-check").exists());
    // From elsewhere, the command leads to the agent.
    let (_, trials) = checked(&folder.path("mine"), &CALM);
    assert_eq!(
        (&trials[0]["same_as"], &trials[1]["same_as"]),
        (&Value::Null, &Value::from(1)),
        "{trials:#?}"
    );
}

fn python_agent(folder: &Folder, name: &str, body: &str) -> String {
    let head =
        "from agon_agent import GameAgent\n\n\nclass Agent(GameAgent):\n    def move(self, game_state):\n";
    folder.write(
        &format!("{name}/agent.py"),
        &format!("{head}{body}\n        return game_state.legal_moves[0]\n"),
    );
    folder.path(name)
}

#[test]
fn memory_is_measured_and_a_hog_told_from_a_slow_agent() {
    let folder = Folder::new("memory");
    let (_, said) =
        report(&python_agent(&folder, "much", "        self.table = bytearray(b'x') * (300 << 20)"), &CALM);
    let used = said["memory"].as_u64().expect("it is known");
    assert!((300 << 20..700 << 20).contains(&used), "{used}");
    assert_eq!(said["memory_limit"], 1 << 30);
    // More than it may have takes longer to get than a move may take.
    let hog = python_agent(&folder, "hog", "        self.table = bytearray(b'x') * (800 << 20)");
    let quick = ["--game", "othello", "--options", "size=4", "--time", "100ms", "--memory", "64MB"];
    let (code, said) = report(&hog, &quick);
    assert_eq!((code, &said["trials"][0]["finding"]["reason"]), (Some(1), &Value::from("memory")), "{said}");
}

#[test]
fn whoever_writes_elsewhere_hears_of_the_folder_for_that() {
    let folder = Folder::new("writing");
    let agent = python_agent(
        &folder,
        "notes",
        "        try:\n            open('notes.txt', 'w')\n        except OSError:\n            pass",
    );
    let (code, trials) = checked(&agent, &CALM);
    let finding = &trials[0]["finding"];
    assert!(finding["reason"].is_null() && code.is_some(), "{finding}");
    let what = finding["what"].as_str().expect("a sentence");
    assert!(what.contains("it could not write to 'notes.txt'") && what.contains("TMPDIR"), "{what}");
    let outside = python_agent(&folder, "outside", "        open('/usr/bin/env', 'r+')");
    let (_, trials) = checked(&outside, &CALM);
    let finding = &trials[0]["finding"];
    assert_eq!(finding["reason"], "files", "{finding}");
    assert!(finding["what"].as_str().is_some_and(|what| what.contains("TMPDIR")), "{finding}");
    // An alarm is an interrupt.
    let alarm = python_agent(&folder, "alarm", "        import signal\n        signal.alarm(1)");
    let (_, trials) = checked(&alarm, &CALM);
    assert_eq!(trials[0]["finding"]["reason"], "interrupts", "{}", trials[0]);
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
    assert!(of("avi")["rejected"].as_str().is_some_and(|why| why.starts_with("agent.py:1:")), "{report}");
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
