//! Backups beside writers, and backups and restores that are killed (G13).
//!
//! `KYC_BACKUPS` says how many are made under load; one unless it is set.

use std::fs;
use std::path::Path;
use std::process::Child;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use super::{back_up, contents, give_key, path};
use crate::disk::SmallDisk;
use crate::fixture::{image, try_upload};
use crate::load::{self, Acknowledged, Load};
use crate::program::{Site, eventually, text};

#[test]
fn g13_a_backup_under_load_has_everything_that_was_acknowledged_before() {
    let mut left: usize = std::env::var("KYC_BACKUPS")
        .map_or(1, |count| count.parse().expect("a count in KYC_BACKUPS"));
    while left > 0 {
        let count = left.min(BACKUPS_PER_SITE);
        back_up_under_load(count);
        left -= count;
        eprintln!("{left} backups are left");
    }
}

/// Writers go on while a copy is made, and the more there is the longer that takes: so what is there
/// doubles every 15 copies or so.
const BACKUPS_PER_SITE: usize = 25;

fn back_up_under_load(count: usize) {
    let site = Site::new();
    let service = site.develop();
    let key = service.ready["api_key"].as_str().unwrap().to_owned();
    let token = service.ready["inspector_token"].as_str().unwrap().to_owned();
    let acknowledged = Arc::new(Mutex::new(Acknowledged::default()));
    let done = Arc::new(AtomicUsize::new(0));
    let (ends, pauses) = (AtomicBool::new(false), AtomicBool::new(false));
    thread::scope(|scope| {
        for number in 0..4 {
            let load = Load {
                client: service.client_with(&key),
                inspector: service.inspector_with(&token),
                number,
                acknowledged: Arc::clone(&acknowledged),
                done: Arc::clone(&done),
            };
            let (ends, pauses) = (&ends, &pauses);
            scope.spawn(move || {
                let mut round = 0;
                while !ends.load(Ordering::Relaxed) {
                    if pauses.load(Ordering::Relaxed) {
                        thread::sleep(Duration::from_millis(1));
                    } else if load.round(round).is_ok() {
                        round += 1;
                    } else {
                        break;
                    }
                }
            });
        }
        let tried = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            for round in 0..count {
                let enough = done.load(Ordering::Relaxed) + 20 + round % 30;
                eventually(|| done.load(Ordering::Relaxed) >= enough);
                let before = acknowledged.lock().unwrap().clone();
                let during = done.load(Ordering::Relaxed);
                back_up(&site, "kyc.tar");
                assert!(done.load(Ordering::Relaxed) > during, "nothing was written meanwhile");
                // Otherwise each copy would have much more to check than the one before.
                pauses.store(true, Ordering::Relaxed);
                check_restored(&site, &key, &token, &before);
                pauses.store(false, Ordering::Relaxed);
                eprintln!("backup {} of {count} has all of {during} writes", round + 1);
            }
        }));
        ends.store(true, Ordering::Relaxed);
        tried.unwrap();
    });
    service.stop();
    site.stdout(&["verify"]);
}

/// Restores a backup elsewhere, where everything has to be that was known before.
fn check_restored(site: &Site, key: &str, token: &str, before: &Acknowledged) {
    site.stdout(&["verify", "--backup", &path(site, "kyc.tar")]);
    let elsewhere = Site::new();
    let (backup, master) = (path(site, "kyc.tar"), path(site, "data/master.key"));
    elsewhere.stdout(&["restore", "--from", &backup, "--master-key-file", &master]);
    give_key(&site.data(), &elsewhere.data());
    let service = elsewhere.develop();
    load::check(&service.client_with(key), &service.inspector_with(token), before);
    service.stop();
    elsewhere.stdout(&["verify"]);
    fs::remove_file(site.path("kyc.tar")).unwrap();
}

/// A site with documents of some megabytes.
fn large() -> Site {
    let site = Site::new();
    let service = site.develop();
    for number in 0..20 {
        let content = format!("{number}{}", "x".repeat(1_000_000));
        try_upload(&service.client(), "selfie", &image(&content)).unwrap().ok();
    }
    service.stop();
    site
}

/// Lets a command run for a while, and ends it as a power cut would.
fn killed(mut child: Child, after: Duration) {
    thread::sleep(after);
    let _ = child.kill();
    child.wait().unwrap();
}

fn names(folder: &Path) -> Vec<String> {
    let names = fs::read_dir(folder).unwrap();
    names.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

#[test]
fn g13_a_backup_that_is_killed_leaves_nothing_that_looks_like_one() {
    let site = large();
    let to = path(&site, "kyc.tar");
    let mut unfinished = 0;
    for step in 0..30 {
        let mut command = site.command(&["backup", "--to", &to]);
        killed(command.stderr(std::process::Stdio::null()).spawn().unwrap(), POINT * step);
        if site.path("kyc.tar").exists() {
            // Then it is whole.
            site.stdout(&["restore", "--from", &to, "--verify-only", "--data", "new"]);
            fs::remove_file(&to).unwrap();
        } else {
            unfinished += 1;
        }
    }
    assert!(unfinished > 2, "none was killed on the way");
    back_up(&site, "kyc.tar");
    assert!(!names(&site.path("")).iter().any(|name| name.contains("unfinished")));
    assert_eq!(names(&site.data().join("tmp")), [""; 0]);
    site.stdout(&["verify", "--backup", &to]);
}

#[test]
fn g13_a_restore_that_is_killed_leaves_nothing_that_looks_like_a_data_folder() {
    let site = large();
    back_up(&site, "kyc.tar");
    let restore = ["restore", "--from", &path(&site, "kyc.tar"), "--data", "new"];
    let mut unfinished = 0;
    for step in 0..30 {
        let mut command = site.command(&restore);
        killed(command.stderr(std::process::Stdio::null()).spawn().unwrap(), POINT * step);
        if site.path("new").exists() {
            give_key(&site.data(), &site.path("new"));
            site.stdout(&["verify", "--data", "new"]);
            fs::remove_dir_all(site.path("new")).unwrap();
        } else {
            unfinished += 1;
            let left = site.path("new.restoring");
            assert!(!left.join("kyc.sqlite").exists() && !left.join("sealed").exists());
        }
    }
    assert!(unfinished > 2, "none was killed on the way");
    site.stdout(&restore);
    assert!(!site.path("new.restoring").exists());
    assert_eq!(contents(&site.path("new")), contents(&site.data()));
}

#[test]
fn g13_a_full_disk_leaves_neither_half_a_backup_nor_half_a_folder() {
    let site = large();
    let Some(disk) = SmallDisk::mount(site.path("small"), 256) else {
        eprintln!("this process may not mount: a full disk was not tried");
        return;
    };
    disk.leave(1_000);
    let refused = site.kyc(&["backup", "--to", &path(&site, "small/kyc.tar")]);
    assert_eq!(refused.status.code(), Some(1), "{}", text(&refused.stderr));
    assert!(text(&refused.stderr).contains("cannot write the backup"));
    assert_eq!(names(&site.path("small")), ["filler"]);
    assert_eq!(names(&site.data().join("tmp")), [""; 0]);

    back_up(&site, "kyc.tar");
    let refused = site.kyc(&["restore", "--from", &path(&site, "kyc.tar"), "--data", "small/new"]);
    assert_eq!(refused.status.code(), Some(1), "{}", text(&refused.stderr));
    assert_eq!(names(&site.path("small")), ["filler"]);
    drop(disk);
}

/// So much later each one is killed.
const POINT: Duration = Duration::from_millis(9);
