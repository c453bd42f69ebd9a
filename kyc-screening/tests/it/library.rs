use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use kyc_core::RiskLevel;
use kyc_screening::{LibraryError, Options, Shrinkage, Snapshot};
use time::macros::date;

use crate::fixtures::{ALT, PLAIN, SDN, UN, day, named, write, write_ofac};
use crate::place::Place;
use crate::published::{ENTITIES, EU, TARGETS, UK, US_CSL};

/// An error and its causes.
fn chain(error: &dyn std::error::Error) -> String {
    let cause = error.source().map(|cause| format!(": {}", chain(cause)));
    format!("{error}{}", cause.unwrap_or_default())
}

#[test]
fn a_library_begins_empty() {
    let place = Place::new();
    assert_eq!(place.current(), []);
    assert!(place.library.load(&Options::default()).unwrap().is_empty());
    assert_eq!(place.library.revision().unwrap(), place.library.revision().unwrap());
}

#[test]
fn every_format_is_imported_and_found_again() {
    let place = Place::new();
    let un = place.write("whatever.xml", UN);
    let sdn = write_ofac(&place.inbox());
    let watch = place.write("Watch-1.csv", PLAIN);
    let imported = place.library.import(&[un, sdn, watch], day(1), Shrinkage::Refuse).unwrap();

    let names: Vec<&str> = imported.iter().map(|list| list.version.list.as_str()).collect();
    assert_eq!(names, ["UN", "OFAC-SDN", "watch-1"]);
    assert_eq!(imported[0].version.source_date, Some(date!(2026 - 02 - 27)));
    assert_eq!(imported[1].counts.names, 6);
    assert!(imported.iter().all(|list| list.absent.is_empty() && !list.version.sample));

    let status = place.library.status(day(3)).unwrap();
    let names: Vec<&str> = status.iter().map(|list| list.version.list.as_str()).collect();
    assert_eq!(names, ["OFAC-SDN", "UN", "watch-1"]);
    assert_eq!(status[1].version, imported[0].version);
    assert_eq!(status[0].counts, imported[1].counts);
    assert_eq!(status[0].age, Some(Duration::from_secs(2 * 86_400)));

    let engine = place.library.load(&Options::default()).unwrap();
    let screening = engine.screen(&named("Mirjana Kole"), day(3)).unwrap();
    assert_eq!(screening.risk(), RiskLevel::High);
    assert_eq!(screening.hits.len(), 3);
    assert_eq!(engine.status(day(3)), status);
}

#[test]
fn d54_the_siblings_of_an_ofac_set_are_taken_along() {
    let place = Place::new();
    let sdn = write_ofac(&place.inbox());
    let paths = [sdn.clone(), place.inbox().join("ALT.CSV")];
    let imported = place.library.import(&paths, day(0), Shrinkage::Refuse).unwrap();
    assert_eq!(imported.len(), 1);
    assert!(place.finds("Mira Zul"), "an alias of alt.csv");

    fs::remove_file(place.inbox().join("ALT.CSV")).unwrap();
    let imported = place.library.import(&[sdn], day(0), Shrinkage::Accept).unwrap();
    assert_eq!(imported[0].absent, ["alt.csv"]);
    assert_eq!(imported[0].counts.names, 4);
}

#[test]
fn the_version_is_what_sha256sum_prints() {
    let place = Place::new();
    let watch = place.write("watch.csv", "id,name\n1,Mira Kole\n");
    let imported = place.import(&watch, day(0)).unwrap();
    let hash = "6c4b0c36f9168960195446ffaa452e99864f255c96aa1c4f487772c03b719ddd";
    assert_eq!(imported[0].version.version, hash);
    let stored = place.lists().join("watch").join(hash).join("list.csv");
    assert_eq!(fs::read(stored).unwrap(), fs::read(watch).unwrap());
}

#[test]
fn a_new_edition_takes_the_place_of_the_old_one() {
    let place = Place::new();
    let watch = place.write("watch.csv", PLAIN);
    place.import(&watch, day(0)).unwrap();
    let before = place.library.revision().unwrap();
    place.write("watch.csv", &PLAIN.replace("Tobin Ashgrove", "Wilma Thornquist"));
    place.import(&watch, day(1)).unwrap();

    assert_ne!(place.library.revision().unwrap(), before);
    assert_eq!(place.current().len(), 1);
    assert!(place.finds("Wilma Thornquist") && !place.finds("Tobin Ashgrove"));
}

