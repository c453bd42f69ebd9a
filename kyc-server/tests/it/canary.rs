//! Nothing personal and no key is anywhere but where it belongs (T23, T24; G10).
//!
//! Every field of every route gets a value that is found nowhere else. Then every output and every
//! file is searched for them, in eight encodings.

mod search;
mod traffic;

use std::fs;
use std::path::Path;

use crate::program::{Running, Site, text};
use search::{files, find, is_nowhere};
use traffic::Traffic;

/// In every value of an applicant.
const CANARY: &str = "Zqxcanaryvk";
/// In every value of a person who is on a list.
const LISTED: &str = "Wjqlistedkv";
/// Values whose form leaves no room for the others: a date of birth, an address of a machine.
const FORMAL: [&str; 2] = ["1957-02-23", "203.0.113.77"];
const PERSONAL: [&str; 4] = [CANARY, LISTED, FORMAL[0], FORMAL[1]];

/// A service at its most talkative, whose temporary files are in a folder of their own.
fn talkative(site: &Site) -> Running {
    fs::create_dir(site.path("temporary")).unwrap();
    let temporary = ("TMPDIR", site.path("temporary"));
    site.serve_with(&["--listen", "127.0.0.1:0", "--log", "trace"], [temporary])
}

#[test]
fn t23_no_personal_value_and_no_key_is_where_it_does_not_belong() {
    let site = Site::with_data();
    site.write("watch.csv", traffic::listed_people());
    site.stdout(&["list", "import", "watch.csv"]);
    let service = talkative(&site);
    let key = service.ready["api_key"].as_str().unwrap();
    let token = service.ready["inspector_token"].as_str().unwrap();
    let secret = |credential: &str| credential.rsplit('_').next().unwrap().to_owned();
    let secrets = [secret(key), secret(token)];

    let traffic = Traffic::run(&service);
    let hidden: Vec<&str> = PERSONAL
        .into_iter()
        .chain(secrets.iter().map(String::as_str))
        .chain(traffic.handles.iter().map(String::as_str))
        .collect();
    let nowhere = |what: &str, bytes: &[u8]| is_nowhere(what, bytes, &hidden);

    assert!(traffic.failures.len() > 40, "{} failures", traffic.failures.len());
    for (request, body) in &traffic.failures {
        nowhere(&format!("the answer to {request}"), body);
    }
    for path in ["cmdline", "environ"] {
        let process = format!("/proc/{}/{path}", service.child.id());
        // A process without core files does not show its environment either.
        nowhere(&process, &fs::read(&process).unwrap_or_default());
    }
    commands_show_nothing(&site, &traffic, &nowhere);

    search_files(&site, &hidden);
    let log = service.log();
    assert!(log.matches("\"request\"").count() > 60, "the requests were not logged");
    service.stop();
    search_files(&site, &hidden);
}

/// Commands whose output ends up in tickets, chats and logs of other programs.
fn commands_show_nothing(site: &Site, traffic: &Traffic, nowhere: &dyn Fn(&str, &[u8])) {
    let people = format!("name,document\n{CANARY} Kole,{CANARY}-8812\n{LISTED} Kole,\n...,\n");
    site.write("people.csv", people);
    let name = format!("{CANARY} Kole");
    for arguments in [
        vec!["submission", "show", &traffic.submission],
        vec!["submission", "show", &traffic.submission, "--json"],
        vec!["submission", "show", &traffic.with_hits],
        vec!["client", "list"],
        vec!["key", "list"],
        vec!["inspector", "list"],
        vec!["list", "status"],
        vec!["rescreen", "--full"],
        vec!["rescreen", "--status"],
        vec!["audit", "verify"],
        vec!["audit", "export"],
        vec!["screen", "--name", &name, "--birth-date", FORMAL[0], "--json"],
    ] {
        let output = site.kyc(&arguments);
        nowhere(&format!("kyc {arguments:?}"), &[output.stdout, output.stderr].concat());
    }
    // These show on standard output what they were asked for, and say nothing of it elsewhere.
    for arguments in [
        vec!["screen", "--csv", "people.csv"],
        vec!["screen", "--csv", "people.csv", "--json"],
        vec!["submission", "show", &traffic.submission, "--reveal"],
    ] {
        let output = site.kyc(&arguments);
        nowhere(&format!("kyc {arguments:?} on standard error"), &output.stderr);
        assert!(find(&output.stdout, &PERSONAL).is_some(), "{arguments:?} shows nothing");
    }
    // What is wrong with an argument or a file is said without it.
    site.write("broken.csv", format!("name,birth_date\n{CANARY},{CANARY}\n\"{CANARY}\n"));
    for arguments in [vec!["submission", "show", CANARY], vec!["screen", "--csv", "broken.csv"]] {
        let output = site.kyc(&arguments);
        assert!(!output.status.success());
        let said = text(&output.stderr);
        // The command line is the operator's own, and repeated where it cannot be read.
        if arguments[0] == "screen" {
            nowhere(&format!("kyc {arguments:?}"), said.as_bytes());
        }
    }
}

/// Searches what the service and the commands left behind.
fn search_files(site: &Site, hidden: &[&str]) {
    for output in ["stdout", "stderr"] {
        let mut bytes = fs::read(site.path(output)).unwrap();
        if output == "stdout" {
            // The first start shows both secrets, once.
            let shown = String::from_utf8(bytes).unwrap();
            bytes = shown.lines().filter(|line| !line.contains("kyc")).collect::<String>().into();
        }
        is_nowhere(output, &bytes, hidden);
    }
    let temporary = files(&site.path("temporary"));
    let mut searched = Vec::new();
    for path in files(&site.data()).into_iter().chain(temporary) {
        let name = path.strip_prefix(site.data()).unwrap_or(&path).to_string_lossy().into_owned();
        let Ok(bytes) = fs::read(&path) else { continue };
        let is_list = Path::new(&name).starts_with("lists");
        let hidden: Vec<&str> =
            hidden.iter().filter(|value| !(is_list && **value == LISTED)).copied().collect();
        is_nowhere(&name, &bytes, &hidden);
        searched.push(name);
    }
    let is_there = |begin: &str| searched.iter().any(|name| name.starts_with(begin));
    assert!(is_there("kyc.sqlite") && is_there("documents/") && is_there("lists/"), "{searched:?}");
}
