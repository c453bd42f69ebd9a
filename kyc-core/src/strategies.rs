//! Strategies for property tests of one's own rules (feature `proptest`).
//!
//! Every value is one that the domain's own constructors let through, so a rule that fails on one
//! can fail in service:
//!
//! ```
//! use kyc_core::strategies::histories;
//! use kyc_core::{Preference, Status, Submission};
//! use proptest::prelude::*;
//!
//! /// A rule of one's own: may the applicant trade?
//! fn may_trade(history: &[Submission]) -> bool {
//!     Preference::Best.pick(history).is_some_and(|best| best.status() == Status::Approved)
//! }
//!
//! proptest!(|(history in histories())| {
//!     let was_approved = history.iter().any(|submission| submission.status() == Status::Approved);
//!     prop_assert_eq!(may_trade(&history), was_approved);
//! });
//! ```
//!
//! `Debug` is masked for personal data, so a failing case shows its shape and not its values;
//! print `as_str()` of what the property is about.

mod form;
mod review;
mod sent;
mod submission;
mod text;
mod value;

pub use form::{
    addresses, aml_only_forms, evidence, evidence_l1, evidence_l2, forms, identifications,
    identity_forms,
};
pub use review::{
    hit_keys, hit_verdicts, hits, retention_decisions, reviews, risk_levels, screenings, stalls,
};
pub use sent::{SentForm, damaged_forms, sent_forms};
pub use submission::{Action, Change, changes, histories, submissions};
pub use text::{
    account_names, address_parts, comments, emails, free_texts, id_numbers, person_names,
    reason_codes, user_ids, wallet_addresses,
};
pub use value::{
    applicants, birth_dates, client_ids, client_prefixes, countries, dates, document_handles,
    document_ids, genders, slots, submission_ids, timestamps,
};
