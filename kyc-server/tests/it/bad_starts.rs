//! What bad input gets: a sentence and an exit code.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::disk::documents;
use crate::fixture::upload;
use crate::program::{Site, text};
use crate::serve::certify;

/// Checks what a start that must not succeed ends with.
#[track_caller]
fn check(site: &Site, arguments: &[&str], code: i32, said: &str) {
    let sentence = site.fails(&[&["serve"], arguments].concat(), code);
    assert!(sentence.contains(said), "{sentence}");
}

const TLS: [&str; 6] =
    ["--listen", "127.0.0.1:0", "--tls-cert", "server.pem", "--tls-key", "server.key"];

fn chmod(mode: &str, path: &Path) {
    assert!(Command::new("chmod").arg(mode).arg(path).status().unwrap().success());
}

#[test]
fn a_data_folder_in_use() {
    let site = Site::new();
    let service = site.develop();
    check(&site, &["--listen", "127.0.0.1:0"], 5, "another process serves this data folder");
    assert!(site.path("ready.json").exists(), "the other one's ready file is gone");
    service.stop();
}

#[test]
fn t36_a_database_of_a_newer_release() {
    let site = Site::new();
    site.develop().stop();
    let database = rusqlite::Connection::open(site.data().join("kyc.sqlite")).unwrap();
    database.pragma_update(None, "user_version", 999).unwrap();
    drop(database);
    check(&site, &[], 3, "a newer release wrote the database (schema 999");
    let said = site.fails(&["client", "list"], 3);
    assert!(said.contains("a newer release wrote the database"), "{said}");
}

#[test]
fn something_else_in_the_place_of_the_database() {
    let site = Site::new();
    site.develop().stop();
    fs::write(site.data().join("kyc.sqlite"), "no database".repeat(1_000)).unwrap();
    check(&site, &[], 3, "kyc.sqlite is no database of this service");
}

fn kyc_sqlite(site: &Site) -> Vec<u8> {
    fs::read(site.data().join("kyc.sqlite")).unwrap()
}

#[test]
fn a_database_that_was_cut_off() {
    let site = Site::new();
    site.develop().stop();
    let whole = kyc_sqlite(&site);
    for kept in [100, 4_096, 8_192, whole.len() - 4_096] {
        fs::write(site.data().join("kyc.sqlite"), &whole[..kept]).unwrap();
        for arguments in [&["serve", "--listen", "127.0.0.1:0"][..], &["client", "list"]] {
            assert_eq!(
                site.fails(arguments, 4),
                "error: kyc.sqlite is damaged: restore it from a backup together with pepper and \
                 documents: database disk image is malformed",
                "{kept} bytes, {arguments:?}",
            );
        }
    }
}

#[test]
fn d129_a_part_of_the_folder_that_is_a_link() {
    let site = Site::new();
    site.develop().stop();
    fs::remove_dir_all(site.data().join("tmp")).unwrap();
    fs::create_dir(site.path("elsewhere")).unwrap();
    std::os::unix::fs::symlink(site.path("elsewhere"), site.data().join("tmp")).unwrap();
    let said = "tmp in the data folder is a link or a file: move it away, or mount there";
    check(&site, &["--listen", "127.0.0.1:0"], 3, said);
    assert!(site.fails(&["client", "list"], 3).contains(said));
}

#[test]
fn d71_a_database_that_is_gone() {
    let site = Site::new();
    let service = site.develop();
    upload(&service.client(), "passport", "one");
    service.stop();
    let database = site.data().join("kyc.sqlite");
    for left in [None, Some(""), Some("S")] {
        match left {
            None => fs::remove_file(&database).unwrap(),
            Some(left) => fs::write(&database, left).unwrap(),
        }
        for arguments in [
            &["serve", "--listen", "127.0.0.1:0"][..],
            &["client", "add", "acme"],
            &["client", "list"],
        ] {
            let said = site.fails(arguments, 4);
            assert!(said.contains("kyc.sqlite is missing or empty"), "{arguments:?}: {said}");
        }
        assert_eq!(documents(&site.data()), 1);
    }
}

/// Changes a file of the certificate that a development start has made.
#[track_caller]
fn check_own_certificate(change: impl FnOnce(&Path), said: &str) {
    let site = Site::new();
    site.develop().stop();
    change(&site.data().join("tls"));
    check(&site, &["--listen", "127.0.0.1:0"], 3, said);
}

#[test]
fn t6_an_authority_whose_key_others_can_read() {
    check_own_certificate(
        |tls| chmod("644", &tls.join("ca.key")),
        "tls/ca.key is open to others than its owner",
    );
}

#[test]
fn t6_an_own_certificate_whose_key_others_can_read() {
    check_own_certificate(
        |tls| chmod("644", &tls.join("server.pem")),
        "tls/server.pem is open to others than its owner",
    );
}

#[test]
fn an_authority_that_is_none() {
    let overwrite = |name: &'static str, content: &'static [u8]| {
        move |tls: &Path| fs::write(tls.join(name), content).unwrap()
    };
    let garbage: [&[u8]; 3] = [b"", b"zz", b"\xff\xfe"];
    for content in garbage {
        check_own_certificate(overwrite("ca.key", content), "ca.key does not hold what it should");
        check_own_certificate(overwrite("ca.pem", content), "ca.pem does not hold what it should");
    }
}

#[test]
fn t24_a_master_key_that_others_can_read() {
    let site = Site::new();
    site.develop().stop();
    chmod("644", &site.data().join("master.key"));
    check(&site, &[], 3, "master.key can be read by others");
}

