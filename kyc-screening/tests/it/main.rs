//! What the crate promises, from the outside.
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "also outside of test functions, what fails ends the test"
)]

mod editions; // what two editions in a library say otherwise
mod fixtures; // small lists in the public formats, about invented people
mod hits; // what a hit rests on, its own risk, and the order of hits
mod hostile; // inputs that were made to cost time
mod image; // lists that were prepared and kept
mod library; // importing, and what survives a failed import
mod library_faults; // damage, crashes and failures while importing
mod library_prepared; // the prepared engine that a library keeps
mod monitoring; // screening again whom a change of the lists concerns
mod names; // pairs of names, and properties of their similarity
mod place; // a library to import into
mod published; // more of them: the formats of the EU, the UK, the US and OpenSanctions
mod readers; // what is read, and every fault with its place
mod readers_damaged; // files that are cut off, broken or hostile
mod readers_published; // the formats of the EU, the UK, the US and OpenSanctions
mod real_lists; // the lists in the folder that `KYC_LISTS_DIR` names
mod scores; // pairs of names with what they score, written down
mod screener; // the port: policy, modes, replacement
mod screening; // a person against a list: scores, reasons, risk
mod scripts; // names in Hangul, Kana, Greek and Thai
