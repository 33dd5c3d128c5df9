//! A match rebuilt from its events.

use std::borrow::Borrow;
use std::sync::Arc;

use agon_erased::Rules;

use crate::action::Refusal;
use crate::apply::MAX_EVENTS;
use crate::event::{Event, LogEvent, SCHEMA};
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
    /// The events are of a version that cannot be read.
    #[error("the events are of version {0}; only versions 1 to {SCHEMA} can be read")]
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
    /// The events may have been cut anywhere. What followed from the last action but was not kept happens again: there are then more
    /// [events](Match::events) than were given, and a driver should keep the rest.
    ///
    /// # Errors
    /// If no match of `rules` could have had these events.
    pub fn replay(rules: Arc<dyn Rules>, events: &[LogEvent]) -> Result<Self, ReplayError> {
        Self::replay_each(rules, events.iter())
    }

    /// The match as it was after so many of its events, or after the action that led to the last of them.
    ///
    /// # Errors
    /// If there are none.
    pub fn rewound(&self, events: usize) -> Result<Self, ReplayError> {
        Self::replay_each(Arc::clone(self.rules()), self.events(0).take(events))
    }

    fn replay_each(
        rules: Arc<dyn Rules>,
        mut events: impl Iterator<Item = impl Borrow<LogEvent>>,
    ) -> Result<Self, ReplayError> {
        let first = events.next();
        let Some(LogEvent { event: Event::Started(started), .. }) = first.as_ref().map(Borrow::borrow) else {
            return Err(ReplayError::NotStarted);
        };
        if started.schema != SCHEMA {
            return Err(ReplayError::Schema(started.schema));
        }
        if started.game != rules.spec().id || started.options != rules.options() {
            return Err(ReplayError::OtherRules);
        }
        let seed = started.seed.ok_or(ReplayError::HiddenSeed)?;
        let mut game = Self::start(rules, started.setup.clone(), seed, started.at)?;
        // The start itself is not compared: version 1 kept the boards of a race as they were asked for, without full clocks.
        game.follow_each(1, events)?;
        Ok(game)
    }

    /// Goes on as another match has: `events` are the events of that match from the one with the index `from` on. This match must have had
    /// all events before that; what it has had already is compared.
    ///
    /// # Errors
    /// If it could not have gone on in this way. The match is then somewhere between where it was and where it was to go.
    pub fn follow(&mut self, from: usize, events: &[LogEvent]) -> Result<(), ReplayError> {
        self.follow_each(from, events.iter())
    }

    fn follow_each(
        &mut self,
        from: usize,
        events: impl Iterator<Item = impl Borrow<LogEvent>>,
    ) -> Result<(), ReplayError> {
        if from > self.event_count() {
            return Err(ReplayError::Unexpected { index: from });
        }
        for (index, given) in (from..).zip(events) {
            let given: &LogEvent = given.borrow();
            if index > MAX_EVENTS + LAST_EVENTS {
                return Err(ReplayError::TooMany);
            }
            if index == self.event_count() {
                let LogEvent { board, event } = given;
                let action = event.cause().ok_or(ReplayError::Unexpected { index })?;
                let done = self.apply(*board, action, event.at());
                done.map_err(|refusal| ReplayError::Refused { index, refusal })?;
                // An action without an event cannot be what led to one.
                if index == self.event_count() {
                    return Err(ReplayError::Unexpected { index });
                }
            }
            if self.events(index).next().as_ref() != Some(given) {
                return Err(ReplayError::Differs { index });
            }
        }
        Ok(())
    }
}
