//! `kyc doctor` finds what was planted, and says what to do.

use std::fs;
use std::path::Path;
use std::process::Command;

use kyc_core::{Clock, SystemClock};
use serde_json::Value;

use crate::program::{Site, eventually, text};

fn site() -> Site {
    let site = Site::new();
    site.develop().stop();
    site.stdout(&[
        "list",
        "import",
        site.write("own.csv", crate::fixture::PLAIN_LIST).to_str().unwrap(),
    ]);
    site
}

/// The findings, and the exit code.
fn findings(site: &Site, arguments: &[(&str, &str)]) -> (Vec<Value>, Option<i32>) {
    let output =
        site.command(&["doctor", "--json"]).envs(arguments.iter().copied()).output().unwrap();
    let said = text(&output.stderr);
    let findings = serde_json::from_slice(&output.stdout).expect(&said);
    (findings, output.status.code())
}

#[track_caller]
fn check(site: &Site, arguments: &[(&str, &str)], name: &str, state: &str, words: &str) {
    let (findings, code) = findings(site, arguments);
    let is_it = |finding: &&Value| {
        finding["check"] == name
            && finding["state"] == state
            && format!("{} {}", finding["what"], finding["next"]).contains(words)
    };
    assert!(findings.iter().any(|finding| is_it(&finding)), "{findings:#?}");
    assert_eq!(code, Some(if state == "fail" { 4 } else { 0 }));
}

fn chmod(site: &Site, path: &str, mode: &str) {
    let path = site.data().join(path);
    assert!(Command::new("chmod").arg(mode).arg(path).status().unwrap().success());
}

#[test]
fn a_sound_folder_has_no_fail() {
    let site = site();
    let (findings, code) = findings(&site, &[]);
    let failed = findings.iter().filter(|finding| finding["state"] == "fail").count();
    assert_eq!((failed, code), (0, Some(0)), "{findings:#?}");
    for name in [
        "mode",
        "owner",
        "store",
        "clock",
        "disk",
        "writable",
        "documents",
        "descriptors",
        "lists",
        "backup",
    ] {
        assert!(findings.iter().any(|finding| finding["check"] == name), "{name}");
    }
    assert!(site.stdout(&["doctor"]).contains("ok    clock"));
}

#[test]
fn t6_t34_what_others_can_read_is_told() {
    let site = site();
    for (path, mode, whole) in [
        ("kyc.sqlite", "644", "600"),
        ("tls/ca.key", "640", "600"),
        ("documents", "755", "700"),
        ("", "711", "700"),
    ] {
        chmod(&site, path, mode);
        check(&site, &[], "mode", "fail", &format!("chmod {whole}"));
        chmod(&site, path, whole);
    }
}

#[test]
fn t37_a_record_of_the_future_is_told() {
    let site = site();
    let service = site.develop();
    let key = text(site.stdout(&["key", "create", "--client", "default"]).as_bytes());
    crate::fixture::Applicant::named("Mira", "Kole").submit(&service.client_with(key.trim()));
    service.stop();
    let database = rusqlite::Connection::open(site.data().join("kyc.sqlite")).unwrap();
    let later = "UPDATE submission SET created_ms = created_ms + 1000000000,
                 standing = standing + 1000000000";
    assert_eq!(database.execute(later, []).unwrap(), 1);
    drop(database);
    check(&site, &[], "clock", "fail", "set the clock");
}

#[test]
fn a_sandbox_that_is_ahead_is_no_wrong_clock() {
    let site = site();
    let service = site.develop();
    site.stdout(&["client", "add", "trial", "--sandbox"]);
    let key = site.stdout(&["key", "create", "--client", "trial"]);
    site.stdout(&["client", "clock", "trial", "--advance", "5y"]);
    let client = service.client_with(key.trim());
    eventually(|| client.get("/v2/submissions/resultall").status == 200);
    crate::fixture::Applicant::named("Mira", "Kole").submit(&client);
    service.stop();
    check(&site, &[], "clock", "ok", "no record is newer");
}

#[test]
fn folders_that_are_missing_or_cannot_be_written_are_told_each_time() {
    let site = site();
    for part in ["documents", "tmp"] {
        let folder = site.data().join(part);
        // Twice, since a look must not make it anew, and neither does a verification (D129).
        fs::rename(&folder, site.path("aside")).unwrap();
        for _ in 0..2 {
            let _ = site.command(&["verify"]).output().unwrap();
            check(&site, &[], "folders", "fail", &format!("data/{part}, and uploads fail"));
        }
        std::os::unix::fs::symlink(site.path("aside"), &folder).unwrap();
        check(&site, &[], "folders", "fail", "move away what has its name");
        fs::remove_file(&folder).unwrap();
        fs::rename(site.path("aside"), &folder).unwrap();

        let written = read_only(&folder, || {
            check(&site, &[], "writable", "fail", &format!("data/{part}: "));
        });
        if written.is_none() {
            eprintln!("NOT TRIED: as root without mounts, every folder can be written");
        }
        check(&site, &[], "writable", "ok", &format!("data/{part}"));
    }
}

