//! Small real implementations of the ports.

use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};

use kyc_core::{
    Clock, DocumentId, Fact, Hit, IdSource, ListVersion, RiskLevel, Score, ScreenError, Screener,
    Screening, Stall, Subject, SubmissionId, Timestamp,
};
use time::macros::{date, utc_datetime};

/// Stands still at 2026-11-20 09:30:15.250 until it is moved.
#[derive(Default)]
pub(crate) struct FixedClock {
    moved_millis: AtomicI64,
}

impl FixedClock {
    pub(crate) fn advance_minutes(&self, minutes: i64) {
        self.moved_millis.fetch_add(minutes * 60_000, Ordering::Relaxed);
    }
}

impl Clock for FixedClock {
    fn now(&self) -> Timestamp {
        let start = Timestamp::from_utc(utc_datetime!(2026-11-20 09:30:15.250));
        let moved = self.moved_millis.load(Ordering::Relaxed);
        Timestamp::from_unix_millis(start.unix_millis() + moved).unwrap()
    }
}

/// Counts submissions and documents, from 1. Request ids count as documents.
#[derive(Default)]
pub(crate) struct CountingIds {
    submissions: AtomicU64,
    documents: AtomicU64,
}

fn next(counter: &AtomicU64) -> [u8; 10] {
    let number = counter.fetch_add(1, Ordering::Relaxed) + 1;
    let mut bytes = [0; 10];
    bytes[2..].copy_from_slice(&number.to_be_bytes());
    bytes
}

impl IdSource for CountingIds {
    fn submission_id(&self, at: Timestamp) -> SubmissionId {
        SubmissionId::new(at, next(&self.submissions))
    }

    fn document_id(&self, at: Timestamp) -> DocumentId {
        DocumentId::new(at, next(&self.documents))
    }
}

/// A screener that always comes to the same verdict.
pub(crate) struct Verdict {
    pub(crate) verdict: Result<RiskLevel, Stall>,
    /// When the listed one was born, as the list has it.
    pub(crate) born: &'static str,
}

impl Screener for Verdict {
    fn screen(&self, subject: &Subject<'_>, at: Timestamp) -> Result<Screening, ScreenError> {
        let list = || "sample".to_owned();
        let risk = self.verdict.map_err(|stall| match stall {
            Stall::ListMissing => ScreenError::ListMissing { list: list() },
            Stall::ListTooOld => ScreenError::ListTooOld { list: list() },
            Stall::NoUsableName => ScreenError::NoUsableName,
            Stall::Failed => ScreenError::Failed("no memory".into()),
        })?;
        let hit = Hit {
            list: list(),
            entity: "S-12".into(),
            name: "KOLE, Mira".into(),
            matched: subject.name.clone(),
            score: Score::from_thousandths(925).unwrap(),
            risk,
            programmes: vec!["SAMPLE".into()],
            reasons: vec!["the same name".into(), "the same year of birth".into()],
            evidence: vec![
                Fact { field: "name".into(), listed: subject.name.clone() },
                Fact { field: "date of birth".into(), listed: self.born.into() },
            ],
        };
        let version = ListVersion {
            list: list(),
            version: "9f2c11d0".into(),
            source_date: Some(date!(2026 - 11 - 01)),
            sample: true,
        };
        let hits = if risk == RiskLevel::NotApplicable { Vec::new() } else { vec![hit] };
        Ok(Screening {
            at,
            lists: vec![version],
            hits,
            unreported: RiskLevel::NotApplicable,
            configuration: "c0ffee".into(),
        })
    }
}
