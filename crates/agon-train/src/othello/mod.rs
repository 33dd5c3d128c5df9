//! Othello: weights of patterns from games between people and from games of the program against itself.
//!
//! Every position of a game is a sample; its label is the score of perfect play from the first position of the game
//! that could be solved, so that a mistake near the end does not spoil the positions before it. The weights of
//! each stage are then the least-squares solution, found by conjugate gradients.

mod deviation;
mod fit;
mod label;
mod self_play;
mod wthor;

pub use deviation::{Coefficients, Comparison, Difference, deviation, fit_deviation};
pub use fit::{Fit, StageReport, fit};
pub use label::{Labeller, Sample};
pub use self_play::SelfPlay;
pub use wthor::{WthorError, WthorGame, read_wthor};
