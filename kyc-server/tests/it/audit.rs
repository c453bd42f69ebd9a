//! `kyc audit` beside a running service.

use std::fs;
use std::io::Write;
use std::process::Stdio;

use rusqlite::Connection;
use serde_json::Value;

use crate::fixture::Applicant;
use crate::program::{Site, text};

/// The rows of an export.
fn exported(site: &Site, arguments: &[&str]) -> Vec<Value> {
    let lines = site.stdout(&[&["audit", "export", "--json"], arguments].concat());
    lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn events(rows: &[Value]) -> Vec<&str> {
    rows.iter().map(|row| row["event"].as_str().unwrap()).collect()
}

#[test]
fn t26_what_happens_in_a_running_service_is_exported() {
    let site = Site::new();
    let service = site.develop();
    let id = Applicant::named("Mira", "Kole").submit(&service.client());
    let case = format!("/review/v1/submissions/{id}");
    service.inspector().get("/review/v1/submissions").ok();
    service.inspector().get(&case).ok();
    let document = service.inspector().get(&format!("{case}/documents/selfie_res"));
    assert_eq!(document.status, 200);
    site.stdout(&["submission", "show", &id]);
    site.stdout(&["key", "create", "--client", "default"]);
    site.stdout(&["inspector", "add", "olga"]);
    site.stdout(&["inspector", "remove", "olga"]);

    let rows = exported(&site, &["--client", "default"]);
    let expected = [
        "client-added",
        "key-created",
        "document-uploaded",
        "document-uploaded",
        "submitted",
        "queue-read",
        "case-read",
        "document-read",
        "case-read",
        "key-created",
    ];
    assert_eq!(events(&rows), expected);
    assert_eq!(rows[4]["submissions"], serde_json::json!([id]));
    assert_eq!(rows[8]["by"], "operator");
    assert!(rows[6]["by"].as_str().unwrap().starts_with("inspector "));
    let own = exported(&site, &[]);
    let own: Vec<Value> = own.into_iter().filter(|row| row["client"].is_null()).collect();
    let expected =
        ["begun", "inspector-added", "chain-begun", "inspector-added", "inspector-removed"];
    assert_eq!(events(&own), expected);
    assert_eq!(exported(&site, &["--to", "2020-01-01"]), [] as [Value; 0]);
    let of_one = exported(&site, &["--submission", &id]);
    assert_eq!(
        events(&of_one),
        ["submitted", "queue-read", "case-read", "document-read", "case-read"]
    );
    service.stop();
}

#[test]
fn t26_an_export_of_nothing_says_so_and_a_time_that_is_none_is_refused() {
    let site = Site::with_data();
    site.stdout(&["client", "add", "acme"]);
    let said = |arguments: &[&str]| {
        let output = site.kyc(&[&["audit", "export"], arguments].concat());
        assert_eq!(output.status.code(), Some(0));
        text(&output.stderr)
    };
    let nobodys = "01jd3v9k8m2q4r5s6t7v8w9x0y";
    let sentence = format!("note: no row tells of a submission {nobodys}: check the id");
    assert!(said(&["--submission", nobodys]).contains(&sentence));
    assert!(said(&["--submission", nobodys, "--client", "acme"]).contains(&sentence));
    assert!(said(&["--to", "2020-01-01"]).contains("note: there is no such row"));
    assert!(!said(&["--client", "acme"]).contains("note: "));
    let range = ["audit", "export", "--from", "2026-11-02", "--to", "2026-11-01"];
    assert!(site.fails(&range, 2).contains("--from is later than --to"));
}

#[test]
fn d121_a_row_says_which_key_of_the_client_was_used_and_never_the_key() {
    let site = Site::new();
    let service = site.develop();
    let keys = ["first", "second"].map(|_| site.stdout(&["key", "create", "--client", "default"]));
    let id_of = |key: &str| key.split('_').nth(1).unwrap().to_owned();
    for (key, name) in keys.iter().zip(["Mira", "Leo"]) {
        Applicant::named(name, "Kole").submit(&service.client_with(key.trim()));
    }
    service.stop();
    let rows = exported(&site, &["--client", "default"]);
    for event in ["document-uploaded", "submitted"] {
        let of_event = rows.iter().filter(|row| row["event"] == event);
        let mut by: Vec<_> = of_event.map(|row| row["by"].as_str().unwrap()).collect();
        by.dedup();
        let expected = keys.each_ref().map(|key| format!("client key {}", id_of(key)));
        assert_eq!(by, expected, "{event}");
    }
    let export = site.stdout(&["audit", "export"]);
    for key in &keys {
        let secret = key.trim().rsplit('_').next().unwrap();
        assert!(!export.contains(secret));
    }
}

#[test]
fn t26_an_export_names_nobody_and_the_hash_of_an_address_finds_its_rows() {
    let site = Site::new();
    let service = site.develop();
    let mira = Applicant::named("Mira", "Kole");
    let id = mira.submit(&service.client());
    let (email, case) = (mira.email.clone(), format!("/review/v1/submissions/{id}"));
    service.inspector().get(&case).ok();
    for export in [site.stdout(&["audit", "export"]), site.stdout(&["audit", "export", "--json"])] {
        for personal in ["Mira", "Kole", email.as_str()] {
            assert!(!export.contains(personal));
        }
    }

    let hash = |arguments: &[&str], input: &str| {
        let mut command = site.command(&[&["audit", "hash"], arguments].concat());
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
        child.wait_with_output().unwrap()
    };
    // In any spelling.
    let spelling = format!("  {}\n", email.to_uppercase());
    let output = hash(&["--client", "default", "-"], &spelling);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let hash_of_mira = text(&output.stdout);
    let rows = exported(&site, &["--client", "default"]);
    let about = |row: &&Value| row["about"] == hash_of_mira.trim();
    let found: Vec<&Value> = rows.iter().filter(about).collect();
    assert_eq!(found.len(), 1);
    assert_eq!(
        (&found[0]["event"], &found[0]["submissions"][0]),
        (&"submitted".into(), &id.into())
    );

    let all = text(&hash(&[], &email).stdout);
    assert!(all.contains(hash_of_mira.trim()) && all.contains("(service)"), "{all}");
    assert_eq!(hash(&[], "\n").status.code(), Some(2));
    site.fails(&["audit", "hash", &email], 2);
    service.stop();
}

#[test]
fn t26_damage_is_named_and_ends_with_4() {
    let site = Site::with_data();
    site.stdout(&["client", "add", "acme"]);
    site.stdout(&["client", "add", "zeta"]);
    for _ in 0..3 {
        site.stdout(&["key", "create", "--client", "acme"]);
    }
    let whole = site.json(&["audit", "verify", "--json"]);
    let rows: Vec<_> = whole.as_array().unwrap().iter().map(|chain| &chain["rows"]).collect();
    assert_eq!(rows, [3, 4, 1]);

    let database = Connection::open(site.data().join("kyc.sqlite")).unwrap();
    database.execute("DELETE FROM audit WHERE key = (1 << 40) + 3", []).unwrap();
    let said = site.fails(&["audit", "verify"], 4);
    assert_eq!(said, "error: one chain of the audit is not as it was written");
    let shown = text(&site.kyc(&["audit", "verify"]).stdout);
    assert!(shown.contains("acme       2     row 3 is missing"), "{shown}");
    assert!(shown.contains("zeta       1     as it was written"), "{shown}");

    database.execute("UPDATE audit SET record = x'00' WHERE key = (1 << 40) + 4", []).unwrap();
    for more in [&[][..], &["--client", "acme"]] {
        let output = site.kyc(&[&["audit", "export", "--json"], more].concat());
        let (rows, said) = (text(&output.stdout), text(&output.stderr));
        assert_eq!(output.status.code(), Some(4), "{said}");
        assert!(said.contains("damage: chain acme: row 3 is missing"), "{said}");
        assert_eq!(rows.lines().filter(|row| row.contains("\"client\":\"acme\"")).count(), 2);
    }
    site.stdout(&["audit", "export", "--client", "zeta"]);
}

#[test]
fn d122_a_table_that_is_missing_is_a_finding() {
    let site = Site::with_data();
    site.stdout(&["client", "add", "acme"]);
    site.stdout(&["verify"]);
    let database = Connection::open(site.data().join("kyc.sqlite")).unwrap();
    database.execute_batch("DROP TABLE audit").unwrap();
    for command in [&["verify"][..], &["audit", "verify"], &["audit", "export"]] {
        let output = site.kyc(command);
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(4), "{said}");
        assert!(said.contains("missing: restore the data folder from a backup"), "{said}");
    }
}

