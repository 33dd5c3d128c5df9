//! Plots for reports: [`LinePlot`], [`BarChart`], [`DotPlot`] and [`HeatMap`].
//!
//! A plot becomes a [`Drawing`], a list of shapes whose colours are roles. A drawing becomes SVG, which follows the reader's light or
//! dark theme, or a PNG in one theme. Nothing is loaded from anywhere, and every text is escaped.

mod axis;
mod bars;
mod dots;
mod drawing;
mod heat;
mod lines;
pub mod markup;
mod png;
mod svg;
mod theme;

pub use axis::{Axis, Scale};
pub use bars::{Bar, BarChart};
pub use dots::{Dot, DotPlot, Tone};
pub use drawing::{Anchor, Drawing, Paint, Shape};
pub use heat::{Cell, HeatMap};
pub use lines::{LinePlot, Point, Series};
pub use png::PngError;
pub use svg::STYLE;
pub use theme::Theme;
