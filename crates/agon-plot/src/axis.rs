//! Axes: from values to pixels, and where ticks stand.

use crate::drawing::{SMALL, text_width};

/// How values are laid out along an axis.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scale {
    /// Equal differences are equally far apart.
    #[default]
    Linear,
    /// Equal ratios are equally far apart; values that are not positive are left out.
    Logarithmic,
}

/// An axis.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Axis {
    /// What it shows, with its unit: `time per move, s`.
    pub label: String,
    /// Its scale.
    pub scale: Scale,
    /// A value that is shown in any case, such as 0.
    pub includes: Option<f64>,
    /// The ends of an axis that is the same whatever the values are.
    pub span: Option<[f64; 2]>,
    /// Whether numbers stand at whole values only.
    pub is_whole: bool,
    /// Where numbers stand, instead of at round values; those that would run into their neighbour are left out.
    pub ticks: Vec<f64>,
}

impl Axis {
    /// A linear axis.
    pub fn new(label: &str) -> Self {
        Self { label: label.to_owned(), ..Self::default() }
    }

    /// A logarithmic axis.
    pub fn logarithmic(label: &str) -> Self {
        Self { scale: Scale::Logarithmic, ..Self::new(label) }
    }

    /// A linear axis for things that are counted.
    pub fn whole(label: &str) -> Self {
        Self { is_whole: true, ..Self::new(label) }
    }

    /// The same axis, showing `value` in any case.
    #[must_use]
    pub fn including(mut self, value: f64) -> Self {
        self.includes = Some(value);
        self
    }

    /// The same axis from one value to another.
    #[must_use]
    pub fn spanning(mut self, ends: [f64; 2]) -> Self {
        self.span = Some(ends);
        self
    }
}

/// An axis laid out for its values.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Ruler {
    scale: Scale,
    /// The values at both ends, on the scale.
    low: f64,
    high: f64,
    /// The pixels at both ends.
    from: f64,
    to: f64,
    /// Where numbers stand, and what they say.
    pub(crate) ticks: Vec<(f64, String)>,
}

impl Ruler {
    /// Lays out an axis from pixel `from` to pixel `to` for all finite values.
    pub(crate) fn new(axis: &Axis, values: impl Iterator<Item = f64>, from: f64, to: f64) -> Self {
        let scale = axis.scale;
        let shown = values.chain(axis.includes).filter_map(|value| on(scale, value));
        let (mut low, mut high) = shown
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)));
        if low > high {
            (low, high) = (0.0, 1.0);
        }
        // A single value stands in the middle.
        if high - low < 1e-9 * low.abs().max(1e-3) {
            let room = if scale == Scale::Linear && low != 0.0 { low.abs() * 0.1 } else { 0.5 };
            (low, high) = (low - room, high + room);
        }
        // Some room at both ends, unless the axis is meant to begin there.
        let room = 0.04 * (high - low);
        let fixed = axis.includes.and_then(|value| on(scale, value));
        low -= if fixed == Some(low) { 0.0 } else { room };
        high += if fixed == Some(high) { 0.0 } else { room };
        if let Some([Some(first), Some(last)]) = axis.span.map(|ends| ends.map(|end| on(scale, end))) {
            (low, high) = (first, last);
        }
        let most = ((to - from).abs() / 50.0).clamp(2.0, 10.0);
        let ticks = match scale {
            _ if !axis.ticks.is_empty() => given_ticks(&axis.ticks),
            Scale::Linear => linear_ticks(low, high, most, axis.is_whole),
            Scale::Logarithmic => logarithmic_ticks(low, high, most),
        };
        let mut ruler = Self { scale, low, high, from, to, ticks: Vec::new() };
        ruler.ticks = ticks
            .into_iter()
            .filter_map(|(value, text)| Some((ruler.at(value)?, text)))
            .filter(|(pixel, _)| *pixel >= from.min(to) - 0.5 && *pixel <= from.max(to) + 0.5)
            .collect();
        if !axis.ticks.is_empty() {
            ruler.part_ticks();
        }
        ruler
    }

    /// Leaves out ticks that would run into the one before.
    fn part_ticks(&mut self) {
        let mut last: Option<(f64, f64)> = None;
        self.ticks.retain(|(pixel, text)| {
            let half = text_width(text, SMALL) / 2.0;
            let is_apart = last.is_none_or(|(before, reach)| (pixel - before).abs() > half + reach + 4.0);
            if is_apart {
                last = Some((*pixel, half));
            }
            is_apart
        });
    }

    /// Where a value stands; `None` if it cannot be shown.
    pub(crate) fn at(&self, value: f64) -> Option<f64> {
        let share = (on(self.scale, value)? - self.low) / (self.high - self.low);
        Some(self.from + share * (self.to - self.from))
    }
}

/// The value on a scale; `None` if the scale has no place for it.
fn on(scale: Scale, value: f64) -> Option<f64> {
    match scale {
        Scale::Linear => value.is_finite().then_some(value),
        Scale::Logarithmic => (value.is_finite() && value > 0.0).then(|| value.log10()),
    }
}

/// These numbers, each with as many digits as it has.
fn given_ticks(values: &[f64]) -> Vec<(f64, String)> {
    let text = |value: f64| {
        let text = number_text(value, 2);
        let is_exact = !text.contains('.') || !text.ends_with(|char: char| char.is_ascii_digit());
        if is_exact { text } else { text.trim_end_matches('0').trim_end_matches('.').to_owned() }
    };
    values.iter().filter(|value| value.is_finite()).map(|&value| (value, text(value))).collect()
}

