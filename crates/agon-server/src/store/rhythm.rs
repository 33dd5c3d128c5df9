//! When commits come.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Commits of a busy store come at intervals. Until the next one nobody hears of anything, so those who bring it work need not hurry.
#[derive(Debug)]
pub struct Rhythm {
    began: Instant,
    /// When the next commit can come at the earliest, in microseconds since it began.
    next: AtomicU64,
}

impl Default for Rhythm {
    fn default() -> Self {
        Self { began: Instant::now(), next: AtomicU64::new(0) }
    }
}

impl Rhythm {
    /// How long it takes at least until the next commit.
    pub fn time_left(&self) -> Duration {
        Duration::from_micros(self.next.load(Ordering::Relaxed)).saturating_sub(self.began.elapsed())
    }

    /// Says that there will be no commit for so long.
    pub fn put_off(&self, time: Duration) {
        let next = self.began.elapsed() + time;
        self.next.store(u64::try_from(next.as_micros()).unwrap_or(u64::MAX), Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_commit_can_come_at_once_until_it_is_put_off() {
        let rhythm = Rhythm::default();
        assert_eq!(rhythm.time_left(), Duration::ZERO);
        let hour = Duration::from_secs(3600);
        rhythm.put_off(hour);
        assert!(rhythm.time_left() > hour / 2 && rhythm.time_left() <= hour);
        rhythm.put_off(Duration::ZERO);
        assert_eq!(rhythm.time_left(), Duration::ZERO);
    }
}
