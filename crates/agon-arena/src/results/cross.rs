//! The cross table: what each player has done against each other one.

use std::collections::HashMap;

use super::{GameResult, Outcome, Player, Standing};
use crate::statistics::Score;

/// What one player has done against another.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Cross {
    /// Games that they have played against each other.
    pub games: usize,
    /// Points that the player got in these games.
    pub points: f64,
    /// Wins, technical ones included.
    pub wins: usize,
    /// Draws.
    pub draws: usize,
    /// Losses, technical ones included.
    pub losses: usize,
}

impl Cross {
    /// The share of games won, a draw being a half.
    pub(crate) fn share(&self) -> f64 {
        (self.wins as f64 + self.draws as f64 / 2.0) / self.games.max(1) as f64
    }

    fn count(&mut self, game: &GameResult, one: usize, other: usize) {
        self.games += 1;
        self.points += game.points.get(one).copied().unwrap_or(0.0);
        match compared(game, one, other) {
            Some(Score::Win) => self.wins += 1,
            Some(Score::Draw) => self.draws += 1,
            // Who fails together with the other has lost too.
            Some(Score::Loss) => self.losses += 1,
            None if game.standing(one) == Standing::TechnicalLoss => self.losses += 1,
            None => self.draws += 1,
        }
    }
}

/// What each player, numbered as in `players`, has done against each other one.
pub(super) fn cross_table(players: &[Player], games: &[GameResult]) -> Vec<Vec<Cross>> {
    let index: HashMap<&str, usize> =
        players.iter().enumerate().map(|(index, player)| (player.name.as_str(), index)).collect();
    let mut table = vec![vec![Cross::default(); players.len()]; players.len()];
    for game in games {
        let seats: Vec<Option<usize>> =
            game.seats.iter().map(|name| index.get(name.as_str()).copied()).collect();
        for (one, player) in seats.iter().enumerate() {
            for (other, opponent) in seats.iter().enumerate() {
                let (Some(player), Some(opponent)) = (*player, *opponent) else { continue };
                if player != opponent {
                    table[player][opponent].count(game, one, other);
                }
            }
        }
    }
    table
}

/// How one seat did against another; `None` if the game does not tell them apart.
pub(crate) fn compared(game: &GameResult, one: usize, other: usize) -> Option<Score> {
    match &game.outcome {
        Outcome::Placed { places, .. } => Some(match places.get(one)?.cmp(places.get(other)?) {
            std::cmp::Ordering::Less => Score::Win,
            std::cmp::Ordering::Equal => Score::Draw,
            std::cmp::Ordering::Greater => Score::Loss,
        }),
        Outcome::Technical { .. } => match (game.standing(one), game.standing(other)) {
            (Standing::TechnicalWin, Standing::TechnicalLoss) => Some(Score::Win),
            (Standing::TechnicalLoss, Standing::TechnicalWin) => Some(Score::Loss),
            _ => None,
        },
    }
}
