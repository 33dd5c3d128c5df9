//! The question for a name, asked once.

use crossterm::event::KeyEvent;
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::Line;
use ratatui::widgets::{Paragraph, Wrap};

use super::menu::MenuScreen;
use super::prompt::{Prompt, Typed};
use crate::app::{Context, Next, Screen};
use crate::home::{GUEST, valid_name};

/// Asks the user for a name.
#[derive(Debug)]
pub struct NameScreen {
    prompt: Prompt,
    note: Option<String>,
}

impl NameScreen {
    /// The question, with the name of the account as a proposal.
    pub fn new() -> Self {
        let account =
            std::env::var("USER").ok().and_then(|name| valid_name(&name)).filter(|name| name != "root");
        Self { prompt: Prompt::proposing(&account.unwrap_or_default()), note: None }
    }
}

impl Default for NameScreen {
    fn default() -> Self {
        Self::new()
    }
}

impl Screen for NameScreen {
    fn draw(&mut self, frame: &mut Frame, context: &Context) {
        let area = frame.area();
        let mut lines = vec![
            Line::from("Welcome to Agon: board games for people and machines."),
            Line::default(),
            Line::from("What is your name? You are asked only once; press Enter to continue."),
            Line::default(),
            self.prompt.line("Name:", context.theme),
        ];
        if let Some(note) = &self.note {
            lines.push(Line::default());
            lines.push(Line::from(note.clone()));
        }
        let place = Rect { x: area.x + 2, y: area.y + 1, width: area.width - 4, height: area.height - 2 };
        frame.render_widget(Paragraph::new(lines).wrap(Wrap { trim: false }), place);
    }

    fn key(&mut self, key: KeyEvent, context: &mut Context) -> Next {
        match self.prompt.key(key) {
            Typed::Going => Next::Stay,
            Typed::Left => Next::Quit,
            Typed::Done => {
                let name = valid_name(&self.prompt.text).unwrap_or_else(|| GUEST.to_owned());
                let mut menu = Box::new(MenuScreen::new(context));
                if let Err(error) = context.home.set_name(&name) {
                    menu.say(format!("The name could not be saved: {error}."));
                }
                Next::Replace(menu)
            }
        }
    }

    fn paste(&mut self, text: &str, _context: &mut Context) -> Next {
        self.prompt.paste(text);
        Next::Stay
    }
}
