//! The lists that the worker screens with.

use kyc_core::{Service, Timestamp};
use kyc_screening::{Library, LibraryError, Mode, Options, Policy, Revision, SanctionsScreener};

use crate::cautious::Cautious;
use crate::exit::no_result;
use crate::fitness::{Fitness, NOBODY_IS_SCREENED};
use crate::monitoring::Tally;

/// Lists in use.
pub(super) struct Lists {
    pub(super) revision: Revision,
    pub(super) screener: Cautious,
    policy: Policy,
    /// Whether the policy takes them; `None` until it was asked.
    are_fit: Option<bool>,
    /// When they were about to be loaded: before, screenings may have had others.
    pub(super) loaded_at: Timestamp,
    /// Whether there may be results that they would not give.
    pub(super) are_ahead: bool,
    /// What was done about it so far.
    pub(super) walked: Tally,
}

impl Lists {
    /// Loads the current lists.
    pub(super) fn load(
        library: &Library,
        mode: Mode,
        policy: &Policy,
        service: &Service,
    ) -> Result<Self, LibraryError> {
        let (revision, loaded_at) = (library.revision()?, service.now());
        let engine = library.load(&Options::default())?;
        let screener = SanctionsScreener::new(mode, policy.clone(), engine);
        for list in screener.status(loaded_at) {
            tracing::info!(
                list = list.version.list,
                version = list.version.version,
                date = list.version.source_date.map(|date| date.to_string()),
                persons = list.counts.persons,
                names = list.counts.names,
                "list in use"
            );
        }
        if screener.uses_sample() {
            tracing::warn!("SAMPLE LIST IN USE: its people are invented, results prove nothing");
        }
        Ok(Self {
            revision,
            screener: Cautious(screener),
            policy: policy.clone(),
            are_fit: None,
            loaded_at,
            are_ahead: true,
            walked: Tally::default(),
        })
    }

    /// Whether the policy took them when it was asked last.
    pub(super) fn are_fit(&self) -> bool {
        self.are_fit == Some(true)
    }

    /// Looks whether the policy takes the lists now; true when it did not before.
    pub(super) fn become_fit(&mut self, at: Timestamp) -> bool {
        let fitness = self.screener.0.ready(at);
        let before = self.are_fit.replace(fitness.is_ok());
        match fitness {
            Ok(()) => before != Some(true),
            Err(error) => {
                if before != Some(false) {
                    let (reason, status) = (no_result(&error), self.screener.0.status(at));
                    let lists = Fitness::of_lists(&self.policy, status).in_the_way().join(", ");
                    tracing::warn!(reason, lists, "{NOBODY_IS_SCREENED}");
                }
                false
            }
        }
    }
}
