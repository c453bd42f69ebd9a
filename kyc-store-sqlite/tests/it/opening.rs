use std::error::Error;
use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;

use kyc_core::conformance::fixture::{client, sample, time, valid};
use kyc_core::{DocumentStore, Lookup, Preference, SubmissionStore};
use kyc_store_sqlite::{OpenError, Options, SqliteStore};
use tempfile::TempDir;

use crate::support::{database, document, folder, open};

fn serve(folder: &TempDir) -> Result<SqliteStore, OpenError> {
    SqliteStore::open(folder.path(), Options::default())
}

fn beside(folder: &TempDir) -> Result<SqliteStore, OpenError> {
    SqliteStore::open_beside(folder.path(), Options::default())
}

#[track_caller]
fn refused(opened: Result<SqliteStore, OpenError>) -> OpenError {
    opened.err().unwrap()
}

#[test]
fn one_process_serves_a_folder() {
    let folder = folder();
    let store = open(&folder);
    let error = refused(serve(&folder));
    assert!(matches!(error, OpenError::InUse), "{error:?}");
    drop(store);
    open(&folder);
}

#[test]
fn others_administer_it_meanwhile() {
    let folder = folder();
    let store = open(&folder);
    let admin = beside(&folder).unwrap();
    admin.check().unwrap();
    let acme = admin.add_client(&valid("acme"), time(0)).unwrap();
    assert_eq!(store.client_named(&valid("zeta")).unwrap(), None);
    drop(admin);
    store.insert(acme.id, &sample()).unwrap();
    store.check().unwrap();
}

#[test]
fn an_administrator_can_be_the_first() {
    let folder = folder();
    let deep = folder.path().join("not/yet/there");
    let admin = SqliteStore::open_beside(&deep, Options::default()).unwrap();
    admin.add_client(&valid("acme"), time(0)).unwrap();
    // Nobody serves it, so somebody may begin to.
    let store = SqliteStore::open(&deep, Options::default()).unwrap();
    assert!(store.client_named(&valid("acme")).unwrap().is_some());
}

#[test]
fn everything_is_for_the_eyes_of_the_owner() {
    let folder = folder();
    let data = folder.path().join("data");
    let store = SqliteStore::open(&data, Options::default()).unwrap();
    let bytes = b"a passport";
    let document = document(1, bytes);
    DocumentStore::put(&store, client(1), &document, bytes).unwrap();
    store.insert(client(1), &sample()).unwrap();
    let mut files = 0;
    for_each_entry(&data, &mut |path| {
        let mode = path.metadata().unwrap().permissions().mode() & 0o777;
        let expected = if path.is_dir() { 0o700 } else { 0o600 };
        assert_eq!(mode, expected, "{}", path.display());
        files += usize::from(path.is_file());
    });
    assert!(files >= 6, "database, log, index, pepper, locks, document");
}

fn for_each_entry(path: &Path, visit: &mut dyn FnMut(&Path)) {
    visit(path);
    if path.is_dir() {
        for entry in fs::read_dir(path).unwrap() {
            for_each_entry(&entry.unwrap().path(), visit);
        }
    }
}

#[test]
fn a_pepper_that_others_can_read_is_refused() {
    let folder = folder();
    drop(open(&folder));
    let pepper = folder.path().join("pepper");
    for mode in [0o640, 0o604, 0o620, 0o601] {
        fs::set_permissions(&pepper, Permissions::from_mode(mode)).unwrap();
        let error = refused(serve(&folder));
        assert!(matches!(error, OpenError::PepperReadable), "{error:?}");
    }
    fs::set_permissions(&pepper, Permissions::from_mode(0o600)).unwrap();
    open(&folder);
}

#[test]
fn a_database_without_its_pepper_is_refused() {
    let folder = folder();
    drop(open(&folder));
    let pepper = folder.path().join("pepper");
    let kept = fs::read(&pepper).unwrap();

    fs::remove_file(&pepper).unwrap();
    let error = refused(serve(&folder));
    assert!(matches!(error, OpenError::PepperMissing), "{error:?}");
    assert!(!pepper.exists(), "no other pepper takes its place");

    let other = tempfile::tempdir().unwrap();
    drop(open(&other));
    fs::copy(other.path().join("pepper"), &pepper).unwrap();
    let error = refused(serve(&folder));
    assert!(matches!(error, OpenError::PepperWrong), "{error:?}");

    fs::write(&pepper, [&kept[..], b"\n"].concat()).unwrap();
    let error = refused(serve(&folder));
    assert!(matches!(error, OpenError::PepperWrong), "{error:?}");

    fs::write(&pepper, kept).unwrap();
    open(&folder);
}

