//! From an upload to a risk level.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::client::Client;
use crate::fixture::{Applicant, UN_LIST, approve, decision};
use crate::program::{Site, eventually};
use crate::serve::serve_configured;

/// Waits for the worker and gives the score.
#[track_caller]
fn score(client: &Client, applicant: &Applicant) -> Value {
    let mut score = Value::Null;
    eventually(|| {
        score = applicant.status(client)["aml_result"]["score"].clone();
        score != "-"
    });
    score
}

fn case(inspector: &Client, id: &str) -> Value {
    inspector.get(&format!("/review/v1/submissions/{id}")).ok()
}

#[test]
fn an_approved_applicant_gets_a_risk_level_in_both_generations() {
    let site = Site::new();
    let service = site.develop();
    let (client, inspector) = (service.client(), service.inspector());
    let listed = Applicant::of_the_sample();
    let id = listed.submit(&client);
    let status = listed.status(&client);
    assert_eq!(status["kyc_result"]["status"], "pending");
    assert_eq!(status["aml_result"]["score"], "-");

    approve(&inspector, &id);
    assert_eq!(score(&client, &listed), "high");
    let item = client.get(&format!("/f1/submissions?submission_id={id}")).ok();
    assert_eq!(item["Items"][0]["aml"], "Red Flag");

    let clear =
        Applicant { email: "olga@example.org".to_owned(), ..Applicant::named("Olga", "Pell") };
    approve(&inspector, &clear.submit(&client));
    assert_eq!(score(&client, &clear), "n/a");
    service.stop();
}

#[test]
fn d34_a_result_that_rests_on_the_sample_says_so() {
    let site = Site::new();
    let service = site.develop();
    let applicant = Applicant::of_the_sample();
    let id = applicant.submit(&service.client());
    approve(&service.inspector(), &id);
    score(&service.client(), &applicant);
    let screening = &case(&service.inspector(), &id)["aml"]["screening"];
    assert_eq!(screening["lists"][0]["list"], "SAMPLE");
    assert_eq!(screening["lists"][0]["sample"], true);

    let shown = site.stdout(&["submission", "show", &id]);
    assert!(shown.contains("(SAMPLE: invented people)"), "{shown}");
    service.stop();
}

#[test]
fn d80_a_hit_that_an_inspector_clears_counts_nothing_from_then_on() {
    let site = Site::new();
    let service = site.develop();
    let (client, inspector) = (service.client(), service.inspector());
    let applicant = Applicant::of_the_sample();
    let id = applicant.submit(&client);
    approve(&inspector, &id);
    assert_eq!(score(&client, &applicant), "high");
    let queue = || inspector.get("/review/v1/submissions?hits=open").ok()["items"].clone();
    assert_eq!(queue()[0]["id"], json!(id));

    let found = case(&inspector, &id);
    for hit in found["aml"]["screening"]["hits"].as_array().unwrap() {
        let body = json!({
            "version": case(&inspector, &id)["version"],
            "list": hit["list"],
            "entity": hit["entity"],
            "verdict": "false_positive",
            "note": "Compared with the passport.",
        });
        inspector.post_json(&decision(&id, "hits"), &body).ok();
    }
    assert_eq!(score(&client, &applicant), "n/a");
    assert_eq!(queue(), json!([]));
    let shown = site.stdout(&["submission", "show", &id]);
    assert!(shown.contains("AML          n/a") && shown.contains("  cleared  ***"), "{shown}");
    assert!(shown.contains("hit decided by inspector "), "{shown}");

    let renewal = format!("/v2/submissions/renewaml/{}/{id}", applicant.email);
    client.post_form(&renewal, "").ok();
    assert_eq!(score(&client, &applicant), "n/a", "a renewed applicant stays cleared");
    service.stop();
}

#[test]
fn d34_a_configured_service_without_lists_leaves_the_score_open_until_there_are_some() {
    let site = Site::new();
    let service = serve_configured(&site, &["--lists-required", "UN"]);
    site.stdout(&["client", "add", "acme"]);
    let key = site.stdout(&["key", "create", "--client", "acme"]);
    let token = site.stdout(&["inspector", "add", "ines"]);
    let (client, inspector) =
        (service.client_with(key.trim()), service.inspector_with(token.trim()));
    eventually(|| client.try_get_status() == Some(200));
    eventually(|| inspector.get("/review/v1/submissions").status == 200);

    let applicant = Applicant::of_the_sample();
    let id = applicant.submit(&client);
    approve(&inspector, &id);
    eventually(|| case(&inspector, &id)["aml"]["stalled"] == "a required list is missing");
    assert_eq!(applicant.status(&client)["aml_result"]["score"], "-");
    service.wait_for_log("nobody is screened");
    assert!(!service.log().contains("SAMPLE"));

    site.write("un.xml", UN_LIST);
    site.stdout(&["list", "import", "un.xml"]);
    assert_eq!(score(&client, &applicant), "n/a");
    let lists = &case(&inspector, &id)["aml"]["screening"]["lists"];
    assert_eq!((&lists[0]["list"], &lists[0]["sample"]), (&json!("UN"), &json!(false)));
    service.stop();
}

