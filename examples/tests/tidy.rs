//! The repository keeps its own rules: arrows between crates, words where they belong, file length,
//! cited decisions.

#![expect(clippy::expect_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::{Path, PathBuf};

const LINES_MAX: usize = 400;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("a workspace folder").to_owned()
}

/// Every file below a folder whose name ends so, with its path from the root and its text.
fn files(below: &str, ending: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut folders = vec![root().join(below)];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("a readable folder") {
            let path = entry.expect("a readable entry").path();
            if path.is_dir() {
                if !path.ends_with("target") && !path.ends_with(".git") {
                    folders.push(path);
                }
            } else if path.to_string_lossy().ends_with(ending) {
                let name = path.strip_prefix(root()).expect("below the root");
                let text = fs::read_to_string(&path).expect("UTF-8");
                found.push((name.to_string_lossy().into_owned(), text));
            }
        }
    }
    assert!(!found.is_empty(), "no {ending} files below {below}");
    found
}

/// Sources of a crate, without tests.
fn sources(krate: &str) -> Vec<(String, String)> {
    let mut sources = files(&format!("{krate}/src"), ".rs");
    sources.retain(|(name, _)| !name.ends_with("tests.rs") && !name.contains("/tests/"));
    sources
}

/// The normal dependencies that a crate's manifest names.
fn dependencies(krate: &str) -> Vec<String> {
    let manifest = fs::read_to_string(root().join(krate).join("Cargo.toml")).expect("a manifest");
    manifest
        .lines()
        .skip_while(|line| *line != "[dependencies]")
        .skip(1)
        .take_while(|line| !line.starts_with('['))
        .filter_map(|line| line.split(['.', ' ', '=']).next())
        .filter(|name| !name.is_empty() && !name.starts_with('#'))
        .map(str::to_owned)
        .collect()
}

#[track_caller]
fn knows_only(krate: &str, allowed: &[&str]) {
    let ours = dependencies(krate).into_iter().filter(|name| name.starts_with("kyc-"));
    let stray: Vec<String> = ours.filter(|name| !allowed.contains(&name.as_str())).collect();
    assert!(stray.is_empty(), "{krate} must not know {stray:?}");
}

#[test]
fn arrows_point_at_the_core() {
    knows_only("kyc-core", &[]);
    knows_only("kyc-screening", &["kyc-core"]);
    knows_only("kyc-vault", &[]);
    knows_only("kyc-store-sqlite", &["kyc-core", "kyc-vault"]);
    knows_only("kyc-http", &["kyc-core"]);
}

#[test]
fn the_core_knows_no_framework_and_no_format() {
    let strangers = ["serde", "tokio", "hyper", "http", "rusqlite", "tracing", "rustls"];
    let dependencies = dependencies("kyc-core");
    assert!(dependencies.iter().all(|name| !strangers.contains(&name.as_str())));
}

#[track_caller]
fn word_lives_only_in(word: &str, crates: &[&str], homes: &[&str]) {
    for (name, text) in crates.iter().flat_map(|krate| sources(krate)) {
        let is_home = homes.iter().any(|home| name.contains(home));
        let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
        let stray = code.filter(|line| line.contains(word)).count();
        assert!(is_home || stray == 0, "{name} has {word}, which lives in {homes:?}");
    }
}

const ALL: [&str; 6] =
    ["kyc-core", "kyc-screening", "kyc-vault", "kyc-store-sqlite", "kyc-http", "kyc-server"];

#[test]
fn wire_words_live_in_the_generations() {
    for word in ["photoid_res", "dupeApplicants", "\"Items\"", "Not Screened", "\"NA\""] {
        word_lives_only_in(word, &ALL, &["kyc-http/src/v2", "kyc-http/src/f1"]);
    }
}

#[test]
fn sql_lives_in_the_store() {
    for word in ["SELECT ", "INSERT INTO", "rusqlite::"] {
        word_lives_only_in(word, &ALL, &["kyc-store-sqlite/"]);
    }
}

#[test]
fn the_transport_lives_in_the_server() {
    for word in ["hyper::", "tokio::", "rustls::"] {
        word_lives_only_in(word, &ALL, &["kyc-http/src/server", "kyc-server/"]);
    }
}

