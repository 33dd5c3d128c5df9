//! Lines with error bars.

use crate::axis::{Ruler, number_text};
use crate::drawing::{SMALL, TEXT, heading_height, shortened, text_width};
use crate::theme::COLOURS;
use crate::{Anchor, Axis, Drawing, Paint, Shape};

/// A measured point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// Where it stands.
    pub x: f64,
    /// What was measured.
    pub y: f64,
    /// The interval of what was measured, where there is one.
    pub interval: Option<(f64, f64)>,
}

impl Point {
    /// A point without an interval.
    pub fn new(x: f64, y: f64) -> Self {
        Self { x, y, interval: None }
    }
}

/// A line.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Series {
    /// What it shows.
    pub name: String,
    /// Its points, from left to right.
    pub points: Vec<Point>,
}

/// Lines over a common axis.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LinePlot {
    /// What it shows; may be empty where a page has a heading.
    pub title: String,
    /// A remark below the title; may be empty.
    pub note: String,
    /// The horizontal axis.
    pub x: Axis,
    /// The vertical axis.
    pub y: Axis,
    /// The lines. Colours repeat after eight, with other dashes.
    pub series: Vec<Series>,
    /// A height to which all are compared.
    pub reference: Option<f64>,
    /// Whether each point is marked.
    pub marks: bool,
    /// The width in pixels; 0 for 640.
    pub width: f64,
}

/// How lines with the same colour differ.
const DASHES: [&[f64]; 4] = [&[], &[6.0, 3.0], &[2.0, 2.0], &[8.0, 3.0, 2.0, 3.0]];

impl LinePlot {
    /// Draws it.
    pub fn draw(&self) -> Drawing {
        const HEIGHT: f64 = 260.0;
        let width = if self.width > 0.0 { self.width } else { 640.0 };
        // The label of the vertical axis stands above it, so that nobody has to turn their head.
        let top = heading_height(&self.title, &self.note) + if self.y.label.is_empty() { 8.0 } else { 26.0 };
        let bottom = top + HEIGHT;
        let points = || self.series.iter().flat_map(|series| &series.points);
        let heights = points().flat_map(|point| {
            let (low, high) = point.interval.unwrap_or((point.y, point.y));
            [point.y, low, high]
        });
        let y = Ruler::new(&self.y, heights.chain(self.reference), bottom, top);
        let left = y.ticks.iter().map(|(_, text)| text_width(text, SMALL)).fold(0.0, f64::max) + 12.0;
        let x = Ruler::new(&self.x, points().map(|point| point.x), left + 10.0, width - 26.0);
        let legend = self.legend(left, width - 16.0);
        let rows = legend.last().map_or(0, |(_, row)| row + 1);
        let height = bottom + 48.0 + 20.0 * rows as f64;
        let mut drawing = Drawing::with_heading(&self.title, &self.note, width, height);
        if !self.y.label.is_empty() {
            drawing.text((0.0, top - 12.0), &self.y.label, Anchor::Start, SMALL, Paint::Muted, false);
        }
        for (at, text) in &y.ticks {
            drawing.line((left, *at), (width - 16.0, *at), Paint::Grid, 1.0);
            drawing.tick((left - 6.0, at + 4.0), text, Anchor::End);
        }
        for (at, text) in &x.ticks {
            drawing.line((*at, bottom), (*at, bottom + 4.0), Paint::Muted, 1.0);
            drawing.tick((*at, bottom + 18.0), text, Anchor::Middle);
        }
        drawing.line((left, bottom), (width - 16.0, bottom), Paint::Muted, 1.0);
        drawing.text(
            ((left + width) / 2.0, bottom + 38.0),
            &self.x.label,
            Anchor::Middle,
            SMALL,
            Paint::Muted,
            false,
        );
        if let Some(at) = self.reference.and_then(|value| y.at(value)) {
            drawing.dashed((left, at), (width - 16.0, at));
        }
        for (number, series) in self.series.iter().enumerate() {
            self.draw_series(&mut drawing, number, series, &x, &y);
        }
        for (number, (from, row)) in legend.into_iter().enumerate() {
            let at = bottom + 62.0 + 20.0 * row as f64;
            let (paint, dashes) = look(number);
            drawing.shapes.push(Shape::Line {
                points: vec![(from, at - 4.0), (from + 22.0, at - 4.0)],
                paint,
                width: 2.5,
                dashes,
            });
            drawing.label((from + 28.0, at), &self.series[number].name, Anchor::Start, Paint::Text);
        }
        drawing
    }

    fn draw_series(&self, drawing: &mut Drawing, number: usize, series: &Series, x: &Ruler, y: &Ruler) {
        let (paint, dashes) = look(number);
        let mut line = Vec::new();
        for point in &series.points {
            let [Some(across), Some(up)] = [x.at(point.x), y.at(point.y)] else { continue };
            line.push((across, up));
            if let Some([Some(low), Some(high)]) = point.interval.map(|(low, high)| [y.at(low), y.at(high)]) {
                drawing.line((across, low), (across, high), paint, 1.5);
                for end in [low, high] {
                    drawing.line((across - 4.0, end), (across + 4.0, end), paint, 1.5);
                }
            }
            if self.marks {
                let [x, y] = [point.x, point.y].map(|value| number_text(value, 2));
                let hint = format!("{}: {y} at {x}", series.name);
                drawing.circle((across, up), 3.5, paint, hint);
            }
        }
        if line.len() > 1 {
            drawing.shapes.push(Shape::Line { points: line, paint, width: 2.0, dashes });
        }
    }

    /// Where the entry of each series stands below the plot: from which pixel, in which row. A single line without a name needs
    /// none.
    fn legend(&self, left: f64, right: f64) -> Vec<(f64, usize)> {
        if self.series.len() < 2 && self.series.iter().all(|series| series.name.is_empty()) {
            return Vec::new();
        }
        let (mut from, mut row) = (left, 0);
        self.series
            .iter()
            .map(|series| {
                let width = text_width(&shortened(&series.name), TEXT) + 46.0;
                if from > left && from + width > right {
                    (from, row) = (left, row + 1);
                }
                let place = (from, row);
                from += width;
                place
            })
            .collect()
    }
}

/// How a line looks.
fn look(number: usize) -> (Paint, &'static [f64]) {
    (Paint::Series(number), DASHES[number / COLOURS % DASHES.len()])
}
