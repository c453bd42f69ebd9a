//! Backups: made beside a running service, restored elsewhere, refused where they are damaged.

mod damaged; // what is changed in a backup is noticed
mod faults; // what is changed in a data folder is named
mod load; // beside writers; killed on the way
mod scheduled; // made by the service

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::fixture::{Applicant, approve, upload};
use crate::program::{Site, mode, text};

/// A site with a client, a list, a submission that was approved, and its documents; nobody serves.
pub(super) fn used() -> Site {
    let site = Site::new();
    let service = site.develop();
    site.stdout(&[
        "list",
        "import",
        site.write("watch.csv", crate::fixture::PLAIN_LIST).to_str().unwrap(),
    ]);
    let id = Applicant::named("Mira", "Kole").submit(&service.client());
    approve(&service.inspector(), &id);
    site.write("key", service.ready["api_key"].as_str().unwrap());
    service.stop();
    site
}

pub(super) fn key(site: &Site) -> String {
    fs::read_to_string(site.path("key")).unwrap()
}

pub(super) fn path(site: &Site, name: &str) -> String {
    site.path(name).to_str().unwrap().to_owned()
}

/// Makes a backup of that name.
#[track_caller]
pub(super) fn back_up(site: &Site, name: &str) -> Value {
    site.json(&["backup", "--json", "--to", &path(site, name)])
}

/// Puts the master key of one data folder into another one.
pub(super) fn give_key(from: &Path, to: &Path) {
    fs::copy(from.join("master.key"), to.join("master.key")).unwrap();
}

/// Everything below a folder but what a store makes anew, with its content.
pub(super) fn contents(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(folder).unwrap().to_str().unwrap().to_owned();
                found.push((name, fs::read(&path).unwrap()));
            }
        }
    }
    found.retain(|(name, _)| {
        name.starts_with("documents") || name.starts_with("lists/w") || name == "sealed"
    });
    found.sort();
    found
}

#[test]
fn a_restored_folder_serves_what_was_backed_up() {
    let site = used();
    let made = back_up(&site, "kyc.tar");
    assert_eq!((made["submissions"].as_u64(), made["documents"].as_u64()), (Some(1), Some(2)));
    assert_eq!(mode(&site.path("kyc.tar")), 0o600);
    let before = contents(&site.data());
    fs::rename(site.data(), site.path("gone")).unwrap();

    site.stdout(&["restore", "--from", &path(&site, "kyc.tar")]);
    give_key(&site.path("gone"), &site.data());
    assert_eq!(mode(&site.data()), 0o700);
    assert_eq!(contents(&site.data()), before);
    assert!(before.len() >= 4, "documents, lists and the mark of a vault");
    let service = site.develop();
    let status = Applicant::named("Mira", "Kole").status(&service.client_with(&key(&site)));
    assert_eq!(status["kyc_result"]["status"], "approved", "{status}");
    upload(&service.client_with(&key(&site)), "passport", "after");
    service.stop();
    site.stdout(&["verify"]);
}

#[test]
fn only_its_recipient_can_open_a_sealed_backup() {
    let site = used();
    let identity = age::x25519::Identity::generate();
    let stranger = age::x25519::Identity::generate();
    let recipient = identity.to_public().to_string();
    let write = |name: &str, identity: &age::x25519::Identity| {
        use age::secrecy::ExposeSecret;
        let text = format!("# made for a test\n{}\n", identity.to_string().expose_secret());
        let path = site.write(name, text);
        chmod(&path, "600");
        path.to_str().unwrap().to_owned()
    };
    let (own, other) = (write("own.txt", &identity), write("other.txt", &stranger));
    let backup = path(&site, "kyc.tar.age");
    site.stdout(&["backup", "--to", &backup, "--recipient", &recipient]);
    let sealed = fs::read(&backup).unwrap();
    assert!(!sealed.windows(9).any(|bytes| bytes == b"documents"));

    let restore = ["restore", "--from", &backup, "--verify-only"];
    let with = |identity: &str| [&restore[..], &["--identity", identity]].concat().join(" ");
    let run = |line: String| site.kyc(&line.split(' ').collect::<Vec<_>>());
    assert!(site.fails(&restore, 2).contains("--identity"));
    assert_eq!(run(with(&other)).status.code(), Some(1));
    chmod(Path::new(&own), "644");
    assert_eq!(run(with(&own)).status.code(), Some(3));
    chmod(Path::new(&own), "600");
    let opened = run(with(&own));
    assert!(opened.status.success(), "{}", text(&opened.stderr));
    assert!(!site.path("data.restoring").exists());

    for (at, changed) in [(300, 1), (sealed.len() / 2, 0x80), (sealed.len() - 1, 4)] {
        let mut bytes = sealed.clone();
        bytes[at] ^= changed;
        fs::write(&backup, bytes).unwrap();
        assert_eq!(run(with(&own)).status.code(), Some(4), "byte {at}");
    }
    for cut in [sealed.len() - 1, sealed.len() / 2, 200, 30] {
        fs::write(&backup, &sealed[..cut]).unwrap();
        assert_eq!(run(with(&own)).status.code(), Some(4), "cut at {cut}");
    }
}

