//! A person and a bot at a game of one, with the same luck: side by side, or the computer first.
//!
//! Both boards draw the k-th tile from the k-th number. The higher score wins.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use agon_arena::Record;
use agon_core::Turn;
use agon_core::view::{Board, Heading};
use crossterm::event::{KeyCode, KeyEvent};
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use ratatui::text::Line;
use ratatui::widgets::{Paragraph, Wrap};

use super::parts::{draw_footer, draw_overlay};
use super::prompt::command;
use crate::app::{Context, Next, Screen};
use crate::board::{BoardPane, Marks, Motion};
use crate::home::Kept;
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

/// The headers of a record that is kept of a race: its order, the rival, and the rival's moves and tiles.
const ORDER_HEADER: &str = "x-race";
const RIVAL_HEADER: &str = "x-rival";
const MOVES_HEADER: &str = "x-rival-moves";
const TOGETHER: &str = "together";

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
    fn new(mut table: Table) -> Self {
        table.draw_all();
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
    /// Where the race is kept while it is not over.
    file: Option<PathBuf>,
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
        let rival = Table::new(&Setup { seats: vec![bot.to_owned()], ..setup.clone() })?;
        let file = context.home.unfinished_file(&setup.game, setup.seed);
        Ok(Self::of_tables(person, rival, order, setup.clone(), file, context))
    }

    /// Takes up a race that was interrupted; `None` if the game that is kept is no race.
    ///
    /// # Errors
    /// If it cannot be taken up.
    pub fn resume(kept: &Kept, context: &Context) -> Option<Result<Self, SetupError>> {
        let header = |name: &str| {
            let found = kept.record.extra.iter().find(|(key, _)| key == name);
            found.map(|(_, value)| value.as_str())
        };
        let order = match header(ORDER_HEADER)? {
            TOGETHER => RaceOrder::Together,
            _ => RaceOrder::ComputerFirst,
        };
        let (bot, moves) = (header(RIVAL_HEADER)?.to_owned(), header(MOVES_HEADER)?);
        let rival = Record {
            moves: moves.split_whitespace().map(str::to_owned).collect(),
            result: None,
            ..kept.record.clone()
        };
        let tables = || {
            let person = Table::resume(&kept.record, context.home.person())?;
            Ok((person, Table::resume_seated(&rival, vec![bot], context.home.person())?))
        };
        Some(tables().map(|(person, rival)| {
            let setup = person.setup(context.home.person());
            let mut race = Self::of_tables(person, rival, order, setup, Some(kept.path.clone()), context);
            race.message = Some("The race goes on where it was left.".to_owned());
            race
        }))
    }

    fn of_tables(
        person: Table,
        mut rival: Table,
        order: RaceOrder,
        setup: Setup,
        file: Option<PathBuf>,
        context: &Context,
    ) -> Self {
        match order {
            RaceOrder::Together => rival.set_paused(true),
            RaceOrder::ComputerFirst => rival.pace = PACE,
        }
        Self {
            best: context.home.best(&setup.game),
            bot: rival.seats()[0].specification.clone(),
            person: Side::new(person),
            rival: Side::new(rival),
            order,
            setup,
            message: None,
            file,
            shelved: false,
            show_help: false,
        }
    }

    /// Writes the race down as it stands, so that it can be taken up again.
    fn keep(&mut self, context: &Context) {
        let Some(file) = self.file.clone().filter(|_| !self.person.table.is_over()) else { return };
        if self.person.moves() + self.rival.moves() == 0 {
            return;
        }
        let mut record = self.person.table.record();
        let order = if self.order == RaceOrder::Together { TOGETHER } else { "first" };
        let moves = self.rival.table.session().history().join(" ");
        for (key, value) in [(ORDER_HEADER, order), (RIVAL_HEADER, &self.bot), (MOVES_HEADER, &moves)] {
            record.extra.push((key.to_owned(), value.to_owned()));
        }
        if let Err(error) = context.home.keep(&file, &record) {
            // Told once; the race itself goes on.
            self.file = None;
            self.message = Some(format!("The race cannot be kept on disk: {error}."));
        }
    }

    /// Whether it is the person's time to play.
    fn is_open(&self) -> bool {
        self.order == RaceOrder::Together || self.rival.table.is_over()
    }

    fn is_over(&self) -> bool {
        self.person.table.is_over() && self.rival.table.is_over()
    }

    fn slide(&mut self, heading: Heading, context: &Context) {
        if !self.is_open() {
            self.message = Some("The computer plays first; K skips to the end of its game.".to_owned());
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
            side.table.draw_all();
            side.board = side.table.session().board();
            self.message = None;
            if self.order == RaceOrder::Together {
                self.rival.table.step();
            }
            self.keep(context);
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
            return format!("{} has failed: {reason}. Y tries again, Q leaves.", self.bot);
        }
        match &self.message {
            _ if self.is_over() => self.verdict(),
            Some(message) => message.clone(),
            None if !self.is_open() => format!("{} plays first. K skips to the end of its game.", self.bot),
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
        if let Some(file) = &self.file {
            context.home.forget(file);
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
        if self.show_help {
            let lines = vec![
                Line::from("arrows, W A S D   slide your tiles"),
                Line::from("K                 see the end of the computer's game at once"),
                Line::from("R                 a new race"),
                Line::from("Q, Esc            leave"),
            ];
            draw_overlay(frame, "Keys", lines, theme);
        }
    }

    fn key(&mut self, key: KeyEvent, context: &mut Context) -> Next {
        if std::mem::take(&mut self.show_help) {
            return Next::Stay;
        }
        match command(key) {
            KeyCode::Left | KeyCode::Char('A') => self.slide(Heading::Left, context),
            KeyCode::Right | KeyCode::Char('D') => self.slide(Heading::Right, context),
            KeyCode::Up | KeyCode::Char('W') => self.slide(Heading::Up, context),
            KeyCode::Down | KeyCode::Char('S') => self.slide(Heading::Down, context),
            KeyCode::Char('K') => {
                self.rival.table.pace = Duration::ZERO;
                self.rival.table.set_paused(false);
            }
            KeyCode::Char('Y') => self.rival.table.retry(),
            KeyCode::Char('R') => {
                let setup = Setup { seed: agon_core::random::mix(self.setup.seed, 1), ..self.setup.clone() };
                match Self::new(&setup, &self.bot, self.order, context) {
                    Ok(race) => return Next::Replace(Box::new(race)),
                    Err(error) => self.message = Some(error.to_string()),
                }
            }
            KeyCode::Char('?') => self.show_help = true,
            KeyCode::Char('Q') | KeyCode::Esc => return Next::Close,
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

    fn leave(&mut self, context: &mut Context) {
        if !self.person.table.is_over() {
            self.keep(context);
            // A score counts, whether the race is ended or not; one that cannot be written was seen.
            let _ = context.home.note_score(&self.setup.game, self.person.score());
        }
    }
}