#[test]
fn one_place_reads_the_clock() {
    word_lives_only_in("UtcDateTime::now", &ALL, &["kyc-core/src/port/clock.rs"]);
    word_lives_only_in("SystemTime::now", &ALL, &[]);
}

#[test]
fn no_file_is_longer_than_a_reader_can_hold() {
    let all = ALL.iter().chain(&["examples", "benches", "faults"]);
    for (name, text) in all.flat_map(|krate| files(krate, ".rs")) {
        let is_table = name.contains("table");
        let lines = text.lines().count();
        assert!(is_table || lines <= LINES_MAX, "{name} has {lines} lines");
    }
}

/// A file that no module names is compiled by nobody: its tests never fail.
#[test]
fn every_file_is_compiled() {
    let all = ALL.iter().chain(&["examples", "benches", "faults"]);
    for (name, _) in all.flat_map(|krate| files(krate, ".rs")) {
        let path = Path::new(&name);
        let (Some(folder), Some(stem)) = (path.parent(), path.file_stem()) else { continue };
        let stem = stem.to_string_lossy();
        let is_target = ["tests", "benches", "src/bin"].iter().any(|at| folder.ends_with(at));
        if is_target || ["lib", "main", "mod"].contains(&&*stem) {
            continue;
        }
        let declared = format!("mod {stem};");
        let names_it = |parent: &PathBuf| {
            let text = fs::read_to_string(root().join(parent)).unwrap_or_default();
            let mut code = text.lines().filter_map(|line| line.split("//").next());
            code.any(|code| code.trim_end().ends_with(&declared))
        };
        let mut parents = vec![folder.with_extension("rs")];
        parents.extend(["lib.rs", "main.rs", "mod.rs"].map(|parent| folder.join(parent)));
        assert!(parents.iter().any(names_it), "no module names {name}");
    }
}

#[test]
fn every_cited_decision_is_written_down() {
    let decisions =
        fs::read_to_string(root().join("docs/decisions.md")).expect("docs/decisions.md");
    for (name, text) in ALL.iter().flat_map(|krate| files(krate, ".rs")) {
        for number in cited(&text) {
            let is_known = decisions.contains(&format!("D{number} "))
                || decisions.contains(&format!("D{number}."))
                || decisions.contains(&format!("D{number}:"))
                || decisions.contains(&format!("D{number}\n"));
            assert!(is_known, "{name} cites D{number}, which docs/decisions.md does not have");
        }
    }
}

/// The numbers in citations such as `(D14, D15)`.
fn cited(text: &str) -> Vec<u32> {
    let comments = text.lines().filter(|line| line.trim_start().starts_with("//"));
    comments
        .flat_map(|line| line.split(|c: char| !c.is_ascii_alphanumeric()))
        .filter_map(|word| word.strip_prefix('D')?.parse().ok())
        .collect()
}

#[test]
fn every_decision_has_a_test() {
    let crates = ALL.iter().chain(&["examples"]);
    let tested: Vec<u32> =
        crates.flat_map(|krate| files(krate, ".rs")).flat_map(|(_, text)| tested(&text)).collect();
    for number in 1..=55 {
        assert!(tested.contains(&number), "no test is named d{number}_…");
    }
}

/// The decisions that tests are named after, as in `fn d42_d47_pages_join`.
fn tested(text: &str) -> Vec<u32> {
    let names = text.lines().filter_map(|line| line.trim_start().strip_prefix("fn "));
    let numbers = |name: &str| -> Vec<u32> {
        name.split('_').map_while(|word| word.strip_prefix('d')?.parse().ok()).collect()
    };
    names.flat_map(numbers).collect()
}

#[test]
fn no_finished_file_has_words_of_unfinished_work() {
    // Split, so that this file does not find itself.
    let words = [concat!("TO", "DO"), concat!("FIX", "ME"), concat!("unimplem", "ented!")];
    for (name, text) in ALL.iter().flat_map(|krate| files(krate, ".rs")) {
        for word in words {
            assert!(!text.contains(word), "{name} has {word}");
        }
    }
}

#[test]
fn every_test_in_the_table_of_threats_exists() {
    let table = fs::read_to_string(root().join("docs/security.md")).expect("docs/security.md");
    let names: Vec<String> =
        files(".", ".rs").iter().flat_map(|(_, text)| functions(text)).collect();
    for row in table.lines().filter(|line| line.starts_with("| T")) {
        let tests = row.trim_end_matches([' ', '|']).rsplit('|').next().unwrap_or_default();
        for word in tests.split('`').skip(1).step_by(2) {
            let is_there = names.iter().any(|name| name == word) || root().join(word).is_file();
            assert!(is_there, "docs/security.md names {word}, which is nowhere");
        }
    }
}

