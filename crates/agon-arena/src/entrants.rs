//! Who takes part, and where their players come from.

use agon_core::Player;
use agon_core::random::mix;
use agon_match::{Seat, TimeControl};
use agon_registry::Rules;

use crate::referee::Contestant;

/// A chair for which a player is wanted.
#[derive(Clone, Copy)]
pub struct Chair<'a> {
    /// The rules of the game.
    pub rules: &'a dyn Rules,
    /// Who is to play, by index among the entrants.
    pub entrant: usize,
    /// The number of the game.
    pub game: usize,
    /// The chair among all of the game, in turn order.
    pub place: usize,
    /// Fixes the player's randomness.
    pub seed: u64,
}

/// Makes a player for one chair; or says why it cannot.
pub type MakePlayer<'a> = dyn Fn(Chair<'_>) -> Result<Contestant, String> + Sync + 'a;

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
    /// A player for every seat of a board, whose chairs are those from `first` on; or the seat whose player could not be made, and
    /// why.
    pub(crate) fn contestants(
        &self,
        rules: &dyn Rules,
        seats: &[usize],
        game: usize,
        first: usize,
        seed: u64,
    ) -> Result<Vec<Contestant>, (Player, String)> {
        (0..)
            .zip(seats)
            .map(|(seat, &entrant)| {
                let place = first + usize::from(seat);
                let chair = Chair { rules, entrant, game, place, seed: mix(seed, u64::from(seat)) };
                (self.make)(chair).map_err(|fault| (Player(seat), fault))
            })
            .collect()
    }
}
