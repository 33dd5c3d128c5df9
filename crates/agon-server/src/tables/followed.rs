//! How much room the tables that somebody follows take in memory, and for whom. Each counts for the one because of whom it is there.

use std::collections::HashMap;
use std::hash::Hash;
use std::net::IpAddr;

use agon_messages::Refused;
use agon_protocol::web::RefusalCode;
use agon_table::TableId;

use crate::bots::Requester;
use crate::store::VisitorId;

/// How much room the tables that somebody follows may take together, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FollowedLimits {
    /// Because of one browser.
    pub browser: usize,
    /// Because of one address: a whole class may sit behind one.
    pub address: usize,
    /// In all.
    pub total: usize,
}

impl Default for FollowedLimits {
    fn default() -> Self {
        Self { browser: 16 << 20, address: 64 << 20, total: 1 << 30 }
    }
}

/// The tables that somebody follows.
#[derive(Default)]
pub(super) struct Followed {
    known: HashMap<TableId, (Requester, usize)>,
    of_browsers: HashMap<VisitorId, usize>,
    of_addresses: HashMap<IpAddr, usize>,
    total: usize,
}

impl Followed {
    /// Keeps room for a table that takes so many bytes. One that is followed already takes none.
    ///
    /// # Errors
    /// If there is none. Whoever follows nothing else may follow one table, however large.
    pub(super) fn reserve(
        &mut self,
        id: &TableId,
        by: Requester,
        bytes: usize,
        limits: &FollowedLimits,
    ) -> Result<(), Refused> {
        if self.known.contains_key(id) {
            return Ok(());
        }
        let of_browser = self.of_browsers.get(&by.visitor).copied().unwrap_or(0);
        let of_address = self.of_addresses.get(&by.address).copied().unwrap_or(0);
        let bounds = [
            (of_browser, limits.browser, "refused.followed-browser"),
            (of_address, limits.address, "refused.followed-address"),
            (self.total, limits.total, "refused.followed-total"),
        ];
        let is_full = |(used, most, _): &(usize, usize, &str)| *used > 0 && used + bytes > *most;
        if let Some((_, _, key)) = bounds.into_iter().find(is_full) {
            return Err(Refused::plain(RefusalCode::Limit, key));
        }
        self.insert(id, by, bytes);
        Ok(())
    }

    /// Notes how much room a table takes; if it is not known yet, because of whom.
    pub(super) fn insert(&mut self, id: &TableId, by: Requester, bytes: usize) {
        let by = self.remove(id).unwrap_or(by);
        *self.of_browsers.entry(by.visitor).or_default() += bytes;
        *self.of_addresses.entry(by.address).or_default() += bytes;
        self.total += bytes;
        self.known.insert(id.clone(), (by, bytes));
    }

    /// All of them.
    pub(super) fn tables(&self) -> impl Iterator<Item = &TableId> {
        self.known.keys()
    }

    /// Forgets a table, and says because of whom it was there.
    pub(super) fn remove(&mut self, id: &TableId) -> Option<Requester> {
        let (by, bytes) = self.known.remove(id)?;
        subtract(&mut self.of_browsers, &by.visitor, bytes);
        subtract(&mut self.of_addresses, &by.address, bytes);
        self.total -= bytes;
        Some(by)
    }
}

fn subtract<K: Eq + Hash>(counts: &mut HashMap<K, usize>, key: &K, bytes: usize) {
    if let Some(count) = counts.get_mut(key) {
        *count -= bytes;
        if *count == 0 {
            counts.remove(key);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn room_is_counted_by_browser_by_address_and_in_all() {
        let limits = FollowedLimits { browser: 100, address: 150, total: 200 };
        let by = |visitor: u8, address: u8| Requester::new(IpAddr::from([192, 0, 2, address]), [visitor; 32]);
        let mut followed = Followed::default();
        let mut reserve = |id: &str, by: Requester, bytes| {
            let reserved = followed.reserve(&id.to_owned(), by, bytes, &limits);
            reserved.map_err(|refused| refused.message.key)
        };
        assert_eq!(reserve("a", by(1, 1), 500), Ok(()), "one may be large");
        followed.insert(&"a".to_owned(), by(2, 2), 60);
        let mut reserve = |id: &str, by: Requester, bytes| {
            let reserved = followed.reserve(&id.to_owned(), by, bytes, &limits);
            reserved.map_err(|refused| refused.message.key)
        };
        assert_eq!(reserve("b", by(1, 1), 50), Err("refused.followed-browser".into()));
        assert_eq!(reserve("b", by(2, 1), 50), Ok(()));
        assert_eq!(reserve("b", by(3, 1), 5000), Ok(()), "it is there anyway");
        assert_eq!(reserve("c", by(3, 1), 50), Err("refused.followed-address".into()));
        assert_eq!(reserve("c", by(3, 2), 80), Ok(()));
        assert_eq!(reserve("d", by(4, 3), 50), Err("refused.followed-total".into()));
        for id in ["a", "b", "c"] {
            followed.remove(&id.to_owned());
        }
        assert!(
            followed.known.is_empty() && followed.of_browsers.is_empty() && followed.of_addresses.is_empty()
        );
        assert_eq!(followed.total, 0);
    }
}