/// Looks while nothing can be written to a folder, also by root. `None` where that cannot be had.
fn read_only(folder: &Path, look: impl FnOnce()) -> Option<()> {
    let run = |program: &str, arguments: &[&str]| {
        let output = Command::new(program).args(arguments).arg(folder).output();
        output.is_ok_and(|output| output.status.success())
    };
    if rustix::process::geteuid().is_root() {
        let is_mounted = run("mount", &["--bind", folder.to_str().unwrap()])
            && run("mount", &["-o", "remount,bind,ro"]);
        is_mounted.then(look)?;
        assert!(run("umount", &[]));
    } else {
        assert!(run("chmod", &["500"]));
        look();
        assert!(run("chmod", &["700"]));
    }
    Some(())
}

#[test]
fn stray_files_among_the_documents_are_counted_and_not_named() {
    let site = site();
    let service = site.develop();
    crate::fixture::Applicant::named("Mira", "Kole").submit(
        &service.client_with(site.stdout(&["key", "create", "--client", "default"]).trim()),
    );
    service.stop();
    check(&site, &[], "documents", "ok", "2 files, and no stray ones");
    let documents = site.data().join("documents");
    fs::write(documents.join("Mira Kole.pdf"), "").unwrap();
    fs::create_dir_all(documents.join("1/x")).unwrap();
    fs::write(documents.join("1/x/01jd3v9k8m2q4r5s6t7v8w9x0w"), "").unwrap();
    std::os::unix::fs::symlink("/etc/passwd", documents.join("1/link")).unwrap();
    check(&site, &[], "documents", "warn", "3 stray files in documents/");
    assert!(!site.stdout(&["doctor"]).contains("Mira"));
}

#[test]
fn lists_and_backups_that_are_old_or_missing_are_told() {
    let site = site();
    check(&site, &[("KYC_LISTS_REQUIRED", "UN")], "lists", "fail", "UN: missing");
    check(&site, &[("KYC_LISTS_MAX_AGE_DAYS", "0")], "lists", "fail", "too old");
    check(&site, &[], "backup", "warn", "backup_folder");
    let shelf = site.path("shelf");
    let folder = [("KYC_BACKUP_FOLDER", shelf.to_str().unwrap())];
    check(&site, &folder, "backup", "fail", "none yet");
    fs::create_dir(&shelf).unwrap();
    assert!(Command::new("chmod").arg("700").arg(&shelf).status().unwrap().success());
    site.write("shelf/kyc-20200101T000000Z.tar", "");
    check(&site, &folder, "backup", "fail", "see the log");
}

#[test]
fn a_certificate_that_ends_soon_is_told() {
    let site = site();
    let certificate = |days: i64| {
        let mut params = rcgen::CertificateParams::new(vec!["localhost".to_owned()]).unwrap();
        let now = SystemClock.now().to_utc().to_offset(time::UtcOffset::UTC);
        params.not_before = now - time::Duration::days(400);
        params.not_after = now + time::Duration::days(days);
        let key = rcgen::KeyPair::generate().unwrap();
        let certificate = site.write("c.pem", params.self_signed(&key).unwrap().pem());
        let key = site.write("k.pem", key.serialize_pem());
        assert!(Command::new("chmod").arg("600").arg(&key).status().unwrap().success());
        (certificate.to_str().unwrap().to_owned(), key.to_str().unwrap().to_owned())
    };
    for (days, state, words) in
        [(100, "ok", "valid until"), (10, "warn", "renew"), (-2, "fail", "replace")]
    {
        let (certificate, key) = certificate(days);
        let tls = [("KYC_TLS_CERT", certificate.as_str()), ("KYC_TLS_KEY", key.as_str())];
        check(&site, &tls, "certificate", state, words);
    }
}

#[test]
fn a_damaged_store_and_a_wrong_folder_are_told() {
    let site = site();
    fs::write(site.data().join("kyc.sqlite"), "no database").unwrap();
    check(&site, &[], "store", "fail", "no database of this service");
    assert!(site.fails(&["doctor", "--data", "nowhere"], 1).contains("no data folder"));
}

#[test]
fn d130_a_master_key_that_waits_is_told_and_commands_name_the_key() {
    let site = site();
    let sound = site.stdout(&["doctor"]);
    assert!(!sound.contains("master key"), "{sound}");
    site.stdout(&["key", "split-master", "one.share", "other.share"]);
    fs::copy(site.path("other.share"), site.path("other.share.new")).unwrap();
    fs::write(site.path("one.share"), "no share\n").unwrap();
    let shares = ["--master-share-files", "one.share,other.share"];
    let output = site.kyc(&[&["doctor"][..], &shares].concat());
    let said = text(&output.stdout);
    assert!(said.contains("other.share.new waits to be the master key"), "{said}");
    assert!(!said.contains("one.share.new"), "{said}");
    let verify = said.lines().find(|line| line.contains("kyc verify --data ")).expect(&said);
    assert!(verify.ends_with("--master-share-files 'one.share,other.share'"), "{said}");
}
