//! Players by specification: bots of the house, and other people's programs.

use agon_registry::{Bot, MULTI, Rules, SpecificationError};

use crate::external::{self, Hosting};

/// The player that `specification` names, its randomness fixed by `seed`: a bot of the game, or `gtp:CMD`, `ugi:CMD` or
/// `jsonl:CMD` for another program, which is run as a process of this machine.
///
/// # Errors
/// If there is no such player.
pub fn player(rules: &dyn Rules, specification: &str, seed: u64) -> Result<Box<dyn Bot>, SpecificationError> {
    hosted_player(rules, specification, seed, &Hosting::default())
}

/// The same, with programs run as `hosting` says.
///
/// # Errors
/// If there is no such player.
pub fn hosted_player(
    rules: &dyn Rules,
    specification: &str,
    seed: u64,
    hosting: &Hosting,
) -> Result<Box<dyn Bot>, SpecificationError> {
    if external::recognise(specification).is_some() {
        external::program(rules, specification, hosting.clone())
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

/// Whether a specification sets `key`.
pub fn sets(specification: &str, key: &str) -> bool {
    let settings = specification.split_once(':').map_or("", |(_, settings)| settings);
    settings.split(',').any(|setting| setting.split_once('=').is_some_and(|(name, _)| name == key))
}

/// The same bot, finding the true scores of so many moves if it can and was not told of how many.
pub fn with_several_moves(rules: &dyn Rules, specification: &str, count: usize) -> String {
    let key = MULTI.key;
    let (name, settings) = specification.split_once(':').unwrap_or((specification, ""));
    let bots = rules.bots();
    let bot = bots.iter().find(|bot| bot.name == name);
    let can = bot.is_some_and(|bot| bot.parameters.iter().any(|parameter| parameter.key == key));
    match settings {
        _ if !can || sets(specification, key) => specification.to_owned(),
        "" => format!("{name}:{key}={count}"),
        _ => format!("{specification},{key}={count}"),
    }
}
