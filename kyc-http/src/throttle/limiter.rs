use std::collections::HashMap;
use std::fmt;
use std::hash::{BuildHasher, RandomState};
use std::net::IpAddr;
use std::num::NonZeroU32;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::{Duration, Instant};

use governor::clock::Clock;
use governor::nanos::Nanos;
use governor::state::{InMemoryState, NotKeyed};
use governor::{NotUntil, Quota, RateLimiter};
use kyc_core::{AccountName, ClientId};

use super::addresses::{Addresses, Glance};
use super::{Caller, Class, Rates, Throttle, TooMany};
use crate::interface::Peer;

/// A [`Throttle`] in the memory of this process: after a restart, everybody has everything again.
///
/// Each client and each inspector has a count of its own in each class. An address has one for
/// credentials that are missing or wrong; while that is used up, only callers who were let in from
/// there before are let in (D102). Cheap for whoever keeps within the rates: two atomic operations.
///
/// ```
/// use std::num::NonZeroU32;
///
/// use kyc_core::ClientId;
/// use kyc_http::throttle::{Caller, Class, Limiter, Rates, Throttle};
///
/// let limiter = Limiter::new(Rates { lists: NonZeroU32::new(2), ..Rates::default() });
/// let client = Caller::Client(ClientId::new(1).expect("a number of a client"));
/// assert!(limiter.admit(client, Class::List, None).is_ok());
/// assert!(limiter.admit(client, Class::List, None).is_ok());
///
/// let refused = limiter.admit(client, Class::List, None).unwrap_err();
/// assert_eq!(refused.limit, 2);
/// assert!(refused.retry_after.as_secs() <= 30);
/// assert!(limiter.admit(client, Class::Read, None).is_ok(), "counted for itself");
/// ```
pub struct Limiter {
    rates: Rates,
    time: Time,
    clients: Accounts<ClientId>,
    inspectors: Accounts<AccountName>,
    refusals: Option<Refusals>,
    hasher: RandomState,
}

impl Limiter {
    /// Limits to these rates, by the monotonic clock of the machine.
    pub fn new(rates: Rates) -> Self {
        let begin = Instant::now();
        Self::with_time(rates, move || begin.elapsed())
    }

    /// As [`new`](Self::new), by another clock: the time since any fixed moment, which never goes
    /// back.
    pub fn with_time(rates: Rates, time: impl Fn() -> Duration + Send + Sync + 'static) -> Self {
        let time = Time(Arc::new(time));
        Self {
            rates,
            clients: Accounts::default(),
            inspectors: Accounts::default(),
            refusals: rates.refusals.map(|rate| Refusals::new(rate, &time)),
            hasher: RandomState::new(),
            time,
        }
    }

    /// Lets nobody in for the first time from an address at which credentials are being tried.
    fn check_address(&self, account: &Account, peer: Option<Peer>) -> Result<(), TooMany> {
        let (Some(peer), Some(refusals)) = (peer, &self.refusals) else { return Ok(()) };
        let address = peer.counted_as();
        let mark = self.hasher.hash_one(address);
        if !account.was_at(mark) {
            refusals.glance(address)?;
            account.note(mark);
        }
        Ok(())
    }
}

impl Throttle for Limiter {
    fn admit(&self, caller: Caller<'_>, class: Class, peer: Option<Peer>) -> Result<(), TooMany> {
        let make = || Account::new(&self.rates, &self.time);
        let account = match caller {
            Caller::Client(client) => self.clients.of(&client, make),
            Caller::Inspector(inspector) => self.inspectors.of(inspector, make),
        };
        self.check_address(&account, peer)?;
        account.count(class, &self.time)
    }

    fn refuse(&self, peer: Option<Peer>) -> Result<(), TooMany> {
        let (Some(peer), Some(refusals)) = (peer, &self.refusals) else { return Ok(()) };
        refusals.count(peer.counted_as())
    }
}

impl fmt::Debug for Limiter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Limiter").field("rates", &self.rates).finish_non_exhaustive()
    }
}

/// What each caller has left. There are no more of these than callers with good credentials.
#[derive(Debug)]
struct Accounts<K>(RwLock<HashMap<K, Arc<Account>>>);

