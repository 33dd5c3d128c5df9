//! A line of text that the user types.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::text::{Line, Span};

use crate::theme::Theme;

/// The longest text that is taken.
const MAX_CHARS: usize = 400;

/// Text being typed.
#[derive(Clone, Debug, Default)]
pub(crate) struct Prompt {
    pub(crate) text: String,
    /// Whether the text was refused: it can be mended, or the next letter begins anew.
    pub(crate) refused: bool,
}

/// The code of a key that is a command in either case, as letters are where there is nothing to type.
pub(crate) fn command(key: KeyEvent) -> KeyCode {
    match key.code {
        KeyCode::Char(char) => KeyCode::Char(char.to_ascii_uppercase()),
        code => code,
    }
}

/// What a key did to the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Typed {
    /// It is still being typed.
    Going,
    /// It is done.
    Done,
    /// The user does not want it.
    Left,
}

impl Prompt {
    pub(crate) fn with(text: &str) -> Self {
        Self { text: text.to_owned(), refused: false }
    }

    pub(crate) fn key(&mut self, key: KeyEvent) -> Typed {
        if std::mem::take(&mut self.refused) && matches!(key.code, KeyCode::Char(_)) {
            self.text.clear();
        }
        match key.code {
            KeyCode::Enter => return Typed::Done,
            KeyCode::Esc => return Typed::Left,
            KeyCode::Backspace if self.text.pop().is_none() => return Typed::Left,
            KeyCode::Char('u') if key.modifiers.contains(KeyModifiers::CONTROL) => self.text.clear(),
            KeyCode::Char(char) if !key.modifiers.contains(KeyModifiers::CONTROL) => self.push(char),
            _ => {}
        }
        Typed::Going
    }

    pub(crate) fn paste(&mut self, text: &str) {
        text.chars().for_each(|char| self.push(char));
    }

    fn push(&mut self, char: char) {
        if !char.is_control() && self.text.chars().count() < MAX_CHARS {
            self.text.push(char);
        }
    }

    pub(crate) fn line(&self, label: &str, theme: Theme) -> Line<'static> {
        Line::from(vec![
            Span::styled(format!("{label} "), theme.muted()),
            Span::raw(self.text.clone()),
            Span::styled(" ", theme.chosen()),
        ])
    }
}
