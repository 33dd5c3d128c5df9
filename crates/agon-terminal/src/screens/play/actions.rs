//! What can be done to a game beside moving in it: pace, take back, redo, start again, change who plays,
//! save.

use std::time::Duration;

use agon_core::Turn;
use agon_core::view::Layout;
use agon_files::save_record_as;
use agon_match::BoardOrder;
use agon_records::Record;

use super::{Mode, PlayScreen, Tone};
use crate::app::{Context, Next};
use crate::driver::{MatchDriver, seat_plans};
use crate::home::{Home, pace_text};
use crate::keeper::Keeper;

/// The paces that keys select, fastest first.
const PACES: [Duration; 8] = [
    Duration::ZERO,
    Duration::from_millis(100),
    Duration::from_millis(250),
    Duration::from_millis(400),
    Duration::from_millis(700),
    Duration::from_secs(1),
    Duration::from_secs(2),
    Duration::from_secs(5),
];
/// The paces at which bots are watched unless the user chooses: fast enough to be interesting, slow enough to
/// be seen.
const WATCHED: Duration = Duration::from_millis(500);
/// Tiles come faster than pieces.
const WATCHED_TILES: Duration = Duration::from_millis(250);
/// The pace of a bot that plays its whole game of a race first.
const BEFORE_OTHERS: Duration = Duration::from_millis(60);

/// The least time from one move of a bot to the next, unless the user chooses another.
pub(super) fn usual_pace(driver: &MatchDriver, home: &Home) -> Duration {
    match driver.board().session().board().layout {
        _ if driver.game().is_race() && driver.game().order() == BoardOrder::InTurn => BEFORE_OTHERS,
        _ if driver.game().is_race() => Duration::ZERO,
        _ if driver.has_people() => home.pace(),
        Layout::Tiles => WATCHED_TILES,
        _ => WATCHED,
    }
}

impl PlayScreen {
    pub(super) fn set_pace(&mut self, slower: bool, context: &mut Context) {
        let now = self.driver.pace();
        let next = if slower {
            PACES.into_iter().find(|pace| *pace > now)
        } else {
            PACES.into_iter().rev().find(|pace| *pace < now)
        };
        let pace = next.unwrap_or(now);
        self.driver.set_pace(pace);
        if !self.is_watched() && context.home.set_pace(pace).is_err() {
            return self.refuse("The pace applies to this game only; it could not be saved.");
        }
        self.say(match pace {
            Duration::ZERO => "Pace: bots move as soon as they can.".to_owned(),
            pace => format!("Pace: at least {} a move.", pace_text(pace)),
        });
    }

    pub(super) fn take_back(&mut self) {
        let session = self.board().session();
        let (history, movers) = (session.history(), session.movers());
        if self.driver.take_back().is_err() {
            return self.refuse("There is nothing to take back.");
        }
        if self.mode == Mode::Analyse {
            // What chance brings comes again by itself.
            let taken = history.into_iter().zip(movers).skip(self.board().session().len());
            let moves = taken.filter(|(_, mover)| *mover != Turn::Chance).map(|(token, _)| token);
            self.undone.push(moves.collect());
        }
        self.catch_up();
    }

    /// Makes the moves again that were taken back last.
    pub(super) fn redo(&mut self) {
        let Some(moves) = self.undone.pop() else {
            return self.refuse("There is nothing to redo.");
        };
        for token in moves {
            if self.driver.play(&token).is_err() {
                self.undone.clear();
                break;
            }
        }
        self.catch_up();
    }

    /// Another match with the same players takes the place of this one on the screen; an unfinished one is
    /// kept.
    pub(super) fn another(&mut self, context: &Context) -> Next {
        match MatchDriver::start(self.driver.again(self.next_seed())) {
            Ok(driver) => {
                let pace = self.driver.pace();
                Next::Replace(Box::new(Self::new(driver, self.mode, context).at_pace(pace)))
            }
            Err(error) => {
                self.refuse(error.to_string());
                Next::Stay
            }
        }
    }

    fn next_seed(&self) -> u64 {
        agon_core::random::mix(self.driver.game().seed(), 1)
    }

    /// A new game with the same players. An unfinished one is abandoned and not kept.
    pub(super) fn again(&mut self, context: &mut Context) -> Next {
        if self.driver.is_over() {
            return self.another(context);
        }
        self.note_score(context);
        match self.driver.restart(self.next_seed()) {
            Ok(()) => {
                self.keeper.start_over(&self.driver, &context.home);
                while self.driver.untold().is_some() {}
                (self.view.motion, self.milestone, self.prompt) = (None, None, None);
                self.undone.clear();
                self.refresh();
                self.say("A new game begins.");
            }
            Err(error) => self.refuse(error.to_string()),
        }
        Next::Stay
    }

    /// Seats the players of the plan with this digit; the game goes on where it stands.
    pub(super) fn take_plan(&mut self, digit: char, context: &Context) {
        let index = digit.to_digit(10).and_then(|number| (number as usize).checked_sub(1));
        let plans = seat_plans(self.board(), context.home.person());
        let Some(plan) = index.and_then(|index| plans.into_iter().nth(index)) else { return };
        self.overlay = None;
        let was_watched = self.is_watched();
        match self.driver.reseat(plan.seats) {
            Ok(()) => {
                if was_watched && !self.is_watched() {
                    self.keeper = Keeper::new(&self.driver, &context.home);
                }
                self.catch_up();
                self.driver.set_paused(false);
                self.driver.set_pace(usual_pace(&self.driver, &context.home));
                self.view.pane.turned = super::is_better_turned(self.driver.board(), &self.view.shown);
                self.message = Some((format!("{}.", plan.label), Tone::Plain));
            }
            Err(error) => self.refuse(error.to_string()),
        }
    }

    /// The record with the marks of a review, if there was one.
    pub(super) fn marked_record(&mut self) -> Record {
        let mut record = self.driver.record();
        let session = self.driver.board().session();
        if self.driver.is_over() && self.assistant.has_marks() {
            let marks = record.moves.iter().enumerate().map(|(ply, token)| {
                let fault = self.assistant.fault(ply, session, token)?;
                Some(fault.mark.note(&fault.better))
            });
            let marks: Vec<Option<String>> = marks.collect();
            record.set_marks(marks.into_iter());
        }
        record
    }

    pub(super) fn save(&mut self, name: &str) {
        match save_record_as(&self.marked_record(), std::path::Path::new(name.trim())) {
            Ok(()) => self.say(format!("Saved to {}.", name.trim())),
            Err(error) => {
                self.refuse(format!("The record could not be written to {}: {error}.", name.trim()))
            }
        }
    }
}
