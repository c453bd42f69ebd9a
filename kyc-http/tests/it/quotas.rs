//! What a client may use, as it is told (D103).

use std::sync::Arc;
use std::time::Duration;

use http::Request;
use kyc_core::memory::{MemoryAudit, MemoryDirectory, MemoryDocuments, MemorySubmissions};
use kyc_core::{
    AnswerStore, Beside, ClientId, Document, DocumentId, DocumentStore, Kept, KeyedRequest,
    StoreError, Timestamp, UsedUp,
};
use kyc_http::interface::Interface;
use time::macros::date;

use crate::support::*;

/// Documents of a client who has used up something. Room for the smallest may be left.
struct Full {
    documents: MemoryDocuments,
    used_up: UsedUp,
    /// Whether there is room at a time.
    has_room: fn(Timestamp) -> bool,
}

impl AnswerStore for Full {
    fn find_answer(&self, _: &KeyedRequest, _: Timestamp) -> Result<Option<Kept>, StoreError> {
        Ok(None)
    }

    fn forget_answers(&self, _: Timestamp, _: usize) -> Result<usize, StoreError> {
        Ok(0)
    }
}

impl DocumentStore for Full {
    fn put_with(&self, _: ClientId, _: &Document, _: &[u8], _: Beside) -> Result<(), StoreError> {
        Err(self.used_up.into())
    }

    fn check_room(&self, _: ClientId, at: Timestamp) -> Result<(), StoreError> {
        if (self.has_room)(at) { Ok(()) } else { Err(self.used_up.into()) }
    }

    fn find(&self, client: ClientId, id: DocumentId) -> Result<Option<Document>, StoreError> {
        self.documents.find(client, id)
    }

    fn bytes(&self, client: ClientId, id: DocumentId) -> Result<Option<Vec<u8>>, StoreError> {
        self.documents.bytes(client, id)
    }
}

pub(crate) fn full(used_up: UsedUp, has_room: bool) -> World {
    full_of(used_up, if has_room { |_| true } else { |_| false }, directory())
}

fn full_of(used_up: UsedUp, has_room: fn(Timestamp) -> bool, directory: MemoryDirectory) -> World {
    let documents = Full { documents: MemoryDocuments::default(), used_up, has_room };
    let submissions = Arc::new(MemorySubmissions::default());
    World::over(
        submissions,
        Arc::new(documents),
        Arc::new(directory),
        Arc::new(MemoryAudit::default()),
    )
}

const STORAGE: &str = "Insufficient Storage: the documents of this client fill its storage. \
    Ask the operator of the service for more, or to erase what is no longer needed";
const UPLOADS: &str = "Too Many Requests: the uploads of this client for today are used up. \
    They are granted again at midnight, UTC";

#[test]
fn d103_storage_that_is_used_up_is_507_and_says_what_to_do() {
    for target in ["/v2/submissions/upload", "/f1/submissions/upload"] {
        for has_room in [true, false] {
            let world = full(UsedUp::Storage, has_room);
            let answer = world.upload(Acme, target, "passport", &jpeg());
            answer.is_error(507, "storage_used_up", STORAGE);
            assert_eq!(answer.header("retry-after"), None, "no time will help");
        }
    }
}

#[test]
fn d103_the_uploads_of_a_day_are_429_until_midnight() {
    let world = full(UsedUp::UploadsOfDay { max: 1_000 }, true);
    let answer = world.upload(Acme, "/v2/submissions/upload", "passport", &jpeg());
    answer.is_error(429, "daily_uploads_used_up", UPLOADS);
    // It is 09:30:15.250.
    assert_eq!(answer.header("retry-after"), Some("52185"));
    assert_eq!(answer.header("ratelimit-limit"), Some("1000"));
    assert_eq!(answer.header("ratelimit-remaining"), Some("0"));
    assert_eq!(answer.header("ratelimit-reset"), Some("52185"));
}

#[test]
fn d108_the_days_of_a_sandbox_are_its_own() {
    let tomorrow = |at: Timestamp| at.date() == date!(2026 - 11 - 21);
    let directory = directory();
    directory.set_sandbox(client_id(Acme), Duration::from_hours(24));
    let world = full_of(UsedUp::UploadsOfDay { max: 1_000 }, tomorrow, directory);
    assert!(world.service.check_room(client_id(Acme)).is_ok());
    assert!(world.service.check_room(client_id(Birch)).is_err());
}

#[test]
fn d9_d103_whoever_has_no_room_at_all_is_told_before_a_body_is_read() {
    let head = || {
        let (name, key) = Acme.header().unwrap();
        let request = Request::post("/v2/submissions/upload")
            .header(name, key)
            .header("content-type", upload_type())
            .header("content-length", "3000000");
        request.body(()).unwrap().into_parts().0
    };
    assert!(full(UsedUp::Storage, true).api.admit(&head()).is_ok());
    let refused = full(UsedUp::Storage, false).api.admit(&head()).unwrap_err();
    Answer::of(refused).is_error(507, "storage_used_up", STORAGE);
    // But not who may ask for the answer of an upload that took the last room.
    let mut again = head();
    again.headers.insert("idempotency-key", "upload-1".parse().unwrap());
    assert!(full(UsedUp::Storage, false).api.admit(&again).is_ok());
}

#[test]
fn d103_nothing_but_uploads_needs_room() {
    let world = full(UsedUp::Storage, false);
    world.submit_aml_only(Acme);
    world.get(Acme, "/v2/submissions/resultall").success();
}