#[test]
fn d75_the_same_edition_again_is_fresh_again() {
    let place = Place::new();
    let watch = place.write("watch.csv", PLAIN);
    place.import(&watch, day(0)).unwrap();
    let before = place.library.revision().unwrap();
    place.import(&watch, day(5)).unwrap();
    let list = &place.library.status(day(6)).unwrap()[0];
    assert_eq!((list.imported_at, list.checked_at), (Some(day(0)), Some(day(5))));
    assert_eq!(list.age, Some(Duration::from_secs(86_400)));
    assert_ne!(place.library.revision().unwrap(), before);
    assert_eq!(place.library.load(&Options::default()).unwrap().status(day(6))[0], *list);
}

#[test]
fn d75_an_edition_that_its_publisher_still_has_is_fresh_again() {
    let place = Place::new();
    let un = place.write("un.xml", UN);
    let watch = place.write("watch.csv", PLAIN);
    place.library.import(&[un, watch], day(0), Shrinkage::Refuse).unwrap();
    let status = place.library.status(day(0)).unwrap();
    let mut editions: Vec<_> = status.into_iter().map(|list| list.version).collect();
    editions[1].version = "another".to_owned();
    place.library.confirm(&editions, day(9)).unwrap();
    let ages: Vec<_> = place.library.status(day(10)).unwrap().into_iter().map(|l| l.age).collect();
    let days = |days: u64| Some(Duration::from_secs(days * 86_400));
    assert_eq!(ages, [days(1), days(10)], "what is not current any more is not confirmed");
}

#[test]
fn nothing_to_confirm_makes_no_folder() {
    let place = Place::new();
    let edition = Snapshot::new("watch", Vec::new()).version;
    place.library.confirm(&[], day(0)).unwrap();
    place.library.confirm(&[edition], day(0)).unwrap();
    assert!(!place.lists().exists());
}

#[test]
fn files_of_another_list_than_was_asked_for_leave_everything_as_it_is() {
    let place = Place::new();
    let un = place.write("un.xml", UN);
    let refused = |list: &str, path: &PathBuf| {
        let paths = std::slice::from_ref(path);
        place.library.import_list(list, paths, day(0), Shrinkage::Refuse).unwrap_err().to_string()
    };
    assert_eq!(refused("EU", &un), "expected the list EU, and found UN");
    assert_eq!(refused("watch", &un), "expected the list watch, and found UN");
    assert_eq!(place.current(), []);
    let paths = std::slice::from_ref(&un);
    let imported = place.library.import_list("UN", paths, day(0), Shrinkage::Refuse).unwrap();
    assert_eq!(imported.version.list, "UN");
}

/// Imports `text` over a good edition: it is refused in these words, and nothing changes.
#[track_caller]
fn check_refused(file: &str, good: &str, bad: impl AsRef<[u8]>, expected: &str) {
    let place = Place::new();
    let path = place.write(file, good);
    place.import(&path, day(0)).unwrap();
    let (before, revision) = (place.current(), place.library.revision().unwrap());
    write(&place.inbox(), file, bad);

    let error = place.import(&path, day(1)).unwrap_err();
    let said = chain(&error).replace(&path.display().to_string(), file);
    assert_eq!(said, expected);
    assert_eq!((place.current(), place.library.revision().unwrap()), (before, revision));
    assert!(place.finds("Mira Kole") || place.finds("Mira Kole O'Zul"));
}

#[test]
fn d34_a_file_that_is_cut_off_leaves_the_old_edition() {
    check_refused(
        "un.xml",
        UN,
        &UN[..UN.len() / 2],
        "the list file un.xml is not usable: element CONSOLIDATED_LIST/INDIVIDUALS/INDIVIDUAL[1] \
         at byte 962: expected the end tag of this element",
    );
    check_refused(
        "sdn.csv",
        SDN,
        &SDN[..SDN.len() - 20],
        "the list file sdn.csv is not usable: line 3: expected a closing quote",
    );
    check_refused(
        "watch.csv",
        PLAIN,
        PLAIN.trim_end_matches([',', '\n']),
        "the list file watch.csv is not usable: line 3: expected as many columns as in the header",
    );
}

#[track_caller]
fn check_name(file: &str, text: &str, list: &str) {
    let place = Place::new();
    let path = place.write(file, text);
    let imported = place.import(&path, day(0)).unwrap();
    assert_eq!(imported[0].version.list, list);
    assert!(place.finds("Mira Kole"), "{list}");
}

