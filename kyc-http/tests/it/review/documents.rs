//! `GET /review/v1/submissions/{submission_id}/documents/{field}`

use std::sync::Arc;

use kyc_core::SubmissionStore;
use kyc_core::conformance::fixture::sample;
use kyc_core::memory::{MemoryAudit, MemoryDocuments, MemorySubmissions};

use crate::support::*;

#[test]
fn d53_a_document_is_its_bytes_as_an_attachment() {
    let world = World::new();
    let upload = |kind: &str, file: &[u8]| {
        world.upload(Acme, "/f1/submissions/upload", kind, file).success().text_at("/filehash")
    };
    let form = world
        .l1(Acme)
        .with("selfie_res", &upload("selfie", &png()))
        .with("image_res1", &upload("other", &pdf()))
        .with("image_res3", &upload("other", &png()));
    let id = world.post(Acme, "/f1/submissions", &form.body()).success().text_at("/id");
    let check = |field: &str, media_type: &str, file: &[u8]| {
        let target = format!("/review/v1/submissions/{id}/documents/{field}");
        let answer = world.get(Ines, &target).success();
        assert_eq!(answer.body, file);
        assert_eq!(answer.header("content-type"), Some(media_type));
        assert_eq!(answer.header("content-disposition"), Some("attachment"));
        assert_eq!(answer.header("content-security-policy"), Some("default-src 'none'; sandbox"));
        assert_eq!(answer.header("x-content-type-options"), Some("nosniff"));
        assert_eq!(answer.header("cache-control"), Some("no-store"));
    };
    check("photoid_res", "image/jpeg", &jpeg());
    check("selfie_res", "image/png", &png());
    check("image_res1", "application/pdf", &pdf());
    check("image_res3", "image/png", &png());
    for field in ["address_res", "image_res2", "id", "Photoid_res", "..", "photoid_res%00"] {
        let target = format!("/review/v1/submissions/{id}/documents/{field}");
        world.get(Ines, &target).is_not_found();
    }
}

#[test]
fn d53_a_document_that_was_refused_can_still_be_looked_at() {
    let world = World::new();
    let id = world.submit(Acme, &world.l1(Acme));
    world.retake(&id, "selfie_res");
    let target = format!("/review/v1/submissions/{id}/documents/selfie_res");
    assert_eq!(world.get(Ben, &target).success().body, jpeg());
}

/// As after a restore from a backup during which they were erased.
#[test]
fn d110_a_case_is_shown_without_the_documents_that_were_lost() {
    let submissions = Arc::new(MemorySubmissions::default());
    submissions.insert(client_id(Acme), &sample()).unwrap();
    let (documents, audit) = (MemoryDocuments::default(), MemoryAudit::default());
    let directory = Arc::new(directory());
    let world = World::over(submissions, Arc::new(documents), directory, Arc::new(audit));
    let target = format!("/review/v1/submissions/{}", sample().id());
    let case = world.get(Ines, &target).success();
    assert_eq!(case.json()["documents"], serde_json::json!([]));
    world.get(Ines, &format!("{target}/documents/selfie_res")).is_not_found();
}
