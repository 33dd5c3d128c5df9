//! Time on a match's own time line: how much of it players have, how much is left, and who is late.

use std::fmt;
use std::time::Duration;

use agon_core::Player;
use agon_core::text::{duration, quote};
use agon_erased::Limits;
use serde::{Deserialize, Serialize};

use crate::interruption::Interruptions;

/// A number of milliseconds: a moment on a match's time line, or a span of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Millis(pub u64);

impl Millis {
    /// No time.
    pub const ZERO: Self = Self(0);

    /// This much later, or longer.
    #[must_use]
    pub fn plus(self, span: Self) -> Self {
        Self(self.0.saturating_add(span.0))
    }

    /// What remains after `span`; nothing if that is longer.
    #[must_use]
    pub fn minus(self, span: Self) -> Self {
        Self(self.0.saturating_sub(span.0))
    }

    /// Reads a span of time with its unit, such as `250ms`, `0.5s` or `1m`.
    ///
    /// # Errors
    /// A phrase that says what was expected.
    pub fn parse(text: &str) -> Result<Self, String> {
        // Decimals of seconds are binary fractions on the way: the nearest millisecond is the one that was written.
        duration(text).map(|time| Self::clamped(time.saturating_add(Duration::from_micros(500)).as_millis()))
    }

    fn clamped(millis: u128) -> Self {
        Self(u64::try_from(millis).unwrap_or(u64::MAX))
    }
}

impl From<Duration> for Millis {
    /// Whole milliseconds, rounded up: a millisecond begun is a millisecond used.
    fn from(time: Duration) -> Self {
        Self::clamped(time.as_nanos().div_ceil(1_000_000))
    }
}

impl From<Millis> for Duration {
    fn from(Millis(millis): Millis) -> Self {
        Self::from_millis(millis)
    }
}

impl fmt::Display for Millis {
    /// As [`Millis::parse`] reads it, in the largest unit that fits.
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        let Self(millis) = *self;
        match (millis / 1000, millis % 1000) {
            (0, _) => write!(formatter, "{millis}ms"),
            (seconds, 0) if seconds % 60 == 0 => write!(formatter, "{}m", seconds / 60),
            (seconds, 0) => write!(formatter, "{seconds}s"),
            (seconds, part) => write!(formatter, "{seconds}.{}s", format!("{part:03}").trim_end_matches('0')),
        }
    }
}

/// How time is given.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum TimeControl {
    /// As much as anybody wants.
    #[default]
    None,
    /// So much for every move; what is not used is lost.
    PerMove(Millis),
    /// So much for the game, and more with every move.
    Game {
        /// At the beginning.
        base: Millis,
        /// After every move.
        increment: Millis,
    },
}

/// The shortest and the longest time that can be given.
const RANGE: (Millis, Millis) = (Millis(100), Millis(24 * 3600 * 1000));

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
            let time = Millis::parse(part).map_err(|_| expected())?;
            let within = time >= RANGE.0 && time <= RANGE.1;
            within
                .then_some(time)
                .ok_or_else(|| format!("clock {}: a time is from {} to {}", quote(text), RANGE.0, RANGE.1))
        };
        match text.split_once('+') {
            None if text == "none" => Ok(Self::None),
            None => Ok(Self::PerMove(time(text)?)),
            Some((base, "0s")) => Ok(Self::Game { base: time(base)?, increment: Millis::ZERO }),
            Some((base, increment)) => Ok(Self::Game { base: time(base)?, increment: time(increment)? }),
        }
    }

    /// What a clock shows before the first move.
    fn full(self) -> Millis {
        match self {
            Self::None => Millis::ZERO,
            Self::PerMove(time) => time,
            Self::Game { base, .. } => base,
        }
    }
}

impl fmt::Display for TimeControl {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::None => formatter.write_str("none"),
            Self::PerMove(time) => write!(formatter, "{time}"),
            Self::Game { base, increment: Millis::ZERO } => write!(formatter, "{base}+0s"),
            Self::Game { base, increment } => write!(formatter, "{base}+{increment}"),
        }
    }
}

impl TryFrom<String> for TimeControl {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        Self::parse(&text)
    }
}

impl From<TimeControl> for String {
    fn from(control: TimeControl) -> Self {
        control.to_string()
    }
}

/// What happens to a move that comes too late.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Late {
    /// It is not played, and its player forfeits the game.
    #[default]
    Loses,
    /// It is played, and marked as late.
    Counted,
}

/// How time is given, and what becomes of players who use more of it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TimePolicy {
    /// One time control for all seats, or one for each; empty where no time is kept.
    pub controls: Vec<TimeControl>,
    /// How far a clock may be overdrawn before its player is late.
    pub grace: Millis,
    /// What lateness costs.
    pub late: Late,
    /// How much is given back to players whose connection was dead.
    #[serde(default, skip_serializing_if = "Interruptions::is_default")]
    pub interruptions: Interruptions,
}

impl TimePolicy {
    /// The same control for all seats; a player who overdraws it by more than `grace` loses.
    pub fn new(control: TimeControl, grace: Millis) -> Self {
        Self { controls: vec![control], grace, ..Self::default() }
    }

    /// The time control of a seat.
    pub fn control(&self, seat: Player) -> TimeControl {
        let control = self.controls.get(seat.index()).or_else(|| self.common());
        control.copied().unwrap_or_default()
    }

    /// The control of all seats, if they share one.
    pub fn common(&self) -> Option<&TimeControl> {
        let first = self.controls.first()?;
        self.controls.iter().all(|control| control == first).then_some(first)
    }
}

/// What is left to the players of a match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clocks {
    policy: TimePolicy,
    left: Vec<Millis>,
    /// Whether any time is carried over from move to move.
    carries: bool,
}

