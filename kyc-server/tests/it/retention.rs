//! How long records are kept, and what is left of them.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::fixture::{Applicant, approve, decision, image, try_upload, upload};
use crate::program::{Site, eventually, text};

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}

/// In how many files of a folder a text stands.
fn count(folder: &Path, text: &str) -> usize {
    let has = |path: &PathBuf| {
        fs::read(path).unwrap().windows(text.len()).any(|window| window == text.as_bytes())
    };
    files(folder).iter().filter(|path| has(path)).count()
}

#[test]
fn d108_a_sandbox_tries_out_years_in_seconds() {
    let site = Site::new();
    let service = site.develop();
    site.stdout(&["client", "add", "trial", "--sandbox"]);
    let key = site.stdout(&["key", "create", "--client", "trial"]).trim().to_owned();
    assert!(key.starts_with("kyc_test_"), "its keys say so");
    let (client, inspector) = (service.client_with(&key), service.inspector());
    let applicant =
        Applicant { email: "canary-7@example.org".into(), ..Applicant::named("Canary", "Quill") };
    let id = applicant.submit(&client);
    approve(&inspector, &id);
    let case = || inspector.get(&format!("/review/v1/submissions/{id}")).ok();
    let handed_in = case()["created_at"].as_str().unwrap()[..10].to_owned();

    // Three months later another one is handed in.
    site.stdout(&["client", "clock", "trial", "--advance", "3mo"]);
    let early = handed_in.clone();
    let mut late = Value::Null;
    eventually(|| {
        let next = Applicant::named("Olga", "Pell").submit(&client);
        late = inspector.get(&format!("/review/v1/submissions/{next}")).ok()["created_at"].clone();
        late.as_str().unwrap()[..7] > early[..7]
    });
    let back = site.fails(&["client", "clock", "trial", "--advance", "2020-01-01"], 1);
    assert!(back.contains("only goes forward"), "{back}");

    let end = json!({"version": case()["version"], "on": handed_in});
    let ended = inspector.post_json(&format!("/review/v1/submissions/{id}/end"), &end).ok();
    let last = ended["history"].as_array().unwrap().last().unwrap().clone();
    assert_eq!((&last["event"], &last["day"]), (&json!("ended"), &json!(handed_in)));
    let refused = site.fails(&["erase", &id, "--reason", "asked_for"], 1);
    assert!(refused.contains("it is to be kept until"), "{refused}");

    site.stdout(&["client", "clock", "trial", "--advance", "5y"]);
    // What another process has written is seen within a tenth of a second.
    eventually(|| client.get("/v2/submissions/canary-7@example.org").status == 404);
    assert_eq!(inspector.get(&format!("/review/v1/submissions/{id}")).status, 404);
    let certificate = inspector.get(&format!("/review/v1/submissions/{id}/certificate")).ok();
    assert_eq!(certificate["client"], "trial");
    assert_eq!(certificate["cause"], "retention");
    assert_eq!(certificate["documents"].as_array().unwrap().len(), 2);
    assert_eq!(certificate, site.json(&["submission", "certificate", &id, "--json"]));
    service.stop();
    for canary in ["canary-7", "Quill"] {
        assert_eq!(count(&site.data(), canary), 0, "{canary} is left");
    }
    site.stdout(&["audit", "verify"]);
}

