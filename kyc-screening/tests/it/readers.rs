use kyc_core::{Country, Gender};
use kyc_screening::{
    AliasKind, Birth, Document, Entity, EntityKind, Format, List, OfacReader, ReadError,
    read_plain, read_un,
};
use proptest::prelude::*;
use time::macros::date;

use crate::fixtures::{ADD, ALT, COMMENTS, PLAIN, SDN, UN, ofac};

fn country(alpha3: &str) -> Country {
    Country::from_alpha3(alpha3).unwrap()
}

fn aliases(entity: &Entity) -> Vec<(&str, AliasKind)> {
    entity.aliases.iter().map(|alias| (alias.text.as_str(), alias.kind)).collect()
}

#[test]
fn the_un_list_is_read_with_everything_that_screening_uses() {
    let list = read_un(UN.as_bytes()).unwrap();
    assert_eq!(list.source_date(), Some(date!(2026 - 02 - 27)));
    let counts = list.counts();
    assert_eq!((counts.persons, counts.others, counts.names, counts.wallets), (2, 1, 7, 0));

    let [mira, tobin, petrel] = list.entities() else { panic!("three entities") };
    assert_eq!((mira.id.as_str(), mira.name.as_str()), ("111", "MIRA KOLE & O'ZUL"));
    assert_eq!(mira.programmes, ["Utopia"]);
    assert_eq!(
        aliases(mira),
        [
            ("Mirjana Kole", AliasKind::Good),
            ("The Tall", AliasKind::Weak),
            ("Мира Коле", AliasKind::Original),
        ]
    );
    let passport = Document { kind: "Passport".into(), number: "X0000001".into() };
    assert_eq!(mira.documents, [passport]);
    let person = mira.person().unwrap();
    assert_eq!(person.nationalities, [country("IRN")]);
    assert_eq!(person.gender, Some(Gender::Female));
    assert_eq!(
        person.births,
        [
            Birth::Day(date!(1971 - 04 - 03)),
            Birth::Year(1972),
            Birth::About(1973),
            Birth::Years { from: 1974, to: 1976 },
        ]
    );
    assert_eq!(tobin.name, "TOBIN");
    assert_eq!(petrel.kind, EntityKind::Organisation);
    assert_eq!(aliases(petrel), [("GULL TRADING", AliasKind::Former)]);
}

#[test]
fn an_ofac_set_is_read_with_everything_that_screening_uses() {
    let list = ofac();
    let counts = list.counts();
    assert_eq!((counts.persons, counts.others, counts.names, counts.wallets), (1, 2, 6, 2));

    let [mira, petrel, vessel] = list.entities() else { panic!("three entities") };
    assert_eq!((mira.id.as_str(), mira.name.as_str()), ("11", "KOLE, Mira"));
    assert_eq!(mira.programmes, ["SDGT", "IFSR"]);
    let passport = Document { kind: "Passport".into(), number: "X0000001".into() };
    assert_eq!(mira.documents, [passport]);
    assert_eq!(mira.wallets, ["1invented1WalletOfMira"]);
    assert_eq!(
        aliases(mira),
        [
            ("KOLE, Mirjana", AliasKind::Good),
            ("ZUL, Mira", AliasKind::Former),
            ("The Tall", AliasKind::Weak),
        ]
    );
    let person = mira.person().unwrap();
    assert_eq!(person.births, [Birth::Day(date!(1971 - 04 - 03)), Birth::Year(1972)]);
    assert_eq!(person.nationalities, [country("IRN")]);
    assert_eq!(person.gender, Some(Gender::Female));
    assert_eq!(petrel.wallets, ["0xABCDEF0123456789abcdef0123456789ABCDEF01"]);
    assert_eq!(vessel.kind, EntityKind::Vessel);
}

