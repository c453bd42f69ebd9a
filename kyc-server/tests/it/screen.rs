//! `kyc screen`

use std::io::Write;
use std::process::Stdio;

use serde_json::{Value, json};

use crate::fixture::{PLAIN_LIST, UN_LIST};
use crate::program::{Site, text};

#[test]
fn without_lists_it_searches_the_sample_and_says_so() {
    let output = Site::with_data().kyc(&["screen", "--name", "Tormund Vexley"]);
    assert!(output.status.success());
    let shown = text(&output.stdout);
    assert!(shown.starts_with("risk  high  (SAMPLE: invented people)\n"), "{shown}");
    assert!(shown.contains("(SAMPLE S-01)") && shown.contains("- every word of the name agrees"));
    assert!(text(&output.stderr).contains("SAMPLE: these are invented people"));
}

#[test]
fn with_lists_it_searches_them_alone_and_gives_reasons() {
    let site = Site::with_data();
    site.write("un.xml", UN_LIST);
    site.stdout(&["list", "import", "un.xml"]);
    let who = ["--name", "Osric Fennimore", "--birth-date", "1969-07-20", "--nationality", "MLT"];
    let found = site.json(&[&["screen", "--json"], &who[..]].concat());
    assert_eq!((&found["risk"], &found["sample"]), (&json!("high"), &json!(false)));
    assert_eq!(found["lists"][0]["source_date"], "2026-11-02");
    let hit = &found["hits"][0];
    assert_eq!((&hit["list"], &hit["entity"]), (&json!("UN"), &json!("9000001")));
    let reasons: Vec<&str> =
        hit["reasons"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
    assert_eq!(
        reasons,
        ["every word of the name agrees", "date of birth agrees", "nationality agrees"]
    );

    let nobody = site.json(&["screen", "--json", "--name", "Tormund Vexley"]);
    assert_eq!((&nobody["risk"], &nobody["hits"]), (&json!("n/a"), &json!([])));
}

#[test]
fn a_hit_is_an_exit_code_only_when_asked_for() {
    let site = Site::with_data();
    site.stdout(&["screen", "--name", "Tormund Vexley"]);
    site.fails(&["screen", "--name", "Tormund Vexley", "--fail-on-hit"], 4);
    site.stdout(&["screen", "--name", "Mira Kole", "--fail-on-hit"]);
}

#[test]
fn a_hit_stands_above_people_who_could_not_be_screened() {
    let site = Site::with_data();
    site.write("people.csv", "name\nTormund Vexley\n...\n...\n");
    let said = site.fails(&["screen", "--csv", "people.csv", "--fail-on-hit"], 4);
    assert!(said.contains("1 of 3 have hits, 2 of 3 could not be screened"), "{said}");
    site.fails(&["screen", "--csv", "people.csv"], 1);
    site.write("people.csv", "name\nMira Kole\n...\n");
    site.fails(&["screen", "--csv", "people.csv", "--fail-on-hit"], 1);
}

#[test]
fn d34_who_cannot_be_screened_is_not_clear() {
    let site = Site::with_data();
    let output = site.kyc(&["screen", "--name", "...", "--json"]);
    assert_eq!(output.status.code(), Some(1));
    let record: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(record["risk"], "-");
    assert_eq!(record["reason"], "the name has no letters that can be compared");

    let mut configured = site.command(&["screen", "--name", "Mira Kole"]);
    configured.envs([("KYC_TLS_CERT", "c"), ("KYC_TLS_KEY", "k")]);
    let output = configured.output().unwrap();
    assert_eq!((output.status.code(), text(&output.stdout).as_str()), (Some(1), ""));
    let said = text(&output.stderr);
    assert!(said.contains("nobody was screened, since no list was imported: "), "{said}");
}

const PEOPLE: &str = "\
customer,name,birth_date,nationality,wallet
1,Basil Quandary,1971-03-09,\"Malta, MLT\",
2,Mira Kole,,,
3,=Basil Quandary,,,
4,Perpetua Nightjar,someday,,
";

#[test]
fn a_file_of_people_gives_a_row_for_each() {
    let site = Site::with_data();
    site.write("watch.csv", PLAIN_LIST);
    site.stdout(&["list", "import", "watch.csv"]);
    site.write("people.csv", PEOPLE);
    let output = site.kyc(&["screen", "--csv", "people.csv"]);
    assert_eq!(output.status.code(), Some(1));
    let said = text(&output.stderr);
    assert!(
        said.contains("4 people in ") && said.contains("1 of 4 could not be screened"),
        "{said}"
    );
    assert_eq!(
        text(&output.stdout),
        "line,name,risk,hits,list,entity,matched,score,reasons,sample,not_screened\n\
         2,Basil Quandary,high,1,watch,W-1,Basil Quandary,1.000,every word of the name agrees; \
         date of birth agrees; nationality agrees,false,\n\
         3,Mira Kole,n/a,0,,,,,,false,\n\
         4,'=Basil Quandary,high,1,watch,W-1,Basil Quandary,1.000,every word of the name agrees,\
         false,\n\
         5,Perpetua Nightjar,-,0,,,,,,false,birth_date must be a date of the form YYYY-MM-DD\n"
    );
}

#[test]
fn json_lines_have_everything_and_standard_input_is_a_file() {
    let site = Site::with_data();
    let mut command = site.command(&["screen", "--csv", "-", "--json"]);
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(b"name\nTormund Vexley\nMira Kole\n").unwrap();
    let output = child.wait_with_output().unwrap();
    let lines: Vec<Value> =
        text(&output.stdout).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 2);
    assert_eq!((&lines[0]["line"], &lines[0]["name"]), (&json!(2), &json!("Tormund Vexley")));
    assert_eq!((&lines[0]["risk"], &lines[0]["sample"]), (&json!("high"), &json!(true)));
    assert_eq!((&lines[1]["line"], &lines[1]["risk"]), (&json!(3), &json!("n/a")));
}

