//! The rules, page by page, with a board that shows each.

use std::time::{Duration, Instant};

use agon_core::view::{Spot, Step};
use agon_erased::{GameEntry, Session};
use crossterm::event::{KeyCode, KeyEvent};
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use ratatui::text::Line;
use ratatui::widgets::{Paragraph, Wrap};

use super::menu::quick_game;
use super::parts::{draw_footer, split};
use super::play::{Mode, PlayScreen};
use super::prompt::command;
use crate::app::{Context, Next, Screen};
use crate::board::{BoardPane, Marks};

/// How long a page shows its board before and after the example.
const BEFORE: Duration = Duration::from_millis(1500);
const AFTER: Duration = Duration::from_millis(3000);

/// What newcomers are taught about a game.
pub struct LearnScreen {
    entry: &'static GameEntry,
    page: usize,
    pane: BoardPane,
    turned: Instant,
}

impl LearnScreen {
    /// The first page.
    pub fn new(entry: &'static GameEntry) -> Self {
        Self { entry, page: 0, pane: BoardPane::default(), turned: Instant::now() }
    }

    fn turn(&mut self, forward: bool) {
        let last = self.entry.spec.lessons.len().saturating_sub(1);
        self.page = if forward { (self.page + 1).min(last) } else { self.page.saturating_sub(1) };
        self.turned = Instant::now();
    }

    /// The board of the page, before its example or after it.
    fn lesson_board(&self) -> Option<(Box<dyn Session>, Option<Step>)> {
        let lesson = self.entry.spec.lessons.get(self.page)?;
        let rules = self.entry.rules(lesson.options).ok()?;
        let mut session = match lesson.position {
            Some(position) => rules.start_from(position).ok()?,
            None => rules.start(),
        };
        let cycle = BEFORE + AFTER;
        let moment = Duration::from_millis((self.turned.elapsed().as_millis() % cycle.as_millis()) as u64);
        if let Some(example) = lesson.example {
            if moment < BEFORE {
                let step = session.steps().into_iter().find(|(token, _)| token == example);
                return Some((session, step.map(|(_, step)| step)));
            }
            session.play(example).ok()?;
        }
        let last = session.last_step();
        Some((session, last))
    }
}

impl Screen for LearnScreen {
    fn draw(&mut self, frame: &mut Frame, context: &Context) {
        let theme = context.theme;
        let lessons = self.entry.spec.lessons;
        let Some(lesson) = lessons.get(self.page) else { return };
        let Some((session, step)) = self.lesson_board() else { return };
        let board = session.board();
        let parts = split(frame.area(), &self.pane, &board, theme);
        let played = session.last_step().is_some();
        let mut targets: Vec<Spot> = step.iter().filter(|_| !played).filter_map(|step| step.to).collect();
        if let Some(piece) = lesson.piece {
            let reached = session.steps().into_iter().filter(|(_, step)| step.from == Some(piece));
            targets.extend(reached.filter_map(|(_, step)| step.to));
        }
        let marks = Marks {
            last: step.clone().filter(|_| played),
            selected: step.as_ref().filter(|_| !played).and_then(|step| step.from).or(lesson.piece),
            targets,
            block: step.as_ref().filter(|_| !played).and_then(Step::block),
            ..Marks::default()
        };
        self.pane.paint(frame.buffer_mut(), parts.board, &board, &marks, None, theme);
        let mut lines = vec![
            Line::styled(
                format!("{}: {}", self.entry.spec.title(), self.entry.spec.lesson_title(self.page)),
                Style::new().add_modifier(Modifier::BOLD),
            ),
            Line::styled(format!("Page {} of {}", self.page + 1, lessons.len()), theme.muted()),
            Line::default(),
        ];
        for paragraph in self.entry.spec.lesson_text(self.page).lines() {
            lines.push(Line::from(paragraph.to_owned()));
            lines.push(Line::default());
        }
        if let Some(example) = lesson.example {
            lines.push(Line::styled(format!("Shown: {example}"), theme.muted()));
        }
        let panel = Rect { x: parts.panel.x + 1, width: parts.panel.width.saturating_sub(2), ..parts.panel };
        frame.render_widget(Paragraph::new(lines).wrap(Wrap { trim: true }), panel);
        let keys = [("Enter", "next page"), ("left", "back"), ("P", "play it"), ("Q", "leave")];
        draw_footer(frame, parts.footer, &keys, theme);
    }

    fn key(&mut self, key: KeyEvent, context: &mut Context) -> Next {
        match command(key) {
            KeyCode::Right | KeyCode::Enter | KeyCode::Char(' ') | KeyCode::PageDown => {
                if self.page + 1 == self.entry.spec.lessons.len() && key.code == KeyCode::Enter {
                    return Next::Close;
                }
                self.turn(true);
            }
            KeyCode::Left | KeyCode::Backspace | KeyCode::PageUp => self.turn(false),
            KeyCode::Char('P') => {
                if let Ok(driver) = quick_game(self.entry, context.home.person()) {
                    return Next::Replace(Box::new(PlayScreen::new(driver, Mode::Play, context)));
                }
            }
            KeyCode::Char('Q') | KeyCode::Esc => return Next::Close,
            _ => {}
        }
        Next::Stay
    }
}
