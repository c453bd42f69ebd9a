use std::fs;
use std::path::{Path, PathBuf};

use kyc_screening::{LibraryError, Options};

use crate::fixtures::{PLAIN, day, write};
use crate::place::Place;

#[test]
fn a_stored_file_that_changed_is_not_searched() {
    let place = Place::new();
    let watch = place.write("watch.csv", PLAIN);
    let imported = place.import(&watch, day(0)).unwrap();
    let edition = place.lists().join("watch").join(&imported[0].version.version);
    write(&edition, "list.csv", PLAIN.replace("Tobin", "Robin"));
    let error = place.library.load(&Options::default()).unwrap_err();
    assert!(matches!(error, LibraryError::Changed { list } if list == "watch"));

    place.import(&watch, day(0)).unwrap();
    assert!(place.finds("Tobin Ashgrove"));
}

#[test]
fn a_manifest_of_another_release_or_hand_is_refused() {
    let place = Place::new();
    place.import(&place.write("watch.csv", PLAIN), day(0)).unwrap();
    let manifest = fs::read_to_string(place.lists().join("manifest.json")).unwrap();
    for bad in [
        "",
        "{",
        "[]",
        &manifest.replace("\"format\": 1", "\"format\": 2"),
        &manifest.replace("\"watch\"", "\"../watch\""),
    ] {
        write(&place.lists(), "manifest.json", bad);
        assert!(matches!(place.library.status(day(0)), Err(LibraryError::Manifest(_))), "{bad}");
        assert!(place.library.load(&Options::default()).is_err());
    }
}

/// Everything that an import makes, relative to the folder of lists.
fn steps(version: &str) -> Vec<PathBuf> {
    let edition = Path::new("watch").join(version);
    vec![
        PathBuf::from("watch").join(version),
        edition.join("list.tmp"),
        edition.join("list.csv"),
        PathBuf::from("manifest.tmp"),
    ]
}

#[test]
fn an_import_that_fails_at_any_step_leaves_the_old_edition() {
    let new = PLAIN.replace("Tobin Ashgrove", "Wilma Thornquist");
    let version = {
        let place = Place::new();
        place.import(&place.write("watch.csv", &new), day(0)).unwrap()[0].version.version.clone()
    };
    for (number, step) in steps(&version).iter().enumerate() {
        let place = Place::new();
        let watch = place.write("watch.csv", PLAIN);
        place.import(&watch, day(0)).unwrap();
        let before = place.current();
        let obstacle = place.lists().join(step);
        fs::create_dir_all(obstacle.parent().unwrap()).unwrap();
        if number == 0 {
            fs::write(&obstacle, "not a folder").unwrap();
        } else {
            fs::create_dir(&obstacle).unwrap();
            fs::write(obstacle.join("full"), "").unwrap();
        }

        place.write("watch.csv", &new);
        let error = place.import(&watch, day(1)).unwrap_err();
        assert!(matches!(error, LibraryError::Io { .. }), "{step:?}: {error}");
        assert_eq!(place.current(), before, "{step:?}");
        assert!(place.finds("Tobin Ashgrove"), "{step:?}");

        if number == 0 {
            fs::remove_file(&obstacle).unwrap();
        } else {
            fs::remove_dir_all(&obstacle).unwrap();
        }
        place.import(&watch, day(1)).unwrap();
        assert!(place.finds("Wilma Thornquist"), "{step:?}");
    }
}

#[test]
fn d75_a_manifest_from_before_lists_were_checked_counts_from_the_import() {
    let place = Place::new();
    place.import(&place.write("watch.csv", PLAIN), day(3)).unwrap();
    let manifest = fs::read_to_string(place.lists().join("manifest.json")).unwrap();
    let is_older = |line: &&str| !line.contains("checked_at_unix_millis");
    let older: Vec<&str> = manifest.lines().filter(is_older).collect();
    assert!(older.len() < manifest.lines().count());
    write(&place.lists(), "manifest.json", older.join("\n"));
    assert_eq!(place.library.status(day(4)).unwrap()[0].checked_at, Some(day(3)));
}

#[test]
fn what_a_crash_left_behind_does_no_harm() {
    let place = Place::new();
    let watch = place.write("watch.csv", PLAIN);
    let imported = place.import(&watch, day(0)).unwrap();
    let edition = place.lists().join("watch").join(&imported[0].version.version);
    write(&edition, "list.tmp", "id,na");
    write(&place.lists(), "manifest.tmp", "{\"format\": 1, \"li");
    fs::create_dir_all(place.lists().join("watch/0000")).unwrap();
    write(&place.lists().join("watch/0000"), "list.csv", "id,na");

    assert!(place.finds("Tobin Ashgrove"));
    place.import(&watch, day(1)).unwrap();
    assert!(place.finds("Tobin Ashgrove"));
}

#[test]
fn imports_at_the_same_time_lose_nothing() {
    let place = Place::new();
    let files: Vec<PathBuf> =
        (0..8).map(|n| place.write(&format!("list-{n}.csv"), PLAIN)).collect();
    std::thread::scope(|scope| {
        for file in &files {
            scope.spawn(|| place.import(file, day(0)).unwrap());
        }
    });
    assert_eq!(place.current().len(), 8);
}
