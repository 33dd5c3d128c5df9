//! Colours by role.

use crate::Paint;

/// A set of colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Theme {
    /// Dark on white; also for print.
    Light,
    /// Light on dark.
    Dark,
}

/// Told apart by people with any colour vision, and legible on both grounds.
const SERIES: [[&str; 8]; 2] = [
    ["#1a66a8", "#c4521b", "#1b7a48", "#8a4fb0", "#845400", "#b3267a", "#1f7f92", "#55606e"],
    ["#78b8f4", "#ff9a5c", "#63cf96", "#c79bf0", "#f0b849", "#ff8ac4", "#5fd0e0", "#a4b0bd"],
];

/// How many series have a colour of their own.
pub(crate) const COLOURS: usize = SERIES[0].len();

impl Theme {
    /// The colour of a role, as `#rrggbb`.
    pub fn colour(self, paint: Paint) -> &'static str {
        let [light, dark] = match paint {
            Paint::Text => ["#1b222b", "#e8ecf1"],
            Paint::Muted => ["#55606e", "#a4b0bd"],
            Paint::Grid => ["#dedbd4", "#343d47"],
            Paint::Surface => ["#ffffff", "#1b2128"],
            Paint::Danger => ["#b3261e", "#ff8f86"],
            Paint::Series(number) => SERIES.map(|colours| colours[number % COLOURS]),
        };
        match self {
            Self::Light => light,
            Self::Dark => dark,
        }
    }
}
