//! What one caller may have of the running service (D101–D103; threats T4, T32).

use crate::fixture::{image, try_upload, upload};
use crate::program::Site;

#[test]
fn t32_a_client_that_asks_too_often_is_told_when_to_come_back() {
    let site = Site::new();
    let service = site.serve(&["--listen", "127.0.0.1:0", "--reads-per-minute", "3"]);
    let client = service.client();
    let status = || client.get("/v2/submissions/mira.kole@example.org");
    for _ in 0..3 {
        assert_eq!(status().status, 404);
    }
    let refused = status();
    assert_eq!(refused.status, 429);
    assert_eq!(refused.json()["message"], "Too Many Requests");
    let header = |name| refused.header(name).map(|value| value.parse::<u64>().unwrap());
    assert!((1..=20).contains(&header("retry-after").unwrap()), "{:?}", refused.head);
    assert_eq!((header("ratelimit-limit"), header("ratelimit-remaining")), (Some(3), Some(0)));
    assert_eq!(header("ratelimit-reset"), header("retry-after"));
    // Other work is counted for itself.
    client.get("/v2/submissions/resultall").ok();
}

#[test]
fn t4_guesses_from_one_address_are_slowed_down_and_lock_nobody_out() {
    let site = Site::new();
    let service = site.serve(&["--listen", "127.0.0.1:0", "--refusals-per-minute", "5"]);
    let (client, stranger) = (service.client(), service.client_with("kyc_guess"));
    let list = "/v2/submissions/resultall";
    client.get(list).ok();
    let refused: Vec<u16> = (0..8).map(|_| stranger.get(list).status).collect();
    assert_eq!(refused, [403, 403, 403, 403, 403, 429, 429, 429]);
    client.get(list).ok();
    // Who was not there before waits, whatever the credential.
    assert_eq!(service.inspector().get("/review/v1/submissions").status, 429);
}

#[test]
fn d103_what_a_client_has_stored_is_known_after_a_restart() {
    let site = Site::new();
    let bytes = image("passport of nobody").len();
    let quota = (2 * bytes).to_string();
    let arguments = ["--listen", "127.0.0.1:0", "--document-bytes-per-client", &quota];
    let service = site.serve(&arguments);
    let key = service.ready["api_key"].as_str().unwrap().to_owned();
    upload(&service.client(), "passport", "passport of nobody");
    service.stop();

    let service = site.serve(&arguments);
    let client = service.client_with(&key);
    upload(&client, "passport", "passport of nobody");
    let refused = try_upload(&client, "passport", &image("")).unwrap();
    assert_eq!(refused.status, 507, "{refused:?}");
    assert_eq!(refused.json()["errorCode"], "storage_used_up");
}
