//! The results: lines of a table for people, or JSON objects for programs.

use serde::Serialize;

/// One measured figure.
#[derive(Clone, Debug, Serialize)]
pub struct Figure {
    /// The game, by the name that programs call it.
    pub game: &'static str,
    /// What was measured, options and depth included.
    pub what: String,
    /// Our figure.
    pub value: f64,
    /// Its unit.
    pub unit: &'static str,
    /// What it was compared with in the same run.
    pub peer: Option<String>,
    /// How many times the peer's figure ours is.
    pub ratio: Option<f64>,
    /// The least that is accepted: of the ratio if there is one, else of the value.
    pub floor: Option<f64>,
    /// What is aimed at, in the same terms.
    pub aim: Option<f64>,
    /// The peer's own figure.
    #[serde(skip)]
    pub peer_value: Option<f64>,
    /// A remark for people.
    #[serde(skip)]
    pub note: String,
}

/// How a figure stands to its floor and aim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// There is nothing to reach.
    Unjudged,
    /// Below the floor.
    Missed,
    /// The floor is reached, the aim, if any, is not.
    Floor,
    /// The aim is reached.
    Aim,
}

impl Figure {
    /// A figure of our own, compared with nothing.
    pub fn new(game: &'static str, what: impl Into<String>, value: f64, unit: &'static str) -> Self {
        let what = what.into();
        Self {
            game,
            what,
            value,
            unit,
            peer: None,
            ratio: None,
            floor: None,
            aim: None,
            peer_value: None,
            note: String::new(),
        }
    }

    /// How it stands.
    pub fn mark(&self) -> Mark {
        let judged = self.ratio.unwrap_or(self.value);
        match (self.floor, self.aim) {
            (Some(floor), _) if judged < floor => Mark::Missed,
            (_, Some(aim)) if judged >= aim => Mark::Aim,
            (None, _) => Mark::Unjudged,
            (Some(_), _) => Mark::Floor,
        }
    }

    /// One line of the table.
    pub fn line(&self) -> String {
        let optional = |value: Option<f64>| value.map_or_else(String::new, scaled);
        let mark = match self.mark() {
            Mark::Unjudged => "",
            Mark::Missed => "MISSED",
            Mark::Floor => "floor reached",
            Mark::Aim => "aim reached",
        };
        let line = format!(
            "{:<16} {:<28} {:>8} {:<10} {:>8} {:>7} {:>7} {:>7}  {mark:<13}  {}",
            self.game,
            self.what,
            scaled(self.value),
            self.unit,
            optional(self.peer_value),
            self.ratio.map_or_else(String::new, |ratio| format!("{ratio:.2}")),
            optional(self.floor),
            optional(self.aim),
            self.note,
        );
        line.trim_end().to_owned()
    }
}

/// The table's first line.
pub fn header() -> String {
    format!(
        "{:<16} {:<28} {:>8} {:<10} {:>8} {:>7} {:>7} {:>7}",
        "game", "what", "ours", "unit", "peer", "ratio", "floor", "aim"
    )
}

/// A number in a few characters: `412 M`, `24.6 k`, `3.1`.
fn scaled(value: f64) -> String {
    let (value, suffix) = match value {
        value if value >= 1e9 => (value / 1e9, " G"),
        value if value >= 1e6 => (value / 1e6, " M"),
        value if value >= 1e4 => (value / 1e3, " k"),
        value => (value, ""),
    };
    match value {
        value if value.fract() == 0.0 || value >= 100.0 => format!("{value:.0}{suffix}"),
        value => format!("{value:.1}{suffix}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn figure(value: f64, ratio: Option<f64>, floor: Option<f64>, aim: Option<f64>) -> Figure {
        Figure { ratio, floor, aim, ..Figure::new("toy", "perft", value, "leaves/s") }
    }

    #[test]
    fn floors_and_aims_judge_the_ratio_or_else_the_value() {
        assert_eq!(figure(1e9, Some(1.9), Some(2.0), Some(3.0)).mark(), Mark::Missed);
        assert_eq!(figure(1.0, Some(2.0), Some(2.0), Some(3.0)).mark(), Mark::Floor);
        assert_eq!(figure(1.0, Some(3.0), Some(2.0), Some(3.0)).mark(), Mark::Aim);
        assert_eq!(figure(49e6, None, Some(50e6), None).mark(), Mark::Missed);
        assert_eq!(figure(50e6, None, Some(50e6), None).mark(), Mark::Floor);
        assert_eq!(figure(1.0, None, None, None).mark(), Mark::Unjudged);
    }

    #[test]
    fn numbers_are_short() {
        let texts = [412.3e6, 24_571.0, 3.12, 2.0, 1500.0, 50e6].map(scaled);
        assert_eq!(texts, ["412 M", "24.6 k", "3.1", "2", "1500", "50 M"]);
    }

    #[test]
    fn json_has_exactly_the_promised_fields() {
        let json = serde_json::to_string(&figure(2.0, Some(1.5), Some(1.0), None)).expect("plain data");
        assert_eq!(
            json,
            r#"{"game":"toy","what":"perft","value":2.0,"unit":"leaves/s","peer":null,"ratio":1.5,"floor":1.0,"aim":null}"#
        );
    }
}