impl Clocks {
    /// Full clocks for this many seats.
    pub fn new(policy: TimePolicy, seats: usize) -> Self {
        let controls: Vec<TimeControl> = (0..seats as u8).map(|seat| policy.control(Player(seat))).collect();
        Self {
            policy,
            left: controls.iter().map(|control| control.full()).collect(),
            carries: controls.iter().any(|control| matches!(control, TimeControl::Game { .. })),
        }
    }

    /// How time is given and lateness judged.
    pub fn policy(&self) -> &TimePolicy {
        &self.policy
    }

    /// What is left to a player who has been thinking for `spent`; `None` without a clock.
    pub fn left(&self, seat: Player, spent: Millis) -> Option<Millis> {
        let has_clock = self.policy.control(seat) != TimeControl::None;
        has_clock.then(|| self.left[seat.index()].minus(spent))
    }

    /// The most that a player may use for the next move, the grace included; `None` without a clock.
    pub fn allowance(&self, seat: Player) -> Option<Millis> {
        Some(self.left(seat, Millis::ZERO)?.plus(self.policy.grace))
    }

    /// What a bot should use for its next move.
    pub fn limits(&self, seat: Player) -> Limits {
        match self.policy.control(seat) {
            TimeControl::None => Limits::default(),
            TimeControl::PerMove(time) => Limits::of_time(time.into()),
            TimeControl::Game { increment, .. } => {
                Limits::of_clock(self.left[seat.index()].into(), increment.into())
            }
        }
    }

    /// Takes the time of a move off a player's clock.
    pub fn spend(&mut self, seat: Player, spent: Millis) {
        if let TimeControl::Game { increment, .. } = self.policy.control(seat) {
            let left = &mut self.left[seat.index()];
            *left = left.minus(spent).plus(increment);
        }
    }

    /// What all have left; empty if nothing is carried over from move to move.
    pub fn carried(&self) -> &[Millis] {
        if self.carries { &self.left } else { &[] }
    }

    /// Sets the clocks to what [`Clocks::carried`] has said, and returns whether that fits these clocks.
    pub fn restore(&mut self, left: &[Millis]) -> bool {
        let fits = left.len() == self.carried().len();
        if fits && self.carries {
            self.left.copy_from_slice(left);
        }
        fits
    }
}

/// A clock for people: `4:10`, and tenths when it gets tight.
pub fn clock_text(left: impl Into<Millis>) -> String {
    let Millis(millis) = left.into();
    let seconds = millis / 1000;
    match seconds {
        0..10 => format!("0:0{seconds}.{}", millis % 1000 / 100),
        _ if seconds < 3600 => format!("{}:{:02}", seconds / 60, seconds % 60),
        _ => format!("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn controls_are_written_as_they_are_read() {
        for text in TimeControl::PRESETS.into_iter().chain(["250ms", "1m+0s", "1.234s", "0.35s+143ms"]) {
            let control = TimeControl::parse(text).expect(text);
            assert_eq!(TimeControl::parse(&control.to_string()), Ok(control), "{text}");
        }
        for bad in ["", "5", "5s+", "+5s", "1ms", "2000m", "5s+3", "none+1s"] {
            assert!(TimeControl::parse(bad).is_err(), "{bad:?} was taken");
        }
    }

    #[test]
    fn every_span_is_written_as_it_is_read() {
        for millis in (0..5000).chain([59_999, 60_000, 60_001, 90_000, 3_600_000, 86_400_000]) {
            assert_eq!(Millis::parse(&Millis(millis).to_string()), Ok(Millis(millis)));
        }
        assert_eq!(Millis::from(Duration::from_nanos(1_000_001)), Millis(2), "rounded up");
        assert_eq!(Millis::from(Duration::from_millis(7)), Millis(7));
    }

    #[test]
    fn clocks_run_down_and_get_their_increment() {
        let policy = TimePolicy::new(TimeControl::parse("1m+2s").expect("a control"), Millis(20));
        let mut clocks = Clocks::new(policy.clone(), 2);
        clocks.spend(Player(0), Millis(10_000));
        assert_eq!(clocks.left(Player(0), Millis::ZERO), Some(Millis(52_000)));
        assert_eq!(clocks.left(Player(1), Millis(61_000)), Some(Millis::ZERO));
        assert_eq!(clocks.allowance(Player(1)), Some(Millis(60_020)));
        assert_eq!(Clocks::new(TimePolicy::default(), 1).left(Player(0), Millis::ZERO), None);
        let mut others = Clocks::new(policy, 2);
        assert!(others.restore(clocks.carried()));
        assert_eq!(others, clocks);
        assert!(!others.restore(&[]) && !others.restore(&[Millis(1); 3]));
        let per_move = TimePolicy::new(TimeControl::PerMove(Millis(5000)), Millis::ZERO);
        assert!(Clocks::new(per_move, 2).carried().is_empty());
        assert_eq!(clock_text(Millis(61_500)), "1:01");
        assert_eq!(clock_text(Duration::from_millis(9_870)), "0:09.8");
    }

    #[test]
    fn seats_may_have_controls_of_their_own() {
        let own = ["1s", "5m+3s"].map(|text| TimeControl::parse(text).expect("a control"));
        let policy = TimePolicy { controls: own.to_vec(), ..TimePolicy::default() };
        assert_eq!(policy.common(), None);
        let clocks = Clocks::new(policy, 2);
        assert_eq!(clocks.left(Player(0), Millis::ZERO), Some(Millis(1000)));
        assert_eq!(clocks.left(Player(1), Millis::ZERO), Some(Millis(300_000)));
    }
}
