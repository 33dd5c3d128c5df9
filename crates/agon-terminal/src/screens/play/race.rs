//! A race on the screen: all boards beside each other, and the few keys that one needs for it.

use agon_core::text::counted;
use agon_core::view::Heading;
use agon_match::{Board, BoardOrder, Event, LogEvent, Played};
use crossterm::event::{KeyCode, KeyEvent};
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use ratatui::text::Line;
use ratatui::widgets::{Paragraph, Wrap};

use super::super::parts::{draw_footer, draw_overlay};
use super::super::prompt::command;
use super::{Overlay, PlayScreen};
use crate::app::{Context, Next};
use crate::board::Marks;
use crate::theme::{Theme, palette};
use crate::words;

/// The least width that a board needs beside others.
const COLUMN: u16 = 35;

impl PlayScreen {
    /// Shows what has happened on a bot's board. Whoever wants to see its moves sees them slide.
    pub(super) fn hear_rival(&mut self, event: &LogEvent) {
        let together = self.driver.game().order() == BoardOrder::Together;
        let is_slow = together && self.board().end().is_none();
        let Some((_, view)) = self.rivals.iter_mut().find(|(board, _)| *board == event.board) else { return };
        if is_slow && matches!(event.event, Event::Played(Played { seat: Some(_), .. })) {
            view.start_motion(&*self.driver.told(event.board));
        }
        view.refresh(self.driver.game().boards()[event.board].session());
    }

    pub(super) fn draw_race(&mut self, frame: &mut Frame, theme: Theme) {
        let area = frame.area();
        let place = Rect { height: area.height.saturating_sub(5), ..area };
        let boards = self.driver.game().boards();
        let own = (&boards[self.driver.own()], &mut self.view);
        let rivals = self.rivals.iter_mut().map(|(board, view)| (&boards[*board], view));
        let count = boards.len() as u16;
        if area.width < COLUMN * count {
            // One's own board whole, and of the others what counts.
            let above = Rect { height: place.height.saturating_sub(count - 1), ..place };
            draw_board(frame, above, own, theme);
            for (row, (board, _)) in (above.bottom()..).zip(rivals) {
                frame.render_widget(title_of(board), Rect { y: row, height: 1, ..above });
            }
        } else {
            let left_of = |column: u16| area.width * column / count;
            for (column, board) in (0..).zip(std::iter::once(own).chain(rivals)) {
                let gap = u16::from(column + 1 < count);
                let width = (left_of(column + 1) - left_of(column)).saturating_sub(gap);
                draw_board(frame, Rect { x: area.x + left_of(column), width, ..place }, board, theme);
            }
        }
        let best = self.best.unwrap_or(0).max(words::score(self.board()));
        let who = if count == 2 { "Both" } else { "All" };
        let tone = if self.driver.is_over() { palette::OK } else { palette::ACCENT };
        let lines = vec![
            Line::from(format!(
                "Best score: {best}. {who} boards have the same luck; the higher score wins."
            )),
            Line::styled(self.race_status(), theme.text(tone).add_modifier(Modifier::BOLD)),
        ];
        let below = Rect { y: place.bottom(), height: 3, ..area };
        frame.render_widget(Paragraph::new(lines).wrap(Wrap { trim: true }), below);
        let footer = Rect { y: area.bottom() - 1, height: 1, ..area };
        let keys: &[(&str, &str)] = if self.driver.is_over() {
            &[("R", "again"), ("Q", "leave")]
        } else {
            &[
                (theme.either("↑↓←→ WASD", "arrows WASD"), "slide"),
                ("K", "skip the computer's game"),
                ("R", "restart"),
                ("Q", "leave"),
                ("?", "help"),
            ]
        };
        draw_footer(frame, footer, keys, theme);
        if let Some((_, top)) = &mut self.overlay {
            let lines = vec![
                Line::from("arrows, W A S D   slide your tiles"),
                Line::from("K                 see the end of the computer's game at once"),
                Line::from("R                 a new race"),
                Line::from("Q, Esc            leave"),
            ];
            draw_overlay(frame, "Keys", lines, top, theme);
        }
    }

    fn race_status(&self) -> String {
        if let Some(failure) = self.driver.failure() {
            let bot = name_of(&self.driver.game().boards()[failure.board]);
            return format!("{bot} has failed: {}. Y tries again, Q leaves.", failure.reason);
        }
        let mut playing = self.driver.rivals().map(|board| &self.driver.game().boards()[board]);
        let bot = playing.find(|board| board.end().is_none()).map(name_of).unwrap_or_default();
        match &self.message {
            _ if self.driver.is_over() => words::race_text(&self.driver),
            Some((message, _)) => message.clone(),
            None if self.waits() => format!("{bot} plays first. K skips to the end of its game."),
            None if self.board().end().is_some() => format!("Your game is over; {bot} is still playing."),
            None => "Your turn. Slide the tiles.".to_owned(),
        }
    }

    /// Whether it is not the person's time to play yet.
    fn waits(&self) -> bool {
        self.driver.game().is_waiting(self.driver.own())
    }

    pub(super) fn key_in_race(&mut self, key: KeyEvent, context: &mut Context) -> Next {
        match command(key) {
            KeyCode::Left | KeyCode::Char('A') => self.slide(Heading::Left),
            KeyCode::Right | KeyCode::Char('D') => self.slide(Heading::Right),
            KeyCode::Up | KeyCode::Char('W') => self.slide(Heading::Up),
            KeyCode::Down | KeyCode::Char('S') => self.slide(Heading::Down),
            KeyCode::Char('K') => self.driver.skip(),
            KeyCode::Char('Y') => self.driver.retry(),
            KeyCode::Char('R') => return self.another(context),
            KeyCode::Char('H' | 'U' | 'F' | 'V' | 'T' | 'E' | 'X') => {
                self.refuse("That is not available in a race.");
            }
            KeyCode::Char('?') => self.overlay = Some((Overlay::Help, 0)),
            KeyCode::Char('Q') | KeyCode::Esc => return Next::Close,
            _ => {}
        }
        Next::Stay
    }

    fn slide(&mut self, heading: Heading) {
        if self.waits() {
            self.refuse("The computer plays first; K skips to the end of its game.");
        } else {
            self.view.motion = None;
            self.arrow(heading);
        }
    }
}

fn name_of(board: &Board) -> &str {
    &board.seats()[0].name
}

/// Who plays a board, and with what success.
fn title_of(board: &Board) -> Line<'static> {
    let moves = counted(board.moves_made(), "move");
    let title = format!("{}: {} points, {moves}", name_of(board), words::score(board));
    Line::styled(title, Style::new().add_modifier(Modifier::BOLD))
}

fn draw_board(frame: &mut Frame, area: Rect, (board, view): (&Board, &mut super::BoardView), theme: Theme) {
    frame.render_widget(title_of(board), Rect { height: 1, ..area });
    let place = Rect { y: area.y + 1, height: area.height.saturating_sub(1), ..area };
    let marks = Marks { last: view.last.clone(), ..Marks::default() };
    view.paint(frame, place, &marks, theme);
}