#[test]
fn d34_lists_that_cannot_be_loaded_are_never_replaced_by_the_sample() {
    let site = Site::with_data();
    site.write("un.xml", UN_LIST);
    site.stdout(&["list", "import", "un.xml"]);
    let version = site.json(&["list", "status", "--json"])["lists"][0]["version"].clone();
    let stored = format!("data/lists/UN/{}/list.xml", version.as_str().unwrap());
    site.write(&stored, UN_LIST.replace("FENNIMORE", "SOMEBODY"));

    let said = site.fails(&["screen", "--name", "Osric Fennimore"], 4);
    assert!(said.contains("the stored files of the list UN have changed"), "{said}");
    let service = site.develop();
    let applicant = Applicant::of_the_sample();
    approve(&service.inspector(), &applicant.submit(&service.client()));
    service.wait_for_log("the lists cannot be loaded");
    assert_eq!(applicant.status(&service.client())["aml_result"]["score"], "-");
    assert!(!service.log().contains("SAMPLE"));
    service.stop();
}

#[test]
fn d40_what_was_approved_before_a_kill_is_screened_after_it() {
    let site = Site::new();
    let first = site.develop();
    let (client, inspector) = (first.ready["api_key"].clone(), first.inspector());
    let applicant = Applicant::of_the_sample();
    let id = applicant.submit(&first.client());
    approve(&inspector, &id);
    drop(first); // kill -9

    let second = site.develop();
    assert_eq!(score(&second.client_with(client.as_str().unwrap()), &applicant), "high");
    second.stop();
}

#[test]
fn personal_values_are_masked_unless_asked_for() {
    let site = Site::new();
    let service = site.develop();
    let applicant = Applicant::of_the_sample();
    let id = applicant.submit(&service.client());
    approve(&service.inspector(), &id);
    score(&service.client(), &applicant);
    let values = [&*applicant.email, "Tormund", "Vexley", "1968-04-17", "Norway"];

    for arguments in [&["submission", "show", &id][..], &["submission", "show", &id, "--json"]] {
        let masked = site.stdout(arguments);
        assert!(masked.contains(&id) && masked.contains("high"), "{masked}");
        assert!(!values.iter().any(|value| masked.contains(value)), "{masked}");
        let revealed = site.stdout(&[arguments, &["--reveal"]].concat());
        assert!(values.iter().all(|value| revealed.contains(value)), "{revealed}");
    }
    site.stdout(&["client", "add", "acme"]);
    let said = site.fails(&["submission", "show", &id, "--client", "acme"], 1);
    assert!(said.contains("there is no such submission"), "{said}");
    service.stop();
}

/// Real lists prove what invented ones cannot: that published files are read whole, and that the
/// people in them are found by way of the service.
#[test]
fn people_on_the_published_lists_are_a_high_risk() {
    let Some(lists) = std::env::var_os("KYC_LISTS_DIR").map(PathBuf::from) else {
        eprintln!("KYC_LISTS_DIR is not set: the published lists were not tried");
        return;
    };
    let site = Site::new();
    let service = site.develop();
    let un = lists.join("un-2026-02/UN_consolidated.xml");
    let ofac = lists.join("ofac-sdn-2021-07/sdn.csv");
    site.stdout(&["list", "import", un.to_str().unwrap(), ofac.to_str().unwrap()]);
    service.wait_for_log("\"list\":\"OFAC-SDN\"");
    service.wait_for_log("\"list\":\"UN\"");

    let (client, inspector) = (service.client(), service.inspector());
    for listed in [first_of_un(&un), first_of_ofac(&ofac)] {
        approve(&inspector, &listed.submit(&client));
        assert_eq!(score(&client, &listed), "high");
    }
    service.stop();
}

/// The first person of a file, as far as the file tells. Names of real people are in no test.
fn first_of_un(file: &Path) -> Applicant {
    let text = fs::read_to_string(file).unwrap();
    let element = |tag: &str| {
        let (_, rest) = text.split_once(&format!("<{tag}>")).unwrap();
        rest.trim_start().split_once('<').unwrap().0.to_owned()
    };
    let nationality = text.split_once("<NATIONALITY>").unwrap().1.split_once("<VALUE>").unwrap().1;
    let nationality = nationality.split_once('<').unwrap().0;
    let country = kyc_core::Country::all().find(|country| country.name() == nationality).unwrap();
    Applicant {
        email: "un@example.org".to_owned(),
        nationality: country.combined(),
        date_of_birth: format!("{}-01-01", element("YEAR")),
        gender: if element("GENDER") == "Male" { "male" } else { "female" },
        ..Applicant::named(&element("FIRST_NAME"), &element("SECOND_NAME"))
    }
}

fn first_of_ofac(file: &Path) -> Applicant {
    let bytes = fs::read(file).unwrap();
    let text = String::from_utf8_lossy(&bytes);
    let is_bare = |line: &&str| line.contains("\"individual\"") && line.trim_end().ends_with("-0-");
    let name = text.lines().find(is_bare).unwrap().split('"').nth(1).unwrap();
    let (last_name, first_name) = name.split_once(", ").unwrap();
    let email = "ofac@example.org".to_owned();
    Applicant { email, ..Applicant::named(first_name, last_name) }
}
