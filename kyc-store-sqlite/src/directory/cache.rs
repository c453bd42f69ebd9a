use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};
use std::time::Instant;

use kyc_core::StoreError;

use super::rows;
use super::snapshot::Snapshot;
use crate::readers::Readers;

/// The directory in memory, at most some hundred milliseconds old.
///
/// Every request asks it, so it costs no look at the database but one now and then, by one thread,
/// which sees whether this or another process has changed something.
#[derive(Debug)]
pub(crate) struct Cache {
    current: RwLock<Arc<Snapshot>>,
    started: Instant,
    /// When the current snapshot was last known to be right, on the clock of [`Cache::now_ms`].
    checked_ms: AtomicU64,
    /// Held by the thread that looks.
    check: Mutex<()>,
}

impl Cache {
    pub(crate) fn load(readers: &Readers) -> Result<Self, StoreError> {
        let started = Instant::now();
        let snapshot = readers.read_now(Snapshot::load)?;
        let (current, check) = (RwLock::new(Arc::new(snapshot)), Mutex::new(()));
        Ok(Self { current, started, checked_ms: AtomicU64::new(CLOCK_START_MS), check })
    }

    /// The directory as it is, or was a moment ago.
    pub(super) fn snapshot(&self, readers: &Readers) -> Result<Arc<Snapshot>, StoreError> {
        let age_ms = self.age_ms();
        if age_ms < FRESH_MS {
            return Ok(self.current());
        }
        let check = if age_ms < USABLE_MS { self.check.try_lock().ok() } else { Some(self.lock()) };
        match check {
            // Somebody else looks already.
            None => Ok(self.current()),
            // Another thread may have looked while this one waited.
            Some(_) if self.age_ms() < FRESH_MS => Ok(self.current()),
            Some(check) => self.look(readers, &check),
        }
    }

    /// The directory as it is now. Those who are refused come here, and they may be many, so
    /// nobody waits for anybody unless something has changed.
    pub(super) fn snapshot_of_now(&self, readers: &Readers) -> Result<Arc<Snapshot>, StoreError> {
        let current = self.current();
        if readers.read_now(rows::revision)? == current.revision {
            return Ok(current);
        }
        self.look(readers, &self.lock())
    }

    /// Makes the next call look. What was changed before this call is seen by all that follow.
    pub(super) fn expire(&self) {
        let _check = self.lock();
        self.checked_ms.store(0, Ordering::Release);
    }

    fn look(&self, readers: &Readers, _: &MutexGuard<'_, ()>) -> Result<Arc<Snapshot>, StoreError> {
        let now_ms = self.now_ms();
        let current = self.current();
        let current = if readers.read_now(rows::revision)? == current.revision {
            current
        } else {
            let changed = Arc::new(readers.read_now(Snapshot::load)?);
            let mut place = self.current.write().unwrap_or_else(PoisonError::into_inner);
            place.clone_from(&changed);
            changed
        };
        self.checked_ms.store(now_ms, Ordering::Release);
        Ok(current)
    }

    fn current(&self) -> Arc<Snapshot> {
        Arc::clone(&self.current.read().unwrap_or_else(PoisonError::into_inner))
    }

    fn lock(&self) -> MutexGuard<'_, ()> {
        self.check.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn age_ms(&self) -> u64 {
        self.now_ms().saturating_sub(self.checked_ms.load(Ordering::Acquire))
    }

    fn now_ms(&self) -> u64 {
        let elapsed = u64::try_from(self.started.elapsed().as_millis()).unwrap_or(u64::MAX);
        elapsed.saturating_add(CLOCK_START_MS)
    }
}

/// So long nobody looks.
const FRESH_MS: u64 = 250;

/// So long others go on while one looks. Changes take effect within one second.
const USABLE_MS: u64 = 750;

/// Leaves room for a time that is older than any.
const CLOCK_START_MS: u64 = 10 * USABLE_MS;
