//! What `/readyz` says (D78).

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use kyc_core::{Clock, Retention, SystemClock, Timestamp};
use kyc_http::{BackupReadiness, BackupState, ListReadiness, Readiness};
use kyc_screening::{Library, Mode, Policy};
use kyc_store_sqlite::SqliteStore;

use crate::backup::is_too_old;
use crate::config::Backups;
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
    pub(super) backups: Option<Backups>,
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
            backup: self.backups.as_ref().map(|backups| backup_readiness(backups, at)),
        }
    }
}

/// A folder that cannot be read has no backup that helps.
fn backup_readiness(backups: &Backups, at: Timestamp) -> BackupReadiness {
    let last = backups.shelf.newest().ok().flatten();
    let Some(last) = last else {
        return BackupReadiness { state: BackupState::Missing, age: None };
    };
    let passed = u64::try_from(at.unix_millis() - last.unix_millis()).unwrap_or(0);
    let age = Duration::from_millis(passed);
    let state =
        if is_too_old(age, backups.every) { BackupState::TooOld } else { BackupState::Current };
    BackupReadiness { state, age: Some(age) }
}

const FRESH: Duration = Duration::from_secs(1);