pub(super) fn chmod(path: &Path, mode: &str) {
    let status = std::process::Command::new("chmod").arg(mode).arg(path).status();
    assert!(status.unwrap().success());
}

#[test]
fn nothing_is_overwritten() {
    let site = used();
    back_up(&site, "kyc.tar");
    let before = fs::read(site.path("kyc.tar")).unwrap();
    let backup = path(&site, "kyc.tar");
    assert!(site.fails(&["backup", "--to", &backup], 1).contains("--force"));
    assert!(site.fails(&["backup", "--to", "-"], 2).contains("name a file"));
    assert_eq!(fs::read(site.path("kyc.tar")).unwrap(), before);
    site.stdout(&["backup", "--force", "--to", &backup]);

    assert!(site.fails(&["restore", "--from", &backup], 1).contains("not empty"));
    assert!(
        site.fails(&["restore", "--from", "nowhere.tar", "--data", "new"], 1).contains("nowhere")
    );
    assert!(!site.path("new").exists() && !site.path("new.restoring").exists());
    fs::create_dir(site.path("empty")).unwrap();
    std::os::unix::fs::symlink("empty", site.path("link")).unwrap();
    for (data, why) in [("link", "is a link, not the folder"), ("kyc.tar", "is no folder")] {
        // Before the backup is looked at, which may take hours.
        let refused = site.fails(&["restore", "--from", "nowhere.tar", "--data", data], 1);
        assert!(refused.contains(why), "{refused}");
    }
    site.stdout(&["restore", "--from", &backup, "--data", "empty"]);
    assert_eq!(contents(&site.path("empty")), contents(&site.data()));
}

#[test]
fn d118_what_others_called_like_our_left_overs_stays() {
    let site = used();
    let others = ["kyc.tar.unfinished", "kyc.tar.mine.unfinished", "other.tar.17.unfinished"];
    for name in others {
        site.write(name, "mine");
    }
    site.write("kyc.tar.17.unfinished", "of a process that was killed");
    back_up(&site, "kyc.tar");
    assert!(others.iter().all(|name| fs::read(site.path(name)).unwrap() == b"mine"));
    assert!(!site.path("kyc.tar.17.unfinished").exists());

    let restore = ["restore", "--from", &path(&site, "kyc.tar"), "--data", "new"];
    fs::create_dir_all(site.path("new.restoring/data")).unwrap();
    site.write("new.restoring/data/notes.txt", "mine");
    for arguments in [&restore[..], &[&restore[..], &["--verify-only"]].concat()] {
        let refused = site.fails(arguments, 1);
        assert!(refused.contains("new.restoring is no restore's, and is kept"), "{refused}");
    }
    assert_eq!(fs::read(site.path("new.restoring/data/notes.txt")).unwrap(), b"mine");
    assert!(!site.path("new").exists());

    // One that was left over by a kill is ours, and what somebody added to it is not.
    site.write("new.restoring/kyc-restore.lock", "");
    site.write("new.restoring/added.txt", "mine");
    site.stdout(&restore);
    assert_eq!(fs::read(site.path("new.restoring/added.txt")).unwrap(), b"mine");
    assert!(!site.path("new.restoring/data").exists());
    assert!(!site.path("new.restoring/kyc-restore.lock").exists());
    assert_eq!(contents(&site.path("new")), contents(&site.data()));
}
