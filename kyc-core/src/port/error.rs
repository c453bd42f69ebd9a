/// A foreign cause.
///
/// ```
/// use kyc_core::{BoxError, StoreError};
///
/// let cause: BoxError = "the disk is full".into();
/// let error = StoreError::Unavailable(cause);
/// assert_eq!(error.to_string(), "the storage failed", "the cause is in `source`");
/// ```
pub type BoxError = Box<dyn std::error::Error + Send + Sync>;

/// A failure of a store. Unless a variant says otherwise, nothing has changed.
///
/// ```
/// use kyc_core::StoreError;
///
/// assert_eq!(StoreError::Stale.to_string(), "the record changed in between");
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// A stored record cannot be read back as a domain value.
    #[error("stored {table} record {key} is corrupt")]
    Corrupt {
        /// Where the record is kept.
        table: &'static str,
        /// Which record: an id, never a personal value.
        key: String,
        /// What could not be read.
        source: BoxError,
    },
    /// The id is already taken.
    #[error("a record with this id exists")]
    Duplicate,
    /// The key of the request has an answer already.
    #[error("the key of the request has an answer")]
    KeyTaken,
    /// Somebody else changed the record in between, or it does not exist.
    #[error("the record changed in between")]
    Stale,
    /// The client has used up what it may use; nothing was stored.
    #[error(transparent)]
    UsedUp(#[from] UsedUp),
    /// The storage did not answer, or answered with a failure of its own. Whether a write took
    /// place is unknown.
    #[error("the storage failed")]
    Unavailable(#[source] BoxError),
}

/// What a client has used up (D103).
///
/// ```
/// use kyc_core::UsedUp;
///
/// let used_up = UsedUp::UploadsOfDay { max: 1_000 };
/// assert_eq!(used_up.to_string(), "the client has used up its 1000 uploads of this day");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum UsedUp {
    /// The bytes of its documents.
    #[error("the client has used up its storage")]
    Storage,
    /// The documents that it may store on one day of UTC.
    #[error("the client has used up its {max} uploads of this day")]
    UploadsOfDay {
        /// How many they are.
        max: u32,
    },
    /// The submissions that it may store on one day of UTC.
    #[error("the client has used up its {max} submissions of this day")]
    SubmissionsOfDay {
        /// How many they are.
        max: u32,
    },
}
