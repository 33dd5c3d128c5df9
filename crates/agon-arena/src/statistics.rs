//! What results say about players, and how certain that is.
//!
//! Between two players: a [`Tally`] counts games. Its score is (wins + draws / 2) / games, with Wilson's 95% interval, every game a
//! trial in which a draw is half a success: that is never too narrow for draws, and it holds for few games and for scores near 0
//! and 1, where a normal interval has no width. The error of the Elo difference and the likelihood of superiority are taken from
//! pairs of games with swapped sides (five possible scores per pair), which cancels what openings are worth; a few imagined pairs of
//! coin tosses keep them honest while there are few.
//!
//! When to stop: [`Sprt`] is the generalised likelihood ratio over pairs in its normal approximation,
//! <https://www.cantate.be/Fishtest/GSPRT_approximation.pdf>; a [`ConfidenceSequence`] is an interval that may be looked at after every
//! observation.
//!
//! Between many players: [`rating`] fits the Bradley-Terry model with draws and first-move advantage.

mod matrix;
pub mod normal;
pub mod rating;
mod sequence;
mod sprt;
mod tally;

pub use matrix::Cholesky;
pub use sequence::ConfidenceSequence;
pub use sprt::{Decision, Sprt};
pub use tally::{Score, Tally};

/// A difference of one in the natural logarithm of the odds, in Elo.
const ELO_PER_UNIT: f64 = 400.0 / std::f64::consts::LN_10;

/// The Elo difference that a score between 0 and 1 stands for.
pub fn elo(score: f64) -> f64 {
    400.0 * (score / (1.0 - score)).log10()
}

/// The score to expect at an Elo difference.
pub fn expected(elo: f64) -> f64 {
    1.0 / (1.0 + 10_f64.powf(-elo / 400.0))
}
