//! Who is at the other end: networks that are trusted, and connections counted by address.

use std::collections::HashMap;
use std::net::IpAddr;
use std::str::FromStr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::interface::Peer;

/// One address, or all addresses that begin with the same bits.
///
/// # Syntax
///
/// An address, alone or with `/` and the number of bits that count: `10.1.0.0/16`, `fd00::/8`,
/// `127.0.0.1`.
///
/// ```
/// use kyc_http::server::Network;
///
/// let network: Network = "10.1.0.0/16".parse()?;
/// assert!(network.contains("10.1.200.3".parse()?));
/// assert!(!network.contains("10.2.0.1".parse()?));
/// assert!("10.1.0.0/33".parse::<Network>().is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Network {
    address: IpAddr,
    prefix_bits: u32,
}

impl Network {
    /// Whether an address belongs to this network. An IPv4 address inside an IPv6 one counts as
    /// IPv4, which is how a socket for both reports it.
    pub fn contains(self, address: IpAddr) -> bool {
        let common_bits = match (self.address, address.to_canonical()) {
            (IpAddr::V4(a), IpAddr::V4(b)) => (a.to_bits() ^ b.to_bits()).leading_zeros(),
            (IpAddr::V6(a), IpAddr::V6(b)) => (a.to_bits() ^ b.to_bits()).leading_zeros(),
            (IpAddr::V4(_), IpAddr::V6(_)) | (IpAddr::V6(_), IpAddr::V4(_)) => return false,
        };
        common_bits >= self.prefix_bits
    }
}

impl From<IpAddr> for Network {
    fn from(address: IpAddr) -> Self {
        let address = address.to_canonical();
        Self { address, prefix_bits: bits(address) }
    }
}

impl FromStr for Network {
    type Err = InvalidNetwork;

    fn from_str(text: &str) -> Result<Self, InvalidNetwork> {
        let (address, prefix_bits) = match text.split_once('/') {
            Some((address, bits)) => (address, Some(bits.parse().map_err(|_| InvalidNetwork)?)),
            None => (text, None),
        };
        let address: IpAddr = address.parse().map_err(|_| InvalidNetwork)?;
        let prefix_bits = prefix_bits.unwrap_or(bits(address));
        if prefix_bits > bits(address) {
            return Err(InvalidNetwork);
        }
        Ok(Self { address, prefix_bits })
    }
}

/// The text is no [`Network`].
///
/// ```
/// use kyc_http::server::{InvalidNetwork, Network};
///
/// assert_eq!("proxy.example".parse::<Network>(), Err(InvalidNetwork));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a network is an IP address, alone or with `/` and a number of bits")]
pub struct InvalidNetwork;

/// Counts the open connections of each address.
#[derive(Debug, Default)]
pub(super) struct Peers {
    open: Mutex<HashMap<IpAddr, usize>>,
}

impl Peers {
    /// Takes one of the `max` places that each address has; `None` if all are taken.
    pub(super) fn enter(self: &Arc<Self>, address: IpAddr, max: usize) -> Option<Place> {
        let address = Peer(address).counted_as();
        let mut open = self.open();
        let count = open.entry(address).or_default();
        if *count >= max {
            return None;
        }
        *count += 1;
        Some(Place { peers: Arc::clone(self), address })
    }

    fn leave(&self, address: IpAddr) {
        let mut open = self.open();
        // Addresses without connections are forgotten, so the map is no larger than the sockets.
        match open.get_mut(&address) {
            Some(count) if *count > 1 => *count -= 1,
            Some(_) | None => drop(open.remove(&address)),
        }
    }

    fn open(&self) -> MutexGuard<'_, HashMap<IpAddr, usize>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// One connection of an address, until it is dropped.
#[derive(Debug)]
pub(super) struct Place {
    peers: Arc<Peers>,
    address: IpAddr,
}

impl Drop for Place {
    fn drop(&mut self) {
        self.peers.leave(self.address);
    }
}

fn bits(address: IpAddr) -> u32 {
    match address {
        IpAddr::V4(_) => 32,
        IpAddr::V6(_) => 128,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(network: &str, address: &str, contained: bool) {
        let network: Network = network.parse().unwrap();
        assert_eq!(network.contains(address.parse().unwrap()), contained);
    }

    #[test]
    fn a_network_is_the_addresses_with_its_first_bits() {
        check("127.0.0.1", "127.0.0.1", true);
        check("127.0.0.1", "127.0.0.2", false);
        check("10.0.0.0/8", "10.255.0.1", true);
        check("10.0.0.0/8", "11.0.0.1", false);
        check("0.0.0.0/0", "203.0.113.9", true);
        check("0.0.0.0/0", "::1", false);
        check("10.0.0.0/8", "::ffff:10.1.2.3", true);
        check("fd00::/8", "fd12::1", true);
        check("fd00::/8", "fe80::1", false);
    }

    #[test]
    fn what_is_no_network_is_refused() {
        for text in ["", "/8", "10.0.0.0/", "10.0.0.0/33", "::/129", "10.0.0.0/-1", "10.0.0/8"] {
            assert_eq!(text.parse::<Network>(), Err(InvalidNetwork), "{text}");
        }
    }

    #[test]
    fn a_place_is_free_again_when_its_connection_ends() {
        let peers = Arc::new(Peers::default());
        let address = "192.0.2.1".parse().unwrap();
        let first = peers.enter(address, 1);
        assert!(first.is_some());
        assert!(peers.enter(address, 1).is_none());
        drop(first);
        assert!(peers.enter(address, 1).is_some());
        assert!(peers.open().is_empty());
    }

    #[test]
    fn an_ipv6_machine_counts_once() {
        let peers = Arc::new(Peers::default());
        let _first = peers.enter("2001:db8::1".parse().unwrap(), 1).unwrap();
        assert!(peers.enter("2001:db8::ffff:2".parse().unwrap(), 1).is_none());
        assert!(peers.enter("2001:db8:0:1::1".parse().unwrap(), 1).is_some());
    }
}
