//! Bots that run other programs, against programs that behave, and against all kinds that do not.
//!
//! The programs are small shell scripts. Where one hangs, the patience is short; where none does, it is long, so that a busy
//! machine changes nothing.
#![cfg(unix)]

use std::fs;
use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::ExitStatus;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use agon_core::Player;
use agon_erased::{Bot, BotError, Budget, Limits, Offence, Rules, Session};
use agon_match::{Fault, Occupant, ProgramSpec};
use agon_players::external::{
    CommandLine, Hosting, Launched, Launcher, Life, Patience, Printing, Transcript, board_for_agent,
    declared_parameters, program, turns_per_player,
};
use agon_protocol::agent::ToAgent;
use agon_protocol::parameters::Parameter;
use agon_registry::GAMES;

const LONG: Patience = Patience {
    setup: Duration::from_secs(60),
    overtime: Duration::from_secs(60),
    unlimited: Duration::from_secs(60),
    farewell: Duration::from_secs(60),
};
const SHORT: Patience = Patience {
    setup: Duration::from_millis(300),
    overtime: Duration::from_millis(100),
    unlimited: Duration::from_millis(300),
    farewell: Duration::from_millis(10),
};

/// An NBoard program that is told a game and moves.
const NBOARD: &str = concat!(
    r#"while read word rest; do case "$word" in nboard) echo "set myname scripted";; ping) echo "pong $rest";; "#,
    r#"go) echo "status thinking"; echo "nodestats 1234 0.50"; echo "=== D3/1.25/0.50";; quit) exit;; esac; done"#,
);
/// A GTP engine that always plays the same.
const GTP: &str =
    r#"while read line; do case "$line" in genmove*) printf "= D3\n\n";; *) printf "=\n\n";; esac; done"#;
/// A UGI engine that plays `d3` as soon as it is told to stop.
const UGI_UNTIL_STOP: &str = r#"while read line; do case "$line" in ugi) echo ugiok;; isready) echo readyok;; stop) echo info depth 3 score cp 7 nodes 9 pv d3 c5; echo bestmove d3;; esac; done"#;
/// What agents say when they are ready.
const READY: &str = r#"{\"type\":\"ready\",\"name\":\"a\"}"#;

fn othello() -> Arc<dyn Rules> {
    GAMES.find("othello").expect("it is listed").rules("").expect("the defaults hold")
}

fn spec(text: &str) -> ProgramSpec {
    match text.parse() {
        Ok(Occupant::Program(program)) => program,
        other => panic!("{text}: {other:?}"),
    }
}

/// A bot that runs `script` in a shell.
fn scripted(language: &str, script: &str, patience: Patience) -> Box<dyn Bot> {
    hosted(language, script, hosting(patience))
}

fn hosted(language: &str, script: &str, hosting: Hosting) -> Box<dyn Bot> {
    let quoted = script.replace('\\', r"\\").replace('"', r#"\""#);
    let spec = spec(&format!("{language}:sh -c \"{quoted}\""));
    program(&*othello(), &spec, hosting).expect("there is a shell")
}

fn hosting(patience: Patience) -> Hosting {
    Hosting { patience, ..Hosting::default() }
}

fn unlimited() -> Budget {
    Budget::new(Limits::default())
}

/// The move of `bot` at the start of Othello.
fn first_move(bot: &mut dyn Bot) -> Result<String, BotError> {
    bot.think(&*othello().start(), &unlimited(), &mut |_| {}).map(|thought| thought.best)
}

/// A folder that goes when the test does.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("agon-{name}-{}", std::process::id()));
        fs::create_dir_all(&path).expect("a folder for the test");
        Self(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// An agent with a parameter that says on standard error what it was told, and counts something.
const WITH_PARAMETERS: &str = r#"read setup; echo "$setup" >&2
echo '{"type":"ready","name":"a","parameters":{"tt":{"type":"int","default":20,"min":0,"max":26}}}'
read turn; echo '{"type":"move","move":"d3","nodes":120,"depth":4,"counters":{"cuts":7.5,"name":"x","bad=name":1}}'; read end"#;
/// A UGI engine with options that says which were set.
const UGI_WITH_OPTIONS: &str = r#"while read line; do case "$line" in
ugi) echo option name Table Size type spin default 16 min 1 max 64; echo option name Style type combo default calm var calm var wild
echo option name Bad type combo default none; echo ugiok;; setoption*) echo "$line" >&2;; isready) echo readyok;; go*) echo bestmove d3;; esac; done"#;