#[test]
fn d106_an_erasure_is_refused_with_the_reason_and_the_date() {
    let site = Site::new();
    let service = site.develop();
    let id = Applicant::of_the_sample().submit(&service.client());
    approve(&service.inspector(), &id);
    let erase = |more: &[&str]| {
        site.fails(&[&["erase", id.as_str(), "--reason", "gdpr_17"], more].concat(), 1)
    };
    let standing = erase(&["--dry-run"]);
    assert!(standing.contains("the end of the relationship, which nobody has told"), "{standing}");
    let shown = || site.json(&["submission", "show", &id, "--json"]);
    assert_eq!((&shown()["kept_until"], &shown()["ended"]), (&Value::Null, &Value::Null));
    site.stdout(&["submission", "hold", &id, "--reason", "Case 17"]);
    assert_eq!(shown()["hold"], json!({"reason": "***", "until": null}));
    let text = site.stdout(&["submission", "show", &id]);
    assert!(text.contains("held until   it is released: ***\nkept until   the hold is released"));
    assert!(erase(&[]).contains("while it is held"));
    site.stdout(&["submission", "release", &id, "--reason", "Closed"]);
    site.stdout(&["submission", "end", &id, "--on", "2090-12-31"]);
    assert!(erase(&[]).contains("until 2096-01-01T00:00:00.000Z"));
    let until = "2096-01-01T00:00:00.000Z";
    let expected = json!({"until": until, "ended": "2090-12-31", "hold": null});
    let case = format!("/review/v1/submissions/{id}");
    // The service may miss for a moment what a command beside it has done.
    eventually(|| service.inspector().get(&case).ok()["retention"] == expected);
    assert_eq!(shown()["kept_until"], until);
    let text = site.stdout(&["submission", "show", &id]);
    assert!(text.contains("ended        2090-12-31\nkept until   2096-01-01T"), "{text}");
    site.stdout(&["submission", "end", &id, "--undo"]);
    assert_eq!(erase(&[]), standing);
    let unknown = site.fails(&["erase", "01jd3v9k8m2q4r5s6t7v8w9x0y", "--reason", "a"], 1);
    assert!(unknown.contains("there is no such submission"), "{unknown}");
    service.stop();
}

#[test]
fn d120_one_document_is_erased_and_handed_in_again() {
    let site = Site::new();
    let service = site.develop();
    let (client, inspector) = (service.client(), service.inspector());
    let applicant = Applicant::named("Mira", "Kole");
    let id = applicant.submit(&client);
    approve(&inspector, &id);
    let shown = site.json(&["submission", "show", &id, "--json"]);
    let documents = shown["documents"].as_array().unwrap().clone();
    let selfie = documents.iter().find(|document| document["place"] == "selfie").unwrap();
    let selfie = selfie["id"].as_str().unwrap().to_owned();
    let erase = ["document", "erase", &selfie, "--reason", "not_the_applicant"];
    let refused = site.fails(&erase, 1);
    assert!(
        refused.contains(&format!("submission {id} refers to it: a decision rests")),
        "{refused}"
    );
    let case = || inspector.get(&format!("/review/v1/submissions/{id}")).ok();
    let reopen = json!({"version": case()["version"], "reason": "The wrong person."});
    inspector.post_json(&decision(&id, "reopen"), &reopen).ok();
    let stored = || files(&site.data().join("documents")).len();
    assert_eq!(stored(), 2);
    let tried = site.kyc(&[&erase[..], &["--dry-run"]].concat());
    let incomplete = "without it, and is incomplete until the client supplies another selfie";
    assert!(text(&tried.stderr).contains(&format!("{id} would go on {incomplete}")), "{tried:?}");
    assert_eq!(stored(), 2, "it would have been");
    let erased = site.kyc(&erase);
    assert!(text(&erased.stderr).contains(&format!("{id} goes on {incomplete}")), "{erased:?}");
    assert_eq!(stored(), 1, "its file is gone");

    // What another process writes is seen within a moment.
    eventually(|| applicant.status(&client)["submission_result"]["status"] == "incomplete");
    let left = case();
    let fields: Vec<_> =
        left["documents"].as_array().unwrap().iter().map(|it| &it["field"]).collect();
    assert_eq!(fields, [&json!("photoid_res")]);
    assert_eq!(left["review"]["missing"], json!(["selfie_res"]));
    let last = left["history"].as_array().unwrap().last().unwrap();
    assert_eq!((&last["event"], &last["erased"]), (&json!("document_erased"), &json!(selfie)));
    let gone = inspector.get(&format!("/review/v1/submissions/{id}/documents/selfie_res"));
    assert_eq!(gone.status, 404);

    let certificate = site.json(&["document", "certificate", &selfie, "--json"]);
    assert_eq!(
        (&certificate["reason"], &certificate["submissions"]),
        (&json!("not_the_applicant"), &json!([id]))
    );
    let rows = site.stdout(&["audit", "export", "--json"]);
    let row = rows.lines().find(|row| row.contains("document-erased")).unwrap();
    assert!(row.contains(&id) && row.contains(&selfie) && row.contains("operator"), "{row}");
    site.fails(&erase, 1);

    let another = upload(&client, "selfie", "another selfie");
    let path = format!("/v2/submissions/mira.kole@example.org/{id}/documents");
    client.post_form(&path, &format!("selfie_res={another}")).ok();
    approve(&inspector, &id);
    service.stop();
    site.stdout(&["verify"]);
}

