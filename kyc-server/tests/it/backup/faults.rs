//! What is changed in a data folder is named by `kyc verify`, by table and id (G13).

use std::fs::{self, OpenOptions};
use std::io::{Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::process::Command;

use rusqlite::Connection;
use serde_json::Value;

use super::{back_up, give_key, path, used};
use crate::program::{Site, text};

/// A copy of the data folder, and what `kyc verify` says after it was changed.
#[track_caller]
fn named(site: &Site, change: impl FnOnce(&Path), expected: &str) {
    let case = site.path("case");
    let _ = fs::remove_dir_all(&case);
    let copied = Command::new("cp").arg("-a").arg(site.data()).arg(&case).status();
    assert!(copied.unwrap().success());
    change(&case);
    let output = site.kyc(&["verify", "--json", "--data", "case"]);
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(4), "{expected}: {said}");
    if output.stdout.is_empty() {
        assert!(said.contains(expected), "{expected}: {said}");
        return;
    }
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let faults = report["store"]["faults"].as_array().unwrap();
    assert!(faults.iter().any(|fault| fault.as_str().unwrap().contains(expected)), "{faults:?}");
}

fn sql(statement: &'static str) -> impl FnOnce(&Path) {
    move |case| {
        let database = Connection::open(case.join("kyc.sqlite")).unwrap();
        database.pragma_update(None, "foreign_keys", false).unwrap();
        database.execute_batch(statement).unwrap();
    }
}

/// A file of a document.
fn document(data: &Path) -> PathBuf {
    let mut path = data.join("documents");
    while path.is_dir() {
        path = fs::read_dir(path).unwrap().next().unwrap().unwrap().path();
    }
    path
}

#[test]
fn g13_each_fault_in_a_row_is_named() {
    let site = used();
    let table = site.stdout(&["verify"]);
    assert!(table.contains("submissions  1") && table.contains("documents    2"), "{table}");
    let database = Connection::open(site.data().join("kyc.sqlite")).unwrap();
    let id: [u8; 16] =
        database.query_row("SELECT id FROM submission", [], |row| row.get(0)).unwrap();
    drop(database);
    let id = kyc_core::SubmissionId::from_bytes(id);
    let row = |what: &str| format!("submission {id}: {what}");

    named(&site, sql("UPDATE submission SET record = x'01'"), &row(""));
    named(&site, sql("UPDATE submission SET record = substr(record, 1, 99)"), &row(""));
    named(&site, sql("UPDATE submission SET version = version + 1"), &row("its version"));
    named(
        &site,
        sql("UPDATE submission SET standing = standing & 0xffffffffffff"),
        &row("its standing"),
    );
    named(
        &site,
        sql("UPDATE submission SET email_key = email_key + 1"),
        &row("its digest of the e-mail"),
    );
    named(&site, sql("UPDATE submission SET user_key = 7"), &row("its digest of the user"));
    named(&site, sql("UPDATE submission SET person_key = 7"), &row("its digest of the person"));
    named(
        &site,
        sql("UPDATE submission SET screening = NULL"),
        &row("its place in the screening queue"),
    );
    named(&site, sql("UPDATE submission SET needs_look = 1"), &row("its mark for inspectors"));
    named(&site, sql("UPDATE api_key SET client = 99"), "api_key");
    named(
        &site,
        sql("UPDATE state SET value = x'02' WHERE name = 'monitoring'"),
        "state monitoring",
    );
    // What no seal binds is told by the audit, and what cannot be read by the next check (D128, D129).
    named(&site, sql("UPDATE inspector SET sees_all = 1 - sees_all"), "inspector ");
    named(&site, sql("UPDATE client SET sandbox_ms = 1"), "client 1: its clock");
    named(&site, sql("UPDATE client_key SET uses = -1"), "client_key 1");
    named(&site, sql("DELETE FROM state"), "state monitoring: it is missing");
    named(&site, sql("DROP INDEX submission_screening"), "submission_screening: it is missing");
    named(
        &site,
        sql("CREATE TRIGGER quiet AFTER INSERT ON submission BEGIN DELETE FROM document; END"),
        "quiet: it is not as this release makes it",
    );
    named(&site, sql("DELETE FROM audit WHERE rowid = (SELECT min(rowid) FROM audit)"), "audit");
}

#[test]
fn g13_each_fault_in_a_document_or_page_is_named() {
    let site = used();
    let name = document(&site.data()).file_name().unwrap().to_str().unwrap().to_owned();
    let row = format!("document {name}: ");
    let write = |bytes: &'static [u8]| move |case: &Path| fs::write(document(case), bytes).unwrap();
    named(&site, write(b"forged"), &row);
    named(&site, write(b""), &row);
    named(&site, |case| fs::remove_file(document(case)).unwrap(), &row);
    named(
        &site,
        |case| {
            let mut file = OpenOptions::new().append(true).open(document(case)).unwrap();
            file.write_all(b"more").unwrap();
        },
        &row,
    );
    named(&site, sql("UPDATE document SET checksum = zeroblob(16)"), "document ");
    named(
        &site,
        |case| {
            // A page in the midst of the file.
            let mut file = OpenOptions::new().write(true).open(case.join("kyc.sqlite")).unwrap();
            let pages = file.metadata().unwrap().len() / 4_096;
            for page in 2..pages {
                file.seek(SeekFrom::Start(page * 4_096)).unwrap();
                file.write_all(&[0xff; 64]).unwrap();
            }
        },
        "",
    );

    // A file without a row is what a crash leaves: counted, and no fault.
    fs::copy(
        document(&site.data()),
        document(&site.data()).with_file_name("01jd3v9k8m2q4r5s6t7v8w9x0w"),
    )
    .unwrap();
    let table = site.stdout(&["verify"]);
    assert!(table.contains("left-overs   1"), "{table}");
}

#[test]
fn g13_a_backup_of_a_damaged_store_is_made_and_tells_what_it_lacks() {
    let site = used();
    fs::remove_file(document(&site.data())).unwrap();
    let output = site.kyc(&["backup", "--json", "--to", &path(&site, "kyc.tar")]);
    assert_eq!(output.status.code(), Some(4), "{}", text(&output.stderr));
    assert!(text(&output.stderr).contains("fault: document"));
    // There may be no better one.
    let key = path(&site, "data/master.key");
    let backup = path(&site, "kyc.tar");
    let restore = ["restore", "--from", &backup, "--data", "new", "--master-key-file", &key];
    let output = site.kyc(&restore);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(text(&output.stderr).contains("1 documents were lost before"));
    give_key(&site.data(), &site.path("new"));
    site.fails(&["verify", "--data", "new"], 4);
}

#[test]
fn g13_a_backup_is_verified_with_the_store() {
    let site = used();
    back_up(&site, "kyc.tar");
    let report = site.json(&["verify", "--json", "--backup", &path(&site, "kyc.tar")]);
    // The audit has one row more: that the backup was made.
    let checks = |report: &Value| {
        let mut checks = report["checks"].as_array().unwrap().clone();
        checks.retain(|check| check["check"] != "audit");
        checks
    };
    assert_eq!(checks(&report["store"]), checks(&report["backup"]));
    let mut bytes = fs::read(site.path("kyc.tar")).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(site.path("kyc.tar"), bytes).unwrap();
    let said = site.fails(&["verify", "--backup", &path(&site, "kyc.tar")], 4);
    assert!(said.contains("the backup cannot be used"), "{said}");
}
