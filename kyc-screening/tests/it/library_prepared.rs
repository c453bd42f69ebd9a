//! The prepared engine that a library keeps.

use std::fs;

use kyc_screening::Options;

use crate::fixtures::{PLAIN, day};
use crate::place::Place;

#[test]
fn what_was_prepared_is_taken_again() {
    let place = Place::new();
    place.import(&place.write("watch.csv", PLAIN), day(0)).unwrap();
    let engine = place.library.load(&Options::default()).unwrap();
    let image = place.lists().join("prepared.image");
    assert_eq!(fs::read(&image).unwrap(), engine.to_image());

    // Without the list's file only the prepared engine can answer.
    fs::rename(place.lists().join("watch"), place.lists().join("away")).unwrap();
    let status = |at| place.library.load(&Options::default()).unwrap().status(at);
    assert_eq!(status(day(2)), engine.status(day(2)));
    let edition = engine.status(day(0))[0].version.clone();
    place.library.confirm(&[edition], day(1)).unwrap();
    assert_eq!(status(day(2))[0].checked_at, Some(day(1)), "times are those of the manifest");
}

#[test]
fn a_prepared_engine_of_other_lists_or_options_is_made_again() {
    let place = Place::new();
    place.import(&place.write("watch.csv", PLAIN), day(0)).unwrap();
    assert!(place.finds("Tobin Ashgrove"));
    place.import(&place.write("watch.csv", &PLAIN.replace("Tobin", "Wilma")), day(1)).unwrap();
    assert!(place.finds("Wilma Ashgrove"));
    assert!(!place.finds("Tobin Ashgrove"));

    let other = Options { hits_max: 1, ..Options::default() };
    let engine = place.library.load(&other).unwrap();
    assert_eq!(engine.options(), &other);

    let image = place.lists().join("prepared.image");
    for damaged in ["", "KYCLIST3", "something else"] {
        fs::write(&image, damaged).unwrap();
        assert!(place.finds("Wilma Ashgrove"), "{damaged}");
    }
}
