//! A race on the screen: both boards beside each other.

use std::time::{Duration, Instant};

use agon_core::Turn;
use agon_core::view::{Board, Gesture, Heading};
use crossterm::event::{KeyCode, KeyEvent};
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use ratatui::text::Line;
use ratatui::widgets::{Paragraph, Wrap};

use super::parts::{draw_footer, draw_overlay, scrolled};
use super::prompt::command;
use crate::app::{Context, Next, Screen};
use crate::board::{BoardPane, Marks, Motion};
use crate::home::{Kept, Place};
use crate::table::{Event, RaceOrder, Rival, Setup, SetupError, Table, moves_made, score};
use crate::theme::{Theme, palette};

/// How fast the computer plays when it goes first.
const PACE: Duration = Duration::from_millis(60);
const SLIDE: Duration = Duration::from_millis(100);
/// The least width that both boards need beside each other.
const BOTH: u16 = 70;

/// How one of the two tables is seen.
struct Side {
    pane: BoardPane,
    board: Board,
    motion: Option<(Motion, Instant)>,
}

impl Side {
    fn of(table: &Table) -> Self {
        Self { pane: BoardPane::default(), board: table.session().board(), motion: None }
    }

    /// Lets happen what can; says whether a player has moved.
    fn tick(&mut self, table: &mut Table, sliding: bool) -> bool {
        if let Some((motion, began)) = &mut self.motion {
            motion.share = began.elapsed().as_secs_f32() / SLIDE.as_secs_f32();
            if motion.share >= 1.0 {
                self.motion = None;
            }
        }
        let mut moved = false;
        for _ in 0..4 {
            let before = self.board.clone();
            let Some(event) = table.advance(Duration::ZERO) else { break };
            self.board = table.session().board();
            if let Event::Played { mover: Turn::Player(_), .. } = event {
                moved = true;
                if sliding {
                    self.slide(table, before);
                }
            }
        }
        moved
    }

    fn slide(&mut self, table: &Table, before: Board) {
        if let Some(step) = table.session().last_step().filter(|step| step.heading.is_some()) {
            self.motion = Some((Motion { before, step, share: 0.0 }, Instant::now()));
        }
    }

    fn draw(&mut self, table: &Table, name: &str, frame: &mut Frame, area: Rect, theme: Theme) {
        frame.render_widget(title_of(table, name), Rect { height: 1, ..area });
        let place = Rect { y: area.y + 1, height: area.height.saturating_sub(1), ..area };
        let marks = Marks { last: table.session().last_step(), ..Marks::default() };
        let motion = self.motion.as_ref().map(|(motion, _)| motion);
        self.pane.paint(frame.buffer_mut(), place, &self.board, &marks, motion, theme);
    }
}

/// Who plays at a table, and with what success.
fn title_of(table: &Table, name: &str) -> Line<'static> {
    let moves = agon_core::text::counted(moves_made(table.session()), "move");
    let title = format!("{name}: {} points, {moves}", score(table));
    Line::styled(title, Style::new().add_modifier(Modifier::BOLD))
}

/// A race.
pub struct RaceScreen {
    person: Table,
    rival: Rival,
    sides: [Side; 2],
    setup: Setup,
    message: Option<String>,
    best: Option<u64>,
    /// Where the race is kept while it is not over.
    place: Option<Place>,
    shelved: bool,
    /// The first line of the help that is shown.
    help: Option<u16>,
}

impl RaceScreen {
    /// A race of the person of `setup` against `bot`.
    ///
    /// # Errors
    /// If the game or the bot does not exist, or the game is not one for a single player.
    pub fn new(setup: &Setup, bot: &str, order: RaceOrder, context: &Context) -> Result<Self, SetupError> {
        let (person, rival) = (Table::new(setup)?, Rival::new(setup, bot, order)?);
        let place = context.home.place(&setup.game, setup.seed);
        Ok(Self::of_tables(person, rival, setup.clone(), place, context))
    }

    /// Takes up a race that was interrupted; `None` if the game that is kept is no race.
    ///
    /// # Errors
    /// If it cannot be taken up.
    pub fn resume(kept: &Kept, context: &Context) -> Option<Result<Self, SetupError>> {
        let rival = Rival::resume(&kept.record)?;
        let person = Table::resume(&kept.record, context.home.person());
        let parts = rival.and_then(|rival| Ok((person?, rival, kept.take().ok_or(SetupError::Taken)?)));
        Some(parts.map(|(person, rival, place)| {
            let setup = person.setup(context.home.person());
            let mut race = Self::of_tables(person, rival, setup, Some(place), context);
            race.message = Some("The race goes on where it was left.".to_owned());
            race
        }))
    }

    fn of_tables(
        mut person: Table,
        mut rival: Rival,
        setup: Setup,
        place: Option<Place>,
        context: &Context,
    ) -> Self {
        if rival.order == RaceOrder::ComputerFirst {
            rival.table.pace = PACE;
        }
        person.draw_all();
        Self {
            best: context.home.best(&setup.game),
            sides: [Side::of(&person), Side::of(&rival.table)],
            person,
            rival,
            setup,
            message: None,
            place,
            shelved: false,
            help: None,
        }
    }

    /// Writes the race down as it stands, so that it can be taken up again.
    fn keep(&mut self) {
        let has_begun = moves_made(self.person.session()) + moves_made(self.rival.table.session()) > 0;
        let Some(place) = self.place.as_mut().filter(|_| has_begun && !self.person.is_over()) else { return };
        if let Err(error) = place.keep(&self.rival.record(&self.person)) {
            // Told once; the race itself goes on.
            self.place = None;
            self.message = Some(format!("The race cannot be kept on disk: {error}."));
        }
    }