#[test]
fn every_published_list_has_its_name_and_others_that_of_their_file() {
    check_name("20261121-FULL-1_1(xsd).csv", &EU, "EU");
    check_name("UK-Sanctions-List.csv", &UK, "UK");
    check_name("consolidated.csv", US_CSL, "US-CSL");
    check_name("targets.simple.csv", TARGETS, "targets-simple");
    check_name("peps.json", ENTITIES, "peps");
    check_name("Watch.csv", PLAIN, "watch");
}

#[test]
fn d34_an_empty_list_leaves_the_old_edition() {
    let nobody = "expected at least one entity";
    let empty_un = "<CONSOLIDATED_LIST><INDIVIDUALS/><ENTITIES/></CONSOLIDATED_LIST>";
    let refused = |file| format!("the list file {file} is not usable: {nobody}");
    check_refused("un.xml", UN, empty_un, &refused("un.xml"));
    check_refused("watch.csv", PLAIN, "id,name\n", &refused("watch.csv"));
}

#[test]
fn what_is_no_list_leaves_the_old_edition() {
    let refused = "watch.csv is no list: expected the UN consolidated XML, the CSV files of the EU, \
                   the UK or the US consolidated screening list, an OFAC sdn.csv or cons_prim.csv, \
                   OpenSanctions data, or CSV with a header row";
    check_refused("watch.csv", PLAIN, "", refused);
    check_refused("watch.csv", PLAIN, "<html>not found</html>", refused);
    check_refused("watch.csv", PLAIN, b"\x89PNG\r\n\x1A\n", refused);
}

/// A plain list of so many people.
fn people(count: usize) -> String {
    let rows: Vec<String> = (0..count).map(|n| format!("{n},Mira Kole {n}")).collect();
    format!("id,name\n{}\n", rows.join("\n"))
}

#[test]
fn a_list_that_shrank_by_more_than_a_fifth_is_refused_unless_somebody_insists() {
    let place = Place::new();
    let watch = place.write("watch.csv", &people(100));
    place.import(&watch, day(0)).unwrap();

    place.write("watch.csv", &people(79));
    let error = place.import(&watch, day(1)).unwrap_err();
    assert_eq!(error.to_string(), "the list watch shrank from 100 to 79 entities");
    assert_eq!(place.library.status(day(1)).unwrap()[0].counts.persons, 100);

    place.write("watch.csv", &people(80));
    place.import(&watch, day(1)).unwrap();
    place.write("watch.csv", &people(3));
    place.library.import(std::slice::from_ref(&watch), day(1), Shrinkage::Accept).unwrap();
    assert_eq!(place.library.status(day(1)).unwrap()[0].counts.persons, 3);
}

#[test]
fn a_list_that_lost_many_of_its_wallets_is_refused() {
    let place = Place::new();
    let with_wallets = |count: usize| {
        let wallets: Vec<String> = (0..count).map(|n| format!("1Invented{n}")).collect();
        format!("id,name,wallets\n1,Mira Kole,{}\n", wallets.join(";"))
    };
    let watch = place.write("watch.csv", &with_wallets(20));
    place.import(&watch, day(0)).unwrap();
    place.write("watch.csv", &with_wallets(15));
    let error = place.import(&watch, day(1)).unwrap_err();
    assert_eq!(error.to_string(), "the list watch shrank from 20 to 15 wallets");

    place.write("watch.csv", &with_wallets(16));
    place.import(&watch, day(1)).unwrap();
    place.write("watch.csv", &with_wallets(1));
    place.import(&watch, day(1)).unwrap();
}

/// The list of the United Nations as it was published on another day.
fn un_of(day: &str) -> String {
    UN.replace("2026-02-27", day)
}

#[test]
fn an_edition_from_before_the_current_one_is_refused_unless_somebody_insists() {
    let place = Place::new();
    let un = place.write("un.xml", UN);
    place.import(&un, day(0)).unwrap();

    place.write("un.xml", &un_of("2026-02-26"));
    let error = place.import(&un, day(1)).unwrap_err();
    let sentence = "the list UN of 2026-02-26 is older than the current one of 2026-02-27";
    assert_eq!(error.to_string(), sentence);
    assert_eq!(place.current()[0].2, Some(day(0)));

    place.library.import(std::slice::from_ref(&un), day(1), Shrinkage::Accept).unwrap();
    assert_eq!(place.current()[0].2, Some(day(1)));
    place.write("un.xml", &un_of("2026-02-27"));
    place.import(&un, day(2)).unwrap();
}

