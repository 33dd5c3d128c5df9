//! A match in real time.

use std::sync::Arc;
use std::time::Duration;

use agon_core::Player;
use agon_match::{Action, Event, Match, Millis, Refusal, Setup};
use agon_records::Record;
use agon_registry::{Clock, Session, SystemClock, Thought};

use super::bots::{Bots, Initiative};
use super::new_game::{DriveError, NewGame, seat_again};
use super::time::TimeLine;
use super::{Driver, Happening, Told, dated};

/// A match with the bots that play in it, in real time.
pub struct GameDriver {
    game: Match,
    bots: Bots,
    time: TimeLine,
    told: Told,
}

impl GameDriver {
    /// Starts a game.
    ///
    /// # Errors
    /// If anything in `new` does not hold.
    pub fn start(new: NewGame) -> Result<Self, DriveError> {
        Self::start_by(new, Arc::new(SystemClock::default()))
    }

    /// The same, with time read from `clock`.
    ///
    /// # Errors
    /// If anything in `new` does not hold.
    pub fn start_by(new: NewGame, clock: Arc<dyn Clock>) -> Result<Self, DriveError> {
        let NewGame { rules, setup, seed } = new;
        let game = Match::start(rules, setup, seed, Millis::ZERO)?;
        Self::of(game, clock)
    }

    /// Takes up a game that was interrupted; `person` sits where the only person sat.
    ///
    /// # Errors
    /// If the record does not hold, or one of its bots does not exist.
    pub fn resume(record: &Record, person: &str) -> Result<Self, DriveError> {
        let game = record.to_match(Millis::ZERO, |setup| seat_again(setup, person))?;
        Self::of(game, Arc::new(SystemClock::default()))
    }

    /// Drives a match that has just begun or was just taken up: what follows its first event is still to be told.
    ///
    /// # Errors
    /// If one of its bots does not exist.
    pub fn of(game: Match, clock: Arc<dyn Clock>) -> Result<Self, DriveError> {
        let bots = Bots::new(&game)?;
        let time = TimeLine::new(clock, game.last_time());
        Ok(Self { told: Told::of(&game), game, bots, time })
    }

    /// What the bot that thinks knows so far, or has thought of its last move.
    pub fn live(&self) -> Option<&Thought<String>> {
        self.bots.live.as_ref()
    }

    /// The least time from one move of a bot to the next.
    pub fn pace(&self) -> Duration {
        self.bots.pace
    }

    /// Sets the least time from one move of a bot to the next.
    pub fn set_pace(&mut self, pace: Duration) {
        self.bots.pace = pace;
    }

    /// Whether bots wait.
    pub fn is_paused(&self) -> bool {
        self.bots.pause.is_some()
    }

    /// Has bots wait, or go on.
    pub fn set_paused(&mut self, paused: bool) {
        self.bots.pause = paused.then_some(0);
        self.set_clocks();
    }

    /// Lets a bot make one move and then has all of them wait.
    pub fn step(&mut self) {
        self.bots.pause = Some(1);
        self.set_clocks();
    }

    /// What has happened that was not told yet, without letting anything more happen.
    pub fn untold(&mut self) -> Option<Event> {
        self.told.next(&self.game)
    }

    /// Has the bot that thinks answer at once.
    pub fn hurry(&mut self) {
        self.bots.hurry();
    }

    /// Stops or starts the match's clocks as its bots wait or go on.
    fn set_clocks(&mut self) {
        if let Some(action) = self.bots.clock_action(&self.game) {
            // It fits the state of the match, so it is not refused.
            let _ = self.game.apply(action, self.time.now());
        }
    }

    /// The same game from its beginning, with the same players and other luck.
    pub fn again(&self, seed: u64) -> NewGame {
        let game = &self.game;
        let start = game.session().start_position();
        let before = match game.log() {
            [Event::Started(started), ..] => started.setup.seats.as_slice(),
            _ => game.seats(),
        };
        // Where somebody has left the game and a bot plays on, the one who left sits again.
        let seat = |index: usize| {
            let seats = if game.has_forfeited(Player(index as u8)) { before } else { game.seats() };
            seats[index].clone()
        };
        let setup = Setup {
            position: Some(start),
            seats: (0..game.seats().len()).map(seat).collect(),
            policy: game.policy().clone(),
            ..Setup::default()
        };
        NewGame { rules: Arc::clone(game.rules()), setup, seed }
    }
}

impl Driver for GameDriver {
    fn game(&self) -> &Match {
        &self.game
    }

    fn now(&self) -> Millis {
        self.time.now()
    }

    fn act(&mut self, action: Action) -> Result<(), Refusal> {
        let (interrupts, replaced) = match &action {
            Action::ReplaceSeat(seat, _) => (true, Some(*seat)),
            Action::RequestTakeBack(..) | Action::Resign(_) => (true, None),
            _ => (false, None),
        };
        self.game.apply(action, self.time.now())?;
        if interrupts {
            self.bots.silence();
        }
        if let Some(seat) = replaced {
            self.bots.dismiss(seat);
        }
        self.set_clocks();
        Ok(())
    }

    fn advance(&mut self, patience: Duration) -> Option<Happening> {
        self.set_clocks();
        if let Some(event) = self.untold() {
            return Some(Happening::Event(event));
        }
        match self.bots.next(&self.game, &self.time, patience)? {
            Initiative::Thought => Some(Happening::Thought),
            Initiative::Failed(seat) => Some(Happening::Failed(seat)),
            Initiative::Act(action) => {
                let mover = self.game.to_move();
                match (self.act(action), mover) {
                    // Only what a bot has chosen can be refused.
                    (Err(refusal), Some(seat)) => {
                        self.bots.fail(seat, refusal.to_string());
                        Some(Happening::Failed(seat))
                    }
                    _ => self.untold().map(Happening::Event),
                }
            }
        }
    }

    fn told(&self) -> Box<dyn Session> {
        self.told.session(&self.game)
    }

    fn events(&self) -> usize {
        self.game.log().len()
    }

    fn moves_made(&self) -> usize {
        self.game.moves_made()
    }

    fn record(&self) -> Record {
        dated(Record::of(&self.game))
    }

    fn failure(&self) -> Option<(Player, &str)> {
        self.bots.failure.as_ref().map(|(seat, reason)| (*seat, reason.as_str()))
    }

    fn retry(&mut self) {
        self.bots.retry();
        self.set_clocks();
    }
}
