//! The terminal while the full screen is shown: how it is taken, lent to the shell, and given back.

use std::io::{self, Stdout, Write};
use std::sync::Once;

use agon_players::THREAD;
use crossterm::event::{
    DisableBracketedPaste, DisableMouseCapture, EnableBracketedPaste, EnableMouseCapture,
};
use crossterm::terminal::{
    Clear, ClearType, EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};
use crossterm::{cursor, execute};
use ratatui::backend::CrosstermBackend;
use ratatui::{Frame, Terminal};
use rustix::termios::{LocalModes, tcgetattr};
use signal_hook::consts::SIGTSTP;

/// The terminal, given back when this is dropped.
pub(super) struct Tty {
    screen: Terminal<CrosstermBackend<Stdout>>,
}

impl Tty {
    pub(super) fn take() -> io::Result<Self> {
        restore_on_panic();
        let screen = Terminal::new(CrosstermBackend::new(io::stdout()))?;
        let tty = Self { screen };
        enter()?;
        Ok(tty)
    }

    pub(super) fn draw(&mut self, draw: impl FnOnce(&mut Frame)) -> io::Result<()> {
        self.screen.draw(draw).map(|_| ())
    }

    /// Forgets what the screen shows, so that all of it is drawn again.
    pub(super) fn renew(&mut self) -> io::Result<()> {
        // Ratatui's own way to clear asks where the cursor is, which not everything that looks like a terminal answers.
        execute!(io::stdout(), Clear(ClearType::All))?;
        self.screen = Terminal::new(CrosstermBackend::new(io::stdout()))?;
        Ok(())
    }

    /// Lends the terminal to the shell until it lets us go on.
    pub(super) fn suspend(&mut self) -> io::Result<()> {
        restore();
        // The gentle signal: where no shell is there to let us go on, the system ignores it.
        signal_hook::low_level::raise(SIGTSTP)?;
        self.resume()
    }

    /// Takes the terminal again after the program was stopped, however that came about.
    pub(super) fn resume(&mut self) -> io::Result<()> {
        // The shell has set its own modes meanwhile. Ours are not set a second time (we are told of both the signal and the end of
        // our own suspension): in between, a key would be echoed and read as part of a line.
        if !is_raw() {
            disable_raw_mode()?;
        }
        enter()?;
        self.renew()
    }
}

impl Drop for Tty {
    fn drop(&mut self) {
        restore();
    }
}

/// Whether keys are heard one by one.
fn is_raw() -> bool {
    tcgetattr(io::stdin()).is_ok_and(|modes| !modes.local_modes.contains(LocalModes::ICANON))
}

fn enter() -> io::Result<()> {
    enable_raw_mode()?;
    execute!(
        io::stdout(),
        EnterAlternateScreen,
        Clear(ClearType::All),
        EnableMouseCapture,
        EnableBracketedPaste,
        cursor::Hide
    )
}

/// Gives the terminal back as well as possible.
fn restore() {
    let mut out = io::stdout();
    let _ = give_back(&mut out);
    let _ = disable_raw_mode();
    let _ = out.flush();
}

/// Gives the terminal back without asking for standard output, which the rest of the program may hold.
pub(super) fn restore_by_name() {
    let _ = disable_raw_mode();
    if let Ok(mut terminal) = std::fs::OpenOptions::new().write(true).open("/dev/tty") {
        let _ = give_back(&mut terminal);
    }
}

fn give_back(out: &mut impl Write) -> io::Result<()> {
    execute!(out, DisableBracketedPaste, DisableMouseCapture, LeaveAlternateScreen, cursor::Show)
}

/// Has a panic restore the terminal before it speaks. A bot's panic is caught and told by its thinker.
fn restore_on_panic() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            match std::thread::current().name() {
                Some(THREAD) => return,
                Some("main") => restore(),
                // Something else may hold standard output.
                _ => restore_by_name(),
            }
            before(panic);
        }));
    });
}
