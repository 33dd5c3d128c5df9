//! `agon engine` as others see it: dialogues as snapshots, whole games against itself through every protocol, and the Bologna
//! challenge over loopback.
#![cfg(unix)]

#[path = "support/lists.rs"]
mod lists;
mod support;

use std::ffi::OsStr;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, Stdio};

use agon_protocol::gtp;
use agon_registry::GAMES;
use lists::without_lists_of_games;
use support::{agon, transcript};

const AGON: &str = env!("CARGO_BIN_EXE_agon");

#[test]
fn a_ugi_dialogue() {
    let dialogue = "ugi
isready
uginewgame
query p1turn
position startpos moves d3
query p1turn
query gameover
query result
go nodes 100
position startpos moves d3 zz
position startpos moves d3 d3
position nowhere
position fen 8/8 x
go movetime
go ponder
hello

setoption name Bot value gredy
setoption name Hash value 64
setoption name Bot value greedy
setoption name Options value size=4
position startpos moves a2 a1 b1 c1 d4 a3 d1 c4 a4 d2 d3 b4
query gameover
query result
go
position fen 4/1ox1/1xo1/4 o moves c1
query p1turn
query result
";
    let args = ["engine", "--game", "othello", "--bot", "random", "--seed", "1"];
    insta::assert_snapshot!("engine-ugi", transcript(&args, dialogue));
}

#[test]
fn a_gtp_dialogue() {
    let dialogue = "1 protocol_version
2 name
3 known_command play
4 known_command fly
5 list_commands
boardsize 8
clear_board # a comment
komi 6.5
showboard
play black d3
play white d3
play white c3
play red c4
play black z9
play black
play white pass
genmove white
undo
undo
undo
grhino-setup_board xo-------------------------------------------------------------x white
genmove white
showboard
play white pass
play black pass
genmove black
final_score
genmove black
showboard
undo
grhino-show_history
boardsize 7
boardsize 10
showboard
boardsize x
time_settings 0 1 1
time_settings 1
time_left black 1 0
set_game Go
set_game Othello
list_games
fly
12
final_score

quit
name
";
    let args = ["engine", "--game", "othello", "--protocol", "gtp", "--bot", "greedy", "--seed", "1"];
    insta::assert_snapshot!("engine-gtp", transcript(&args, dialogue));
}

