//! Small implementations of ports that do what a test tells them.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicU32, Ordering};

use super::fixture;
use crate::memory::{MemoryAudit, MemoryDirectory, MemoryDocuments, MemorySubmissions};
use crate::service::Options;
use crate::{
    Clock, DocumentId, IdSource, RiskLevel, ScreenError, Screener, Screening, Service, Stall,
    Subject, SubmissionId, Timestamp,
};

/// A service over the stores in memory, for examples and small tests: clients 1 and 2 with the
/// keys `key 1` and `key 2`, an inspector with the token `token`, counted ids, a clock that stands
/// still.
///
/// ```
/// use kyc_core::conformance::stand_in::service;
///
/// assert!(service().client_of_key("key 1")?.is_some());
/// # Ok::<(), kyc_core::service::Error>(())
/// ```
pub fn service() -> Service {
    let directory = MemoryDirectory::default()
        .with_client("key 1", fixture::client_record(1))
        .with_client("key 2", fixture::client_record(2))
        .with_inspector("token", fixture::inspector());
    let audit = Arc::new(MemoryAudit::default());
    Service::new(
        Arc::new(MemorySubmissions::default().with_audit(Arc::clone(&audit))),
        Arc::new(MemoryDocuments::default().with_audit(Arc::clone(&audit))),
        Arc::new(directory),
        audit,
        Arc::new(ManualClock::at(fixture::time(0))),
        Arc::new(CountingIds::default()),
        Options::default(),
    )
}

/// A clock that stands still until it is told otherwise.
///
/// ```
/// use kyc_core::Clock;
/// use kyc_core::conformance::fixture::time;
/// use kyc_core::conformance::stand_in::ManualClock;
///
/// let clock = ManualClock::at(time(0));
/// clock.set(time(60));
/// assert_eq!(clock.now(), time(60));
/// ```
#[derive(Debug)]
pub struct ManualClock(AtomicI64);

impl ManualClock {
    /// A clock that shows `now`.
    pub fn at(now: Timestamp) -> Self {
        Self(AtomicI64::new(now.unix_millis()))
    }

    /// Sets the clock, forwards or backwards.
    pub fn set(&self, now: Timestamp) {
        self.0.store(now.unix_millis(), Ordering::SeqCst);
    }

    /// Advances the clock.
    pub fn advance_millis(&self, millis: u32) {
        self.set(self.now().plus_millis(millis));
    }
}

impl Clock for ManualClock {
    fn now(&self) -> Timestamp {
        Timestamp::from_unix_millis(self.0.load(Ordering::SeqCst)).unwrap_or(Timestamp::EARLIEST)
    }
}

/// Ids that count up, so that a test knows them beforehand.
///
/// Anybody can guess them, so this is no [`IdSource`] for a service.
///
/// ```
/// use kyc_core::conformance::fixture::time;
/// use kyc_core::conformance::stand_in::CountingIds;
/// use kyc_core::{IdSource, SubmissionId};
///
/// let ids = CountingIds::default();
/// assert_eq!(ids.submission_id(time(0)), SubmissionId::new(time(0), [0, 0, 0, 0, 0, 0, 0, 0, 0, 1]));
/// ```
#[derive(Debug, Default)]
pub struct CountingIds(AtomicU32);

impl CountingIds {
    fn next(&self) -> [u8; 10] {
        let number = self.0.fetch_add(1, Ordering::SeqCst).wrapping_add(1);
        let [a, b, c, d] = number.to_be_bytes();
        [0, 0, 0, 0, 0, 0, a, b, c, d]
    }
}

impl IdSource for CountingIds {
    fn submission_id(&self, at: Timestamp) -> SubmissionId {
        SubmissionId::new(at, self.next())
    }

    fn document_id(&self, at: Timestamp) -> DocumentId {
        DocumentId::new(at, self.next())
    }
}

/// A screener that gives everybody the same answer.
///
/// ```
/// use kyc_core::conformance::fixture::time;
/// use kyc_core::conformance::stand_in::SameAnswer;
/// use kyc_core::{RiskLevel, Screener, Stall, Subject};
///
/// let anybody = Subject::named("Mira Kole");
/// let found = SameAnswer(Ok(RiskLevel::High)).screen(&anybody, time(0))?;
/// assert_eq!(found.risk(), RiskLevel::High);
///
/// let failed = SameAnswer(Err(Stall::ListTooOld)).screen(&anybody, time(0)).unwrap_err();
/// assert_eq!(failed.stall(), Stall::ListTooOld);
/// # Ok::<(), kyc_core::ScreenError>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct SameAnswer(pub Result<RiskLevel, Stall>);

impl Screener for SameAnswer {
    fn screen(&self, _: &Subject<'_>, at: Timestamp) -> Result<Screening, ScreenError> {
        let list = || "sample".to_owned();
        match self.0 {
            Ok(risk) => Ok(fixture::screening(risk, at)),
            Err(Stall::ListMissing) => Err(ScreenError::ListMissing { list: list() }),
            Err(Stall::ListTooOld) => Err(ScreenError::ListTooOld { list: list() }),
            Err(Stall::NoUsableName) => Err(ScreenError::NoUsableName),
            Err(Stall::Failed) => Err(ScreenError::Failed("told to fail".into())),
        }
    }
}
