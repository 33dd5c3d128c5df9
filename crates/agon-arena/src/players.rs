//! Players by specification: bots of the house, and other people's programs.

use agon_registry::{Bot, Rules, SpecificationError};

use crate::external::{self, Patience};

/// The player that `specification` names, its randomness fixed by `seed`: a bot of the game, or `gtp:CMD`, `ugi:CMD` or
/// `jsonl:CMD` for another program.
///
/// # Errors
/// If there is no such player.
pub fn player(rules: &dyn Rules, specification: &str, seed: u64) -> Result<Box<dyn Bot>, SpecificationError> {
    if external::recognise(specification).is_some() {
        external::program(rules, specification, Patience::default())
    } else {
        rules.bot(specification, seed)
    }
}

/// The bot that plays where none is named: our best one.
pub fn default_bot(rules: &dyn Rules) -> &'static str {
    const BEST: &str = "expert";
    let bots = rules.bots();
    bots.iter().find(|bot| bot.name == BEST).or(bots.last()).map_or(BEST, |bot| bot.name)
}
