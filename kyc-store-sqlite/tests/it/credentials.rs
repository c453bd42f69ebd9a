use std::fs;
use std::process::Command;
use std::time::{Duration, Instant};

use kyc_core::Directory;
use kyc_core::conformance::fixture::{client, time, valid};
use kyc_store_sqlite::{AdminError, Options, SqliteStore};

use crate::support::{folder, open};

#[test]
fn d54_a_key_shows_the_id_it_is_revoked_by() {
    let folder = folder();
    let store = open(&folder);
    let acme = store.add_client(&valid("acme"), time(0)).unwrap();
    let key = store.create_key(acme.id, time(1)).unwrap();
    let parts: Vec<&str> = key.as_str().split('_').collect();
    assert_eq!(parts, ["kyc", key.id().as_str(), parts[2]]);
    assert_eq!((parts[1].len(), parts[2].len()), (12, 52));
    assert_eq!(parts[1].parse(), Ok(key.id()));
    assert_eq!(format!("{key:?}"), "Credential(***)");

    let keys = store.keys().unwrap();
    assert_eq!(keys.len(), 1);
    assert_eq!((keys[0].id, keys[0].client), (key.id(), acme.id));
    assert_eq!((keys[0].created_at, keys[0].revoked_at), (time(1), None));

    store.revoke_key(key.id(), time(2)).unwrap();
    store.revoke_key(key.id(), time(3)).unwrap();
    assert_eq!(store.client_of_key(key.as_str()).unwrap(), None);
    assert_eq!(store.keys().unwrap()[0].revoked_at, Some(time(2)), "the first time stands");
}

#[test]
fn a_token_is_of_another_kind() {
    let folder = folder();
    let store = open(&folder);
    let ines = valid("ines");
    let token = store.add_inspector(&ines, None, time(0)).unwrap();
    assert!(token.as_str().starts_with("kyci_"));
    assert!(store.inspector_of_token(token.as_str()).unwrap().is_some());

    store.remove_inspector(&ines, time(0)).unwrap();
    assert_eq!(store.inspector_of_token(token.as_str()).unwrap(), None);
    // The name is free again, and the old token stays useless.
    store.add_inspector(&ines, None, time(1)).unwrap();
    assert_eq!(store.inspector_of_token(token.as_str()).unwrap(), None);
}

#[test]
fn administration_refuses_what_does_not_fit_and_changes_nothing() {
    let folder = folder();
    let store = open(&folder);
    let acme = store.add_client(&valid("acme"), time(0)).unwrap();
    store.add_inspector(&valid("ines"), Some(&[acme.id]), time(0)).unwrap();

    let taken = store.add_client(&valid("acme"), time(1)).map(|_| ());
    assert!(matches!(taken, Err(AdminError::NameTaken)), "{taken:?}");
    let taken = store.add_inspector(&valid("ines"), None, time(1)).map(|_| ());
    assert!(matches!(taken, Err(AdminError::NameTaken)), "{taken:?}");
    let absent = store.create_key(client(9), time(1)).map(|_| ());
    assert!(matches!(absent, Err(AdminError::NoSuchClient)), "{absent:?}");
    let absent = store.add_inspector(&valid("ivo"), Some(&[acme.id, client(9)]), time(1));
    assert!(matches!(absent.map(|_| ()), Err(AdminError::NoSuchClient)));
    let absent = store.revoke_key(valid("000000000000"), time(1));
    assert!(matches!(absent, Err(AdminError::NoSuchKey)), "{absent:?}");
    let absent = store.remove_inspector(&valid("ivo"), time(0));
    assert!(matches!(absent, Err(AdminError::NoSuchInspector)), "{absent:?}");

    assert_eq!(store.clients().unwrap(), std::slice::from_ref(&acme));
    assert!(store.keys().unwrap().is_empty());
    let inspectors = store.inspectors().unwrap();
    assert_eq!(inspectors.len(), 1);
    assert_eq!(inspectors[0].clients, Some(vec![acme.id]));
}

/// T3: a command beside the server takes effect within a second.
#[test]
fn changes_of_another_process_take_effect_within_a_second() {
    let folder = folder();
    let store = open(&folder);
    let admin = SqliteStore::open_beside(folder.path(), Options::default()).unwrap();
    let acme = admin.add_client(&valid("acme"), time(0)).unwrap();
    let key = admin.create_key(acme.id, time(0)).unwrap();
    let is_let_in = || store.client_of_key(key.as_str()).unwrap().is_some();
    assert_within_a_second(is_let_in);
    admin.revoke_key(key.id(), time(1)).unwrap();
    assert_within_a_second(|| !is_let_in());

    let token = admin.add_inspector(&valid("ines"), None, time(0)).unwrap();
    let is_let_in = || store.inspector_of_token(token.as_str()).unwrap().is_some();
    assert_within_a_second(is_let_in);
    admin.remove_inspector(&valid("ines"), time(0)).unwrap();
    assert_within_a_second(|| !is_let_in());
}

