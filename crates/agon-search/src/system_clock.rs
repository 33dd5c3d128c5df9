//! The machine's own clock, and what is measured on it for convenience. WebAssembly has no such clock: reading it would panic there, so
//! none of this exists and whoever asks for a move brings a clock along.

use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::limits::{Budget, Clock, Limits, Watch};

/// The machine's own clock.
#[derive(Clone, Copy, Debug)]
pub struct SystemClock(Instant);

impl Default for SystemClock {
    fn default() -> Self {
        Self(Instant::now())
    }
}

impl Clock for SystemClock {
    fn now(&self) -> Duration {
        self.0.elapsed()
    }
}

impl Budget {
    /// A budget on the machine's clock.
    pub fn new(limits: Limits) -> Self {
        Self::on_clock(limits, Arc::new(SystemClock::default()))
    }

    /// A budget for a judgement of the position on the machine's clock: within `limits`, or, if there are none, within those by
    /// which the bot plays.
    pub fn analysis(limits: Limits) -> Self {
        let keeps_own_limits = limits == Limits::default();
        Self { keeps_own_limits, is_analysis: true, ..Self::new(limits) }
    }
}

impl Watch {
    /// A watch without limits.
    pub fn unlimited() -> Self {
        Budget { keeps_own_limits: false, ..Budget::new(Limits::default()) }.watch(Limits::default())
    }
}
