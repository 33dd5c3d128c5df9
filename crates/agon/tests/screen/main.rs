//! The full screen on a real pseudo-terminal: journeys from the first key to the last.
#![cfg(unix)]

mod interruptions;
#[path = "../support/pty.rs"]
mod pty;

use std::path::Path;

use agon_match::{Match, Millis, Seat, Setup};
use agon_registry::GAMES;
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
    let othello = 1 + GAMES.iter().position(|entry| entry.spec.id == "othello").expect("it is listed");
    terminal.press(&othello.to_string());
    terminal.shows("Your turn. Choose a square.");
    terminal.press("\r");
    terminal.shows("  1. ");
    terminal.press("Q");
    let menu = terminal.shows("Resume Othello: Dana - easy");
    assert!(GAMES.iter().all(|entry| menu.contains(entry.spec.title())), "{menu}");
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
    let text = play_to_the_end(&mut terminal, &["\t\r"], &["won:", "Draw:"]);
    assert!(text.contains("discs: Black"), "{text}");
    terminal.shows("Review");
    // What is pressed now does not hide the result.
    terminal.press("Y");
    let text = terminal.shows("No bot has failed.");
    assert!(text.contains("discs: Black"), "{text}");
    terminal.press("V");
    terminal.shows("Othello: replay");
    terminal.press("q");
    terminal.shows("Review");
    // Words work as they do during the game.
    terminal.press("exit\r");
    assert_eq!(terminal.end(), 0);
    terminal.assert_restored();
    assert_eq!(folder.kept(), 0, "a finished game is not offered again");
}

#[test]
fn tablut_is_played_to_its_end() {
    let folder = Folder::of_user();
    let args = ["play", "tablut", "--options", "limit=12", "--players", "human,novice", "--seed", "5"];
    let mut terminal = start(&folder, &args, WINDOW);
    terminal.shows("Move 1 of 12");
    let text = play_to_the_end(&mut terminal, &["\t\r"], &["won:", "Draw:"]);
    assert!(text.contains("left!") || text.contains("wins"), "the last ten are pointed out: {text}");
}

#[test]
fn lines_of_action_is_played_to_its_end_with_pieces_and_blocks() {
    let folder = Folder::of_user();
    let args = ["play", "loa", "--options", "size=5,turns=10", "--players", "human,random", "--seed", "5"];
    let mut terminal = start(&folder, &args, WINDOW);
    terminal.shows("Your turn");
    terminal.press("R");
    terminal.shows("Enter plays @");
    terminal.press("\r");
    terminal.shows("@");
    play_to_the_end(&mut terminal, &["\t\r"], &["won:", "Draw:"]);
}

#[test]
fn chinese_checkers_is_played_to_its_end() {
    let folder = Folder::of_user();
    let options = "seats=g/y/r,rounds=20";
    let args =
        ["play", "chinese-checkers", "--options", options, "--players", "human,random,random", "--seed", "5"];
    let mut terminal = start(&folder, &args, WINDOW);
    let text = play_to_the_end(&mut terminal, &["\t\r"], &["won:", "Draw:"]);
    assert!(text.contains("Draw: move limit."), "{text}");
}

#[test]
fn game_2048_is_played_to_its_end_and_its_score_remembered() {
    let folder = Folder::of_user();
    let mut terminal = start(&folder, &["play", "2048", "--seed", "5"], WINDOW);
    // All four ways by letters, then by arrows: one of them moves unless the game is over.
    let keys = ["WASD", "\u{1b}[A\u{1b}[D\u{1b}[B\u{1b}[C"];
    play_to_the_end(&mut terminal, &keys, &["Game over", "Won:"]);
    terminal.press("Q");
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
        text.contains("You beat the computer") || text.contains("The computer won")
    });
}

