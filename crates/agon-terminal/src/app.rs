//! The full screen: who draws on it, who hears the keys, and how the terminal is given back.
//!
//! Screens lie on a stack; the topmost draws and listens. Whatever ends the program (a key, a signal, a panic, an error), the terminal is
//! restored: raw mode off, the ordinary screen back, mouse and cursor as they were.

use std::io::{self, Stdout, Write};
use std::sync::Arc;
use std::sync::Once;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};
use std::time::Duration;

use crossterm::event::{
    self, DisableBracketedPaste, DisableMouseCapture, EnableBracketedPaste, EnableMouseCapture, Event,
    KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseEvent,
};
use crossterm::terminal::{
    Clear, ClearType, EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};
use crossterm::{cursor, execute};
use ratatui::Frame;
use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use ratatui::layout::Rect;
use ratatui::widgets::{Paragraph, Wrap};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::{Handle, Signals};

use crate::home::Home;
use crate::table::THREAD;
use crate::theme::Theme;

/// What all screens share.
#[derive(Debug)]
pub struct Context {
    /// What the terminal can show.
    pub theme: Theme,
    /// The user's files.
    pub home: Home,
    /// What is to be told when the ordinary screen is back.
    pub notes: Vec<String>,
}

impl Context {
    /// A context with nothing to tell.
    pub fn new(theme: Theme, home: Home) -> Self {
        Self { theme, home, notes: Vec::new() }
    }
}

/// What happens after a screen has listened.
pub enum Next {
    /// Nothing.
    Stay,
    /// Another screen opens; this one waits beneath.
    Open(Box<dyn Screen>),
    /// Another screen takes this one's place.
    Replace(Box<dyn Screen>),
    /// This screen closes; the one beneath is back.
    Close,
    /// The program ends.
    Quit,
}

/// Something that fills the screen.
pub trait Screen {
    /// Draws itself.
    fn draw(&mut self, frame: &mut Frame, context: &Context);

    /// Hears a key.
    fn key(&mut self, key: KeyEvent, context: &mut Context) -> Next;

    /// Sees the mouse.
    fn mouse(&mut self, _mouse: MouseEvent, _context: &mut Context) -> Next {
        Next::Stay
    }

    /// Gets text that was pasted.
    fn paste(&mut self, _text: &str, _context: &mut Context) -> Next {
        Next::Stay
    }

    /// Does what is due.
    fn tick(&mut self, _context: &mut Context) -> Next {
        Next::Stay
    }

    /// How long it can wait for the next tick.
    fn patience(&self) -> Duration {
        Duration::from_millis(250)
    }

    /// Is told that it closes, so that nothing is lost.
    fn leave(&mut self, _context: &mut Context) {}
}

/// The smallest window that boards and panels make sense in.
const SMALLEST: (u16, u16) = (40, 12);

/// Shows `first` and whatever it opens until the user leaves; gives the number of the signal that ended it, if one did.
///
/// # Errors
/// If the terminal cannot be used.
pub fn run(first: Box<dyn Screen>, context: &mut Context) -> io::Result<Option<i32>> {
    let signals = Watch::new()?;
    restore_on_panic();
    let guard = Guard::new()?;
    let mut terminal = Terminal::new(CrosstermBackend::new(io::stdout()))?;
    let mut stack = vec![first];
    let result = show(&mut terminal, &mut stack, context, &signals.received);
    // However it ends, every screen may save what it holds.
    for screen in stack.iter_mut().rev() {
        screen.leave(context);
    }
    drop(guard);
    let number = signals.end();
    result?;
    Ok((number != 0).then_some(number))
}

fn show(
    terminal: &mut Terminal<CrosstermBackend<Stdout>>,
    stack: &mut Vec<Box<dyn Screen>>,
    context: &mut Context,
    signal: &AtomicI32,
) -> io::Result<()> {
    while let Some(screen) = stack.last_mut() {
        let mut fits = true;
        terminal.draw(|frame| {
            fits = frame.area().width >= SMALLEST.0 && frame.area().height >= SMALLEST.1;
            if fits {
                screen.draw(frame, context);
            } else {
                draw_too_small(frame);
            }
        })?;
        let mut next =
            if event::poll(screen.patience())? { listen(&mut **screen, context, fits)? } else { Next::Stay };
        if signal.load(Ordering::Relaxed) != 0 {
            return Ok(());
        }
        if matches!(next, Next::Stay) {
            next = screen.tick(context);
        }
        match next {
            Next::Stay => {}
            Next::Open(screen) => stack.push(screen),
            Next::Replace(other) => {
                screen.leave(context);
                stack.pop();
                stack.push(other);
            }
            Next::Close => {
                screen.leave(context);
                stack.pop();
            }
            Next::Quit => return Ok(()),
        }
    }
    Ok(())
}

