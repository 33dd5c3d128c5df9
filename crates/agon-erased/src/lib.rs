//! Games, running games and bots behind object-safe traits: the only place where their types are erased.
//!
//! A game crate hands its typed rules to [`erase`] and publishes a [`GameEntry`]. Whoever knows a game only by its name (the command
//! line, a server, a referee) builds [`Rules`] from option text and plays through a [`Session`]. Moves cross this
//! boundary as text; behind it everything is typed again.

mod bot_spec;
mod bots;
mod entry;
mod expertise;
mod session;

use agon_core::text::or_list;

pub use agon_search::explore;
pub use agon_search::parameters::{MAX_TIME, MULTI};
pub use agon_search::{
    Bound, Budget, Clock, Feature, Limits, PROVEN, ScoredMove, Statistic, SystemClock, Thought, Unit, WIN,
    proven_in,
};
pub use bot_spec::{BotSpec, BotSpecError};
pub use bots::{Bot, BotError, BotListing, Offence, SpecificationError};
pub use entry::{GameEntry, Import, ImportError, Imported, Yardstick};
pub use expertise::{EvaluationSpec, Expertise, Preset};
pub use session::{OpenError, Playable, Rules, Session, erase};

/// What to tell somebody who asked for a `name` that is not among the candidates.
pub fn advice<'a>(name: &str, candidates: impl Iterator<Item = &'a str> + Clone) -> String {
    match nearest(name, candidates.clone()) {
        Some(meant) => format!("did you mean {meant}?"),
        None => format!("choose {}", or_list(candidates)),
    }
}

/// The candidate nearest to a misspelt `name`, if any is near enough to be meant.
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    // Edit distance is quadratic; nobody misspells a name at such length.
    if name.len() > 64 {
        return None;
    }
    candidates
        .into_iter()
        .map(|candidate| (strsim::damerau_levenshtein(&name.to_lowercase(), candidate), candidate))
        .filter(|(distance, candidate)| 2 * distance < candidate.len())
        .min()
        .map(|(_, candidate)| candidate)
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn near_misses_are_recognised_and_far_ones_are_not() {
        let games = ["othello", "tablut", "loa", "chinese-checkers", "2048"];
        assert_eq!(nearest("otello", games), Some("othello"));
        assert_eq!(nearest("Tablutt", games), Some("tablut"));
        assert_eq!(nearest("chinese_checkers", games), Some("chinese-checkers"));
        assert_eq!(nearest("backgammon", games), None);
        assert_eq!(nearest("go", games), None);
        assert_eq!(nearest(&"x".repeat(100_000), games), None);
    }
}
