use proptest::prelude::*;

use super::*;

const HEAD: &str = "GET / HTTP/1.1\r\nhost: a\r\n\r\n";

/// A head, its body, and the length of that as the parser tells it.
type Message = (&'static str, &'static str, Option<u64>);

const FINE: [Message; 8] = [
    (HEAD, "", Some(0)),
    ("\r\n\r\nGET / HTTP/1.1\r\nhost: a\r\n\r\n", "", Some(0)),
    ("GET / HTTP/1.1\r\nreferer: /#top\r\n\r\n", "#\n\n#", Some(4)),
    (HEAD, "0\r\n\r\n", None),
    (HEAD, "2\r\n#\n\r\n0A;#=b1\r\n0123456789\r\n00\r\n\r\n", None),
    (HEAD, "1 \t;a=1\r\n\n\r\n0;b\r\na: #\r\nb: 2\r\n\r\n", None),
    (HEAD, "\r\n", Some(2)),
    (HEAD, "GET /#top HTTP/1.1\n\n", Some(20)),
];

const FAULTY: [Message; 6] = [
    ("GET /#top HTTP/1.1\r\n\r\n", "", Some(0)),
    ("GET / HTTP/1.1\nhost: a\r\n\r\n", "", Some(0)),
    ("GET / HTTP/1.1\r\nhost: a\n\r\n", "ab", Some(2)),
    ("GET / HTTP/1.1\r\nhost: a\r\n\n", "0\r\n\r\n", None),
    ("\nGET / HTTP/1.1\r\nhost: a\r\n\r\n", "", Some(0)),
    ("GET /#a HTTP/1.1\n\n", "1\r\na\r\n0\r\n\r\n", None),
];

/// Which of the messages were found faulty, when all of them come in parts of these sizes.
fn faults(messages: &[Message], sizes: &[usize]) -> Vec<bool> {
    let sent: Vec<u8> =
        messages.iter().flat_map(|(head, body, _)| [*head, *body]).collect::<String>().into();
    let mut scan = Scan::default();
    let (mut found, mut rest, mut sizes) = (Vec::new(), &sent[..], sizes.iter().cycle());
    while !rest.is_empty() {
        let (part, after) = rest.split_at((*sizes.next().unwrap()).min(rest.len()));
        rest = after;
        scan.feed(part);
        while matches!(scan.position, Position::Held(_)) {
            let (_, _, body_bytes) = messages[found.len()];
            found.push(scan.end_head(body_bytes).is_some());
        }
    }
    assert_eq!(scan, Scan::default(), "all of it was followed");
    found
}

proptest! {
    #[test]
    fn faulty_heads_are_found_wherever_they_begin_and_however_they_come(
        picked in prop::collection::vec((any::<bool>(), any::<prop::sample::Index>()), 1..6),
        sizes in prop::collection::vec(1_usize..50, 1..8),
    ) {
        let messages: Vec<Message> = picked
            .iter()
            .map(|(is_fine, index)| *if *is_fine { index.get(&FINE) } else { index.get(&FAULTY) })
            .collect();
        let expected: Vec<bool> = picked.iter().map(|(is_fine, _)| !is_fine).collect();
        prop_assert_eq!(faults(&messages, &sizes), expected);
    }

    #[test]
    fn it_does_not_matter_in_which_parts_anything_comes(
        sent in "[01A#;\r\n]{0,24}",
        cut in 0_usize..24,
        body_bytes in prop::option::of(0_u64..4),
    ) {
        let scan = |parts: &[&str]| {
            let mut scan = Scan { position: Position::Held(Vec::new()), ..Scan::default() };
            scan.end_head(body_bytes);
            for part in parts {
                scan.feed(part.as_bytes());
            }
            scan
        };
        let (first, second) = sent.split_at(cut.min(sent.len()));
        prop_assert_eq!(scan(&[first, second]), scan(&[&sent]));
    }
}

#[test]
fn each_message_is_told_by_itself() {
    for (messages, faulty) in [(&FINE[..], false), (&FAULTY[..], true)] {
        for message in messages {
            assert_eq!(faults(&[*message], &[1]), [faulty], "{message:?}");
            assert_eq!(faults(&[*message], &[1000]), [faulty], "{message:?}");
        }
    }
}

/// Sends something odd in the place of a chunked body, and a head after it.
#[track_caller]
fn check_lost(body: &str) {
    let mut scan = Scan::default();
    scan.feed(HEAD.as_bytes());
    assert_eq!(scan.end_head(None), None);
    scan.feed(body.as_bytes());
    scan.feed(HEAD.as_bytes());
    assert!(scan.end_head(Some(0)).is_some());
    scan.feed(HEAD.as_bytes());
    assert!(scan.end_head(Some(0)).is_some(), "what is lost stays lost");
}

#[test]
fn where_a_head_may_begin_elsewhere_every_one_is_faulty() {
    check_lost("0\n\r\n");
    check_lost("1\na\r\n0\r\n\r\n");
    check_lost("0\r\na: 1\n\r\n");
    check_lost("0\r\n\n");
    check_lost("ffffffffffffffff\r\n");
}
