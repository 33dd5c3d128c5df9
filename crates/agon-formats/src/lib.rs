//! Text formats of other programs: [GGF](ggf), and boards that are written square by square ([`grid`]).
//!
//! What is read here is text that has the format's form. Whether its moves are legal, the game says that reads it.

pub mod ggf;
pub mod grid;
