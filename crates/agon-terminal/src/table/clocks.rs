//! Time controls: how much time players have, and how much of it is left.

use std::fmt;
use std::time::Duration;

use agon_core::text::{duration, duration_text, quote};
use agon_registry::Limits;

/// How time is given.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TimeControl {
    /// As much as anybody wants.
    #[default]
    None,
    /// So much for every move; what is not used is lost.
    PerMove(Duration),
    /// So much for the game, and more with every move.
    Game {
        /// At the beginning.
        base: Duration,
        /// After every move.
        increment: Duration,
    },
}

/// The shortest and the longest time that can be given.
const RANGE: (Duration, Duration) = (Duration::from_millis(100), Duration::from_secs(24 * 3600));

impl TimeControl {
    /// The usual ones, as pickers offer them.
    pub const PRESETS: [&'static str; 9] =
        ["none", "5s", "15s", "30s", "60s", "3m+2s", "5m+3s", "10m+5s", "30m+20s"];

    /// Reads `none`, `15s` (a move) or `5m+3s` (a game, and a move's increment).
    ///
    /// # Errors
    /// A sentence that says what was expected.
    pub fn parse(text: &str) -> Result<Self, String> {
        let expected = || {
            format!(
                "clock {} is not none, a time for each move such as 15s, or a time for the game and an increment such as 5m+3s",
                quote(text)
            )
        };
        let time = |part: &str| {
            let time = duration(part).map_err(|_| expected())?;
            let within = time >= RANGE.0 && time <= RANGE.1;
            within.then_some(time).ok_or_else(|| {
                format!(
                    "clock {}: a time is from {} to {}",
                    quote(text),
                    duration_text(RANGE.0),
                    duration_text(RANGE.1)
                )
            })
        };
        match text.split_once('+') {
            None if text == "none" => Ok(Self::None),
            None => Ok(Self::PerMove(time(text)?)),
            Some((base, "0s")) => Ok(Self::Game { base: time(base)?, increment: Duration::ZERO }),
            Some((base, increment)) => Ok(Self::Game { base: time(base)?, increment: time(increment)? }),
        }
    }
}

impl fmt::Display for TimeControl {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::None => formatter.write_str("none"),
            Self::PerMove(time) => formatter.write_str(&duration_text(*time)),
            Self::Game { base, increment } => {
                let increment = if increment.is_zero() { "0s".to_owned() } else { duration_text(*increment) };
                write!(formatter, "{}+{increment}", duration_text(*base))
            }
        }
    }
}

/// The clocks of all players.
#[derive(Clone, Debug)]
pub struct Clocks {
    control: TimeControl,
    left: Vec<Duration>,
}

impl Clocks {
    /// Full clocks for `players`.
    pub fn new(control: TimeControl, players: usize) -> Self {
        let full = match control {
            TimeControl::None => Duration::ZERO,
            TimeControl::PerMove(time) => time,
            TimeControl::Game { base, .. } => base,
        };
        Self { control, left: vec![full; players] }
    }

    /// How time is given.
    pub fn control(&self) -> TimeControl {
        self.control
    }

    /// What a player has left who has been thinking for `spent`; `None` without a clock.
    pub fn left(&self, player: usize, spent: Duration) -> Option<Duration> {
        (self.control != TimeControl::None).then(|| self.left[player].saturating_sub(spent))
    }

    /// What a bot may use for its next move.
    pub fn limits(&self, player: usize) -> Limits {
        match self.control {
            TimeControl::None => Limits::default(),
            TimeControl::PerMove(time) => Limits::of_time(time),
            TimeControl::Game { increment, .. } => Limits::of_clock(self.left[player], increment),
        }
    }

    /// What all have left, as records keep it: durations separated by ` | `; `None` where nothing is carried over from
    /// move to move.
    pub fn text(&self) -> Option<String> {
        let is_carried = matches!(self.control, TimeControl::Game { .. });
        let times: Vec<String> = self.left.iter().map(|left| format!("{}ms", left.as_millis())).collect();
        is_carried.then(|| times.join(" | "))
    }

    /// Sets the clocks to what [`Clocks::text`] has said; one that does not fit changes nothing.
    pub fn restore(&mut self, text: &str) {
        let times: Option<Vec<Duration>> = text.split(" | ").map(|part| duration(part).ok()).collect();
        if let Some(times) = times.filter(|times| times.len() == self.left.len()) {
            self.left = times;
        }
    }

    /// Takes the time of a move off a player's clock.
    pub fn spend(&mut self, player: usize, spent: Duration) {
        if let TimeControl::Game { increment, .. } = self.control {
            self.left[player] = self.left[player].saturating_sub(spent) + increment;
        }
    }
}

/// A clock for people: `4:10`, and tenths when it gets tight.
pub fn clock_text(left: Duration) -> String {
    let seconds = left.as_secs();
    match seconds {
        0..10 => format!("0:0{seconds}.{}", left.subsec_millis() / 100),
        _ if seconds < 3600 => format!("{}:{:02}", seconds / 60, seconds % 60),
        _ => format!("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn controls_are_written_as_they_are_read() {
        for text in TimeControl::PRESETS.into_iter().chain(["250ms", "1m+0s"]) {
            let control = TimeControl::parse(text).expect(text);
            assert_eq!(TimeControl::parse(&control.to_string()), Ok(control), "{text}");
        }
        for bad in ["", "5", "5s+", "+5s", "1ms", "2000m", "5s+3", "none+1s"] {
            assert!(TimeControl::parse(bad).is_err(), "{bad:?} was taken");
        }
    }

    #[test]
    fn clocks_run_down_and_get_their_increment() {
        let control = TimeControl::parse("1m+2s").expect("a control");
        let mut clocks = Clocks::new(control, 2);
        clocks.spend(0, Duration::from_secs(10));
        assert_eq!(clocks.left(0, Duration::ZERO), Some(Duration::from_secs(52)));
        assert_eq!(clocks.left(1, Duration::from_secs(61)), Some(Duration::ZERO));
        assert_eq!(Clocks::new(TimeControl::None, 1).left(0, Duration::ZERO), None);
        let mut others = Clocks::new(control, 2);
        others.restore(&clocks.text().expect("it is carried over"));
        assert_eq!(others.left, clocks.left);
        for bad in ["", "1s", "1s | 2", "1s | 2s | 3s"] {
            others.restore(bad);
            assert_eq!(others.left, clocks.left, "{bad}");
        }
        assert_eq!(Clocks::new(TimeControl::PerMove(Duration::from_secs(5)), 2).text(), None);
        assert_eq!(clock_text(Duration::from_millis(61_500)), "1:01");
        assert_eq!(clock_text(Duration::from_millis(9_870)), "0:09.8");
    }
}
