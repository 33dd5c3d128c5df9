//! The driver's clock, and the time line of the match.

use std::time::Duration;

use agon_match::Millis;

/// The present moment as the driver measures it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Now {
    /// Since some fixed moment, by a clock that never jumps.
    pub monotonic: Duration,
    /// The date, in seconds since 1970.
    pub seconds: u64,
}

/// How the driver's clock and the time line of a match belong together.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TimeLine {
    began: (Duration, Millis),
}

impl TimeLine {
    /// A time line that has come to `time` now.
    pub(crate) fn new(now: Now, time: Millis) -> Self {
        Self { began: (now.monotonic, time) }
    }

    /// The present moment of the match.
    pub(crate) fn at(&self, now: Now) -> Millis {
        let (began, time) = self.began;
        time.plus(now.monotonic.saturating_sub(began).into())
    }
}
