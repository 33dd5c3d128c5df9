//! What is written to the log about visitors: enough to see what they do, and no more however much they do.

use std::net::IpAddr;
use std::num::NonZeroU32;
use std::sync::atomic::{AtomicU64, Ordering};

use governor::{DefaultDirectRateLimiter, DefaultKeyedRateLimiter, Quota, RateLimiter};

use super::guard::REMEMBERED;
use crate::networks::counted_address;

/// Lines at once about one address; one a second after that.
const PER_ADDRESS: NonZeroU32 = NonZeroU32::new(10).expect("ten is not zero");
/// Lines a second about all addresses.
const IN_ALL: NonZeroU32 = NonZeroU32::new(50).expect("fifty is not zero");
/// The longest piece of what a visitor has sent, in characters.
const LONGEST: usize = 200;

/// What visitors were refused, as the log hears of it.
pub(super) struct RefusalLog {
    by_address: DefaultKeyedRateLimiter<IpAddr>,
    all: DefaultDirectRateLimiter,
    left_out: AtomicU64,
}

impl Default for RefusalLog {
    fn default() -> Self {
        let single = Quota::per_second(NonZeroU32::MIN).allow_burst(PER_ADDRESS);
        Self {
            by_address: RateLimiter::keyed(single),
            all: RateLimiter::direct(Quota::per_second(IN_ALL)),
            left_out: AtomicU64::new(0),
        }
    }
}

impl RefusalLog {
    /// Has `write` write a line about this address, which is told how many lines were left out before it, or leaves that out, too.
    pub(super) fn note(&self, address: IpAddr, write: impl FnOnce(u64)) {
        if self.by_address.check_key(&counted_address(address)).is_ok() && self.all.check().is_ok() {
            write(self.left_out.swap(0, Ordering::Relaxed));
        } else {
            self.left_out.fetch_add(1, Ordering::Relaxed);
            metrics::counter!("agon_log_lines_left_out_total").increment(1);
        }
        if self.by_address.len() > REMEMBERED {
            self.by_address.retain_recent();
        }
    }
}

/// What a visitor has sent, as much of it as a line of the log has room for.
pub(super) fn excerpt(text: &str) -> String {
    let end = text.char_indices().nth(LONGEST).map_or(text.len(), |(index, _)| index);
    text[..end]
        .chars()
        .flat_map(|char| if char.is_control() { char.escape_default().collect() } else { vec![char] })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_of_one_network_share_their_lines() {
        let log = RefusalLog::default();
        let written = (0..40u16)
            .filter(|number| {
                let mut is_written = false;
                log.note(IpAddr::from([0x2001, 0xdb8, 0, 0, 0, 0, 0, *number]), |_| is_written = true);
                is_written
            })
            .count();
        assert!((10..15).contains(&written), "{written} lines");
    }
}
