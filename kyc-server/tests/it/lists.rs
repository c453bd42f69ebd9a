//! `kyc list`

use serde_json::{Value, json};

use crate::fixture::{OFAC_ALIASES, OFAC_LIST, PLAIN_LIST, UN_LIST};
use crate::program::{Site, eventually, text};

/// A site with three lists in files.
fn site() -> Site {
    let site = Site::with_data();
    site.write("watch.csv", PLAIN_LIST);
    site.write("un.xml", UN_LIST);
    site.write("sdn.csv", OFAC_LIST);
    site.write("alt.csv", OFAC_ALIASES);
    site
}

fn current(site: &Site) -> Vec<(String, String)> {
    let status = site.json(&["list", "status", "--json"]);
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let lists = status["lists"].as_array().unwrap();
    lists.iter().map(|list| (text(&list["list"]), text(&list["version"]))).collect()
}

#[test]
fn d54_formats_are_found_and_siblings_taken_along() {
    let site = site();
    let imported = site.json(&["list", "import", "watch.csv", "un.xml", "sdn.csv", "--json"]);
    let of = |row: &Value| (row["list"].clone(), row["persons"].clone(), row["names"].clone());
    let imported: Vec<_> = imported.as_array().unwrap().iter().map(of).collect();
    let expected = [("watch", 2, 3), ("UN", 1, 2), ("OFAC-SDN", 1, 3)];
    assert_eq!(
        imported,
        expected.map(|(list, persons, names)| (json!(list), json!(persons), json!(names)))
    );
}

#[test]
fn an_import_without_siblings_is_a_warning() {
    let site = Site::with_data();
    site.write("sdn.csv", OFAC_LIST);
    let output = site.kyc(&["list", "import", "sdn.csv"]);
    assert!(output.status.success());
    assert!(text(&output.stderr).contains("warning: OFAC-SDN came without alt.csv"));
    assert!(text(&output.stdout).starts_with("LIST "));
}

#[test]
fn until_a_list_is_imported_the_status_says_sample() {
    let site = Site::with_data();
    let status = site.json(&["list", "status", "--json"]);
    assert_eq!((&status["sample"], &status["screening"]), (&json!(true), &json!(true)));
    assert_eq!(status["lists"][0]["state"], "sample");
    let output = site.kyc(&["list", "status"]);
    assert!(text(&output.stdout).contains("SAMPLE: invented people"));
    assert!(text(&output.stderr).contains("SAMPLE LIST IN USE"));
}

#[test]
fn d34_a_configuration_knows_no_sample_and_names_what_is_missing() {
    let site = site();
    site.write("kyc.toml", "tls_cert = 'c'\ntls_key = 'k'\nlists_required = ['UN', 'OFAC-SDN']\n");
    let status = || site.json(&["list", "status", "--config", "kyc.toml", "--json"]);
    assert_eq!((&status()["sample"], &status()["screening"]), (&json!(false), &json!(false)));
    site.stdout(&["list", "import", "un.xml"]);
    let lists = &status()["lists"];
    assert_eq!((&lists[0]["list"], &lists[0]["state"]), (&json!("UN"), &json!("current")));
    assert_eq!((&lists[1]["list"], &lists[1]["state"]), (&json!("OFAC-SDN"), &json!("missing")));
    site.stdout(&["list", "import", "sdn.csv"]);
    assert_eq!(status()["screening"], json!(true));
}

#[test]
fn d34_a_list_older_than_allowed_is_too_old() {
    let site = site();
    site.stdout(&["list", "import", "un.xml"]);
    let mut command = site.command(&["list", "status", "--json"]);
    let status = command.env("KYC_LISTS_MAX_AGE_DAYS", "0").output().unwrap();
    let status: Value = serde_json::from_slice(&status.stdout).unwrap();
    assert_eq!(status["lists"][0]["state"], "too_old");
    assert_eq!((&status["sample"], &status["screening"]), (&json!(false), &json!(false)));
}

#[test]
fn t30_a_bad_file_keeps_every_old_list_and_says_where_the_fault_is() {
    let site = site();
    site.stdout(&["list", "import", "watch.csv", "un.xml", "sdn.csv"]);
    let before = current(&site);
    let check = |name: &str, content: &str, said: &str| {
        site.write(name, content);
        let sentence = site.fails(&["list", "import", name], 1);
        assert!(sentence.contains(name) && sentence.contains(said), "{sentence}");
        assert_eq!(current(&site), before);
    };
    check(
        "watch.csv",
        "id,name,birth_date\n1,Basil Quandary,last year\n",
        "line 2: expected a date",
    );
    check("watch.csv", "id,name,aliases\n1,Basil Quandary\n", "line 2: expected as many columns");
    check("watch.csv", "id,name\n", "expected at least one entity");
    check("un.xml", &UN_LIST[..UN_LIST.len() / 2], "element CONSOLIDATED_LIST/INDIVIDUALS");
    check("sdn.csv", &OFAC_LIST[..OFAC_LIST.len() - 12], "line 2: expected");
    check("sdn.csv", "%PDF-1.7", "is no list");
}