#[test]
fn many_rows_keep_their_order() {
    let site = Site::with_data();
    site.write("people.csv", nobodies(10_000));
    let rows = site.stdout(&["screen", "--csv", "people.csv"]);
    let is_in_order = |(n, row): (usize, &str)| row.starts_with(&format!("{},Nobody{n} ", n + 2));
    assert_eq!(rows.lines().count(), 10_001);
    assert!(rows.lines().skip(1).enumerate().all(is_in_order));
}

#[test]
fn a_file_without_names_is_refused() {
    let site = Site::with_data();
    site.write("people.csv", "first,last\nMira,Kole\n");
    let said = site.fails(&["screen", "--csv", "people.csv"], 1);
    assert!(said.contains("no column `name`: it holds the full name; join"), "{said}");
    site.write("people.csv", "name;birth_date\nMira Kole;\n");
    let said = site.fails(&["screen", "--csv", "people.csv"], 1);
    assert!(said.contains("no column `name`: columns are separated by commas"), "{said}");
    site.write("people.csv", b"name\nMira \xff\n");
    assert!(site.fails(&["screen", "--csv", "people.csv"], 1).contains("line 2"));
}

#[track_caller]
fn check_refused(people: &str, said: &str) {
    let site = Site::with_data();
    site.write("people.csv", people);
    let sentence = site.fails(&["screen", "--csv", "people.csv"], 1);
    assert!(sentence.contains(said), "{sentence}");
}

#[test]
fn nobody_is_lost_in_an_open_quote() {
    let said = "line 2 has a quoted field that does not end there: close the quote";
    check_refused("name\n\"Mira Kole\nTormund Vexley\n", said);
    check_refused("name\n\"Mira Kole", said);
    check_refused("name\r\n\"Mira\r\nKole\"\r\nTormund Vexley\r\n", said);
    check_refused("note,name\n\"a,Mira Kole\nb,\"c,Tormund Vexley\n", said);
    let said = "line 1 has a quoted field";
    check_refused("name,\"note\nTormund Vexley,a\n", said);
}

#[test]
fn nobody_is_lost_behind_a_comma() {
    let said = "line 3 has 2 fields, and the first line has 1: put a field that holds a comma into";
    check_refused("name\nMira Kole\nVexley, Tormund\n", said);
    check_refused("name\r\n\r\nVexley, Tormund\r\n", said);
    check_refused("name,note\na,b\nTormund Vexley\n", "line 3 has 1 fields");
}

#[test]
fn a_column_of_two_places_is_refused() {
    check_refused("name,note,Name \nMira Kole,,Tormund Vexley\n", "has two columns `name`");
    check_refused("name,wallet,wallet\nMira Kole,,\n", "has two columns `wallet`");
    let site = Site::with_data();
    site.write("people.csv", "name,note,note\nMira Kole,,\n");
    site.stdout(&["screen", "--csv", "people.csv"]);
}

#[test]
fn lines_are_those_of_the_file() {
    let site = Site::with_data();
    site.write("people.csv", "\u{feff}name,note\r\nMira Kole,\r\n\r\n\n\"Kole, Mira\",a");
    let rows = site.stdout(&["screen", "--csv", "people.csv"]);
    let starts: Vec<&str> = rows.lines().skip(1).collect();
    assert!(starts[0].starts_with("2,Mira Kole,n/a"), "{rows}");
    assert!(starts[1].starts_with("5,\"Kole, Mira\",n/a"), "{rows}");
    assert_eq!(starts.len(), 2);
}

#[test]
fn a_reader_that_has_seen_enough_is_no_panic() {
    let site = Site::with_data();
    site.write("people.csv", nobodies(20_000));
    let mut command = site.command(&["screen", "--csv", "people.csv"]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(!text(&output.stderr).contains("panicked"));
}

/// A file of so many people who are on no list.
fn nobodies(count: usize) -> String {
    let people: Vec<String> = (0..count).map(|n| format!("Nobody{n} Atall")).collect();
    format!("name\n{}\n", people.join("\n"))
}

#[test]
fn a_country_that_is_none_is_told_what_one_is() {
    let said = "must be a country of the country list, such as `Albania, ALB` or `ALB`";
    let site = Site::with_data();
    let korea = ["screen", "--name", "Tormund Vexley", "--nationality", "Korea"];
    let output = site.kyc(&korea);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains(said), "{}", text(&output.stderr));
    site.write("people.csv", "name,nationality\nTormund Vexley,Korea\n");
    let rows = text(&site.kyc(&["screen", "--csv", "people.csv"]).stdout);
    assert!(rows.contains(&format!("nationality {said}")), "{rows}");
}