/// Round numbers, a few of them.
fn linear_ticks(low: f64, high: f64, most: f64, is_whole: bool) -> Vec<(f64, String)> {
    let rough = (high - low) / most;
    let power = 10_f64.powf(rough.log10().floor());
    let step = [1.0, 2.0, 5.0].map(|factor| factor * power).into_iter().find(|step| *step >= rough);
    let step = step.unwrap_or(10.0 * power).max(if is_whole { 1.0 } else { 0.0 });
    let (first, last) = ((low / step).ceil(), (high / step).floor());
    let digits = (-step.log10().floor()).clamp(0.0, 9.0) as usize;
    let count = (last - first).clamp(0.0, 1000.0) as usize;
    (0..=count)
        .map(|index| {
            // Without a negative zero.
            let value = (first + index as f64) * step + 0.0;
            (value, number_text(value, digits))
        })
        .collect()
}

/// Powers of ten, and 2 and 5 times them where there is room.
fn logarithmic_ticks(low: f64, high: f64, most: f64) -> Vec<(f64, String)> {
    let decades = high - low;
    let factors: &[f64] = if decades * 3.0 <= most { &[1.0, 2.0, 5.0] } else { &[1.0] };
    let every = (decades / most).ceil().max(1.0);
    let (first, last) = (low.floor() as i32, high.ceil() as i32);
    (first..=last)
        .filter(|decade| f64::from(*decade).rem_euclid(every) == 0.0)
        .flat_map(|decade| factors.iter().map(move |factor| (factor * 10_f64.powi(decade), decade)))
        .map(|(value, decade)| (value, number_text(value, (-decade).clamp(0, 9) as usize)))
        .collect()
}

/// A number for people: large ones with `k`, `M` and `G`.
pub(crate) fn number_text(value: f64, digits: usize) -> String {
    if !value.is_finite() {
        return "–".to_owned();
    }
    if value.abs() >= 1e12 {
        return format!("{value:.0e}").replace('-', "−");
    }
    for (size, unit) in [(1e9, "G"), (1e6, "M"), (1e4, "k")] {
        if value.abs() >= size {
            let size = if unit == "k" { 1e3 } else { size };
            let text = format!("{:.1}", value / size);
            return text.strip_suffix(".0").unwrap_or(&text).replace('-', "−") + unit;
        }
    }
    // The sign for minus is as wide as the one for plus.
    format!("{value:.digits$}").replace('-', "−")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(axis: &Axis, values: &[f64]) -> String {
        let ruler = Ruler::new(axis, values.iter().copied(), 0.0, 300.0);
        ruler.ticks.iter().map(|(_, text)| text.as_str()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn ticks_are_round_numbers() {
        assert_eq!(texts(&Axis::new(""), &[-140.0, 212.0]), "−100 0 100 200");
        assert_eq!(texts(&Axis::new(""), &[0.1, 0.35]), "0.10 0.15 0.20 0.25 0.30 0.35");
        assert_eq!(texts(&Axis::new("").including(0.0), &[3.0]), "0 1 2 3");
        assert_eq!(texts(&Axis::whole(""), &[0.0, 3.0]), "0 1 2 3");
        assert_eq!(texts(&Axis::new(""), &[0.0, 250_000.0]), "0 50k 100k 150k 200k 250k");
        assert_eq!(texts(&Axis::logarithmic(""), &[0.1, 1.0]), "0.1 0.2 0.5 1");
        assert_eq!(texts(&Axis::logarithmic(""), &[1.0, 1e6]), "1 100 10k 1M");
    }

    #[test]
    fn ticks_stand_where_they_are_wanted_as_far_as_there_is_room() {
        let axis = Axis { ticks: vec![0.0, 1.0, 2.5, 100.0, 1e6], ..Axis::new("") };
        assert_eq!(texts(&axis, &[0.0, 100.0]), "0 100");
        let axis = Axis { ticks: vec![1.0, 2.5, 16.0, 64.0, f64::NAN], ..Axis::logarithmic("") };
        assert_eq!(texts(&axis, &[1.0, 64.0]), "1 2.5 16 64");
    }

    #[test]
    fn values_that_cannot_be_shown_do_no_harm() {
        assert_eq!(texts(&Axis::new(""), &[]), "0.0 0.2 0.4 0.6 0.8 1.0");
        assert_eq!(texts(&Axis::new(""), &[f64::NAN, f64::INFINITY, 0.0, 1.0]), "0.0 0.2 0.4 0.6 0.8 1.0");
        let ruler = Ruler::new(&Axis::logarithmic(""), [0.0, -1.0, 10.0].into_iter(), 0.0, 100.0);
        assert_eq!(ruler.at(0.0), None);
        assert_eq!(ruler.at(10.0), Some(50.0));
        // Values that are all the same, however large or small.
        for value in [0.0, 5.0, -3.0, 1e-12, 1e12] {
            let ruler = Ruler::new(&Axis::new(""), std::iter::once(value), 0.0, 100.0);
            let at = ruler.at(value).expect("a place");
            assert!((0.0..=100.0).contains(&at), "{value} at {at}");
            assert!(!ruler.ticks.is_empty() && ruler.ticks.len() < 20, "{value}: {:?}", ruler.ticks);
        }
    }
}
