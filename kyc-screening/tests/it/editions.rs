//! What two editions in a library say otherwise.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use kyc_core::{Subject, day as day_of_birth};
use kyc_screening::{Delta, Engine, Entity, LibraryError, Options, Shrinkage, Snapshot};

use crate::fixtures::{PLAIN, SDN, UN, day, named};
use crate::monitoring::check_same;
use crate::place::Place;
use crate::real_lists::{folder, ofac};

/// The versions of the lists that are current.
fn editions_of(place: &Place) -> BTreeMap<String, String> {
    place.current().into_iter().map(|(list, version, _)| (list, version)).collect()
}

#[test]
fn a_library_compares_editions_of_every_format() {
    let place = Place::new();
    let import = |name: &str, text: &str| {
        let path = place.write(name, text);
        place.library.import(&[path], day(0), Shrinkage::Accept).unwrap();
        editions_of(&place)
    };
    let check = |before: &BTreeMap<_, _>, after: &BTreeMap<_, _>, ids: [&[&str]; 3]| {
        let delta = place.library.delta(before, after).unwrap();
        let list = &delta.lists()[0];
        let of = |entities: &[Entity]| -> Vec<String> {
            entities.iter().map(|entity| entity.id.clone()).collect()
        };
        assert_eq!([of(&list.added), of(&list.changed), list.removed.clone()], ids);
        assert_eq!(delta.lists().len(), 1);
    };
    let none = BTreeMap::new();
    let first = import("watch.csv", PLAIN);
    check(&none, &first, [&["P1", "P2"], &[], &[]]);
    check(&first, &none, [&[], &[], &["P1", "P2"]]);
    let second = import("watch.csv", &PLAIN.replace("Tobin", "Robin"));
    check(&first, &second, [&[], &["P2"], &[]]);
    check(&second, &first, [&[], &["P2"], &[]]);

    let before = import("un.xml", UN);
    let after = import("un.xml", &UN.replace("<DATAID>112<", "<DATAID>113<"));
    check(&before, &after, [&["113"], &[], &["112"]]);
    let before = import("sdn.csv", SDN);
    let after = import("sdn.csv", &SDN.replace("DOB 03 Apr 1971", "DOB 04 Apr 1971"));
    check(&before, &after, [&[], &["11"], &[]]);
    assert!(place.library.delta(&after, &after).unwrap().is_empty());
}

#[test]
fn the_sample_gives_way_to_real_lists() {
    let place = Place::new();
    place.import(&place.write("watch.csv", PLAIN), day(0)).unwrap();
    let sample = Engine::sample(Options::default()).status(day(0)).remove(0).version;
    let before = BTreeMap::from([(sample.list, sample.version)]);
    let delta = place.library.delta(&before, &editions_of(&place)).unwrap();
    let lists: Vec<&str> = delta.lists().iter().map(|list| list.list.as_str()).collect();
    assert_eq!(lists, ["SAMPLE", "watch"]);
    assert!(delta.lists()[0].added.is_empty() && !delta.lists()[0].removed.is_empty());
}

#[test]
fn an_edition_that_is_gone_is_named() {
    let place = Place::new();
    place.import(&place.write("watch.csv", PLAIN), day(0)).unwrap();
    let before = editions_of(&place);
    place.import(&place.write("watch.csv", &PLAIN.replace("Tobin", "Robin")), day(0)).unwrap();
    let after = editions_of(&place);
    let folder = place.lists().join("watch").join(&before["watch"]);

    fs::write(folder.join("list.csv"), "id,name\n1,Somebody Else\n").unwrap();
    let refused = place.library.delta(&before, &after);
    assert!(matches!(refused, Err(LibraryError::EarlierEdition { list, .. }) if list == "watch"));
    fs::remove_dir_all(folder).unwrap();
    let refused = place.library.delta(&before, &after);
    assert!(matches!(refused, Err(LibraryError::EarlierEdition { .. })));
    // What is to be searched now has to be there.
    let missing = place.library.delta(&after, &before);
    assert!(matches!(missing, Err(LibraryError::Io { .. })), "{missing:?}");
    for path in ["", "../watch", "a/b"] {
        let elsewhere = BTreeMap::from([("watch".to_owned(), path.to_owned())]);
        assert!(place.library.delta(&elsewhere, &after).is_err(), "{path}");
    }
}

/// Two years and a half of changes, and every fifth of the labelled applicants.
#[test]
fn d85_the_delta_of_real_editions_gives_what_screening_everybody_gives() {
    let Some(lists) = folder() else { return };
    let Some(cases) = std::env::var_os("KYC_SCREENING_DIR").map(PathBuf::from) else {
        eprintln!("KYC_SCREENING_DIR is not set: a delta of real lists is not tested");
        return;
    };
    let place = Place::new();
    let folders = ["ofac-sdn-2018-12", "ofac-sdn-2021-07"].map(|name| lists.join(name));
    let versions = folders.each_ref().map(|folder| {
        place.import(&folder.join("sdn.csv"), day(0)).unwrap();
        editions_of(&place)
    });
    let delta = place.library.delta(&versions[0], &versions[1]).unwrap();
    let [old, new] =
        folders.map(|folder| [Snapshot::new("OFAC-SDN", ofac(&folder).into_entities())]);
    assert_eq!(delta, Delta::between(&old, &new));
    let sdn = &delta.lists()[0];
    let counts = [sdn.added.len(), sdn.changed.len(), sdn.removed.len()];
    assert!(counts.iter().all(|count| *count > 100), "{counts:?}");

    let mut file = csv::Reader::from_path(cases.join("queries_dev_handover.csv")).unwrap();
    let titles = file.headers().unwrap().clone();
    let column = |title: &str| titles.iter().position(|other| other == title).unwrap();
    let (name, birth) = (column("name"), column("dob"));
    let rows: Vec<csv::StringRecord> = file.into_records().map(Result::unwrap).collect();
    let people: Vec<Subject<'_>> = rows
        .iter()
        .step_by(5)
        .map(|row| Subject {
            birth_date: day_of_birth::parse(&row[birth]).ok(),
            ..named(&row[name])
        })
        .collect();
    let affected = check_same([&old, &new], &people, Options::default());
    assert!(affected > 20 && affected < people.len() / 2, "{affected} of {}", people.len());
}
