//! Who takes part, and where their players come from.

use std::sync::Arc;

use agon_erased::{Bot, Clock, Rules};
use agon_match::{Occupant, Seat, TimeControl};
use agon_players::external::{Hosting, program_of};

use crate::experiment::telemetry::{Metered, TelemetrySink};
use crate::experiment::{Job, JobPlayer};
use crate::program_keys::Program;
use crate::referee::Contestant;

/// A seat of one game, for which a player is to be made.
#[derive(Clone, Copy)]
pub struct PlayerRequest<'a> {
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
    /// Fixes the player's randomness.
    pub seed: u64,
    /// Where a player that is measured records what its searches do.
    pub telemetry: &'a TelemetrySink,
}

impl PlayerRequest<'_> {
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

    /// The same, measured while it plays, and thinking by a clock of its own instead of the referee's.
    ///
    /// # Errors
    /// As above.
    pub fn metered_bot(self, clock: Arc<dyn Clock>) -> Result<Contestant, String> {
        let sink = self.telemetry.clone();
        let bot = Metered { bot: self.bot()?, sink, clock: Some(clock), liaison: None };
        Ok(Contestant::house(Box::new(bot), self.seed))
    }

    /// The program that the job names, measured while it plays: `program` found on this machine, and run as `hosting` says.
    ///
    /// # Errors
    /// If it cannot play this game.
    pub fn metered_program(self, program: &Program, hosting: Hosting) -> Result<Contestant, String> {
        let Occupant::Program(spec) = &self.player.plays else {
            return Err("no program plays here".to_owned());
        };
        let liaison = Arc::clone(&hosting.liaison);
        let bot = program_of(self.rules, spec, program.command.clone(), hosting);
        let bot = bot.map_err(|error| error.to_string())?;
        let sink = self.telemetry.clone();
        let bot = Metered { bot, sink, clock: None, liaison: Some(Arc::clone(&liaison)) };
        Ok(Contestant::program(Box::new(bot), self.seed, liaison))
    }
}

/// Makes the player for one seat of one game, so that no game depends on another; or says why it cannot.
pub type MakePlayer<'a> = dyn Fn(PlayerRequest<'_>) -> Result<Contestant, String> + Sync + 'a;

/// Who takes part.
#[derive(Clone, Debug)]
pub struct Entrant {
    /// How matches seat it.
    pub seat: Seat,
    /// The time that it is given.
    pub control: TimeControl,
}
