//! Publishers that misbehave (T30): what is in use stays, and the reason names the place.

use std::io::{Cursor, Write};

use serde_json::json;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use super::{gzip, refused, site_and_publisher, update};
use crate::fixture::{PLAIN_LIST, UN_LIST};
use crate::program::{Site, text};
use crate::publisher::{Publisher, Reply, answer, bytes, length, ok};

#[test]
fn t30_a_not_modified_that_nobody_asked_for_is_no_list() {
    let (site, publisher) = site_and_publisher();
    publisher.now(|_| answer("304 Not Modified", &[], b""));
    let reason = refused(&site, "UN", &publisher.url("/un.xml"));
    assert!(reason.contains("answers with status 304"), "{reason}");
}

#[test]
fn gzip_and_zip_are_unpacked_and_bombs_are_not() {
    let site = Site::with_data();
    let publisher = Publisher::of(gzip(UN_LIST.as_bytes()));
    assert_eq!(update(&site, "UN", &publisher.url("/un.xml.gz"))["result"], "new");
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    archive.start_file("un.xml", SimpleFileOptions::default()).unwrap();
    archive.write_all(UN_LIST.as_bytes()).unwrap();
    let archive = archive.finish().unwrap().into_inner();
    publisher.now(move |_| ok(&archive));
    assert_eq!(update(&site, "UN", &publisher.url("/un.zip"))["result"], "same");

    // 300 MB of nothing, which is more than the limit, in 300 KB.
    let bomb = gzip(&vec![0; 300_000_000]);
    let encoded = bomb.clone();
    publisher.now(move |_| answer("200 OK", &["Content-Encoding: gzip"], &encoded));
    let reason = refused(&site, "UN", &publisher.url("/un.xml"));
    assert!(reason.contains("cannot be unpacked: it holds more than 268435456 bytes"), "{reason}");
    publisher.now(move |_| ok(&bomb));
    assert!(refused(&site, "UN", &publisher.url("/un.xml")).contains("it holds more than"));
    publisher.now(|_| answer("200 OK", &["Content-Encoding: br"], b"xx"));
    assert!(refused(&site, "UN", &publisher.url("/un.xml")).contains("encoded in a way"));
}

#[test]
fn t30_what_is_no_list_leaves_the_old_edition_and_says_where_it_is() {
    let (site, publisher) = site_and_publisher();
    let url = publisher.url("/un.xml");
    let page = "<!DOCTYPE html><html><body>We have moved</body></html>";
    publisher.now(move |_| answer("200 OK", &["Content-Type: text/html"], page.as_bytes()));
    let reason = refused(&site, "UN", &url);
    assert!(reason.contains("/un.xml sends no list") && reason.contains("is kept in"), "{reason}");
    let kept = site.data().join("lists/.updates/UN/UN.list");
    assert_eq!(std::fs::read_to_string(kept).unwrap(), page);

    publisher.now(|_| ok(PLAIN_LIST));
    let reason = refused(&site, "UN", &url);
    assert!(reason.contains("sends no list") && reason.contains("UN.list cannot name"), "{reason}");
    publisher.now(|_| ok(""));
    assert!(refused(&site, "UN", &url).contains("sends no list"));
}

#[test]
fn t30_another_list_than_the_one_that_was_meant_is_refused() {
    let (site, publisher) = site_and_publisher();
    let reason = refused(&site, "EU", &publisher.url("/un.xml"));
    assert!(reason.contains("expected the list EU, and found UN"), "{reason}");
    let reason = refused(&site, "watch", &publisher.url("/un.xml"));
    assert!(reason.contains("expected the list watch, and found UN"), "{reason}");
}

