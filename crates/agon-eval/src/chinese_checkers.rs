//! Chinese Checkers: progress.

use agon_core::{Game, Payoffs, Player};
use agon_games::chinese_checkers::{ChineseCheckers, Position};
use agon_search::Evaluation;

use crate::Evaluated;

/// More steps than any seat can have left: three colours, each with at most the 110 of its start.
const FAR: f32 = 360.0;

/// How many steps fewer a seat has left than the others on average, as a share of [`FAR`].
#[derive(Clone, Copy, Debug)]
pub struct Progress;

impl Evaluation<ChineseCheckers> for Progress {
    fn evaluate(&self, game: &ChineseCheckers, position: &Position) -> Payoffs {
        let players = game.players();
        let mut left = Payoffs::default();
        for (seat, steps) in left.0[..players].iter_mut().enumerate() {
            *steps = game.progress(position, Player(seat as u8)).1 as f32;
        }
        let all: f32 = left.0[..players].iter().sum();
        let mut payoffs = Payoffs::default();
        for (value, own) in payoffs.0[..players].iter_mut().zip(left.0) {
            *value = ((all - own) / (players - 1) as f32 - own) / FAR;
        }
        payoffs
    }
}

impl Evaluated for ChineseCheckers {
    type Evaluation = Progress;

    fn evaluation() -> Progress {
        Progress
    }
}
