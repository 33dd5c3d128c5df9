//! What a game is worth.

use serde::{Deserialize, Serialize};

use super::Outcome;

/// How a game went for a player. Technical results are kinds of their own: a technical win is not also a win.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Standing {
    /// Lost by an offence of one's own.
    TechnicalLoss,
    /// Lost.
    Loss,
    /// Drawn.
    Draw,
    /// Won by an offence of somebody else.
    TechnicalWin,
    /// Won.
    Win,
}

impl Standing {
    /// The share of a game that statistics count: 1 for any win, a half for a draw.
    pub fn share(self) -> f64 {
        match self {
            Self::Win | Self::TechnicalWin => 1.0,
            Self::Draw => 0.5,
            Self::Loss | Self::TechnicalLoss => 0.0,
        }
    }
}

/// The rules of points, as the section `[points]` of a tournament file has them.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Points {
    /// For a game won.
    #[serde(serialize_with = "super::json::amount")]
    pub win: f64,
    /// For a game drawn.
    #[serde(serialize_with = "super::json::amount")]
    pub draw: f64,
    /// For a game lost.
    #[serde(serialize_with = "super::json::amount")]
    pub loss: f64,
    /// For a game that somebody else lost by an offence.
    #[serde(serialize_with = "super::json::amount")]
    pub technical_win: f64,
    /// For a game lost by an offence.
    #[serde(serialize_with = "super::json::amount")]
    pub technical_loss: f64,
}

impl Default for Points {
    fn default() -> Self {
        Self { win: 3.0, draw: 1.0, loss: 0.0, technical_win: 2.0, technical_loss: -2.0 }
    }
}

impl Points {
    /// The points for one player's result.
    pub fn of(&self, standing: Standing) -> f64 {
        match standing {
            Standing::Win => self.win,
            Standing::Draw => self.draw,
            Standing::Loss => self.loss,
            Standing::TechnicalWin => self.technical_win,
            Standing::TechnicalLoss => self.technical_loss,
        }
    }

    /// What each of so many seats gets for a game.
    pub fn awarded(&self, outcome: &Outcome, seats: usize) -> Vec<f64> {
        (0..seats).map(|seat| self.of(outcome.standing(seat))).collect()
    }
}
