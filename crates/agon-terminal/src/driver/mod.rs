//! Matches driven at this terminal, for the full screen and the dialogue on lines alike.
//!
//! A [`Driver`] owns a [`Match`] or a [`Race`](agon_match::Race), lets its bots think in their threads, and moves its time along
//! with the real clock. It never waits by itself: [`Driver::advance`] does what can be done now and says what has come of it.
//! Rules, seats, clocks, luck and ends are the match's own.

mod bots;
mod game;
mod new_game;
mod race;
mod seat_plans;
mod time;

use std::time::{Duration, SystemTime};

use agon_core::{Player, Turn};
use agon_erased::Session;
use agon_match::{Action, Event, Fault, Match, Millis, Move, Refusal, Seat, TakeBackTo};
use agon_records::{Record, date_text};

pub use game::GameDriver;
pub(crate) use new_game::FIRST_OPPONENT;
pub use new_game::{DriveError, NewGame, read_player, seed_from_clock};
pub use race::{RaceDriver, Racer};
pub use seat_plans::{SeatPlan, seat_plans};

/// Something that a driver tells.
#[derive(Clone, Debug, PartialEq)]
pub enum Happening {
    /// Something has happened in the match. Every event is told once, those that a person caused too.
    Event(Event),
    /// The bot that is thinking has found out more.
    Thought,
    /// A bot has failed; its seat waits for a decision.
    Failed(Player),
}

/// Whatever drives a match that people at this terminal play or watch.
pub trait Driver {
    /// The match; of a race, the person's board.
    fn game(&self) -> &Match;

    /// The present moment of the match.
    fn now(&self) -> Millis;

    /// Does something in the match.
    ///
    /// # Errors
    /// If that is impossible; nothing has changed then.
    fn act(&mut self, action: Action) -> Result<(), Refusal>;

    /// Does what can be done now, waiting for a bot no longer than `patience`.
    fn advance(&mut self, patience: Duration) -> Option<Happening>;

    /// The game as it stood after the event that was told last.
    fn told(&self) -> Box<dyn Session>;

    /// How many events there have been, on all boards.
    fn events(&self) -> usize;

    /// How many moves players have made, on all boards.
    fn moves_made(&self) -> usize;

    /// The record from which the game or the race can be resumed.
    fn record(&self) -> Record;

    /// The seat whose bot has failed, and why.
    fn failure(&self) -> Option<(Player, &str)>;

    /// Rebuilds a bot that failed.
    fn retry(&mut self);

    /// Starts again with the same players and other luck.
    ///
    /// # Errors
    /// If a bot cannot be started again; the game is as it was then.
    fn restart(&mut self, seed: u64) -> Result<(), DriveError>;

    /// The game, if this is no race.
    fn as_game(&mut self) -> Option<&mut GameDriver> {
        None
    }

    /// The race, if this is one.
    fn as_race(&mut self) -> Option<&mut RaceDriver> {
        None
    }

    /// Whether the game is over, by the rules or otherwise.
    fn is_over(&self) -> bool {
        self.game().end().is_some()
    }

    /// The person to move, if one is.
    fn person_to_move(&self) -> Option<Player> {
        self.game().to_move().filter(|seat| self.game().seats()[seat.index()].is_person())
    }

    /// Whether any seat is a person's.
    fn has_people(&self) -> bool {
        self.game().seats().iter().any(Seat::is_person)
    }

    /// What is left on a player's clock; `None` without one.
    fn time_left(&self, seat: Player) -> Option<Duration> {
        self.game().time_left(seat, self.now()).map(Duration::from)
    }

    /// How long the player to move has been thinking.
    fn thinking_time(&self) -> Duration {
        self.game().thinking_time(self.now()).into()
    }

    /// Plays a person's move.
    ///
    /// # Errors
    /// If it is not a person's turn, or the move is not legal; nothing has changed then.
    fn play(&mut self, token: &str) -> Result<(), Refusal> {
        let seat = mover(self.person_to_move(), self.game())?;
        self.act(Action::Move(Move::new(seat, token)))
    }

    /// Plays a person's move as people type it.
    ///
    /// # Errors
    /// As [`Driver::play`].
    fn play_typed(&mut self, text: &str) -> Result<(), Refusal> {
        let seat = mover(self.person_to_move(), self.game())?;
        self.act(Action::Move(Move::typed(seat, text)))
    }

    /// Takes plies back until a person has a choice again, or, where only bots play, the last one.
    ///
    /// # Errors
    /// If there is no such moment.
    fn take_back(&mut self) -> Result<(), Refusal> {
        self.act(Action::RequestTakeBack(regretful(self.game()), TakeBackTo::Choice))
    }

    /// Puts a person on the seat of a bot, one that failed for example.
    ///
    /// # Errors
    /// If the game is over.
    fn take_over(&mut self, seat: Player, person: &str) -> Result<(), Refusal> {
        self.act(Action::ReplaceSeat(seat, Seat::person(person)))
    }
}

/// The person who is to move, or why nobody can.
fn mover(person: Option<Player>, game: &Match) -> Result<Player, Refusal> {
    person.ok_or(if game.end().is_some() { Refusal::Over } else { Refusal::NotYourTurn })
}

/// Who asks for moves to be taken back: the person who has just resigned, or any other one.
fn regretful(game: &Match) -> Player {
    let is_person = |seat: &Player| game.seats()[seat.index()].is_person();
    let moved_since = |ply: usize| {
        let mut movers = game.plies().skip(ply).map(|note| note.mover);
        movers.any(|mover| matches!(mover, Turn::Player(seat) if is_person(&seat)))
    };
    let resigned = game.forfeits().filter(|forfeit| forfeit.reason == Fault::Resigned).last();
    let resigned = resigned.filter(|forfeit| !moved_since(forfeit.ply)).map(|forfeit| forfeit.seat);
    let mut seats = (0..game.seats().len() as u8).map(Player);
    resigned.or_else(|| seats.find(is_person)).unwrap_or(Player(0))
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
