//! The scorecard against floors. The labelled cases are in the folder that `KYC_SCREENING_DIR` names,
//! the lists in that of `KYC_LISTS_DIR`; without them this says so and checks nothing.
#![expect(clippy::unwrap_used, reason = "what fails ends the test")]

use std::path::PathBuf;
use std::process::Command;

fn folder(variable: &str) -> Option<PathBuf> {
    let folder = std::env::var_os(variable).filter(|folder| !folder.is_empty());
    if folder.is_none() {
        eprintln!("{variable} is not set: the scorecard was not checked");
    }
    folder.map(PathBuf::from)
}

fn scorecard(arguments: &[&str]) -> String {
    let program = Command::new(env!("CARGO_BIN_EXE_scorecard")).args(arguments).output().unwrap();
    assert!(program.status.success(), "{}", String::from_utf8_lossy(&program.stderr));
    String::from_utf8(program.stdout).unwrap()
}

/// The number behind `name` in the line that begins with `line`.
fn figure(text: &str, line: &str, name: &str) -> f64 {
    let line = text.lines().find(|text| text.starts_with(line)).unwrap();
    let rest = line.split(name).nth(1).unwrap();
    rest.trim_matches([' ', ',']).split([',', ' ']).next().unwrap().parse().unwrap()
}

#[track_caller]
fn check_least(text: &str, line: &str, name: &str, least: f64) {
    let found = figure(text, line, name);
    assert!(found >= least, "{line} {name}: {found} is less than {least}");
}

#[track_caller]
fn check_most(text: &str, line: &str, most: f64) {
    let found = figure(text, line, "found,");
    assert!(found <= most, "{line}: {found} is more than {most}");
}

#[test]
fn names_are_told_apart() {
    let Some(cases) = folder("KYC_SCREENING_DIR") else { return };
    let out = tempfile::NamedTempFile::new().unwrap();
    let run = |file: &str| {
        scorecard(&["pairs", cases.join(file).to_str().unwrap(), out.path().to_str().unwrap()])
    };
    let bench = run("name_bench_dev.csv");
    check_least(&bench, "persons:", "F1", 0.88);
    check_least(&bench, "all:", "F1", 0.865);
    let lists = run("list_pairs_dev_handover.csv");
    check_least(&lists, "persons:", "F1", 0.875);
}

#[test]
fn listed_people_are_found_and_strangers_are_not() {
    let (Some(cases), Some(lists)) = (folder("KYC_SCREENING_DIR"), folder("KYC_LISTS_DIR")) else {
        return;
    };
    let out = tempfile::NamedTempFile::new().unwrap();
    let text = scorecard(&[
        "batch",
        cases.join("queries_dev_handover.csv").to_str().unwrap(),
        out.path().to_str().unwrap(),
        "--un",
        lists.join("un-2026-02/UN_consolidated.xml").to_str().unwrap(),
        "--ofac",
        lists.join("ofac-sdn-2021-07").to_str().unwrap(),
        "--drop-original-script",
    ]);
    check_least(&text, "un_untreated:", "found,", 1.0);
    check_least(&text, "un_treated:", "found,", 0.995);
    check_least(&text, "hard:", "found,", 0.985);
    check_least(&text, "xscript_un:", "found,", 0.94);
    check_most(&text, "neg_global:", 0.001);
    check_most(&text, "neg_us:", 0.001);
    check_most(&text, "neg_congress:", 0.001);
    check_most(&text, "collision:", 0.025);
}
