//! The full screen: who draws on it, who hears the keys, and how the terminal is given back.
//!
//! Screens lie on a stack; the topmost draws and listens. What comes from outside (keys, signals, the loss of the window) is
//! heard by [threads of their own](wake), so that nothing that they do, or fail to do, keeps a screen from drawing and from saving
//! what it holds. Whatever ends the program (a key, a signal, a panic, an error), the terminal is [given back](tty).

mod tty;
mod wake;

use std::io;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::Duration;

use agon_erased::Games;
use agon_players::wait_for_rest;
use crossterm::event::{Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseEvent};
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::widgets::{Paragraph, Wrap};

use self::tty::Tty;
use self::wake::{Listeners, Wake};
use crate::home::Home;
use crate::theme::Theme;

/// What all screens share.
#[derive(Debug)]
pub struct Context {
    /// The games that can be played.
    pub games: Games,
    /// What the terminal can show.
    pub theme: Theme,
    /// The user's files.
    pub home: Home,
    /// What is to be told when the ordinary screen is back.
    pub notes: Vec<String>,
}

impl Context {
    /// A context with nothing to tell.
    pub fn new(games: Games, theme: Theme, home: Home) -> Self {
        Self { games, theme, home, notes: Vec::new() }
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
const SMALLEST: (u16, u16) = (40, 16);

/// How long bots may take to come to rest when the program ends; other people's programs are given two seconds.
const REST: Duration = Duration::from_secs(3);

/// Shows `first` and whatever it opens until the user leaves; gives the number of the signal that ended it, if one did.
///
/// # Errors
/// If the terminal cannot be used.
pub fn run(first: Box<dyn Screen>, context: &mut Context) -> io::Result<Option<i32>> {
    let (listeners, wakes) = Listeners::new()?;
    let mut tty = Tty::take()?;
    let mut stack = vec![first];
    let result = show(&mut tty, &mut stack, context, &wakes);
    // However it ends, every screen may save what it holds.
    for screen in stack.iter_mut().rev() {
        screen.leave(context);
    }
    drop(tty);
    let ended = listeners.end();
    drop(stack);
    wait_for_rest(REST);
    match (ended, result) {
        // Where the window has gone, drawing fails too; the signal says why.
        (Some(number), _) => Ok(Some(number)),
        (None, result) => result,
    }
}

/// What the user or the system wants of the whole program.
enum Wish {
    Next(Next),
    /// Everything is to be redrawn.
    Redraw,
    /// The shell is to have the terminal for a while.
    Suspend,
    /// The program was stopped and goes on.
    Resume,
    /// The program must end.
    End(i32),
}

fn show(
    tty: &mut Tty,
    stack: &mut Vec<Box<dyn Screen>>,
    context: &mut Context,
    wakes: &Receiver<Wake>,
) -> io::Result<Option<i32>> {
    while let Some(screen) = stack.last_mut() {
        let mut fits = true;
        tty.draw(|frame| {
            fits = frame.area().width >= SMALLEST.0 && frame.area().height >= SMALLEST.1;
            if fits {
                screen.draw(frame, context);
            } else {
                draw_too_small(frame);
            }
        })?;
        let next = match listen(&mut **screen, context, wakes, fits)? {
            Wish::Next(Next::Stay) => screen.tick(context),
            Wish::Next(next) => next,
            Wish::Redraw => {
                tty.renew()?;
                Next::Stay
            }
            Wish::Suspend => {
                tty.suspend()?;
                Next::Stay
            }
            Wish::Resume => {
                tty.resume()?;
                Next::Stay
            }
            Wish::End(number) => return Ok(Some(number)),
        };
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
            Next::Quit => return Ok(None),
        }
    }
    Ok(None)
}

/// Waits as long as the screen can, and hands what has come in to it until something comes of it or nothing is left.
fn listen(
    screen: &mut dyn Screen,
    context: &mut Context,
    wakes: &Receiver<Wake>,
    fits: bool,
) -> io::Result<Wish> {
    let mut wake = match wakes.recv_timeout(screen.patience()) {
        Ok(wake) => wake,
        Err(RecvTimeoutError::Timeout) => return Ok(Wish::Next(Next::Stay)),
        Err(RecvTimeoutError::Disconnected) => return Err(io::ErrorKind::BrokenPipe.into()),
    };
    loop {
        let next = match wake {
            Wake::Ended(number) => return Ok(Wish::End(number)),
            Wake::Resumed => return Ok(Wish::Resume),
            Wake::Deaf(error) => return Err(error),
            Wake::Event(Event::Key(key)) if key.kind == KeyEventKind::Release => Next::Stay,
            Wake::Event(Event::Key(key)) => match control(&key) {
                Some('c') => Next::Quit,
                Some('l') => return Ok(Wish::Redraw),
                Some('z') => return Ok(Wish::Suspend),
                _ if fits => screen.key(key, context),
                // Nobody should move blindly.
                _ if matches!(key.code, KeyCode::Char('q' | 'Q') | KeyCode::Esc) => Next::Quit,
                _ => Next::Stay,
            },
            Wake::Event(Event::Mouse(mouse)) if fits => screen.mouse(mouse, context),
            Wake::Event(Event::Paste(text)) if fits => screen.paste(&text, context),
            Wake::Event(_) => Next::Stay,
        };
        if !matches!(next, Next::Stay) {
            return Ok(Wish::Next(next));
        }
        match wakes.try_recv() {
            Ok(another) => wake = another,
            Err(_) => return Ok(Wish::Next(Next::Stay)),
        }
    }
}

/// The letter that is pressed together with Ctrl, if one is.
fn control(key: &KeyEvent) -> Option<char> {
    match key.code {
        KeyCode::Char(char) if key.modifiers.contains(KeyModifiers::CONTROL) => {
            Some(char.to_ascii_lowercase())
        }
        _ => None,
    }
}

fn draw_too_small(frame: &mut Frame) {
    let Rect { width, height, .. } = frame.area();
    let text = format!(
        "Window {width}x{height}: too small. {}x{} needed. Nothing is lost; q leaves.",
        SMALLEST.0, SMALLEST.1
    );
    frame.render_widget(Paragraph::new(text).wrap(Wrap { trim: true }), frame.area());
}