impl<K: Clone + Eq + std::hash::Hash> Accounts<K> {
    fn of(&self, caller: &K, make: impl FnOnce() -> Account) -> Arc<Account> {
        let known = self.0.read().unwrap_or_else(PoisonError::into_inner).get(caller).cloned();
        known.unwrap_or_else(|| {
            let mut accounts = self.0.write().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(accounts.entry(caller.clone()).or_insert_with(|| Arc::new(make())))
        })
    }
}

impl<K> Default for Accounts<K> {
    fn default() -> Self {
        Self(RwLock::default())
    }
}

#[derive(Debug)]
struct Account {
    uploads: Option<Bucket>,
    submissions: Option<Bucket>,
    reads: Option<Bucket>,
    lists: Option<Bucket>,
    reviews: Option<Bucket>,
    /// Marks of addresses from which the caller was let in, each at the place that it determines.
    addresses: [AtomicU64; ADDRESSES_OF_CALLER],
}

type Bucket = RateLimiter<NotKeyed, InMemoryState, Time>;

impl Account {
    fn new(rates: &Rates, time: &Time) -> Self {
        let bucket = |rate: Option<NonZeroU32>| {
            rate.map(|rate| Bucket::direct_with_clock(Quota::per_minute(rate), time.clone()))
        };
        Self {
            uploads: bucket(rates.uploads),
            submissions: bucket(rates.submissions),
            reads: bucket(rates.reads),
            lists: bucket(rates.lists),
            reviews: bucket(rates.reviews),
            addresses: Default::default(),
        }
    }

    fn count(&self, class: Class, time: &Time) -> Result<(), TooMany> {
        let bucket = match class {
            Class::Upload => &self.uploads,
            Class::Submit => &self.submissions,
            Class::Read => &self.reads,
            Class::List => &self.lists,
            Class::Review => &self.reviews,
        };
        let counted = bucket.as_ref().map_or(Ok(()), Bucket::check);
        counted.map_err(|not_until| too_many(&not_until, time))
    }

    fn was_at(&self, mark: u64) -> bool {
        self.place(mark).is_some_and(|place| place.load(Ordering::Relaxed) == mark)
    }

    fn note(&self, mark: u64) {
        if let Some(place) = self.place(mark) {
            place.store(mark, Ordering::Relaxed);
        }
    }

    fn place(&self, mark: u64) -> Option<&AtomicU64> {
        let places = self.addresses.len() as u64;
        self.addresses.get(usize::try_from(mark % places).ok()?)
    }
}

/// Counts credentials that are missing or wrong, by address.
#[derive(Debug)]
struct Refusals {
    time: Time,
    counting: RateLimiter<IpAddr, Addresses, Time>,
    glancing: RateLimiter<IpAddr, Glance, Time>,
}

impl Refusals {
    fn new(rate: NonZeroU32, time: &Time) -> Self {
        let (quota, addresses) = (Quota::per_minute(rate), Addresses::new(ADDRESSES_MAX));
        Self {
            counting: RateLimiter::new(quota, addresses.clone(), time.clone()),
            glancing: RateLimiter::new(quota, Glance(addresses), time.clone()),
            time: time.clone(),
        }
    }

    fn count(&self, address: IpAddr) -> Result<(), TooMany> {
        self.counting.check_key(&address).map_err(|not_until| too_many(&not_until, &self.time))
    }

    fn glance(&self, address: IpAddr) -> Result<(), TooMany> {
        self.glancing.check_key(&address).map_err(|not_until| too_many(&not_until, &self.time))
    }
}

fn too_many(not_until: &NotUntil<Nanos>, time: &Time) -> TooMany {
    TooMany {
        limit: not_until.quota().burst_size().get(),
        retry_after: not_until.wait_time_from(time.now()),
    }
}

/// The time since some fixed moment.
#[derive(Clone)]
struct Time(Arc<dyn Fn() -> Duration + Send + Sync>);

impl Clock for Time {
    type Instant = Nanos;

    fn now(&self) -> Nanos {
        u64::try_from((self.0)().as_nanos()).unwrap_or(u64::MAX).into()
    }
}

impl fmt::Debug for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Time")
    }
}

/// Addresses whose refusals are counted, about 10 MiB of them.
const ADDRESSES_MAX: usize = 65_536;
/// Addresses from which a caller is known: more than a client has gateways.
const ADDRESSES_OF_CALLER: usize = 32;
