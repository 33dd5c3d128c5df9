//! 2048 in the list of games.

use std::sync::Arc;

use agon_core::{Options, OptionsError};
use agon_erased::{GameEntry, Rules, Yardstick, erase};

use crate::expertise::weights::SHIPPED;
use crate::{Game2048, SPEC};

/// The game's entry in the list of games.
pub static ENTRY: GameEntry = GameEntry {
    spec: &SPEC,
    imports: &[],
    variants: &[""],
    sample: include_str!("../data/sample.txt"),
    opening_rounds: 0,
    yardstick: Yardstick::Share,
    weights: Some(&SHIPPED),
    build,
};

fn build(options: &Options) -> Result<Arc<dyn Rules>, OptionsError> {
    Ok(erase(&SPEC, Game2048::new(options)?))
}
