//! Tablut in the list of games.

use std::sync::Arc;

use agon_core::{Options, OptionsError};
use agon_erased::{GameEntry, Rules, Yardstick, erase};

use crate::{SPEC, Tablut};

/// The game's entry in the list of games.
pub static ENTRY: GameEntry = GameEntry {
    spec: &SPEC,
    imports: &[],
    variants: &["", "limit=20", "rules=bologna"],
    sample: include_str!("../data/sample.txt"),
    opening_rounds: 2,
    yardstick: Yardstick::Expectation,
    weights: None,
    build,
};

fn build(options: &Options) -> Result<Arc<dyn Rules>, OptionsError> {
    Ok(erase(&SPEC, Tablut::new(options)?))
}
