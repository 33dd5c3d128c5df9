//! The date, by a clock that may jump.
//!
//! Games wait for days, and what they wait for is stored as a date. If the system's clock jumps, by hours or by years, games must not
//! end for it: a date that does not follow from the last one by the time that has passed is not believed for a day.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// How much the system's clock may differ from what is expected: clocks are put right now and then.
const TOLERANCE: u64 = 3600;
/// After how long another date is believed.
const BELIEVED_AFTER: Duration = Duration::from_secs(24 * 3600);

/// What a clock shows, in seconds since 1970.
pub type Shown = Arc<dyn Fn() -> u64 + Send + Sync>;

/// The date by a clock, which is believed as far as it can be.
pub struct Dates {
    shown: Shown,
    /// When this began, on a clock that never jumps.
    began: Instant,
    keeper: Mutex<DateKeeper>,
}

impl Dates {
    /// The date by this clock, whose first one is believed.
    pub fn by(shown: Shown) -> Self {
        let keeper = Mutex::new(DateKeeper::new(shown(), Duration::ZERO));
        Self { shown, began: Instant::now(), keeper }
    }

    /// The date by the system's clock.
    pub fn by_system() -> Self {
        let seconds = || SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
        Self::by(Arc::new(seconds))
    }

    /// The date, in seconds since 1970. If the clock jumps, it does not.
    pub fn date(&self) -> u64 {
        let mut keeper = self.keeper.lock().unwrap_or_else(PoisonError::into_inner);
        keeper.date((self.shown)(), self.began.elapsed())
    }
}

/// Keeps the date.
#[derive(Clone, Copy, Debug)]
struct DateKeeper {
    /// A date that is believed, in seconds since 1970, and when it was on a clock that never jumps.
    believed: (u64, Duration),
    /// Since when the system's clock has shown another date.
    differs_since: Option<Duration>,
}

impl DateKeeper {
    /// Believes the first date.
    fn new(shown: u64, now: Duration) -> Self {
        Self { believed: (shown, now), differs_since: None }
    }

    /// The date when the system's clock shows `shown` at the moment `now`.
    fn date(&mut self, shown: u64, now: Duration) -> u64 {
        let (date, at) = self.believed;
        let expected = date.saturating_add(now.saturating_sub(at).as_secs());
        if shown.abs_diff(expected) > TOLERANCE {
            let since = *self.differs_since.get_or_insert(now);
            if now.saturating_sub(since) < BELIEVED_AFTER {
                return expected;
            }
        }
        *self = Self::new(shown, now);
        shown
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jumps_are_not_believed_at_once() {
        let hours = |hours: u64| Duration::from_secs(hours * 3600);
        let start = 1_800_000_000;
        let mut keeper = DateKeeper::new(start, hours(0));
        assert_eq!(keeper.date(start + 3700, hours(1)), start + 3700, "a little off is right");
        let forty_days = 40 * 24 * 3600;
        assert_eq!(keeper.date(start + forty_days, hours(2)), start + 7300, "a jump is not believed");
        assert_eq!(keeper.date(start + 7200, hours(2)), start + 7200, "and forgotten when it is over");
        for hour in 3..27 {
            let date = keeper.date(start + forty_days + hour * 3600, hours(hour));
            assert_eq!(date, start + hour * 3600, "{hour}");
        }
        assert_eq!(keeper.date(start + forty_days, hours(27)), start + forty_days, "a day later it is");
        assert_eq!(keeper.date(5, hours(28)), start + forty_days + 3600, "back is a jump too");
    }
}
