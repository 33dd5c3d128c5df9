//! What games on boards share: sets of squares as bits, run-length rows, coordinates, diagrams.

pub mod bits;
pub mod notation;

pub use bits::{Bits, Rows};
