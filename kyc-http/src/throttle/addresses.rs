//! What is known of addresses, in a table that does not grow.

use std::collections::HashMap;
use std::mem;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use governor::nanos::Nanos;
use governor::state::StateStore;

/// When each address may be refused for the next time.
///
/// Two generations: addresses are noted in the young one; when that is full, it becomes the old one,
/// and what was the old one is forgotten. So new addresses always find a place, no request pays for
/// clearing up, and an address that comes again keeps its place.
#[derive(Debug, Clone)]
pub(super) struct Addresses(Arc<Mutex<Generations>>);

#[derive(Debug, Default)]
struct Generations {
    young: HashMap<IpAddr, Nanos>,
    old: HashMap<IpAddr, Nanos>,
    /// Addresses in one generation.
    addresses_max: usize,
}

impl Addresses {
    /// A table of at most `addresses_max` addresses.
    pub(super) fn new(addresses_max: usize) -> Self {
        let generations = Generations { addresses_max: addresses_max / 2, ..Default::default() };
        Self(Arc::new(Mutex::new(generations)))
    }

    #[cfg(test)]
    fn len(&self) -> usize {
        let generations = self.lock();
        generations.young.len() + generations.old.len()
    }

    fn lock(&self) -> MutexGuard<'_, Generations> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Generations {
    fn get(&self, address: IpAddr) -> Option<Nanos> {
        self.young.get(&address).or_else(|| self.old.get(&address)).copied()
    }

    fn set(&mut self, address: IpAddr, due: Nanos) {
        if self.young.len() >= self.addresses_max && !self.young.contains_key(&address) {
            self.old = mem::take(&mut self.young);
        }
        self.young.insert(address, due);
    }
}

impl StateStore for Addresses {
    type Key = IpAddr;

    fn measure_and_replace<T, F, E>(&self, address: &IpAddr, measure: F) -> Result<T, E>
    where
        F: Fn(Option<Nanos>) -> Result<(T, Nanos), E>,
    {
        let mut generations = self.lock();
        let known = generations.get(*address);
        let measured = measure(known);
        // One that is refused again and again keeps its place, too.
        let due = measured.as_ref().map_or(known, |(_, due)| Some(*due));
        if let Some(due) = due {
            generations.set(*address, due);
        }
        measured.map(|(outcome, _)| outcome)
    }
}

/// The same table, measured without counting.
#[derive(Debug)]
pub(super) struct Glance(pub(super) Addresses);

impl StateStore for Glance {
    type Key = IpAddr;

    fn measure_and_replace<T, F, E>(&self, address: &IpAddr, measure: F) -> Result<T, E>
    where
        F: Fn(Option<Nanos>) -> Result<(T, Nanos), E>,
    {
        let known = self.0.lock().get(*address);
        measure(known).map(|(outcome, _)| outcome)
    }
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use super::*;

    const ADDRESSES_MAX: usize = 1_000;

    fn address(number: u32) -> IpAddr {
        IpAddr::V4(Ipv4Addr::from_bits(number))
    }

    fn note(addresses: &Addresses, number: u32) {
        let note = |_| Ok::<_, ()>(((), Nanos::from(u64::from(number))));
        addresses.measure_and_replace(&address(number), note).unwrap();
    }

    fn known(addresses: &Addresses, number: u32) -> Option<Nanos> {
        Glance(addresses.clone())
            .measure_and_replace(&address(number), |known| Ok::<_, ()>((known, Nanos::default())))
            .unwrap()
    }

    #[test]
    fn t32_a_million_addresses_do_not_grow_the_table() {
        let addresses = Addresses::new(ADDRESSES_MAX);
        for number in 0..1_000_000 {
            note(&addresses, number);
            assert!(addresses.len() <= ADDRESSES_MAX);
            assert_eq!(known(&addresses, number), Some(u64::from(number).into()), "no place");
        }
        let generations = addresses.lock();
        let capacity = generations.young.capacity() + generations.old.capacity();
        assert!(capacity < 4 * ADDRESSES_MAX, "{capacity} places are kept");
    }

    #[test]
    fn an_address_that_comes_again_is_not_forgotten_for_new_ones() {
        let addresses = Addresses::new(ADDRESSES_MAX);
        note(&addresses, 7);
        for number in 1_000..100_000 {
            note(&addresses, number);
            if number % 100 == 0 {
                let refuse = |_| Err::<((), Nanos), _>(());
                assert!(addresses.measure_and_replace(&address(7), refuse).is_err());
            }
        }
        assert_eq!(known(&addresses, 7), Some(7.into()));
        assert_eq!(known(&addresses, 1_000), None, "long ago");
    }

    #[test]
    fn a_glance_changes_nothing() {
        let addresses = Addresses::new(ADDRESSES_MAX);
        assert_eq!(known(&addresses, 3), None);
        assert_eq!(addresses.len(), 0);
    }
}