#[test]
fn t30_a_list_that_lost_a_fifth_needs_a_look() {
    let site = site();
    site.stdout(&["list", "import", "watch.csv"]);
    let before = current(&site);
    site.write("watch.csv", "id,name\nW-1,Basil Quandary\n");
    let output = site.kyc(&["list", "import", "watch.csv"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("--accept-shrinkage"));
    assert!(text(&output.stderr).contains("the list watch shrank from 2 to 1"));
    assert_eq!(current(&site), before);
    site.stdout(&["list", "import", "watch.csv", "--accept-shrinkage"]);
    assert_ne!(current(&site), before);
}

#[test]
fn a_running_service_takes_new_lists_by_itself() {
    let site = site();
    let service = site.develop();
    service.wait_for_log("\"list\":\"SAMPLE\"");
    site.stdout(&["list", "import", "un.xml"]);
    service.wait_for_log("\"list\":\"UN\"");
    service.stop();
}

#[test]
fn an_import_shows_what_changed_and_warns_of_losses() {
    let site = site();
    let first = site.json(&["list", "import", "watch.csv", "--json"]);
    assert_eq!(first[0]["replaced"], Value::Null);
    site.write("watch.csv", PLAIN_LIST.replace("Vasily Quandarov", ""));
    let output = site.kyc(&["list", "import", "watch.csv", "--accept-shrinkage"]);
    let (table, said) = (text(&output.stdout), text(&output.stderr));
    assert!(table.contains("3 -> 2"), "{table}");
    assert!(said.contains("warning: watch has fewer names than the edition it replaced, 3 -> 2"));
    let third = site.json(&["list", "import", "watch.csv", "--json"]);
    assert_eq!(third[0]["replaced"]["names"], 2);
}

#[test]
fn an_older_edition_is_refused_unless_somebody_has_looked() {
    let site = site();
    site.stdout(&["list", "import", "un.xml"]);
    site.write("un.xml", UN_LIST.replace("2026-11-02", "2024-01-31"));
    let said = text(&site.kyc(&["list", "import", "un.xml"]).stderr);
    assert!(
        said.contains("UN of 2024-01-31 is older than the current one of 2026-11-02"),
        "{said}"
    );
    assert!(said.contains("--accept-shrinkage"), "{said}");
    site.stdout(&["list", "import", "un.xml", "--accept-older"]);
}

#[test]
fn the_status_knows_how_old_a_publishers_edition_is() {
    let site = site();
    site.write("un.xml", UN_LIST.replace("2026-11-02", "2020-02-29"));
    site.stdout(&["list", "import", "un.xml", "watch.csv"]);
    let lists = &site.json(&["list", "status", "--json"])["lists"];
    assert_eq!((&lists[0]["age_days"], &lists[1]["source_age_days"]), (&json!(0), &Value::Null));
    let days = lists[0]["source_age_days"].as_i64().unwrap();
    assert!(days > 365, "{days}");
    let table = site.stdout(&["list", "status"]);
    assert!(table.contains(&format!("2020-02-29, {days} d ago  0 d ago")), "{table}");
}

#[test]
fn a_removed_list_is_required_no_more_in_a_running_service_either() {
    let site = site();
    let service = site.develop();
    site.stdout(&["list", "import", "un.xml", "watch.csv"]);
    service.wait_for_log("\"list\":\"watch\"");
    let lines = |word: &str| service.log().lines().filter(|line| line.contains(word)).count();
    let before = lines("\"list\":\"UN\"");
    site.stdout(&["list", "remove", "watch"]);
    eventually(|| lines("\"list\":\"UN\"") > before);
    assert_eq!(current(&site).len(), 1);
    service.stop();
}

#[test]
fn what_a_removal_leaves_is_said() {
    let site = site();
    site.stdout(&["list", "import", "un.xml", "watch.csv"]);
    let said = |command: &mut std::process::Command| text(&command.output().unwrap().stderr);
    let mut required = site.command(&["list", "remove", "watch"]);
    assert!(
        said(required.env("KYC_LISTS_REQUIRED", "watch")).contains("lists_required names watch")
    );
    let mut fetched = site.command(&["list", "remove", "UN"]);
    let last = said(fetched.env("KYC_LISTS_UPDATE_HOURS", "6"));
    assert!(last.contains("warning: the service fetches UN again"), "{last}");
    assert!(last.contains("warning: no list is left: the SAMPLE"), "{last}");
    let gone = site.fails(&["list", "remove", "UN"], 1);
    assert!(gone.contains("there is no list UN: see `") && gone.contains("list status"), "{gone}");
}

#[test]
fn d34_a_list_that_is_required_by_name_is_never_replaced_by_the_sample() {
    let site = site();
    let required = |arguments: &[&str]| {
        let mut command = site.command(arguments);
        command.env("KYC_LISTS_REQUIRED", "UN").output().unwrap()
    };
    let status: Value =
        serde_json::from_slice(&required(&["list", "status", "--json"]).stdout).unwrap();
    assert_eq!((&status["sample"], &status["screening"]), (&json!(false), &json!(false)));
    assert_eq!(required(&["screen", "--name", "Tormund Vexley"]).status.code(), Some(1));

    let service = site.serve(&["--listen", "127.0.0.1:0", "--lists-required", "UN,OFAC-SDN"]);
    service.wait_for_log("the required list UN is missing");
    service.wait_for_log("\"lists\":\"UN, OFAC-SDN\"");
    service.wait_for_log("results that are there stay as they are, others stay `-`");
    assert!(!service.log().contains("SAMPLE"), "{}", service.log());
    service.stop();
}

#[test]
fn a_file_of_another_form_gets_a_hint() {
    let site = site();
    site.write("people.csv", "id;name\n1;Mira Kole\n");
    let said = |file: &str| text(&site.kyc(&["list", "import", file]).stderr);
    assert!(said("people.csv").contains("not separated by commas"), "{}", said("people.csv"));
    std::fs::create_dir(site.path("ofac")).unwrap();
    assert!(said("ofac").contains("such as ofac/sdn.csv"), "{}", said("ofac"));
}
