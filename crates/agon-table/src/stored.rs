//! Matches as tables start, store and rebuild them.

use std::sync::Arc;

use agon_erased::{Games, Rules};
use agon_match::{
    BoardOrder, Event, Goal, LogEvent, Match, MatchSetup, Millis, ReplayError, Setup, StartError,
};
use agon_protocol::web::TableMode;

use crate::view::stored_text;

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

/// The stored events of a match that change when the names of some players are taken out of them, by their indices. `names` are those
/// players' seats, counted over all boards, and names.
///
/// # Errors
/// If an event cannot be read.
pub fn without_names(events: &[String], names: &[(usize, String)]) -> Result<Vec<(usize, String)>, LogError> {
    let mut is_race = false;
    let mut changed = Vec::new();
    for (index, mut entry) in read(events)?.into_iter().enumerate() {
        let takes_out = |seat: usize, name: &mut String| {
            let is_theirs = names.iter().any(|(other, theirs)| *other == seat && theirs == name);
            if is_theirs {
                name.clear();
            }
            is_theirs
        };
        let is_changed = match &mut entry.event {
            Event::Started(started) => {
                let boards = &mut started.setup.boards;
                is_race = boards.len() > 1;
                let seats = boards.iter_mut().flat_map(|board| &mut board.seats).enumerate();
                seats.map(|(seat, by)| takes_out(seat, &mut by.name)).fold(false, |one, other| one | other)
            }
            Event::SeatChanged { seat, by, .. } => {
                takes_out(if is_race { entry.board } else { seat.index() }, &mut by.name)
            }
            // Boards of a race once repeated its names.
            Event::Opened { .. } => stored_text(&entry) != events[index],
            _ => false,
        };
        if is_changed {
            changed.push((index, stored_text(&entry)));
        }
    }
    Ok(changed)
}

fn read(events: &[String]) -> Result<Vec<LogEvent>, LogError> {
    let event = |(index, text): (usize, &String)| {
        LogEvent::from_json(text).map_err(|error| LogError::Malformed { index, error })
    };
    events.iter().enumerate().map(event).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_goes_from_races_of_version_1_too() {
        let events = include_str!("../../agon-match/tests/fixtures/version-1/race-together.jsonl");
        let mut events: Vec<String> = events.lines().map(str::to_owned).collect();
        let holding = |events: &[String]| events.iter().filter(|event| event.contains("\"Ada\"")).count();
        assert_eq!(holding(&events), 2, "she is named by the race and by her board");
        let games = agon_registry::GAMES;
        let before = replay(games, &events).expect("a race");
        for (index, body) in without_names(&events, &[(1, "Ada".to_owned())]).expect("they can be read") {
            events[index] = body;
        }
        assert_eq!(holding(&events), 0);
        let after = replay(games, &events).expect("still a race");
        assert_eq!(after.event_count(), before.event_count());
    }
}
