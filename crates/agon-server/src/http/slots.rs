//! How many connections there may be: in all, and from one address or network.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::networks::{Network, counted_networks};

/// The connections that there are.
#[derive(Debug)]
pub(super) struct Slots {
    total: usize,
    per_address: usize,
    taken: Mutex<Taken>,
}

#[derive(Debug, Default)]
struct Taken {
    total: usize,
    by_network: HashMap<Network, usize>,
}

/// One of the connections that there may be, until it is dropped.
#[derive(Debug)]
pub(super) struct Slot {
    slots: Arc<Slots>,
    /// Whose it is; `None` for a trusted proxy, which speaks for many.
    address: Option<IpAddr>,
}

impl Slots {
    /// So many in all, and so many from one address.
    pub(super) fn new(total: usize, per_address: usize) -> Arc<Self> {
        Arc::new(Self { total, per_address, taken: Mutex::default() })
    }

    fn taken(&self) -> MutexGuard<'_, Taken> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes one for an address, or for a trusted proxy if there is none; `None` if there are too many.
    pub(super) fn take(self: &Arc<Self>, address: Option<IpAddr>) -> Option<Slot> {
        let mut taken = self.taken();
        if taken.total >= self.total {
            return None;
        }
        let networks = address.map(counted_networks).unwrap_or_default();
        let is_full = |(network, factor): &(Network, u32)| {
            let most = self.per_address.saturating_mul(*factor as usize);
            taken.by_network.get(network).is_some_and(|count| *count >= most)
        };
        if networks.iter().any(is_full) {
            return None;
        }
        for (network, _) in networks {
            *taken.by_network.entry(network).or_default() += 1;
        }
        taken.total += 1;
        Some(Slot { slots: Arc::clone(self), address })
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        let mut taken = self.slots.taken();
        taken.total -= 1;
        for (network, _) in self.address.map(counted_networks).unwrap_or_default() {
            if let Some(count) = taken.by_network.get_mut(&network) {
                *count -= 1;
                if *count == 0 {
                    taken.by_network.remove(&network);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn connections_are_counted_by_address_and_in_all() {
        let (slots, anna, benno) =
            (Slots::new(3, 2), IpAddr::from([10, 0, 0, 1]), IpAddr::from([10, 0, 0, 2]));
        let first = slots.take(Some(anna)).expect("the first");
        let _second = slots.take(Some(anna)).expect("the second");
        assert!(slots.take(Some(anna)).is_none(), "two are enough for an address");
        let _proxy = slots.take(None).expect("a proxy");
        assert!(slots.take(Some(benno)).is_none(), "three are enough in all");
        drop(first);
        let again = slots.take(Some(benno)).expect("one has gone");
        drop(again);
        let taken = slots.taken();
        assert_eq!(taken.by_network.len(), 1, "nothing is kept of who has gone");
    }
}
