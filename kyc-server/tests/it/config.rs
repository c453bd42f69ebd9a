//! `kyc config`

use crate::program::{Site, text};
use crate::serve::certify;

#[test]
fn the_example_is_written_once_and_can_be_used() {
    let site = Site::new();
    site.stdout(&["config", "init"]);
    let said = site.fails(&["config", "init"], 1);
    assert!(
        said.contains("kyc.toml is there already and stays as it is: set what you need"),
        "{said}"
    );
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
    let output = site.kyc(&check);
    assert_eq!((output.status.code(), text(&output.stdout).as_str()), (Some(0), ""));
    assert_eq!(text(&output.stderr), "the configuration can be used\n");
    assert!(!site.data().exists());
}

#[test]
fn a_check_reads_the_authorities_that_lists_are_fetched_with() {
    let site = Site::new();
    certify(&site);
    let config = "tls_cert = 'server.pem'\ntls_key = 'server.key'\nlists_ca_file = 'ca.pem'\n";
    site.write("kyc.toml", config);
    let check = ["config", "check", "--config", "kyc.toml"];
    assert!(site.fails(&check, 3).contains("lists_ca_file ca.pem: "));
    site.write("ca.pem", "no certificate");
    assert!(site.fails(&check, 3).contains("lists_ca_file ca.pem: expected certificates in PEM"));
    std::fs::copy(site.path("server.pem"), site.path("ca.pem")).unwrap();
    assert_eq!(site.kyc(&check).status.code(), Some(0));
}

#[test]
fn a_check_without_a_configuration_says_that_there_is_none() {
    let said = text(&Site::new().kyc(&["config", "check"]).stderr);
    assert!(
        said.starts_with("nothing is configured: `kyc serve` would be a development"),
        "{said}"
    );
}

/// Checks what a check of required lists says.
#[track_caller]
fn check_required(lists: &str, warning: Option<&str>) {
    let site = Site::new();
    let mut command = site.command(&["config", "check"]);
    let output = command.env("KYC_LISTS_REQUIRED", lists).output().unwrap();
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{said}");
    let warned = said.lines().find(|line| line.starts_with("warning: "));
    assert_eq!(warned.is_some(), warning.is_some(), "{said}");
    assert!(said.contains(warning.unwrap_or_default()), "{said}");
}

#[test]
fn a_required_list_that_cannot_be_imported_is_a_warning_with_the_names_that_can() {
    check_required("UN,OFAC-SDN,our-watchlist_2", None);
    check_required("OFAC", Some("names OFAC, and no list can be called so"));
    check_required("OFAC", Some("The published ones are UN, EU, UK, US-CSL, OFAC-SDN, OFAC-CONS"));
    check_required("un,UN", Some("names un, and"));
    check_required("Watch", Some("names Watch, and"));
    check_required("UN OFAC-SDN", Some("names UN OFAC-SDN, and"));
}

#[test]
fn settings_with_which_lists_get_too_old_are_warnings() {
    let check = |settings: &[(&str, &str)], warning: Option<&str>| {
        let site = Site::new();
        let mut command = site.command(&["config", "check"]);
        let said = text(&command.envs(settings.iter().copied()).output().unwrap().stderr);
        let warnings: Vec<_> = said.lines().filter(|line| line.starts_with("warning: ")).collect();
        assert_eq!(warnings.len(), usize::from(warning.is_some()), "{said}");
        assert!(said.contains(warning.unwrap_or_default()), "{said}");
    };
    let (age, hours) = ("KYC_LISTS_MAX_AGE_DAYS", "KYC_LISTS_UPDATE_HOURS");
    let (required, update) = ("KYC_LISTS_REQUIRED", "KYC_LISTS_UPDATE");
    check(&[(age, "1"), (hours, "20")], None);
    check(&[(age, "0"), (hours, "6")], Some("lists_max_age_days is 0: every list is too old"));
    check(
        &[(age, "1"), (hours, "24")],
        Some("lists_update_hours is 24, give or take a tenth, and"),
    );
    check(&[(age, "1"), (hours, "0")], None);
    let named = [(required, "UN,EU,watch"), (update, "UN")];
    check(&[named[0], named[1]], None);
    check(&[named[0], named[1], (hours, "6")], Some("names EU, and lists_update does not"));
    check(&[(required, "UN,EU"), (hours, "6")], None);
}

#[test]
fn a_flag_stands_above_its_variable_and_a_variable_above_the_file() {
    let site = Site::with_data();
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
