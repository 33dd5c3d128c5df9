//! Bars with error bars.

use crate::axis::{Ruler, number_text};
use crate::drawing::{SMALL, TEXT, heading_height, text_width, widest};
use crate::{Anchor, Axis, Drawing, Paint, Shape};

/// A bar.
#[derive(Clone, Debug, PartialEq)]
pub struct Bar {
    /// What it stands for.
    pub label: String,
    /// How long it is.
    pub value: f64,
    /// The interval of the value, where there is one.
    pub interval: Option<(f64, f64)>,
}

/// Horizontal bars from zero, one per row, with their values.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BarChart {
    /// What it shows; may be empty where a page has a heading.
    pub title: String,
    /// A remark below the title; may be empty.
    pub note: String,
    /// The axis; it always shows 0.
    pub axis: Axis,
    /// How many digits after the point values have.
    pub digits: usize,
    /// The colour of the bars.
    pub series: usize,
    /// The bars, from top to bottom.
    pub bars: Vec<Bar>,
    /// The width in pixels; 0 for 640.
    pub width: f64,
}

impl BarChart {
    /// Draws it.
    pub fn draw(&self) -> Drawing {
        const ROW: f64 = 28.0;
        let width = if self.width > 0.0 { self.width } else { 640.0 };
        let top = heading_height(&self.title, &self.note);
        let left = (widest(self.bars.iter().map(|bar| bar.label.as_str())) + 16.0).min(width / 2.0);
        let texts: Vec<String> = self.bars.iter().map(|bar| number_text(bar.value, self.digits)).collect();
        let room = texts.iter().map(|text| text_width(text, TEXT)).fold(0.0, f64::max) + 14.0;
        let bottom = top + ROW * self.bars.len().max(1) as f64 + 6.0;
        let mut drawing = Drawing::with_heading(&self.title, &self.note, width, bottom + 42.0);
        let ends = |bar: &Bar| {
            let (low, high) = bar.interval.unwrap_or((bar.value, bar.value));
            [bar.value, low, high]
        };
        let axis = Axis { includes: Some(0.0), ..self.axis.clone() };
        let ruler = Ruler::new(&axis, self.bars.iter().flat_map(ends), left + 8.0, width - room - 8.0);
        for (x, text) in &ruler.ticks {
            drawing.line((*x, top), (*x, bottom), Paint::Grid, 1.0);
            drawing.tick((*x, bottom + 16.0), text, Anchor::Middle);
        }
        drawing.text(
            ((left + width - room) / 2.0, bottom + 36.0),
            &self.axis.label,
            Anchor::Middle,
            SMALL,
            Paint::Muted,
            false,
        );
        for ((index, bar), text) in self.bars.iter().enumerate().zip(texts) {
            let y = top + ROW * (index as f64 + 0.5) + 3.0;
            drawing.label((left - 6.0, y + 4.5), &bar.label, Anchor::End, Paint::Text);
            let [Some(zero), Some(end)] = [0.0, bar.value].map(|value| ruler.at(value)) else { continue };
            drawing.shapes.push(Shape::Rectangle {
                corner: (zero.min(end), y - 8.0),
                size: ((end - zero).abs(), 16.0),
                paint: Paint::Series(self.series),
                opacity: 0.85,
                hint: format!("{}: {text}", bar.label),
            });
            let mut furthest = end.max(zero);
            if let Some([Some(low), Some(high)]) =
                bar.interval.map(|(low, high)| [ruler.at(low), ruler.at(high)])
            {
                drawing.line((low, y), (high, y), Paint::Text, 1.5);
                for x in [low, high] {
                    drawing.line((x, y - 4.0), (x, y + 4.0), Paint::Text, 1.5);
                }
                furthest = furthest.max(high);
            }
            drawing.label((furthest + 6.0, y + 4.5), &text, Anchor::Start, Paint::Text);
        }
        if let Some(x) = ruler.at(0.0) {
            drawing.line((x, top), (x, bottom), Paint::Muted, 1.0);
        }
        drawing
    }
}
