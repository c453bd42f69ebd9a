use std::fs::{self, Permissions};
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
use std::thread;

use kyc_vault::{MasterKey, Share, Source, SourceError};
use proptest::prelude::*;
use zeroize::Zeroizing;

#[test]
fn a_slip_in_a_key_text_is_noticed() {
    let text = MasterKey::random().unwrap().to_text();
    for place in 0..text.len() {
        let mut typed = text.as_bytes().to_vec();
        typed[place] = if typed[place] == b'0' { b'1' } else { b'0' };
        let typed = String::from_utf8(typed).unwrap();
        assert!(MasterKey::from_text(&typed).is_err(), "place {place}");
        assert!(MasterKey::from_text(&text[..place]).is_err(), "cut at {place}");
    }
    assert!(MasterKey::from_text(&format!(" {}\n", *text)).is_ok());
}

#[test]
fn a_share_is_no_key_and_two_of_one_split_are() {
    let master = MasterKey::random().unwrap();
    let [one, other] = master.split().unwrap();
    let [strange, _] = master.split().unwrap();
    assert!(MasterKey::from_text(&one.to_text()).is_err());
    assert!(MasterKey::combine(&strange, &other).is_err());
    assert!(MasterKey::combine(&other, &other).is_err());
    let combined = MasterKey::combine(&other, &one).unwrap();
    assert_eq!(combined.fingerprint(), master.fingerprint());
}

#[test]
fn a_share_says_nothing_about_the_key() {
    let master = MasterKey::random().unwrap();
    // The same key splits into other bytes each time: every share fits every key.
    let first: Vec<_> = master.split().unwrap().iter().map(Share::to_text).collect();
    let second: Vec<_> = master.split().unwrap().iter().map(Share::to_text).collect();
    let body = |share: &Zeroizing<String>| share[5 + 2 * 5..5 + 2 * 37].to_owned();
    let key = master.to_text()[5..5 + 64].to_owned();
    for place in 0..2 {
        assert_ne!(body(&first[place]), body(&second[place]));
        assert_ne!(body(&first[place]), key);
    }
}

#[test]
fn t24_a_key_file_is_for_its_owner_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("master.key");
    let source = Source::file(&path);
    let key = source.first().unwrap();
    source.keep(&key.fingerprint()).unwrap();
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    for mode in [0o640, 0o604, 0o620] {
        fs::set_permissions(&path, Permissions::from_mode(mode)).unwrap();
        let refused = source.fitting(&key.fingerprint());
        assert!(matches!(refused, Err(SourceError::ReadableByOthers { .. })), "{refused:?}");
    }
}

fn sources(folder: &std::path::Path) -> [Source; 2] {
    let [whole, one, other] = ["master.key", "one.key", "other.key"].map(|name| folder.join(name));
    [Source::file(whole), Source::share_files([one, other])]
}

#[test]
fn a_crash_between_two_moves_of_a_rotation_loses_no_key() {
    let folder = tempfile::tempdir().unwrap();
    for source in sources(folder.path()) {
        let first = source.first().unwrap().fingerprint();
        // Written down, and not kept yet.
        assert_eq!(source.fitting(&first).unwrap().fingerprint(), first);
        let next = source.next().unwrap().fingerprint();
        // Before it is written down, the first one is in use, however often one looks.
        for _ in 0..2 {
            assert_eq!(source.fitting(&first).unwrap().fingerprint(), first);
            source.keep(&first).unwrap();
        }
        // Written down, and not kept yet. It can be found without that.
        for key in [next, first] {
            assert_eq!(source.find(&key).unwrap().fingerprint(), key);
        }
        assert_eq!(source.fitting(&next).unwrap().fingerprint(), next);
        // And kept by looking.
        assert!(matches!(source.fitting(&first), Err(SourceError::OtherKey)));
        assert_eq!(source.fitting(&next).unwrap().fingerprint(), next);
    }
}

#[test]
fn d92_a_key_is_found_while_it_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let [source, _] = sources(folder.path());
    for _ in 0..200 {
        let next = source.next().unwrap().fingerprint();
        thread::scope(|scope| {
            let keeper = scope.spawn(|| source.keep(&next).unwrap());
            while !keeper.is_finished() {
                assert_eq!(source.find(&next).unwrap().fingerprint(), next);
            }
        });
    }
}

