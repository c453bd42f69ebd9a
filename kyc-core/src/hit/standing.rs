use std::fmt;

use super::{Fact, Hit, HitDecision, HitVerdict};
use crate::RiskLevel;

/// Where a hit stands: follows from the hit and the decision on it, and is never stored (D81).
///
/// ```
/// use kyc_core::conformance::fixture::{hit, hit_decision};
/// use kyc_core::{Hit, HitStanding, HitVerdict, RiskLevel};
///
/// let hit = hit(1_000);
/// let cleared = hit_decision(HitVerdict::FalsePositive, &hit);
/// assert_eq!(HitStanding::of(&hit, Some(&cleared)).risk(&hit), RiskLevel::NotApplicable);
///
/// // The list learns something new: the decision was made without it.
/// let mut changed = hit;
/// changed.evidence[0].listed = "Kole, Mirjana".into();
/// let standing = HitStanding::of(&changed, Some(&cleared));
/// let HitStanding::Reopened { changes, .. } = &standing else { unreachable!("it changed") };
/// assert_eq!(changes[0].now.as_deref(), Some("Kole, Mirjana"));
/// assert_eq!(standing.risk(&changed), changed.risk);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HitStanding<'a> {
    /// Nobody has decided.
    Open,
    /// It was cleared on other evidence than today's.
    Reopened {
        /// The decision that no longer holds.
        decision: &'a HitDecision,
        /// What differs; empty where evidence only stands in another order.
        changes: Vec<FactChange>,
    },
    /// An inspector found that it is somebody else.
    Cleared(&'a HitDecision),
    /// An inspector found that it is the applicant, whatever the evidence has become.
    Confirmed(&'a HitDecision),
}

impl<'a> HitStanding<'a> {
    /// Where a hit stands, given the decision on its key.
    pub fn of(hit: &Hit, decision: Option<&'a HitDecision>) -> Self {
        match decision {
            None => Self::Open,
            Some(decision) => match decision.verdict {
                HitVerdict::TruePositive => Self::Confirmed(decision),
                HitVerdict::FalsePositive if decision.evidence == hit.evidence => {
                    Self::Cleared(decision)
                }
                HitVerdict::FalsePositive => {
                    let changes = FactChange::between(&decision.evidence, &hit.evidence);
                    Self::Reopened { decision, changes }
                }
            },
        }
    }

    /// What the hit counts for the risk of the applicant.
    pub fn risk(&self, hit: &Hit) -> RiskLevel {
        match self {
            Self::Open | Self::Reopened { .. } => hit.risk,
            Self::Cleared(_) => RiskLevel::NotApplicable,
            Self::Confirmed(_) => RiskLevel::High,
        }
    }

    /// The word for it, lower case.
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Reopened { .. } => "reopened",
            Self::Cleared(_) => "cleared",
            Self::Confirmed(_) => "confirmed",
        }
    }

    /// Whether an inspector has to decide.
    pub fn is_open(&self) -> bool {
        match self {
            Self::Open | Self::Reopened { .. } => true,
            Self::Cleared(_) | Self::Confirmed(_) => false,
        }
    }
}

/// How what a list says in one field differs from what it said before. `Debug` shows the field
/// alone.
///
/// ```
/// use kyc_core::{Fact, FactChange};
///
/// let fact = |listed: &str| Fact { field: "gender".into(), listed: listed.into() };
/// let changes = FactChange::between(&[fact("male")], &[fact("female")]);
/// assert_eq!((changes[0].before.as_deref(), changes[0].now.as_deref()), (Some("male"), Some("female")));
/// assert!(FactChange::between(&[fact("male")], &[fact("male")]).is_empty());
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct FactChange {
    /// The field, in the engine's words.
    pub field: String,
    /// What the list had; `None` where the field was not compared.
    pub before: Option<String>,
    /// What the list has; `None` where the field was not compared.
    pub now: Option<String>,
}

impl FactChange {
    /// Every field that differs: those there were before in their order, then the new ones.
    pub fn between(before: &[Fact], now: &[Fact]) -> Vec<Self> {
        let listed = |facts: &[Fact], field: &str| {
            facts.iter().find(|fact| fact.field == field).map(|fact| fact.listed.clone())
        };
        let added = now.iter().filter(|fact| listed(before, &fact.field).is_none());
        before
            .iter()
            .chain(added)
            .map(|fact| Self {
                field: fact.field.clone(),
                before: listed(before, &fact.field),
                now: listed(now, &fact.field),
            })
            .filter(|change| change.before != change.now)
            .collect()
    }
}

impl fmt::Debug for FactChange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "FactChange({}, ***)", self.field)
    }
}