#[test]
fn typed_moves_hints_take_back_and_help() {
    let folder = Folder::of_user();
    let mut terminal = start(&folder, &["play", "othello", "--seed", "1"], WINDOW);
    terminal.shows("Your turn");
    // Nothing has to be pressed before a move, and what is being typed is seen.
    terminal.press("(3,4");
    terminal.shows("Move: (3,4");
    terminal.press(")\r");
    terminal.shows("  1. d3");
    terminal.shows("Your turn");
    terminal.press("a1\r");
    terminal.shows("The input 'a1' is");
    // Escape and a letter in one go would be another key.
    terminal.press("\u{1b}");
    terminal.wait("the line to go", |text| !text.contains("Move: "));
    terminal.press("U");
    terminal.shows("Taken back.");
    // Words do what keys do; a tab completes what can only be one move.
    terminal.press("undo\r");
    terminal.shows("There is nothing to take back.");
    terminal.press("moves\r");
    terminal.shows("4 legal moves");
    terminal.press("x");
    terminal.wait("the list to go", |text| !text.contains("4 legal moves"));
    terminal.press("d\t\r");
    terminal.shows("  1. d3");
    terminal.shows("Your turn");
    terminal.press("H");
    terminal.shows("Hint: ");
    terminal.press("E");
    terminal.wait("the bar", |text| {
        text.contains("Black ") && (text.contains(" disc █") || text.contains(" discs █"))
    });
    terminal.press("?");
    terminal.shows("take back");
    terminal.press("x");
    terminal.wait("the help to go", |text| !text.contains("Press any key"));
    terminal.press("save saved.txt\r");
    terminal.shows("Saved to saved.txt.");
    terminal.press("F");
    terminal.shows("Save to: othello.txt");
    // What is typed takes the place of what was proposed.
    terminal.press("other.txt\r");
    terminal.shows("Saved to other.txt.");
    assert!(folder.path("saved.txt").exists());
}

/// The moves of every game can be typed at once, in the ways in which people write them.
#[test]
fn moves_of_every_game_are_typed_without_a_key_before_them() {
    for (args, typed, listed) in [
        (&["play", "othello", "--players", "human,human"][..], &["d3\r", "(3,3)\r"][..], "d3         c3"),
        (&["play", "tablut", "--players", "human,human"], &["d1-d3\r", "e4c4\r"], "d1d3       e4c4"),
        (&["play", "loa", "--players", "human,human"], &["7,6-5,6\r", "@2,0\r"], "7,6-5,6    @2,0"),
        (
            &["play", "chinese-checkers", "--players", "human,human"],
            &["0309-0410\r", "(13,9)-(12,8)\r"],
            "0309-0410  1309-1208",
        ),
        (&["play", "2048", "--seed", "5"], &["/down\r"], "1. down"),
    ] {
        let folder = Folder::of_user();
        let mut terminal = start(&folder, args, WINDOW);
        terminal.wait("a turn", |text| text.contains("to move") || text.contains("Your turn"));
        for keys in typed {
            terminal.press(keys);
        }
        terminal.shows(listed);
    }
    for entry in GAMES {
        let rules = entry.rules("").expect("the defaults hold");
        let people = vec!["human"; rules.seats().len()].join(",");
        let seats = people.split(',').map(Seat::person).collect();
        // The luck of the game on the screen.
        let setup = Setup { seats, ..Setup::default() };
        let game = Match::start(rules, setup, 5, Millis::ZERO).expect("a match");
        let (token, step) = game.board().session().steps().swap_remove(0);
        let folder = Folder::of_user();
        let args = ["play", entry.spec.id, "--players", &people, "--seed", "5"];
        let mut terminal = start(&folder, &args, WINDOW);
        terminal.wait("a turn", |text| text.contains("to move") || text.contains("Your turn"));
        // Where letters slide the board, a slash comes before words.
        let slash = if step.heading.is_some() { "/" } else { "" };
        terminal.press(&format!("{slash}{token}\r"));
        terminal.shows(&format!("1. {token}"));
    }
    // Who can only pass does so without being asked; who types it all the same is told.
    let folder = Folder::of_user();
    let args = ["play", "othello", "--players", "human,human"];
    let mut terminal = start(&folder, &args, WINDOW);
    terminal.shows("to move");
    terminal.press("pass\r");
    terminal.shows("The input 'pass' is");
}

