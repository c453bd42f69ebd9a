use crate::Timestamp;

/// How much one run may erase without being asked.
///
/// ```
/// use kyc_core::{Doubt, RunFacts, RunLimits};
/// use kyc_core::conformance::fixture::time;
///
/// let limits = RunLimits::default();
/// let facts = RunFacts { now: time(86_400), before: Some(time(0)), total: 5_000, due: 3 };
/// assert_eq!(limits.check(&facts), Ok(3));
/// let suspicious = RunFacts { due: 4_000, ..facts };
/// assert_eq!(limits.check(&suspicious), Err(Doubt::TooMany));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RunLimits {
    /// The most submissions that one run erases; the rest is left to the next one.
    pub records_max: u32,
    /// More than this part of all submissions, in percent, is not erased without a confirmation.
    pub share_percent_max: u8,
    /// More days than this since the last run, and the clock is not believed.
    pub gap_days_max: u16,
}

impl Default for RunLimits {
    fn default() -> Self {
        Self { records_max: 1_000, share_percent_max: 2, gap_days_max: 7 }
    }
}

/// What a run finds before it erases anything. Sandboxes do not count.
///
/// ```
/// use kyc_core::RunFacts;
/// use kyc_core::conformance::fixture::time;
///
/// let facts = RunFacts { now: time(0), before: None, total: 0, due: 0 };
/// assert!(facts.before.is_none(), "nothing was ever stored");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RunFacts {
    /// What the clock shows.
    pub now: Timestamp,
    /// When the last run was; before the first one, the newest time in the store.
    pub before: Option<Timestamp>,
    /// How many submissions there are.
    pub total: u64,
    /// How many of them are to be erased.
    pub due: u64,
}

/// Why a run erases nothing until somebody confirms it (T37).
///
/// ```
/// use kyc_core::Doubt;
///
/// assert_eq!(Doubt::ClockAhead.to_string(), "the clock is far ahead of the last run");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Doubt {
    /// The clock shows a time before the last run.
    #[error("the clock is behind the last run")]
    ClockBehind,
    /// The clock shows a time too long after the last run.
    #[error("the clock is far ahead of the last run")]
    ClockAhead,
    /// Somebody confirmed another number than that of what is due.
    #[error("another number is due than was confirmed")]
    OtherNumber,
    /// Too large a part of all submissions is due at once.
    #[error("an unusual part of all submissions is due at once")]
    TooMany,
}

impl RunLimits {
    /// How many submissions a run may erase now.
    ///
    /// # Errors
    ///
    /// [`Doubt`]: nothing may be erased, whatever is due.
    pub fn check(&self, facts: &RunFacts) -> Result<u64, Doubt> {
        const DAY_MS: i64 = 24 * 60 * 60 * 1000;
        let RunFacts { now, before, total, due } = *facts;
        if let Some(before) = before {
            let passed = now.unix_millis() - before.unix_millis();
            if passed < -CORRECTION_MS {
                return Err(Doubt::ClockBehind);
            }
            if passed > i64::from(self.gap_days_max) * DAY_MS {
                return Err(Doubt::ClockAhead);
            }
        }
        let share = u128::from(total) * u128::from(self.share_percent_max) / 100;
        if u128::from(due) > share.max(FEW) {
            return Err(Doubt::TooMany);
        }
        Ok(due.min(u64::from(self.records_max)))
    }
}

/// So far a clock is set back by what keeps clocks right.
const CORRECTION_MS: i64 = 5 * 60 * 1000;

/// So few are never an unusual part, so that small services work without being asked every day.
const FEW: u128 = 10;
