//! What happens when things go wrong: kills, closed windows, failing bots; nothing is lost, and the terminal is given back.

use std::path::Path;

use super::{WINDOW, start};
use crate::pty::{self, Folder, Terminal};

#[test]
fn a_kill_gives_the_terminal_back_and_keeps_the_game() {
    for signal in ["TERM", "HUP"] {
        let folder = Folder::of_user();
        let mut terminal = start(&folder, &["play", "tablut", "--players", "human,human"], WINDOW);
        terminal.shows("to move");
        terminal.press("d1-d3\r");
        terminal.shows("  1. d1d3");
        terminal.signal(signal);
        let code = terminal.end();
        assert!(code == 143 || code == 129, "{signal}: {code}");
        terminal.assert_restored();
        assert_eq!(folder.kept(), 1, "the game is kept");
        let mut terminal = start(&folder, &[], WINDOW);
        terminal.shows("Resume Tablut");
        terminal.press("q");
        assert_eq!(terminal.end(), 0);
    }
}

/// A window that is closed takes its terminal with it: the program must end all the same, and the game must be kept.
#[test]
fn a_window_that_is_closed_ends_the_program_and_keeps_the_game() {
    let folder = Folder::of_user();
    let code = pty::close_window(
        Path::new(env!("CARGO_BIN_EXE_agon")),
        &folder.0,
        &["play", "tablut", "--players", "human,human"],
        &[("to move", "d1-d3\r"), ("  1. d1d3", "")],
    );
    assert_ne!(code, 0);
    assert_eq!(folder.kept(), 1, "the game is kept");
}

/// A program that loses its window without a signal, as one of another session does, must end too, and not spin.
#[cfg(target_os = "linux")]
#[test]
fn a_window_that_goes_without_a_signal_ends_the_program_too() {
    let folder = Folder::of_user();
    // The shell waits for it and tells how long it took, in a file because its terminal has gone.
    let agon = env!("CARGO_BIN_EXE_agon");
    let line = format!("trap '' HUP; setsid -w {agon} play tablut --players human,human; times > times");
    let talk = [("to move", "d1d3\r"), ("  1. d1d3", "")];
    pty::close_window(Path::new("/bin/sh"), &folder.0, &["-c", &line], &talk);
    assert_eq!(folder.kept(), 1, "the game is kept");
    let times = std::fs::read_to_string(folder.path("times")).expect("the shell tells times");
    // The second line is for those who were waited for: user and system, each as 0m0.05s.
    let parts = times.lines().nth(1).expect("a second line").split_whitespace();
    let seconds = parts.map(|part| {
        let (minutes, seconds) = part.trim_end_matches('s').split_once('m').expect("minutes and seconds");
        60.0 * minutes.parse::<f64>().expect("minutes") + seconds.parse::<f64>().expect("seconds")
    });
    let used = std::time::Duration::from_secs_f64(seconds.sum());
    assert!(used < std::time::Duration::from_secs(1), "it has used the processor for {used:?}");
}

/// Ctrl-Z lends the terminal to the shell, and the game goes on when it comes back.
#[test]
fn the_program_is_suspended_and_goes_on() {
    let folder = Folder::of_user();
    let agon = env!("CARGO_BIN_EXE_agon");
    let script = format!("set -m; {agon} play othello; echo stopped; read line; fg; echo done");
    let mut terminal = Terminal::start(Path::new("/bin/sh"), &folder.0, &["-c", &script], WINDOW);
    terminal.shows("Your turn");
    terminal.press("\u{1a}");
    let shell = terminal.shows("stopped");
    assert!(!shell.contains("Your turn"), "the shell has its screen back: {shell}");
    terminal.press("\r");
    terminal.shows("Your turn");
    terminal.press("d3\r");
    terminal.shows("  1. d3");
    terminal.press("Q");
    terminal.shows("done");
    assert_eq!(terminal.end(), 0);
    terminal.assert_restored();
}

/// Bytes that are no keys do no harm, not even half of a sequence.
#[test]
fn garbage_is_passed_over() {
    let folder = Folder::of_user();
    let mut terminal = start(&folder, &["play", "othello", "--players", "human,human"], WINDOW);
    terminal.shows("to move");
    terminal.press("\u{1b}[9999;;;;~\u{1b}]0;x\u{7}\u{0}\u{1}\u{7f}\u{85}\u{1b}[200~d3\n\u{1b}[201~");
    terminal.press("\u{1b}[");
    terminal.wait("the clock or anything else", |text| text.contains("to move"));
    terminal.press("C");
    terminal.press("\u{15}\u{1b}");
    terminal.wait("an empty line", |text| !text.contains("Move: "));
    terminal.press("d3\r");
    terminal.shows("  1. d3");
}

/// A game is kept at every move: even what cannot be heard loses nothing.
#[test]
fn a_killed_game_is_offered_again() {
    let folder = Folder::of_user();
    let mut terminal = start(&folder, &["play", "loa", "--players", "human,human"], WINDOW);
    terminal.shows("to move");
    terminal.press("7,6-5,6\r");
    terminal.shows("  1. 7,6-5,6");
    terminal.signal("KILL");
    terminal.end();
    let mut terminal = start(&folder, &["resume"], WINDOW);
    terminal.shows("The game goes on where it was left.");
    terminal.shows("  1. 7,6-5,6");
    terminal.press("Q");
    assert_eq!(terminal.end(), 0);
}

