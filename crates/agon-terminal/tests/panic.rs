//! A panic gives the terminal back before it speaks.
#![cfg(unix)]

#[path = "../../agon/tests/support/pty.rs"]
mod pty;

use pty::{Folder, Terminal};

fn start(folder: &Folder) -> Terminal {
    let test = std::env::current_exe().expect("this program");
    let target = test.parent().and_then(|deps| deps.parent()).expect("the target folder");
    Terminal::start(&target.join("examples/panic"), &folder.0, &[], (60, 20))
}

#[test]
fn a_signal_gives_the_terminal_back() {
    for name in ["TERM", "INT", "HUP"] {
        let mut terminal = start(&Folder::new());
        terminal.shows("Press a key");
        terminal.signal(name);
        assert_eq!(terminal.end(), 0);
        terminal.assert_restored();
    }
}

#[test]
fn a_program_whose_window_is_closed_ends() {
    let test = std::env::current_exe().expect("this program");
    let target = test.parent().and_then(|deps| deps.parent()).expect("the target folder");
    let folder = Folder::new();
    pty::close_window(&target.join("examples/panic"), &folder.0, &[], &[("Press a key", "")]);
}

#[test]
fn a_panic_gives_the_terminal_back() {
    let folder = Folder::of_user();
    let mut terminal = start(&folder);
    terminal.shows("Press a key");
    terminal.press("x");
    assert_eq!(terminal.end(), 101);
    terminal.assert_restored();
    terminal.shows("as it was asked to");
    assert_eq!(folder.kept(), 0);
    assert!(folder.path("config").exists());
    // A terminal that is given back can be used as before.
    terminal.resize(80, 24);
    assert!(terminal.text().contains("as it was asked to"));
}
