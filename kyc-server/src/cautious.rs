//! An engine that can fail and not fall.

use std::panic::{AssertUnwindSafe, catch_unwind};

use kyc_core::{ScreenError, Screener, Screening, Subject, Timestamp};
use kyc_screening::SanctionsScreener;

/// A screener whose panics are failures, so that one name cannot stop a queue.
pub(crate) struct Cautious(pub(crate) SanctionsScreener);

impl Screener for Cautious {
    fn screen(&self, subject: &Subject<'_>, at: Timestamp) -> Result<Screening, ScreenError> {
        catch_unwind(AssertUnwindSafe(|| self.0.screen(subject, at)))
            .unwrap_or_else(|_| Err(ScreenError::Failed("the engine panicked".into())))
    }
}
