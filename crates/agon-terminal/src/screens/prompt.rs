//! A line of text that the user types.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use crate::theme::Theme;

/// The longest text that is taken.
const MAX_CHARS: usize = 400;

/// Text being typed.
#[derive(Clone, Debug, Default)]
pub(crate) struct Prompt {
    pub(crate) text: String,
    /// Whether the text was refused: it can be corrected, or the next letter starts over.
    pub(crate) refused: bool,
    /// Whether the text is a proposal: it can be accepted or edited, or the next letter takes its place.
    pub(crate) proposed: bool,
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
        Self { text: text.to_owned(), ..Self::default() }
    }

    /// A prompt that proposes a text.
    pub(crate) fn proposing(text: &str) -> Self {
        Self { proposed: !text.is_empty(), ..Self::with(text) }
    }

    pub(crate) fn key(&mut self, key: KeyEvent) -> Typed {
        let is_replaced = std::mem::take(&mut self.refused) | std::mem::take(&mut self.proposed);
        if is_replaced && matches!(key.code, KeyCode::Char(_)) {
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
        if std::mem::take(&mut self.proposed) {
            self.text.clear();
        }
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
            Span::styled(self.text.clone(), if self.proposed { theme.chosen() } else { Style::new() }),
            Span::styled(" ", theme.chosen()),
        ])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typed(mut prompt: Prompt, keys: &[KeyCode]) -> String {
        for key in keys {
            prompt.key(KeyEvent::new(*key, KeyModifiers::NONE));
        }
        prompt.text
    }

    #[test]
    fn typing_replaces_a_proposal_and_mending_keeps_it() {
        let letters = [KeyCode::Char('a'), KeyCode::Char('b')];
        assert_eq!(typed(Prompt::proposing("Dana"), &letters), "ab");
        assert_eq!(typed(Prompt::proposing("Dana"), &[KeyCode::Backspace, KeyCode::Char('i')]), "Dani");
        assert_eq!(typed(Prompt::proposing("Dana"), &[]), "Dana");
        assert_eq!(typed(Prompt::with("d"), &letters), "dab", "what was typed stays");
        let mut pasted = Prompt::proposing("Dana");
        pasted.paste("x y");
        assert_eq!(pasted.text, "x y");
    }
}
