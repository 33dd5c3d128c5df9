//! What a plot is made of.

use unicode_width::UnicodeWidthChar;

/// What a colour is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Paint {
    /// Titles, names and values.
    Text,
    /// Labels of axes and remarks.
    Muted,
    /// Lines of the grid.
    Grid,
    /// The ground.
    Surface,
    /// What went wrong.
    Danger,
    /// The series with this number, from 0.
    Series(usize),
}

/// Which end of a text stands at its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    /// It begins there.
    Start,
    /// Its middle is there.
    Middle,
    /// It ends there.
    End,
}

/// Something drawn. Coordinates are pixels from the top left.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// Straight lines from point to point.
    Line {
        /// The points.
        points: Vec<(f64, f64)>,
        /// The colour.
        paint: Paint,
        /// The width.
        width: f64,
        /// Lengths of dashes and gaps; empty for an unbroken line.
        dashes: &'static [f64],
    },
    /// A filled rectangle.
    Rectangle {
        /// The top left corner.
        corner: (f64, f64),
        /// Width and height.
        size: (f64, f64),
        /// The colour.
        paint: Paint,
        /// From 0, invisible, to 1.
        opacity: f64,
        /// What a reader is told who points at it; may be empty.
        hint: String,
    },
    /// A filled circle.
    Circle {
        /// The centre.
        centre: (f64, f64),
        /// The radius.
        radius: f64,
        /// The colour.
        paint: Paint,
        /// What a reader is told who points at it; may be empty.
        hint: String,
    },
    /// One line of text.
    Text {
        /// Where it stands, on its baseline.
        at: (f64, f64),
        /// What it says.
        text: String,
        /// Which end of it is there.
        anchor: Anchor,
        /// The size of its letters.
        size: f64,
        /// The colour.
        paint: Paint,
        /// Whether it is bold.
        bold: bool,
    },
}

/// A plot as shapes.
#[derive(Clone, Debug, PartialEq)]
pub struct Drawing {
    /// What it shows, for readers who cannot see it.
    pub title: String,
    /// Width in pixels.
    pub width: f64,
    /// Height in pixels.
    pub height: f64,
    /// What is drawn, from the bottom to the top.
    pub shapes: Vec<Shape>,
}

/// The size of ordinary text.
pub(crate) const TEXT: f64 = 13.0;
/// The size of numbers at axes.
pub(crate) const SMALL: f64 = 12.0;
/// The most columns of a name that are shown.
const MAX_LABEL: usize = 28;

impl Drawing {
    pub(crate) fn new(title: &str, width: f64, height: f64) -> Self {
        Self { title: title.to_owned(), width, height, shapes: Vec::new() }
    }

    /// A drawing with its title at the top, which takes [`heading_height`].
    pub(crate) fn with_heading(title: &str, note: &str, width: f64, height: f64) -> Self {
        let mut drawing = Self::new(title, width, height);
        if !title.is_empty() {
            drawing.text((0.0, 16.0), title, Anchor::Start, 15.0, Paint::Text, true);
        }
        if !note.is_empty() {
            let top = if title.is_empty() { 14.0 } else { 36.0 };
            drawing.text((0.0, top), note, Anchor::Start, SMALL, Paint::Muted, false);
        }
        drawing
    }

    pub(crate) fn line(&mut self, from: (f64, f64), to: (f64, f64), paint: Paint, width: f64) {
        self.shapes.push(Shape::Line { points: vec![from, to], paint, width, dashes: &[] });
    }

    pub(crate) fn dashed(&mut self, from: (f64, f64), to: (f64, f64)) {
        self.shapes.push(Shape::Line {
            points: vec![from, to],
            paint: Paint::Muted,
            width: 1.0,
            dashes: &[3.0, 3.0],
        });
    }

    pub(crate) fn text(
        &mut self,
        at: (f64, f64),
        text: &str,
        anchor: Anchor,
        size: f64,
        paint: Paint,
        bold: bool,
    ) {
        self.shapes.push(Shape::Text { at, text: text.to_owned(), anchor, size, paint, bold });
    }

    /// A name or value in ordinary type.
    pub(crate) fn label(&mut self, at: (f64, f64), text: &str, anchor: Anchor, paint: Paint) {
        self.text(at, &shortened(text), anchor, TEXT, paint, false);
    }

    /// A number at an axis.
    pub(crate) fn tick(&mut self, at: (f64, f64), text: &str, anchor: Anchor) {
        self.text(at, text, anchor, SMALL, Paint::Muted, false);
    }

    pub(crate) fn circle(&mut self, centre: (f64, f64), radius: f64, paint: Paint, hint: String) {
        self.shapes.push(Shape::Circle { centre, radius, paint, hint });
    }
}

/// The height that title and note take.
pub(crate) fn heading_height(title: &str, note: &str) -> f64 {
    match (title.is_empty(), note.is_empty()) {
        (true, true) => 0.0,
        (false, true) | (true, false) => 30.0,
        (false, false) => 50.0,
    }
}

/// About how wide a text is: fonts differ, and no more is needed to leave room for it.
pub(crate) fn text_width(text: &str, size: f64) -> f64 {
    columns(text) as f64 * size * 0.6
}

fn columns(text: &str) -> usize {
    text.chars().map(|char| char.width().unwrap_or(1)).sum()
}

/// A name no longer than there is room for.
pub(crate) fn shortened(text: &str) -> String {
    if columns(text) <= MAX_LABEL {
        return text.to_owned();
    }
    let mut used = 0;
    let kept = text.chars().take_while(|char| {
        used += char.width().unwrap_or(1);
        used < MAX_LABEL
    });
    kept.chain(std::iter::once('…')).collect()
}

/// The room that the widest of these labels needs.
pub(crate) fn widest<'a>(labels: impl Iterator<Item = &'a str>) -> f64 {
    labels.map(|label| text_width(&shortened(label), TEXT)).fold(0.0, f64::max)
}
