//! A screen that panics at the first key, so that a test can see the terminal given back all the same.

use agon_registry::GAMES;
use agon_terminal::app::{Context, Next, Screen, run};
use agon_terminal::{Home, Theme};
use crossterm::event::KeyEvent;
use ratatui::Frame;

struct Bomb;

impl Screen for Bomb {
    fn draw(&mut self, frame: &mut Frame, _context: &Context) {
        frame.render_widget("Press a key", frame.area());
    }

    fn key(&mut self, _key: KeyEvent, _context: &mut Context) -> Next {
        panic!("as it was asked to")
    }
}

fn main() -> std::io::Result<()> {
    let mut context = Context::new(GAMES, Theme::detect(false, false), Home::at(None, None));
    run(Box::new(Bomb), &mut context).map(|_| ())
}
