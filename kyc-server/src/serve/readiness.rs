//! What `/readyz` says (D78).

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use kyc_core::{Clock, Retention, SystemClock};
use kyc_http::{ListReadiness, Readiness};
use kyc_screening::{Library, Mode, Policy};
use kyc_store_sqlite::SqliteStore;

use crate::exit::chain;
use crate::fitness::{Fit, Fitness};

/// Finds out whether the service can do its work.
#[derive(Debug)]
pub(super) struct Check {
    pub(super) store: SqliteStore,
    pub(super) library: Library,
    pub(super) mode: Mode,
    pub(super) policy: Policy,
    /// Whether the worker could load the current lists.
    pub(super) are_loaded: Arc<AtomicBool>,
    pub(super) last: Mutex<Option<(Instant, Readiness)>>,
}

impl Check {
    /// What was found out within the last second: strangers may ask as often as they like.
    pub(super) fn readiness(&self) -> Readiness {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((at, readiness)) = last.as_ref()
            && at.elapsed() < FRESH
        {
            return readiness.clone();
        }
        let readiness = self.find_out();
        *last = Some((Instant::now(), readiness.clone()));
        readiness
    }

    fn find_out(&self) -> Readiness {
        let store = self.store.check();
        if let Err(error) = &store {
            tracing::error!(error = chain(error), "the store is not ready");
        }
        let at = SystemClock.now();
        let fitness = Fitness::of(&self.library, self.mode, &self.policy, at);
        let (screening, lists) = match fitness {
            Ok(Fitness { screening, lists, .. }) => (screening, lists),
            Err(error) => {
                tracing::error!(error = chain(&error), "the lists are not ready");
                (false, Vec::new())
            }
        };
        let list = |Fit { list, state, is_required, status }| ListReadiness {
            list,
            state,
            is_required,
            age: status.and_then(|status| status.age),
        };
        let waiting = self.store.runs().map(|runs| runs.waiting.is_some());
        Readiness {
            retention_waits: waiting.unwrap_or(true),
            store: store.is_ok(),
            screening,
            loaded: self.are_loaded.load(Ordering::Relaxed),
            lists: lists.into_iter().map(list).collect(),
        }
    }
}

const FRESH: Duration = Duration::from_secs(1);
