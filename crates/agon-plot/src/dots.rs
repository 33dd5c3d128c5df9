//! Estimates with intervals, one row each.

use crate::axis::{Ruler, number_text};
use crate::drawing::{SMALL, heading_height, widest};
use crate::{Anchor, Axis, Drawing, Paint};

/// An estimate.
#[derive(Clone, Debug, PartialEq)]
pub struct Dot {
    /// What it is an estimate for.
    pub label: String,
    /// The estimate.
    pub value: f64,
    /// Its interval.
    pub interval: (f64, f64),
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
    /// The rows, from top to bottom.
    pub dots: Vec<Dot>,
    /// The width in pixels; 0 for 640.
    pub width: f64,
}

impl DotPlot {
    /// Draws it.
    pub fn draw(&self) -> Drawing {
        const ROW: f64 = 28.0;
        let width = if self.width > 0.0 { self.width } else { 640.0 };
        let top = heading_height(&self.title, &self.note);
        let left = (widest(self.dots.iter().map(|dot| dot.label.as_str())) + 16.0).min(width / 2.0);
        let bottom = top + ROW * self.dots.len().max(1) as f64 + 6.0;
        let mut drawing = Drawing::with_heading(&self.title, &self.note, width, bottom + 42.0);
        let values = self.dots.iter().flat_map(|dot| [dot.value, dot.interval.0, dot.interval.1]);
        let ruler = Ruler::new(&self.axis, values.chain(self.reference), left + 8.0, width - 22.0);
        for (x, text) in &ruler.ticks {
            drawing.line((*x, top), (*x, bottom), Paint::Grid, 1.0);
            drawing.tick((*x, bottom + 16.0), text, Anchor::Middle);
        }
        drawing.text(
            ((left + width) / 2.0, bottom + 36.0),
            &self.axis.label,
            Anchor::Middle,
            SMALL,
            Paint::Muted,
            false,
        );
        if let Some(x) = self.reference.and_then(|value| ruler.at(value)) {
            drawing.dashed((x, top), (x, bottom));
        }
        for (index, dot) in self.dots.iter().enumerate() {
            let y = top + ROW * (index as f64 + 0.5) + 3.0;
            drawing.label((left - 6.0, y + 4.5), &dot.label, Anchor::End, Paint::Text);
            let paint = Paint::Series(0);
            if let [Some(low), Some(high)] = [dot.interval.0, dot.interval.1].map(|end| ruler.at(end)) {
                drawing.line((low, y), (high, y), paint, 2.5);
            }
            if let Some(x) = ruler.at(dot.value) {
                let [value, low, high] =
                    [dot.value, dot.interval.0, dot.interval.1].map(|value| number_text(value, 1));
                let hint = format!("{}: {value} ({low} to {high})", dot.label);
                drawing.circle((x, y), 5.0, paint, hint);
            }
        }
        drawing
    }
}
