//! A person and a bot at a game of one, with the same luck: side by side, or the computer first.
//!
//! Both boards draw the k-th tile from the k-th number. The higher score wins.

use std::time::{Duration, Instant};

use agon_core::Turn;
use agon_core::view::{Board, Heading};
use crossterm::event::{KeyCode, KeyEvent};
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use ratatui::text::Line;
use ratatui::widgets::{Paragraph, Wrap};

use super::parts::{draw_footer, draw_overlay};
use crate::app::{Context, Next, Screen};
use crate::board::{BoardPane, Marks, Motion};
use crate::table::{Event, Setup, SetupError, Table};
use crate::theme::{Theme, palette};

/// Who plays when.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RaceOrder {
    /// Both at once, side by side; the bot moves when the person does.
    Together,
    /// The computer's whole game first, then the person's.
    ComputerFirst,
}

/// How fast the computer plays when it goes first.
const PACE: Duration = Duration::from_millis(60);
const SLIDE: Duration = Duration::from_millis(100);

struct Side {
    table: Table,
    pane: BoardPane,
    board: Board,
    motion: Option<(Motion, Instant)>,
}

impl Side {
    fn new(table: Table) -> Self {
        let board = table.session().board();
        Self { table, pane: BoardPane::default(), board, motion: None }
    }

    fn score(&self) -> u64 {
        self.table.session().standing().map_or(0, |standing| standing.score)
    }

    fn moves(&self) -> usize {
        self.table.session().movers().iter().filter(|mover| **mover != Turn::Chance).count()
    }

    /// Lets happen what can; says whether a player has moved.
    fn tick(&mut self, sliding: bool) -> bool {
        if let Some((motion, began)) = &mut self.motion {
            motion.share = began.elapsed().as_secs_f32() / SLIDE.as_secs_f32();
            if motion.share >= 1.0 {
                self.motion = None;
            }
        }
        let mut moved = false;
        for _ in 0..4 {
            let before = self.board.clone();
            let Some(event) = self.table.advance(Duration::ZERO) else { break };
            self.board = self.table.session().board();
            if let Event::Played { mover: Turn::Player(_), .. } = event {
                moved = true;
                if sliding {
                    self.slide(before);
                }
            }
        }
        moved
    }

    fn slide(&mut self, before: Board) {
        if let Some(step) = self.table.session().last_step().filter(|step| step.heading.is_some()) {
            self.motion = Some((Motion { before, step, share: 0.0 }, Instant::now()));
        }
    }
}

/// A race.
pub struct RaceScreen {
    person: Side,
    rival: Side,
    order: RaceOrder,
    setup: Setup,
    bot: String,
    message: Option<String>,
    best: Option<u64>,
    shelved: bool,
    show_help: bool,
}

impl RaceScreen {
    /// A race of the person of `setup` against `bot`.
    ///
    /// # Errors
    /// If the game or the bot does not exist, or the game is not one for a single player.
    pub fn new(setup: &Setup, bot: &str, order: RaceOrder, context: &Context) -> Result<Self, SetupError> {
        let person = Table::new(setup)?;
        let mut rival = Table::new(&Setup { seats: vec![bot.to_owned()], ..setup.clone() })?;
        match order {
            RaceOrder::Together => rival.set_paused(true),
            RaceOrder::ComputerFirst => rival.pace = PACE,
        }
        Ok(Self {
            best: context.home.best(&setup.game),
            person: Side::new(person),
            rival: Side::new(rival),
            order,
            setup: setup.clone(),
            bot: bot.to_owned(),
            message: None,
            shelved: false,
            show_help: false,
        })
    }

    /// Whether it is the person's time to play.
    fn is_open(&self) -> bool {
        self.order == RaceOrder::Together || self.rival.table.is_over()
    }

    fn is_over(&self) -> bool {
        self.person.table.is_over() && self.rival.table.is_over()
    }

    fn slide(&mut self, heading: Heading) {
        if !self.is_open() {
            self.message = Some("The computer plays first; k skips to the end of its game.".to_owned());
            return;
        }
        let side = &mut self.person;
        side.motion = None;
        let steps = side.table.session().steps();
        let Some((token, _)) = steps.iter().find(|(_, step)| step.heading == Some(heading)) else {
            let text = if side.table.is_over() { "Your game is over." } else { "Nothing moves that way." };
            self.message = Some(text.to_owned());
            return;
        };
        let before = side.board.clone();
        if side.table.play(token).is_ok() {
            side.board = side.table.session().board();
            side.slide(before);
            // The tile comes at once, so that a quick player's next key finds the board ready.
            side.tick(true);
            self.message = None;
            if self.order == RaceOrder::Together {
                self.rival.table.step();
            }
        }
    }

    fn verdict(&self) -> String {
        let (mine, theirs) = (self.person.score(), self.rival.score());
        match mine.cmp(&theirs) {
            std::cmp::Ordering::Greater => format!("You beat the computer: {mine} to {theirs}."),
            std::cmp::Ordering::Less => format!("The computer won: {theirs} to {mine}."),
            std::cmp::Ordering::Equal => format!("A draw: {mine} each."),
        }
    }

    fn status(&self) -> String {
        if let Some((_, reason)) = self.rival.table.failure() {
            return format!("{} has failed: {reason}. y tries again, q leaves.", self.bot);
        }
        match &self.message {
            _ if self.is_over() => self.verdict(),
            Some(message) => message.clone(),
            None if !self.is_open() => format!("{} plays first. k skips to the end of its game.", self.bot),
            None if self.person.table.is_over() => format!("Your game is over; {} plays on.", self.bot),
            None => "Your turn. Slide the tiles.".to_owned(),
        }
    }

