use std::collections::BTreeMap;

use crate::{Hit, HitChanges, HitDecision, HitKey, HitStanding, RiskLevel, Screening};

/// How far the AML screening of an approved submission is (D34, D35).
///
/// ```
/// use kyc_core::conformance::fixture::{approved, sample, stalled};
/// use kyc_core::{Aml, Stall};
///
/// let tried = stalled(approved(sample()), Stall::ListTooOld);
/// assert_eq!(tried.review().aml(), Some(&Aml::Stalled(Stall::ListTooOld)));
/// assert_eq!(tried.risk(), None, "no result is not a clean result");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Aml {
    /// Waiting for the screening worker.
    Queued,
    /// Tried without a result; tried again when the cause may have gone.
    Stalled(Stall),
    /// Done.
    Screened(Box<Screened>),
}

/// A screening result, and how much of it inspectors have seen (D82).
///
/// ```
/// use kyc_core::conformance::fixture::{approved, rescreened, sample, screened};
/// use kyc_core::{Aml, RiskLevel};
///
/// let clear = screened(approved(sample()), RiskLevel::NotApplicable);
/// let found = rescreened(&clear, RiskLevel::High);
/// let Some(Aml::Screened(screened)) = found.review().aml() else { unreachable!("screened") };
/// let Some((seen, changes)) = screened.news() else { unreachable!("nobody has looked") };
/// assert_eq!((seen.risk, changes.added.len()), (RiskLevel::NotApplicable, 2));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Screened {
    /// The result.
    pub screening: Screening,
    /// What an inspector could see last, if a later screening changed it since.
    pub seen: Option<Seen>,
}

impl Screened {
    /// A result that changed nothing.
    pub fn first(screening: Screening) -> Self {
        Self { screening, seen: None }
    }

    /// The applicant's risk, given what inspectors decided.
    pub(crate) fn risk(&self, decisions: &BTreeMap<HitKey, HitDecision>) -> RiskLevel {
        let Screening { hits, unreported, .. } = &self.screening;
        let risks =
            hits.iter().map(|hit| HitStanding::of(hit, decisions.get(&hit.key())).risk(hit));
        risks.fold(*unreported, RiskLevel::max)
    }

    /// What an inspector could see last, and how the hits differ from it now; `None` if nothing
    /// changed since. Where no hit differs, the risk does.
    pub fn news(&self) -> Option<(&Seen, HitChanges)> {
        let seen = self.seen.as_ref()?;
        Some((seen, HitChanges::between(&seen.hits, &self.screening.hits)))
    }
}

/// What an inspector could see of a screening before it changed.
///
/// ```
/// use kyc_core::{RiskLevel, Seen};
///
/// let seen = Seen { hits: Vec::new(), risk: RiskLevel::NotApplicable };
/// assert!(seen.hits.is_empty());
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seen {
    /// The hits.
    pub hits: Vec<Hit>,
    /// The applicant's risk, decisions included.
    pub risk: RiskLevel,
}

/// Why a screening has no result.
///
/// ```
/// use kyc_core::Stall;
///
/// assert_eq!(Stall::ListMissing.as_str(), "a required list is missing");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Stall {
    /// A required list was never imported.
    ListMissing,
    /// A required list is older than allowed.
    ListTooOld,
    /// The name has no letters that could be compared.
    NoUsableName,
    /// The engine failed.
    Failed,
}

impl Stall {
    /// What an inspector is told.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::ListMissing => "a required list is missing",
            Self::ListTooOld => "a required list is too old",
            Self::NoUsableName => "the name has no letters that can be compared",
            Self::Failed => "the screening engine failed",
        }
    }
}
