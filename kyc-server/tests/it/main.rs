//! The program, run as its users run it.
#![expect(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "also outside of test functions, what fails ends the test"
)]

mod audit; // kyc audit
mod audit_complete; // a row for each answer
mod backup; // kyc backup, restore and verify
mod bad_starts; // what bad input gets: a sentence and an exit code
mod canary; // nothing personal and no key in the log
mod client; // a small HTTPS client
mod config; // kyc config
mod disk; // a disk that is full
mod doctor; // kyc doctor
mod fixture; // documents, forms and lists of invented people
mod flow; // from an upload to a risk level
mod help; // the help texts, word for word
mod keys; // clients, keys and inspectors beside a running service
mod kills; // kill -9 under load
mod limits; // what one caller may have
mod lists; // kyc list
mod load; // uploads, forms, decisions and renewals, and what must be left of them
mod master_key; // the master key: made, split, replaced
mod modes; // who may read what the program makes
mod people; // many people who were approved
mod program; // the program as a process
mod publisher; // a publisher of lists that may misbehave
mod refresh; // lists kept up to date by the service, and whether it is ready
mod rescreen; // kyc rescreen, and new lists beside a running service
mod retention; // how long records are kept, and what is left of them
mod retries; // requests that are sent again
mod screen; // kyc screen
mod serve; // starts, stops and signals
mod update; // kyc list update