#[test]
fn a_plain_list_is_read_whatever_the_order_of_its_columns() {
    let list = read_plain(PLAIN.as_bytes()).unwrap();
    let [mira, tobin] = list.entities() else { panic!("two entities") };
    assert_eq!(aliases(mira), [("Mirjana Kole", AliasKind::Good), ("Mira Zul", AliasKind::Good)]);
    assert_eq!(mira.programmes, ["WATCH"]);
    assert_eq!(tobin.person().unwrap().births, [Birth::Year(1980)]);

    let turned = "Kind,NAME,weak_aliases,Id\nvessel,SS Petrel,Gull; ;Tern,V1\n,Mira Kole,,P1";
    let list = read_plain(turned.as_bytes()).unwrap();
    let [vessel, mira] = list.entities() else { panic!("two entities") };
    assert_eq!((vessel.id.as_str(), &vessel.kind), ("V1", &EntityKind::Vessel));
    assert_eq!(aliases(vessel), [("Gull", AliasKind::Weak), ("Tern", AliasKind::Weak)]);
    assert!(mira.person().is_some());
}

#[test]
fn every_shape_of_a_date_of_birth_is_read_in_a_plain_list() {
    let row = "id,name,birth_date\n1,Mira Kole,1971-04-03;1971-04;1971;~1971;1971..1973";
    let list = read_plain(row.as_bytes()).unwrap();
    assert_eq!(
        list.entities()[0].person().unwrap().births,
        [
            Birth::Day(date!(1971 - 04 - 03)),
            Birth::Month { year: 1971, month: 4 },
            Birth::Year(1971),
            Birth::About(1971),
            Birth::Years { from: 1971, to: 1973 },
        ]
    );
}

#[test]
fn a_byte_order_mark_and_other_line_ends_change_nothing() {
    let marked = format!("\u{FEFF}{}", PLAIN.replace('\n', "\r\n"));
    assert_eq!(read_plain(marked.as_bytes()).unwrap(), read_plain(PLAIN.as_bytes()).unwrap());
    assert_eq!(Format::detect(marked.as_bytes()), Some(Format::Plain));
}

#[test]
fn an_ofac_file_without_end_mark_is_whole_when_its_last_row_is() {
    let without = SDN.trim_end_matches(['\u{1A}', '\n', '\r', ' ']);
    let list = OfacReader::primary(without.as_bytes()).and_then(OfacReader::finish).unwrap();
    assert_eq!(list.counts().entities(), 3);
}

#[track_caller]
fn check(result: Result<List, ReadError>, expected: &str) {
    assert_eq!(result.unwrap_err().to_string(), expected);
}

#[track_caller]
fn check_plain(text: &str, expected: &str) {
    check(read_plain(text.as_bytes()), expected);
}

#[test]
fn a_fault_of_a_plain_list_names_line_and_expectation() {
    check_plain("", "expected at least one entity");
    check_plain("id,name\n", "expected at least one entity");
    check_plain("name\nMira Kole\n", "line 1: expected a column `id`");
    check_plain("id,aliases\n1,Mira\n", "line 1: expected a column `name`");
    check_plain("id,name,ID\n1,Mira,2\n", "line 1: expected each column once");
    check_plain("id,name\n1,Mira\n2\n", "line 3: expected as many columns as in the header");
    check_plain("id,name\n1,Mira,x\n", "line 2: expected as many columns as in the header");
    check_plain("id,name\n1,\"Mira\n2,Tobin\n", "line 2: expected a closing quote");
    check_plain("id,name\n,Mira\n", "line 2: expected an id");
    check_plain("id,name\n1, \n", "line 2: expected a name");
    check_plain("id,name\n1,Mira\n1,Tobin\n", "line 3: expected an id that no other row has");
    check_plain(
        "id,name,kind\n1,Mira,robot\n",
        "line 2: expected a kind: person, organisation, vessel, aircraft or nothing",
    );
    check_plain("id,name,gender\n1,Mira,x\n", "line 2: expected a gender: male, female or nothing");
    check_plain(
        "id,name,nationality\n1,Mira,Utopia\n",
        "line 2: expected a nationality of the country list",
    );
    for date in ["1971-02-30", "71", "1971;x", "1971-13", "03.04.1971", "1971..", "+197"] {
        check_plain(
            &format!("id,name,birth_date\n1,Mira,{date}\n"),
            "line 2: expected a date of birth: YYYY-MM-DD, YYYY-MM, YYYY, ~YYYY or YYYY..YYYY, `;` \
             between several",
        );
    }
    check(read_plain(&b"id,name\n1,\xFF\n"[..]), "line 2: expected UTF-8 text");
}

