//! Who takes part, and where their players come from.

use agon_erased::{Bot, Rules};
use agon_match::{Occupant, Seat, TimeControl};

use crate::experiment::telemetry::{Metered, TelemetrySink};
use crate::experiment::{Job, JobPlayer};
use crate::referee::Contestant;

/// A chair for which a player is wanted.
#[derive(Clone, Copy)]
pub struct Chair<'a> {
    /// The rules of the game.
    pub rules: &'a dyn Rules,
    /// What is played.
    pub job: &'a Job,
    /// Who is to play.
    pub player: &'a JobPlayer,
    /// The side that the player belongs to: in duels, its index among the entrants.
    pub entrant: usize,
    /// The number of the game.
    pub game: usize,
    /// The chair among all of the game, in turn order.
    pub place: usize,
    /// Fixes the player's randomness.
    pub seed: u64,
    /// Where a player that is measured notes what its searches do.
    pub telemetry: &'a TelemetrySink,
}

impl Chair<'_> {
    fn bot(&self) -> Result<Box<dyn Bot>, String> {
        match &self.player.plays {
            Occupant::Bot(spec) => self.rules.bot(spec, self.seed).map_err(|error| error.to_string()),
            Occupant::Program(_) | Occupant::Person => Err("only bots of the house play here".to_owned()),
        }
    }

    /// The bot of the house that the job names.
    ///
    /// # Errors
    /// If that is no bot, or one that cannot play this game.
    pub fn house_bot(self) -> Result<Contestant, String> {
        Ok(Contestant::house(self.bot()?, self.seed))
    }

    /// The same, measured while it plays.
    ///
    /// # Errors
    /// As above.
    pub fn metered_bot(self) -> Result<Contestant, String> {
        let bot = Metered { bot: self.bot()?, sink: self.telemetry.clone() };
        Ok(Contestant::house(Box::new(bot), self.seed))
    }
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
