//! Which record to replay: one of the last games, or a file.

use std::path::{Path, PathBuf};

use agon_erased::Games;
use crossterm::event::{KeyCode, KeyEvent};
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use ratatui::text::Line;
use ratatui::widgets::{Paragraph, Wrap};

use super::parts::draw_footer;
use super::prompt::{Prompt, Typed, command};
use super::replay::ReplayScreen;
use crate::app::{Context, Next, Screen};
use crate::home::Kept;
use crate::theme::palette;
use crate::words;

/// A list of games.
pub struct PickScreen {
    games: Vec<Kept>,
    chosen: usize,
    prompt: Option<Prompt>,
    fault: Option<String>,
}

impl PickScreen {
    /// The games that were finished, the latest first.
    pub fn new(context: &Context) -> Self {
        let games = context.home.finished();
        let prompt = games.is_empty().then(Prompt::default);
        Self { games, chosen: 0, prompt, fault: None }
    }

    fn open(&mut self, games: Games, path: &Path) -> Next {
        match ReplayScreen::open(games, path) {
            Ok(screen) => Next::Open(Box::new(screen)),
            Err(error) => {
                self.fault = Some(format!("{}: {error}", path.display()));
                Next::Stay
            }
        }
    }
}

impl Screen for PickScreen {
    fn draw(&mut self, frame: &mut Frame, context: &Context) {
        let theme = context.theme;
        let area = frame.area();
        let mut lines = vec![
            Line::styled(" Replay a record", Style::new().add_modifier(Modifier::BOLD)),
            Line::default(),
        ];
        if self.games.is_empty() {
            lines.push(Line::from(" No games yet. Type the name of a file."));
        }
        for (index, kept) in self.games.iter().enumerate() {
            let record = &kept.record;
            let title =
                context.games.find(&record.game).map_or(record.game.as_str(), |entry| entry.spec.title());
            let (date, result) =
                (words::recorded_date(record), words::recorded_result(context.games, record));
            let text = format!(" {date}  {title}: {}, {result} ", record.players.join(" - "));
            let style = if index == self.chosen { theme.chosen() } else { Style::new() };
            lines.push(Line::styled(text, style));
        }
        if let Some(fault) = &self.fault {
            lines.push(Line::default());
            lines.push(Line::styled(format!(" {fault}"), theme.text(palette::DANGER)));
        }
        let body = Rect { height: area.height - 1, ..area };
        let skip = (self.chosen as u16 + 4).saturating_sub(body.height);
        let text = Paragraph::new(lines).scroll((skip, 0));
        frame.render_widget(if self.games.is_empty() { text.wrap(Wrap { trim: false }) } else { text }, body);
        let footer = Rect { y: area.bottom() - 1, height: 1, ..area };
        match &self.prompt {
            Some(prompt) => frame.render_widget(prompt.line("File:", theme), footer),
            None => {
                let keys = [("Enter", "replay"), ("O", "open a file"), ("Q", "back")];
                draw_footer(frame, footer, &keys, theme);
            }
        }
    }

    fn key(&mut self, key: KeyEvent, context: &mut Context) -> Next {
        if let Some(mut prompt) = self.prompt.take() {
            match prompt.key(key) {
                Typed::Going => self.prompt = Some(prompt),
                Typed::Left if self.games.is_empty() => return Next::Close,
                Typed::Left => {}
                Typed::Done => {
                    let path = PathBuf::from(prompt.text.trim());
                    self.prompt = Some(prompt).filter(|_| self.games.is_empty());
                    return self.open(context.games, &path);
                }
            }
            return Next::Stay;
        }
        match command(key) {
            KeyCode::Up => self.chosen = self.chosen.saturating_sub(1),
            KeyCode::Down => self.chosen = (self.chosen + 1).min(self.games.len().saturating_sub(1)),
            KeyCode::Enter => {
                if let Some(path) = self.games.get(self.chosen).map(|kept| kept.path.clone()) {
                    return self.open(context.games, &path);
                }
            }
            KeyCode::Char('O') => self.prompt = Some(Prompt::default()),
            KeyCode::Char('Q') | KeyCode::Esc => return Next::Close,
            _ => {}
        }
        Next::Stay
    }

    fn paste(&mut self, text: &str, _context: &mut Context) -> Next {
        self.prompt.get_or_insert_default().paste(text);
        Next::Stay
    }
}