#[track_caller]
fn check_sdn(text: &str, expected: &str) {
    check(OfacReader::primary(text.as_bytes()).and_then(OfacReader::finish), expected);
}

#[test]
fn a_fault_of_an_ofac_file_names_line_and_expectation() {
    check_sdn("", "expected at least one entity");
    check_sdn("\u{1A}", "expected at least one entity");
    check_sdn("11,\"KOLE\",-0- \r\n", "line 1: expected 12 columns");
    check_sdn(&SDN.replace("13,", "x,"), "line 3: expected a number");
    check_sdn(&SDN.replace("13,", "11,"), "line 3: expected a number that no other row has");
    check_sdn(&SDN.replace("\"PETREL\",\"vessel\"", "-0- ,\"vessel\""), "line 3: expected a name");
    check_sdn(
        &SDN.replace("vessel", "submarine"),
        "line 3: expected individual, vessel, aircraft or -0-",
    );
    check_sdn(&format!("{SDN}\r\n{SDN}"), "line 5: expected nothing after the end mark");

    let set = || OfacReader::primary(SDN.as_bytes()).unwrap();
    let stranger = "99,1,\"aka\",\"KOLE\",-0- \r\n";
    let expected = "line 1: expected the number of an entity in the main file";
    check(set().aliases(stranger.as_bytes()).and_then(OfacReader::finish), expected);
    assert!(set().comments("99,\"x\"".as_bytes()).is_ok());
    check(
        set().comments("11,-0".as_bytes()).and_then(OfacReader::finish),
        "line 1: expected a text or `-0-` in the last column",
    );
    check(
        set().addresses(ADD.replace("11,", "99,").as_bytes()).and_then(OfacReader::finish),
        expected,
    );
    check(
        set().aliases(COMMENTS.as_bytes()).and_then(OfacReader::finish),
        "line 1: expected 5 columns",
    );
    let addresses = set().addresses(COMMENTS.as_bytes()).and_then(OfacReader::finish);
    check(addresses, "line 1: expected 6 columns");
}

#[test]
fn an_ofac_file_that_is_cut_inside_a_row_is_never_a_list() {
    let rows: Vec<usize> = SDN.match_indices('\n').map(|(at, _)| at + 1).collect();
    for cut in 1..SDN.trim_end_matches(['\u{1A}', '\n', '\r', ' ']).len() {
        let text = &SDN[..cut];
        let is_whole = text.ends_with("-0-") || text.ends_with("-0- ");
        let row_ends = rows.iter().any(|end| (end.saturating_sub(2)..=*end).contains(&cut));
        let result = OfacReader::primary(text.as_bytes()).and_then(OfacReader::finish);
        assert!(result.is_err() || row_ends || is_whole, "cut at {cut}");
    }
}

#[track_caller]
fn check_un(text: &str, expected: &str) {
    check(read_un(text.as_bytes()), expected);
}

