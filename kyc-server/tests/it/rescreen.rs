//! `kyc rescreen`, and what the service does by itself when lists change.

use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::thread;
use std::time::Instant;

use serde_json::{Value, json};

use crate::fixture::{Applicant, PLAIN_LIST, approve};
use crate::people::{Store, list};
use crate::program::{Site, eventually, text};

fn import(site: &Site, rows: &str) {
    site.write("watch.csv", rows);
    site.stdout(&["list", "import", "watch.csv", "--accept-shrinkage"]);
}

/// A site where so many people were screened against one edition of a list, and another one is
/// current.
fn behind(count: usize) -> Site {
    let site = Site::with_data();
    import(&site, &list((0..count).step_by(10)));
    Store::open(&site).approve(&site, count);
    import(&site, &list((0..count).filter(|number| number % 10 == 3 || number % 20 == 0)));
    site
}

fn copied(site: &Site) -> Site {
    fn copy(from: &Path, to: &Path) {
        fs::create_dir(to).unwrap();
        for entry in fs::read_dir(from).unwrap().map(Result::unwrap) {
            let to = to.join(entry.file_name());
            if entry.path().is_dir() {
                copy(&entry.path(), &to);
            } else {
                fs::copy(entry.path(), to).unwrap();
            }
        }
    }
    let copied = Site::new();
    copy(&site.data(), &copied.data());
    copied
}

fn status(site: &Site) -> Value {
    site.json(&["rescreen", "--status", "--json"])
}

#[test]
fn d85_new_lists_reach_who_was_approved_before() {
    let site = Site::with_data();
    import(&site, PLAIN_LIST);
    let service = site.develop();
    let (client, inspector) = (service.client(), service.inspector());
    let mira = Applicant::named("Mira", "Kole");
    let basil = Applicant {
        email: "basil@example.org".to_owned(),
        date_of_birth: "1971-03-09".to_owned(),
        nationality: "Malta, MLT",
        ..Applicant::named("Basil", "Quandary")
    };
    let score = |applicant: &Applicant| applicant.status(&client)["aml_result"]["score"].clone();
    for (applicant, before) in [(&basil, "high"), (&mira, "n/a")] {
        approve(&inspector, &applicant.submit(&client));
        eventually(|| score(applicant) != "-");
        assert_eq!(score(applicant), before);
    }

    import(&site, "id,name\nW-2,Perpetua Nightjar\nW-3,Mira Kole\n");
    eventually(|| score(&mira) == "high" && score(&basil) == "n/a");
    // A hit that came and one that went are both for an inspector to see.
    let queue = inspector.get("/review/v1/submissions?hits=open").ok();
    assert_eq!(queue["items"].as_array().unwrap().len(), 2, "{queue}");
    eventually(|| status(&site)["up_to_date"] == true);
    service.stop();
}

#[test]
fn d85_only_whom_a_change_may_concern_is_screened_again() {
    let site = behind(200);
    assert_eq!(status(&site)["covered"], Value::Null);
    let first = site.json(&["rescreen", "--json"]);
    assert_eq!((&first["results"], &first["screened"]), (&json!(200), &json!(200)));
    assert_eq!((&first["changed"], &first["unchanged"]), (&json!(30), &json!(170)), "{first}");

    import(&site, &list((0..200).filter(|number| number % 10 == 3)));
    let found = status(&site);
    assert_eq!((&found["up_to_date"], &found["needs_full"]), (&json!(false), &json!(false)));
    let second = site.json(&["rescreen", "--json"]);
    assert_eq!((&second["results"], &second["changed"]), (&json!(200), &json!(10)), "{second}");
    assert!(second["screened"].as_u64().unwrap() < 20, "{second}");
    assert_eq!(status(&site)["up_to_date"], true);

    let third = site.json(&["rescreen", "--json"]);
    assert_eq!((&third["results"], &third["screened"]), (&json!(200), &json!(0)));
    let full = site.json(&["rescreen", "--full", "--json"]);
    assert_eq!((&full["screened"], &full["changed"]), (&json!(200), &json!(0)));
}

#[test]
fn d85_an_edition_that_is_gone_makes_everybody_concerned() {
    let site = behind(40);
    site.json(&["rescreen", "--json"]);
    let watch = site.data().join("lists/watch");
    let earlier: Vec<_> =
        fs::read_dir(&watch).unwrap().map(|entry| entry.unwrap().path()).collect();
    import(&site, &list(0..3));
    for edition in earlier {
        fs::remove_dir_all(edition).unwrap();
    }
    let again = site.json(&["rescreen", "--json"]);
    assert_eq!((&again["screened"], &again["failed"]), (&json!(40), &json!(0)));
}

