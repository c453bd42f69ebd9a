//! What the program makes is its owner's alone, whatever the shell would allow.

use std::fs;
use std::path::Path;
use std::process::Stdio;

use crate::fixture::{Applicant, PLAIN_LIST, UN_LIST, approve};
use crate::program::{Site, careless, eventually, mode, text};
use crate::publisher::Publisher;

/// Everything in a folder and the folder itself, each with its mode.
fn modes(folder: &Path) -> Vec<(String, u32)> {
    let mut found = vec![(String::new(), mode(folder))];
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            let name = path.strip_prefix(folder).unwrap().to_str().unwrap().to_owned();
            found.push((name, mode(&path)));
            if path.is_dir() {
                folders.push(path);
            }
        }
    }
    found
}

#[track_caller]
fn check_private(folder: &Path, expected: &[&str]) {
    let modes = modes(folder);
    for (name, mode) in &modes {
        let private = if folder.join(name).is_dir() { 0o700 } else { 0o600 };
        assert_eq!(*mode, private, "{name} has the mode {mode:o}");
    }
    for name in expected {
        assert!(modes.iter().any(|(found, _)| found.starts_with(name)), "no {name}: {modes:?}");
    }
}

#[test]
fn t6_everything_in_a_data_folder_is_its_owners_alone() {
    let site = Site::new();
    let run = |arguments: &[&str]| {
        let output = careless(&site.command(arguments)).output().unwrap();
        assert!(output.status.success(), "{arguments:?}: {}", text(&output.stderr));
    };
    let publisher = Publisher::of(UN_LIST);
    let feed = format!("UN={}", publisher.url("/un.xml"));
    let mut serve = site.command(&["serve", "--ready-file", "ready.json"]);
    serve.args(["--listen", "127.0.0.1:0", "--lists-update", &feed, "--lists-update-hours", "1"]);
    serve.args(["--backup-folder", "shelf"]);
    let service = site.start(careless(&serve));
    let id = Applicant::named("Mira", "Kole").submit(&service.client());
    eventually(|| site.data().join("lists/UN").exists());
    approve(&service.inspector(), &id);
    site.write("watch.csv", PLAIN_LIST);
    run(&["list", "import", "watch.csv"]);
    run(&["key", "rotate", "--client", "default"]);
    run(&["key", "rotate", "--master"]);
    run(&["rescreen"]);
    // One backup is made at a time.
    service.wait_for_log("backup made");
    assert_eq!(site.path("shelf").read_dir().unwrap().count(), 1);
    run(&["backup", "--to", "kyc.tar"]);
    run(&["doctor"]);
    service.stop();
    check_private(
        &site.data(),
        &[
            "kyc.sqlite",
            "master.key",
            "sealed",
            "documents/1/",
            "lists/UN/",
            "lists/watch/",
            "lists/.updates/record.json",
            "lists/manifest.json",
            "lists/prepared.image",
            "tls/ca.pem",
            "lock.backup",
            "rescreen.lock",
        ],
    );
    assert_eq!([mode(&site.path("kyc.tar")), mode(&site.path("ready.json"))], [0o600; 2]);
    check_private(&site.path("shelf"), &["kyc-"]);

    run(&["restore", "--from", "kyc.tar", "--data", "new"]);
    check_private(&site.path("new"), &["kyc.sqlite", "documents/1/", "lists/UN/"]);
}

#[test]
fn a_configuration_may_be_read_by_the_user_of_the_service() {
    let site = Site::new();
    let command = site.command(&["config", "init"]);
    assert!(careless(&command).output().unwrap().status.success());
    assert_eq!(mode(&site.path("kyc.toml")), 0o666);
}

#[test]
fn t34_no_command_leaves_its_memory_in_a_file() {
    let site = Site::new();
    site.develop().stop();
    // It waits for an address.
    let mut command = site.command(&["audit", "hash", "--client", "default"]);
    command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    let limits = format!("/proc/{}/limits", child.id());
    eventually(|| {
        let limits = fs::read_to_string(&limits).unwrap();
        let core = limits.lines().find(|line| line.starts_with("Max core file size")).unwrap();
        core.split_whitespace().skip(4).take(2).eq(["0", "0"])
    });
    // Root reads everything.
    if !rustix::process::geteuid().is_root() {
        let environment = format!("/proc/{}/environ", child.id());
        eventually(|| fs::read(&environment).is_err());
    }
    drop(child.stdin.take());
    child.wait().unwrap();
}
