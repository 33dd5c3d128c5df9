//! Chinese Checkers in the list of games.

use std::sync::Arc;

use agon_core::{Options, OptionsError};
use agon_erased::{GameEntry, Rules, Yardstick, erase};

use crate::{ChineseCheckers, SPEC};

/// The game's entry in the list of games.
pub static ENTRY: GameEntry = GameEntry {
    spec: &SPEC,
    imports: &[],
    variants: &["", "seats=gy/rp/o", "seats=g/y/o/r/p/b,goal=fill,rounds=20"],
    sample: include_str!("../data/sample.txt"),
    opening_rounds: 1,
    yardstick: Yardstick::Expectation,
    weights: None,
    build,
};

fn build(options: &Options) -> Result<Arc<dyn Rules>, OptionsError> {
    Ok(erase(&SPEC, ChineseCheckers::new(options)?))
}