#[test]
fn an_nboard_dialogue() {
    let dialogue = "nboard 2
nboard 3
set depth 2
set depth 99
set contempt 5
hint 2
set game (;GM[Othello]PB[a]PW[b]TI[05:00]TY[8]BO[8 ---------------------------O*------*O--------------------------- *]B[F5//1.5]W[D6];)
hint 1
go
move C3//2.0
move A1
set game (;GM[Othello]BO[8 *];)
set game (;GM[Othello]BO[4 *O-------------* *];)
go
analyze
learn
hello
set game (;GM[Othello]BO[4 ***************- O]W[PA];)
hint 1
go
quit
set depth 3
";
    let args = [
        "engine",
        "--game",
        "othello",
        "--protocol",
        "nboard",
        "--bot",
        "alphabeta:eval=features",
        "--seed",
        "1",
    ];
    // How long something took is another matter every time.
    let timeless = |line: &str| {
        let is_timed = line.starts_with("nodestats ") || line.starts_with("=== ");
        line.rsplit_once([' ', '/']).filter(|_| is_timed).map_or(line, |(kept, _)| kept).to_owned()
    };
    let said: Vec<String> = transcript(&args, dialogue).lines().map(timeless).collect();
    insta::assert_snapshot!("engine-nboard", said.join("\n"));
}

#[test]
fn an_agent_dialogue() {
    let dialogue = r#"{"type": "move", "position": "8/8/8/3ox3/3xo3/8/8/8 x", "ply": 0, "history": [], "legal": ["d3"], "time": 1}
hello
{"type": "setup", "game": "no-such-game", "options": "", "seat": "x", "position": "", "time_per_move": 1, "setup_time": 1}
{"type": "setup", "game": "othello", "options": "", "seat": "w", "position": "8/8/8/3ox3/3xo3/8/8/8 x", "time_per_move": 1, "setup_time": 1}
{"type": "setup", "game": "othello", "options": "size=8", "seat": "x", "position": "8/8/8/3ox3/3xo3/8/8/8 x", "time_per_move": 1, "setup_time": 1}
{"type": "move", "position": "8/8/8/3ox3/3xo3/8/8/8 x", "ply": 0, "history": [], "legal": ["c4", "d3", "e6", "f5"], "time": 1}
{"type": "move", "position": "xo6/8/8/8/8/8/8/7x x", "ply": 7, "history": ["unknown"], "legal": ["c1"], "time": 0.001}
{"type": "move", "position": "8/8 x", "ply": 7, "history": [], "legal": ["c1"], "time": 1}
{"type": "move", "position": "xxx5/8/8/8/8/8/8/7x o", "ply": 7, "history": [], "legal": [], "time": 1}
{"type": "result", "outcome": "won", "reason": "discs"}
"#;
    let args = ["engine", "--protocol", "jsonl", "--bot", "greedy", "--seed", "1"];
    insta::assert_snapshot!("engine-jsonl", without_lists_of_games(&transcript(&args, dialogue)));
}

/// The sample sessions of the documentation are what the engine really answers.
#[test]
fn sample_sessions_are_as_documented() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/protocols.md");
    let text = std::fs::read_to_string(path).expect("the document is there");
    let sessions =
        text.split("```").skip(1).step_by(2).filter_map(|block| block.strip_prefix("text\n$ agon "));
    let mut count = 0;
    for session in sessions {
        let mut lines = session.lines();
        let args = lines.next().expect("a command").split(' ');
        let mut child = spawn(args);
        let mut stdin = child.stdin.take().expect("a pipe");
        let mut answers =
            BufReader::new(child.stdout.take().expect("a pipe")).lines().map(|line| line.expect("text"));
        // How many depths are reported is a matter of speed.
        let is_progress = |line: &str| line.starts_with("info depth ");
        for line in lines {
            if let Some(sent) = line.strip_prefix("> ") {
                writeln!(stdin, "{sent}").expect("the engine listens");
            } else {
                let expected = line.strip_prefix('<').expect("> or <").trim_start_matches(' ');
                if !is_progress(expected) {
                    let answer =
                        answers.find(|line| !is_progress(line)).unwrap_or_else(|| panic!("no {expected}"));
                    assert_eq!(
                        without_score(answer.trim_start_matches(' ')),
                        without_score(expected),
                        "{session}"
                    );
                }
            }
        }
        drop(stdin);
        assert_eq!(answers.next(), None, "{session}");
        assert!(child.wait().expect("it ends").success(), "{session}");
        count += 1;
    }
    assert_eq!(count, 4, "one session for each protocol");
}

/// An answer of an agent without its score.
fn without_score(answer: &str) -> String {
    match answer.split_once("\"score\":") {
        Some((before, after)) => {
            format!("{before}{}", after.trim_start_matches(|char: char| !matches!(char, ',' | '}')))
        }
        None => answer.to_owned(),
    }
}

#[test]
fn engines_refuse_what_they_cannot_play() {
    let refusals: Vec<String> = [
        &["engine"][..],
        &["engine", "--game", "2048"],
        &["engine", "--game", "chinese-checkers", "--options", "seats=g/y/r"],
        &["engine", "--game", "tablut", "--protocol", "gtp"],
        &["engine", "--protocol", "gtp"],
        &["engine", "--game", "loa", "--bot", "randm"],
        &["engine", "--game", "loa", "--bot", "ugi:no-such-engine"],
        &["tablut-client", "white", "0", "localhost"],
        &["tablut-client", "red", "1", "localhost"],
        &["tablut-server", "--ports", "5800"],
        &["tablut-server", "--time", "60"],
    ]
    .iter()
    .map(|args| transcript(args, ""))
    .collect();
    insta::assert_snapshot!("engine-refusals", refusals.join("\n"));
}

/// The program with pipes to talk through.
fn spawn<S: AsRef<OsStr>>(args: impl IntoIterator<Item = S>) -> Child {
    let mut command = Command::new(AGON);
    command.args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("agon starts")
}

/// An engine that is spoken to line by line.
struct Engine {
    child: Child,
    answers: BufReader<std::process::ChildStdout>,
}

impl Engine {
    fn start(args: &[&str]) -> Self {
        let mut child = spawn(args);
        let answers = BufReader::new(child.stdout.take().expect("standard output is a pipe"));
        Self { child, answers }
    }

    fn say(&mut self, line: &str) {
        let stdin = self.child.stdin.as_mut().expect("standard input is a pipe");
        writeln!(stdin, "{line}").expect("the engine listens");
    }

    /// Reads until a line begins with `start`; that line and those before it.
    fn hear(&mut self, start: &str) -> (String, Vec<String>) {
        let mut before = Vec::new();
        loop {
            let mut line = String::new();
            let length = self.answers.read_line(&mut line).expect("the engine speaks");
            assert!(length > 0, "the engine ended without {start}; it said {before:?}");
            if line.starts_with(start) {
                return (line.trim_end().to_owned(), before);
            }
            before.push(line.trim_end().to_owned());
        }
    }
}

#[test]
fn an_engine_that_thinks_hears_stop_isready_and_quit() {
    let mut engine = Engine::start(&["engine", "--game", "othello", "--bot", "plain"]);
    engine.say("position startpos");
    engine.say("go infinite");
    engine.say("query p1turn");
    engine.say("isready");
    let (_, before) = engine.hear("readyok");
    assert!(before.iter().all(|line| line.starts_with("info depth")), "{before:?}");
    engine.say("stop");
    let (best, before) = engine.hear("bestmove");
    assert!(["c4", "d3", "e6", "f5"].iter().any(|legal| best == format!("bestmove {legal}")), "{best}");
    assert!(
        before.last().is_some_and(|line| line.contains(" nodes ") && line.contains(" pv ")),
        "{before:?}"
    );
    assert_eq!(engine.hear("response").0, "response true", "what came in between waits");
    engine.say("go infinite");
    engine.say("quit");
    engine.hear("bestmove");
    assert!(engine.child.wait().expect("the engine ends").success());

    // Input that ends ends a search that nothing else would.
    let output = agon(&["engine", "--game", "loa", "--bot", "plain"], b"go infinite\n");
    assert!(String::from_utf8_lossy(&output.stdout).contains("\nbestmove "));
}

#[test]
fn whole_games_are_played_through_every_protocol() {
    for (entry, options) in GAMES.variants() {
        let (game, rules) = (entry.spec.id, entry.rules(options).expect("good options"));
        // Protocols do not care how large a board is, and games on the largest ones take seconds.
        if rules.start().board().cells.len() > 200 {
            continue;
        }
        let opponents = ",random".repeat(rules.seats().len() - 1);
        for protocol in ["gtp", "nboard", "ugi", "jsonl"] {
            let fits = match protocol {
                "gtp" | "nboard" => game == gtp::GAME,
                "ugi" => rules.seats().len() == 2 && !rules.has_chance(),
                _ => true,
            };
            if !fits {
                continue;
            }
            // The engine is told the options through the protocol.
            let engine =
                format!("{protocol}:{AGON} engine --game {game} --protocol {protocol} --bot greedy --seed 1");
            let players = format!("{engine}{opponents}");
            let args = ["play", game, "--options", options, "--players", &players, "--seed", "2"];
            let output = agon(&args, b"");
            let said = String::from_utf8_lossy(&output.stdout);
            let failed = String::from_utf8_lossy(&output.stderr);
            let is_over = [" won", "Draw", "Won", "Game over"].iter().any(|end| said.contains(end));
            assert!(output.status.success() && is_over, "{protocol} {game}: {said}{failed}");
        }
    }
}

#[test]
fn the_challenge_is_played_from_both_sides() {
    let folder = std::env::temp_dir().join(format!("agon-challenge-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for the record");
    let record = folder.join("game.txt");
    let record = record.to_str().expect("a plain path");
    let mut server = Command::new(AGON)
        .args(["tablut-server", "--ports", "0,0", "--address", "127.0.0.1", "--out", record])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("agon starts");
    let mut news = BufReader::new(server.stderr.take().expect("standard error is a pipe")).lines();
    let mut join = |colour: &str, bot: &str| {
        let line = news.next().expect("the server speaks").expect("in text");
        let port = line.rsplit(' ').next().expect("it names a port").to_owned();
        let waiting = format!("waiting for {colour} on port {port}");
        assert_eq!(line, waiting);
        let player = Command::new(AGON)
            .args(["tablut-client", colour, "60", "127.0.0.1", "--port", &port, "--bot", bot, "--seed", "1"])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("agon starts");
        let line = news.next().expect("the server speaks").expect("in text");
        assert!(line.starts_with(&format!("{colour} is agon, from 127.0.0.1:")), "{line}");
        player
    };
    let white = join("white", "plain:nodes=100");
    let black = join("black", "random");
    let moves = news.filter(|line| line.as_ref().is_ok_and(|line| line.contains(": "))).count();
    assert!(moves > 1);
    let ends = [white, black].map(|player| player.wait_with_output().expect("the player ends").stdout);
    assert_eq!(ends[0], ends[1]);
    assert!(server.wait().expect("the server ends").success());
    let check = agon(&["record", "check", record], b"");
    assert!(check.status.success(), "{}", String::from_utf8_lossy(&check.stdout));
    std::fs::remove_dir_all(&folder).expect("the folder can go");
}
