//! Clients, keys and inspectors beside a running service.

use std::time::{Duration, Instant};

use serde_json::json;

use crate::client::Client;
use crate::fixture::Applicant;
use crate::program::{Site, text};

/// Waits until a credential is answered with `status`, which may take a second (D54).
#[track_caller]
fn within_a_second(client: &Client, path: &str, status: u16) {
    let begin = Instant::now();
    loop {
        // Asked after a second, it has to be so; the answer may take as long as it likes.
        let is_late = begin.elapsed() > Duration::from_secs(1);
        if client.get(path).status == status {
            break;
        }
        assert!(!is_late, "it took longer than a second");
    }
}

const LIST: &str = "/v2/submissions/resultall";
const QUEUE: &str = "/review/v1/submissions";

#[test]
fn d54_a_key_is_the_only_thing_on_standard_output() {
    let site = Site::with_data();
    site.stdout(&["client", "add", "acme"]);
    let output = site.kyc(&["key", "create", "--client", "acme"]);
    let key = text(&output.stdout);
    let secret = key.strip_suffix('\n').unwrap();
    assert!(secret.starts_with("kyc_") && secret.len() == 69, "not a key alone");
    assert_eq!(text(&output.stderr), "");
}

#[test]
fn d54_keys_take_effect_in_a_running_service_within_a_second() {
    let site = Site::new();
    let service = site.develop();
    site.stdout(&["client", "add", "acme"]);
    let key = site.stdout(&["key", "create", "--client", "acme"]);
    let client = service.client_with(key.trim());
    within_a_second(&client, LIST, 200);

    let id = key.trim().split('_').nth(1).unwrap();
    site.stdout(&["key", "revoke", id]);
    within_a_second(&client, LIST, 403);
    service.client().get(LIST).ok();

    let listed = site.json(&["key", "list", "--client", "acme", "--json"]);
    assert_eq!(listed[0]["id"], id);
    assert!(listed[0]["revoked_at"].is_string());
    assert!(!listed.to_string().contains(key.trim()));
    service.stop();
}

#[test]
fn d12_a_new_client_sees_nothing_of_another() {
    let site = Site::new();
    let service = site.develop();
    Applicant::named("Mira", "Kole").submit(&service.client());
    site.stdout(&["client", "add", "acme"]);
    let key = site.stdout(&["key", "create", "--client", "acme"]);
    let acme = service.client_with(key.trim());
    within_a_second(&acme, LIST, 200);
    assert_eq!(acme.get(LIST).ok()["data"], json!([]));
    assert_eq!(acme.get("/v2/submissions/mira.kole@example.org").status, 404);
    service.stop();
}

#[test]
fn d53_inspectors_come_and_go_within_a_second_and_see_what_they_may() {
    let site = Site::new();
    let service = site.develop();
    Applicant::named("Mira", "Kole").submit(&service.client());
    site.stdout(&["client", "add", "acme"]);
    let all = service.inspector_with(site.stdout(&["inspector", "add", "ines"]).trim());
    let bound = site.stdout(&["inspector", "add", "olga", "--client", "acme"]);
    let bound = service.inspector_with(bound.trim());
    within_a_second(&all, QUEUE, 200);
    within_a_second(&bound, QUEUE, 200);
    let seen = |inspector: &Client| inspector.get(QUEUE).ok()["items"].as_array().unwrap().len();
    assert_eq!((seen(&all), seen(&bound)), (1, 0));

    assert_eq!(
        site.json(&["inspector", "list", "--json"]),
        json!([
            {"name": "ines", "clients": null},
            {"name": "inspector", "clients": null},
            {"name": "olga", "clients": ["acme"]},
        ])
    );
    site.stdout(&["inspector", "remove", "ines"]);
    within_a_second(&all, QUEUE, 403);
    service.stop();
}

#[test]
fn names_and_ids_that_are_not_there_are_said_to_be_so() {
    let site = Site::with_data();
    site.stdout(&["client", "add", "acme"]);
    let fails = |arguments: &[&str], said: &str| {
        let sentence = site.fails(arguments, 1);
        assert!(sentence.contains(said), "{sentence}");
    };
    fails(&["client", "add", "acme"], "the name is taken: see `kyc client list`");
    fails(
        &["key", "create", "--client", "globex"],
        "there is no such client: see `kyc client list`",
    );
    fails(&["key", "list", "--client", "globex"], "there is no such client");
    fails(&["key", "revoke", "000000000000"], "there is no key of that id: see `kyc key list`");
    fails(&["inspector", "add", "olga", "--client", "globex"], "there is no such client");
    fails(&["inspector", "remove", "olga"], "no inspector of that name: see `kyc inspector list`");
}

