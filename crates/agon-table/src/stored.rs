//! Matches as tables start, store and rebuild them.

use std::sync::Arc;

use agon_erased::{Games, Rules};
use agon_match::{
    BoardOrder, Event, Goal, LogEvent, Match, MatchSetup, Millis, ReplayError, Setup, StartError,
};
use agon_protocol::web::TableMode;

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

/// Starts what a table of this mode plays, a setup for every board.
///
/// # Errors
/// If a setup does not hold.
pub fn start(
    rules: Arc<dyn Rules>,
    mode: TableMode,
    goal: Goal,
    boards: Vec<Setup>,
    seed: u64,
) -> Result<Match, StartError> {
    if mode != TableMode::Single && boards.len() < 2 {
        return Err(StartError::Boards("a race has 2 to 6 boards".to_owned()));
    }
    let order = match mode {
        TableMode::Single | TableMode::Race => BoardOrder::Together,
        TableMode::InTurn => BoardOrder::InTurn,
    };
    Match::start(rules, MatchSetup { boards, order, goal }, seed, Millis::ZERO)
}

/// How the boards of a match belong together.
pub fn mode(game: &Match) -> TableMode {
    match game.order() {
        _ if !game.is_race() => TableMode::Single,
        BoardOrder::Together => TableMode::Race,
        BoardOrder::InTurn => TableMode::InTurn,
    }
}

/// Rebuilds what was played, one of `games`, from its stored events.
///
/// # Errors
/// If they are not the events of a game.
pub fn replay(games: Games, events: &[String]) -> Result<Match, LogError> {
    let events = read(events)?;
    let Some(LogEvent { event: Event::Started(started), .. }) = events.first() else {
        return Err(ReplayError::NotStarted.into());
    };
    let rules = games.rules(&started.game, &started.options);
    let rules = rules.map_err(|error| LogError::Rules(error.to_string()))?;
    Ok(Match::replay(rules, &events)?)
}

/// Has a match go on as more of its stored events say, the first of which has the index `from`.
///
/// # Errors
/// If it cannot have gone on in this way.
pub fn follow(game: &mut Match, from: usize, events: &[String]) -> Result<(), LogError> {
    Ok(game.follow(from, &read(events)?)?)
}

fn read(events: &[String]) -> Result<Vec<LogEvent>, LogError> {
    let event = |(index, text): (usize, &String)| {
        LogEvent::from_json(text).map_err(|error| LogError::Malformed { index, error })
    };
    events.iter().enumerate().map(event).collect()
}