#[test]
fn d131_an_upload_that_is_sent_again_after_its_erasure_is_refused() {
    let site = Site::new();
    let service = site.develop();
    let client = service.client().keyed("upload-17");
    let send = || try_upload(&client, "selfie", &image("somebody else")).unwrap();
    let filehash = send().ok()["filehash"].as_str().unwrap().to_owned();
    assert_eq!(send().header("idempotent-replayed"), Some("true"));
    let (_, id) = filehash.rsplit_once('_').unwrap();
    let erased = site.kyc(&["document", "erase", id, "--reason", "not_the_applicant"]);
    assert!(erased.status.success());
    assert!(text(&erased.stderr).contains("no submission referred to it"), "{erased:?}");
    let again = send();
    assert_eq!(again.status, 409, "{} {}", again.head, text(&again.body));
    assert!(text(&again.body).contains("was erased"), "{}", text(&again.body));
    assert_eq!(files(&site.data().join("documents")).len(), 0);
    service.stop();
    site.stdout(&["verify"]);
}

#[test]
fn t31_no_command_erases_by_other_periods_than_the_service() {
    let site = Site::new();
    site.serve(&["--listen", "127.0.0.1:0", "--retention-years", "10"]).stop();
    site.stdout(&["client", "add", "trial", "--sandbox"]);
    let id = "0".repeat(26);
    let commands: [&[&str]; 3] = [
        &["retention", "run"],
        &["erase", &id, "--reason", "asked_for"],
        &["client", "clock", "trial", "--advance", "5y"],
    ];
    for command in commands {
        let refused = site.fails(command, 3);
        assert!(refused.contains("the service keeps records for 10 years"), "{refused}");
    }
    let ten_years = site.command(&["retention", "run"]).env("KYC_RETENTION_YEARS", "10").output();
    assert!(ten_years.unwrap().status.success());
}

#[test]
fn t37_a_clock_that_jumped_is_an_alarm_and_waits_for_a_confirmation() {
    let site = Site::new();
    let service = site.develop();
    assert_eq!(service.client().get("/readyz").json()["retention_waits"], false);
    // The last run was in 2014, as it looks when the clock is set ahead by years.
    let time = 1_400_000_000_000_i64.to_le_bytes();
    let runs = [&[1, 1], time.as_slice(), &[0]].concat();
    let database = rusqlite::Connection::open(site.data().join("kyc.sqlite")).unwrap();
    database.busy_timeout(std::time::Duration::from_secs(30)).unwrap();
    let changed =
        database.execute("UPDATE state SET value = ?1 WHERE name = 'retention'", [&runs]).unwrap();
    assert_eq!(changed, 1);
    drop(database);
    let refused = site.fails(&["retention", "run"], 1);
    assert!(refused.contains("the clock is far ahead of the last run"), "{refused}");
    assert!(refused.contains("retention run --confirm 0"), "{refused}");
    eventually(|| service.client().get("/readyz").json()["retention_waits"] == json!(true));
    let status = site.json(&["retention", "status", "--json"]);
    assert_eq!(status["waits_for_confirmation"], true);
    site.fails(&["retention", "run", "--confirm", "1"], 1);
    site.stdout(&["retention", "run", "--confirm", "0"]);
    eventually(|| service.client().get("/readyz").json()["retention_waits"] == json!(false));
    site.stdout(&["retention", "run"]);
    let refused = site.fails(&["retention", "run", "--confirm", "7"], 1);
    assert!(refused.contains("nothing was erased, since nothing is due"), "{refused}");
    assert!(!refused.contains("--confirm"), "{refused}");
    service.stop();
}