#[test]
fn an_import_tells_what_it_took_the_place_of() {
    let place = Place::new();
    let watch = place.write("watch.csv", &people(90));
    let first = place.import(&watch, day(0)).unwrap();
    assert_eq!(first[0].replaced, None);
    place.write("watch.csv", &people(100));
    let second = place.import(&watch, day(3)).unwrap();
    let replaced = second[0].replaced.as_ref().unwrap();
    assert_eq!((&replaced.version, replaced.counts), (&first[0].version, first[0].counts));
    assert_eq!(replaced.age, Some(Duration::from_secs(3 * 86_400)));
}

#[test]
fn a_removed_list_is_searched_no_more_and_keeps_its_files() {
    let place = Place::new();
    let un = place.write("un.xml", UN);
    let watch = place.write("watch.csv", PLAIN);
    place.library.import(&[un, watch.clone()], day(0), Shrinkage::Refuse).unwrap();
    let before = place.library.revision().unwrap();

    let removed = place.library.remove("watch", day(2)).unwrap();
    assert_eq!((removed.version.list.as_str(), removed.imported_at), ("watch", Some(day(0))));
    assert_ne!(place.library.revision().unwrap(), before);
    assert!(!place.finds("Tobin Ashgrove"));
    assert!(place.lists().join("watch").join(&removed.version.version).join("list.csv").exists());

    let error = place.library.remove("watch", day(2)).unwrap_err();
    assert_eq!(error.to_string(), "there is no list watch");
    place.import(&watch, day(3)).unwrap();
    assert!(place.finds("Tobin Ashgrove"));
}

#[test]
fn where_nothing_was_imported_nothing_is_removed_and_no_folder_made() {
    let place = Place::new();
    assert!(matches!(place.library.remove("UN", day(0)), Err(LibraryError::NoSuchList { .. })));
    assert!(!place.lists().exists());
}

#[test]
fn a_set_that_lost_its_aliases_is_refused() {
    let place = Place::new();
    let sdn = write_ofac(&place.inbox());
    place.import(&sdn, day(0)).unwrap();
    write(&place.inbox(), "ALT.CSV", "");
    let error = place.import(&sdn, day(1)).unwrap_err();
    assert_eq!(error.to_string(), "the list OFAC-SDN shrank from 6 to 4 names");
}

#[test]
fn one_bad_file_refuses_the_whole_import() {
    let place = Place::new();
    let good = place.write("good.csv", PLAIN);
    let bad = place.write("bad.csv", "id,name\n1\n");
    assert!(place.library.import(&[good, bad], day(0), Shrinkage::Refuse).is_err());
    assert_eq!(place.current(), []);
}

#[track_caller]
fn check_error(files: &[(&str, &str)], expected: &str) {
    let place = Place::new();
    let paths: Vec<PathBuf> = files.iter().map(|(name, text)| place.write(name, text)).collect();
    let error = place.library.import(&paths, day(0), Shrinkage::Refuse).unwrap_err();
    let folder = format!("{}/", place.inbox().display());
    assert_eq!(error.to_string().replace(&folder, ""), expected);
    assert_eq!(place.current(), []);
}

#[test]
fn files_that_cannot_be_a_list_of_their_own_are_named() {
    let belongs = "alt.csv belongs to an OFAC set: under its published name beside sdn.csv or \
                   cons_prim.csv it is imported with that file";
    check_error(&[("alt.csv", ALT)], belongs);
    check_error(&[("a.xml", UN), ("b.xml", UN)], "the list UN is given twice");
    let unusable = "cannot name a list: expected letters, digits, - and _, and none of the names \
                    un, eu, uk, us-csl, ofac-sdn, ofac-cons, sample";
    for name in ["un.csv", "Eu.csv", "Sample.csv", "my list.csv", "liste-für.csv"] {
        check_error(&[(name, PLAIN)], &format!("{name} {unusable}"));
    }
}

#[test]
fn a_missing_file_is_named() {
    let place = Place::new();
    let error = place.import(&place.inbox().join("none.csv"), day(0)).unwrap_err();
    assert!(matches!(&error, LibraryError::Io { path, .. } if path.ends_with("none.csv")));
}
