//! Tables whose cells are shaded by their values.

use crate::drawing::{SMALL, heading_height, widest};
use crate::{Anchor, Drawing, Paint, Shape};

/// A cell.
#[derive(Clone, Debug, PartialEq)]
pub struct Cell {
    /// From -1, the strongest shade of the second colour, over 0, no shade, to 1, the strongest of the first.
    pub shade: f64,
    /// What stands in it; short.
    pub text: String,
    /// What a reader is told who points at it; may be empty.
    pub hint: String,
}

/// A heat map or cross table.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HeatMap {
    /// What it shows; may be empty where a page has a heading.
    pub title: String,
    /// A remark below the title; may be empty.
    pub note: String,
    /// The names of rows.
    pub rows: Vec<String>,
    /// The names of columns; short ones, such as numbers.
    pub columns: Vec<String>,
    /// The rows of cells; `None` where there is nothing to say.
    pub cells: Vec<Vec<Option<Cell>>>,
}

impl HeatMap {
    /// Draws it.
    pub fn draw(&self) -> Drawing {
        const HIGH: f64 = 30.0;
        let wide = self
            .cells
            .iter()
            .flatten()
            .flatten()
            .map(|cell| cell.text.as_str())
            .chain(self.columns.iter().map(String::as_str));
        let wide = (widest(wide) + 14.0).max(42.0);
        let top = heading_height(&self.title, &self.note) + 24.0;
        let left = widest(self.rows.iter().map(String::as_str)) + 14.0;
        let width = left + wide * self.columns.len() as f64 + 4.0;
        let height = top + HIGH * self.rows.len() as f64 + 4.0;
        let mut drawing = Drawing::with_heading(&self.title, &self.note, width, height);
        for (index, name) in self.columns.iter().enumerate() {
            let x = left + wide * (index as f64 + 0.5);
            drawing.text((x, top - 8.0), name, Anchor::Middle, SMALL, Paint::Muted, false);
        }
        for (row, name) in self.rows.iter().enumerate() {
            let y = top + HIGH * row as f64;
            drawing.label((left - 8.0, y + HIGH / 2.0 + 4.5), name, Anchor::End, Paint::Text);
            let cells = self.cells.get(row).map_or(&[][..], Vec::as_slice);
            for (column, cell) in cells.iter().enumerate().take(self.columns.len()) {
                let x = left + wide * column as f64;
                let shade = cell.as_ref().map_or(0.0, |cell| cell.shade.clamp(-1.0, 1.0));
                let shade = if shade.is_nan() { 0.0 } else { shade };
                let (paint, opacity) = match cell {
                    None => (Paint::Grid, 0.6),
                    // Faint enough for the text on it, in both themes.
                    Some(_) if shade < 0.0 => (Paint::Series(1), -0.42 * shade),
                    Some(_) => (Paint::Series(0), 0.42 * shade),
                };
                let hint = cell.as_ref().map_or_else(String::new, |cell| cell.hint.clone());
                drawing.shapes.push(Shape::Rectangle {
                    corner: (x + 1.0, y + 1.0),
                    size: (wide - 2.0, HIGH - 2.0),
                    paint,
                    opacity,
                    hint,
                });
                if let Some(cell) = cell {
                    let at = (x + wide / 2.0, y + HIGH / 2.0 + 4.5);
                    drawing.label(at, &cell.text, Anchor::Middle, Paint::Text);
                }
            }
        }
        drawing
    }
}
