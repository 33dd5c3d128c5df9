//! A person and a bot at the same game of one, with the same luck.

use std::sync::Arc;
use std::time::Duration;

use agon_core::Player;
use agon_erased::{Clock, Games, Session, SystemClock};
use agon_match::{Action, Match, Millis, Occupant, Race, RaceOrder, Refusal, Seat, Setup, StartError};
use agon_records::Record;

use super::bots::{Bots, Initiative, attend};
use super::new_game::seat_again;
use super::time::TimeLine;
use super::{DriveError, Driver, Happening, NewGame, Told, dated};

/// Who plays a board of a race.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Racer {
    /// The person.
    Person,
    /// The bot. Where one plays after the other, it begins.
    Rival,
}

impl Racer {
    /// The board in a race of such an order.
    fn board(self, order: RaceOrder) -> usize {
        usize::from((self == Self::Person) == (order == RaceOrder::InTurn))
    }
}

/// A race in real time.
pub struct RaceDriver {
    race: Race,
    bots: Bots,
    time: TimeLine,
    told: [Told; 2],
    /// Whether the bot plays on without waiting for the person.
    is_skipping: bool,
}

impl RaceDriver {
    /// Starts a race of the person of `new` against `rival`.
    ///
    /// # Errors
    /// If anything does not hold, or the game is not one for a single player.
    pub fn start(new: NewGame, rival: Occupant, order: RaceOrder) -> Result<Self, DriveError> {
        let NewGame { rules, setup, seed } = new;
        let mut setups = vec![Setup { seats: vec![Seat::of(rival)], ..setup.clone() }];
        setups.insert(Racer::Person.board(order), setup);
        let race = Race::start(rules, setups, order, seed, Millis::ZERO)?;
        Self::of(race, Arc::new(SystemClock::default()))
    }

    /// Resumes an interrupted race; `None` if the record is not one of a race. `person` plays the person's board.
    ///
    /// # Errors
    /// If it cannot be resumed.
    pub fn resume(games: Games, record: &Record, person: &str) -> Option<Result<Self, DriveError>> {
        let race = record.to_race(games, Millis::ZERO, |setup| seat_again(setup, person))?;
        Some(race.map_err(Into::into).and_then(|race| Self::of(race, Arc::new(SystemClock::default()))))
    }

    /// Drives a race of two that has just begun or was just resumed.
    ///
    /// # Errors
    /// If there are more boards, or the bot does not exist.
    pub fn of(race: Race, clock: Arc<dyn Clock>) -> Result<Self, DriveError> {
        let [one, other] = race.boards() else {
            return Err(StartError::Race("expected a race of one person and one bot".to_owned()).into());
        };
        let told = [one, other].map(Told::of);
        let rival = &race.boards()[Racer::Rival.board(race.order())];
        if rival.seats().iter().any(Seat::is_person) {
            return Err(StartError::Race("a race is against a bot".to_owned()).into());
        }
        let bots = Bots::new(rival)?;
        let time = TimeLine::new(clock, race.last_time());
        Ok(Self { race, bots, time, told, is_skipping: false })
    }

    /// The race.
    pub fn race(&self) -> &Race {
        &self.race
    }

    /// A board.
    pub fn board(&self, racer: Racer) -> &Match {
        &self.race.boards()[racer.board(self.race.order())]
    }

    /// What somebody is called.
    pub fn name(&self, racer: Racer) -> &str {
        &self.board(racer).seats()[0].name
    }

    /// Somebody's points.
    pub fn score(&self, racer: Racer) -> u64 {
        self.board(racer).standing().map_or(0, |standing| standing.score)
    }

    /// Somebody's place in the ranking, 0 for the first.
    pub fn place(&self, racer: Racer) -> usize {
        let board = racer.board(self.race.order());
        self.race.ranking().iter().position(|place| place.contains(&board)).unwrap_or_default()
    }

    /// Whether the person is ahead, or has won: only with more points, for a tie goes to the computer.
    pub fn is_person_ahead(&self) -> bool {
        self.place(Racer::Person) < self.place(Racer::Rival)
    }

    /// Whether somebody's game is over.
    pub fn is_done(&self, racer: Racer) -> bool {
        self.board(racer).end().is_some()
    }

    /// Whether it is the person's time to play.
    pub fn lets_play(&self) -> bool {
        !self.race.is_waiting(Racer::Person.board(self.race.order()))
    }

