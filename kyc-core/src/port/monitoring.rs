use std::collections::BTreeMap;

use crate::{QueuePlace, Screening, StoreError, Timestamp};

/// Keeps how far monitoring is, so that a re-screening that was killed goes on where it was (D84).
///
/// # Contract
///
/// * The state of an empty store is the default one.
/// * A change is visible to every later read, is all or nothing, and once acknowledged survives a
///   crash of the process and of the machine.
/// * [`advance_monitoring`](Self::advance_monitoring) is compare-and-set on the whole state: of two
///   that start from one state, one is told.
///
/// Methods block.
///
/// ```
/// use kyc_core::memory::MemoryMonitoring;
/// use kyc_core::{Covered, Editions, Monitoring, MonitoringState, StoreError, Timestamp};
///
/// let store = MemoryMonitoring::default();
/// let before = store.monitoring()?;
/// let covered = Covered { editions: Editions::default(), since: Timestamp::EARLIEST };
/// let after = MonitoringState { covered: Some(covered), ..before.clone() };
/// store.advance_monitoring(&before, &after)?;
/// assert_eq!(store.monitoring()?, after);
///
/// let late = store.advance_monitoring(&before, &after);
/// assert!(matches!(late, Err(StoreError::Stale)));
/// # Ok::<(), StoreError>(())
/// ```
pub trait Monitoring: Send + Sync {
    /// How far monitoring is.
    ///
    /// # Errors
    ///
    /// Only when the storage fails.
    fn monitoring(&self) -> Result<MonitoringState, StoreError>;

    /// Takes monitoring from one state to the next.
    ///
    /// # Errors
    ///
    /// [`StoreError::Stale`] unless the stored state is `before`; nothing is stored then.
    fn advance_monitoring(
        &self,
        before: &MonitoringState,
        after: &MonitoringState,
    ) -> Result<(), StoreError>;
}

/// How far monitoring is.
///
/// ```
/// use kyc_core::MonitoringState;
///
/// let new = MonitoringState::default();
/// assert!(new.covered.is_none() && new.under_way.is_none());
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MonitoringState {
    /// With what every result agrees that was there when the last walk began. `None` until one
    /// has ended.
    pub covered: Option<Covered>,
    /// The walk that was begun and has not ended.
    pub under_way: Option<Walk>,
}

/// With what results agree, whatever each of them says that it was made with.
///
/// ```
/// use kyc_core::{Covered, Editions, Timestamp};
///
/// let covered = Covered { editions: Editions::default(), since: Timestamp::EARLIEST };
/// assert!(covered.editions.lists.is_empty());
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Covered {
    /// Each result has the hits that screening with these lists gives. The configuration is that
    /// of the last walk that was a full one.
    pub editions: Editions,
    /// When the walk began: later results may rest on others.
    pub since: Timestamp,
}

/// What a screening result depends on besides the applicant.
///
/// ```
/// use kyc_core::Editions;
/// use kyc_core::conformance::fixture::{screening, time};
/// use kyc_core::RiskLevel;
///
/// let editions = Editions::of(&screening(RiskLevel::Low, time(0)));
/// assert_eq!(editions.lists["sample"], "9f2c61");
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Editions {
    /// The hash of each list's content, under its short name.
    pub lists: BTreeMap<String, String>,
    /// Hash of the engine's options.
    pub configuration: String,
}

impl Editions {
    /// What a result rests on.
    pub fn of(screening: &Screening) -> Self {
        let versions = screening.lists.iter();
        Self {
            lists: versions
                .map(|edition| (edition.list.clone(), edition.version.clone()))
                .collect(),
            configuration: screening.configuration.clone(),
        }
    }
}

/// A walk over every stored result, as far as it has come.
///
/// ```
/// use kyc_core::{Editions, Timestamp, Walk};
///
/// let walk = Walk {
///     target: Editions::default(),
///     full: true,
///     begun: Timestamp::EARLIEST,
///     after: None,
///     done: 0,
///     failed: 0,
/// };
/// assert!(walk.after.is_none());
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Walk {
    /// What is covered when it ends.
    pub target: Editions,
    /// Whether everybody is screened against everything, not against changed entries alone.
    pub full: bool,
    /// When it began.
    pub begun: Timestamp,
    /// The last submission that is done; `None` at the start.
    pub after: Option<QueuePlace>,
    /// How many are done.
    pub done: u64,
    /// How many of them have no new result: the earlier one stands.
    pub failed: u64,
}
