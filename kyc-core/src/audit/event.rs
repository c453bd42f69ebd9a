use crate::{
    AccountName, ClientId, DocumentId, Event, HitVerdict, RetentionDecision, Slot, SubmissionId,
};

/// What happened, and to what. Exhaustive: a store has to be able to keep each.
///
/// ```
/// use kyc_core::AuditEvent;
/// use kyc_core::conformance::fixture::submission_id;
///
/// let event = AuditEvent::CaseRead(submission_id(7));
/// assert_eq!((event.as_str(), event.submissions()), ("case-read", &[submission_id(7)][..]));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AuditEvent {
    /// The first row of the service's own chain.
    Begun,
    /// The first row of a client's chain is about to follow. In the service's chain, so that a
    /// client's chain cannot disappear as a whole.
    ChainBegun(ClientId),

    /// A document was handed in.
    DocumentUploaded(DocumentId),
    /// A submission was handed in.
    Submitted(SubmissionId),
    /// A submission was handed in that renews another one.
    Renewed {
        /// The new one.
        id: SubmissionId,
        /// The one that it renews.
        from: SubmissionId,
    },
    /// A submission was accepted.
    Approved(SubmissionId),
    /// A submission was turned down.
    Rejected(SubmissionId),
    /// Documents of a submission were asked for again.
    RetakeAsked(SubmissionId),
    /// A document that was asked for again was handed in.
    Supplied {
        /// For which submission.
        id: SubmissionId,
        /// In which place.
        slot: Slot,
    },
    /// A final decision was taken back.
    Reopened(SubmissionId),
    /// Screening gave a first result.
    Screened(SubmissionId),
    /// A later screening gave another result.
    Rescreened(SubmissionId),
    /// An inspector decided on a hit.
    HitDecided {
        /// Of which submission.
        id: SubmissionId,
        /// What; `None` where an earlier decision was taken back.
        verdict: Option<HitVerdict>,
    },
    /// An inspector looked at a changed result.
    Acknowledged(SubmissionId),

    /// Somebody was shown these submissions in the queue.
    QueueRead(Vec<SubmissionId>),
    /// Somebody was shown a submission with all its data.
    CaseRead(SubmissionId),
    /// Somebody was shown these submissions beside another one of the same person.
    DuplicatesRead {
        /// Beside which.
        of: SubmissionId,
        /// Which.
        shown: Vec<SubmissionId>,
    },
    /// Somebody was given the bytes of a document.
    DocumentRead {
        /// Of which submission.
        id: SubmissionId,
        /// Which document.
        document: DocumentId,
    },

    /// Somebody was given the answer to an earlier decision again (D98).
    AnswerRepeated,

    /// A client was added.
    ClientAdded,
    /// The clock of a sandbox was advanced, or began.
    SandboxClockSet {
        /// How far it is ahead from now on, in milliseconds.
        ahead_ms: u64,
    },
    /// An API key was made.
    KeyCreated {
        /// The part of the key that is no secret.
        key: Box<str>,
    },
    /// An API key was revoked.
    KeyRevoked {
        /// The part of the key that is no secret.
        key: Box<str>,
    },
    /// An inspector was added.
    InspectorAdded {
        /// Whom.
        name: AccountName,
        /// Whose submissions the inspector sees; `None`: everybody's.
        clients: Option<Vec<ClientId>>,
        /// The part of the inspector's token that is no secret.
        token: Box<str>,
    },
    /// An inspector was removed.
    InspectorRemoved {
        /// Whom.
        name: AccountName,
    },

    /// A key that others are wrapped by was replaced.
    KeyRotated {
        /// Which.
        key: RotatedKey,
        /// Its version from now on.
        version: u32,
    },
    /// The relationship with an applicant ended: the time that records are kept begins.
    RelationshipEnded(SubmissionId),
    /// The relationship did not end: what was said before was taken back.
    RelationshipGoesOn(SubmissionId),
    /// A submission must not be erased until further notice.
    HoldSet(SubmissionId),
    /// A submission may be erased again.
    HoldLifted(SubmissionId),
    /// A submission was erased for good.
    Erased(SubmissionId),
    /// A document was erased for good.
    DocumentErased {
        /// Which.
        document: DocumentId,
        /// The submission that referred to it, and goes on without it; `None` where none did.
        of: Option<SubmissionId>,
    },
    /// A backup was made.
    BackupMade,
    /// The data folder was restored from a backup.
    Restored,
}

/// A key that others are wrapped by.
///
/// ```
/// use kyc_core::{AuditEvent, RotatedKey};
///
/// let event = AuditEvent::KeyRotated { key: RotatedKey::Master, version: 2 };
/// assert_eq!(event.as_str(), "key-rotated");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RotatedKey {
    /// The one of the whole store.
    Master,
    /// The one of a client.
    Client,
}

impl AuditEvent {
    pub(super) fn of(id: SubmissionId, event: &Event) -> Self {
        match event {
            Event::Approved(_) => Self::Approved(id),
            Event::Rejected { .. } => Self::Rejected(id),
            Event::RetakeAsked { .. } => Self::RetakeAsked(id),
            Event::Supplied { slot, .. } => Self::Supplied { id, slot: *slot },
            Event::Reopened { .. } => Self::Reopened(id),
            Event::Screened(_) => Self::Screened(id),
            Event::Rescreened { .. } => Self::Rescreened(id),
            Event::HitDecided { verdict, .. } => Self::HitDecided { id, verdict: *verdict },
            Event::Acknowledged => Self::Acknowledged(id),
            Event::DocumentErased { document, .. } => {
                Self::DocumentErased { document: *document, of: Some(id) }
            }
            Event::Retention(RetentionDecision::End { on: Some(_) }) => Self::RelationshipEnded(id),
            Event::Retention(RetentionDecision::End { on: None }) => Self::RelationshipGoesOn(id),
            Event::Retention(RetentionDecision::Hold { .. }) => Self::HoldSet(id),
            Event::Retention(RetentionDecision::Release { .. }) => Self::HoldLifted(id),
        }
    }

