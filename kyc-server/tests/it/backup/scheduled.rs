//! Backups that the service makes by itself (D112).

use std::fs;

use super::path;
use crate::client::Client;
use crate::program::{Running, Site, eventually, mode};

/// The backups in a folder, whole ones alone.
fn backups(site: &Site) -> Vec<String> {
    let names = fs::read_dir(site.path("shelf")).into_iter().flatten();
    let names = names.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = names.filter(|name| !name.contains(".unfinished")).collect();
    names.sort();
    names
}

fn readiness(service: &Running) -> serde_json::Value {
    Client::new(service, "").get("/readyz").json()
}

#[test]
fn d112_the_service_makes_backups_and_keeps_so_many() {
    let site = Site::new();
    fs::create_dir(site.path("shelf")).unwrap();
    let old =
        ["kyc-20200101T000000Z.tar", "kyc-20200102T000000Z.tar", "kyc-20200103T000000Z.tar.age"];
    for name in old {
        site.write(&format!("shelf/{name}"), "an old one");
    }
    let folder = path(&site, "shelf");
    let serve = ["--listen", "127.0.0.1:0", "--backup-folder", &folder, "--backup-keep", "2"];
    let service = site.serve(&serve);
    service.wait_for_log("backup made");
    eventually(|| backups(&site).len() == 2);
    let [before, made] = backups(&site).try_into().unwrap();
    assert_eq!(before, old[2]);
    assert_eq!(mode(&site.path("shelf").join(&made)), 0o600);
    assert_eq!(readiness(&service)["backup"]["state"], "current");

    let backup = path(&site, &format!("shelf/{made}"));
    site.stdout(&["verify", "--backup", &backup]);
    service.stop();
    // The next one is due in a day.
    let service = site.serve(&serve);
    eventually(|| readiness(&service)["backup"]["age_seconds"].is_u64());
    service.stop();
    assert_eq!(backups(&site), [before, made]);
}

#[test]
fn d112_a_backup_that_fails_is_an_alarm_and_removes_nothing() {
    let site = Site::new();
    fs::create_dir(site.path("shelf")).unwrap();
    site.write("shelf/kyc-20200101T000000Z.tar", "the last good one");
    // A folder stands in the way of every file on its way: nothing can be made in it.
    let recipient = age::x25519::Identity::generate().to_public().to_string();
    let folder = path(&site, "shelf");
    let blocker = site.data().join("tmp/backup.sqlite");
    fs::create_dir_all(blocker.join("in the way")).unwrap();
    let service = site.serve(&[
        "--listen",
        "127.0.0.1:0",
        "--backup-folder",
        &folder,
        "--backup-keep",
        "1",
        "--backup-recipients",
        &recipient,
    ]);
    service.wait_for_log("a backup failed");
    assert_eq!(readiness(&service)["backup"]["state"], "too_old");
    service.stop();
    assert_eq!(backups(&site), ["kyc-20200101T000000Z.tar"]);
}

#[test]
fn d112_settings_of_backups_belong_together() {
    let site = Site::new();
    let said = site.fails(&["serve", "--listen", "127.0.0.1:0", "--backup-keep", "3"], 3);
    assert!(said.contains("backup_folder"), "{said}");
    let wrong = ["serve", "--backup-folder", "x", "--backup-recipients", "age1nobody"];
    assert_eq!(site.kyc(&wrong).status.code(), Some(2));
}
