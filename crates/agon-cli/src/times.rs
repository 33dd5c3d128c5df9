//! Times as arguments.

use std::time::Duration;

use agon_core::text::{duration, duration_text, quote};
use agon_erased::MAX_TIME;

/// The shortest time that a move can be given.
const MIN_TIME: Duration = Duration::from_millis(1);

/// Reads a time for a move: from a millisecond to a day, with its unit.
pub(crate) fn duration_argument(text: &str) -> Result<Duration, String> {
    match duration(text)? {
        time if (MIN_TIME..=MAX_TIME).contains(&time) => Ok(time),
        _ => Err(format!(
            "{} is not a time from {} to {}",
            quote(text),
            duration_text(MIN_TIME),
            duration_text(MAX_TIME)
        )),
    }
}
