//! The contracts of the ports as test suites, and values to test with (feature `testing`).
//!
//! Whoever implements a port runs its suite in one test of one line. Each bullet of the port's
//! contract has a case in it:
//!
//! ```
//! use kyc_core::conformance;
//! use kyc_core::memory::{MemoryDocuments, MemorySubmissions};
//!
//! conformance::submission_store(MemorySubmissions::default);
//! conformance::document_store(MemoryDocuments::default);
//! ```
//!
//! | suite | for implementers of |
//! |---|---|
//! | [`submission_store`], [`submission_store_survives`] | [`SubmissionStore`](crate::SubmissionStore) |
//! | [`document_store`], [`document_store_survives`] | [`DocumentStore`](crate::DocumentStore) |
//! | both of these | [`AnswerStore`](crate::AnswerStore) |
//! | [`directory()`] | [`Directory`](crate::Directory) |
//! | [`monitoring()`], [`monitoring_survives`] | [`Monitoring`](crate::Monitoring) |
//! | [`audit_log`], [`audit_log_survives`] | [`AuditLog`](crate::AuditLog) |
//! | [`changes_are_audited`] | the three stores together |
//! | [`screener()`] | [`Screener`](crate::Screener) |
//! | [`id_source`] | [`IdSource`](crate::IdSource) |
//!
//! A suite panics at the first broken promise and says which. Suites that take `open` call it for
//! each case and expect an empty store.
//!
//! [`fixture`] has applicants, forms and submissions; [`stand_in`] has a service, a clock, an id
//! source and a screener that do what a test tells them; [`faulty`] has a store that fails now and
//! then, around any other one.

mod answers;
mod audit;
mod directory;
mod document;
mod duplicates;
pub mod faulty;
mod find;
pub mod fixture;
mod ids;
mod list;
mod monitoring;
mod queues;
mod screener;
pub mod stand_in;
mod submission;

pub use audit::{audit_log, audit_log_survives, changes_are_audited};
pub use directory::directory;
pub use document::{document_store, document_store_survives};
pub use fixture::sample;
pub use ids::id_source;
pub use monitoring::{monitoring, monitoring_survives};
pub use screener::screener;
pub use submission::{submission_store, submission_store_survives};

use crate::{Form, Submission, SubmissionParts};

/// Checks that two submissions are equal in every part, the spelling of the e-mail included.
///
/// Two [`Email`](crate::Email)s are equal in any spelling, so `==` is not enough to see whether a
/// store keeps what was sent.
///
/// # Panics
///
/// When a part differs; says which, and no value of it.
#[track_caller]
pub fn assert_identical(left: &Submission, right: &Submission) {
    let spellings = [left, right].map(|submission| submission.form().email.as_str());
    let (left, right) = (left.clone().into_parts(), right.clone().into_parts());
    // Taken apart whole, so that a new part cannot be forgotten here.
    let SubmissionParts { id, created_at, renewed_from, form, review, version, history, decisions } =
        left;
    let Form { email, user_id, applicant, scope } = form;
    assert_eq!(id, right.id, "the id differs");
    assert_eq!(created_at, right.created_at, "the creation differs");
    assert_eq!(renewed_from, right.renewed_from, "the renewed submission differs");
    assert_eq!(version, right.version, "the version differs");
    assert_eq!(review, right.review, "the review differs");
    assert_eq!(history, right.history, "the history differs");
    assert_eq!(decisions, right.decisions, "the decisions on hits differ");
    assert_eq!(email, right.form.email, "the e-mail differs");
    assert!(spellings[0] == spellings[1], "the spelling of the e-mail differs");
    assert_eq!(user_id, right.form.user_id, "the user id differs");
    assert_eq!(applicant, right.form.applicant, "the applicant differs");
    assert_eq!(scope, right.form.scope, "the scope differs");
}
