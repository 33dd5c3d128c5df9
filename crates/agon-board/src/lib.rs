//! What games on boards share: sets of squares as bits, symmetries, run-length rows, coordinates, diagrams, views.

pub mod bits;
pub mod notation;
pub mod symmetry;
pub mod view;

pub use bits::{Bits, Rows};
