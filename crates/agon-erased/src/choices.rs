//! Bots chosen for those who name none, or leave something open.

use agon_search::parameters::MULTI;

use crate::{BotSpec, Rules};

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