/// Breaks off the first run of a folder, and starts again.
#[track_caller]
fn check_first_run_again(break_off: impl FnOnce(&Path)) {
    let folder = folder();
    drop(open(&folder));
    break_off(folder.path());
    open(&folder).check().unwrap();
    assert!(folder.path().join("pepper").exists());
    assert!(!folder.path().join("pepper.new").exists());
}

#[test]
fn a_crash_in_the_first_run_is_made_up_for() {
    let unkept = |folder: &Path| {
        fs::rename(folder.join("pepper"), folder.join("pepper.new")).unwrap();
    };
    // While the pepper was written, before the database was, and before the pepper had its name.
    check_first_run_again(|folder| {
        fs::remove_file(folder.join("pepper")).unwrap();
        fs::write(folder.join("pepper.new"), b"half").unwrap();
        fs::write(folder.join("kyc.sqlite"), b"").unwrap();
    });
    check_first_run_again(|folder| {
        unkept(folder);
        fs::write(folder.join("kyc.sqlite"), b"").unwrap();
    });
    check_first_run_again(unkept);
    check_first_run_again(|folder| {
        unkept(folder);
        let database = rusqlite::Connection::open(folder.join("kyc.sqlite")).unwrap();
        database.execute("DELETE FROM state WHERE name = 'pepper'", []).unwrap();
    });
}

/// Loses the database of a folder that holds what `keep` leaves of it, and checks that nobody
/// begins anew there.
#[track_caller]
fn check_lost(keep: impl Fn(&Path), lose: impl Fn(&Path)) {
    let folder = folder();
    let store = open(&folder);
    let document = document(1, b"a passport");
    DocumentStore::put(&store, client(1), &document, b"a passport").unwrap();
    drop(store);
    keep(folder.path());
    let database = folder.path().join("kyc.sqlite");
    lose(&database);
    let left = fs::read(&database).ok();
    for opened in [serve(&folder), beside(&folder)] {
        let error = refused(opened);
        assert!(matches!(error, OpenError::DatabaseMissing), "{error:?}");
    }
    assert_eq!(fs::read(&database).ok(), left);
}

#[test]
fn d71_a_folder_that_lost_its_database_is_not_a_new_one() {
    let losses: [&dyn Fn(&Path); 4] = [
        &|database| fs::remove_file(database).unwrap(),
        &|database| fs::write(database, b"").unwrap(),
        &|database| fs::write(database, b"S").unwrap(),
        // What a copy without the log may be: a database in WAL mode without a table.
        &|database| {
            fs::remove_file(database).unwrap();
            let empty = rusqlite::Connection::open(database).unwrap();
            empty.pragma_update(None, "journal_mode", "WAL").unwrap();
        },
    ];
    for lose in losses {
        check_lost(|_| (), lose);
        check_lost(|folder| fs::remove_file(folder.join("pepper")).unwrap(), lose);
        check_lost(|folder| fs::remove_dir_all(folder.join("documents")).unwrap(), lose);
    }
}

#[test]
fn a_log_without_its_database_is_not_thrown_away() {
    let folder = folder();
    drop(open(&folder));
    fs::remove_file(folder.path().join("kyc.sqlite")).unwrap();
    let log = folder.path().join("kyc.sqlite-wal");
    fs::write(&log, b"what was written last").unwrap();
    let error = refused(serve(&folder));
    assert!(matches!(error, OpenError::DatabaseMissing), "{error:?}");
    assert_eq!(fs::read(&log).unwrap(), b"what was written last");
}

#[test]
fn a_database_that_was_cut_off_is_damaged() {
    let folder = folder();
    let store = open(&folder);
    store.add_client(&valid("acme"), time(0)).unwrap();
    drop(store);
    let path = folder.path().join("kyc.sqlite");
    let whole = fs::read(&path).unwrap();
    for kept in [100, 4_096, 8_192, whole.len() - 4_096] {
        fs::write(&path, &whole[..kept]).unwrap();
        for opened in [serve(&folder), beside(&folder)] {
            let error = refused(opened);
            assert!(matches!(error, OpenError::Damaged(_)), "{kept} bytes: {error:?}");
        }
    }
    fs::write(&path, whole).unwrap();
    open(&folder);
}