#[test]
fn g18_every_requirement_of_asvs_is_mapped_once_to_tests_that_exist() {
    let map = fs::read_to_string(root().join("docs/asvs.md")).expect("docs/asvs.md");
    let names: Vec<String> =
        files(".", ".rs").iter().flat_map(|(_, text)| functions(text)).collect();
    let mut mapped = Vec::new();
    for row in map.lines().filter(|line| line.starts_with("| ") && line.contains('.')) {
        let cells: Vec<&str> = row.trim_matches(['|', ' ']).split('|').map(str::trim).collect();
        let [number, standing, what, tests @ ..] = cells.as_slice() else {
            panic!("too few cells: {row}")
        };
        let (first, last) = number.split_once('\u{2013}').unwrap_or((number, number));
        let (section, from) = first.rsplit_once('.').expect("a number with dots");
        let to = last.rsplit_once('.').expect("a number with dots").1;
        let count = |text: &str| text.parse::<u32>().expect("a number");
        mapped.extend((count(from)..=count(to)).map(|place| format!("{section}.{place}")));
        assert!(["met", "part", "open", "operator", "none"].contains(standing), "{row}");
        assert!(!what.is_empty(), "{row}");
        for word in tests.concat().split('`').skip(1).step_by(2) {
            let is_there = names.iter().any(|name| name == word) || root().join(word).is_file();
            assert!(is_there, "docs/asvs.md names {word}, which is nowhere");
        }
    }
    assert_eq!(mapped.len(), 210);
    mapped.sort_unstable();
    mapped.dedup();
    assert_eq!(mapped.len(), 210, "a requirement is mapped twice");
}

fn functions(text: &str) -> Vec<String> {
    let heads = text.lines().map(|line| line.trim_start().trim_start_matches("async "));
    let names = heads.filter_map(|line| line.strip_prefix("fn ")?.split(['(', '<']).next());
    names.map(str::to_owned).collect()
}

#[test]
fn g20_no_shipped_crate_may_use_unsafe_code() {
    the_manifest_has("unsafe_code = \"forbid\"");
    for krate in ALL {
        for (name, text) in sources(krate) {
            let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
            assert_eq!(code.filter(|line| line.contains("unsafe {")).count(), 0, "{name}");
        }
    }
}

#[test]
fn t33_the_lints_that_forbid_panics_are_on() {
    for lint in ["unwrap_used", "expect_used", "indexing_slicing", "panic"] {
        the_manifest_has(&format!("{lint} = \"warn\""));
    }
    the_manifest_has("overflow-checks = true");
    let gate = fs::read_to_string(root().join(".ci/run")).expect("the gate");
    assert!(
        gate.contains(
            "cargo clippy --locked --workspace --all-targets --all-features -- -D warnings"
        )
    );
}

/// Checks a line of the root manifest, and that every shipped crate obeys it.
#[track_caller]
fn the_manifest_has(line: &str) {
    let manifest = |folder: &str| {
        fs::read_to_string(root().join(folder).join("Cargo.toml")).expect("a manifest")
    };
    assert!(manifest(".").lines().any(|known| known.starts_with(line)), "{line} is gone");
    for krate in ALL {
        assert!(manifest(krate).contains("[lints]\nworkspace = true"), "{krate} has its own lints");
    }
}

#[test]
fn no_statement_is_made_of_values() {
    let words = ["SELECT ", "INSERT ", "UPDATE ", "DELETE ", "WHERE ", "VALUES "];
    // Names of the schema, which are constants.
    let names = ["table", "column", "row"];
    for (name, text) in sources("kyc-store-sqlite") {
        for made in text.split("format!(").skip(1) {
            let made = made.split(')').next().unwrap_or_default();
            let put_in = made.split('{').skip(1).filter_map(|rest| rest.split('}').next());
            let are_names =
                put_in.clone().count() > 0 && put_in.clone().all(|it| names.contains(&it));
            let is_sql = words.iter().any(|word| made.contains(word));
            assert!(!is_sql || are_names, "{name} makes SQL of values");
        }
    }
}