/// A bot that runs `script` with parameters, and the file that takes what it says.
fn with_parameters(
    folder: &Folder,
    language: &str,
    parameters: &str,
    script: &str,
) -> (Box<dyn Bot>, PathBuf, Hosting) {
    let path = folder.0.join("agent.sh");
    fs::write(&path, script).expect("a script");
    let said = folder.0.join("said.txt");
    let transcript = Transcript::create(&said, 1 << 16).expect("a file");
    let hosting = Hosting { transcript: Some(Arc::new(transcript)), ..hosting(LONG) };
    let spec = spec(&format!("{language}({parameters}):sh {}", path.display()));
    (program(&*othello(), &spec, hosting.clone()).expect("there is a shell"), said, hosting)
}

#[test]
fn parameters_are_set_in_the_setup_and_counters_are_kept() {
    let folder = Folder::new("parameters");
    let (mut bot, said, hosting) = with_parameters(&folder, "jsonl", "tt=22", WITH_PARAMETERS);
    let thought = bot.think(&*othello().start(), &unlimited(), &mut |_| {}).expect("a move");
    assert_eq!((thought.nodes, thought.depth), (120, 4));
    assert_eq!(hosting.liaison.counters(), [("cuts".to_owned(), 7.5)].into());
    let tt = Parameter::Int { default: 20, min: Some(0), max: Some(26) };
    assert_eq!(hosting.liaison.declared(), [("tt".to_owned(), tt)].into());
    drop(bot);
    let said = fs::read_to_string(said).expect("a transcript");
    assert!(said.contains(r#""parameters":{"tt":22}"#), "{said}");
}

#[test]
fn ugi_programs_have_their_options_set_and_badly_declared_ones_cost_nothing() {
    let folder = Folder::new("ugi-options");
    let (mut bot, said, hosting) =
        with_parameters(&folder, "ugi", "Table Size=32,Style=wild", UGI_WITH_OPTIONS);
    assert_eq!(first_move(&mut *bot), Ok("d3".to_owned()));
    drop(bot);
    let said = fs::read_to_string(said).expect("a transcript");
    assert!(said.contains("setoption name Table Size value 32"), "{said}");
    assert!(said.contains("setoption name Style value wild"), "{said}");
    assert_eq!(hosting.liaison.declared().keys().collect::<Vec<_>>(), ["Style", "Table Size"]);
}

#[test]
fn parameters_that_a_program_does_not_have_are_an_error_of_its_setup() {
    let folder = Folder::new("bad-parameters");
    let silent =
        WITH_PARAMETERS.replace(r#","parameters":{"tt":{"type":"int","default":20,"min":0,"max":26}}"#, "");
    for (language, parameters, script, expected) in [
        ("jsonl", "tt=27", WITH_PARAMETERS, "tt = '27' does not fit; expected a whole number from 0 to 26"),
        ("jsonl", "ttt=1", WITH_PARAMETERS, "the program has no parameter 'ttt'; expected tt"),
        ("jsonl", "tt=1", silent.as_str(), "the program has no parameter 'tt'; it declares none"),
        (
            "jsonl",
            "tt=1",
            &WITH_PARAMETERS.replace("\"max\":26", "\"max\":2"),
            "declares the parameter 'tt' badly",
        ),
        ("ugi", "Stile=wild", UGI_WITH_OPTIONS, "did you mean Style?"),
        ("ugi", "Bad=none", UGI_WITH_OPTIONS, "has no parameter 'Bad'"),
    ] {
        let (mut bot, _, hosting) = with_parameters(&folder, language, parameters, script);
        let Err(BotError::Failed(fault)) = bot.prepare(&*othello().start(), Player(0), &unlimited()) else {
            panic!("{parameters}: it got ready");
        };
        assert!(fault.contains(expected), "{parameters}: {fault}");
        let faults = [Some(Fault::Crash), Some(Fault::Protocol)];
        assert!(faults.contains(&hosting.liaison.fault()), "{parameters}");
    }
    let gtp = program(&*othello(), &spec("gtp(level=1):sh x"), Hosting::default());
    assert!(gtp.is_err_and(|error| error.to_string().contains("those of their command line")));
}

#[test]
fn programs_are_asked_for_their_parameters_without_any_being_set() {
    let folder = Folder::new("asked-parameters");
    let path = folder.0.join("agent.sh");
    fs::write(&path, WITH_PARAMETERS).expect("a script");
    let spec = spec(&format!("jsonl(unknown=1):sh {}", path.display()));
    let command = CommandLine::parse(&spec.command).expect("a shell");
    let declared =
        declared_parameters(&*othello(), &spec, command.clone(), hosting(LONG)).expect("it answers");
    assert_eq!(declared.keys().collect::<Vec<_>>(), ["tt"]);
    fs::write(&path, "exit 3").expect("a script");
    let fault = declared_parameters(&*othello(), &spec, command.clone(), hosting(LONG)).expect_err("it ends");
    assert!(fault.contains("exit status: 3"), "{fault}");
    fs::write(&path, "read l; read l").expect("a script");
    let fault =
        declared_parameters(&*othello(), &spec, command.clone(), hosting(SHORT)).expect_err("it hangs");
    assert_eq!(fault, "it was not ready in time");
    // A program that cannot have any is not started to be asked.
    let gtp = ProgramSpec {
        language: agon_match::Language::Gtp,
        parameters: [("tt".to_owned(), 1.into())].into(),
        ..spec
    };
    let fault = declared_parameters(&*othello(), &gtp, command, hosting(LONG)).expect_err("it is GTP");
    assert!(fault.contains("GTP programs have no parameters but those of their command line"), "{fault}");
}

#[test]
fn an_nboard_program_is_told_the_game_and_asked_for_a_move() {
    let folder = Folder::new("nboard");
    let log = folder.0.join("log");
    let script = NBOARD.replace("do case", &format!("do echo \"$word $rest\" >> {}; case", log.display()));
    let mut bot = scripted("nboard", &script, LONG);
    let budget = Budget::new(Limits { depth: Some(7), ..Limits::default() });
    let thought = bot.think(&*othello().start(), &budget, &mut |_| {}).expect("it moves");
    assert_eq!((thought.best.as_str(), thought.nodes), ("d3", 1234));
    let mut later = othello().start();
    for token in ["d3", "c3"] {
        later.play(token).expect("a legal move");
    }
    let answer = bot.think(&*later, &budget, &mut |_| {});
    assert_eq!(answer, Err(BotError::Illegal("d3".to_owned())), "the script does not look at the game");
    let said = fs::read_to_string(&log).expect("the script has noted what it heard");
    let start = "(;GM[Othello]PB[?]PW[?]RE[?]TI[00:00]TY[8]BO[8 ---------------------------O*------*O--------------------------- *]";
    let expected = format!(
        "nboard 2\nset depth 7\nset game {start};)\nping 1\ngo \nset game {start}B[D3]W[C3];)\nping 2\ngo \n"
    );
    assert!(said.replace("go\n", "go \n").starts_with(&expected), "{said}");
    let parameters = program(&*othello(), &spec("nboard(level=1):sh x"), Hosting::default());
    assert!(parameters.is_err_and(|error| error.to_string().contains("NBoard programs have no parameters")));
}

#[test]
fn programs_that_fail_are_named_and_nothing_hangs() {
    for (language, script, expected) in [
        ("jsonl", "echo oops >&2; exit 3".to_owned(), "exit status: 3"),
        ("jsonl", "echo oops >&2; exit 3".to_owned(), "the last line of its standard error was 'oops'"),
        ("gtp", "kill -9 $$".to_owned(), "signal: 9"),
        ("ugi", "exec >&-; read l; read l; read l".to_owned(), "closed its output"),
        ("jsonl", r#"read l; printf "{\"type\": \"rea""#.to_owned(), "in the middle of a line"),
        ("gtp", r#"printf "\377\376\n"; read l; read l"#.to_owned(), "not UTF-8"),
        ("ugi", "head -c 1000000 /dev/zero | tr '\\0' x; read l; read l".to_owned(), "more than 65536 bytes"),
        ("gtp", "yes hello".to_owned(), "'hello'"),
        ("ugi", "yes bestmove".to_owned(), "lines and no answer"),
        ("gtp", r#"while read l; do printf "? no\n\n"; done"#.to_owned(), "it refused 'boardsize 8': 'no'"),
        ("gtp", GTP.replace("= D3", "= resign"), "it resigns"),
        ("gtp", GTP.replace("= D3", "? cannot"), "it refused to move: 'cannot'"),
        ("nboard", NBOARD.replace("=== D3", "=== nowhere"), "is not a square such as F5, or PA for a pass"),
        ("nboard", "yes hello".to_owned(), "it talks without answering ping"),
        ("nboard", NBOARD.replace("echo \"=== D3/1.25/0.50\"", "yes status"), "it talks without moving"),
        ("gtp", GTP.replace("printf \"= D3\\n\\n\"", "printf '='; yes"), "its answer is endless"),
    ] {
        let result = first_move(&mut *scripted(language, &script, LONG));
        let Err(BotError::Failed(fault)) = result else { panic!("{language} {script}: {result:?}") };
        assert!(fault.starts_with("sh: ") && fault.contains(expected), "{language} {script}: {fault}");
    }
}

#[test]
fn an_agent_that_prints_what_it_should_not_is_told_apart() {
    let answers =
        |answer: &str| format!(r#"read l; printf "{READY}\n"; read l; printf "{answer}\n"; read l"#);
    for (script, expected) in [
        ("yes hello".to_owned(), "'hello'"),
        (format!(r#"read l; printf "{READY}\n{READY}\n"; read l; read l"#), "when nothing was asked"),
        (answers("[]"), "it answered '[]': the message is wrong"),
        (answers("d3"), "it answered 'd3': the line is not one JSON object"),
    ] {
        let result = first_move(&mut *scripted("jsonl", &script, LONG));
        let Err(BotError::Printing(fault)) = result else { panic!("{script}: {result:?}") };
        assert!(fault.starts_with("sh: ") && fault.contains(expected), "{script}: {fault}");
    }
    // Seen in time it is an offence; otherwise the agent has ended before it could move.
    let early = first_move(&mut *scripted("jsonl", &format!(r#"printf "{READY}\n"; read l; read l"#), LONG));
    assert!(matches!(early, Err(BotError::Printing(_) | BotError::Failed(_))), "{early:?}");
}

#[test]
fn an_agent_that_answers_in_the_wrong_form_is_told_apart() {
    let answers =
        |answer: &str| format!(r#"read l; printf "{READY}\n"; read l; printf "{answer}\n"; read l"#);
    let early = r#"read l; printf "{\"type\":\"move\",\"move\":\"d3\"}\n"; read l"#;
    for (script, expected, fault) in [
        (answers(READY), "it said that it is ready when asked for a move", Fault::Protocol),
        (early.to_owned(), "it answered the setup with a move", Fault::Protocol),
        (answers(r#"{\"type\":\"move\"}"#), "missing field `move`", Fault::Protocol),
        ("read l; head -c 100000 /dev/zero; read l".to_owned(), "more than 65536 bytes", Fault::Protocol),
        ("read l; exit 1".to_owned(), "exit status: 1", Fault::Crash),
    ] {
        let hosting = hosting(LONG);
        let liaison = Arc::clone(&hosting.liaison);
        let result = first_move(&mut *hosted("jsonl", &script, hosting));
        let Err(BotError::Failed(text)) = result else { panic!("{script}: {result:?}") };
        assert!(text.contains(expected), "{script}: {text}");
        assert_eq!(liaison.fault(), Some(fault), "{script}");
    }
}

#[test]
fn printing_can_be_passed_over_and_is_kept() {
    let folder = Folder::new("printing");
    let path = folder.0.join("log");
    let move_d3 = r#"{\"type\":\"move\",\"move\":\"d3\"}"#;
    let script = format!(
        r#"echo early; echo warning >&2; read l; printf "debug\n{READY}\n"; read l; printf "thinking\n[1]\n{move_d3}\n"; read l"#
    );
    let transcript = Transcript::create(&path, 1000).expect("a file");
    let hosting =
        Hosting { printing: Printing::Counted, transcript: Some(Arc::new(transcript)), ..hosting(LONG) };
    let liaison = Arc::clone(&hosting.liaison);
    let mut bot = hosted("jsonl", &script, hosting);
    assert_eq!(first_move(&mut *bot), Ok("d3".to_owned()));
    assert_eq!((liaison.warnings(), liaison.fault()), (4, None));
    drop(bot);
    let kept = fs::read_to_string(&path).expect("it was kept");
    for line in ["out: early", "err: warning", "out: debug", "out: thinking", "out: [1]"] {
        assert!(kept.contains(line), "{kept}");
    }
}

#[test]
fn a_flood_that_is_passed_over_is_late() {
    let hosting = Hosting { printing: Printing::Counted, ..hosting(SHORT) };
    assert_eq!(first_move(&mut *hosted("jsonl", "yes", hosting)), Err(BotError::Late));
}

#[test]
fn illegal_moves_are_told_apart_from_other_failures() {
    let agent = r#"read l; printf "{\"type\":\"ready\",\"name\":\"a\"}\n"; read l; printf "{\"type\":\"move\",\"move\":\"a1\"}\n"; read l"#;
    for (language, script, answer) in [
        ("gtp", GTP.replace("D3", "A1"), "a1"),
        ("gtp", GTP.replace("D3", "pass"), "pass"),
        ("nboard", NBOARD.replace("D3", "A1"), "a1"),
        ("nboard", NBOARD.replace("D3", "PA"), "pass"),
        (
            "ugi",
            UGI_UNTIL_STOP.replace("stop)", "go*)").replace("bestmove d3", "'bestmove (none)'"),
            "(none)",
        ),
        ("ugi", UGI_UNTIL_STOP.replace("stop)", "go*)").replace("bestmove d3", "bestmove"), ""),
        ("jsonl", agent.to_owned(), "a1"),
    ] {
        let result = first_move(&mut *scripted(language, &script, LONG));
        assert_eq!(result, Err(BotError::Illegal(answer.to_owned())), "{language} {script}");
    }
}

#[test]
fn programs_that_hang_are_late_and_end_with_all_that_they_started() {
    let folder = Folder::new("hang");
    let pids = folder.0.join("pids");
    let note = format!("echo $$ >> {0}; sleep 1000 & echo $! >> {0}; wait", pids.display());
    let deaf = format!("trap '' TERM HUP; {note}");
    for (language, script) in [("gtp", &note), ("nboard", &deaf), ("ugi", &deaf), ("jsonl", &note)] {
        fs::write(&pids, "").expect("a file for the numbers of processes");
        // Long enough for the script to note who it is.
        let patience = Patience { setup: Duration::from_secs(1), ..SHORT };
        let mut bot = scripted(language, script, patience);
        assert_eq!(first_move(&mut *bot), Err(BotError::Late), "{language}");
        let noted = fs::read_to_string(&pids).expect("the script has noted its processes");
        for pid in noted.lines() {
            // A killed process needs a moment to die.
            let moments = || (0..2000).map(|_| std::thread::sleep(Duration::from_millis(5)));
            assert!(moments().any(|()| !is_alive(pid)), "{language}: {pid} is still there");
        }
    }
}

/// Whether a process runs: a zombie, which only its parent could bury, does not.
fn is_alive(pid: &str) -> bool {
    let stat = fs::read_to_string(Path::new("/proc").join(pid).join("stat")).unwrap_or_default();
    !(stat.is_empty() || stat.contains(") Z ") || stat.contains(") X "))
}

#[test]
fn a_program_that_hangs_over_its_move_is_late() {
    let hangs = "while read line; do case \"$line\" in ugi) echo ugiok;; isready) echo readyok;; esac; done";
    let mut bot = scripted("ugi", hangs, Patience { setup: Duration::from_secs(60), ..SHORT });
    let budget = Budget::new(Limits::of_time(Duration::from_millis(10)));
    let result = bot.think(&*othello().start(), &budget, &mut |_| {});
    assert_eq!(result.map(|thought| thought.best), Err(BotError::Late));
}

#[test]
fn a_ugi_program_without_limits_is_told_to_stop() {
    let mut bot = scripted("ugi", UGI_UNTIL_STOP, Patience { unlimited: Duration::from_millis(50), ..LONG });
    let mut depths = Vec::new();
    let thought = bot.think(&*othello().start(), &unlimited(), &mut |thought| depths.push(thought.depth));
    let thought = thought.expect("it answers");
    assert_eq!((thought.best.as_str(), thought.depth, thought.nodes), ("d3", 3, 9));
    assert_eq!((thought.score, thought.line), (Some(7.0), vec!["d3".to_owned(), "c5".to_owned()]));
    assert_eq!(depths, [3], "what it says while it thinks is handed on");

    let mut bot = scripted("ugi", UGI_UNTIL_STOP, LONG);
    let budget = unlimited();
    budget.stop.store(true, Ordering::Relaxed);
    let stopped = bot.think(&*othello().start(), &budget, &mut |_| {});
    assert_eq!(stopped.map(|thought| thought.best), Ok("d3".to_owned()), "somebody else may say stop too");
}

#[test]
fn a_program_that_has_failed_is_started_anew_for_the_next_move() {
    let folder = Folder::new("anew");
    let mark = folder.0.join("mark");
    let script = format!("if mkdir {0} 2>/dev/null; then exit 1; fi; {GTP}", mark.display());
    let mut bot = scripted("gtp", &script, LONG);
    assert!(matches!(first_move(&mut *bot), Err(BotError::Failed(_))));
    assert_eq!(first_move(&mut *bot), Ok("d3".to_owned()));
}

/// Plays `moves` in `session`.
fn play(session: &mut dyn Session, moves: &[&str]) {
    for token in moves {
        session.play(token).expect("the moves of a test are legal");
    }
}

#[test]
fn gtp_programs_are_told_only_what_they_do_not_know() {
    let folder = Folder::new("gtp");
    let log = folder.0.join("log");
    let script = format!(
        r#"while read line; do echo "$line" >> {}; case "$line" in list_commands) printf "= genmove\ntime_settings\ngrhino-setup_board\n\n";; genmove*) read answer < {}; printf "= $answer\n\n";; *.*) printf "? syntax error\n\n";; *) printf "=\n\n";; esac; done"#,
        log.display(),
        folder.0.join("answer").display()
    );
    let answer = |text: &str| fs::write(folder.0.join("answer"), format!("{text}\n")).expect("an answer");
    let heard = || {
        let text = fs::read_to_string(&log).expect("the program has heard something");
        fs::write(&log, "").expect("the log can be emptied");
        text.lines().map(str::to_owned).collect::<Vec<_>>()
    };
    let mut bot = scripted("gtp", &script, LONG);
    let rules = othello();
    let mut session = rules.start();
    let budget = Budget::new(Limits::of_time(Duration::from_millis(1500)));
    let mut ask =
        |session: &dyn Session| bot.think(session, &budget, &mut |_| {}).map(|thought| thought.best);

    answer("D3");
    assert_eq!(ask(&*session), Ok("d3".to_owned()));
    let opening =
        ["list_commands", "time_settings 0 1.5 1", "time_settings 0 1 1", "boardsize 8", "clear_board"];
    assert_eq!(heard(), [&opening[..], &["genmove black"]].concat());

    play(&mut *session, &["d3", "c3"]);
    answer("c4");
    assert_eq!(ask(&*session), Ok("c4".to_owned()));
    assert_eq!(heard(), ["play white c3", "genmove black"], "it knows its own move");

    session.undo();
    play(&mut *session, &["e3"]);
    answer("F2");
    assert_eq!(ask(&*session), Ok("f2".to_owned()));
    assert_eq!(heard(), ["boardsize 8", "clear_board", "play black d3", "play white e3", "genmove black"]);

    // A side that must pass passes without a word.
    let mut session = rules.start_from("xo6/8/8/8/8/8/8/7x o").expect("it can be read");
    assert_eq!(ask(&*session), Ok("pass".to_owned()));
    let board = format!("XO{}X O", "-".repeat(61));
    assert_eq!(
        heard(),
        ["boardsize 8".to_owned(), "clear_board".to_owned(), format!("grhino-setup_board {board}")]
    );
    play(&mut *session, &["pass"]);
    answer("C1");
    assert_eq!(ask(&*session), Ok("c1".to_owned()));
    assert_eq!(heard(), ["genmove black"]);
}

#[test]
fn agents_hear_the_setup_the_move_and_the_result() {
    let folder = Folder::new("agent");
    let log = folder.0.join("log");
    let script = format!(
        r#"while read -r line; do printf "%s\n" "$line" >> {}; case "$line" in *setup*) printf "{READY}\n";; *legal*) printf "{{\"type\":\"move\",\"move\":\"c1\",\"score\":2.5,\"depth\":4,\"comment\":\"!\"}}\n";; esac; done"#,
        log.display()
    );
    let mut bot = scripted("jsonl", &script, LONG);
    let rules = othello();
    let mut session = rules.start_from("xo6/8/8/8/8/8/8/7x x").expect("it can be read");
    let budget = Budget::new(Limits::of_time(Duration::from_millis(500)));
    bot.prepare(&*session, Player(0), &budget).expect("it gets ready");
    let thought = bot.think(&*session, &budget, &mut |_| {}).expect("it moves");
    assert_eq!((thought.best.as_str(), thought.score, thought.depth), ("c1", Some(2.5), 4));
    play(&mut *session, &["c1"]);
    bot.conclude(&*session, Player(0));
    let mut free = scripted("jsonl", &script, LONG);
    free.prepare(&*rules.start(), Player(1), &unlimited()).expect("it gets ready");
    let heard = fs::read_to_string(&log).expect("the agent has heard something");
    // What every setup of this board ends with.
    let described = concat!(
        r#","seats":["x","o"],"board":{"places":"{column}{row}","rows":["1","2","3","4","5","6","7","8"],"#,
        r#""columns":["a","b","c","d","e","f","g","h"],"shape":["........","........","........","........","#,
        r#""........","........","........","........"]}}"#
    );
    assert_eq!(
        heard.replace(described, "…}"),
        r#"{"type":"setup","game":"othello","options":"size=8","seat":"x","position":"xo6/8/8/8/8/8/8/7x x","time_per_move":0.5,"setup_time":60.0…}
{"type":"move","position":"xo6/8/8/8/8/8/8/7x x","ply":0,"history":[],"legal":["c1"],"time":0.5}
{"type":"result","outcome":"won","reason":"discs"}
{"type":"setup","game":"othello","options":"size=8","seat":"o","position":"8/8/8/3ox3/3xo3/8/8/8 x","time_per_move":null,"setup_time":60.0…}
"#
    );
}

#[test]
fn specifications_that_name_no_program_are_refused() {
    let tablut = GAMES.find("tablut").expect("it is listed").rules("").expect("the defaults hold");
    let alone = GAMES.find("2048").expect("it is listed").rules("").expect("the defaults hold");
    for (rules, specification, words) in [
        (&othello(), "ugi:no-such-engine -x", "there is no program 'no-such-engine' on this machine"),
        (&othello(), "jsonl:sh -c 'x", "a ' is missing"),
        (&tablut, "gtp:sh", "GTP is for Othello only"),
        (&tablut, "nboard:sh", "the NBoard protocol is for Othello only"),
        (&alone, "ugi:sh", "UGI is for two-player games without chance"),
    ] {
        let error =
            program(&**rules, &spec(specification), hosting(LONG)).err().expect(specification).to_string();
        assert!(error.contains(words), "{specification}: {error}");
    }
}

/// Starts no process: a thread answers in GTP. Notes which commands it was given and how many of its programs have ended.
#[derive(Default)]
struct Pretence {
    commands: Mutex<Vec<CommandLine>>,
    ended: Arc<AtomicU32>,
    offence: Option<(Offence, String)>,
}

/// The life of a thread that ends with its input.
struct Thread {
    ended: Arc<AtomicU32>,
    offence: Option<(Offence, String)>,
}

impl Life for Thread {
    fn has_ended(&mut self) -> bool {
        true
    }

    fn end(&mut self) -> Option<ExitStatus> {
        self.ended.fetch_add(1, Ordering::Relaxed);
        None
    }

    fn offence(&mut self) -> Option<(Offence, String)> {
        self.offence.clone()
    }
}

impl Launcher for Pretence {
    fn launch(&self, command: &CommandLine) -> io::Result<Launched> {
        self.commands.lock().expect("nobody panics").push(command.clone());
        let (commands, stdin) = io::pipe()?;
        let (stdout, mut answers) = io::pipe()?;
        std::thread::spawn(move || {
            for line in BufReader::new(commands).lines().map_while(Result::ok) {
                let answer = if line.starts_with("genmove") { "= d3\n\n" } else { "=\n\n" };
                if answers.write_all(answer.as_bytes()).is_err() {
                    return;
                }
            }
        });
        Ok(Launched {
            stdin: Box::new(stdin),
            stdout: Box::new(stdout),
            stderr: Box::new(io::empty()),
            life: Box::new(Thread { ended: Arc::clone(&self.ended), offence: self.offence.clone() }),
        })
    }
}

#[test]
fn programs_are_started_and_ended_by_the_launcher_that_is_passed_in() {
    let launcher = Arc::new(Pretence::default());
    let hosting = Hosting { launcher: Arc::<Pretence>::clone(&launcher), ..hosting(LONG) };
    let mut bot = program(&*othello(), &spec("gtp:sh -c 'exit 1'"), hosting).expect("there is a shell");
    assert_eq!(first_move(&mut *bot), Ok("d3".to_owned()));
    assert_eq!(launcher.ended.load(Ordering::Relaxed), 0);
    drop(bot);
    assert_eq!(launcher.ended.load(Ordering::Relaxed), 1, "it is ended with its bot");
    let commands = launcher.commands.lock().expect("nobody panics");
    assert_eq!(*commands, [CommandLine::parse("sh -c 'exit 1'").expect("there is a shell")]);
}

#[test]
fn an_offence_counts_for_more_than_the_move_that_follows() {
    let offence = Some((Offence::Network, "it tried to use the network".to_owned()));
    let launcher = Arc::new(Pretence { offence, ..Pretence::default() });
    let hosting = Hosting { launcher: Arc::<Pretence>::clone(&launcher), ..hosting(LONG) };
    let mut bot = program(&*othello(), &spec("gtp:sh -c 'exit 1'"), hosting).expect("there is a shell");
    let fault = "sh: it tried to use the network".to_owned();
    assert_eq!(first_move(&mut *bot), Err(BotError::Offence(Offence::Network, fault)));
    assert_eq!(launcher.ended.load(Ordering::Relaxed), 1, "it is ended at once");
}

/// The tests of the Python kit read these setups: what they say about boards is what agents are told. They are of several games, because
/// boards and moves differ; a new game need not be among them.
#[test]
fn the_setups_that_the_python_kit_is_tested_with_are_ours() {
    let setups = include_str!("../../../python/tests/setups.jsonl");
    assert!(!setups.is_empty());
    for line in setups.lines() {
        let ToAgent::Setup { game, options, position, seats, turns, board, .. } =
            ToAgent::parse(line).expect("a message")
        else {
            panic!("not a setup: {line}");
        };
        let rules = GAMES.find(&game).expect("a game").rules("").expect("default options");
        let session = rules.start();
        assert_eq!((options, position), (rules.options(), session.position()), "{game}");
        assert_eq!(turns, turns_per_player(&*session, seats.len()), "{game}");
        assert_eq!(board, Some(board_for_agent(&session.board())), "{game}");
        assert_eq!(seats, rules.seats(), "{game}");
    }
}

/// Tablut counts the moves of both sides; Othello ends by itself.
#[test]
fn turns_are_those_of_each_player() {
    let turns = |game: &str, options: &str| {
        let rules = GAMES.find(game).expect("a game").rules(options).expect("right options");
        turns_per_player(&*rules.start(), rules.seats().len())
    };
    assert_eq!(turns("tablut", "limit=21"), Some(11));
    assert_eq!(turns("loa", "turns=20"), Some(20));
    assert_eq!(turns("chinese-checkers", "seats=g/y/o/r/p/b,rounds=20"), Some(20));
    assert_eq!(turns("tablut", "rules=bologna"), None);
    assert_eq!(turns("othello", ""), None);
    assert_eq!(turns("2048", ""), None);
}
