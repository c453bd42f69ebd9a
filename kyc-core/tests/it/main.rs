//! What the domain promises, one module per topic.
#![expect(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "also outside of test functions, what fails ends the test"
)]

mod audit; // what the audit says of each event, and by whom
mod conformance; // that the suites for ports find every broken promise
mod country; // the list of countries
mod email; // e-mail addresses and their canonical form
mod form; // reading a form, with all problems at once
mod format; // the format of a document, from its bytes
mod id; // ids, handles, and the names and numbers of clients and inspectors
mod listed; // a submission as lists show it
mod page; // how much fits on a page
mod person; // when two records speak of one person
mod ports; // the reference implementations of the ports
mod privacy; // no personal value in what a log may show
mod round_trip; // what is printed reads as the same value
mod service; // the use cases
mod standing; // which submission speaks for the applicant
mod strategies; // what the strategies for property tests give
mod submission; // the states of a submission and its transitions
mod text; // names, free texts, comments, wallets
mod time; // days, dates of birth, expiry, points in time
mod word; // closed sets of words, and scores
