//! Addresses as limits count them.

use std::net::{IpAddr, Ipv6Addr};

/// How many times as much as an address a larger network may use.
pub(crate) const WIDER: u32 = 8;

/// A network, by its address and how many bits of that count.
pub(crate) type Network = (IpAddr, u8);

/// The networks by which limits count that an address belongs to, and how many times as much as an address each may use. Whoever has
/// one IPv6 address has a network of 64 bits, and many get one of 80, whose limits are looser.
pub(crate) fn counted_networks(address: IpAddr) -> Vec<(Network, u32)> {
    match address {
        IpAddr::V4(_) => vec![((address, 32), 1)],
        IpAddr::V6(_) => vec![((network(address, 64), 64), 1), ((network(address, 48), 48), WIDER)],
    }
}

/// The address that stands for all those with which it shares turns.
pub(crate) fn counted_address(address: IpAddr) -> IpAddr {
    network(address, 64)
}

fn network(address: IpAddr, bits: u32) -> IpAddr {
    match address {
        IpAddr::V4(_) => address,
        IpAddr::V6(address) => {
            IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() & (u128::MAX << (128 - bits))))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_of_one_network_count_together() {
        let address = |text: &str| text.parse::<IpAddr>().expect("an address");
        let (one, other) = (address("2001:db8:1:2:3::4"), address("2001:db8:1:2:ffff::1"));
        assert_eq!(counted_networks(one), counted_networks(other));
        let of_next = counted_networks(address("2001:db8:1:3::1"));
        assert_ne!(counted_networks(one)[0], of_next[0]);
        assert_eq!(counted_networks(one)[1], of_next[1], "but a larger network has looser limits");
        assert_ne!(counted_networks(one)[1], counted_networks(address("2001:db8:2:2::1"))[1]);
        // The first network of a larger one has the same address, and is counted apart.
        let first = counted_networks(address("2001:db8:1::1"));
        assert!(first[0].0.0 == first[1].0.0 && first[0].0 != first[1].0);
        assert_ne!(counted_networks(address("192.0.2.1")), counted_networks(address("192.0.2.2")));
    }
}
