//! A service that keeps its lists up to date by itself, and says whether it is ready.

use std::io::Write;
use std::net::TcpStream;

use serde_json::{Value, json};

use crate::client::{Answer, read_answer};
use crate::fixture::{PLAIN_LIST, UN_LIST};
use crate::program::{Running, Site, eventually};
use crate::publisher::{Publisher, answer, ok};
use crate::serve::serve_configured;

/// What a stranger is told.
fn ask(service: &Running, path: &str) -> Answer {
    service.client_with("kyc_nobody").get(path)
}

/// Starts a configured service that needs the list of the United Nations and fetches it.
fn serve(site: &Site, url: &str) -> Running {
    let feed = format!("UN={url}");
    let fetching = ["--lists-required", "UN", "--lists-update", &feed, "--lists-update-hours", "1"];
    serve_configured(site, &fetching)
}

/// The row of the list in the status.
fn status(site: &Site) -> Value {
    let mut command = site.command(&["list", "status", "--json"]);
    let output = command.env("KYC_LISTS_REQUIRED", "UN").output().unwrap();
    serde_json::from_slice::<Value>(&output.stdout).unwrap()["lists"][0].clone()
}

const ALARM: &str = "a list cannot be updated: what is in use of it stays";

#[test]
fn d77_d78_a_service_fetches_its_lists_and_is_ready_then() {
    let site = Site::new();
    let publisher = Publisher::of(UN_LIST);
    let service = serve(&site, &publisher.url("/un.xml"));
    service.wait_for_log("\"list\":\"UN\"");
    eventually(|| ask(&service, "/readyz").status == 200);
    let ready = ask(&service, "/readyz").json();
    assert_eq!(ready["lists"][0]["list"], "UN");
    assert_eq!(ready["lists"][0]["state"], "current");
    assert_eq!(ask(&service, "/healthz").json(), json!({"alive": true}));
    service.stop();
    assert_eq!(publisher.asked().len(), 1, "it is not due again");
}

#[test]
fn d77_an_outage_is_an_alarm_and_the_last_good_list_stays_over_a_restart() {
    let site = Site::with_data();
    site.write("un.xml", UN_LIST);
    site.stdout(&["list", "import", "un.xml"]);
    let imported = status(&site);
    let publisher = Publisher::new(|_| answer("403 Forbidden", &[], b""));
    let url = publisher.url("/un.xml?key=secret");

    let service = serve(&site, &url);
    service.wait_for_log(ALARM);
    eventually(|| ask(&service, "/readyz").status == 200);
    assert!(!service.log().contains("secret"), "{}", service.log());
    service.stop();
    let failed = status(&site);
    assert_eq!(
        (&failed["version"], &failed["checked_at"]),
        (&imported["version"], &imported["checked_at"])
    );
    let reason = failed["failing"]["reason"].as_str().unwrap();
    assert!(reason.contains("answers with status 403"), "{reason}");

    // It is not due yet, and neither the list nor the reason is forgotten.
    let service = serve(&site, &url);
    service.wait_for_log("\"list\":\"UN\"");
    eventually(|| ask(&service, "/readyz").status == 200);
    assert_eq!(status(&site), failed);
    service.stop();

    // By hand it may be tried at any time, and then nothing is wrong any more.
    publisher.now(|_| ok(UN_LIST));
    site.stdout(&["list", "update", &format!("UN={url}")]);
    assert_eq!(status(&site)["failing"], Value::Null);
}

