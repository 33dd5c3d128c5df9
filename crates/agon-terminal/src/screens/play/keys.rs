//! What keys do at a game.

use agon_core::view::Heading;
use crossterm::event::{KeyCode, KeyEvent};

use super::super::prompt::{Prompt, Typed};
use super::super::replay::ReplayScreen;
use super::{PlayScreen, Tone, Typing};
use crate::app::{Context, Next};

impl PlayScreen {
    pub(super) fn typed(&mut self, key: KeyEvent, context: &Context) -> bool {
        let Some((typing, mut prompt)) = self.prompt.take() else { return false };
        match (prompt.key(key), &typing) {
            (Typed::Going, _) => self.prompt = Some((typing, prompt)),
            (Typed::Left, _) => {}
            (Typed::Done, Typing::Move) => {
                // A refused move stays to be mended.
                self.play_typed(&prompt.text, context);
                if matches!(self.message, Some((_, Tone::Wrong))) {
                    self.prompt = Some((typing, prompt));
                }
            }
            (Typed::Done, Typing::File) => self.save(&prompt.text),
        }
        true
    }

    /// Keys that only mean something where the whole board slides.
    fn slide_key(&mut self, key: KeyCode, context: &Context) -> bool {
        let heading = match key {
            KeyCode::Char('w' | 'W') => Heading::Up,
            KeyCode::Char('a' | 'A') => Heading::Left,
            KeyCode::Char('s') => Heading::Down,
            KeyCode::Char('d' | 'D') => Heading::Right,
            _ => return false,
        };
        self.arrow(heading, context);
        true
    }

    pub(super) fn key_at_board(&mut self, key: KeyEvent, context: &mut Context) -> Next {
        if self.slides() && !self.table.is_over() && self.slide_key(key.code, context) {
            return Next::Stay;
        }
        match key.code {
            KeyCode::Left => self.arrow(Heading::Left, context),
            KeyCode::Right => self.arrow(Heading::Right, context),
            KeyCode::Up => self.arrow(Heading::Up, context),
            KeyCode::Down => self.arrow(Heading::Down, context),
            KeyCode::Enter | KeyCode::Char(' ') if self.table.is_over() => return self.again(context),
            KeyCode::Enter | KeyCode::Char(' ') if self.is_watched() => self.table.step(),
            KeyCode::Enter | KeyCode::Char(' ') if !self.slides() => {
                if let Some(mover) = self.mover() {
                    let spot = self.pointer.cursor;
                    let pointed = self.pointer.point(spot, &self.board, &self.steps, mover);
                    self.act(pointed, context);
                }
            }
            KeyCode::Char('n') | KeyCode::Tab => self.pointer.next(false, &self.steps),
            KeyCode::Char('N') | KeyCode::BackTab => self.pointer.next(true, &self.steps),
            KeyCode::Char(char @ ('r' | 'R')) => self.next_block(char == 'R'),
            KeyCode::Char('m' | ':') => self.prompt = Some((Typing::Move, Prompt::default())),
            // A move that begins with a digit or a sign is typed at once.
            KeyCode::Char(char @ ('(' | '@' | '1'..='9')) => {
                self.prompt = Some((Typing::Move, Prompt::with(&char.to_string())));
            }
            KeyCode::Char('u') => self.take_back(context),
            KeyCode::Char('h') => self.ask_for_hint(),
            KeyCode::Char('e') => self.show_evaluation = !self.show_evaluation,
            KeyCode::Char('t') => self.show_thinking = !self.show_thinking,
            KeyCode::Char('b') => self.pane.turned = !self.pane.turned && !self.slides(),
            KeyCode::Char('+' | '=') => self.pane.zoom = (self.pane.zoom + 1).min(2),
            KeyCode::Char('-') => self.pane.zoom = (self.pane.zoom - 1).max(-2),
            KeyCode::Char('0') => self.pane.zoom = 0,
            KeyCode::Char('s' | 'S') => {
                let name = format!("{}.txt", self.table.rules().spec().id);
                self.prompt = Some((Typing::File, Prompt::with(&name)));
            }
            KeyCode::Char('p') => {
                let paused = !self.table.is_paused();
                self.table.set_paused(paused);
                self.say(if paused { "Paused. p goes on, . makes one move." } else { "The bots go on." });
            }
            KeyCode::Char('.') => self.table.step(),
            KeyCode::Char(']' | '>') => self.set_pace(false),
            KeyCode::Char('[' | '<') => self.set_pace(true),
            KeyCode::Char('g') => self.table.hurry(),
            KeyCode::Char('y') => self.table.retry(),
            KeyCode::Char('o') => {
                if let Some((player, _)) = self.table.failure() {
                    self.table.take_over(player, context.home.person());
                    self.say("The seat is yours.");
                    self.refresh();
                }
            }
            KeyCode::Char('X') => {
                if let Some(player) = self.mover() {
                    self.table.resign(player);
                    self.refresh();
                }
            }
            KeyCode::Char('v') if self.table.is_over() || self.is_watched() => {
                match ReplayScreen::of_record(self.table.record()) {
                    Ok(replay) => return Next::Open(Box::new(replay)),
                    Err(error) => self.refuse(error.to_string()),
                }
            }
            KeyCode::Char('?') => self.show_help = true,
            KeyCode::Esc if self.pointer.clear() => self.message = None,
            KeyCode::Char('q') | KeyCode::Esc => return Next::Close,
            _ => {}
        }
        Next::Stay
    }

    fn next_block(&mut self, backwards: bool) {
        if !self.pointer.next_block(backwards, &self.steps) {
            self.refuse("No block can turn now.");
        }
    }

    fn ask_for_hint(&mut self) {
        if self.mover().is_some() {
            self.assistant.want_hint();
            self.say("Looking for a good move…");
        }
    }
}
