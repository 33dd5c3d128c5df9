//! 2048: the score, and room to go on.

use agon_core::{MAX_PLAYERS, Payoffs};
use agon_games::game2048::{Game2048, Position};
use agon_search::Evaluation;

use crate::Evaluated;

/// What an empty cell is worth in points: between moves that score alike, keep room.
const EMPTY_CELL: f32 = 4.0;

/// The score so far and a little for every empty cell.
#[derive(Clone, Copy, Debug)]
pub struct ScoreAndRoom;

impl Evaluation<Game2048> for ScoreAndRoom {
    fn evaluate(&self, _game: &Game2048, position: &Position) -> Payoffs {
        let mut payoffs = [0.0; MAX_PLAYERS];
        payoffs[0] = position.score() as f32 + EMPTY_CELL * position.board().count_empty() as f32;
        Payoffs(payoffs)
    }
}

impl Evaluated for Game2048 {
    type Evaluation = ScoreAndRoom;

    fn evaluation() -> ScoreAndRoom {
        ScoreAndRoom
    }
}
