//! What keys do at a game.

use agon_core::view::Heading;
use agon_match::{Action, Seat};
use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::super::parts::PAGE;
use super::super::prompt::{Prompt, Typed};
use super::super::replay::ReplayScreen;
use super::commands::{self, Command};
use super::{Mode, Overlay, PlayScreen, Tone, Typing, common_beginning, reason};
use crate::app::{Context, Next};

impl PlayScreen {
    /// Whether letters and digits are typed here, because moves are made of them.
    fn types(&self) -> bool {
        !self.is_watched() && self.driver.failure().is_none()
    }

    /// Hands a key to the line that is being typed; `None` if there is none, or the key is for the board.
    pub(super) fn typed(&mut self, key: KeyEvent, context: &mut Context) -> Option<Next> {
        let (typing, mut prompt) = self.prompt.take()?;
        if prompt.refused && matches!(key.code, KeyCode::Char('A'..='Z' | '?')) {
            return None;
        }
        if matches!(typing, Typing::Move) {
            match key.code {
                KeyCode::Left | KeyCode::Right | KeyCode::Up | KeyCode::Down => {
                    self.prompt = Some((typing, prompt));
                    return None;
                }
                KeyCode::Tab => {
                    self.complete(&mut prompt);
                    self.prompt = Some((typing, prompt));
                    return Some(Next::Stay);
                }
                _ => {}
            }
        }
        match (prompt.key(key), &typing) {
            (Typed::Going, _) => self.prompt = Some((typing, prompt)),
            (Typed::Left, _) => self.message = None,
            (Typed::Done, Typing::Move) => return Some(self.enter(prompt, context)),
            (Typed::Done, Typing::File) => self.save(&prompt.text),
        }
        Some(Next::Stay)
    }

    /// Does what has been typed: a move, or a command by its word.
    fn enter(&mut self, prompt: Prompt, context: &mut Context) -> Next {
        let text = prompt.text.trim().to_owned();
        if text.is_empty() {
            return Next::Stay;
        }
        if let Some((command, rest)) = commands::of_word(&text) {
            if command == Command::Save && !rest.is_empty() {
                self.save(rest);
                return Next::Stay;
            }
            // A command that is written out is meant.
            self.armed = Some(command);
            return self.command(command, context);
        }
        // A refused move stays to be mended.
        self.play_typed(&text);
        if matches!(self.message, Some((_, Tone::Wrong))) {
            self.prompt = Some((Typing::Move, Prompt { refused: true, ..prompt }));
        }
        Next::Stay
    }

    /// The legal moves that begin with what is being typed, as indexes of the steps; `None` if no move is being typed.
    pub(super) fn matching(&self) -> Option<Vec<usize>> {
        let Some((Typing::Move, prompt)) = &self.prompt else { return None };
        let text = prompt.text.trim().to_lowercase();
        let begins = |token: &str| token.starts_with(&text) && !text.is_empty();
        Some((0..self.steps.len()).filter(|&index| begins(&self.steps[index].0)).collect())
    }

    /// Types what all moves have in common that begin like this.
    fn complete(&self, prompt: &mut Prompt) {
        let text = prompt.text.trim().to_lowercase();
        let tokens = self.steps.iter().map(|(token, _)| token.as_str());
        let tokens: Vec<&str> = tokens.filter(|token| token.starts_with(&text)).collect();
        if !tokens.is_empty() {
            prompt.text = common_beginning(&tokens).to_owned();
        }
    }

    /// Keys that only mean something where the whole board slides. Small letters begin words there too: `down` and `save` must not
    /// slide anything by their first letter.
    fn slide_key(&mut self, key: KeyCode) -> bool {
        let heading = match key {
            KeyCode::Char('W') => Heading::Up,
            KeyCode::Char('A') => Heading::Left,
            KeyCode::Char('S') => Heading::Down,
            KeyCode::Char('D') => Heading::Right,
            _ => return false,
        };
        self.arrow(heading);
        true
    }

    pub(super) fn key_at_board(&mut self, key: KeyEvent, context: &mut Context) -> Next {
        if key.modifiers.intersects(KeyModifiers::CONTROL | KeyModifiers::ALT)
            || self.slides() && !self.driver.is_over() && self.slide_key(key.code)
        {
            return Next::Stay;
        }
        match key.code {
            KeyCode::Left => self.arrow(Heading::Left),
            KeyCode::Right => self.arrow(Heading::Right),
            KeyCode::Up => self.arrow(Heading::Up),
            KeyCode::Down => self.arrow(Heading::Down),
            // A key pressed a moment too late must not start another game, nor hide the result.
            KeyCode::Enter | KeyCode::Char(' ') if self.driver.is_over() => {}
            KeyCode::Enter | KeyCode::Char(' ') if self.is_watched() => self.driver.step(),
            KeyCode::Enter | KeyCode::Char(' ') if !self.slides() => {
                if let Some(mover) = self.mover() {
                    let spot = self.pointer.cursor;
                    let pointed = self.pointer.point(spot, &self.view.shown, &self.steps, mover);
                    self.act(pointed);
                }
            }
            KeyCode::PageUp => self.back = self.back.saturating_add(PAGE),
            KeyCode::PageDown => self.back = self.back.saturating_sub(PAGE),
            KeyCode::Tab => self.pointer.next(false, &self.steps),
            KeyCode::BackTab => self.pointer.next(true, &self.steps),
            KeyCode::Esc if self.pointer.clear() => self.message = None,
            KeyCode::Esc if !self.driver.is_over() && self.types() => {
                self.say("Q leaves; the game is kept.");
            }
            KeyCode::Esc => return Next::Close,
            KeyCode::Char(char) => return self.char_at_board(char, context),
            _ => {}
        }
        Next::Stay
    }