    /// One word for it.
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::Begun => "begun",
            Self::ChainBegun(_) => "chain-begun",
            Self::DocumentUploaded(_) => "document-uploaded",
            Self::Submitted(_) => "submitted",
            Self::Renewed { .. } => "renewed",
            Self::Approved(_) => "approved",
            Self::Rejected(_) => "rejected",
            Self::RetakeAsked(_) => "retake-asked",
            Self::Supplied { .. } => "supplied",
            Self::Reopened(_) => "reopened",
            Self::Screened(_) => "screened",
            Self::Rescreened(_) => "rescreened",
            Self::HitDecided { verdict: Some(HitVerdict::TruePositive), .. } => "hit-confirmed",
            Self::HitDecided { verdict: Some(HitVerdict::FalsePositive), .. } => "hit-cleared",
            Self::HitDecided { verdict: None, .. } => "hit-reopened",
            Self::Acknowledged(_) => "acknowledged",
            Self::QueueRead(_) => "queue-read",
            Self::CaseRead(_) => "case-read",
            Self::DuplicatesRead { .. } => "duplicates-read",
            Self::DocumentRead { .. } => "document-read",
            Self::AnswerRepeated => "answer-repeated",
            Self::ClientAdded => "client-added",
            Self::SandboxClockSet { .. } => "sandbox-clock-set",
            Self::KeyCreated { .. } => "key-created",
            Self::KeyRevoked { .. } => "key-revoked",
            Self::InspectorAdded { .. } => "inspector-added",
            Self::InspectorRemoved { .. } => "inspector-removed",
            Self::KeyRotated { .. } => "key-rotated",
            Self::RelationshipEnded(_) => "relationship-ended",
            Self::RelationshipGoesOn(_) => "relationship-goes-on",
            Self::HoldSet(_) => "hold-set",
            Self::HoldLifted(_) => "hold-lifted",
            Self::Erased(_) => "erased",
            Self::DocumentErased { .. } => "document-erased",
            Self::BackupMade => "backup-made",
            Self::Restored => "restored",
        }
    }

    /// The submissions that it happened to.
    pub fn submissions(&self) -> &[SubmissionId] {
        match self {
            Self::Submitted(id)
            | Self::Renewed { id, .. }
            | Self::Approved(id)
            | Self::Rejected(id)
            | Self::RetakeAsked(id)
            | Self::Supplied { id, .. }
            | Self::Reopened(id)
            | Self::Screened(id)
            | Self::Rescreened(id)
            | Self::HitDecided { id, .. }
            | Self::Acknowledged(id)
            | Self::CaseRead(id)
            | Self::DocumentRead { id, .. }
            | Self::RelationshipEnded(id)
            | Self::RelationshipGoesOn(id)
            | Self::HoldSet(id)
            | Self::HoldLifted(id)
            | Self::Erased(id) => std::slice::from_ref(id),
            Self::QueueRead(ids) | Self::DuplicatesRead { shown: ids, .. } => ids,
            Self::DocumentErased { of, .. } => of.as_slice(),
            Self::Begun
            | Self::ChainBegun(_)
            | Self::DocumentUploaded(_)
            | Self::AnswerRepeated
            | Self::ClientAdded
            | Self::SandboxClockSet { .. }
            | Self::KeyCreated { .. }
            | Self::KeyRevoked { .. }
            | Self::InspectorAdded { .. }
            | Self::InspectorRemoved { .. }
            | Self::KeyRotated { .. }
            | Self::BackupMade
            | Self::Restored => &[],
        }
    }

    /// What else it happened to, where there is something: a document, a client's number, how many
    /// milliseconds a sandbox is ahead, a key's id, an inspector, a place of a document, the renewed
    /// submission, the one whose duplicates were shown.
    pub fn object(&self) -> Option<String> {
        Some(match self {
            Self::ChainBegun(client) => client.get().to_string(),
            Self::DocumentUploaded(document)
            | Self::DocumentErased { document, .. }
            | Self::DocumentRead { document, .. } => document.to_string(),
            Self::Renewed { from: id, .. } | Self::DuplicatesRead { of: id, .. } => id.to_string(),
            Self::Supplied { slot, .. } => slot.as_str().to_owned(),
            Self::SandboxClockSet { ahead_ms } => ahead_ms.to_string(),
            Self::KeyCreated { key } | Self::KeyRevoked { key } => key.to_string(),
            Self::InspectorAdded { name, .. } | Self::InspectorRemoved { name } => name.to_string(),
            Self::KeyRotated { key: RotatedKey::Master, version } => format!("master {version}"),
            Self::KeyRotated { key: RotatedKey::Client, version } => format!("client {version}"),
            Self::Begun
            | Self::Submitted(_)
            | Self::Approved(_)
            | Self::Rejected(_)
            | Self::RetakeAsked(_)
            | Self::Reopened(_)
            | Self::Screened(_)
            | Self::Rescreened(_)
            | Self::HitDecided { .. }
            | Self::Acknowledged(_)
            | Self::QueueRead(_)
            | Self::CaseRead(_)
            | Self::AnswerRepeated
            | Self::ClientAdded
            | Self::RelationshipEnded(_)
            | Self::RelationshipGoesOn(_)
            | Self::HoldSet(_)
            | Self::HoldLifted(_)
            | Self::Erased(_)
            | Self::BackupMade
            | Self::Restored => return None,
        })
    }
}
