//! Requests that are sent again to a running service (T28, D98).

use std::collections::BTreeSet;
use std::sync::Barrier;
use std::thread;

use crate::fixture::{Applicant, upload};
use crate::program::Site;

#[test]
fn t28_a_hundred_of_one_form_at_once_are_stored_once_and_answered_alike() {
    let site = Site::new();
    let service = site.develop();
    let client = service.client();
    let (photo_id, selfie) = (upload(&client, "passport", "p"), upload(&client, "selfie", "s"));
    let form = Applicant::named("Mira", "Kole").form(&photo_id, &selfie);
    let start = Barrier::new(100);
    let bodies: BTreeSet<Vec<u8>> = thread::scope(|scope| {
        let send = || {
            let keyed = client.keyed("order-17");
            start.wait();
            let answer = keyed.post_form("/v2/submissions", &form);
            answer.ok();
            answer.body
        };
        let senders: Vec<_> = (0..100).map(|_| scope.spawn(send)).collect();
        senders.into_iter().map(|sender| sender.join().unwrap()).collect()
    });
    assert_eq!(bodies.len(), 1, "one answer");
    let listed = client.get("/v2/submissions/resultall").ok();
    assert_eq!(listed["data"].as_array().unwrap().len(), 1, "one row");

    let other = Applicant::named("Mira", "Kolev").form(&photo_id, &selfie);
    let refused = client.keyed("order-17").post_form("/v2/submissions", &other);
    assert_eq!(refused.status, 409);
    assert_eq!(refused.json()["errorCode"], "idempotency_key_reused");
}