#[test]
fn d34_d78_a_service_without_its_lists_is_not_ready_and_says_which() {
    let site = Site::new();
    let service = serve_configured(&site, &["--lists-required", "UN,watch"]);
    eventually(|| ask(&service, "/readyz").json()["loaded"] == true);
    let not_ready = ask(&service, "/readyz");
    assert_eq!(not_ready.status, 503);
    let missing = |list: &str| json!({"list": list, "state": "missing", "required": true, "age_seconds": null});
    let lists = [missing("UN"), missing("watch")];
    assert_eq!(
        not_ready.json(),
        json!({
            "ready": false,
            "store": true,
            "screening": false,
            "loaded": true,
            "retention_waits": false,
            "lists": lists,
            "backup": null
        })
    );
    site.write("un.xml", UN_LIST);
    site.write("watch.csv", PLAIN_LIST);
    site.stdout(&["list", "import", "un.xml", "watch.csv"]);
    eventually(|| ask(&service, "/readyz").status == 200);
    service.stop();

    let service = serve_configured(&site, &["--lists-max-age-days", "0"]);
    assert_eq!(ask(&service, "/readyz").json()["lists"][0]["state"], "too_old");
    service.stop();
}

#[test]
fn d78_a_service_that_cannot_load_the_current_lists_is_not_ready() {
    let site = Site::with_data();
    let import = |list: &str| {
        site.write("un.xml", list);
        site.stdout(&["list", "import", "un.xml"]);
    };
    let damage = || {
        let stored =
            format!("data/lists/UN/{}/list.xml", status(&site)["version"].as_str().unwrap());
        site.write(&stored, "<");
        let _ = std::fs::remove_file(site.data().join("lists/prepared.image"));
    };
    import(UN_LIST);
    damage();
    let service = serve_configured(&site, &["--lists-required", "UN"]);
    service.wait_for_log("the lists cannot be loaded");
    let not_ready = ask(&service, "/readyz");
    let words = |answer: &Answer| {
        let answer = answer.json();
        (answer["screening"].clone(), answer["loaded"].clone())
    };
    assert_eq!((not_ready.status, words(&not_ready)), (503, (json!(true), json!(false))));
    service.stop();

    // With lists in use it is the same.
    import(&UN_LIST.replace("2026-11-02", "2026-11-03"));
    let service = serve_configured(&site, &["--lists-required", "UN"]);
    eventually(|| ask(&service, "/readyz").status == 200);
    service.signal("-STOP");
    import(&UN_LIST.replace("2026-11-02", "2026-11-04"));
    damage();
    service.signal("-CONT");
    eventually(|| ask(&service, "/readyz").status == 503);
    service.stop();
}

#[test]
fn d78_a_development_start_is_ready_with_its_sample() {
    let site = Site::new();
    let service = site.develop();
    eventually(|| ask(&service, "/readyz").status == 200);
    let ready = ask(&service, "/readyz");
    assert_eq!((ready.status, &ready.json()["lists"][0]["state"]), (200, &json!("sample")));
    service.stop();
}

#[test]
fn d11_d78_behind_a_proxy_a_probe_says_that_it_came_by_https() {
    let site = Site::new();
    let service = site.serve(&["--proxy-listen", "127.0.0.1:0", "--proxy-trusted", "127.0.0.1"]);
    let status = |head: &str| {
        let mut socket = TcpStream::connect(service.address()).unwrap();
        write!(socket, "GET /healthz HTTP/1.1\r\nHost: localhost\r\n{head}\r\n").unwrap();
        read_answer(&mut socket).unwrap().status
    };
    assert_eq!((status(""), status("X-Forwarded-Proto: https\r\n")), (400, 200));
    service.stop();
}

#[test]
fn a_download_under_way_does_not_hold_up_the_end() {
    use crate::publisher::{Reply, bytes, length};
    let site = Site::new();
    let publisher =
        Publisher::new(|_| Reply::Stall(bytes("200 OK", &["ETag: \"1\"", &length(999)], b"<")));
    let service = serve(&site, &publisher.url("/un.xml"));
    let part = site.data().join("lists/.updates/UN/UN.list.part");
    eventually(|| std::fs::metadata(&part).is_ok_and(|part| part.len() == 1));
    let begin = std::time::Instant::now();
    service.stop();
    assert!(begin.elapsed().as_secs() < 10, "{:?}", begin.elapsed());
    assert!(part.exists(), "it is gone on with by the next start");
}
