//! Othello: weights of patterns from games of the program against itself and from games between people.
//!
//! Every position of a game is a sample; its label is made of what a search says of it and of the score of perfect play from the
//! first position of the game that could be solved, so that a mistake near the end does not spoil the positions before it. The weights of
//! each stage are then the least-squares solution, found by conjugate gradients; with them the searches are made anew, and the weights
//! fitted again.

mod deviation;
mod fit;
mod generation;
mod label;
mod sample;
mod sample_file;
mod self_play;
mod trial;
mod wthor;

pub use deviation::{Coefficients, Comparison, Difference, deviation, fit_deviation};
pub use fit::{Fit, StageReport, fit};
pub use generation::{generate, relabel};
pub use label::Labeller;
pub use sample::{SAMPLE_BYTES, Sample, Source};
pub use sample_file::{Recipe, SampleFile, SampleFileError};
pub use self_play::SelfPlay;
pub use trial::{Trial, TrialScore};
pub use wthor::{WthorError, WthorGame, read_wthor};
