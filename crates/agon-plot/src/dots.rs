//! Estimates with intervals, one row each.

use crate::axis::{Ruler, number_text};
use crate::drawing::{SMALL, TEXT, heading_height, text_width, widest};
use crate::{Anchor, Axis, Drawing, Paint};

/// What is known of an estimate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tone {
    /// Nothing is claimed.
    #[default]
    Plain,
    /// Its interval lies above the reference: filled.
    Above,
    /// Its interval lies below the reference: filled.
    Below,
    /// Its interval holds the reference: hollow.
    Open,
}

/// An estimate.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Dot {
    /// What it is an estimate for.
    pub label: String,
    /// The estimate.
    pub value: f64,
    /// Its interval.
    pub interval: (f64, f64),
    /// What is known of it.
    pub tone: Tone,
    /// What it is the mean of, as small dots below it.
    pub parts: Vec<f64>,
    /// What stands behind it: a line, and a remark below.
    pub notes: Option<[String; 2]>,
}

/// Rows of dots with error bars on a common axis, such as the strength of players.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DotPlot {
    /// What it shows; may be empty where a page has a heading.
    pub title: String,
    /// A remark below the title; may be empty.
    pub note: String,
    /// The axis.
    pub axis: Axis,
    /// A value to which all are compared.
    pub reference: Option<f64>,
    /// What it is called, and what lies below and above it; drawn above the rows if the first is not empty.
    pub sides: [String; 3],
    /// The rows, from top to bottom.
    pub dots: Vec<Dot>,
    /// The width in pixels; 0 for 640.
    pub width: f64,
}

/// The height of a row.
const ROW: f64 = 28.0;
/// The height of a row with parts or notes.
const HIGH_ROW: f64 = 40.0;

impl DotPlot {
    /// Draws it.
    pub fn draw(&self) -> Drawing {
        let width = if self.width > 0.0 { self.width } else { 640.0 };
        let sides = if self.sides[0].is_empty() { 0.0 } else { 22.0 };
        let top = heading_height(&self.title, &self.note) + sides;
        let left = (widest(self.dots.iter().map(|dot| dot.label.as_str())) + 16.0).min(width / 2.0);
        let is_high = self.dots.iter().any(|dot| dot.notes.is_some() || !dot.parts.is_empty());
        let row = if is_high { HIGH_ROW } else { ROW };
        let notes = self.dots.iter().flat_map(|dot| dot.notes.iter().flatten());
        let notes = notes.map(|note| text_width(note, SMALL)).fold(0.0, f64::max).min(width / 3.0);
        let right = width - notes - 22.0;
        let bottom = top + row * self.dots.len().max(1) as f64 + 6.0;
        let mut drawing = Drawing::with_heading(&self.title, &self.note, width, bottom + 42.0);
        let values = self.dots.iter().flat_map(|dot| [dot.value, dot.interval.0, dot.interval.1]);
        let values = values.chain(self.dots.iter().flat_map(|dot| dot.parts.iter().copied()));
        let ruler = Ruler::new(&self.axis, values.chain(self.reference), left + 8.0, right);
        for (x, text) in &ruler.ticks {
            drawing.line((*x, top), (*x, bottom), Paint::Grid, 1.0);
            drawing.tick((*x, bottom + 16.0), text, Anchor::Middle);
        }
        let middle = ((left + width - notes) / 2.0, bottom + 36.0);
        drawing.text(middle, &self.axis.label, Anchor::Middle, SMALL, Paint::Muted, false);
        if let Some(x) = self.reference.and_then(|value| ruler.at(value)) {
            drawing.dashed((x, top), (x, bottom));
            self.name_sides(&mut drawing, x, top - 8.0);
        }
        for (index, dot) in self.dots.iter().enumerate() {
            let y = top + row * (index as f64 + 0.5) + if is_high { -2.0 } else { 3.0 };
            dot.draw(&mut drawing, &ruler, left - 6.0, width, y);
        }
        drawing
    }

    /// What stands above the reference: its name, and which side is which.
    fn name_sides(&self, drawing: &mut Drawing, x: f64, y: f64) {
        let [name, below, above] = &self.sides;
        if name.is_empty() {
            return;
        }
        drawing.text((x, y), name, Anchor::Middle, SMALL, Paint::Text, true);
        let far = text_width(name, SMALL) / 2.0 + 14.0;
        if x - far - text_width(below, SMALL) > 0.0 {
            drawing.text((x - far, y), below, Anchor::End, SMALL, Paint::Muted, false);
        }
        if x + far + text_width(above, SMALL) < drawing.width {
            drawing.text((x + far, y), above, Anchor::Start, SMALL, Paint::Muted, false);
        }
    }
}

impl Dot {
    fn draw(&self, drawing: &mut Drawing, ruler: &Ruler, left: f64, right: f64, y: f64) {
        let paint = match self.tone {
            Tone::Plain => Paint::Series(0),
            Tone::Above => Paint::Series(2),
            Tone::Below => Paint::Danger,
            Tone::Open => Paint::Muted,
        };
        let is_claim = matches!(self.tone, Tone::Above | Tone::Below);
        let name = crate::drawing::shortened(&self.label);
        drawing.text((left, y + 4.5), &name, Anchor::End, TEXT, Paint::Text, is_claim);
        for x in self.parts.iter().filter_map(|part| ruler.at(*part)) {
            drawing.circle((x, y + 12.0), 2.0, paint, String::new());
        }
        if let [Some(low), Some(high)] = [self.interval.0, self.interval.1].map(|end| ruler.at(end)) {
            drawing.line((low, y), (high, y), paint, 2.5);
            for end in [low, high].into_iter().filter(|_| self.tone != Tone::Plain) {
                drawing.line((end, y - 5.0), (end, y + 5.0), paint, 2.0);
            }
        }
        if let Some(x) = ruler.at(self.value) {
            let [value, low, high] =
                [self.value, self.interval.0, self.interval.1].map(|value| number_text(value, 1));
            let hint = format!("{}: {value} ({low} to {high})", self.label);
            drawing.circle((x, y), 5.0, paint, hint);
            if self.tone == Tone::Open {
                drawing.circle((x, y), 2.8, Paint::Surface, String::new());
            }
        }
        if let Some([line, remark]) = &self.notes {
            drawing.text((right, y), line, Anchor::End, SMALL, Paint::Text, is_claim);
            drawing.text((right, y + 14.0), remark, Anchor::End, SMALL, Paint::Muted, false);
        }
    }
}
