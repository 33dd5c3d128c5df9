//! Matches driven at this terminal, for the full screen and the dialogue on lines alike.
//!
//! A driver owns a [`Match`] or a [`Race`](agon_match::Race), lets its bots think in their threads, and moves its time along
//! with the real clock. It never waits by itself: [`GameDriver::advance`] does what can be done now and says what has come of
//! it. Rules, seats, clocks, luck and ends are the match's own.

mod bots;
mod new_game;
mod race;
mod time;

use std::sync::Arc;
use std::time::{Duration, SystemTime};

use agon_core::{Player, Turn};
use agon_match::{Action, Event, Fault, Match, Millis, Move, Refusal, Seat, Setup, TakeBackTo};
use agon_records::{Record, date_text};
use agon_registry::{Clock, Session, SystemClock, Thought};

use self::bots::{Bots, Wish};
use self::new_game::seat_people;
use self::time::TimeLine;

pub use new_game::{NewGame, StartError};
pub use race::{RaceDriver, Racer};

/// What has come of a driver's going on.
#[derive(Clone, Debug, PartialEq)]
pub enum Progress {
    /// Something has happened in the match. Every event is told once, those that a person caused too.
    Event(Event),
    /// The bot that thinks knows more.
    Thought,
    /// A bot has failed; its seat waits for a decision.
    Failed(Player),
}

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
    pub fn start(new: NewGame) -> Result<Self, StartError> {
        Self::start_by(new, Arc::new(SystemClock::default()))
    }

    /// The same, with time read from `clock`.
    ///
    /// # Errors
    /// If anything in `new` does not hold.
    pub fn start_by(new: NewGame, clock: Arc<dyn Clock>) -> Result<Self, StartError> {
        let NewGame { rules, setup, seed } = new;
        let game = Match::start(rules, setup, seed, Millis::ZERO)?;
        Self::of(game, clock)
    }

    /// Takes up a game that was interrupted; `person` sits where the only person sat.
    ///
    /// # Errors
    /// If the record does not hold, or one of its bots does not exist.
    pub fn resume(record: &Record, person: &str) -> Result<Self, StartError> {
        let game = record.to_match(Millis::ZERO, |setup| seat_people(setup, person))?;
        Self::of(game, Arc::new(SystemClock::default()))
    }

    /// Drives a match that has just begun or was just taken up: what follows its first event is still to be told.
    ///
    /// # Errors
    /// If one of its bots does not exist.
    pub fn of(game: Match, clock: Arc<dyn Clock>) -> Result<Self, StartError> {
        let bots = Bots::new(&game)?;
        let time = TimeLine::new(clock, game.last_time());
        Ok(Self { told: Told::of(&game), game, bots, time })
    }

    /// The match.
    pub fn game(&self) -> &Match {
        &self.game
    }

    /// The game as it stood after the event that was told last.
    pub fn told(&self) -> Box<dyn Session> {
        self.told.session(&self.game)
    }

    /// What the bot that thinks knows so far, or has thought of its last move.
    pub fn live(&self) -> Option<&Thought<String>> {
        self.bots.live.as_ref()
    }

    /// The seat whose bot has failed, and why.
    pub fn failure(&self) -> Option<(Player, &str)> {
        self.bots.failure.as_ref().map(|(seat, reason)| (*seat, reason.as_str()))
    }

    /// Whether the game is over, by the rules or otherwise.
    pub fn is_over(&self) -> bool {
        self.game.end().is_some()
    }

    /// The person to move, if one is.
    pub fn person_to_move(&self) -> Option<Player> {
        self.game.to_move().filter(|seat| self.game.seats()[seat.index()].is_person())
    }

    /// Whether any seat is a person's.
    pub fn has_people(&self) -> bool {
        self.game.seats().iter().any(Seat::is_person)
    }

    /// What is left on a player's clock; `None` without one.
    pub fn time_left(&self, seat: Player) -> Option<Duration> {
        self.game.time_left(seat, self.time.now()).map(Duration::from)
    }

    /// How long the player to move has been thinking.
    pub fn thinking_time(&self) -> Duration {
        self.game.thinking_time(self.time.now()).into()
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

    /// Does what can be done now, waiting for a bot no longer than `patience`.
    pub fn advance(&mut self, patience: Duration) -> Option<Progress> {
        self.set_clocks();
        if let Some(event) = self.told.next(&self.game) {
            return Some(Progress::Event(event));
        }
        match self.bots.next(&self.game, &self.time, patience)? {
            Wish::Thought => Some(Progress::Thought),
            Wish::Failed(seat) => Some(Progress::Failed(seat)),
            Wish::Act(action) => {
                let mover = self.game.to_move();
                match (self.act(action), mover) {
                    // Only a bot can be refused what it has chosen by itself.
                    (Err(refusal), Some(seat)) => {
                        self.bots.fail(seat, refusal.to_string());
                        Some(Progress::Failed(seat))
                    }
                    _ => self.told.next(&self.game).map(Progress::Event),
                }
            }
        }
    }

    /// What has happened that was not told yet, without letting anything more happen.
    pub fn untold(&mut self) -> Option<Event> {
        self.told.next(&self.game)
    }

    /// Plays a person's move.
    ///
    /// # Errors
    /// If it is not a person's turn, or the move is not legal; nothing has changed then.
    pub fn play(&mut self, token: &str) -> Result<(), Refusal> {
        let seat = self.mover()?;
        self.act(Action::Move(Move::new(seat, token)))
    }

    /// Plays a person's move as people type it.
    ///
    /// # Errors
    /// As [`GameDriver::play`].
    pub fn play_typed(&mut self, text: &str) -> Result<(), Refusal> {
        let seat = self.mover()?;
        self.act(Action::Move(Move::typed(seat, text)))
    }

    fn mover(&self) -> Result<Player, Refusal> {
        let refusal = if self.is_over() { Refusal::Over } else { Refusal::NotYourTurn };
        self.person_to_move().ok_or(refusal)
    }

    /// Takes plies back until a person has a choice again, or, where only bots play, the last one.
    ///
    /// # Errors
    /// If there is no such moment.
    pub fn take_back(&mut self) -> Result<(), Refusal> {
        let request = Action::RequestTakeBack(self.regretful(), TakeBackTo::Choice);
        self.act(request)?;
        self.bots.silence();
        Ok(())
    }

    /// Who asks for moves to be taken back: the person who has just resigned, or any other one.
    fn regretful(&self) -> Player {
        let is_person = |seat: &Player| self.game.seats()[seat.index()].is_person();
        let resigned = self.game.forfeits().filter(|forfeit| forfeit.reason == Fault::Resigned).last();
        let moved_since = |ply: usize| {
            let mut movers = self.game.plies().skip(ply).map(|note| note.mover);
            movers.any(|mover| matches!(mover, Turn::Player(seat) if is_person(&seat)))
        };
        let seats = (0..self.game.seats().len() as u8).map(Player);
        resigned
            .filter(|forfeit| !moved_since(forfeit.ply))
            .map(|forfeit| forfeit.seat)
            .or_else(|| seats.filter(is_person).next())
            .unwrap_or(Player(0))
    }

    /// Has the bot that thinks answer at once.
    pub fn hurry(&mut self) {
        self.bots.hurry();
    }

    /// A player gives up.
    ///
    /// # Errors
    /// If the game is over or the player has left it already.
    pub fn resign(&mut self, seat: Player) -> Result<(), Refusal> {
        self.act(Action::Resign(seat))?;
        self.bots.silence();
        Ok(())
    }

    /// Has a bot that failed built anew.
    pub fn retry(&mut self) {
        self.bots.retry();
        self.set_clocks();
    }

    /// Puts a person on the seat of a bot, one that failed for example.
    ///
    /// # Errors
    /// If the game is over.
    pub fn take_over(&mut self, seat: Player, person: &str) -> Result<(), Refusal> {
        self.act(Action::ReplaceSeat(seat, Seat::person(person)))?;
        self.bots.silence();
        self.bots.dismiss(seat);
        self.set_clocks();
        Ok(())
    }

    fn act(&mut self, action: Action) -> Result<(), Refusal> {
        self.game.apply(action, self.time.now())?;
        self.set_clocks();
        Ok(())
    }

    /// Stops or starts the match's clocks as its bots wait or go on.
    fn set_clocks(&mut self) {
        if let Some(action) = self.bots.clock_action(&self.game) {
            // It fits the state of the match, so it is not refused.
            let _ = self.game.apply(action, self.time.now());
        }
    }

    /// The record of the game as it stands.
    pub fn record(&self) -> Record {
        dated(Record::of(&self.game))
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

/// The record with the present date.
fn dated(record: Record) -> Record {
    Record { date: Some(date_text(SystemTime::now())), ..record }
}

/// How much of a match's log has been told.
struct Told {
    events: usize,
    /// How many plies had been played by then.
    plies: usize,
}

impl Told {
    /// Only how `game` began.
    fn of(game: &Match) -> Self {
        let plies = match game.log() {
            [Event::Started(started), ..] => started.setup.moves.len(),
            _ => 0,
        };
        Self { events: 1, plies }
    }

    fn next(&mut self, game: &Match) -> Option<Event> {
        let event = game.log().get(self.events)?.clone();
        self.events += 1;
        match &event {
            Event::Played(_) => self.plies += 1,
            Event::TakenBack { to, .. } => self.plies = *to,
            _ => {}
        }
        Some(event)
    }

    /// The game as it stood after the last event that was told.
    fn session(&self, game: &Match) -> Box<dyn Session> {
        let mut session = game.session().fork();
        while session.len() > self.plies && session.undo() {}
        session
    }
}
