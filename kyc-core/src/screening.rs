//! The result of screening one person (D34).

use std::fmt;

use crate::{Hit, Timestamp};

/// How risky an applicant is, as far as lists can tell.
///
/// # Order
///
/// By risk.
///
/// ```
/// use kyc_core::RiskLevel;
///
/// assert!(RiskLevel::High > RiskLevel::NotApplicable);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RiskLevel {
    /// Screened, and nothing was found.
    NotApplicable,
    /// A weak match.
    Low,
    /// A match that an inspector should look at.
    Medium,
    /// A strong match on a current sanction, or a listed wallet.
    High,
}

/// How alike two records are, in thousandths.
///
/// An integer on purpose: scores are compared, stored and shown to inspectors, and none of that
/// should depend on how a machine rounds.
///
/// ```
/// use kyc_core::Score;
///
/// assert_eq!(Score::from_thousandths(925).map(|score| score.to_string()), Some("0.925".into()));
/// assert_eq!(Score::from_thousandths(1_001), None);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Score(u16);

impl Score {
    /// Identical.
    pub const MAX: Self = Self(1_000);

    /// A score from 0 to 1,000 thousandths.
    pub fn from_thousandths(thousandths: u16) -> Option<Self> {
        (thousandths <= Self::MAX.0).then_some(Self(thousandths))
    }

    /// The score in thousandths.
    pub fn thousandths(self) -> u16 {
        self.0
    }
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{:03}", self.0 / 1_000, self.0 % 1_000)
    }
}

/// The exact edition of a list that a result rests on.
///
/// ```
/// use kyc_core::ListVersion;
///
/// let version = ListVersion {
///     list: "un".into(),
///     version: "9f2c".into(),
///     source_date: None,
///     sample: false,
/// };
/// assert!(!version.sample);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListVersion {
    /// The list's short name.
    pub list: String,
    /// Hash of its content, in hexadecimal digits.
    pub version: String,
    /// The day that the publisher put on it, where it says one.
    pub source_date: Option<time::Date>,
    /// Whether these are invented people: such a result proves nothing.
    pub sample: bool,
}

/// What screening one person found.
///
/// ```
/// use kyc_core::{RiskLevel, Screening, Timestamp};
///
/// let clear = Screening {
///     at: Timestamp::EARLIEST,
///     lists: Vec::new(),
///     hits: Vec::new(),
///     unreported: RiskLevel::NotApplicable,
///     configuration: "c1".into(),
/// };
/// assert_eq!(clear.risk(), RiskLevel::NotApplicable);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Screening {
    /// When it was done.
    pub at: Timestamp,
    /// The editions of the lists that were searched.
    pub lists: Vec<ListVersion>,
    /// What was found, strongest first, each listed record once.
    pub hits: Vec<Hit>,
    /// The highest risk among what was found and is not in `hits`, for want of room. No decision
    /// on a hit lowers it.
    pub unreported: RiskLevel,
    /// Hash of the engine's options, in hexadecimal digits.
    pub configuration: String,
}

impl Screening {
    /// The engine's verdict: the highest risk of what was found. What inspectors decided is not in
    /// it: that is [`Submission::risk`](crate::Submission::risk).
    pub fn risk(&self) -> RiskLevel {
        self.hits.iter().map(|hit| hit.risk).fold(self.unreported, RiskLevel::max)
    }
}
