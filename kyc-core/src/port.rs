//! The ports: what the domain needs from the outside.
//!
//! Synchronous, dyn-compatible, few. Every call names the client, so a store cannot be asked
//! without one, and another client's record is indistinguishable from none. A method is the unit of
//! atomicity. Times and ids come in with the values, so a store is deterministic. Each bullet of a
//! contract has a case in the conformance suite (feature `testing`).

mod answer;
mod audit;
mod clock;
mod directory;
mod document;
mod error;
mod ids;
mod monitoring;
mod queue;
mod screener;
mod submission;

pub use answer::{AnswerStore, Beside};
pub use audit::{AuditLog, Audited};
pub use clock::{Clock, SystemClock};
pub use directory::Directory;
pub use document::DocumentStore;
pub use error::{BoxError, StoreError, UsedUp};
pub use ids::{IdSource, OsIds};
pub use monitoring::{Covered, Editions, Monitoring, MonitoringState, Walk};
pub use queue::{QueueFilter, QueuePlace, Queued, ScreeningQueue};
pub use screener::{ScreenError, Screener, Subject};
pub use submission::{Listing, Lookup, PageKey, SubmissionStore, Then, Visit};
