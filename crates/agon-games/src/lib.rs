//! The rules of the five games, one folder each: options, position, rules, notation.
//!
//! Every folder exports its `SPEC` (what the game is called and which options it takes) and a type or
//! a small enum of types that implement [`agon_core::Game`] and [`agon_core::Notation`], built from
//! [`agon_core::Options`]. What several games share lives in [`board`].

pub mod board;
pub mod chinese_checkers;
pub mod game2048;
pub mod loa;
pub mod othello;
pub mod tablut;