/// The scheme is one: capitals are commands, in 2048 too, where W A S D slide; small letters begin words.
#[test]
fn tiles_slide_by_letters_and_commands_are_capitals_there_too() {
    let folder = Folder::of_user();
    let mut terminal = start(&folder, &["play", "2048", "--seed", "5"], WINDOW);
    terminal.shows("Your turn");
    terminal.press("ASDW");
    terminal.wait("moves", |text| text.contains("   1. ") && text.contains("   2. "));
    terminal.press("U");
    terminal.shows("Taken back.");
    terminal.press("\u{1b}");
    terminal.shows("Q leaves; the game is kept.");
    terminal.press("?");
    terminal.shows("slide the tiles");
    terminal.press("x");
    terminal.press("Q");
    assert_eq!(terminal.end(), 0);
    terminal.assert_restored();
    assert_eq!(folder.kept(), 1);
}

/// What is next to the pace that was asked for shows that it holds.
#[test]
fn the_pace_is_set_by_a_switch() {
    let folder = Folder::of_user();
    for (pace, key, next) in
        [("2s", "]", "Pace: at least 1s a move."), ("off", "[", "Pace: at least 100ms a move.")]
    {
        let args = ["play", "othello", "--players", "human,random", "--seed", "5", "--pace", pace];
        let mut terminal = start(&folder, &args, WINDOW);
        terminal.shows("Your turn");
        terminal.press(key);
        terminal.shows(next);
        terminal.press("Q");
        assert_eq!(terminal.end(), 0);
    }
    let mut watched =
        start(&folder, &["watch", "othello", "--players", "random,random", "--pace", "5s"], WINDOW);
    watched.shows("pace");
    watched.press("]");
    watched.shows("Pace: at least 2s a move.");
    let mut refused = start(&folder, &["play", "othello", "--pace", "fast"], WINDOW);
    refused.shows("--pace");
    assert_eq!(refused.end(), 2);
}

#[test]
fn the_mouse_plays() {
    let folder = Folder::of_user();
    let args = ["play", "othello", "--players", "human,human"];
    let mut terminal = start(&folder, &args, WINDOW);
    terminal.shows("to move. Choose a square.");
    // A click on every place of the board in turn must find a move; the last key says that all have been heard.
    for row in 2..30 {
        for column in (3..54).step_by(3) {
            terminal.press(&format!("\u{1b}[<0;{column};{row}M\u{1b}[<0;{column};{row}m"));
        }
    }
    terminal.shows("  1. ");
}

