//! The domain of KYC (know your customer) and AML (anti money laundering).
//!
//! Text enters once and is parsed into types that cannot be wrong; pure functions decide; ports
//! say what is needed from the outside. This crate does no I/O of its own, knows no framework, no
//! runtime and no serialisation format.
//!
//! ```
//! use kyc_core::conformance::fixture::{form, inspector, submission_id, time};
//! use kyc_core::{Forbidden, Preference, Status, Submission};
//! use time::macros::date;
//!
//! // Somebody hands in a form, is turned down, and tries again.
//! let first = Submission::new(form(), submission_id(1), time(0));
//! let first = first.reject(&inspector(), time(60), "Too blurred.".parse()?, Vec::new())?;
//! let second = Submission::new(form(), submission_id(2), time(900));
//! let second = second.approve(&inspector(), time(960), date!(2031 - 02 - 28), None)?;
//!
//! let history = [first, second];
//! let best = Preference::Best.pick(&history).ok_or("nobody")?;
//! assert_eq!((best.status(), best.version()), (Status::Approved, 2));
//! // What is decided stays decided.
//! let late = best.clone().reject(&inspector(), time(999), "No.".parse()?, Vec::new());
//! assert_eq!(late, Err(Forbidden::NotPending));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | module | what it holds |
//! |---|---|
//! | (root) | the types: [`Email`], [`Country`], [`Applicant`], [`Form`], [`Submission`], … |
//! | [`Preference`], [`Duplicate`], [`PageBudget`] | the rules of reading |
//! | [`SubmissionStore`], [`DocumentStore`], [`AnswerStore`], [`Directory`], [`Monitoring`], [`Retention`], [`AuditLog`], [`Screener`], [`Clock`], [`IdSource`] | the ports |
//! | [`Service`] | one method per use case |
//! | [`memory`] | the reference implementation of the stores |
//! | `conformance` | the contract of the ports as a test suite (feature `testing`) |
//! | `strategies` | proptest strategies for the types (feature `proptest`) |
//!
//! Decisions that the interface leaves open are cited as D1, D2, … and collected in
//! `docs/decisions.md`.

mod applicant;
mod audit;
mod client;
mod comment;
#[cfg(feature = "testing")]
#[expect(
    clippy::expect_used,
    clippy::panic,
    reason = "test support: a broken promise and a wrong fixture end the test"
)]
pub mod conformance;
mod country;
pub mod day;
mod document;
mod email;
mod field;
mod form;
pub mod format;
mod hit;
mod id;
mod listed;
pub mod memory;
mod page;
mod port;
mod replay;
mod retention;
mod review;
mod screening;
pub mod service;
mod standing;
#[cfg(feature = "proptest")]
pub mod strategies;
mod submission;
mod text;
mod timestamp;
mod wallet;
mod words;

pub use applicant::{Applicant, PersonKey};
pub use audit::{AuditActor, AuditEntry, AuditEvent, AuditHash, InvalidAuditHash, RotatedKey};
pub use client::{
    AccountName, ApiKeyId, Client, ClientId, ClientPrefix, Inspector, InvalidAccountName,
    InvalidApiKeyId, InvalidPrefix,
};
pub use comment::{EnglishComment, InvalidComment, InvalidReasonCode, ReasonCode};
pub use country::{Country, UnknownCountry};
pub use day::{BirthDate, InvalidBirthDate, InvalidDay};
pub use document::{Document, DocumentHandle, DocumentKind, InvalidHandle, Spelling};
pub use email::{Email, InvalidEmail};
pub use field::{Field, Problem, Reason};
pub use form::{
    Address, AddressParts, CountrySyntax, Evidence, Form, Identification, PartialAddress, Scope,
    Values,
};
pub use format::FileFormat;
pub use hit::{Fact, FactChange, Hit, HitChanges, HitDecision, HitKey, HitStanding, HitVerdict};
pub use id::{DocumentId, IdText, InvalidId, SubmissionId};
pub use listed::{AmlSummary, Listed};
pub use page::PageBudget;
pub use port::{
    AnswerStore, AuditLog, Audited, Beside, BoxError, Clock, Covered, Directory, DocumentStore,
    Editions, IdSource, Listing, Lookup, Monitoring, MonitoringState, OsIds, PageKey, QueueFilter,
    QueuePlace, Queued, Retention, RetentionRuns, ScreenError, Screener, ScreeningQueue,
    StoreError, Subject, SubmissionStore, SystemClock, Then, UsedUp, Visit, Walk,
};
pub use replay::{
    Answer, Caller, Fingerprint, IdempotencyKey, InvalidIdempotencyKey, Kept, KeyedRequest, Replay,
};
pub use retention::{
    Certificate, DocumentCertificate, DocumentErasure, Doubt, Erasure, ErasureCause, Hold, Keep,
    RetentionDecision, RetentionPolicy, RunFacts, RunLimits,
};
pub use review::{
    Actor, Aml, Approval, Basis, Event, HistoryEntry, Rejection, Retake, Review, Screened, Seen,
    Slot, Slots, Stall, Status,
};
pub use screening::{ListVersion, RiskLevel, Score, Screening};
pub use service::Service;
pub use standing::{Duplicate, Preference};
pub use submission::{Forbidden, Rescreening, Submission, SubmissionParts};
pub use text::{AddressPart, FreeText, IdNumber, InvalidText, PersonName, UserId};
pub use timestamp::Timestamp;
pub use wallet::{InvalidWallet, WalletAddress};
pub use words::{Gender, IdType, Level, UnknownWord};

/// The examples of the README run as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
