//! Games written down. A [`Record`] is a projection of a match: a few header lines, an empty line, the moves. It can be read without
//! knowing its game, replayed, and taken up again as the match that it came from.

mod boards;
mod date;
mod matches;
mod record;
mod sentence;

pub use boards::recorded_board;
pub use record::{MAX_BYTES, Record, RecordError, RecordResult};
