use kyc_core::conformance::fixture::{
    approved, client, document_id, form, rejected, sample, stalled, submission, submission_id,
    time, valid,
};
use kyc_core::{
    Actor, AuditActor, AuditEntry, AuditEvent, AuditHash, DocumentErasure, Erasure, ErasureCause,
    HitVerdict, InvalidAuditHash, RotatedKey, Slot, Stall, Submission, SubmissionId,
};
use proptest::prelude::*;

/// A row about the submissions with these numbers, and about something else.
#[track_caller]
fn names(event: &AuditEvent, word: &str, submissions: &[u32], object: Option<&str>) {
    assert_eq!(event.as_str(), word);
    let ids: Vec<SubmissionId> = submissions.iter().copied().map(submission_id).collect();
    assert_eq!(event.submissions(), ids, "{word}");
    assert_eq!(event.object().as_deref(), object, "{word}");
}

#[test]
fn d95_what_happened_to_a_submission_names_it() {
    let id = submission_id(7);
    let from = submission_id(6);
    names(&AuditEvent::Submitted(id), "submitted", &[7], None);
    names(&AuditEvent::Renewed { id, from }, "renewed", &[7], Some(&from.to_string()));
    names(&AuditEvent::Approved(id), "approved", &[7], None);
    names(&AuditEvent::Rejected(id), "rejected", &[7], None);
    names(&AuditEvent::RetakeAsked(id), "retake-asked", &[7], None);
    names(&AuditEvent::Reopened(id), "reopened", &[7], None);
    names(&AuditEvent::Screened(id), "screened", &[7], None);
    names(&AuditEvent::Rescreened(id), "rescreened", &[7], None);
    names(&AuditEvent::Acknowledged(id), "acknowledged", &[7], None);
    names(&AuditEvent::RelationshipEnded(id), "relationship-ended", &[7], None);
    names(&AuditEvent::RelationshipGoesOn(id), "relationship-goes-on", &[7], None);
    names(&AuditEvent::HoldSet(id), "hold-set", &[7], None);
    names(&AuditEvent::HoldLifted(id), "hold-lifted", &[7], None);
    names(&AuditEvent::Erased(id), "erased", &[7], None);
    for (slot, word) in [
        (Slot::PhotoId, "photo-id"),
        (Slot::Selfie, "selfie"),
        (Slot::AddressProof, "address-proof"),
    ] {
        names(&AuditEvent::Supplied { id, slot }, "supplied", &[7], Some(word));
    }
    for (verdict, word) in [
        (Some(HitVerdict::TruePositive), "hit-confirmed"),
        (Some(HitVerdict::FalsePositive), "hit-cleared"),
        (None, "hit-reopened"),
    ] {
        names(&AuditEvent::HitDecided { id, verdict }, word, &[7], None);
    }
}

#[test]
fn d96_what_was_shown_names_everybody_who_was_shown() {
    let (id, document) = (submission_id(7), document_id(8));
    let three = || [7, 8, 9].map(submission_id).to_vec();
    names(&AuditEvent::CaseRead(id), "case-read", &[7], None);
    names(&AuditEvent::QueueRead(three()), "queue-read", &[7, 8, 9], None);
    names(&AuditEvent::QueueRead(Vec::new()), "queue-read", &[], None);
    let beside = AuditEvent::DuplicatesRead { of: submission_id(6), shown: three() };
    names(&beside, "duplicates-read", &[7, 8, 9], Some(&submission_id(6).to_string()));
    let read = AuditEvent::DocumentRead { id, document };
    names(&read, "document-read", &[7], Some(&document.to_string()));
    names(&AuditEvent::AnswerRepeated, "answer-repeated", &[], None);
}

#[test]
fn d95_what_happened_to_a_document_names_it_and_the_submission_that_referred_to_it() {
    let document = document_id(8);
    let text = document.to_string();
    names(&AuditEvent::DocumentUploaded(document), "document-uploaded", &[], Some(&text));
    let erased = |of| AuditEvent::DocumentErased { document, of };
    names(&erased(None), "document-erased", &[], Some(&text));
    names(&erased(Some(submission_id(7))), "document-erased", &[7], Some(&text));
}

#[test]
fn d95_what_an_operator_did_names_the_key_the_inspector_or_the_client() {
    let key = || "0a1b2c3d4e5f".into();
    let name = || valid("olga");
    let added = AuditEvent::InspectorAdded { name: name(), clients: None, token: key() };
    names(&AuditEvent::Begun, "begun", &[], None);
    names(&AuditEvent::ChainBegun(client(12)), "chain-begun", &[], Some("12"));
    names(&AuditEvent::ClientAdded, "client-added", &[], None);
    names(&AuditEvent::KeyCreated { key: key() }, "key-created", &[], Some("0a1b2c3d4e5f"));
    names(&AuditEvent::KeyRevoked { key: key() }, "key-revoked", &[], Some("0a1b2c3d4e5f"));
    names(&added, "inspector-added", &[], Some("olga"));
    let removed = AuditEvent::InspectorRemoved { name: name() };
    names(&removed, "inspector-removed", &[], Some("olga"));
    let rotated = |key, version| AuditEvent::KeyRotated { key, version };
    names(&rotated(RotatedKey::Master, 2), "key-rotated", &[], Some("master 2"));
    names(&rotated(RotatedKey::Client, 3), "key-rotated", &[], Some("client 3"));
    let ahead = AuditEvent::SandboxClockSet { ahead_ms: 86_400_000 };
    names(&ahead, "sandbox-clock-set", &[], Some("86400000"));
    names(&AuditEvent::BackupMade, "backup-made", &[], None);
    names(&AuditEvent::Restored, "restored", &[], None);
}