    /// Whether the bot is to move: side by side it makes a move for each of the person's.
    pub fn is_rivals_turn(&self) -> bool {
        let moves = |racer: Racer| self.board(racer).moves_made();
        let may_go_on = self.is_skipping
            || self.race.order() == RaceOrder::InTurn
            || self.is_done(Racer::Person)
            || moves(Racer::Rival) < moves(Racer::Person);
        may_go_on && !self.is_done(Racer::Rival)
    }

    /// Sets the least time from one move of the bot to the next.
    pub fn set_pace(&mut self, pace: Duration) {
        self.bots.pace = pace;
    }

    /// Has the bot play to the end of its game as fast as it can.
    pub fn skip(&mut self) {
        self.is_skipping = true;
        self.bots.pace = Duration::ZERO;
    }

    /// Whether nobody waits to see the bot's moves.
    pub fn is_hurried(&self) -> bool {
        self.bots.pace.is_zero() && (self.is_skipping || self.is_done(Racer::Person))
    }

    /// Lets go on what can go on by itself on a board, waiting for the bot no longer than `patience`.
    pub fn advance_board(&mut self, racer: Racer, patience: Duration) -> Option<Happening> {
        let index = racer.board(self.race.order());
        let board = &self.race.boards()[index];
        if let Some(event) = self.told[index].next(board) {
            return Some(Happening::Event(event));
        }
        let wish = match racer {
            Racer::Person => attend(board, self.time.now(), Duration::ZERO).map(Initiative::Act)?,
            Racer::Rival if board.end().is_some() || self.is_rivals_turn() => {
                self.bots.next(board, &self.time, patience)?
            }
            Racer::Rival => return None,
        };
        match wish {
            Initiative::Thought => Some(Happening::Thought),
            Initiative::Failed(seat) => Some(Happening::Failed(seat)),
            Initiative::Act(action) => match self.race.apply(index, action, self.time.now()) {
                Ok(_) => self.told[index].next(&self.race.boards()[index]).map(Happening::Event),
                Err(refusal) => {
                    self.bots.fail(Player(0), refusal.to_string());
                    Some(Happening::Failed(Player(0)))
                }
            },
        }
    }

    /// The game on a board as it stood after the event that was told last.
    pub fn told_on(&self, racer: Racer) -> Box<dyn Session> {
        self.told[racer.board(self.race.order())].session(self.board(racer))
    }

    /// The same race from its beginning, with other luck.
    ///
    /// # Errors
    /// If the bot cannot be started again.
    pub fn again(&self, seed: u64) -> Result<Self, DriveError> {
        let person = self.board(Racer::Person);
        let setup = Setup {
            position: Some(person.session().start_position()),
            seats: person.seats().to_vec(),
            policy: person.policy().clone(),
            ..Setup::default()
        };
        let new = NewGame { rules: Arc::clone(person.rules()), setup, seed };
        let rival = self.board(Racer::Rival).seats()[0].occupant.clone();
        let mut race = Self::start(new, rival, self.race.order())?;
        race.set_pace(self.bots.pace);
        Ok(race)
    }
}

impl Driver for RaceDriver {
    fn game(&self) -> &Match {
        self.board(Racer::Person)
    }

    fn now(&self) -> Millis {
        self.time.now()
    }

    fn act(&mut self, action: Action) -> Result<(), Refusal> {
        let board = Racer::Person.board(self.race.order());
        self.race.apply(board, action, self.time.now()).map(|_| ())
    }

    fn advance(&mut self, patience: Duration) -> Option<Happening> {
        self.advance_board(Racer::Person, patience)
    }

    fn told(&self) -> Box<dyn Session> {
        self.told_on(Racer::Person)
    }

    fn events(&self) -> usize {
        self.race.log().len()
    }

    fn moves_made(&self) -> usize {
        self.race.boards().iter().map(Match::moves_made).sum()
    }

    fn record(&self) -> Record {
        dated(Record::of_race(&self.race))
    }

    fn failure(&self) -> Option<(Player, &str)> {
        self.bots.failure.as_ref().map(|(seat, reason)| (*seat, reason.as_str()))
    }

    fn retry(&mut self) {
        self.bots.retry();
    }

    fn restart(&mut self, seed: u64) -> Result<(), DriveError> {
        *self = self.again(seed)?;
        Ok(())
    }

    fn as_race(&mut self) -> Option<&mut RaceDriver> {
        Some(self)
    }
}
