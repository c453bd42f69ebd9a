//! The help texts, word for word, in `tests/help/`.
//!
//! `KYC_UPDATE_HELP=1 cargo test` writes them anew; their changes are reviewed like code.

use std::fs;
use std::path::Path;

use crate::program::{Site, text};

const COMMANDS: &[&str] = &[
    "",
    "serve",
    "client",
    "client add",
    "client clock",
    "client list",
    "key",
    "key create",
    "key list",
    "key make-master",
    "key revoke",
    "key rotate",
    "key split-master",
    "inspector add",
    "inspector list",
    "inspector remove",
    "list import",
    "list update",
    "list remove",
    "list status",
    "screen",
    "rescreen",
    "submission show",
    "submission end",
    "submission hold",
    "submission release",
    "submission certificate",
    "document",
    "document erase",
    "document certificate",
    "erase",
    "retention run",
    "retention status",
    "backup",
    "restore",
    "verify",
    "doctor",
    "audit verify",
    "audit export",
    "audit hash",
    "audit anchor",
    "config init",
    "config check",
    "completions",
];

#[test]
fn every_help_text_is_the_reviewed_one() {
    let site = Site::new();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/help");
    for command in COMMANDS {
        let arguments: Vec<&str> = command.split_whitespace().chain(["--help"]).collect();
        let output = site.command(&arguments).env_clear().output().unwrap();
        let shown = text(&output.stdout);
        let name = if command.is_empty() { "kyc" } else { command };
        let path = folder.join(format!("{}.txt", name.replace(' ', "-")));
        if std::env::var_os("KYC_UPDATE_HELP").is_some() {
            fs::create_dir_all(&folder).unwrap();
            fs::write(&path, &shown).unwrap();
        }
        let reviewed = fs::read_to_string(&path).unwrap_or_default();
        assert_eq!(shown, reviewed, "kyc {command} --help");
    }
}

#[test]
fn the_exit_codes_are_listed() {
    let help = Site::new().stdout(&["--help"]);
    for line in ["0  it worked", "1  it failed", "2  wrong", "3  bad", "4  a check", "5  another"] {
        assert!(help.contains(line), "{line}");
    }
}

#[test]
fn completions_know_the_commands() {
    let script = Site::new().stdout(&["completions", "bash"]);
    assert!(script.contains("inspector") && script.contains("--ready-file"));
}
