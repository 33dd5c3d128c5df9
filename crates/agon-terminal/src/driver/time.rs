//! The real clock as a match's time line.

use std::sync::Arc;
use std::time::Duration;

use agon_erased::Clock;
use agon_match::Millis;

/// Where a match's time comes from.
pub(super) struct TimeLine {
    clock: Arc<dyn Clock>,
    /// What the clock showed when the driver took over, and the moment of the match that it stands for.
    began: (Duration, Millis),
}

impl TimeLine {
    /// A time line that goes on from the moment `from`.
    pub(super) fn new(clock: Arc<dyn Clock>, from: Millis) -> Self {
        Self { began: (clock.now(), from), clock }
    }

    /// The present moment of the match.
    pub(super) fn now(&self) -> Millis {
        let (clock, moment) = self.began;
        moment.plus(self.clock.now().saturating_sub(clock).into())
    }

    /// The clock by which bots measure their time.
    pub(super) fn clock(&self) -> Arc<dyn Clock> {
        Arc::clone(&self.clock)
    }
}