#[test]
fn d34_lists_that_are_not_fit_replace_no_result() {
    let site = behind(20);
    let before = Store::open(&site).results();
    let mut command = site.command(&["rescreen"]);
    let output = command.env("KYC_LISTS_MAX_AGE_DAYS", "0").output().unwrap();
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("results stay as they are, since the required list watch is too old"));
    assert!(said.contains(": first `") && said.contains("` or `"), "{said}");
    assert_eq!(Store::open(&site).results(), before);
    let mut command = site.command(&["rescreen", "--status"]);
    let told = text(&command.env("KYC_LISTS_REQUIRED", "UN").output().unwrap().stderr);
    assert!(told.contains("since the required list UN is missing: first `"), "{told}");
    assert!(told.contains(" list import FILE "), "{told}");
}

#[test]
fn d80_decisions_on_hits_survive_new_lists() {
    let site = Site::with_data();
    import(&site, &list(0..3));
    Store::open(&site).approve(&site, 3);
    Store::open(&site).clear_hits();
    let results = || Store::open(&site).results();
    assert!(results().iter().all(|(_, result)| result.contains("Some(NotApplicable) [(")));

    // Another person is added, one record changes what was compared, and one goes.
    let edition = list(0..3);
    let rows: Vec<&str> = edition.lines().collect();
    let changed = rows[1].replace("W-0,", "W-0,Sir ");
    import(&site, &format!("id,name\n{changed}\n{}\nW-9,Perpetua Nightjar\n", rows[2]));
    site.json(&["rescreen", "--json"]);
    let told = results();
    assert!(told[0].1.contains("Reopened") && !told[0].1.contains("NotApplicable"), "{told:?}");
    assert!(told[1].1.contains("Cleared") && told[1].1.contains("NotApplicable"), "{told:?}");
    assert!(told[2].1.ends_with(" []"), "{told:?}");
}

#[test]
fn t27_a_rescreening_that_is_killed_ends_as_one_that_is_not() {
    let site = behind(2_500);
    let undisturbed = copied(&site);
    let begin = Instant::now();
    undisturbed.json(&["rescreen", "--json"]);
    let whole = begin.elapsed();

    let kills: u32 =
        std::env::var("KYC_KILLS").ok().and_then(|text| text.parse().ok()).unwrap_or(5);
    for kill in 0..kills {
        let serve = ["serve", "--listen", "127.0.0.1:0"];
        let rescreen = ["rescreen", "--full"];
        let mut command = site.command(if kill % 3 == 2 { &serve } else { &rescreen });
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        // Anywhere between the start and the end.
        thread::sleep(whole * (kill * 37 % 100 + 1) / 100);
        child.kill().unwrap();
        child.wait().unwrap();
    }
    let done = status(&site)["under_way"]["done"].as_u64().unwrap_or(0);
    let last = site.json(&["rescreen", "--json"]);
    assert_eq!(last["results"], 2_500 - done, "{last}");
    assert_eq!(status(&site)["under_way"], Value::Null);
    assert_eq!(status(&site)["up_to_date"], true);
    assert!(Store::open(&site).results() == Store::open(&undisturbed).results());
}

#[test]
fn d86_two_at_once_do_no_harm() {
    let site = behind(300);
    let expected = copied(&site);
    expected.json(&["rescreen", "--json"]);
    let service = site.develop();
    let others: Vec<_> =
        (0..3).map(|_| site.command(&["rescreen", "--full"]).spawn().unwrap()).collect();
    for mut other in others {
        assert!(other.wait().unwrap().success());
    }
    eventually(|| status(&site)["under_way"].is_null() && status(&site)["up_to_date"] == true);
    service.stop();
    assert_eq!(Store::open(&site).results(), Store::open(&expected).results());
}

#[test]
fn d87_another_configuration_is_told_and_left_alone() {
    let site = behind(10);
    site.json(&["rescreen", "--json"]);
    Store::open(&site).pretend_other_configuration();
    let found = status(&site);
    assert_eq!((&found["up_to_date"], &found["needs_full"]), (&json!(true), &json!(true)));
    let service = site.develop();
    service.wait_for_log("kyc rescreen --full");
    let output = site.kyc(&["rescreen"]);
    assert!(text(&output.stderr).contains("note: some results rest on another configuration"));
    site.stdout(&["rescreen", "--full"]);
    assert_eq!(status(&site)["needs_full"], false);
    service.stop();
}