#[test]
fn t24_a_master_key_of_another_folder() {
    let (site, other) = (Site::new(), Site::new());
    site.develop().stop();
    other.develop().stop();
    fs::copy(other.data().join("master.key"), site.data().join("master.key")).unwrap();
    check(&site, &[], 4, "the master key is not the one that sealed");
}

#[test]
fn t24_a_master_key_that_is_gone() {
    let site = Site::new();
    site.develop().stop();
    fs::remove_file(site.data().join("master.key")).unwrap();
    check(&site, &[], 4, "the master key is missing");
}

#[test]
fn t6_a_private_key_that_others_can_read() {
    let site = Site::new();
    certify(&site);
    chmod("644", &site.path("server.key"));
    check(&site, &TLS, 3, "server.key is open to others than its owner");
}

#[test]
fn a_certificate_that_is_none() {
    let site = Site::new();
    certify(&site);
    site.write("server.pem", "-----BEGIN NOTHING-----");
    check(&site, &TLS, 3, "server.pem does not hold what it should");
}

#[test]
fn a_certificate_of_another_key() {
    let site = Site::new();
    certify(&site);
    let pem = fs::read(site.path("server.pem")).unwrap();
    certify(&site);
    site.write("server.pem", pem);
    check(&site, &TLS, 3, "the certificate and its private key cannot be used");
}

#[test]
fn a_certificate_that_is_missing() {
    check(&Site::new(), &TLS, 3, "cannot read server.pem: No such file");
}

#[test]
fn an_unknown_key_in_the_configuration() {
    let site = Site::new();
    site.write("kyc.toml", "listen = '127.0.0.1:0'\ntls_certificate = 'x.pem'\n");
    check(&site, &["--config", "kyc.toml"], 3, "kyc.toml: line 2: unknown field `tls_certificate`");
}

#[test]
fn a_configuration_file_that_is_missing() {
    check(&Site::new(), &["--config", "kyc.toml"], 3, "kyc.toml: No such file");
}

#[test]
fn a_development_start_that_others_could_reach() {
    check(&Site::new(), &["--listen", "0.0.0.0:0"], 3, "listens on 127.0.0.1 or [::1] only");
}

#[test]
fn a_data_folder_that_is_a_file() {
    let site = Site::new();
    site.write("data", "");
    check(&site, &["--listen", "127.0.0.1:0"], 1, "cannot make ");
}

#[test]
fn wrong_usage() {
    for arguments in [&["serve", "--listen", "here"][..], &["key"], &["screen"], &["frobnicate"]] {
        let output = Site::new().kyc(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert_eq!(text(&output.stdout), "");
    }
}

#[test]
fn only_a_start_makes_a_data_folder() {
    let site = Site::new();
    site.write("watch.csv", crate::fixture::PLAIN_LIST);
    for arguments in [
        &["client", "add", "acme"][..],
        &["inspector", "add", "ines"],
        &["list", "import", "watch.csv"],
        &["list", "remove", "watch"],
        &["list", "status"],
        &["screen", "--name", "Tormund Vexley"],
        &["client", "list"],
        &["key", "list"],
        &["key", "create", "--client", "default"],
        &["inspector", "list"],
        &["submission", "show", "00000000000000000000000000"],
    ] {
        assert!(site.fails(arguments, 1).contains("there is no data folder"), "{arguments:?}");
    }
    assert!(!site.data().exists());
}

#[test]
fn a_data_folder_of_the_configuration_has_to_be_there_too() {
    let site = Site::new();
    site.write(
        "kyc.toml",
        "data = 'there'\nproxy_listen = '127.0.0.1:0'\nproxy_trusted = ['::1']\n",
    );
    for arguments in [&["client", "add", "acme"][..], &["list", "status"]] {
        let mut command = site.command(&[arguments, &["--config", "kyc.toml"]].concat());
        let output = command.env_remove("KYC_DATA").output().unwrap();
        assert_eq!(output.status.code(), Some(1), "{arguments:?}");
        assert!(text(&output.stderr).contains("there is no data folder there"), "{arguments:?}");
    }
}

#[test]
fn without_a_named_data_folder_commands_look_for_the_default_one() {
    let site = Site::new();
    let run = |arguments: &[&str]| site.command(arguments).env_remove("KYC_DATA").output().unwrap();
    let output = run(&["client", "add", "acme"]);
    assert!(text(&output.stderr).contains("there is no data folder kyc-data"));
    assert!(run(&["screen", "--name", "Tormund Vexley"]).status.success());
    assert!(!site.path("kyc-data").exists());
}

/// Checks what an address that is none gets.
#[track_caller]
fn check_address(text: &str) {
    let site = Site::new();
    let said = |arguments: &[&str], code| {
        let output = site.kyc(arguments);
        assert_eq!(output.status.code(), Some(code));
        String::from_utf8(output.stderr).unwrap()
    };
    let expected = "expected an address and a port, such as 127.0.0.1:8443";
    let flag = said(&["serve", "--listen", text], 2);
    assert!(flag.contains(expected) && flag.contains("names of hosts are not taken"), "{flag}");
    site.write("kyc.toml", format!("proxy_listen = '{text}'\n"));
    let file = said(&["serve", "--config", "kyc.toml"], 3);
    assert!(file.contains(&format!("line 1: {expected}")), "{file}");
}

#[test]
fn an_address_that_is_none_is_told_what_one_is() {
    check_address("localhost:9000");
    check_address("9443");
    check_address("127.0.0.1");
}
