//! What the benches and the load program share: applicants and lists in any number, and how to
//! drive a server.

pub mod applicants;
pub mod bare;
pub mod client;
pub mod drive;
pub mod kinds;
pub mod lists;
pub mod names;
pub mod process;
pub mod sqlite_bound;
pub mod trend;

/// What the programs of this package fail with.
pub type Failure = Box<dyn std::error::Error + Send + Sync>;
