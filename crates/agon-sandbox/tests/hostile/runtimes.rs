//! The runtimes of the starters' languages, and others that agents are written for: they work, and try nothing that agents cannot do.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use agon_players::external::CommandLine;
use agon_sandbox::Limits;

use crate::stage::{Agent, Folder, modes, python};

/// A game of one move.
const GAME: [&str; 2] = [
    r#"{"type": "setup", "game": "loa", "options": "size=8", "seat": "b", "position": "x", "time_per_move": 5.0, "setup_time": 10.0}"#,
    r#"{"type": "move", "position": "x", "ply": 0, "history": [], "legal": ["a"], "time": 5.0}"#,
];

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn starter(file: &str) -> PathBuf {
    repository().join("crates/agon-agents/starters").join(file)
}

/// Whether a program can be found; if not, its language is not tested.
fn exists(program: &str) -> bool {
    CommandLine::parse(program).is_ok_and(|command| command.program.is_absolute())
}

/// Runs a compiler.
fn compile(command: &mut Command) {
    let output = command.output().expect("the compiler can be started");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// Plays a game with the agent that `prepare` puts into its folder, in every mode.
fn plays(threads: u32, prepare: impl Fn(&Folder) -> CommandLine) {
    for mode in modes() {
        let folder = Folder::new();
        let command = prepare(&folder);
        let mut agent = Agent::start(mode, Limits { threads, ..Limits::default() }, folder, command);
        agent.say(GAME[0]);
        let ready = agent.hear();
        assert!(ready.contains("ready"), "{ready}: {:?}", agent.end_now());
        agent.say(GAME[1]);
        assert_eq!(agent.hear(), r#"{"type": "move", "move": "a"}"#);
        let fate = agent.fate();
        assert_eq!((fate.code, fate.offence, &fate.notes[..]), (Some(0), None, &[][..]), "{fate:?}");
    }
}

fn words(arguments: &[&str]) -> Vec<String> {
    arguments.iter().map(|&argument| argument.to_owned()).collect()
}

#[test]
fn python_works() {
    plays(1, |folder| {
        fs::copy(starter("python/agent.py"), folder.0.join("agent.py")).expect("it can be copied");
        fs::create_dir(folder.0.join("agon_agent")).expect("a folder can be made");
        for file in fs::read_dir(repository().join("python/agon_agent")).expect("it is a folder").flatten() {
            if file.path().is_file() {
                let copy = folder.0.join("agon_agent").join(file.file_name());
                fs::copy(file.path(), copy).expect("it can be copied");
            }
        }
        CommandLine { program: python(), arguments: words(&["-m", "agon_agent", "agent.py"]) }
    });
}

#[test]
fn c_works() {
    plays(1, |folder| {
        let program = folder.0.join("agent");
        compile(Command::new("cc").arg("-o").arg(&program).arg(starter("c/agent.c")));
        CommandLine { program, arguments: Vec::new() }
    });
}

#[test]
fn rust_works() {
    // Whoever runs the tests a second time may not have a compiler of his own.
    if !exists("rustc") {
        return;
    }
    plays(1, |folder| {
        let program = folder.0.join("agent");
        compile(Command::new("rustc").arg("-o").arg(&program).arg(starter("rust/src/main.rs")));
        CommandLine { program, arguments: Vec::new() }
    });
}

#[test]
fn java_works() {
    if !exists("javac") {
        return;
    }
    plays(64, |folder| {
        compile(Command::new("javac").arg("-d").arg(&folder.0).arg(starter("java/Agent.java")));
        let program = CommandLine::parse("java").expect("it comes with the compiler").program;
        CommandLine { program, arguments: words(&["-cp", ".", "Agent"]) }
    });
}

#[test]
fn node_works() {
    if !exists("node") {
        return;
    }
    let script = r#"require("readline").createInterface({input: process.stdin}).on("line", (line) => console.log(
        line.includes("setup") ? '{"type": "ready", "name": "x"}' : '{"type": "move", "move": "a"}'));"#;
    plays(64, |folder| {
        folder.write("agent.js", script);
        let program = CommandLine::parse("node").expect("it was found").program;
        CommandLine { program, arguments: words(&["agent.js"]) }
    });
}