#[test]
fn a_crash_between_the_shares_loses_no_key() {
    let folder = tempfile::tempdir().unwrap();
    let [_, source] = sources(folder.path());
    let first = source.first().unwrap().fingerprint();
    source.keep(&first).unwrap();
    let next = source.next().unwrap().fingerprint();
    let one = folder.path().join("one.key");
    fs::rename(folder.path().join("one.key.new"), &one).unwrap();
    assert_eq!(source.fitting(&next).unwrap().fingerprint(), next);
    // Only one was written: the first key stays in use.
    source.next().unwrap();
    fs::remove_file(folder.path().join("other.key.new")).unwrap();
    assert_eq!(source.fitting(&next).unwrap().fingerprint(), next);
}

#[test]
fn d116_a_key_is_written_into_new_files_of_mode_600_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let mode = |name: &str| fs::metadata(path(name)).unwrap().permissions().mode() & 0o777;
    let key = MasterKey::random().unwrap();
    let whole = Source::write_file(path("whole"), &key).unwrap();
    assert_eq!(whole.current().unwrap().fingerprint(), key.fingerprint());
    let shares = [path("one"), path("other")];
    let split = Source::write_share_files(shares, &key).unwrap();
    assert_eq!(split.current().unwrap().fingerprint(), key.fingerprint());
    assert_eq!(["whole", "one", "other"].map(mode), [0o600; 3]);

    // What is there stays, a link that leads nowhere and a key that waits for its place included.
    std::os::unix::fs::symlink("nowhere", path("link")).unwrap();
    fs::write(path("free.new"), "").unwrap();
    for name in ["whole", "link", "free"] {
        let refused = Source::write_file(path(name), &MasterKey::random().unwrap());
        assert!(matches!(refused, Err(SourceError::Exists { .. })), "{name}: {refused:?}");
    }
    assert!(!path("free").exists() && !path("nowhere").exists());
    assert_eq!(whole.current().unwrap().fingerprint(), key.fingerprint());
    let nowhere = Source::write_file(path("no/such/folder"), &key);
    assert!(matches!(nowhere, Err(SourceError::Unwritable { .. })), "{nowhere:?}");
}

#[test]
fn d116_of_two_shares_none_is_written_where_one_cannot_be() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let key = MasterKey::random().unwrap();
    fs::write(path("there"), "kept").unwrap();
    for names in [["new", "there"], ["there", "new"], ["new", "new"]] {
        let refused = Source::write_share_files(names.map(path), &key);
        assert!(matches!(refused, Err(SourceError::Exists { .. })), "{refused:?}");
        assert!(!path("new").exists());
    }
    assert_eq!(fs::read_to_string(path("there")).unwrap(), "kept");
}

#[test]
fn d117_a_next_key_without_a_place_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    for (source, name) in sources(folder.path()).into_iter().zip(["master.key", "other.key"]) {
        let key = source.first().unwrap().fingerprint();
        source.keep(&key).unwrap();
        let in_the_way = folder.path().join(format!("{name}.new"));
        fs::create_dir(&in_the_way).unwrap();
        let refused = source.next();
        assert!(matches!(refused, Err(SourceError::Unwritable { .. })), "{refused:?}");
        assert!(refused.unwrap_err().to_string().starts_with("nothing was changed"));
        fs::remove_dir(&in_the_way).unwrap();
        assert_eq!(source.fitting(&key).unwrap().fingerprint(), key);
        // The share that was written alone is in nobody's way.
        assert!(source.next().is_ok());
    }
}

#[test]
fn d117_a_next_key_is_for_whom_the_one_before_was() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("master.key");
    let source = Source::file(&path);
    source.keep(&source.first().unwrap().fingerprint()).unwrap();
    let owner = || fs::metadata(&path).map(|file| (file.uid(), file.gid())).unwrap();
    if chown(&path, Some(65_534), Some(65_534)).is_err() {
        eprintln!("NOT TRIED: this process may not give files away");
    }
    let before = owner();
    source.keep(&source.next().unwrap().fingerprint()).unwrap();
    assert_eq!(owner(), before);
}

#[test]
fn d117_a_next_key_that_cannot_take_its_place_opens_from_where_it_waits() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("master.key");
    let source = Source::file(&path);
    let first = source.first().unwrap().fingerprint();
    source.keep(&first).unwrap();
    let next = source.next().unwrap().fingerprint();
    fs::remove_file(&path).unwrap();
    fs::create_dir(&path).unwrap();
    let refused = source.keep(&next);
    assert!(matches!(refused, Err(SourceError::Waits { .. })), "{refused:?}");
    assert_eq!(source.fitting(&next).unwrap().fingerprint(), next);
    fs::remove_dir(&path).unwrap();
    assert_eq!(source.fitting(&next).unwrap().fingerprint(), next);
    assert!(path.exists());
}

