//! A race on the screen: both boards beside each other.

use std::time::{Duration, Instant};

use agon_core::view::{Board, Gesture, Heading};
use agon_match::{Event, Match, Occupant, Played, RaceOrder};
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
use crate::driver::{DriveError, Driver, Happening, NewGame, RaceDriver, Racer};
use crate::home::Kept;
use crate::keeper::Keeper;
use crate::theme::{Theme, palette};
use crate::words;

/// How fast the computer plays when it goes first.
const PACE: Duration = Duration::from_millis(60);
const SLIDE: Duration = Duration::from_millis(100);
/// The least width that both boards need beside each other.
const BOTH: u16 = 70;

/// How one of the two boards is seen.
struct Half {
    pane: BoardPane,
    board: Board,
    motion: Option<(Motion, Instant)>,
}

impl Half {
    fn of(game: &Match) -> Self {
        Self { pane: BoardPane::default(), board: game.session().board(), motion: None }
    }

    /// Lets happen what can; says whether a player has moved.
    fn tick(&mut self, driver: &mut RaceDriver, racer: Racer, sliding: bool) -> bool {
        if let Some((motion, began)) = &mut self.motion {
            motion.share = began.elapsed().as_secs_f32() / SLIDE.as_secs_f32();
            if motion.share >= 1.0 {
                self.motion = None;
            }
        }
        let mut moved = false;
        for _ in 0..4 {
            let Some(happening) = driver.advance_board(racer, Duration::ZERO) else { break };
            if let Happening::Event(event) = happening {
                moved |= self.hear(&event, driver, racer, sliding);
            }
        }
        moved
    }

    /// Shows what has happened; says whether a player has moved.
    fn hear(&mut self, event: &Event, driver: &RaceDriver, racer: Racer, sliding: bool) -> bool {
        let moved = matches!(event, Event::Played(Played { seat: Some(_), .. }));
        let before = std::mem::replace(&mut self.board, driver.board(racer).session().board());
        if moved
            && sliding
            && let Some(step) = driver.told_on(racer).last_step().filter(|step| step.heading.is_some())
        {
            self.motion = Some((Motion { before, step, share: 0.0 }, Instant::now()));
        }
        moved
    }

    fn draw(&mut self, driver: &RaceDriver, racer: Racer, frame: &mut Frame, area: Rect, theme: Theme) {
        frame.render_widget(title_of(driver, racer), Rect { height: 1, ..area });
        let place = Rect { y: area.y + 1, height: area.height.saturating_sub(1), ..area };
        let marks = Marks { last: driver.board(racer).session().last_step(), ..Marks::default() };
        let motion = self.motion.as_ref().map(|(motion, _)| motion);
        self.pane.paint(frame.buffer_mut(), place, &self.board, &marks, motion, theme);
    }
}

/// Who plays a board, and with what success.
fn title_of(driver: &RaceDriver, racer: Racer) -> Line<'static> {
    let moves = agon_core::text::counted(driver.board(racer).moves_made(), "move");
    let title = format!("{}: {} points, {moves}", driver.name(racer), driver.score(racer));
    Line::styled(title, Style::new().add_modifier(Modifier::BOLD))
}

/// A race.
pub struct RaceScreen {
    driver: RaceDriver,
    mine: Half,
    theirs: Half,
    message: Option<String>,
    best: Option<u64>,
    keeper: Keeper,
    /// Whether what is due at the end of a race has been done.
    is_finished: bool,
    /// The first line of the help that is shown.
    help: Option<u16>,
}

impl RaceScreen {
    /// A race of the person of `new` against `rival`.
    ///
    /// # Errors
    /// If anything does not hold, or the game is not one for a single player.
    pub fn new(
        new: NewGame,
        rival: Occupant,
        order: RaceOrder,
        context: &Context,
    ) -> Result<Self, DriveError> {
        let driver = RaceDriver::start(new, rival, order)?;
        let keeper = Keeper::new(&driver, &context.home);
        Ok(Self::with_keeper(driver, keeper, context))
    }

    /// Resumes an interrupted race; `None` if the game that is kept is no race.
    ///
    /// # Errors
    /// If it cannot be resumed.
    pub fn resume(kept: &Kept, context: &Context) -> Option<Result<Self, DriveError>> {
        let driver = RaceDriver::resume(context.games, &kept.record, context.home.person())?;
        let parts = driver.and_then(|driver| {
            let keeper = Keeper::taking_up(&driver, kept).ok_or(DriveError::Taken)?;
            Ok((driver, keeper))
        });
        Some(parts.map(|(driver, keeper)| {
            let mut race = Self::with_keeper(driver, keeper, context);
            race.message = Some("The race goes on where it was left.".to_owned());
            race
        }))
    }

