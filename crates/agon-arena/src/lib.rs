//! Games between players: how they are written down.

pub mod record;

pub use record::{Record, RecordError, RecordResult};
