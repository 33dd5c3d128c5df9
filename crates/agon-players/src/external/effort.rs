//! What an answer has cost: processor time, and how much the machine kept programs and us waiting meanwhile.

use std::fs;
use std::time::Duration;

/// What is counted while a program runs. All of it only grows; what a move has cost is a difference.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Effort {
    /// The processor time of the program and whatever it has started; `None` where nobody knows.
    pub processor: Option<Duration>,
    /// How long there was somebody on this machine who could have run, and had to wait for a core.
    pub stalled: Duration,
    /// How long we ourselves had to wait for one.
    pub delayed: Duration,
}

/// A delay of our own from which on an answer may look late that was not.
const DELAY: Duration = Duration::from_millis(20);

impl Effort {
    /// What is known of the machine as a whole; nothing, where the system does not count it.
    pub fn of_machine() -> Self {
        let read = |path| fs::read_to_string(path).unwrap_or_default();
        Self {
            processor: None,
            stalled: stalled(&read("/proc/pressure/cpu")),
            delayed: delayed(&read("/proc/thread-self/schedstat")),
        }
    }

    /// What has been added to an earlier count.
    pub fn since(self, earlier: Self) -> Self {
        let processor = self.processor.zip(earlier.processor);
        Self {
            processor: processor.map(|(now, then)| now.saturating_sub(then)),
            stalled: self.stalled.saturating_sub(earlier.stalled),
            delayed: self.delayed.saturating_sub(earlier.delayed),
        }
    }

    /// Whether the machine had too much to do for an answer that took `time` to be blamed on its program.
    pub fn is_overload(self, time: Duration) -> bool {
        self.stalled >= time / 4 && !time.is_zero() || self.delayed >= DELAY
    }
}

/// The total of the first line of `/proc/pressure/cpu`.
fn stalled(pressure: &str) -> Duration {
    let some = pressure.lines().find(|line| line.starts_with("some "));
    let total = some.and_then(|line| line.split("total=").nth(1)?.trim().parse().ok());
    Duration::from_micros(total.unwrap_or(0))
}

/// The second number of a `schedstat`.
fn delayed(statistics: &str) -> Duration {
    let waited = statistics.split_whitespace().nth(1).and_then(|number| number.parse().ok());
    Duration::from_nanos(waited.unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_system_says_is_read() {
        let pressure = "some avg10=14.95 avg60=13.89 avg300=7.99 total=35748507\nfull avg10=0.00 avg60=0.00 avg300=0.00 total=7\n";
        assert_eq!(stalled(pressure), Duration::from_micros(35_748_507));
        assert_eq!(delayed("123 456000 7\n"), Duration::from_micros(456));
        for nonsense in ["", "some", "some total=x", "x y z"] {
            assert_eq!((stalled(nonsense), delayed(nonsense)), Default::default());
        }
    }

    #[test]
    fn a_machine_that_keeps_programs_or_us_waiting_has_too_much_to_do() {
        let second = Duration::from_secs(1);
        let effort = |stalled, delayed| Effort {
            processor: None,
            stalled: Duration::from_millis(stalled),
            delayed: Duration::from_millis(delayed),
        };
        assert!(!effort(200, 10).is_overload(second));
        assert!(effort(300, 0).is_overload(second));
        assert!(effort(0, 20).is_overload(second));
        assert!(!effort(0, 0).is_overload(Duration::ZERO));
        let spent = Effort { processor: Some(second * 3), ..effort(900, 5) }
            .since(Effort { processor: Some(second), ..effort(500, 5) });
        assert_eq!(spent, Effort { processor: Some(second * 2), ..effort(400, 0) });
    }
}
