//! What is played at a table: one match, or a race of several boards, behind one face.

use std::sync::Arc;

use agon_core::Player;
use agon_erased::{Games, Rules};
use agon_match::StartError;
use agon_match::{
    Action, Event, Match, Millis, Race, RaceEvent, RaceGoal, RaceOrder, RaceTerms, Refusal, ReplayError,
    Setup, TimeControl,
};
use agon_protocol::web::TableMode;
use agon_records::Record;
use serde::Serialize;

/// What is played at a table.
#[derive(Debug)]
pub enum Play {
    /// One board.
    Single(Box<Match>),
    /// Several boards with the same luck.
    Race(Race),
}

/// An event as it is stored.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum LogEvent<'a> {
    /// Of a match.
    Single(&'a Event),
    /// Of a race.
    Race(&'a RaceEvent),
}

impl<'a> LogEvent<'a> {
    fn event(self) -> Option<&'a Event> {
        match self {
            Self::Single(event) | Self::Race(RaceEvent::Board { event, .. }) => Some(event),
            Self::Race(RaceEvent::Started { .. }) => None,
        }
    }

    /// Whether somebody else plays a seat now.
    pub fn changes_seats(self) -> bool {
        matches!(self.event(), Some(Event::SeatChanged { .. } | Event::Forfeited { .. }))
    }

    /// Whether nothing has come before it.
    pub fn is_start(self) -> bool {
        matches!(self, Self::Race(RaceEvent::Started { .. }))
            || matches!(self.event(), Some(Event::Started(_)))
    }

    /// Whether somebody moved, or chance drew.
    pub fn is_ply(self) -> bool {
        matches!(self.event(), Some(Event::Played(_)))
    }

    /// How many plies are left, if some were taken back.
    pub fn taken_back_to(self) -> Option<usize> {
        match self.event() {
            Some(Event::TakenBack { to, .. }) => Some(*to),
            _ => None,
        }
    }
}

/// Stored events from which no game can be rebuilt.
#[derive(Debug, thiserror::Error)]
pub enum LogError {
    /// An event cannot be read.
    #[error("event {index}: {error}")]
    Malformed {
        /// Its index from 0.
        index: usize,
        /// What is wrong.
        error: serde_json::Error,
    },
    /// The events are those of no game.
    #[error(transparent)]
    Replay(#[from] ReplayError),
    /// The game or its options are not known.
    #[error("{0}")]
    Rules(String),
}

impl Play {
    /// Starts what a table of this mode plays, a setup for every board. The goal is that of a race.
    ///
    /// # Errors
    /// If a setup does not hold.
    pub fn start(
        rules: Arc<dyn Rules>,
        mode: TableMode,
        goal: RaceGoal,
        mut setups: Vec<Setup>,
        seed: u64,
    ) -> Result<Self, StartError> {
        let order = match mode {
            TableMode::Race => RaceOrder::Together,
            TableMode::InTurn => RaceOrder::InTurn,
            TableMode::Single => {
                let setup = setups.pop().unwrap_or_default();
                return Ok(Self::Single(Box::new(Match::start(rules, setup, seed, Millis::ZERO)?)));
            }
        };
        Ok(Self::Race(Race::start(rules, setups, RaceTerms { order, goal }, seed, Millis::ZERO)?))
    }

    /// Rebuilds what was played, one of `games`, from its stored events.
    ///
    /// # Errors
    /// If they are not the events of a game.
    pub fn replay(games: Games, mode: TableMode, events: &[String]) -> Result<Self, LogError> {
        Ok(match mode {
            TableMode::Single => {
                let events: Vec<Event> = read(events)?;
                let Some(Event::Started(started)) = events.first() else {
                    return Err(ReplayError::NotStarted.into());
                };
                let rules = rules(games, &started.game, &started.options)?;
                Self::Single(Box::new(Match::replay(rules, &events)?))
            }
            TableMode::Race | TableMode::InTurn => {
                let events: Vec<RaceEvent> = read(events)?;
                let Some(RaceEvent::Started { game, options, .. }) = events.first() else {
                    return Err(ReplayError::NotStarted.into());
                };
                let rules = rules(games, game, options)?;
                Self::Race(Race::replay(rules, &events)?)
            }
        })
    }

    /// How the boards belong together in a game whose first event is this one.
    pub fn mode_of(first: &str) -> TableMode {
        // Only races have boards.
        if serde_json::from_str::<RaceEvent>(first).is_ok() { TableMode::Race } else { TableMode::Single }
    }

    /// Goes on as more events of the same game say, the first of which has the index `from`.
    ///
    /// # Errors
    /// If the game cannot have gone on in this way.
    pub fn follow(&mut self, from: usize, events: &[String]) -> Result<(), LogError> {
        match self {
            Self::Single(game) => game.follow(from, &read::<Event>(events)?)?,
            Self::Race(race) => race.follow(from, &read::<RaceEvent>(events)?)?,
        }
        Ok(())
    }

    /// The same as it was after so many events.
    ///
    /// # Errors
    /// If it did not stand so after any action.
    pub fn cut(&self, events: usize) -> Result<Self, ReplayError> {
        let rules = Arc::clone(self.rules());
        Ok(match self {
            Self::Single(game) => Self::Single(Box::new(Match::replay(rules, &game.log()[..events])?)),
            Self::Race(race) => Self::Race(Race::replay(rules, &race.log()[..events])?),
        })
    }

