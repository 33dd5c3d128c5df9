//! Who takes part in a duel, and where their players come from.

use agon_core::Player;
use agon_core::random::mix;
use agon_match::{Seat, TimeControl};
use agon_registry::{Bot, Rules};

use crate::referee::Contestant;
use crate::schedule::Contender;

/// Makes a player of a side for one seat, its randomness fixed by the number; or says why it cannot.
pub type MakePlayer<'a> = dyn Fn(&dyn Rules, Contender, u64) -> Result<Box<dyn Bot>, String> + Sync + 'a;

/// Who takes part.
#[derive(Clone, Debug)]
pub struct Entrant {
    /// How matches seat it.
    pub seat: Seat,
    /// The time that it is given.
    pub control: TimeControl,
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
    /// A player for every seat; or the seat whose player could not be made, and why.
    pub(crate) fn contestants(
        &self,
        rules: &dyn Rules,
        seats: &[Contender],
        seed: u64,
    ) -> Result<Vec<Contestant>, (Player, String)> {
        (0..)
            .zip(seats)
            .map(|(seat, &side)| {
                let seed = mix(seed, u64::from(seat));
                let bot = (self.make)(rules, side, seed).map_err(|fault| (Player(seat), fault))?;
                Ok(Contestant { bot, seed })
            })
            .collect()
    }
}