    fn char_at_board(&mut self, char: char, context: &mut Context) -> Next {
        match char {
            '/' | ':' => self.prompt = Some((Typing::Move, Prompt::default())),
            'a'..='z' | '0'..='9' | '(' | '@' if self.types() => {
                self.message = None;
                self.prompt = Some((Typing::Move, Prompt::with(&char.to_string())));
            }
            '+' | '=' => self.view.pane.zoom = (self.view.pane.zoom + 1).min(2),
            '-' => self.view.pane.zoom = (self.view.pane.zoom - 1).max(-2),
            '.' => self.driver.step(),
            ']' | '>' => self.set_pace(false, context),
            '[' | '<' => self.set_pace(true, context),
            _ => return commands::of_key(char).map_or(Next::Stay, |command| self.command(command, context)),
        }
        Next::Stay
    }

    fn command(&mut self, command: Command, context: &mut Context) -> Next {
        match command {
            Command::Help => self.overlay = Some((Overlay::Help, 0)),
            Command::Moves => self.overlay = Some((Overlay::Moves, 0)),
            Command::Hint => self.ask_for_hint(),
            Command::Undo => self.take_back(),
            Command::Redo if self.mode == Mode::Analyse => self.redo(),
            Command::Redo => self.refuse("Redo works on the analysis board only."),
            Command::Next if self.driver.is_over() => return self.again(context),
            Command::Next => self.pointer.next(false, &self.steps),
            Command::Block => {
                if !self.pointer.next_block(&self.steps) {
                    self.refuse("No block can be rotated now.");
                }
            }
            Command::Evaluation if self.board().seats().len() < 2 => {
                self.refuse("There is no opponent to compare with.");
            }
            Command::Evaluation => self.show_evaluation = !self.show_evaluation,
            Command::Thinking => {
                self.show_thinking = !self.show_thinking;
                let shown = if self.show_thinking { "shown" } else { "hidden" };
                self.say(format!("What bots think is {shown}."));
            }
            Command::TurnBoard => self.view.pane.turned = !self.view.pane.turned && !self.slides(),
            Command::Fit => self.view.pane.zoom = 0,
            Command::Save => {
                let name = proposed_file(self.board().rules().spec().id);
                self.prompt = Some((Typing::File, Prompt::proposing(&name)));
            }
            Command::Pause if self.board().seats().iter().all(Seat::is_person) => {
                self.refuse("No bot plays here.")
            }
            Command::Pause => {
                let paused = !self.driver.is_paused();
                self.driver.set_paused(paused);
                self.say(if paused { "Paused. P goes on, . makes one move." } else { "The bots go on." });
            }
            Command::Go => self.driver.hurry(),
            Command::Retry | Command::TakeOver if self.driver.failure().is_none() => {
                self.refuse("No bot has failed.");
            }
            Command::Retry => {
                self.driver.retry();
                self.message = None;
            }
            Command::TakeOver => {
                if let Some(seat) = self.driver.failure().map(|failure| failure.seat) {
                    match self.driver.take_over(seat, context.home.person()) {
                        Ok(()) => self.catch_up(),
                        Err(refusal) => self.refuse(reason(&refusal)),
                    }
                }
            }
            Command::Resign if self.mode == Mode::Analyse => self.refuse("Nobody plays here."),
            Command::Restart if self.driver.is_over() => return self.again(context),
            Command::Restart if !self.is_confirmed(command) => self.say("Press K again to restart."),
            Command::Restart => return self.again(context),
            Command::SeatPlans if self.driver.is_over() || self.mode == Mode::Analyse => {
                self.refuse("Nobody plays here.");
            }
            Command::SeatPlans => self.overlay = Some((Overlay::Plans, 0)),
            Command::Resign if !self.is_confirmed(command) => self.say("Press X again to resign."),
            Command::Resign => {
                if let Some(player) = self.mover() {
                    self.message = None;
                    match self.driver.act(Action::Resign(player)) {
                        Ok(()) => self.catch_up(),
                        Err(refusal) => self.refuse(reason(&refusal)),
                    }
                }
            }
            Command::Review if self.driver.is_over() || self.is_watched() => {
                match ReplayScreen::of_record(context.games, self.driver.record()) {
                    Ok(replay) => return Next::Open(Box::new(replay.reviewed(&self.assistant))),
                    Err(error) => self.refuse(error.to_string()),
                }
            }
            Command::Review => self.refuse("The game goes on; it can be replayed when it is over."),
            Command::Leave => return Next::Close,
        }
        Next::Stay
    }

    /// Whether something that cannot be undone was asked for twice in a row, or in words.
    fn is_confirmed(&mut self, command: Command) -> bool {
        let is_confirmed = self.armed == Some(command);
        self.armed = (!is_confirmed).then_some(command);
        is_confirmed
    }

    fn ask_for_hint(&mut self) {
        if self.mover().is_some() {
            self.assistant.want_hint();
            self.say("Looking for a good move…");
        }
    }
}

/// A name for a record that no file has yet.
fn proposed_file(game: &str) -> String {
    let names = (2..1000).map(|number| format!("{game}-{number}.txt"));
    let mut names = std::iter::once(format!("{game}.txt")).chain(names);
    names.find(|name| !std::path::Path::new(name).exists()).unwrap_or_default()
}