#[test]
fn d95_who_did_it_is_told_in_words_and_each_is_another() {
    let key = Some(valid("0a1b2c3d4e5f"));
    let actors = [
        AuditActor::Client(None),
        AuditActor::Client(key),
        AuditActor::Inspector(valid("ines")),
        AuditActor::Operator,
        AuditActor::Service,
    ];
    let words = actors.map(|actor| actor.to_string());
    let expected = ["client", "client key 0a1b2c3d4e5f", "inspector ines", "operator", "service"];
    assert_eq!(words, expected);
    // No inspector's name makes somebody else of them.
    let pretender = AuditActor::Inspector(valid("operator")).to_string();
    assert!(!words.contains(&pretender));
}

#[test]
fn d121_a_key_is_said_of_a_client_alone() {
    let key = Some(valid("0a1b2c3d4e5f"));
    let by = |by: AuditActor| {
        let row = AuditEntry { at: time(0), by, event: AuditEvent::Begun, about: None };
        row.by_key(key.as_ref()).by
    };
    assert_eq!(by(AuditActor::Client(None)), AuditActor::Client(key.clone()));
    for other in [AuditActor::Inspector(valid("ines")), AuditActor::Operator, AuditActor::Service] {
        assert_eq!(by(other.clone()), other);
    }
}

#[test]
fn d106_an_erasure_is_by_whoever_caused_it() {
    let by = |cause| AuditEntry::of_erasure(&Erasure::of(&rejected(sample()), cause, time(60)));
    let expected = |by| {
        let event = AuditEvent::Erased(sample().id());
        AuditEntry { at: time(60), by, event, about: None }
    };
    assert_eq!(by(ErasureCause::Period), expected(AuditActor::Service));
    let asked = ErasureCause::Request(valid("asked_for"));
    assert_eq!(by(asked), expected(AuditActor::Operator));
}

#[test]
fn d120_an_erased_document_is_a_row_for_each_submission_that_goes_on_without_it() {
    let document = document_id(1);
    let rows = |referring: &[Submission]| {
        let without =
            |one: &Submission| one.clone().erase_document(Actor::Operator, time(60), document);
        let changed = referring.iter().map(|one| without(one).unwrap()).collect();
        let reason = valid("not_the_applicant");
        AuditEntry::of_document_erasure(&DocumentErasure {
            document,
            changed,
            reason,
            at: time(60),
        })
    };
    let row = |of| {
        let event = AuditEvent::DocumentErased { document, of };
        AuditEntry { at: time(60), by: AuditActor::Operator, event, about: None }
    };
    let two = [sample(), submission(2, form())];
    assert_eq!(rows(&two), [row(Some(two[0].id())), row(Some(two[1].id()))]);
    assert_eq!(rows(&[]), [row(None)], "where no submission referred to it");
}

#[test]
fn d95_a_change_without_an_event_leaves_no_row() {
    let rows = |submission: &Submission| AuditEntry::of_replacement(submission).count();
    let done = approved(sample());
    assert_eq!(rows(&done), 1);
    assert_eq!(rows(&stalled(done, Stall::Failed)), 0, "a stall is a state");
}

#[test]
fn a_hash_is_32_hexadecimal_digits() {
    let hash = AuditHash::from_bytes([0xab; 16]);
    assert_eq!(format!("{hash} {hash:?}"), format!("{0} AuditHash({0})", "ab".repeat(16)));
    assert_eq!("AB".repeat(16).parse(), Ok(hash));
    assert_eq!("0".repeat(32).parse(), Ok(AuditHash::from_bytes([0; 16])));
    let wrong = [
        "",
        "0",
        &"0".repeat(31),
        &"0".repeat(33),
        &"+".repeat(32),
        &format!("+{}", "0".repeat(31)),
    ];
    for text in wrong.into_iter().chain(["mira.kole@example.org", &"é".repeat(16)]) {
        assert_eq!(text.parse::<AuditHash>(), Err(InvalidAuditHash), "{text}");
    }
    assert_eq!(InvalidAuditHash.to_string(), "must be 32 hexadecimal digits");
}

proptest! {
    #[test]
    fn a_hash_reads_as_it_is_printed(bytes: [u8; 16]) {
        let hash = AuditHash::from_bytes(bytes);
        prop_assert_eq!(hash.to_bytes(), bytes);
        prop_assert_eq!(hash.to_string().parse(), Ok(hash));
    }
}
