//! Players by specification: bots of the house, and other people's programs.

use agon_registry::{Bot, BotSpec, MULTI, Rules, SpecificationError};

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
        rules.bot(&specification.parse()?, seed)
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
    specification.parse::<BotSpec>().is_ok_and(|spec| spec.sets(key))
}

/// The same bot, finding the true scores of so many moves if it can and was not told of how many.
pub fn with_several_moves(rules: &dyn Rules, specification: &str, count: usize) -> String {
    let key = MULTI.key;
    let can = |spec: &BotSpec| {
        let bots = rules.bots();
        let bot = bots.iter().find(|bot| bot.name == spec.name());
        bot.is_some_and(|bot| bot.parameters.iter().any(|parameter| parameter.key == key))
    };
    let spec = specification.parse::<BotSpec>().ok().filter(|spec| can(spec) && !spec.sets(key));
    let changed = spec.and_then(|spec| spec.with(key, count).ok());
    changed.map_or_else(|| specification.to_owned(), |spec| spec.to_string())
}
