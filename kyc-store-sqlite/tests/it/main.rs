//! What the embedded store promises, from the outside.
#![expect(
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "also outside of test functions, what fails ends the test"
)]

mod audit; // damage of the audit is found and named
mod audit_processes; // processes beside each other, and one that is killed
mod audit_record; // rows of the audit that somebody else has written
mod canary; // no file tells what was stored in a sealed store
mod concurrency; // readers beside writers, clients beside each other
mod conformance; // the contracts of the ports
mod copy; // copies for backups, and verifications
mod corrupt; // rows and files that somebody else has written
mod crash; // what was acknowledged before the process was killed
mod credentials; // keys and tokens
mod documents; // uploads that fail on the way, and what they leave behind
mod full; // files that can grow no more
mod heavy; // many submissions under one address, user or person
mod log; // the write-ahead log stays small
mod model; // the same answers as the reference implementation
mod opening; // folders that can and cannot be opened
mod quotas; // what each client may use
mod replay; // answers that are given again
mod retention; // what is left of what was erased
mod rotation; // keys replaced under load, and killed on the way
mod sealing; // what was moved or changed does not open; stores that are sealed later
mod support; // folders to work in
mod verify; // what a verification finds
