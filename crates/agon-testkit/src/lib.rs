//! Checks that every game must pass, written once. A new game inherits them by one call of
//! [`conformance`].

mod conformance;
mod symmetry;

pub use conformance::conformance;
pub use symmetry::{square_images, with_rows};