#[test]
fn a_fault_of_the_un_list_names_element_and_expectation() {
    let record = |inside: &str| {
        format!("<CONSOLIDATED_LIST><INDIVIDUALS>{inside}</INDIVIDUALS></CONSOLIDATED_LIST>")
    };
    check_un("", "element (root) at byte 0: expected a CONSOLIDATED_LIST");
    check_un("<LIST/>", "element LIST at byte 7: expected a CONSOLIDATED_LIST");
    check_un("<CONSOLIDATED_LIST/>", "expected at least one entity");
    check_un(
        &record("<INDIVIDUAL><DATAID>1</DATAID></INDIVIDUAL>"),
        "element CONSOLIDATED_LIST/INDIVIDUALS/INDIVIDUAL[1] at byte 44: expected a DATAID and a \
         name in this element",
    );
    check_un(
        &record("<ROBOT/>"),
        "element CONSOLIDATED_LIST/INDIVIDUALS/ROBOT[1] at byte 40: expected an INDIVIDUAL or an \
         ENTITY",
    );
    check_un(
        &record("<INDIVIDUAL><DATAID>1</INDIVIDUAL>"),
        "element CONSOLIDATED_LIST/INDIVIDUALS/INDIVIDUAL[1]/DATAID at byte 66: expected the end \
         tag of this element",
    );
    check_un(
        &record("<INDIVIDUAL><DATAID>&bomb;</DATAID></INDIVIDUAL>"),
        "element CONSOLIDATED_LIST/INDIVIDUALS/INDIVIDUAL[1]/DATAID at byte 58: expected a \
         predefined entity",
    );
    check_un(
        &record("text"),
        "element CONSOLIDATED_LIST/INDIVIDUALS at byte 36: expected an element, no text",
    );
    check_un(
        "<CONSOLIDATED_LIST><INDIVIDUALS><INDIVIDUAL><DATAID>1</DATAID>",
        "element CONSOLIDATED_LIST/INDIVIDUALS/INDIVIDUAL[1] at byte 62: expected the end tag of \
         this element",
    );
    check_un(
        &format!("{}<MORE/>", UN.trim_end()),
        &format!("element MORE at byte {}: expected nothing after the list", UN.len() + 6),
    );
    let deep = "<A>".repeat(20);
    assert!(read_un(record(&format!("<INDIVIDUAL>{deep}")).as_bytes()).is_err());
}

#[test]
fn a_un_list_that_is_cut_is_never_a_list() {
    let end = UN.trim_end().len();
    for cut in (0..end).filter(|cut| UN.is_char_boundary(*cut)) {
        assert!(read_un(&UN.as_bytes()[..cut]).is_err(), "cut at {cut}");
    }
}

#[track_caller]
fn check_format(head: &str, expected: Option<Format>) {
    assert_eq!(Format::detect(head.as_bytes()), expected, "{head}");
}

#[test]
fn the_format_is_found_from_the_content() {
    check_format(UN, Some(Format::Un));
    check_format(SDN, Some(Format::OfacPrimary));
    check_format(ALT, Some(Format::OfacAliases));
    check_format(ADD, Some(Format::OfacAddresses));
    check_format(COMMENTS, Some(Format::OfacComments));
    check_format(PLAIN, Some(Format::Plain));
    check_format("name\nMira Kole\n", Some(Format::Plain));
}

#[test]
fn what_is_no_list_has_no_format() {
    check_format("", None);
    check_format("<html><body>Not found</body></html>", None);
    check_format("1,2,3\n", None);
    check_format("%PDF-1.7\n", None);
    check_format("{\"name\": 1}", None);
    check_format("\u{1}\u{2}", None);
    assert_eq!(Format::detect(b"\x89PNG\r\n\x1A\n\x00"), None);
}

/// Some bytes of a good file, with a few of them changed.
fn damaged(good: &'static str) -> impl Strategy<Value = Vec<u8>> {
    let changes = prop::collection::vec((0..good.len(), any::<u8>()), 0..6);
    (0..good.len(), changes).prop_map(move |(cut, changes)| {
        let mut bytes = good.as_bytes().to_vec();
        for (at, byte) in changes {
            bytes[at] = byte;
        }
        bytes.truncate(bytes.len() - cut / 4);
        bytes
    })
}

proptest! {
    #[test]
    fn a_damaged_file_is_a_list_or_a_fault(
        un in damaged(UN),
        plain in damaged(PLAIN),
        sdn in damaged(SDN),
        alt in damaged(ALT),
    ) {
        let set = OfacReader::primary(&*sdn).and_then(|set| set.aliases(&*alt));
        let results = [read_un(&*un), read_plain(&*plain), set.and_then(OfacReader::finish)];
        for list in results.into_iter().flatten() {
            prop_assert!(list.counts().entities() > 0);
            prop_assert!(list.entities().iter().all(|entity| !entity.name.trim().is_empty()));
        }
    }
}
