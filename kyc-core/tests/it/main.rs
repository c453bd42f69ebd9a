//! What the domain promises, one module per topic.
#![expect(clippy::unwrap_used, reason = "also outside of test functions, what fails ends the test")]

mod email; // e-mail addresses and their canonical form
mod format; // the format of a document, from its bytes
mod ports; // the reference implementations of the ports
mod strategies; // what the strategies for property tests give
