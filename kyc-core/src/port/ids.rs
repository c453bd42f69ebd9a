use crate::{DocumentId, SubmissionId, Timestamp};

/// Where new ids come from.
///
/// # Contract
///
/// * No id is given out twice.
/// * Ids of one kind order by `at`.
/// * Nobody who knows some ids can guess others: document ids are part of handles.
///
/// ```
/// use kyc_core::{DocumentId, IdSource, OsIds, SubmissionId, Timestamp, conformance};
///
/// /// Ids of a program that has a source of randomness of its own.
/// struct OwnIds;
///
/// impl OwnIds {
///     fn random() -> [u8; 10] {
/// #       let bytes = OsIds.document_id(Timestamp::EARLIEST).to_bytes();
/// #       std::array::from_fn(|at| bytes[at + 6])
///         // …
///     }
/// }
///
/// impl IdSource for OwnIds {
///     fn submission_id(&self, at: Timestamp) -> SubmissionId {
///         SubmissionId::new(at, Self::random())
///     }
///
///     fn document_id(&self, at: Timestamp) -> DocumentId {
///         DocumentId::new(at, Self::random())
///     }
/// }
///
/// conformance::id_source(&OwnIds);
/// ```
pub trait IdSource: Send + Sync {
    /// The id of a submission that is handed in at `at`.
    fn submission_id(&self, at: Timestamp) -> SubmissionId;

    /// The id of a document that is uploaded at `at`.
    fn document_id(&self, at: Timestamp) -> DocumentId;
}

/// Ids with 80 bits of the operating system's randomness (D13).
///
/// ```
/// use kyc_core::{IdSource, OsIds, Timestamp};
///
/// let at = Timestamp::EARLIEST;
/// assert_ne!(OsIds.submission_id(at), OsIds.submission_id(at));
/// ```
#[derive(Debug, Clone, Copy, Default)]
pub struct OsIds;

impl OsIds {
    #[expect(clippy::expect_used, reason = "no service can run on a system without randomness")]
    fn random() -> [u8; 10] {
        let mut random = [0; 10];
        getrandom::fill(&mut random).expect("the operating system gives randomness");
        random
    }
}

impl IdSource for OsIds {
    fn submission_id(&self, at: Timestamp) -> SubmissionId {
        SubmissionId::new(at, Self::random())
    }

    fn document_id(&self, at: Timestamp) -> DocumentId {
        DocumentId::new(at, Self::random())
    }
}