#[test]
fn a_lost_key_is_told_from_a_wrong_one() {
    let folder = tempfile::tempdir().unwrap();
    for source in sources(folder.path()) {
        assert!(matches!(source.fitting(&[0; 32]), Err(SourceError::Missing)));
        let key = source.first().unwrap().fingerprint();
        source.keep(&key).unwrap();
        assert!(matches!(source.fitting(&[0; 32]), Err(SourceError::OtherKey)));
    }
}

#[test]
fn given_texts_change_to_the_given_next() {
    let [now, next] = [(); 2].map(|()| MasterKey::random().unwrap());
    let source = Source::text(now.to_text(), Some(next.to_text()));
    assert_eq!(source.first().unwrap().fingerprint(), now.fingerprint());
    assert_eq!(source.next().unwrap().fingerprint(), next.fingerprint());
    assert!(source.fitting(&next.fingerprint()).is_ok());
    let alone = Source::text(now.to_text(), None);
    assert!(matches!(alone.next(), Err(SourceError::NextMissing)));

    let shares = now.split().unwrap().map(|share| share.to_text());
    let next_shares = next.split().unwrap().map(|share| share.to_text());
    let source = Source::share_texts(shares, Some(next_shares));
    assert!(source.fitting(&now.fingerprint()).is_ok());
    assert!(source.fitting(&next.fingerprint()).is_ok());
}

#[test]
fn t34_nothing_that_holds_a_key_shows_it() {
    let master = MasterKey::random().unwrap();
    let text = master.to_text();
    let source = Source::text(text.clone(), Some(text.clone()));
    let shares = master.split().unwrap();
    let data_key = kyc_vault::DataKey::random().unwrap();
    let shown = format!("{master:?} {source:?} {shares:?} {data_key:?}");
    assert_eq!(shown, "MasterKey(***) [\"***\"] [Share(***), Share(***)] DataKey(***)");
}

proptest! {
    #[test]
    fn texts_that_nobody_wrote_are_no_keys(text in "(kycm_|kycs_)?[0-9a-f]{0,90}") {
        prop_assert!(MasterKey::from_text(&text).is_err());
        prop_assert!(Share::from_text(&text).is_err());
    }
}

#[test]
fn d130_a_next_key_takes_the_place_of_the_file_that_a_link_leads_to() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    for name in ["data", "stick-1", "stick-2"] {
        fs::create_dir(path(name)).unwrap();
    }
    let places = [("whole", "stick-1/whole"), ("one", "stick-1/one"), ("other", "stick-2/other")];
    for (name, real) in places {
        std::os::unix::fs::symlink(path(real), path("data").join(name)).unwrap();
    }
    let key = MasterKey::random().unwrap();
    Source::write_file(path("stick-1/whole"), &key).unwrap();
    Source::write_share_files([path("stick-1/one"), path("stick-2/other")], &key).unwrap();
    let shares = ["one", "other"].map(|name| path("data").join(name));
    for source in [Source::file(path("data/whole")), Source::share_files(shares)] {
        let next = source.next().unwrap().fingerprint();
        source.keep(&next).unwrap();
        assert_eq!(source.current().unwrap().fingerprint(), next);
    }
    assert_eq!(fs::read_dir(path("data")).unwrap().count(), 3);
    for (name, real) in places {
        assert!(path("data").join(name).is_symlink(), "{name}");
        assert!(fs::symlink_metadata(path(real)).unwrap().is_file(), "{name}");
    }

    // One that leads nowhere is a disk that is not there.
    fs::remove_file(path("stick-1/whole")).unwrap();
    let refused = Source::file(path("data/whole")).first();
    assert!(matches!(refused, Err(SourceError::Unwritable { .. })), "{refused:?}");
    assert_eq!(fs::read_dir(path("data")).unwrap().count(), 3);
}

#[test]
fn d130_a_next_key_replaces_nothing_but_a_plain_file() {
    let folder = tempfile::tempdir().unwrap();
    let (path, waiting) = (folder.path().join("master.key"), folder.path().join("master.key.new"));
    let source = Source::write_file(path, &MasterKey::random().unwrap()).unwrap();
    let pipe = std::process::Command::new("mkfifo").args(["-m", "600"]).arg(&waiting).status();
    assert!(pipe.unwrap().success());
    let refused = source.next();
    assert!(matches!(refused, Err(SourceError::Unwritable { .. })), "{refused:?}");
    assert!(matches!(source.fitting(&[0; 32]), Err(SourceError::OtherKey)));
    assert_eq!(source.waiting(), [waiting]);
}
