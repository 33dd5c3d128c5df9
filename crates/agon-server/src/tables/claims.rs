//! At how many tables bots may think at once, for one browser and for one address. A browser can have a new name every time; an address is
//! harder to come by.

use std::collections::{HashMap, HashSet};
use std::hash::Hash;
use std::net::IpAddr;

use agon_messages::Refused;
use agon_protocol::web::RefusalCode;

use super::Limits;
use crate::bots::Requester;
use crate::store::{TableId, VisitorId};

/// The tables at which bots may think.
#[derive(Default)]
pub(super) struct Claims {
    of_browsers: TablesOf<VisitorId>,
    of_addresses: TablesOf<IpAddr>,
}

/// Tables by whoever has them, none without any.
type TablesOf<K> = HashMap<K, HashSet<TableId>>;

impl Claims {
    /// Why there is no place for another table, if there is none.
    pub(super) fn refuses(&self, by: Requester, limits: &Limits) -> Option<Refused> {
        let refused =
            |key, most: usize| Some(Refused::new(RefusalCode::Limit, key, [("n", (most as u64).into())]));
        if count(&self.of_browsers, &by.visitor) >= limits.bot_games {
            refused("refused.too-many-games", limits.bot_games)
        } else if count(&self.of_addresses, &by.address) >= limits.address_bot_games {
            refused("refused.too-many-games-address", limits.address_bot_games)
        } else {
            None
        }
    }

    /// Takes a place, and says whether there was one.
    pub(super) fn take(&mut self, by: Requester, table: &TableId, limits: &Limits) -> bool {
        let fits = self.refuses(by, limits).is_none();
        if fits {
            self.of_browsers.entry(by.visitor).or_default().insert(table.clone());
            self.of_addresses.entry(by.address).or_default().insert(table.clone());
        }
        fits
    }

    /// Gives a place back.
    pub(super) fn give_back(&mut self, by: Requester, table: &TableId) {
        remove(&mut self.of_browsers, &by.visitor, table);
        remove(&mut self.of_addresses, &by.address, table);
    }
}

fn count<K: Eq + Hash>(tables: &TablesOf<K>, key: &K) -> usize {
    tables.get(key).map_or(0, HashSet::len)
}

fn remove<K: Eq + Hash>(tables: &mut TablesOf<K>, key: &K, table: &TableId) {
    if let Some(own) = tables.get_mut(key) {
        own.remove(table);
        if own.is_empty() {
            tables.remove(key);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_counted_by_browser_and_by_address() {
        let limits = Limits { bot_games: 2, address_bot_games: 3, ..Limits::default() };
        let by = |visitor: u8, address: u8| Requester::new(IpAddr::from([192, 0, 2, address]), [visitor; 32]);
        let table = |number: u8| format!("table {number}");
        let mut claims = Claims::default();
        assert!(claims.take(by(1, 1), &table(1), &limits) && claims.take(by(1, 1), &table(2), &limits));
        assert!(!claims.take(by(1, 2), &table(3), &limits), "a browser has two");
        assert!(claims.take(by(2, 1), &table(3), &limits));
        let refused = claims.refuses(by(3, 1), &limits).expect("an address has three");
        assert_eq!(refused.message.key, "refused.too-many-games-address");
        assert!(claims.take(by(3, 2), &table(4), &limits), "others are not affected");
        claims.give_back(by(1, 1), &table(1));
        assert!(claims.take(by(3, 1), &table(5), &limits));
        for (who, number) in [(by(1, 1), 2), (by(2, 1), 3), (by(3, 2), 4), (by(3, 1), 5)] {
            claims.give_back(who, &table(number));
        }
        assert!(
            claims.of_browsers.is_empty() && claims.of_addresses.is_empty(),
            "nothing is kept of who has gone"
        );
    }
}
