//! What the lists say otherwise than those that a result agrees with.

use std::collections::BTreeMap;
use std::sync::Arc;

use kyc_core::{Covered, Editions, Screening};
use kyc_screening::{Delta, Library, LibraryError};

use super::Lists;
use crate::exit::{Failure, chain};

/// What lists say otherwise than earlier ones.
pub(super) enum Change {
    Records(Delta),
    /// The earlier ones are gone, so anything may have changed.
    Unknown,
}

/// Compares the lists with earlier ones, once with each.
pub(super) struct Changes {
    library: Library,
    target: Lists,
    known: BTreeMap<Lists, Arc<Change>>,
}

impl Changes {
    pub(super) fn new(library: Library) -> Self {
        Self { library, target: Lists::new(), known: BTreeMap::new() }
    }

    /// What `target` says otherwise than `earlier`.
    pub(super) fn since(
        &mut self,
        earlier: &Lists,
        target: &Lists,
    ) -> Result<Arc<Change>, Failure> {
        if self.target != *target {
            self.target.clone_from(target);
            self.known.clear();
        }
        if let Some(known) = self.known.get(earlier) {
            return Ok(Arc::clone(known));
        }
        let change = match self.library.delta(earlier, target) {
            Ok(delta) => Change::Records(delta),
            Err(error @ LibraryError::EarlierEdition { .. }) => {
                let error = chain(&error);
                tracing::warn!(error, "everybody whose result rests on it is screened again");
                Change::Unknown
            }
            Err(error) => return Err(error.into()),
        };
        let change = Arc::new(change);
        self.known.insert(earlier.clone(), Arc::clone(&change));
        Ok(change)
    }

    /// Forgets what was compared: a comparison with a large list takes as much memory as the list.
    pub(super) fn forget(&mut self) {
        self.known.clear();
    }
}

/// The lists with which a result agrees: those of the last walk, if it has seen the result, or
/// those with which it was made.
pub(super) fn lists_of(screening: &Screening, covered: Option<&Covered>) -> Lists {
    let was_there = |covered: &&Covered| {
        screening.at.unix_millis() + UNSEEN_MILLIS < covered.since.unix_millis()
    };
    match covered.filter(was_there) {
        Some(covered) => covered.editions.lists.clone(),
        None => Editions::of(screening).lists,
    }
}

/// A result from shortly before a walk may have been stored behind its back, by a process that
/// still had earlier lists. What it was made with is right in any case.
const UNSEEN_MILLIS: i64 = 10 * 60 * 1_000;
