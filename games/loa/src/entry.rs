//! Lines of Action in the list of games.

use std::sync::Arc;

use agon_core::{Options, OptionsError};
use agon_erased::{GameEntry, Rules, Yardstick, erase};

use crate::{AnyLoa, SPEC};

/// The game's entry in the list of games.
pub static ENTRY: GameEntry = GameEntry {
    spec: &SPEC,
    imports: &[],
    variants: &["", "size=5", "size=6,rules=standard,first=white", "size=10", "size=13,first=white,turns=20"],
    sample: include_str!("../data/sample.txt"),
    opening_rounds: 1,
    yardstick: Yardstick::Expectation,
    weights: None,
    build,
};

fn build(options: &Options) -> Result<Arc<dyn Rules>, OptionsError> {
    Ok(match AnyLoa::new(options)? {
        AnyLoa::Small(game) => erase(&SPEC, game),
        AnyLoa::Medium(game) => erase(&SPEC, game),
        AnyLoa::Large(game) => erase(&SPEC, game),
    })
}