/// On lines of text a game is kept as on the full screen: at every move, the bot's last reply too.
#[test]
fn a_game_on_lines_is_kept_with_the_last_reply() {
    let folder = Folder::of_user();
    let args = ["play", "othello", "--players", "human,greedy", "--seed", "1", "--plain"];
    let mut terminal = start(&folder, &args, WINDOW);
    terminal.shows("it is your turn");
    terminal.press("d3\r");
    terminal.shows("greedy (White) plays ");
    terminal.wait("the next prompt", |text| text.matches("Type a move such as").count() == 2);
    terminal.signal("KILL");
    terminal.end();
    let files = folder.kept_files();
    let [file] = files.as_slice() else { panic!("one game is kept: {files:?}") };
    let record = agon_files::load_record(file).expect("a record");
    assert_eq!(record.moves.len(), 2, "{record}");
    let mut terminal = start(&folder, &["resume", "--plain"], WINDOW);
    terminal.shows("it is your turn");
    terminal.press("exit\r");
    terminal.shows("The game is kept");
    assert_eq!(terminal.end(), 0);
    let mut terminal = start(&folder, &["resume"], WINDOW);
    terminal.shows("The game goes on where it was left.");
    terminal.shows(&format!("  1. d3         {}", record.moves[1]));
    terminal.press("Q");
    assert_eq!(terminal.end(), 0);
}

/// A bar in a command is no border between seats.
#[test]
fn a_game_against_a_command_with_a_bar_is_resumed() {
    let folder = Folder::of_user();
    std::fs::write(folder.path("bot"), "exec sleep 1000\n").expect("a file");
    let args = ["play", "othello", "--player", "human", "--player", "jsonl:sh bot | a"];
    let mut terminal = start(&folder, &args, WINDOW);
    terminal.shows("Your turn");
    terminal.press("d3\r");
    terminal.shows("is thinking");
    terminal.press("Q");
    assert_eq!(terminal.end(), 0);
    let mut terminal = start(&folder, &["resume"], WINDOW);
    terminal.shows("The game goes on where it was left.");
    let text = terminal.shows("  1. d3");
    assert!(text.contains("jsonl:sh bot | a"), "{text}");
    terminal.press("Q");
    assert_eq!(terminal.end(), 0);
}

#[test]
fn a_race_that_was_left_goes_on_with_both_boards() {
    let folder = Folder::of_user();
    let mut terminal = start(&folder, &["play", "2048", "--race", "random", "--seed", "5"], WINDOW);
    terminal.shows("Your turn");
    terminal.press("asas");
    let text = terminal.wait("both to have moved", |text| {
        text.contains("Dana: ") && !text.contains("Dana: 0 points, 0 moves") && !text.contains(", 0 moves")
    });
    // The rival may still be at its last move; the person is not.
    let mine = text.split("random: ").next().expect("a half").trim_end().to_owned();
    terminal.press("Q");
    assert_eq!(terminal.end(), 0);
    let mut terminal = start(&folder, &["resume"], WINDOW);
    let text = terminal.shows("The race goes on where it was left.");
    assert!(text.starts_with(&mine), "{mine} is expected: {text}");
    assert!(!text.contains("random: 0 points, 0 moves"), "{text}");
    terminal.press("Q");
    assert_eq!(terminal.end(), 0);
    // On lines of text too.
    let mut terminal = start(&folder, &["resume", "--plain"], WINDOW);
    terminal.shows("random plays beside you");
    terminal.shows("it is your turn");
    terminal.press("exit\r");
    terminal.shows("The game is kept");
    assert_eq!(terminal.end(), 0);
}

#[test]
fn a_game_that_is_being_played_is_not_offered_elsewhere() {
    let folder = Folder::of_user();
    let mut first = start(&folder, &["play", "othello"], WINDOW);
    first.shows("Your turn");
    first.press("d3\r");
    first.wait("the game to be kept", |_| folder.kept() == 1);
    let mut second = start(&folder, &["resume"], WINDOW);
    second.shows("there is no interrupted game");
    assert_ne!(second.end(), 0);
    first.press("Q");
    assert_eq!(first.end(), 0);
    let mut second = start(&folder, &["resume"], WINDOW);
    second.shows("The game goes on where it was left.");
    second.press("Q");
    assert_eq!(second.end(), 0);
}

#[test]
fn a_bot_that_fails_loses_nobody_the_game() {
    let folder = Folder::of_user();
    let mut terminal = start(&folder, &["play", "othello", "--players", "human,jsonl:true"], WINDOW);
    terminal.shows("Your turn");
    terminal.press("d3\r");
    terminal.shows("has failed");
    terminal.press("O");
    terminal.shows("The seat is yours.");
    terminal.press("c3\r");
    terminal.shows("c3");
}

/// Leaving while another program thinks leaves nothing behind.
#[test]
fn programs_that_bots_run_end_with_the_game() {
    let folder = Folder::of_user();
    std::fs::write(folder.path("bot.sh"), "echo $$ > pid\nexec sleep 1000\n").expect("a file");
    let args = ["play", "othello", "--player", "human", "--player", "jsonl:sh bot.sh"];
    let mut terminal = start(&folder, &args, WINDOW);
    terminal.shows("Your turn");
    terminal.press("d3\r");
    terminal.shows("is thinking");
    let pid = || std::fs::read_to_string(folder.path("pid")).unwrap_or_default();
    terminal.wait("the other program", |_| pid().ends_with('\n'));
    terminal.press("Q");
    assert_eq!(terminal.end(), 0);
    let alive = std::process::Command::new("kill").args(["-0", pid().trim()]).output().expect("kill runs");
    assert!(!alive.status.success(), "the program goes on");
}
