//! A match rebuilt from its events.

use std::sync::Arc;

use agon_erased::Rules;

use crate::action::Refusal;
use crate::apply::MAX_EVENTS;
use crate::event::{Event, SCHEMA};
use crate::model::Match;
use crate::setup::StartError;

/// The most events that can follow from one action after the log is full.
const LAST_EVENTS: usize = 16;

/// Events that no match could have had.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReplayError {
    /// The first event does not start a match.
    #[error("the first event does not start a match")]
    NotStarted,
    /// The events are of another version.
    #[error("the events are of version {0}; only {SCHEMA} is known")]
    Schema(u32),
    /// The events are of another game, or one with other options.
    #[error("the events are of another game, or one with other options")]
    OtherRules,
    /// The seed is hidden.
    #[error("the seed is hidden; a match is rebuilt from its own events, not from those that players see")]
    HiddenSeed,
    /// There are too many events.
    #[error("there are more than {MAX_EVENTS} events")]
    TooMany,
    /// The match cannot be started.
    #[error(transparent)]
    Setup(#[from] StartError),
    /// An event cannot happen by itself, or not there.
    #[error("event {index} cannot happen here")]
    Unexpected {
        /// Its index from 0.
        index: usize,
    },
    /// What led to an event would have been refused.
    #[error("event {index}: {refusal}")]
    Refused {
        /// Its index from 0.
        index: usize,
        /// Why.
        refusal: Refusal,
    },
    /// Something else would have happened.
    #[error("event {index} is not what would have happened")]
    Differs {
        /// Its index from 0.
        index: usize,
    },
}

impl Match {
    /// Rebuilds the match of these events. Every event is checked: it must be what the same action would lead to now.
    ///
    /// The events may have been cut anywhere. What followed from the last action but was not kept happens again: the
    /// [log](Match::log) is then longer than `events`, and a driver should keep the rest.
    ///
    /// # Errors
    /// If no match of `rules` could have had these events.
    pub fn replay(rules: Arc<dyn Rules>, events: &[Event]) -> Result<Self, ReplayError> {
        let Some(Event::Started(started)) = events.first() else { return Err(ReplayError::NotStarted) };
        if events.len() > MAX_EVENTS + LAST_EVENTS {
            return Err(ReplayError::TooMany);
        }
        if started.schema != SCHEMA {
            return Err(ReplayError::Schema(started.schema));
        }
        if started.game != rules.spec().id || started.options != rules.options() {
            return Err(ReplayError::OtherRules);
        }
        let seed = started.seed.ok_or(ReplayError::HiddenSeed)?;
        let mut game = Self::start(rules, started.setup.clone(), seed, started.at)?;
        let mut checked = 0;
        loop {
            checked = compare(&game.log, events, checked)?;
            let Some(event) = events.get(checked) else { return Ok(game) };
            let action = event.cause().ok_or(ReplayError::Unexpected { index: checked })?;
            game.apply(action, event.at())
                .map_err(|refusal| ReplayError::Refused { index: checked, refusal })?;
        }
    }
}

/// Compares what has happened since `checked` events with what is said to have happened, and says how much that is now.
pub(crate) fn compare<E: PartialEq>(log: &[E], events: &[E], checked: usize) -> Result<usize, ReplayError> {
    let differs = log.iter().zip(events).skip(checked).position(|(event, given)| event != given);
    if let Some(index) = differs {
        return Err(ReplayError::Differs { index: checked + index });
    }
    // An action without an event cannot be what led to one.
    if log.len() == checked { Err(ReplayError::Unexpected { index: checked }) } else { Ok(log.len()) }
}
