//! Files that are cut off, broken or made to cost time: a list or a fault, and quickly.

use std::time::Duration;

use kyc_screening::{
    Format, List, ReadError, read_eu, read_open_sanctions_entities, read_open_sanctions_targets,
    read_plain, read_uk, read_un, read_us_csl,
};
use proptest::prelude::*;

use crate::fixtures::{PLAIN, UN, processor_time};
use crate::published::{ENTITIES, EU, TARGETS, UK, US_CSL};

type Reader = fn(&[u8]) -> Result<List, ReadError>;

/// Every format of one file, with a list in it.
fn lists() -> [(Format, &'static str, Reader); 7] {
    [
        (Format::Un, UN, |bytes| read_un(bytes)),
        (Format::Eu, EU.as_str(), |bytes| read_eu(bytes)),
        (Format::Uk, UK.as_str(), |bytes| read_uk(bytes)),
        (Format::UsCsl, US_CSL, |bytes| read_us_csl(bytes)),
        (Format::OpenSanctionsTargets, TARGETS, |bytes| read_open_sanctions_targets(bytes)),
        (Format::OpenSanctionsEntities, ENTITIES, |bytes| read_open_sanctions_entities(bytes)),
        (Format::Plain, PLAIN, |bytes| read_plain(bytes)),
    ]
}

#[test]
fn the_format_of_every_list_is_found_and_no_other_reader_takes_it() {
    for (format, text, reader) in lists() {
        assert_eq!(Format::detect(text.as_bytes()), Some(format));
        assert!(reader(text.as_bytes()).is_ok(), "{format:?}");
        for (other, _, reader) in lists() {
            // The targets have every column that an operator's list must have.
            let is_plain = (format, other) == (Format::OpenSanctionsTargets, Format::Plain);
            let is_fault = reader(text.as_bytes()).is_err();
            assert_eq!(is_fault, format != other && !is_plain, "{format:?} as {other:?}");
        }
    }
}

/// Where a format cannot tell a cut file from a shorter one: behind a whole row, and inside the last
/// field of one unless that is quoted.
fn is_like_a_shorter_list(format: Format, cut: &str, whole: &str) -> bool {
    let rest = &whole[cut.len()..];
    if format == Format::Un {
        return rest.trim().is_empty();
    }
    if format == Format::OpenSanctionsEntities {
        return cut.ends_with('\n') || rest.starts_with('\n');
    }
    let delimiter = if format == Format::Eu { ';' } else { ',' };
    let header = whole.lines().nth(usize::from(format == Format::Uk)).unwrap();
    let (mut row, mut delimiters, mut is_quoted) = (0, 0, false);
    for character in cut.chars() {
        row += 1;
        match character {
            '"' => is_quoted = !is_quoted,
            '\n' if !is_quoted => (row, delimiters) = (0, 0),
            _ if character == delimiter && !is_quoted => delimiters += 1,
            _ => {}
        }
    }
    !is_quoted && (row == 0 || delimiters == header.matches(delimiter).count())
}

#[test]
fn a_list_that_is_cut_anywhere_is_a_fault_unless_the_format_cannot_tell() {
    for (format, text, reader) in lists() {
        for cut in 0..text.len() {
            let result = reader(&text.as_bytes()[..cut]);
            let is_told =
                !text.is_char_boundary(cut) || !is_like_a_shorter_list(format, &text[..cut], text);
            assert!(result.is_err() || !is_told, "{format:?} cut at {cut}");
        }
    }
}

#[test]
fn what_is_no_utf_8_is_a_fault() {
    for (format, text, reader) in lists() {
        let at = text.find("Mira").or_else(|| text.find("MIRA")).unwrap();
        let mut bytes = text.as_bytes().to_vec();
        bytes[at] = 0xFF;
        let fault = reader(&bytes).unwrap_err().to_string();
        assert!(fault.ends_with("expected UTF-8 text"), "{format:?}: {fault}");
    }
}

#[test]
fn a_part_of_zeros_is_a_fault() {
    for (format, text, reader) in lists() {
        let at = text.find("Mira").or_else(|| text.find("MIRA")).unwrap();
        let mut bytes = text.as_bytes().to_vec();
        bytes[at..at + 3].fill(0);
        let fault = reader(&bytes).unwrap_err().to_string();
        let expected = if format == Format::OpenSanctionsEntities {
            "expected a whole JSON object"
        } else {
            "expected text without NUL bytes"
        };
        assert!(fault.ends_with(expected), "{format:?}: {fault}");
    }
}

#[test]
fn a_byte_order_mark_and_other_line_ends_change_nothing() {
    for (format, text, reader) in lists() {
        let marked = format!("\u{FEFF}{}", text.replace('\n', "\r\n"));
        assert_eq!(Format::detect(marked.as_bytes()), Some(format));
        let list = reader(marked.as_bytes()).unwrap();
        assert_eq!(list, reader(text.as_bytes()).unwrap(), "{format:?}");
    }
}

#[track_caller]
fn check_quick(format: Format, head: &str, body: &str, tail: &str) {
    let (_, _, reader) = lists().into_iter().find(|(known, ..)| *known == format).unwrap();
    let text = format!("{head}{body}{tail}");
    let time = processor_time(|| _ = reader(text.as_bytes()));
    let allowed = Duration::from_secs(if cfg!(debug_assertions) { 20 } else { 2 });
    assert!(time < allowed, "{format:?}: {time:?}");
}

/// Some megabytes of whatever is worst for a format cost about as much as any other megabytes.
#[test]
fn hostile_files_cost_no_more_than_their_size() {
    let million = |text: &str| text.repeat(1_000_000 / text.len());
    let eu = "Entity_LogicalId;Entity_SubjectType;NameAlias_WholeName\n";
    let names: Vec<String> = (0..50_000).map(|n| format!("7;P;Mira {n}")).collect();
    check_quick(Format::Eu, eu, &names.join("\n"), "");
    check_quick(Format::Eu, eu, "7;P;\"", &million("Mira;"));
    let csl = "_id,source,type,name,alt_names\n";
    check_quick(Format::UsCsl, csl, "7,SDN,,Mira,\"", &(million("a;") + "\"\n"));
    let uk = "Report Date: 1-Jan-2026\n\
              Unique ID,Name 6,Name 1,Name type,Designation Type,Nationality(/ies)\n";
    let numbers: Vec<String> = (1..100_000).map(|n| format!("({n}) a")).collect();
    check_quick(Format::Uk, uk, "7,KOLE,,Primary Name,Individual,", &numbers.join(" "));
    check_quick(Format::UsCsl, &million("name,"), "\n", "");
    check_quick(Format::Plain, "id,name\n", &million("\0"), "");
    check_quick(Format::Plain, "id,name\n1,", &million("\""), "\n");
    let deep = "{\"id\":\"1\",\"schema\":\"Person\",\"properties\":{\"x\":";
    check_quick(Format::OpenSanctionsEntities, deep, &million("["), "");
    check_quick(Format::OpenSanctionsEntities, deep, &million("{\"x\":"), "");
    check_quick(Format::Un, "<CONSOLIDATED_LIST>", &million("<A>"), "");
    let bomb = "<!DOCTYPE a [<!ENTITY a \"ha\"><!ENTITY b \"&a;&a;&a;&a;\">]>\
                <CONSOLIDATED_LIST><INDIVIDUALS><INDIVIDUAL><DATAID>";
    check_quick(Format::Un, bomb, &million("&b;"), "</DATAID>");
}

#[test]
fn a_line_of_json_without_end_is_refused_before_it_fills_the_memory() {
    let text = format!("{{\"id\":\"{}\"}}\n", "x".repeat(5 * 1024 * 1024));
    let fault = read_open_sanctions_entities(text.as_bytes()).unwrap_err();
    assert_eq!(fault.to_string(), "line 1: expected a line of at most 4 MiB");
}

#[test]
fn entities_of_a_document_type_are_never_expanded() {
    let text = "<!DOCTYPE a [<!ENTITY a \"ha\">]><CONSOLIDATED_LIST><INDIVIDUALS><INDIVIDUAL>\
                <DATAID>&a;</DATAID></INDIVIDUAL></INDIVIDUALS></CONSOLIDATED_LIST>";
    let fault = read_un(text.as_bytes()).unwrap_err().to_string();
    assert!(fault.ends_with("expected a predefined entity"), "{fault}");
}

proptest! {
    #[test]
    fn damaged_bytes_are_a_list_or_a_fault(
        which in 0..7_usize,
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..6),
        cut in any::<prop::sample::Index>(),
    ) {
        let (_, text, reader) = lists()[which];
        let mut bytes = text.as_bytes().to_vec();
        for (at, byte) in changes {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        bytes.truncate(text.len() - cut.index(text.len()) / 4);
        if let Ok(list) = reader(&bytes) {
            prop_assert!(list.counts().entities() > 0);
            prop_assert!(list.entities().iter().all(|entity| !entity.name.trim().is_empty()));
            prop_assert!(list.entities().iter().all(|entity| !entity.id.trim().is_empty()));
        }
    }
}