#[test]
fn a_database_of_a_newer_release_is_refused() {
    let folder = folder();
    drop(open(&folder));
    database(&folder).pragma_update(None, "user_version", 99).unwrap();
    for error in [refused(serve(&folder)), refused(beside(&folder))] {
        assert!(matches!(error, OpenError::NewerSchema { found: 99, known: 3 }), "{error:?}");
    }
}

#[test]
fn a_database_with_another_history_is_refused() {
    let folder = folder();
    drop(open(&folder));
    database(&folder).execute("UPDATE schema_step SET checksum = x'00'", []).unwrap();
    let error = refused(serve(&folder));
    assert!(matches!(error, OpenError::ChangedStep { version: 1 }), "{error:?}");
}

#[test]
fn what_is_no_database_of_the_service_is_refused_and_left_alone() {
    let folder = folder();
    let path = folder.path().join("kyc.sqlite");
    drop(open(&folder));
    let text = b"This is a letter, not a database. ".repeat(40);
    fs::write(&path, &text).unwrap();
    let error = refused(serve(&folder));
    assert!(matches!(error, OpenError::NotOurDatabase), "{error:?}");
    assert_eq!(fs::read(&path).unwrap(), text);

    fs::remove_file(&path).unwrap();
    database(&folder).execute_batch("CREATE TABLE other (n); PRAGMA user_version = 1").unwrap();
    let error = refused(serve(&folder));
    assert!(matches!(error, OpenError::NotOurDatabase), "{error:?}");
}

#[test]
fn an_older_database_is_not_upgraded_under_a_running_server() {
    let folder = folder();
    let store = open(&folder);
    database(&folder).pragma_update(None, "user_version", 0).unwrap();
    let error = refused(beside(&folder));
    assert!(matches!(error, OpenError::OlderSchema { found: 0, known: 3 }), "{error:?}");
    drop(store);
}

#[test]
fn a_folder_that_cannot_be_made_is_refused_with_the_cause() {
    let folder = folder();
    fs::write(folder.path().join("data"), b"a file").unwrap();
    let error = refused(SqliteStore::open(&folder.path().join("data"), Options::default()));
    assert!(matches!(error, OpenError::Folder { .. }), "{error:?}");
    assert!(error.source().is_some());
}

#[test]
fn d129_a_part_of_the_folder_that_is_elsewhere_is_refused_and_nothing_is_removed_there() {
    let folder = folder();
    drop(open(&folder));
    let elsewhere = folder.path().join("elsewhere");
    fs::create_dir(&elsewhere).unwrap();
    fs::write(elsewhere.join("old"), b"of somebody else").unwrap();
    for name in ["tmp", "documents", "backup", "lists"] {
        let part = folder.path().join(name);
        let _ = fs::remove_dir_all(&part);
        for is_link in [true, false] {
            if is_link {
                symlink("elsewhere", &part).unwrap();
            } else {
                fs::write(&part, "").unwrap();
            }
            for opened in [serve(&folder), beside(&folder)] {
                let error = refused(opened);
                assert!(matches!(&error, OpenError::NoFolder { name: it } if *it == name));
            }
            fs::remove_file(&part).unwrap();
        }
    }
    drop(open(&folder));
    assert_eq!(fs::read(elsewhere.join("old")).unwrap(), b"of somebody else");
}

#[test]
fn a_second_start_finds_what_the_first_one_stored() {
    let folder = folder();
    let first = open(&folder);
    first.insert(client(1), &sample()).unwrap();
    let again = first.clone();
    drop(first);
    // A clone keeps it open.
    assert!(matches!(refused(serve(&folder)), OpenError::InUse));
    drop(again);
    let store = open(&folder);
    let lookup = Lookup { id: Some(sample().id()), ..Lookup::default() };
    let found = SubmissionStore::find(&store, client(1), &lookup, Preference::Best).unwrap();
    assert_eq!(found, Some(sample()));
    assert!(!folder.path().join("kyc.sqlite-wal").metadata().is_ok_and(|log| log.len() > 1 << 20));
}
