//! Downloads that break off, and go on.

use super::{ETAG, arguments, gzip, update};
use crate::fixture::{PLAIN_LIST, UN_LIST};
use crate::program::{Site, eventually};
use crate::publisher::{Asked, Publisher, Reply, answer, bytes, length, ok};

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
    eventually(has_half);
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
    assert!(!part.exists());
}

#[test]
fn a_part_of_another_edition_or_place_is_thrown_away() {
    let (site, file) = (Site::with_data(), UN_LIST.as_bytes());
    let mut count = 0;
    let publisher = Publisher::new(move |_| {
        count += 1;
        match count {
            1 | 3 => Reply::Bytes(bytes("200 OK", &[ETAG, &length(file.len())], &file[..500])),
            // Another part than was asked for.
            2 => answer("206 Partial Content", &["Content-Range: bytes 7-8/9"], b"xx"),
            // The edition is another one, so all of it comes.
            _ => answer("200 OK", &["ETag: \"edition-2\""], file),
        }
    });
    assert_eq!(update(&site, "UN", &publisher.url("/un.xml"))["result"], "new");
    let from: Vec<_> = publisher.asked().iter().map(Asked::from).collect();
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
fn a_server_that_sends_less_at_once_is_asked_for_the_rest() {
    let (site, file) = (Site::with_data(), UN_LIST.as_bytes());
    let publisher = Publisher::new(move |asked| {
        let Some(from) = asked.from() else {
            return Reply::Bytes(bytes("200 OK", &[ETAG, &length(file.len())], &file[..400]));
        };
        let to = file.len().min(from + 100);
        let range = format!("Content-Range: bytes {from}-{}/{}", to - 1, file.len());
        answer("206 Partial Content", &[ETAG, &range], &file[from..to])
    });
    assert_eq!(update(&site, "UN", &publisher.url("/un.xml"))["result"], "new");
}

#[test]
fn parts_of_two_editions_are_not_put_together() {
    let (site, file) = (Site::with_data(), UN_LIST.as_bytes());
    let mut count = 0;
    let publisher = Publisher::new(move |asked| {
        count += 1;
        match (count, asked.from()) {
            (1, _) => Reply::Bytes(bytes("200 OK", &[ETAG, &length(file.len())], &file[..400])),
            (_, Some(from)) => {
                let range =
                    format!("Content-Range: bytes {from}-{}/{}", file.len() - 1, file.len());
                let rest = vec![b' '; file.len() - from];
                answer("206 Partial Content", &["ETag: \"edition-2\"", &range], &rest)
            }
            (_, None) => answer("200 OK", &["ETag: \"edition-2\""], file),
        }
    });
    assert_eq!(update(&site, "UN", &publisher.url("/un.xml"))["result"], "new");
    let from: Vec<_> = publisher.asked().iter().map(Asked::from).collect();
    assert_eq!(from, [None, Some(400), None]);
}

#[test]
fn the_length_that_was_announced_first_holds() {
    let file = PLAIN_LIST.as_bytes();
    // Without its last row it would be a list, too.
    let short = PLAIN_LIST.trim_end().rfind('\n').unwrap() + 1;
    let half = short / 2;
    for (total, from) in [(short.to_string(), None), ("*".to_owned(), Some(short))] {
        let mut count = 0;
        let publisher = Publisher::new(move |asked| {
            count += 1;
            let part = |from: usize, to: usize, total: &str| {
                let range = format!("Content-Range: bytes {from}-{}/{total}", to - 1);
                answer("206 Partial Content", &[ETAG, &range], &file[from..to])
            };
            match (count, asked.from()) {
                (1, _) => {
                    Reply::Bytes(bytes("200 OK", &[ETAG, &length(file.len())], &file[..half]))
                }
                (2, Some(from)) => part(from, short, &total),
                (_, Some(from)) => part(from, file.len(), "*"),
                (_, None) => answer("200 OK", &[ETAG], file),
            }
        });
        let row = update(&Site::with_data(), "watch", &publisher.url("/watch.csv"));
        assert_eq!(row["persons"], 2, "{row}");
        let asked: Vec<_> = publisher.asked().iter().map(Asked::from).collect();
        assert_eq!(asked, [None, Some(half), from]);
    }
}