#[test]
fn t30_a_list_that_is_cut_off_shrunk_or_older_leaves_the_old_edition() {
    let (site, publisher) = site_and_publisher();
    let url = publisher.url("/un.xml");
    publisher.now(|_| ok(&UN_LIST[..UN_LIST.len() / 2]));
    let reason = refused(&site, "UN", &url);
    assert!(reason.contains("element CONSOLIDATED_LIST/INDIVIDUALS"), "{reason}");
    // A length that is too short cuts off as well.
    let short = length(UN_LIST.len() - 30);
    publisher.now(move |_| Reply::Bytes(bytes("200 OK", &[&short], UN_LIST.as_bytes())));
    let reason = refused(&site, "UN", &url);
    assert!(reason.contains("element CONSOLIDATED_LIST at byte"), "{reason}");
    publisher.now(|_| ok(UN_LIST.replace("2026-11-02", "2024-01-31")));
    let reason = refused(&site, "UN", &url);
    assert!(reason.contains("is older than the current one of 2026-11-02"), "{reason}");

    let watch = publisher.url("/watch.csv");
    publisher.now(|_| ok(PLAIN_LIST));
    update(&site, "watch", &watch);
    publisher.now(|_| ok(PLAIN_LIST.lines().take(2).collect::<Vec<_>>().join("\n")));
    let reason = refused(&site, "watch", &watch);
    assert!(reason.contains("the list watch shrank from 2 to 1"), "{reason}");
    assert!(reason.contains("--accept-shrinkage"), "{reason}");
    let feed = format!("watch={watch}");
    let rows = site.json(&["list", "update", &feed, "--accept-shrinkage", "--json"]);
    assert_eq!((&rows[0]["result"], &rows[0]["replaced"]["persons"]), (&json!("new"), &json!(2)));
}

#[test]
fn t30_what_never_ends_stalls_or_breaks_off_leaves_the_old_edition() {
    let (site, publisher) = site_and_publisher();
    let url = publisher.url("/un.xml");
    let huge = length(300_000_000);
    publisher.now(move |_| Reply::Stall(bytes("200 OK", &[&huge], b"<")));
    let reason = refused(&site, "UN", &url);
    assert!(reason.contains("sends more than 268435456 bytes"), "{reason}");
    publisher.now(|_| {
        let chunk = [b"10000\r\n".to_vec(), vec![b' '; 0x10000], b"\r\n".to_vec()].concat();
        Reply::Endless(bytes("200 OK", &["Transfer-Encoding: chunked"], b""), chunk)
    });
    let reason = refused(&site, "UN", &url);
    assert!(reason.contains("sends more than 268435456 bytes"), "{reason}");
    let folder = site.data().join("lists/.updates/UN");
    assert!(!folder.join("UN.list.part").exists(), "its room is given back");

    publisher.now(|_| Reply::Bytes(bytes("200 OK", &[&length(9999)], UN_LIST.as_bytes())));
    let reason = refused(&site, "UN", &url);
    assert!(reason.contains(&format!("breaks off after byte {}", UN_LIST.len())), "{reason}");
    publisher.now(|_| Reply::Bytes(b"220 mail.example.org ESMTP\r\n".to_vec()));
    assert!(refused(&site, "UN", &url).contains("breaks the rules of HTTP"));
    publisher.now(|_| Reply::Stall(bytes("200 OK", &[&length(9999)], b"<")));
    let mut command = site.command(&["list", "update", &format!("UN={url}")]);
    let output = command.env("KYC_LISTS_UPDATE_SECONDS_MAX", "1").output().unwrap();
    assert!(text(&output.stderr).contains("UN: not updated: not done within 1 s"));
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn redirects_are_followed_but_not_for_ever_and_not_into_the_clear() {
    let site = Site::with_data();
    let publisher = Publisher::new(|asked| match asked.path() {
        "/moved" => answer("302 Found", &["Location: un.xml?x=1"], b""),
        "/loop" => answer("301 Moved Permanently", &["Location: /loop"], b""),
        "/clear" => answer("307 Temporary Redirect", &["Location: http://192.0.2.1/un"], b""),
        "/nowhere" => answer("302 Found", &[], b""),
        _ => ok(UN_LIST),
    });
    assert_eq!(update(&site, "UN", &publisher.url("/moved"))["result"], "new");
    let reason = |path: &str| refused(&site, "UN", &publisher.url(path));
    assert!(reason("/loop").contains("sends on to another place, and that once more, 5 times"));
    assert!(reason("/clear").contains("in clear a list is fetched from this machine alone"));
    assert!(reason("/nowhere").contains("answers with status 302"));
}
