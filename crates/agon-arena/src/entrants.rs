//! Who takes part in a duel, and where their players come from.

use agon_core::Player;
use agon_core::random::mix;
use agon_registry::{Bot, Limits, Rules};

use crate::referee::{Contestant, Fault};
use crate::schedule::Side;

/// Makes a player of a side for one seat, its randomness fixed by the number; or says why it cannot.
pub type MakePlayer<'a> = dyn Fn(&dyn Rules, Side, u64) -> Result<Box<dyn Bot>, String> + Sync + 'a;

/// Who takes part.
#[derive(Clone, Debug)]
pub struct Entrant {
    /// What records call it.
    pub name: String,
    /// What it may use for a move.
    pub limits: Limits,
}

/// Those who take part, and where their players come from: a new one for every seat of every game, so that no game depends
/// on another.
#[derive(Clone)]
pub struct Entrants<'a> {
    /// One for each side that plays.
    pub entrants: Vec<Entrant>,
    /// Makes their players.
    pub make: &'a MakePlayer<'a>,
}

impl Entrants<'_> {
    /// A player for every seat; or the seat whose player could not be made.
    pub(crate) fn contestants(
        &self,
        rules: &dyn Rules,
        seats: &[Side],
        seed: u64,
    ) -> Result<Vec<Contestant>, (Player, Fault)> {
        (0..)
            .zip(seats)
            .map(|(seat, &side)| {
                let bot = (self.make)(rules, side, mix(seed, u64::from(seat)))
                    .map_err(|detail| (Player(seat), Fault { reason: "setup", detail }))?;
                Ok(Contestant { bot, limits: self.entrants[side.index()].limits })
            })
            .collect()
    }
}