#[test]
fn t26_an_anchor_finds_out_an_earlier_copy() {
    let site = Site::with_data();
    site.stdout(&["client", "add", "acme"]);
    let copy = fs::read(site.data().join("kyc.sqlite")).unwrap();
    site.stdout(&["key", "create", "--client", "acme"]);
    site.stdout(&["audit", "anchor", "anchors"]);
    site.stdout(&["key", "create", "--client", "acme"]);
    site.stdout(&["audit", "anchor", "anchors"]);
    site.stdout(&["audit", "verify", "--anchor", "anchors"]);
    let lines = fs::read_to_string(site.path("anchors")).unwrap();
    assert_eq!(lines.lines().count(), 4);

    fs::write(site.data().join("kyc.sqlite"), copy).unwrap();
    site.stdout(&["audit", "verify"]);
    site.fails(&["audit", "verify", "--anchor", "anchors"], 4);
    let shown = text(&site.kyc(&["audit", "verify", "--anchor", "anchors"]).stdout);
    assert!(shown.contains("the rows from 2 on are missing"), "{shown}");

    site.write("empty", "");
    let said = site.fails(&["audit", "verify", "--anchor", "empty"], 4);
    assert!(said.contains("empty is empty: it anchors nothing"), "{said}");
    site.write("anchors", &lines[..lines.len() - 9]);
    let said = site.fails(&["audit", "verify", "--anchor", "anchors"], 4);
    assert!(said.contains("line 4 of anchors is no anchor"), "{said}");
}

#[test]
fn d97_a_service_anchors_by_itself() {
    let site = Site::new();
    let file = site.path("anchors");
    let anchor = ["--listen", "127.0.0.1:0", "--audit-anchor-file", file.to_str().unwrap()];
    let service = site.serve(&anchor);
    Applicant::named("Mira", "Kole").submit(&service.client());
    service.stop();
    let lines = fs::read_to_string(&file).unwrap();
    let last: Value = serde_json::from_str(lines.lines().last().unwrap()).unwrap();
    assert_eq!((&last["client"], &last["position"]), (&"default".into(), &5.into()));
    site.stdout(&["audit", "verify", "--anchor", file.to_str().unwrap()]);
}
