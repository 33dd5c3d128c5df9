//! How the weights that Agon ships were learnt, and how to learn others: one module a game.

pub mod game2048;
pub mod othello;
