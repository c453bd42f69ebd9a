//! Editions of lists, and how old they are.

use std::time::Duration;

use kyc_core::{ListVersion, Timestamp};

use crate::{Counts, Entity};

/// One edition of a list, ready to be searched with others.
///
/// ```
/// use kyc_screening::{Snapshot, read_plain};
///
/// let list = read_plain("id,name\n7,Mira Kole\n".as_bytes())?;
/// let snapshot = Snapshot::new("my-list", list.into_entities());
/// assert!(!snapshot.version.sample);
/// # Ok::<(), kyc_screening::ReadError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Snapshot {
    /// Which edition it is; every result says so.
    pub version: ListVersion,
    /// When it was imported; `None` for lists that no library keeps.
    pub imported_at: Option<Timestamp>,
    /// When it was last imported or found to be what its publisher has: its age counts from then
    /// (D75).
    pub checked_at: Option<Timestamp>,
    /// Whom it lists.
    pub entities: Vec<Entity>,
}

impl Snapshot {
    /// A list that was made in memory, without version and dates.
    pub fn new(list: &str, entities: Vec<Entity>) -> Self {
        let (list, version) = (list.to_owned(), String::new());
        let version = ListVersion { list, version, source_date: None, sample: false };
        Self { version, imported_at: None, checked_at: None, entities }
    }
}

/// What is known of one list.
///
/// ```
/// use kyc_core::Timestamp;
/// use kyc_screening::{Engine, Options};
///
/// let engine = Engine::sample(Options::default());
/// let status = &engine.status(Timestamp::EARLIEST)[0];
/// assert!(status.version.sample && status.age.is_none());
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListStatus {
    /// Which edition it is.
    pub version: ListVersion,
    /// When this edition was imported first; `None` for the sample and for lists made in memory.
    pub imported_at: Option<Timestamp>,
    /// When it was last imported or found to be what its publisher has (D75).
    pub checked_at: Option<Timestamp>,
    /// How long ago that was.
    pub age: Option<Duration>,
    /// How much it holds.
    pub counts: Counts,
}

impl ListStatus {
    pub(crate) fn new(
        version: ListVersion,
        imported_at: Option<Timestamp>,
        checked_at: Option<Timestamp>,
        counts: Counts,
        at: Timestamp,
    ) -> Self {
        let age = checked_at.map(|checked| age(checked, at));
        Self { version, imported_at, checked_at, age, counts }
    }
}

/// How long ago; nothing when `checked` lies in the future, as after a clock was set back.
pub(crate) fn age(checked: Timestamp, at: Timestamp) -> Duration {
    let millis = at.unix_millis() - checked.unix_millis();
    Duration::from_millis(u64::try_from(millis).unwrap_or(0))
}
