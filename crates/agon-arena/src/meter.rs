//! Times that are measured many times over.

use std::time::Duration;

/// Measured times, to the nanosecond and up to four seconds each.
#[derive(Clone, Debug, Default)]
pub struct Meter(Vec<u32>);

impl Meter {
    /// Adds a time.
    pub fn push(&mut self, time: Duration) {
        self.0.push(u32::try_from(time.as_nanos()).unwrap_or(u32::MAX));
    }

    /// Adds those of another meter.
    pub fn extend(&mut self, other: &Self) {
        self.0.extend(&other.0);
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The one that half of them do not exceed; zero if there is none.
    pub fn median(&mut self) -> Duration {
        let middle = self.0.len() / 2;
        if self.0.is_empty() {
            return Duration::ZERO;
        }
        let (_, median, _) = self.0.select_nth_unstable(middle);
        Duration::from_nanos(u64::from(*median))
    }

    /// The longest; zero if there is none.
    pub fn most(&self) -> Duration {
        Duration::from_nanos(u64::from(self.0.iter().copied().max().unwrap_or(0)))
    }
}