/// Hands what has come in to the screen, until something comes of it or nothing is left.
fn listen(screen: &mut dyn Screen, context: &mut Context, fits: bool) -> io::Result<Next> {
    loop {
        let next = match event::read()? {
            Event::Key(key) if key.kind == KeyEventKind::Release => Next::Stay,
            Event::Key(key) if is_interrupt(&key) => Next::Quit,
            // Nobody should move blindly.
            Event::Key(key) if !fits && key.code != KeyCode::Char('q') => Next::Stay,
            Event::Key(key) => screen.key(key, context),
            Event::Mouse(mouse) if fits => screen.mouse(mouse, context),
            Event::Paste(text) if fits => screen.paste(&text, context),
            _ => Next::Stay,
        };
        if !matches!(next, Next::Stay) || !event::poll(Duration::ZERO)? {
            return Ok(next);
        }
    }
}

fn is_interrupt(key: &KeyEvent) -> bool {
    key.modifiers.contains(KeyModifiers::CONTROL) && matches!(key.code, KeyCode::Char('c' | 'C'))
}

fn draw_too_small(frame: &mut Frame) {
    let Rect { width, height, .. } = frame.area();
    let text = format!(
        "Window {width}x{height}: too small. {}x{} needed. Nothing is lost; q leaves.",
        SMALLEST.0, SMALLEST.1
    );
    frame.render_widget(Paragraph::new(text).wrap(Wrap { trim: true }), frame.area());
}

/// How long a program that was told to end may take to do so in order.
const ORDERLY: Duration = Duration::from_secs(2);

/// Listens for signals that end the program.
///
/// The screens see that one has come and end in order. Where a terminal has gone altogether, nothing wakes the reading of its keys
/// any more: then the listener itself ends the program. Games are safe, they are written down at every move.
struct Watch {
    received: Arc<AtomicI32>,
    ended: Arc<AtomicBool>,
    handle: Handle,
}

impl Watch {
    fn new() -> io::Result<Self> {
        let mut signals = Signals::new([SIGTERM, SIGINT, SIGHUP])?;
        let watch = Self { received: Arc::default(), ended: Arc::default(), handle: signals.handle() };
        let (received, ended) = (Arc::clone(&watch.received), Arc::clone(&watch.ended));
        std::thread::Builder::new().name("signals".to_owned()).spawn(move || {
            for number in signals.forever() {
                received.store(number, Ordering::Relaxed);
                std::thread::sleep(ORDERLY);
                if !ended.load(Ordering::Relaxed) {
                    restore_by_name();
                    // As shells have it.
                    std::process::exit(128 + number);
                }
            }
        })?;
        Ok(watch)
    }

    /// Stops listening, and gives the signal that has come or 0.
    fn end(self) -> i32 {
        self.ended.store(true, Ordering::Relaxed);
        self.handle.close();
        self.received.load(Ordering::Relaxed)
    }
}

/// Gives the terminal back without asking for standard output, which the rest of the program may hold.
fn restore_by_name() {
    let _ = disable_raw_mode();
    if let Ok(mut terminal) = std::fs::OpenOptions::new().write(true).open("/dev/tty") {
        let _ = give_back(&mut terminal);
    }
}

/// Holds the terminal while the full screen is shown.
struct Guard;

impl Guard {
    fn new() -> io::Result<Self> {
        enable_raw_mode()?;
        let guard = Self;
        let mut out = io::stdout();
        // Ratatui's own way to clear asks where the cursor is, which not everything that looks like a terminal answers.
        execute!(
            out,
            EnterAlternateScreen,
            Clear(ClearType::All),
            EnableMouseCapture,
            EnableBracketedPaste,
            cursor::Hide
        )?;
        Ok(guard)
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        restore();
    }
}

/// Gives the terminal back, as well as it goes.
fn restore() {
    let mut out = io::stdout();
    let _ = give_back(&mut out);
    let _ = disable_raw_mode();
    let _ = out.flush();
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
            if std::thread::current().name() != Some(THREAD) {
                restore();
                before(panic);
            }
        }));
    });
}
