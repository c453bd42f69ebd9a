use super::Fact;
use crate::{AccountName, FreeText, Timestamp};

/// What an inspector decided on a hit, and on what (D80).
///
/// ```
/// use kyc_core::conformance::fixture::{approved, cleared, hit, sample, screened};
/// use kyc_core::{HitVerdict, RiskLevel};
///
/// let submission = cleared(screened(approved(sample()), RiskLevel::High));
/// let decision = &submission.decisions()[&hit(1_000).key()];
/// assert_eq!(decision.verdict, HitVerdict::FalsePositive);
/// assert_eq!(decision.evidence, hit(1_000).evidence);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HitDecision {
    /// Whether the applicant is the listed one.
    pub verdict: HitVerdict,
    /// Why.
    pub note: FreeText,
    /// Who decided.
    pub by: AccountName,
    /// When.
    pub at: Timestamp,
    /// The hit's evidence when it was decided.
    pub evidence: Vec<Fact>,
}

/// Whether the applicant is the listed one.
///
/// ```
/// use kyc_core::HitVerdict;
///
/// assert_ne!(HitVerdict::TruePositive, HitVerdict::FalsePositive);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum HitVerdict {
    /// It is the same person.
    TruePositive,
    /// It is somebody else.
    FalsePositive,
}
