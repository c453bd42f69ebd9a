//! `kyc list update`

mod misbehaving; // publishers that misbehave
mod resumed; // downloads that break off, and go on

use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::{Value, json};

use crate::fixture::{OFAC_ALIASES, OFAC_LIST, PLAIN_LIST, UN_LIST};
use crate::program::{Site, text};
use crate::publisher::{Publisher, answer, ok};

/// The arguments that update one list from one address.
fn arguments(list: &str, url: &str) -> [String; 4] {
    let feed = format!("{list}={url}");
    ["list".to_owned(), "update".to_owned(), feed, "--json".to_owned()]
}

/// Updates a list that has to be updated, and gives its row.
#[track_caller]
fn update(site: &Site, list: &str, url: &str) -> Value {
    let arguments = arguments(list, url);
    site.json(&arguments.each_ref().map(String::as_str))[0].clone()
}

/// Updates a list that must not be updated, and gives the reason. What was in use stays.
#[track_caller]
fn refused(site: &Site, list: &str, url: &str) -> String {
    let before = in_use(site);
    let arguments = arguments(list, url);
    let output = site
        .command(&arguments.each_ref().map(String::as_str))
        .env("KYC_LISTS_UPDATE_SECONDS_MAX", "120")
        .output()
        .unwrap();
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("error: 1 of 1 lists could not be updated"), "{said}");
    assert_eq!(in_use(site), before);
    let rows: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&rows[0]["list"], &rows[0]["result"]), (&json!(list), &json!("failed")));
    let reason = rows[0]["reason"].as_str().unwrap().to_owned();
    let status = site.json(&["list", "status", "--json"]);
    let row = status["lists"].as_array().unwrap().iter().find(|row| row["list"] == list).unwrap();
    assert_eq!(row["failing"]["reason"], reason, "the status knows why");
    reason
}

/// The lists that are in use, by their versions, and when they were checked.
fn in_use(site: &Site) -> Vec<(Value, Value)> {
    let status = site.json(&["list", "status", "--json"]);
    let lists = status["lists"].as_array().unwrap();
    let of = |row: &Value| (row["version"].clone(), row["checked_at"].clone());
    lists.iter().map(of).filter(|(version, _)| !version.is_null()).collect()
}

