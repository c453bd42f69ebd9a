//! `kyc list update`, from publishers that misbehave (T30).

use std::io::Write;
use std::path::Path;

use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::{Value, json};

use crate::fixture::{OFAC_ALIASES, OFAC_LIST, PLAIN_LIST, UN_LIST};
use crate::program::{Site, text};
use crate::publisher::{Publisher, Reply, answer, bytes, length, ok};

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
        .env("KYC_LISTS_UPDATE_SECONDS_MAX", "20")
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
fn t30_a_not_modified_that_nobody_asked_for_is_no_list() {
    let (site, publisher) = site_and_publisher();
    publisher.now(|_| answer("304 Not Modified", &[], b""));
    let reason = refused(&site, "UN", &publisher.url("/un.xml"));
    assert!(reason.contains("answers with status 304"), "{reason}");
}

/// A file of which the first answer holds half, and the later ones what is asked for.
fn cut_off_once(file: Vec<u8>, headers: &'static [&'static str]) -> Publisher {
    let mut is_first = true;
    Publisher::new(move |asked| {
        if std::mem::take(&mut is_first) {
            let length = length(file.len());
            let head = [headers, &[&length]].concat();
            return Reply::Bytes(bytes("200 OK", &head, &file[..file.len() / 2]));
        }
        let Some(from) = asked.from().filter(|_| asked.header("if-range").is_some()) else {
            return answer("200 OK", headers, &file);
        };
        let range = format!("Content-Range: bytes {from}-{}/{}", file.len() - 1, file.len());
        answer("206 Partial Content", &[headers, &[&range]].concat(), &file[from..])
    })
}

#[test]
fn a_file_that_was_cut_off_is_gone_on_with() {
    let (site, file) = (Site::with_data(), UN_LIST.as_bytes());
    let publisher = cut_off_once(file.to_vec(), &[ETAG]);
    assert_eq!(update(&site, "UN", &publisher.url("/un.xml"))["result"], "new");
    let asked = publisher.asked();
    assert_eq!(asked[1].from(), Some(file.len() / 2));
    assert_eq!(asked[1].header("if-range"), Some("\"edition-1\""));

    let publisher = cut_off_once(gzip(file), &[ETAG, "Content-Encoding: gzip"]);
    assert_eq!(update(&site, "UN", &publisher.url("/un.xml"))["result"], "same");
    assert!(publisher.asked()[1].from().is_some());
}

#[test]
fn what_names_no_bytes_is_not_gone_on_with() {
    let site = Site::with_data();
    for headers in [&["ETag: W/\"weak\""][..], &[][..]] {
        let publisher = cut_off_once(UN_LIST.as_bytes().to_vec(), headers);
        update(&site, "UN", &publisher.url("/un.xml"));
        assert_eq!(publisher.asked()[1].from(), None, "{headers:?}");
    }
}

#[test]
fn what_has_come_survives_the_end_of_the_program() {
    let (site, file) = (Site::with_data(), UN_LIST.as_bytes());
    let half = file.len() / 2;
    let publisher = Publisher::new(move |_| {
        Reply::Stall(bytes("200 OK", &[ETAG, &length(file.len())], &file[..half]))
    });
    let url = publisher.url("/un.xml");
    let arguments = arguments("UN", &url);
    let mut child = site.command(&arguments.each_ref().map(String::as_str)).spawn().unwrap();
    let part = site.data().join("lists/.updates/UN/UN.list.part");
    let has_half = || std::fs::metadata(&part).is_ok_and(|part| part.len() == half as u64);
    crate::program::eventually(has_half);
    child.kill().unwrap();
    child.wait().unwrap();

    publisher.asked();
    publisher.now(move |asked| {
        let from = asked.from().unwrap();
        let range = format!("Content-Range: bytes {from}-{}/{}", file.len() - 1, file.len());
        answer("206 Partial Content", &[ETAG, &range], &file[from..])
    });
    assert_eq!(update(&site, "UN", &url)["result"], "new");
    assert_eq!(publisher.asked()[0].from(), Some(half));
    assert!(!Path::new(&part).exists());
}

#[test]
fn a_part_of_another_edition_or_place_is_thrown_away() {
    let (site, file) = (Site::with_data(), UN_LIST.as_bytes());
    let mut answers = 0;
    let publisher = Publisher::new(move |_| {
        answers += 1;
        match answers {
            1 => Reply::Bytes(bytes("200 OK", &[ETAG, &length(file.len())], &file[..500])),
            // Another part than was asked for.
            2 => answer("206 Partial Content", &["Content-Range: bytes 7-8/9"], b"xx"),
            3 => Reply::Bytes(bytes("200 OK", &[ETAG, &length(file.len())], &file[..500])),
            // The edition is another one, so all of it comes.
            _ => answer("200 OK", &["ETag: \"edition-2\""], file),
        }
    });
    assert_eq!(update(&site, "UN", &publisher.url("/un.xml"))["result"], "new");
    let from: Vec<_> = publisher.asked().iter().map(|asked| asked.from()).collect();
    assert_eq!(from, [None, Some(500), None, Some(500)]);
}

#[test]
fn a_server_that_fails_once_is_asked_again() {
    let site = Site::with_data();
    let mut is_first = true;
    let publisher = Publisher::new(move |_| {
        if std::mem::take(&mut is_first) {
            return answer("500 Internal Server Error", &[], b"oops");
        }
        ok(UN_LIST)
    });
    assert_eq!(update(&site, "UN", &publisher.url("/un.xml"))["result"], "new");
    assert_eq!(publisher.asked().len(), 2);
}

#[test]
fn gzip_and_zip_are_unpacked_and_bombs_are_not() {
    let site = Site::with_data();
    let publisher = Publisher::of(gzip(UN_LIST.as_bytes()));
    assert_eq!(update(&site, "UN", &publisher.url("/un.xml.gz"))["result"], "new");
    let mut archive = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    archive.start_file("un.xml", zip::write::SimpleFileOptions::default()).unwrap();
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
