//! The full screen on a real pseudo-terminal: journeys from the first key to the last, and what happens when things go wrong.
#![cfg(unix)]

#[path = "support/pty.rs"]
mod pty;

use std::path::Path;

use pty::{Folder, Terminal};

const WINDOW: (u16, u16) = (100, 36);

fn start(folder: &Folder, args: &[&str], window: (u16, u16)) -> Terminal {
    Terminal::start(Path::new(env!("CARGO_BIN_EXE_agon")), &folder.0, args, window)
}

/// Moves by keys alone, whatever the game, until the screen shows one of `ends`.
fn play_to_the_end(terminal: &mut Terminal, keys: &[&str], ends: &[&str]) -> String {
    for round in 0..4000 {
        let text = terminal.wait("my turn or the end", |text| {
            text.contains("Your turn")
                || text.contains("Nothing moves")
                || ends.iter().any(|end| text.contains(end))
        });
        if ends.iter().any(|end| text.contains(end)) {
            return text;
        }
        terminal.press(keys[round % keys.len()]);
        // The next look must not see what was there before the key.
        let before = text;
        terminal.wait("an answer to the key", |text| text != before);
    }
    panic!("the game does not end; the screen shows\n{}", terminal.text());
}

#[test]
fn newcomers_are_asked_for_a_name_once_and_play_with_two_keys() {
    let folder = Folder::new();
    let mut terminal = start(&folder, &[], WINDOW);
    terminal.shows("What is your name?");
    terminal.press("Dana\r");
    terminal.shows("Hello, Dana.");
    terminal.press("1");
    terminal.shows("Your turn. Choose a square.");
    terminal.press("\r");
    terminal.shows("  1. ");
    terminal.press("q");
    let menu = terminal.shows("Resume Othello: Dana - easy");
    assert!(menu.contains("Chinese Checkers"), "{menu}");
    terminal.press("q");
    assert_eq!(terminal.end(), 0);
    terminal.assert_restored();
    // The name is known now, and the game is offered again.
    let mut terminal = start(&folder, &[], WINDOW);
    terminal.shows("Hello, Dana.");
    terminal.shows("Resume Othello");
    terminal.press("r");
    terminal.shows("The game goes on where it was left.");
    terminal.press("\u{3}");
    assert_eq!(terminal.end(), 0);
    terminal.assert_restored();
}

#[test]
fn othello_is_played_to_its_end() {
    let folder = Folder::of_user();
    let args = ["play", "othello", "--options", "size=4", "--players", "human,novice", "--seed", "5"];
    let mut terminal = start(&folder, &args, WINDOW);
    let text = play_to_the_end(&mut terminal, &["n\r"], &["wins:", "Draw:"]);
    assert!(text.contains("discs: Black"), "{text}");
    terminal.shows("Looking back:");
    terminal.press("v");
    terminal.shows("Othello: replay");
    terminal.press("q");
    terminal.press("q");
    assert_eq!(terminal.end(), 0);
    terminal.assert_restored();
    assert_eq!(folder.kept(), 0, "a finished game is not offered again");
}

#[test]
fn tablut_is_played_to_its_end() {
    let folder = Folder::of_user();
    let args = ["play", "tablut", "--options", "limit=12", "--players", "human,novice", "--seed", "5"];
    let mut terminal = start(&folder, &args, WINDOW);
    terminal.shows("Move 0 of 12");
    let text = play_to_the_end(&mut terminal, &["n\r"], &["wins:", "Draw:"]);
    assert!(text.contains("left!") || text.contains("wins"), "the last ten are pointed out: {text}");
}

#[test]
fn lines_of_action_is_played_to_its_end_with_pieces_and_blocks() {
    let folder = Folder::of_user();
    let args = ["play", "loa", "--options", "size=5,turns=10", "--players", "human,random", "--seed", "5"];
    let mut terminal = start(&folder, &args, WINDOW);
    terminal.shows("Your turn");
    terminal.press("r");
    terminal.shows("Enter plays @");
    terminal.press("\r");
    terminal.shows("@");
    play_to_the_end(&mut terminal, &["n\r"], &["wins:", "Draw:"]);
}

