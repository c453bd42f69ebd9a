use proptest::prelude::*;

use super::InvalidPath::{EmptySegment, EscapedSlash, NotAbsolute};
use super::{InvalidPath, Path, Undecodable};

#[track_caller]
fn check(text: &str, expected: &[&str]) {
    let path = Path::parse(text).map_err(|error| error.to_string());
    assert_eq!(path.as_ref().map(Path::segments), Ok(expected.to_vec()));
}

#[track_caller]
fn check_err(text: &str, expected: impl Into<InvalidPath>) {
    assert_eq!(Path::parse(text).err(), Some(expected.into()));
}

#[test]
fn d50_a_path_is_split_and_each_part_decoded_once() {
    check("/v2/submissions", &["v2", "submissions"]);
    check("/v2/submissions/resultall", &["v2", "submissions", "resultall"]);
    check("/v2/submissions/a@b.c", &["v2", "submissions", "a@b.c"]);
    check("/v2/submissions/a%40b.c/result", &["v2", "submissions", "a@b.c", "result"]);
    check("/v2/submissions/a%2540b.c", &["v2", "submissions", "a%40b.c"]);
    check("/v2/submissions/zo%C3%AB@b.c", &["v2", "submissions", "zoë@b.c"]);
    check("/v2/submissions/zoë@b.c", &["v2", "submissions", "zoë@b.c"]);
}

#[test]
fn d50_a_plus_is_itself() {
    check("/v2/submissions/a+b@c.d", &["v2", "submissions", "a+b@c.d"]);
    check("/v2/submissions/a%2Bb@c.d", &["v2", "submissions", "a+b@c.d"]);
}

#[test]
fn a_fixed_word_is_the_same_word_when_escaped() {
    check("/v2/submissions/%72esultall", &["v2", "submissions", "resultall"]);
    check("/%76%32/submissions/%75%70%6C%6F%61%64", &["v2", "submissions", "upload"]);
    check("/v2/submissions/%72%65%6e%65%77%61%6d%6c", &["v2", "submissions", "renewaml"]);
}

#[test]
fn letter_case_and_surrounding_spaces_make_another_path() {
    check("/V2/submissions", &["V2", "submissions"]);
    check("/v2/submissions/ResultAll", &["v2", "submissions", "ResultAll"]);
    check("/v2/submissions/resultall%20", &["v2", "submissions", "resultall "]);
}

#[test]
fn dots_are_not_resolved() {
    check("/v2/submissions/..", &["v2", "submissions", ".."]);
    check("/v2/%2e%2e/submissions", &["v2", "..", "submissions"]);
    check("/v2/./submissions", &["v2", ".", "submissions"]);
}

#[test]
fn parameters_and_backslashes_do_not_divide() {
    check("/v2/submissions;x=1", &["v2", "submissions;x=1"]);
    check("/v2/submissions/..%5C..", &["v2", "submissions", "..\\.."]);
    check("/v2/submissions/a%3Fuserid=1", &["v2", "submissions", "a?userid=1"]);
}

#[test]
fn an_escaped_slash_never_makes_a_segment() {
    check_err("/v2%2Fsubmissions", EscapedSlash);
    check_err("/v2%2fsubmissions", EscapedSlash);
    check_err("/%2Fv2/submissions", EscapedSlash);
    check_err("/v2/submissions/..%2F..%2Fetc", EscapedSlash);
    check_err("/v2/submissions/%2F", EscapedSlash);
    check("/v2%252Fsubmissions", &["v2%2Fsubmissions"]);
}

#[test]
fn an_empty_segment_is_no_path() {
    check_err("/", EmptySegment);
    check_err("//", EmptySegment);
    check_err("//v2/submissions", EmptySegment);
    check_err("/v2//submissions", EmptySegment);
    check_err("/v2/submissions/", EmptySegment);
    check_err("/v2/submissions//", EmptySegment);
}

#[test]
fn a_path_starts_with_a_slash() {
    check_err("", NotAbsolute);
    check_err("*", NotAbsolute);
    check_err("v2/submissions", NotAbsolute);
    check_err("https://host/v2/submissions", NotAbsolute);
    check_err("%2Fv2/submissions", NotAbsolute);
}

#[test]
fn what_cannot_be_decoded_is_no_path() {
    check_err("/v2/submissions/%", Undecodable::BrokenEscape);
    check_err("/v2/submissions/%4", Undecodable::BrokenEscape);
    check_err("/v2/submissions/%zz", Undecodable::BrokenEscape);
    check_err("/v2/submissions/%4/0", Undecodable::BrokenEscape);
    check_err("/v2/submissions/%FF", Undecodable::NotUtf8);
    check_err("/v2/submissions/%C3/%A9", Undecodable::NotUtf8);
    check_err("/v2/submissions/a%00", Undecodable::Nul);
    check_err("/v2/submissions/%C0%AFetc", Undecodable::NotUtf8);
}

proptest! {
    /// Whatever a client escapes, it reaches the segments it means, so no two spellings of a path
    /// reach two routes.
    #[test]
    fn every_spelling_of_a_path_is_the_same_path(
        segments in prop::collection::vec("[^\0/]{1,8}|resultall|upload|\\.\\.|%2F", 1..6),
        escape in prop::collection::vec(any::<bool>(), 1..40),
    ) {
        let mut escape = escape.iter().cycle();
        let mut spell = |byte: u8| match byte {
            b'%' | 0x80.. => format!("%{byte:02X}"),
            _ if *escape.next().unwrap() => format!("%{byte:02x}"),
            _ => char::from(byte).to_string(),
        };
        let spelt: Vec<String> =
            segments.iter().map(|segment| segment.bytes().map(&mut spell).collect()).collect();
        let spelling = format!("/{}", spelt.join("/"));

        let path = Path::parse(&spelling).map_err(|error| TestCaseError::fail(error.to_string()))?;

        prop_assert_eq!(path.segments(), segments);
    }

    #[test]
    fn a_path_has_as_many_segments_as_slashes(text in "[/a%2Ff.@+]{0,24}") {
        if let Ok(path) = Path::parse(&text) {
            let segments = path.segments();
            prop_assert_eq!(segments.len(), text.matches('/').count());
            prop_assert!(segments.iter().all(|segment| !segment.is_empty() && !segment.contains('/')));
        }
    }
}