/// A site that has fetched the list of the United Nations, and where from.
fn site_and_publisher() -> (Site, Publisher) {
    let (site, publisher) = (Site::with_data(), Publisher::of(UN_LIST));
    assert_eq!(update(&site, "UN", &publisher.url("/un.xml"))["result"], "new");
    publisher.asked();
    (site, publisher)
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

const ETAG: &str = "ETag: \"edition-1\"";

#[test]
fn a_list_is_fetched_and_used() {
    let (site, publisher) = (Site::with_data(), Publisher::of(UN_LIST));
    let row = update(&site, "UN", &publisher.url("/un.xml?token=7"));
    assert_eq!((&row["result"], &row["persons"]), (&json!("new"), &json!(1)));
    let asked = &publisher.asked()[0];
    assert_eq!((asked.path(), asked.header("accept-encoding")), ("/un.xml?token=7", Some("gzip")));
    assert_eq!(asked.header("if-none-match"), None);
    let found = site.kyc(&["screen", "--name", "Osric Fennimore", "--fail-on-hit"]);
    assert_eq!(found.status.code(), Some(4));
    assert_eq!(update(&site, "UN", &publisher.url("/un.xml"))["result"], "same");
}

#[test]
fn every_file_of_a_set_is_fetched() {
    let site = Site::with_data();
    let publisher = Publisher::new(|asked| match asked.path() {
        "/ofac/sdn.csv" => ok(OFAC_LIST),
        "/ofac/alt.csv" => ok(OFAC_ALIASES),
        "/ofac/add.csv" | "/ofac/sdn_comments.csv" => ok("\u{1a}"),
        _ => answer("404 Not Found", &[], b""),
    });
    let row = update(&site, "OFAC-SDN", &publisher.url("/ofac/"));
    assert_eq!((&row["persons"], &row["names"]), (&json!(1), &json!(3)));
    assert!(!text(&site.kyc(&["list", "status"]).stderr).contains("came without"));

    publisher.now(|asked| match asked.path() {
        "/ofac/sdn.csv" => ok(OFAC_LIST),
        _ => answer("404 Not Found", &[], b""),
    });
    let reason = refused(&site, "OFAC-SDN", &publisher.url("/ofac/"));
    assert!(reason.contains("/ofac/alt.csv answers with status 404"), "{reason}");
}

#[test]
fn d75_a_list_that_has_not_changed_is_not_sent_again_and_is_young_again() {
    let site = Site::with_data();
    let publisher = Publisher::new(|asked| {
        if asked.header("if-none-match") == Some("\"edition-1\"") {
            return answer("304 Not Modified", &[ETAG], b"");
        }
        answer(
            "200 OK",
            &[ETAG, "Last-Modified: Fri, 20 Nov 2026 08:00:00 GMT"],
            UN_LIST.as_bytes(),
        )
    });
    let url = publisher.url("/un.xml");
    assert_eq!(update(&site, "UN", &url)["result"], "new");
    let before = in_use(&site);
    assert_eq!(update(&site, "UN", &url)["result"], "same");
    let after = in_use(&site);
    assert_eq!(after[0].0, before[0].0);
    assert_ne!(after[0].1, before[0].1, "it was checked");
    let asked = publisher.asked();
    assert_eq!(asked[1].header("if-modified-since"), Some("Fri, 20 Nov 2026 08:00:00 GMT"));

    // What names one edition says nothing about another, nor about another address.
    site.write("un.xml", UN_LIST.replace("Osrik", "Oskar"));
    site.stdout(&["list", "import", "un.xml"]);
    assert_eq!(update(&site, "UN", &url)["result"], "new");
    assert_eq!(update(&site, "UN", &publisher.url("/other.xml"))["result"], "same");
    assert!(publisher.asked().iter().all(|asked| asked.header("if-none-match").is_none()));
}

#[test]
fn one_list_that_fails_stops_no_other() {
    let site = Site::with_data();
    let publisher = Publisher::new(|asked| match asked.path() {
        "/un.xml" => ok(UN_LIST),
        _ => answer("404 Not Found", &[], b""),
    });
    let feed = |list: &str, path: &str| format!("{list}={}", publisher.url(path));
    let feeds = [feed("watch", "/gone?key=secret"), feed("UN", "/un.xml")].join(",");
    let mut command = site.command(&["list", "update"]);
    let output = command.env("KYC_LISTS_UPDATE", feeds).output().unwrap();
    let (table, said) = (text(&output.stdout), text(&output.stderr));
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(table.contains("watch  failed  ") && table.contains("UN     new     "), "{table}");
    assert!(said.contains("watch: not updated: ") && said.contains("is the address still right?"));
    assert!(said.contains("1 of 2 lists could not be updated"), "{said}");
    assert!(!said.contains("secret"), "{said}");
}

#[test]
fn what_is_asked_for_by_name_comes_from_where_the_configuration_says() {
    let site = Site::with_data();
    let publisher = Publisher::of(UN_LIST);
    let by_name = |name: &str| {
        let mut command = site.command(&["list", "update", name]);
        command.env("KYC_LISTS_UPDATE", format!("UN={}", publisher.url("/un.xml")));
        command.output().unwrap()
    };
    assert!(by_name("UN").status.success());
    let said = text(&by_name("our-watchlist").stderr);
    assert!(said.contains("our-watchlist: expected NAME=ADDRESS"), "{said}");
    let said = text(&by_name("un=https://x").stderr);
    assert!(said.contains("un: expected UN, EU, UK"), "{said}");
}

#[test]
fn an_argument_that_names_nothing_to_fetch_is_wrong_usage() {
    let site = Site::with_data();
    let check = |argument: &str, said: &str| {
        let sentence = site.fails(&["list", "update", argument], 2);
        assert!(sentence.contains(said), "{sentence}");
    };
    check("Foo", "Foo: expected UN, EU, UK");
    check("Foo=ftp://x", "Foo: expected UN, EU, UK");
    check("our-watchlist", "our-watchlist: expected NAME=ADDRESS");
    check("EU=http://10.0.0.1/x", "EU: expected https://");
    assert!(!site.data().join("lists").exists());
}

#[test]
fn a_removal_forgets_what_came_of_updates() {
    let (site, publisher) = site_and_publisher();
    publisher.now(|_| answer("404 Not Found", &[], b""));
    refused(&site, "UN", &publisher.url("/un.xml"));
    refused(&site, "watch", &publisher.url("/watch.csv"));
    let told = |command: &[&str]| text(&site.kyc(command).stderr);
    assert!(told(&["list", "status"]).contains("warning: watch cannot be updated since"));

    // Of the one a list is there, of the other the record alone.
    assert!(told(&["list", "remove", "UN"]).contains("list UN removed"));
    let said = told(&["list", "remove", "watch"]);
    assert!(
        said.contains("there was no list watch; the record of its updates is removed"),
        "{said}"
    );
    let status = site.json(&["list", "status", "--json"]);
    assert_eq!((&status["sample"], status["lists"].as_array().unwrap().len()), (&json!(true), 1));
    assert!(!told(&["list", "status"]).contains("cannot be updated"));
    assert!(site.fails(&["list", "remove", "watch"], 1).contains("there is no list watch"));
}

#[test]
fn a_removal_beside_an_update_leaves_the_record_and_says_so() {
    let (site, _publisher) = site_and_publisher();
    let lock = site.data().join("lists/.updates/lock");
    let lock = std::fs::File::options().write(true).open(lock).unwrap();
    lock.lock().unwrap();
    let said = site.fails(&["list", "remove", "UN"], 1);
    assert!(
        said.contains("the record of updates of UN stays: another update is at work"),
        "{said}"
    );
    assert_eq!(site.json(&["list", "status", "--json"])["sample"], true);
    drop(lock);
    assert!(site.kyc(&["list", "remove", "UN"]).status.success());
}

#[test]
fn two_updates_at_once_do_not_mix() {
    let (site, publisher) = site_and_publisher();
    let lock = site.data().join("lists/.updates/lock");
    let lock = std::fs::File::options().write(true).open(lock).unwrap();
    lock.lock().unwrap();
    let feed = format!("UN={}", publisher.url("/un.xml"));
    let said = site.fails(&["list", "update", &feed], 1);
    assert!(said.contains("another update is at work"), "{said}");
    assert_eq!(publisher.asked().len(), 0);
}

#[test]
fn d76_a_publisher_has_to_be_one_that_the_machine_or_the_operator_trusts() {
    let site = Site::with_data();
    let publisher = Publisher::certified(&site, |asked| match asked.path() {
        "/un.xml" => ok(UN_LIST),
        _ => answer("302 Found", &["Location: http://127.0.0.1:9/un.xml"], b""),
    });
    let update = |path: &str| {
        let feed = format!("UN={}", publisher.url(path));
        let mut command = site.command(&["list", "update", &feed]);
        command.env("KYC_LISTS_CA_FILE", site.path("server.pem"));
        text(&command.output().unwrap().stderr)
    };
    let reason = refused(&site, "UN", &publisher.url("/un.xml"));
    assert!(reason.contains("shows no certificate that this machine trusts"), "{reason}");
    assert!(reason.contains("lists_ca_file"), "{reason}");
    assert!(update("/un.xml").contains("UN: a new edition"));
    // What is in clear on this machine is in clear all the same.
    let said = update("/moved");
    assert!(said.contains("sends on to http://127.0.0.1:9/un.xml, which is in clear"), "{said}");
}

#[test]
fn d76_where_nothing_can_be_trusted_the_configuration_is_at_fault() {
    let site = Site::with_data();
    let mut command = site.command(&["list", "update", "UN"]);
    let output = command.env("KYC_LISTS_CA_FILE", "absent.pem").output().unwrap();
    assert_eq!(output.status.code(), Some(3));
    assert!(text(&output.stderr).contains("lists_ca_file absent.pem: "));
}

#[test]
fn a_record_that_cannot_be_written_fails_its_list_and_stops_no_other() {
    let site = Site::with_data();
    let publisher = Publisher::new(|asked| match asked.path() {
        "/un.xml" => answer("403 Forbidden", &[], b""),
        _ => ok(PLAIN_LIST),
    });
    std::fs::create_dir_all(site.data().join("lists/.updates/record.json/x")).unwrap();
    let (un, watch) = (publisher.url("/un.xml"), publisher.url("/watch.csv"));
    let feeds = [format!("UN={un}"), format!("watch={watch}")];
    let output = site.kyc(&["list", "update", &feeds[0], &feeds[1]]);
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("UN: not updated: ") && said.contains("status 403"), "{said}");
    assert!(said.contains("watch: not updated: ") && said.contains("record.json"), "{said}");
    assert!(said.contains("2 of 2 lists"), "{said}");
}
