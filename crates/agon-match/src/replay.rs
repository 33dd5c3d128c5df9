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
        if started.schema != SCHEMA {
            return Err(ReplayError::Schema(started.schema));
        }
        if started.game != rules.spec().id || started.options != rules.options() {
            return Err(ReplayError::OtherRules);
        }
        let seed = started.seed.ok_or(ReplayError::HiddenSeed)?;
        let mut game = Self::start(rules, started.setup.clone(), seed, started.at)?;
        game.follow(0, events)?;
        Ok(game)
    }

    /// Goes on as another match has: `events` are the events of that match from the one with the index `from` on. This match must have had
    /// all events before that; what it has had already is compared.
    ///
    /// # Errors
    /// If it could not have gone on in this way. The match is then somewhere between where it was and where it was to go.
    pub fn follow(&mut self, from: usize, events: &[Event]) -> Result<(), ReplayError> {
        if from.saturating_add(events.len()) > MAX_EVENTS + LAST_EVENTS {
            return Err(ReplayError::TooMany);
        }
        follow(
            self,
            from,
            events,
            |game| &game.log,
            |game, event| {
                let action = event.cause()?;
                Some(game.apply(action, event.at()).map(|_| ()))
            },
        )
    }
}

/// Has `game`, whose events are `log`, go on as `events` say, the first of which has the index `from`. `act` does what led to an event, unless
/// nothing that is done leads to such an event.
pub(crate) fn follow<G, E: PartialEq>(
    game: &mut G,
    from: usize,
    events: &[E],
    log: impl Fn(&G) -> &[E],
    act: impl Fn(&mut G, &E) -> Option<Result<(), Refusal>>,
) -> Result<(), ReplayError> {
    let mut checked = 0;
    loop {
        let happened = log(game).get(from..).ok_or(ReplayError::Unexpected { index: from })?;
        let differs = happened.iter().zip(events).skip(checked).position(|(event, given)| event != given);
        if let Some(index) = differs {
            return Err(ReplayError::Differs { index: from + checked + index });
        }
        checked = happened.len();
        let Some(event) = events.get(checked) else { return Ok(()) };
        let index = from + checked;
        let done = act(game, event).ok_or(ReplayError::Unexpected { index })?;
        done.map_err(|refusal| ReplayError::Refused { index, refusal })?;
        // An action without an event cannot be what led to one.
        if log(game).len() == index {
            return Err(ReplayError::Unexpected { index });
        }
    }
}