#[track_caller]
fn assert_within_a_second(holds: impl Fn() -> bool) {
    let started = Instant::now();
    loop {
        // Asked after a second, it has to hold; the answer may take as long as it likes.
        let is_late = started.elapsed() > Duration::from_secs(1);
        if holds() {
            break;
        }
        assert!(!is_late, "too late");
        std::thread::yield_now();
    }
}

#[test]
fn own_changes_take_effect_at_once() {
    let folder = folder();
    let store = open(&folder);
    let acme = store.add_client(&valid("acme"), time(0)).unwrap();
    for _ in 0..20 {
        let key = store.create_key(acme.id, time(0)).unwrap();
        assert_eq!(store.client_of_key(key.as_str()).unwrap().as_ref(), Some(&acme));
        store.revoke_key(key.id(), time(1)).unwrap();
        assert_eq!(store.client_of_key(key.as_str()).unwrap(), None);
    }
}

/// T3: whoever reads the whole data folder finds no credential.
#[test]
fn the_folder_holds_no_credential() {
    let folder = folder();
    let store = open(&folder);
    let acme = store.add_client(&valid("acme"), time(0)).unwrap();
    let key = store.create_key(acme.id, time(0)).unwrap();
    let token = store.add_inspector(&valid("ines"), None, time(0)).unwrap();
    // A copy made by another process: this one must not close files that SQLite has locked.
    let copy = crate::support::folder();
    let files = folder.path().join(".");
    let copied = Command::new("cp").arg("-R").arg(files).arg(copy.path()).status();
    assert!(copied.unwrap().success());
    let mut searched = 0;
    for entry in fs::read_dir(copy.path()).unwrap() {
        let Ok(bytes) = fs::read(entry.unwrap().path()) else { continue };
        searched += bytes.len();
        for credential in [&key, &token] {
            let secret = credential.as_str().rsplit('_').next().unwrap().as_bytes();
            assert!(!bytes.windows(secret.len()).any(|window| window == secret));
            // That the search would find one: the id is no secret.
            let id = credential.id();
            let id = id.as_str().as_bytes();
            searched += usize::from(bytes.windows(id.len()).any(|window| window == id)) << 40;
        }
    }
    assert!(searched >= 2 << 40, "both ids are stored");
}

/// T3: how long a refusal takes tells nothing about what is right of a key.
///
/// The samples of both kinds are taken in turns, and the slowest tenth of each, which other work of
/// the machine has disturbed, is left out.
#[test]
fn refusals_take_the_same_time() {
    let folder = folder();
    let store = open(&folder);
    let acme = store.add_client(&valid("acme"), time(0)).unwrap();
    let key = store.create_key(acme.id, time(0)).unwrap();
    let changed_at = |place: usize| {
        let (head, rest) = key.as_str().split_at(place);
        let (letter, tail) = rest.split_at(1);
        let other = if letter == "0" { "z" } else { "0" };
        format!("{head}{other}{tail}")
    };
    let (unknown_id, wrong_start) = (changed_at(15), changed_at(17));
    let wrong_end = changed_at(key.as_str().len() - 1);
    assert_same_time(&store, [&unknown_id, &wrong_end]);
    assert_same_time(&store, [&wrong_start, &wrong_end]);
}

#[track_caller]
fn assert_same_time(store: &SqliteStore, presented: [&str; 2]) {
    let mut samples = [Vec::new(), Vec::new()];
    for round in 0..40_000 {
        let kind = round % 2;
        let started = Instant::now();
        assert!(store.client_of_key(presented[kind]).unwrap().is_none());
        samples[kind].push(started.elapsed().as_secs_f64());
    }
    let [(mean, variance), (other_mean, other_variance)] = samples.map(|mut sample| {
        sample.sort_by(f64::total_cmp);
        sample.truncate(sample.len() / 10 * 9);
        let count = f64::from(u32::try_from(sample.len()).unwrap());
        let mean = sample.iter().sum::<f64>() / count;
        let variance = sample.iter().map(|s| (s - mean).powi(2)).sum::<f64>() / (count - 1.0);
        (mean, variance / count)
    });
    let difference = (mean - other_mean).abs();
    // A fiftieth of the whole is far below what a hash that is not made would show, and above what
    // caches do by chance.
    let is_chance = difference < 4.5 * (variance + other_variance).sqrt();
    assert!(is_chance || difference < 0.02 * mean, "{mean} s and {other_mean} s");
}
