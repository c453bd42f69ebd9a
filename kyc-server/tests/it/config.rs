//! `kyc config`

use crate::program::{Site, text};
use crate::serve::certify;

#[test]
fn the_example_is_written_once_and_can_be_used() {
    let site = Site::new();
    site.stdout(&["config", "init"]);
    let said = site.fails(&["config", "init"], 1);
    assert!(said.contains("cannot write kyc.toml: File exists"), "{said}");
    assert_eq!(
        site.stdout(&["config", "init", "-"]),
        std::fs::read_to_string(site.path("kyc.toml")).unwrap()
    );
    // Nothing is set in it, so nobody could reach the service.
    let said = site.fails(&["config", "check", "--config", "kyc.toml"], 3);
    assert!(said.contains("needs tls_cert and tls_key"), "{said}");
}

#[test]
fn a_check_reads_the_certificate_too() {
    let site = Site::new();
    site.write("kyc.toml", "tls_cert = 'server.pem'\ntls_key = 'server.key'\n");
    let check = ["config", "check", "--config", "kyc.toml"];
    assert!(site.fails(&check, 3).contains("cannot read server.pem"));
    certify(&site);
    assert_eq!(site.stdout(&check), "");
    assert!(!site.data().exists());
}

#[test]
fn a_flag_stands_above_its_variable_and_a_variable_above_the_file() {
    let site = Site::new();
    site.write(
        "kyc.toml",
        "lists_max_age_days = 3\nproxy_listen = '127.0.0.1:0'\nproxy_trusted = ['::1']\n",
    );
    let days = |variable: Option<&str>| {
        let mut command = site.command(&["list", "status", "--json", "--config", "kyc.toml"]);
        command.envs(variable.map(|days| ("KYC_LISTS_MAX_AGE_DAYS", days)));
        let status: serde_json::Value =
            serde_json::from_slice(&command.output().unwrap().stdout).unwrap();
        status["max_age_days"].as_u64()
    };
    assert_eq!((days(None), days(Some("2"))), (Some(3), Some(2)));

    let mut command = site.command(&["serve", "--config", "kyc.toml", "--listen", "here"]);
    command.env("KYC_LISTEN", "127.0.0.1:0");
    assert_eq!(command.output().unwrap().status.code(), Some(2));
    let mut command = site.command(&["serve", "--tls-cert", "absent.pem", "--tls-key", "k.pem"]);
    let output = command.env("KYC_TLS_CERT", "other.pem").output().unwrap();
    assert!(text(&output.stderr).contains("cannot read absent.pem"));
}