    fn is_over(&self) -> bool {
        self.person.is_over() && self.rival.table.is_over()
    }

    fn slide(&mut self, heading: Heading) {
        if !self.rival.lets_play() {
            self.message = Some("The computer plays first; K skips to the end of its game.".to_owned());
            return;
        }
        let (table, [side, _]) = (&mut self.person, &mut self.sides);
        side.motion = None;
        let steps = table.session().steps();
        let Some((token, _)) = steps.iter().find(|(_, step)| step.heading == Some(heading)) else {
            self.message = table.session().why_not(Gesture::Slide { heading }).map(|reason| reason.text);
            return;
        };
        let before = side.board.clone();
        if table.play(token).is_ok() {
            side.slide(table, before);
            table.draw_all();
            side.board = table.session().board();
            self.message = None;
            if self.rival.order == RaceOrder::Together {
                self.rival.table.step();
            }
            self.keep();
        }
    }

    fn status(&self) -> String {
        if let Some((_, reason)) = self.rival.table.failure() {
            return format!("{} has failed: {reason}. Y tries again, Q leaves.", self.rival.bot());
        }
        match &self.message {
            _ if self.is_over() => self.rival.verdict(&self.person),
            Some(message) => message.clone(),
            None if !self.rival.lets_play() => {
                format!("{} plays first. K skips to the end of its game.", self.rival.bot())
            }
            None if self.person.is_over() => format!("Your game is over; {} plays on.", self.rival.bot()),
            None => "Your turn. Slide the tiles.".to_owned(),
        }
    }

    /// A score counts, whether the race is ended or not.
    fn note_score(&self, context: &mut Context) {
        // One that cannot be written was seen.
        let _ = context.home.note_score(&self.setup.game, score(&self.person));
    }

    fn finish(&mut self, context: &mut Context) {
        if std::mem::replace(&mut self.shelved, true) {
            return;
        }
        if let Some(place) = &mut self.place {
            place.forget();
        }
        self.note_score(context);
        // Not worth disturbing anybody at the end of a race.
        let _ = context.home.shelve(&self.person.record());
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
        let [mine, theirs] = &mut self.sides;
        if area.width < BOTH {
            // One's own board whole, and of the other what counts.
            let above = Rect { width: area.width, height: board_height.saturating_sub(1), ..left };
            mine.draw(&self.person, &self.setup.person, frame, above, theme);
            let line = Rect { y: above.bottom(), height: 1, ..above };
            frame.render_widget(title_of(&self.rival.table, self.rival.bot()), line);
        } else {
            mine.draw(&self.person, &self.setup.person, frame, left, theme);
            theirs.draw(&self.rival.table, self.rival.bot(), frame, right, theme);
        }
        let best = self.best.unwrap_or(0).max(score(&self.person));
        let tone = if self.is_over() { palette::OK } else { palette::ACCENT };
        let lines = vec![
            Line::from(format!("Best score: {best}. Both boards have the same luck; the higher score wins.")),
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
        if let Some(top) = &mut self.help {
            let lines = vec![
                Line::from("arrows, W A S D   slide your tiles"),
                Line::from("K                 see the end of the computer's game at once"),
                Line::from("R                 a new race"),
                Line::from("Q, Esc            leave"),
            ];
            draw_overlay(frame, "Keys", lines, top, theme);
        }
    }

    fn key(&mut self, key: KeyEvent, context: &mut Context) -> Next {
        if let Some(top) = self.help {
            self.help = scrolled(top, key.code);
            return Next::Stay;
        }
        match command(key) {
            KeyCode::Left | KeyCode::Char('A') => self.slide(Heading::Left),
            KeyCode::Right | KeyCode::Char('D') => self.slide(Heading::Right),
            KeyCode::Up | KeyCode::Char('W') => self.slide(Heading::Up),
            KeyCode::Down | KeyCode::Char('S') => self.slide(Heading::Down),
            KeyCode::Char('K') => {
                self.rival.table.pace = Duration::ZERO;
                self.rival.table.set_paused(false);
            }
            KeyCode::Char('Y') => self.rival.table.retry(),
            KeyCode::Char('R') => {
                self.note_score(context);
                let setup = Setup { seed: agon_core::random::mix(self.setup.seed, 1), ..self.setup.clone() };
                match Self::new(&setup, self.rival.bot(), self.rival.order, context) {
                    Ok(race) => return Next::Replace(Box::new(race)),
                    Err(error) => self.message = Some(error.to_string()),
                }
            }
            KeyCode::Char('H' | 'U' | 'F' | 'V' | 'T' | 'E' | 'X') => {
                self.message = Some("There is none of that in a race.".to_owned());
            }
            KeyCode::Char('?') => self.help = Some(0),
            KeyCode::Char('Q') | KeyCode::Esc => return Next::Close,
            _ => {}
        }
        Next::Stay
    }

    fn tick(&mut self, context: &mut Context) -> Next {
        let [mine, theirs] = &mut self.sides;
        mine.tick(&mut self.person, true);
        let together = self.rival.order == RaceOrder::Together;
        let sliding = together && !self.person.is_over();
        // A game that nobody waits for goes many moves at a time.
        let rounds = if self.rival.table.pace.is_zero() && !self.rival.table.is_paused() { 50 } else { 1 };
        for _ in 0..rounds {
            if !theirs.tick(&mut self.rival.table, sliding) {
                break;
            }
        }
        if together && self.person.is_over() && self.rival.table.is_paused() {
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
        if !self.person.is_over() {
            self.keep();
            if self.place.is_some() && moves_made(self.person.session()) > 0 {
                context.notes.push("The race is kept: agon offers it again.".to_owned());
            }
            self.note_score(context);
        }
    }
}