#[test]
fn chinese_checkers_is_played_to_its_end() {
    let folder = Folder::of_user();
    let options = "seats=g/y/r,rounds=20";
    let args =
        ["play", "chinese-checkers", "--options", options, "--players", "human,random,random", "--seed", "5"];
    let mut terminal = start(&folder, &args, WINDOW);
    let text = play_to_the_end(&mut terminal, &["n\r"], &["wins:", "Draw:"]);
    assert!(text.contains("Draw: the limit of moves is reached"), "{text}");
}

#[test]
fn game_2048_is_played_to_its_end_and_its_score_remembered() {
    let folder = Folder::of_user();
    let mut terminal = start(&folder, &["play", "2048", "--seed", "5"], WINDOW);
    // All four ways by letters, then by arrows: one of them moves unless the game is over.
    let keys = ["wasd", "\u{1b}[A\u{1b}[D\u{1b}[B\u{1b}[C"];
    play_to_the_end(&mut terminal, &keys, &["Game over", "Won:"]);
    terminal.press("q");
    assert_eq!(terminal.end(), 0);
    terminal.assert_restored();
    let scores = std::fs::read_to_string(folder.path("data/agon/scores")).expect("a score");
    assert!(scores.starts_with("2048: "), "{scores}");
}

#[test]
fn a_race_gives_both_the_same_tiles() {
    let folder = Folder::of_user();
    let mut terminal = start(&folder, &["play", "2048", "--against", "random", "--seed", "5"], WINDOW);
    terminal.shows("plays first");
    terminal.press("k");
    terminal.shows("Your turn. Slide the tiles.");
    for _ in 0..2000 {
        if terminal.text().contains("beat the computer") || terminal.text().contains("computer won") {
            break;
        }
        terminal.press("wasd");
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    terminal.wait("the verdict", |text| {
        text.contains("You beat the computer") || text.contains("The computer won") || text.contains("A draw")
    });
}

#[test]
fn typed_moves_hints_take_back_and_help() {
    let folder = Folder::of_user();
    let mut terminal = start(&folder, &["play", "othello", "--seed", "1"], WINDOW);
    terminal.shows("Your turn");
    terminal.press("m(3,4)\r");
    terminal.shows("  1. d3");
    terminal.shows("Your turn");
    terminal.press("ma1\r");
    terminal.shows("The input 'a1' is");
    // Escape and a letter in one go would be another key.
    terminal.press("\u{1b}");
    terminal.wait("the prompt to go", |text| !text.contains("Move: "));
    terminal.press("u");
    terminal.shows("Taken back.");
    terminal.press("h");
    terminal.shows("Hint: ");
    terminal.press("e");
    terminal.shows("Black");
    terminal.press("?");
    terminal.shows("take back");
    terminal.press("x");
    terminal.wait("the help to go", |text| !text.contains("Any key"));
    terminal.press("s\u{15}saved.txt\r");
    terminal.shows("Saved to saved.txt.");
    assert!(folder.path("saved.txt").exists());
}

#[test]
fn the_mouse_plays() {
    let folder = Folder::of_user();
    let args = ["play", "othello", "--players", "human,human"];
    let mut terminal = start(&folder, &args, WINDOW);
    terminal.shows("to move. Choose a square.");
    // Where d3 is on the screen is found by its marks: a click on each place of the board in turn must find it.
    let mut found = false;
    'search: for row in 2..30 {
        for column in (3..60).step_by(3) {
            terminal.press(&format!("\u{1b}[<0;{column};{row}M\u{1b}[<0;{column};{row}m"));
            if terminal.text().contains("  1. ") {
                found = true;
                break 'search;
            }
        }
    }
    assert!(found || terminal.shows("  1. ").contains("  1. "));
}

#[test]
fn bots_are_watched_paused_and_stepped() {
    let folder = Folder::of_user();
    let args = [
        "watch",
        "loa",
        "--options",
        "size=5,turns=30",
        "--players",
        "random,random",
        "--pace",
        "5s",
        "--seed",
        "1",
    ];
    let mut terminal = start(&folder, &args, WINDOW);
    terminal.shows("Lines of Action: bots");
    terminal.press("p");
    terminal.shows("Paused.");
    let before = terminal.text();
    terminal.press("[[]]]]]]]]");
    terminal.shows("Pace:");
    terminal.press(".");
    terminal.wait("a move", |text| text.contains("  1. ") && text != before);
    terminal.press("p");
    terminal.wait("the end", |text| text.contains("wins:") || text.contains("Draw:"));
    terminal.press("q");
    assert_eq!(terminal.end(), 0);
    terminal.assert_restored();
}

