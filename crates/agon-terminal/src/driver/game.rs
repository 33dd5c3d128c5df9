//! A match in real time.

use std::sync::Arc;
use std::time::Duration;

use agon_core::Player;
use agon_erased::{Clock, Games, Session, SystemClock, Thought};
use agon_match::{Action, Event, Match, Millis, Occupant, Refusal, Seat, Setup};
use agon_records::Record;

use super::bots::{Bots, Initiative, forced_pass};
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

    /// Resumes an interrupted game; `person` sits where the only person sat.
    ///
    /// # Errors
    /// If the record does not hold, or one of its bots does not exist.
    pub fn resume(games: Games, record: &Record, person: &str) -> Result<Self, DriveError> {
        let game = record.to_match(games, Millis::ZERO, |setup| seat_again(setup, person))?;
        Self::of(game, Arc::new(SystemClock::default()))
    }

    /// Drives a match that has just begun or was just resumed: what follows its first event is still to be told.
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

    /// Sets how long people who can only pass are given to notice it.
    pub fn set_pass_pause(&mut self, pause: Duration) {
        self.bots.pass_pause = pause;
    }

    /// Whether the person to move can only pass, and is given time to notice it.
    pub fn awaits_pass(&self) -> bool {
        let person = self.person_to_move();
        !self.bots.pass_pause.is_zero() && person.is_some_and(|seat| forced_pass(&self.game, seat).is_some())
    }

    /// Passes at once for the person who can only pass; `false` if there is none.
    pub fn pass(&mut self) -> bool {
        let action = self.person_to_move().and_then(|seat| forced_pass(&self.game, seat));
        action.is_some_and(|action| self.act(action).is_ok())
    }

    /// Whether bots wait.
    pub fn is_paused(&self) -> bool {
        self.bots.pause.is_some()
    }

    /// Pauses the bots, or lets them go on.
    pub fn set_paused(&mut self, paused: bool) {
        self.bots.pause = paused.then_some(0);
        self.set_clocks();
    }

    /// Lets a bot make one move, then pauses all of them.
    pub fn step(&mut self) {
        self.bots.pause = Some(1);
        self.set_clocks();
    }

    /// What has happened that was not told yet, without letting anything more happen.
    pub fn untold(&mut self) -> Option<Event> {
        self.told.next(&self.game)
    }

    /// Makes the bot that is thinking answer at once.
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

    /// Changes the players; the game continues where it stands, and later games keep them.
    ///
    /// # Errors
    /// If one of the bots does not exist, or the game is over; nothing has changed then.
    pub fn reseat(&mut self, seats: Vec<Seat>) -> Result<(), DriveError> {
        for (index, seat) in seats.iter().enumerate() {
            if let Occupant::Bot(spec) = &seat.occupant {
                self.game.rules().bot(spec, self.game.bot_seed(Player(index as u8)))?;
            }
        }
        let seats = (0..).map(Player).zip(seats);
        let changed: Vec<_> =
            seats.filter(|(player, seat)| self.game.seats()[player.index()] != *seat).collect();
        for (player, seat) in changed {
            self.act(Action::ReplaceSeat(player, seat)).map_err(DriveError::Refused)?;
        }
        Ok(())
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

    fn restart(&mut self, seed: u64) -> Result<(), DriveError> {
        let game = Match::start(Arc::clone(self.game.rules()), self.again(seed).setup, seed, Millis::ZERO)?;
        let mut driver = Self::of(game, self.time.clock())?;
        (driver.bots.pace, driver.bots.pass_pause) = (self.bots.pace, self.bots.pass_pause);
        *self = driver;
        Ok(())
    }

    fn as_game(&mut self) -> Option<&mut GameDriver> {
        Some(self)
    }
}
