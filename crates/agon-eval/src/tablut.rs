//! Tablut: material.

use agon_core::Payoffs;
use agon_games::board::Bits;
use agon_games::tablut::{Position, Side, Tablut};
use agon_search::Evaluation;

use crate::{Evaluated, opposed};

/// The share of the defenders alive less that of the attackers, seen from the king's side.
#[derive(Clone, Copy, Debug)]
pub struct Material;

impl Evaluation<Tablut> for Material {
    fn evaluate(&self, game: &Tablut, position: &Position) -> Payoffs {
        let white = position.defenders().count() as f32 / 16.0 - position.attackers().count() as f32 / 32.0;
        opposed(if game.player(Side::Defenders).index() == 0 { white } else { -white })
    }
}

impl Evaluated for Tablut {
    type Evaluation = Material;

    fn evaluation() -> Material {
        Material
    }
}