    fn draw_side(side: &mut Side, name: &str, frame: &mut Frame, area: Rect, theme: Theme) {
        let title = format!("{name}: {} points, {} moves", side.score(), side.moves());
        frame.render_widget(
            Line::styled(title, Style::new().add_modifier(Modifier::BOLD)),
            Rect { height: 1, ..area },
        );
        let place = Rect { y: area.y + 1, height: area.height.saturating_sub(1), ..area };
        let marks = Marks { last: side.table.session().last_step(), ..Marks::default() };
        let motion = side.motion.as_ref().map(|(motion, _)| motion);
        side.pane.paint(frame.buffer_mut(), place, &side.board, &marks, motion, theme);
    }

    fn finish(&mut self, context: &mut Context) {
        if std::mem::replace(&mut self.shelved, true) {
            return;
        }
        // Neither is worth disturbing anybody at the end of a race.
        let _ = context.home.note_score(&self.setup.game, self.person.score());
        let _ = context.home.shelve(&self.person.table.record());
    }
}

impl Screen for RaceScreen {
    fn draw(&mut self, frame: &mut Frame, context: &Context) {
        let theme = context.theme;
        let area = frame.area();
        let board_height = area.height.saturating_sub(5);
        let half = area.width / 2;
        let (left, right) = (
            Rect { width: half.saturating_sub(1), height: board_height, ..area },
            Rect { x: area.x + half, width: area.width - half, height: board_height, ..area },
        );
        let person = self.setup.person.clone();
        Self::draw_side(&mut self.person, &person, frame, left, theme);
        let bot = self.bot.clone();
        Self::draw_side(&mut self.rival, &bot, frame, right, theme);
        let best = self.best.unwrap_or(0).max(self.person.score());
        let tone = if self.is_over() { palette::OK } else { palette::ACCENT };
        let lines = vec![
            Line::from(format!("Best score: {best}. Both boards get the same tiles; the higher score wins.")),
            Line::styled(self.status(), theme.text(tone).add_modifier(Modifier::BOLD)),
        ];
        let place = Rect { y: area.y + board_height, height: 3, ..area };
        frame.render_widget(Paragraph::new(lines).wrap(Wrap { trim: true }), place);
        let footer = Rect { y: area.bottom() - 1, height: 1, ..area };
        let keys: &[(&str, &str)] = if self.is_over() {
            &[("Enter", "again"), ("q", "leave")]
        } else {
            &[
                ("arrows", "slide"),
                ("k", "skip the computer's game"),
                ("R", "restart"),
                ("q", "leave"),
                ("?", "help"),
            ]
        };
        draw_footer(frame, footer, keys, theme);
        if self.show_help {
            let lines = vec![
                Line::from("arrows, W A S D   slide your tiles"),
                Line::from("k                 see the end of the computer's game at once"),
                Line::from("R                 a new race"),
                Line::from("q, Esc            leave"),
            ];
            draw_overlay(frame, "Keys", lines, theme);
        }
    }

    fn key(&mut self, key: KeyEvent, context: &mut Context) -> Next {
        if std::mem::take(&mut self.show_help) {
            return Next::Stay;
        }
        match key.code {
            KeyCode::Left | KeyCode::Char('a' | 'A') => self.slide(Heading::Left),
            KeyCode::Right | KeyCode::Char('d' | 'D') => self.slide(Heading::Right),
            KeyCode::Up | KeyCode::Char('w' | 'W') => self.slide(Heading::Up),
            KeyCode::Down | KeyCode::Char('s' | 'S') => self.slide(Heading::Down),
            KeyCode::Char('k') => {
                self.rival.table.pace = Duration::ZERO;
                self.rival.table.set_paused(false);
            }
            KeyCode::Char('y') => self.rival.table.retry(),
            KeyCode::Char('R') | KeyCode::Enter if key.code == KeyCode::Char('R') || self.is_over() => {
                let setup = Setup { seed: agon_core::random::mix(self.setup.seed, 1), ..self.setup.clone() };
                match Self::new(&setup, &self.bot, self.order, context) {
                    Ok(race) => return Next::Replace(Box::new(race)),
                    Err(error) => self.message = Some(error.to_string()),
                }
            }
            KeyCode::Char('?') => self.show_help = true,
            KeyCode::Char('q') | KeyCode::Esc => return Next::Close,
            _ => {}
        }
        Next::Stay
    }

    fn tick(&mut self, context: &mut Context) -> Next {
        self.person.tick(true);
        let sliding = self.order == RaceOrder::Together && !self.person.table.is_over();
        // A game that nobody waits for goes many moves at a time.
        let rounds = if self.rival.table.pace.is_zero() && !self.rival.table.is_paused() { 50 } else { 1 };
        for _ in 0..rounds {
            if !self.rival.tick(sliding) {
                break;
            }
        }
        if self.order == RaceOrder::Together && self.person.table.is_over() && self.rival.table.is_paused() {
            self.rival.table.set_paused(false);
        }
        if self.is_over() {
            self.finish(context);
        }
        Next::Stay
    }

    fn patience(&self) -> Duration {
        Duration::from_millis(if self.is_over() { 250 } else { 16 })
    }
}