    fn with_keeper(mut driver: RaceDriver, keeper: Keeper, context: &Context) -> Self {
        if driver.race().order() == RaceOrder::InTurn {
            driver.set_pace(PACE);
        }
        let person = driver.board(Racer::Person);
        Self {
            best: context.home.best(person.rules().spec().id),
            mine: Half::of(person),
            theirs: Half::of(driver.board(Racer::Rival)),
            driver,
            message: None,
            keeper,
            is_finished: false,
            help: None,
        }
    }

    /// Writes the race down as it stands, so that it can be resumed again.
    fn keep(&mut self) {
        if let Err(error) = self.keeper.keep(&self.driver) {
            // Told once; the race itself goes on.
            self.message = Some(format!("The race could not be saved: {error}."));
        }
    }

    fn is_over(&self) -> bool {
        self.driver.race().is_over()
    }

    fn slide(&mut self, heading: Heading) {
        if !self.driver.lets_play() {
            self.message = Some("The computer plays first; K skips to the end of its game.".to_owned());
            return;
        }
        self.mine.motion = None;
        let session = self.driver.board(Racer::Person).session();
        let steps = session.steps();
        let Some((token, _)) = steps.iter().find(|(_, step)| step.heading == Some(heading)) else {
            self.message = session.why_not(Gesture::Slide { heading }).map(|reason| reason.text.into_owned());
            return;
        };
        if self.driver.play(token).is_ok() {
            self.message = None;
            self.mine.tick(&mut self.driver, Racer::Person, true);
            self.keep();
        }
    }

    fn status(&self) -> String {
        let rival = self.driver.name(Racer::Rival);
        if let Some((_, reason)) = self.driver.failure() {
            return format!("{rival} has failed: {reason}. Y tries again, Q leaves.");
        }
        match &self.message {
            _ if self.is_over() => words::race_text(&self.driver),
            Some(message) => message.clone(),
            None if !self.driver.lets_play() => {
                format!("{rival} plays first. K skips to the end of its game.")
            }
            None if self.driver.is_done(Racer::Person) => {
                format!("Your game is over; {rival} is still playing.")
            }
            None => "Your turn. Slide the tiles.".to_owned(),
        }
    }

    /// A score counts, whether the race is ended or not.
    fn note_score(&self, context: &mut Context) {
        let game = self.driver.board(Racer::Person).rules().spec().id;
        // One that cannot be written was seen.
        let _ = context.home.note_score(game, self.driver.score(Racer::Person));
    }

    fn finish(&mut self, context: &mut Context) {
        if !std::mem::replace(&mut self.is_finished, true) {
            self.note_score(context);
            self.keeper.shelve(&self.driver, &context.home);
        }
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
        if area.width < BOTH {
            // One's own board whole, and of the other what counts.
            let above = Rect { width: area.width, height: board_height.saturating_sub(1), ..left };
            self.mine.draw(&self.driver, Racer::Person, frame, above, theme);
            let line = Rect { y: above.bottom(), height: 1, ..above };
            frame.render_widget(title_of(&self.driver, Racer::Rival), line);
        } else {
            self.mine.draw(&self.driver, Racer::Person, frame, left, theme);
            self.theirs.draw(&self.driver, Racer::Rival, frame, right, theme);
        }
        let best = self.best.unwrap_or(0).max(self.driver.score(Racer::Person));
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
            KeyCode::Char('K') => self.driver.skip(),
            KeyCode::Char('Y') => self.driver.retry(),
            KeyCode::Char('R') => {
                self.note_score(context);
                let seed = agon_core::random::mix(self.driver.board(Racer::Person).seed(), 1);
                match self.driver.again(seed) {
                    Ok(driver) => {
                        let keeper = Keeper::new(&driver, &context.home);
                        return Next::Replace(Box::new(Self::with_keeper(driver, keeper, context)));
                    }
                    Err(error) => self.message = Some(error.to_string()),
                }
            }
            KeyCode::Char('H' | 'U' | 'F' | 'V' | 'T' | 'E' | 'X') => {
                self.message = Some("That is not available in a race.".to_owned());
            }
            KeyCode::Char('?') => self.help = Some(0),
            KeyCode::Char('Q') | KeyCode::Esc => return Next::Close,
            _ => {}
        }
        Next::Stay
    }

    fn tick(&mut self, context: &mut Context) -> Next {
        self.mine.tick(&mut self.driver, Racer::Person, true);
        let together = self.driver.race().order() == RaceOrder::Together;
        let sliding = together && !self.driver.is_done(Racer::Person);
        // A game that nobody waits for goes many moves at a time.
        let rounds = if self.driver.is_hurried() { 50 } else { 1 };
        for _ in 0..rounds {
            if !self.theirs.tick(&mut self.driver, Racer::Rival, sliding) {
                break;
            }
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
        if !self.driver.is_done(Racer::Person) {
            self.keep();
            if self.keeper.is_kept() && self.driver.board(Racer::Person).moves_made() > 0 {
                context.notes.push("The race is kept: agon resume continues it.".to_owned());
            }
            self.note_score(context);
        }
    }
}