#[test]
fn lists_are_tables_for_people() {
    let site = Site::with_data();
    site.stdout(&["client", "add", "acme"]);
    site.stdout(&["key", "create", "--client", "acme"]);
    site.stdout(&["inspector", "add", "ines"]);
    let titles = |arguments: &[&str]| {
        let table = site.stdout(arguments);
        assert_eq!(table.lines().count(), 2, "{table}");
        table.lines().next().unwrap().split_whitespace().map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(titles(&["client", "list"]), ["CLIENT", "PREFIX", "KEYS", "SANDBOX", "CLOCK"]);
    assert_eq!(titles(&["key", "list"]), ["KEY-ID", "CLIENT", "CREATED", "REVOKED"]);
    assert_eq!(titles(&["inspector", "list"]), ["INSPECTOR", "CLIENTS"]);
}

/// What a command says at the end, from `next: ` on, without the program.
#[track_caller]
fn next_after(command: &mut std::process::Command) -> String {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", text(&output.stderr));
    let said = text(&output.stderr);
    let (_, next) = said.trim_end().rsplit_once("next: ").unwrap();
    next.strip_prefix(env!("CARGO_BIN_EXE_kyc")).unwrap().trim().to_owned()
}

#[test]
fn the_next_step_leads_to_the_same_data() {
    let site = Site::with_data();
    site.write("my kyc.toml", "data = 'data'\nproxy_listen = '127.0.0.1:0'\n");
    let add = ["client", "add", "acme", "--config", "my kyc.toml"];
    let next = next_after(site.command(&add).env_remove("KYC_DATA"));
    assert_eq!(next, "key create --client acme --config 'my kyc.toml'");

    let run = |command: &str| {
        let line = format!("'{}' {command}", env!("CARGO_BIN_EXE_kyc"));
        let mut shell = std::process::Command::new("sh");
        shell.args(["-c", &line]).current_dir(site.path("")).env_clear().output().unwrap()
    };
    assert!(text(&run(&next).stdout).starts_with("kyc_"));
    assert!(!site.path("kyc-data").exists());

    let next = next_after(site.command(&["client", "add", "globex"]).env("KYC_DATA", "data"));
    assert_eq!(next, "key create --client globex --data data");
    assert!(text(&run(&next).stdout).starts_with("kyc_"));
}

#[test]
fn a_folder_that_no_service_has_used_is_remarked_on_once() {
    let site = Site::with_data();
    let said = |arguments: &[&str]| text(&site.kyc(arguments).stderr);
    assert!(said(&["client", "add", "acme"]).contains("note: no service has used "));
    assert!(!said(&["client", "add", "globex"]).contains("note: "));
}

#[test]
fn t25_d92_both_kinds_of_key_are_replaced_beside_a_running_service() {
    let site = Site::new();
    let service = site.develop();
    let client = service.client();
    let mut applicants = vec![Applicant::named("Mira", "Kole")];
    applicants[0].submit(&client);
    for number in 0..3 {
        let said = text(&site.kyc(&["key", "rotate", "--client", "default"]).stderr);
        assert!(said.contains(&format!("default has key {}", number + 2)), "{said}");
        let before = std::fs::read(site.data().join("master.key")).unwrap();
        site.stdout(&["key", "rotate", "--master"]);
        assert_ne!(std::fs::read(site.data().join("master.key")).unwrap(), before);
        let applicant = Applicant::named("Leo", &format!("Brandt{number}"));
        applicant.submit(&client);
        applicants.push(applicant);
        for applicant in &applicants {
            client.get(&format!("/v2/submissions/{}", applicant.email)).ok();
        }
    }
    service.stop();
    let service = site.develop();
    service.stop();
    assert!(site.fails(&["key", "rotate", "--client", "nobody"], 1).contains("no such client"));
    site.kyc(&["key", "rotate"]);
    assert_eq!(site.kyc(&["key", "rotate"]).status.code(), Some(2));
}

#[test]
fn t34_master_keys_come_from_files_and_variables_and_never_from_arguments() {
    let site = Site::with_data();
    let run = |variables: &[(&str, &str)], arguments: &[&str]| {
        site.command(arguments).envs(variables.iter().copied()).output().unwrap()
    };
    let shares = [("KYC_MASTER_SHARE_FILES", "one.key,other.key")];
    assert!(run(&shares, &["client", "add", "acme"]).status.success());
    assert!(site.path("one.key").exists() && site.path("other.key").exists());
    assert!(!site.data().join("master.key").exists());
    assert!(run(&shares, &["client", "list"]).status.success());
    // The same from variables; each share alone opens nothing.
    let [one, other] =
        ["one.key", "other.key"].map(|name| std::fs::read_to_string(site.path(name)).unwrap());
    let (one, other) = (one.trim(), other.trim());
    let texts = [("KYC_MASTER_SHARE_1", one), ("KYC_MASTER_SHARE_2", other)];
    assert!(run(&texts, &["client", "list"]).status.success());
    assert_eq!(run(&texts[..1], &["client", "list"]).status.code(), Some(3));
    let twice = [("KYC_MASTER_SHARE_1", one), ("KYC_MASTER_SHARE_2", one)];
    let refused = run(&twice, &["client", "list"]);
    assert_eq!(refused.status.code(), Some(3));
    assert!(!text(&refused.stderr).contains(one), "no secret is repeated");
    let alone = [("KYC_MASTER_KEY", one)];
    assert_eq!(run(&alone, &["client", "list"]).status.code(), Some(3));
    // None of them is an argument.
    assert_eq!(site.kyc(&["client", "list", "--master-key", one]).status.code(), Some(2));
}