#[test]
fn records_are_replayed_and_branched_off() {
    let folder = Folder::of_user();
    let file = folder.path("game.txt");
    let name = file.to_str().expect("a plain path");
    let record = "agon: 1\ngame: othello\noptions: size=8\nresult: *\n\nf5 d6 c3 d3 c4\n";
    std::fs::write(&file, record).expect("a file");
    let mut terminal = start(&folder, &["replay", name], WINDOW);
    terminal.shows("After 0 of 5 plies.");
    terminal.press("..");
    terminal.shows("After 2 of 5 plies.");
    terminal.press("\u{1b}[F");
    terminal.shows("After 5 of 5 plies.");
    terminal.press("j9\r");
    terminal.shows("not a whole number from 0 to 5");
    terminal.press("j3\r");
    terminal.shows("After 3 of 5 plies.");
    terminal.press("\r");
    terminal.shows("Your turn. Choose a square.");
    terminal.press("q");
    terminal.shows("Othello: replay");
    terminal.press("q");
    assert_eq!(terminal.end(), 0);
    terminal.assert_restored();
}

#[test]
fn what_is_no_record_is_refused_and_the_screen_is_not_touched() {
    let folder = Folder::of_user();
    std::fs::write(folder.path("not.txt"), "nothing of the kind").expect("a file");
    let mut terminal = start(&folder, &["replay", "not.txt"], WINDOW);
    assert_eq!(terminal.end(), 1);
    let text = terminal.shows("is not of the form");
    assert!(text.contains("line 1"), "{text}");
    terminal.assert_restored();
}

#[test]
fn windows_may_be_tiny_and_change() {
    let folder = Folder::of_user();
    let mut terminal = start(&folder, &["play", "othello"], (20, 5));
    terminal.shows("Window 20x5");
    terminal.press("\r");
    terminal.resize(80, 24);
    terminal.shows("Your turn. Choose a square.");
    terminal.press("\r");
    terminal.shows("  1. ");
    terminal.resize(20, 5);
    terminal.shows("Window 20x5");
    terminal.resize(44, 20);
    terminal.shows("Othello");
    terminal.press("q");
    assert_eq!(terminal.end(), 0);
    terminal.assert_restored();
}

#[test]
fn large_boards_scroll() {
    let folder = Folder::of_user();
    let mut terminal = start(&folder, &["play", "loa", "--options", "size=30"], (80, 24));
    let text = terminal.shows("Your turn");
    assert!(text.contains('▾') || text.contains('▴'), "an arrow says that there is more: {text}");
    terminal.press(&"\u{1b}[B".repeat(30));
    terminal.shows("29 ");
}

#[test]
fn a_kill_gives_the_terminal_back_and_keeps_the_game() {
    for signal in ["TERM", "HUP"] {
        let folder = Folder::of_user();
        let mut terminal = start(&folder, &["play", "tablut", "--players", "human,human"], WINDOW);
        terminal.shows("to move");
        terminal.press("md1d3\r");
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
        &[("to move", "md1d3\r"), ("  1. d1d3", "")],
    );
    assert_ne!(code, 0);
    assert_eq!(folder.kept(), 1, "the game is kept");
}

#[test]
fn a_bot_that_fails_loses_nobody_the_game() {
    let folder = Folder::of_user();
    let mut terminal = start(&folder, &["play", "othello", "--players", "human,jsonl:true"], WINDOW);
    terminal.shows("Your turn");
    terminal.press("md3\r");
    terminal.shows("has failed");
    terminal.press("o");
    terminal.shows("The seat is yours.");
    terminal.press("mc3\r");
    terminal.shows("c3");
}

#[test]
fn plain_terminals_get_letters() {
    let folder = Folder::of_user();
    let terminal = start(&folder, &["play", "tablut", "--ascii"], WINDOW);
    let text = terminal.shows("Your turn");
    assert!(text.is_ascii(), "{text}");
}
