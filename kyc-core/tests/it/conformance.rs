//! The conformance suites find every broken promise: each store here breaks one.

mod documents; // stores of documents
mod monitoring; // stores of how far monitoring is
mod others; // directories, sources of ids, screeners
mod submissions; // stores of submissions

use std::panic::{AssertUnwindSafe, catch_unwind};

/// Checks that a suite ends in a panic.
#[track_caller]
fn finds(fault: &str, suite: impl FnOnce()) {
    assert!(catch_unwind(AssertUnwindSafe(suite)).is_err(), "not found: {fault}");
}
