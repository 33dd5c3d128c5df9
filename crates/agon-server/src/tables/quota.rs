//! How much of the server's disk visitors may use, and when games go that nobody wants any more.

use std::net::IpAddr;
use std::num::NonZeroU32;
use std::time::Duration;

use agon_messages::Refused;
use agon_protocol::web::RefusalCode;
use governor::clock::{Clock, DefaultClock};
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};

use crate::store::{Stored, Usage};

/// What visitors may store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StoredLimits {
    /// Games, and the bytes of their events, that one browser has opened.
    pub browser: Stored,
    /// The same from one address: a whole class may sit behind one.
    pub address: Stored,
    /// Bytes of the whole database.
    pub total: u64,
    /// After how many days a game goes that nobody has opened.
    pub kept_days: u32,
    /// The same for uploaded records.
    pub uploads_kept_days: u32,
}

impl Default for StoredLimits {
    fn default() -> Self {
        Self {
            browser: Stored { games: 5_000, bytes: 100 << 20 },
            address: Stored { games: 50_000, bytes: 1 << 30 },
            total: 20 << 30,
            kept_days: 365,
            uploads_kept_days: 30,
        }
    }
}

impl StoredLimits {
    /// Refuses to store more if there is no room for it.
    pub(super) fn check(&self, used: &Usage) -> Result<(), Refused> {
        let is_full = |used: Stored, most: Stored| used.games >= most.games || used.bytes >= most.bytes;
        let full = |key, games: u64| Err(Refused::new(RefusalCode::Limit, key, [("n", games.into())]));
        if is_full(used.browser, self.browser) {
            full("refused.stored-browser", used.browser.games)
        } else if is_full(used.address, self.address) {
            full("refused.stored-address", used.address.games)
        } else if used.total >= self.total {
            Err(Refused::plain(RefusalCode::Limit, "refused.stored-total"))
        } else {
            Ok(())
        }
    }
}

/// How much room a new game takes, about, in bytes.
pub(crate) const NEW_GAME_BYTES: usize = 1 << 10;

/// How many kilobytes an address may store at once.
const BURST: u32 = 16 << 10;
/// How many it may store in a second after that.
const PER_SECOND: u32 = 16;
/// After so many addresses those are forgotten that have not been heard of for a while.
const REMEMBERED: usize = 10_000;

/// How fast addresses store.
pub(super) struct StoringPace {
    kilobytes: DefaultKeyedRateLimiter<IpAddr>,
}

impl Default for StoringPace {
    fn default() -> Self {
        let nonzero = |number: u32| NonZeroU32::new(number).unwrap_or(NonZeroU32::MIN);
        let quota = Quota::per_second(nonzero(PER_SECOND)).allow_burst(nonzero(BURST));
        Self { kilobytes: RateLimiter::keyed(quota) }
    }
}

impl StoringPace {
    /// Counts so many bytes that are to be stored for an address, or says when it may store them.
    pub(super) fn count(&self, address: IpAddr, bytes: usize) -> Result<(), Refused> {
        let kilobytes = u32::try_from(bytes.div_ceil(1024)).unwrap_or(u32::MAX).clamp(1, BURST);
        let kilobytes = NonZeroU32::new(kilobytes).unwrap_or(NonZeroU32::MIN);
        let wait = match self.kilobytes.check_key_n(&address, kilobytes) {
            Ok(Ok(())) => None,
            Ok(Err(not_yet)) => Some(not_yet.wait_time_from(DefaultClock::default().now())),
            // More than may ever come at once, which was excluded.
            Err(_) => Some(Duration::from_secs(3600)),
        };
        if self.kilobytes.len() > REMEMBERED {
            self.kilobytes.retain_recent();
        }
        match wait {
            None => Ok(()),
            Some(wait) => {
                let minutes = wait.as_secs().div_ceil(60).max(1);
                Err(Refused::new(RefusalCode::Limit, "refused.stored-fast", [("n", minutes.into())]))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn room_is_bounded_for_browsers_addresses_and_all() {
        let limits = StoredLimits::default();
        let used = Usage::default();
        assert_eq!(limits.check(&used), Ok(()));
        let browser = Usage { browser: limits.browser, ..used };
        let address = Usage { address: Stored { games: 1, bytes: limits.address.bytes }, ..used };
        let total = Usage { total: limits.total, ..used };
        for (used, key) in [
            (browser, "refused.stored-browser"),
            (address, "refused.stored-address"),
            (total, "refused.stored-total"),
        ] {
            let refused = limits.check(&used).expect_err("there is no room");
            assert_eq!((refused.code, &*refused.message.key), (RefusalCode::Limit, key));
        }
    }

    #[test]
    fn an_address_that_stores_fast_is_told_when_to_come_back() {
        let pace = StoringPace::default();
        let (one, other) = ([192, 0, 2, 1].into(), [192, 0, 2, 2].into());
        // Records of 84 kB, as many as come in ten seconds at 29 a second.
        let stored = (0..290).take_while(|_| pace.count(one, 84 << 10).is_ok()).count();
        assert!((190..210).contains(&stored), "{stored}");
        let refused = pace.count(one, 84 << 10).expect_err("it has stored enough");
        assert_eq!(refused.message.text, "Much has been stored from your address. Try again in 1 minute.");
        assert_eq!(pace.count(other, 84 << 10), Ok(()), "others may");
        // A class of sixty opens games.
        let class = [192, 0, 2, 3].into();
        assert!((0..60 * 20).all(|_| pace.count(class, 2000).is_ok()));
    }
}