    /// How the boards belong together.
    pub fn mode(&self) -> TableMode {
        match self {
            Self::Single(_) => TableMode::Single,
            Self::Race(race) if race.order() == RaceOrder::Together => TableMode::Race,
            Self::Race(_) => TableMode::InTurn,
        }
    }

    /// The boards.
    pub fn boards(&self) -> &[Match] {
        match self {
            Self::Single(game) => std::slice::from_ref(game),
            Self::Race(race) => race.boards(),
        }
    }

    /// The rules, which all boards share.
    pub fn rules(&self) -> &Arc<dyn Rules> {
        self.boards()[0].rules()
    }

    /// The board and the player of a seat. In a race every board has one seat.
    pub fn place(&self, seat: usize) -> Option<(usize, Player)> {
        let is_there = |board: usize, player: usize| {
            self.boards().get(board).is_some_and(|game| player < game.seats().len())
        };
        let (board, player) = match self {
            Self::Single(_) => (0, seat),
            Self::Race(_) => (seat, 0),
        };
        is_there(board, player).then_some((board, Player(player as u8)))
    }

    /// The seat of a player on a board.
    pub fn seat(&self, board: usize, player: Player) -> usize {
        match self {
            Self::Single(_) => player.index(),
            Self::Race(_) => board,
        }
    }

    /// Whether anybody has a clock.
    pub fn has_clock(&self) -> bool {
        let time = &self.boards()[0].policy().time;
        time.controls.iter().any(|control| *control != TimeControl::None)
    }

    /// When a race ends, wherever its boards stand; `None` if no such moment was set.
    pub fn race_ends(&self) -> Option<Millis> {
        match self {
            Self::Single(_) => None,
            Self::Race(race) => race.deadline().filter(|_| !race.is_over()),
        }
    }

    /// How many events there are.
    pub fn event_count(&self) -> usize {
        match self {
            Self::Single(game) => game.log().len(),
            Self::Race(race) => race.log().len(),
        }
    }

    /// The events from the one with this index on, and the board that each belongs to.
    pub fn events_since(&self, index: usize) -> Vec<(usize, LogEvent<'_>)> {
        match self {
            Self::Single(game) => {
                game.log()[index..].iter().map(|event| (0, LogEvent::Single(event))).collect()
            }
            Self::Race(race) => {
                let board = |event: &RaceEvent| match event {
                    RaceEvent::Started { .. } => 0,
                    RaceEvent::Board { board, .. } => *board,
                };
                race.log()[index..].iter().map(|event| (board(event), LogEvent::Race(event))).collect()
            }
        }
    }

    /// The moment of the last event.
    pub fn last_time(&self) -> Millis {
        match self {
            Self::Single(game) => game.last_time(),
            Self::Race(race) => race.last_time(),
        }
    }

    /// Does what `action` says on a board.
    ///
    /// # Errors
    /// Why not; nothing has changed then.
    pub fn apply(&mut self, board: usize, action: Action, now: Millis) -> Result<(), Refusal> {
        match self {
            Self::Single(game) if board == 0 => game.apply(action, now).map(|_| ()),
            Self::Single(_) => Err(Refusal::NoSeat),
            Self::Race(race) => race.apply(board, action, now).map(|_| ()),
        }
    }

    /// Whether everything is over.
    pub fn is_over(&self) -> bool {
        self.boards().iter().all(|board| board.end().is_some())
    }

    /// Whether a board waits for those before it.
    pub fn waits(&self, board: usize) -> bool {
        matches!(self, Self::Race(race) if race.is_waiting(board))
    }

    /// The seats from first place to last, those that share a place together; empty while anything goes on. Where a person and bots
    /// have raced to the same points the bots are ahead, as in the game that the race comes from.
    pub fn ranking(&self) -> Vec<Vec<usize>> {
        if !self.is_over() {
            return Vec::new();
        }
        match self {
            Self::Single(game) => game
                .ranking()
                .into_iter()
                .map(|place| place.iter().map(|seat| seat.index()).collect())
                .collect(),
            Self::Race(race) => race
                .ranking()
                .into_iter()
                .flat_map(|place| {
                    let is_person = |board: &usize| race.boards()[*board].seats()[0].is_person();
                    let (people, bots): (Vec<usize>, Vec<usize>) = place.into_iter().partition(is_person);
                    [bots, people].into_iter().filter(|place| !place.is_empty())
                })
                .collect(),
        }
    }

    /// The record of what has been played.
    pub fn record(&self) -> Record {
        match self {
            Self::Single(game) => Record::of(game),
            Self::Race(race) => Record::of_race(race),
        }
    }

    /// Whether the last event ended a board: such an event must survive a failure of power.
    pub fn has_just_ended(&self, since: usize) -> bool {
        let is_end = |event: &Event| matches!(event, Event::Ended { .. });
        match self {
            Self::Single(game) => game.log()[since..].iter().any(is_end),
            Self::Race(race) => race.log()[since..]
                .iter()
                .any(|event| matches!(event, RaceEvent::Board { event, .. } if is_end(event))),
        }
    }
}

fn read<T: for<'a> serde::Deserialize<'a>>(events: &[String]) -> Result<Vec<T>, LogError> {
    let event = |(index, text): (usize, &String)| {
        serde_json::from_str(text).map_err(|error| LogError::Malformed { index, error })
    };
    events.iter().enumerate().map(event).collect()
}

fn rules(games: Games, game: &str, options: &str) -> Result<Arc<dyn Rules>, LogError> {
    games.rules(game, options).map_err(|error| LogError::Rules(error.to_string()))
}
