//! Players by specification: bots of the house, and other people's programs.

use agon_erased::{Bot, BotSpec, MULTI, Rules, SpecificationError};
use agon_match::Occupant;

use crate::external::{self, Hosting};

/// The bot that plays for `occupant`, its randomness fixed by `seed`; programs are run as processes of this machine.
///
/// # Errors
/// If there is no such player. Nobody plays for a person.
pub fn player(rules: &dyn Rules, occupant: &Occupant, seed: u64) -> Result<Box<dyn Bot>, SpecificationError> {
    hosted_player(rules, occupant, seed, &Hosting::default())
}

/// The same, with programs run as `hosting` says.
///
/// # Errors
/// If there is no such player. Nobody plays for a person.
pub fn hosted_player(
    rules: &dyn Rules,
    occupant: &Occupant,
    seed: u64,
    hosting: &Hosting,
) -> Result<Box<dyn Bot>, SpecificationError> {
    match occupant {
        Occupant::Bot(spec) => rules.bot(spec, seed),
        Occupant::Program(program) => external::program(rules, program, hosting.clone()),
        Occupant::Person => {
            let fault = "a person cannot play here".to_owned();
            Err(SpecificationError::Program { name: occupant.to_string(), fault })
        }
    }
}

/// The bot that plays where none is named: our best one.
pub fn default_bot(rules: &dyn Rules) -> BotSpec {
    const BEST: &str = "expert";
    let bots = rules.bots();
    BotSpec::named(bots.iter().find(|bot| bot.name == BEST).or(bots.last()).map_or(BEST, |bot| bot.name))
}

/// The same bot, finding the true scores of so many moves if it can and was not told of how many.
pub fn with_several_moves(rules: &dyn Rules, spec: BotSpec, count: usize) -> BotSpec {
    let key = MULTI.key;
    let bots = rules.bots();
    let bot = bots.iter().find(|bot| bot.name == spec.name());
    let can = bot.is_some_and(|bot| bot.parameters.iter().any(|parameter| parameter.key == key));
    let changed = if can && !spec.sets(key) { spec.with(key, count).ok() } else { None };
    changed.unwrap_or(spec)
}
