use kyc_core::{BoxError, StoreError, SubmissionId};

/// What is wrong with a stored record. Says where, never what it holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Damage {
    #[error("the record has the unknown format {0}")]
    Format(u8),
    #[error("the record ends too early")]
    Truncated,
    #[error("the record goes on behind its end")]
    TooLong,
    #[error("a text of the record is not UTF-8")]
    NotText,
    #[error("the record holds no valid {0}")]
    Value(&'static str),
    #[error("parts of the record contradict each other")]
    Contradiction,
    #[error("the record belongs to another row")]
    OtherRow,
}

impl Damage {
    /// The error that names the row.
    pub(crate) fn of(self, id: SubmissionId) -> StoreError {
        corrupt("submission", &id, self)
    }
}

/// A row that cannot be read back.
pub(crate) fn corrupt(
    table: &'static str,
    key: &dyn std::fmt::Display,
    source: impl Into<BoxError>,
) -> StoreError {
    StoreError::Corrupt { table, key: key.to_string(), source: source.into() }
}
