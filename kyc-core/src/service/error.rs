use crate::format::InvalidFile;
use crate::{Forbidden, Problem, StoreError, UsedUp};

/// What a transport has to tell apart. Exhaustive: a new case should stop the build of whoever
/// turns these into answers.
///
/// ```
/// use kyc_core::CountrySyntax;
/// use kyc_core::conformance::fixture::client;
/// use kyc_core::conformance::stand_in::service;
/// use kyc_core::service::Error;
///
/// let nothing = |_| None;
/// let refused = service().submit_aml_only(client(1), &nothing, CountrySyntax::Combined);
/// let Err(Error::Form(problems)) = refused else { unreachable!("nothing was sent") };
/// assert_eq!(problems.len(), 6, "all of them at once");
/// ```
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The form has faults; all of them, in the order of the fields. Nothing is stored.
    #[error("the form has faults")]
    Form(Vec<Problem>),
    /// The uploaded file is not accepted. Nothing is stored.
    #[error(transparent)]
    Document(#[from] DocumentRefused),
    /// There is no such record, or it is another client's.
    #[error("no such record")]
    NotFound,
    /// The state of the submission does not allow it. Nothing has changed.
    #[error(transparent)]
    Forbidden(#[from] Forbidden),
    /// Somebody else changed the submission since it was read. Nothing has changed.
    #[error("the submission changed in between")]
    Stale,
    /// Another request was answered under the key of this one. Nothing has changed.
    #[error("the key was used for another request")]
    KeyReused,
    /// What this request stored when it was sent before was erased since. Nothing has changed.
    #[error("what was stored under this key was erased")]
    KeyErased,
    /// A request under the same key was answered in the meantime. Nothing has changed.
    #[error("a request under the same key was answered")]
    KeyTaken,
    /// The page key does not belong to a submission of the client.
    #[error("unknown page key")]
    UnknownPageKey,
    /// The client has used up what it may use. Nothing is stored.
    #[error(transparent)]
    UsedUp(#[from] UsedUp),
    /// The storage failed.
    #[error("the storage failed")]
    Store(#[source] StoreError),
}

impl From<StoreError> for Error {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::KeyTaken => Self::KeyTaken,
            StoreError::Stale => Self::Stale,
            StoreError::UsedUp(used_up) => Self::UsedUp(used_up),
            StoreError::Corrupt { .. } | StoreError::Duplicate | StoreError::Unavailable(_) => {
                Self::Store(error)
            }
        }
    }
}

/// Why an uploaded file is not accepted.
///
/// ```
/// use kyc_core::conformance::fixture::client_record;
/// use kyc_core::conformance::stand_in::service;
/// use kyc_core::service::{DocumentRefused, Error};
/// use kyc_core::{DocumentKind, Spelling};
///
/// let (client, kind) = (client_record(1), DocumentKind::Selfie);
/// let refused = service().upload(&client, kind, Spelling::Joined, b"%PDF-1.4").unwrap_err();
/// assert!(matches!(refused, Error::Document(DocumentRefused::SelfieNoImage)));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DocumentRefused {
    /// More bytes than the limit (D23).
    #[error("the file is larger than {bytes_max} bytes")]
    TooLarge {
        /// The limit.
        bytes_max: u32,
    },
    /// Not of an accepted format, or broken (D24).
    #[error(transparent)]
    Format(#[from] InvalidFile),
    /// A selfie has to be an image.
    #[error("a selfie has to be a jpeg or png image")]
    SelfieNoImage,
}