/// A piece that is dragged goes where it is let go.
#[test]
fn pieces_are_dragged() {
    let folder = Folder::of_user();
    let mut terminal = start(&folder, &["play", "tablut", "--players", "human,human"], WINDOW);
    terminal.shows("to move. Choose a piece.");
    let text = terminal.text();
    let lines: Vec<&str> = text.lines().collect();
    let names = lines.iter().find(|line| line.trim_start().starts_with("a ")).expect("names of columns");
    let column = names.find('d').expect("a column") + 1;
    let row =
        |name: &str| lines.iter().position(|line| line.trim_start().starts_with(name)).expect("a row") + 1;
    terminal.press(&format!("\u{1b}[<0;{column};{}M", row("1")));
    terminal.shows("Choose where it goes.");
    terminal.press(&format!("\u{1b}[<0;{column};{}m", row("3")));
    terminal.shows("  1. d1d3");
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
    terminal.press("P");
    terminal.shows("Paused.");
    let before = terminal.text();
    terminal.press("[[[]]]]]]]]]");
    terminal.shows("Pace:");
    terminal.press(".");
    terminal.wait("a move", |text| text.contains("  1. ") && text != before);
    terminal.press("p");
    terminal.wait("the end", |text| text.contains("won:") || text.contains("Draw:"));
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
    terminal.press("9\r");
    terminal.shows("not a whole number from 0 to 5");
    terminal.press("j3\r");
    terminal.shows("After 3 of 5 plies.");
    terminal.press("\r");
    terminal.shows("Your turn. Choose a square.");
    terminal.press("Q");
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
    // In the smallest window that will do, what does not fit is scrolled.
    terminal.resize(40, 16);
    terminal.shows("Othello");
    terminal.press("?");
    terminal.shows("a good move");
    terminal.press("\u{1b}[6~\u{1b}[6~\u{1b}[6~\u{1b}[6~\u{1b}[6~");
    terminal.shows("back to the game.");
    terminal.press("x");
    terminal.wait("the help to close", |text| !text.contains("back to the game."));
    terminal.press("Q");
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
fn who_stands_better_is_told_among_many() {
    let folder = Folder::of_user();
    let args =
        ["play", "chinese-checkers", "--options", "seats=g/y/r", "--players", "human,human,human", "--ascii"];
    let mut terminal = start(&folder, &args, WINDOW);
    let text = terminal.shows("to move");
    assert!(!text.contains("33%"), "nobody has asked: {text}");
    terminal.press("E");
    // At the start all stand alike.
    let text = terminal.shows("Green 33%, Yellow 33%, Red 33%");
    let bar = text.split_whitespace().find(|word| word.starts_with("ggggg")).expect("a bar");
    let count = |letter| bar.matches(letter).count();
    assert!(
        count('g') > 5 && count('g').abs_diff(count('y')) <= 1 && count('y').abs_diff(count('r')) <= 1,
        "{bar}"
    );
}

#[test]
fn positions_are_analysed_on_the_board() {
    let folder = Folder::of_user();
    let args = ["analyze", "othello", "--moves", "d3 c3", "--board"];
    let mut terminal = start(&folder, &args, WINDOW);
    terminal.shows("Othello: analysis");
    terminal.shows("Thinks: ");
    terminal.press("c4\r");
    terminal.shows("c4");
    terminal.press("Q");
    assert_eq!(terminal.end(), 0);
    terminal.assert_restored();
    assert_eq!(folder.kept(), 0, "nobody has played");
}

#[test]
fn nobody_gives_up_by_a_slip() {
    let folder = Folder::of_user();
    let mut terminal = start(&folder, &["play", "othello", "--players", "human,human"], WINDOW);
    terminal.shows("to move");
    terminal.press("d3\r");
    terminal.shows("  1. d3");
    terminal.press("X");
    terminal.shows("Press X again to resign.");
    terminal.press("E");
    terminal.shows("Black");
    terminal.press("X");
    terminal.shows("Press X again to resign.");
    terminal.press("X");
    terminal.shows("White resigned");
    // Taken back, the game goes on where it was.
    terminal.press("U");
    let text = terminal.shows("Taken back.");
    assert!(text.contains("  1. d3"), "{text}");
    terminal.press("Q");
    assert_eq!(terminal.end(), 0);
    assert_eq!(folder.kept(), 1, "it is kept as any other");
}

#[test]
fn what_was_refused_is_mended_or_begun_anew() {
    let folder = Folder::of_user();
    let mut terminal = start(&folder, &["play", "othello", "--players", "human,human"], WINDOW);
    terminal.shows("to move");
    terminal.press("a1\r");
    terminal.shows("The input 'a1' is invalid");
    terminal.press("d3\r");
    terminal.shows("  1. d3");
    terminal.press("a1\r");
    terminal.shows("The input 'a1' is invalid");
    terminal.press("U");
    terminal.shows("Taken back.");
}

/// A terminal that cannot place a cursor gets the conversation on lines.
#[test]
fn dumb_terminals_get_lines() {
    let folder = Folder::of_user();
    let script = format!("TERM=dumb {} play othello", env!("CARGO_BIN_EXE_agon"));
    let mut terminal = Terminal::start(Path::new("/bin/sh"), &folder.0, &["-c", &script], WINDOW);
    terminal.shows("Type a move such as c4, or help or exit:");
    terminal.press("exit\r");
    assert_eq!(terminal.end(), 0);
}

#[test]
fn plain_terminals_get_letters() {
    let folder = Folder::of_user();
    let terminal = start(&folder, &["play", "tablut", "--ascii"], WINDOW);
    let text = terminal.shows("Your turn");
    assert!(text.is_ascii(), "{text}");
}
