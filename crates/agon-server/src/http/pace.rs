//! How slow somebody may be: who sends or reads less than this is given up, whatever they say.

use std::time::Duration;

use tokio::time::Instant;

/// How long anything may take, however little of it there is.
const PATIENCE: Duration = Duration::from_secs(15);
/// How many bytes a second must come or go after that, on average.
const SLOWEST: u64 = 4 << 10;

/// How far something has come that is sent or read.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pace {
    began: Instant,
    bytes: u64,
}

impl Pace {
    /// It begins now.
    pub(super) fn begin() -> Self {
        Self { began: Instant::now(), bytes: 0 }
    }

    /// So many more bytes have come or gone.
    pub(super) fn add(&mut self, bytes: usize) {
        self.bytes = self.bytes.saturating_add(bytes as u64);
    }

    /// When it is too late for the next byte.
    pub(super) fn deadline(&self) -> Instant {
        self.began + PATIENCE + Duration::from_millis(self.bytes.saturating_mul(1000) / SLOWEST)
    }
}
