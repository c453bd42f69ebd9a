//! The program `kyc`: runs, configures and administers the service.
//!
//! This crate is the composition root: the only place that knows the domain, the store, the
//! screening engine and the transport at once. It holds no rule of the domain and no word of the
//! interface.
//!
//! | module | what is there |
//! |---|---|
//! | `cli` | the command line, one file per noun |
//! | `config` | flags, environment and file as one set of settings |
//! | `serve` | the running service: certificates, first accounts, screening worker, log, signals |
//! | `backup` | backups, and data folders that are made of them |
//! | `verification` | proving that what is stored is whole |
//! | `fetch` | lists from their publishers |
//! | `fitness` | whether applicants can be screened with the lists that are there |
//! | `monitoring` | bringing stored results up to the current lists |
//! | `wiring` | how the parts are put together |
//! | `exit` | exit codes, and failures as sentences |
//! | `output` | data to standard output, talk to standard error |
//! | `folder` | the data folder's own files and their modes |
//! | `privacy` | what the process keeps to its user |
//!
//! What is *not* here: a library to build on. That is `kyc-core`, with `kyc-http`,
//! `kyc-screening` and `kyc-store-sqlite` around it.

mod anchors;
mod backup;
mod cautious;
mod cli;
mod config;
mod exit;
mod fetch;
mod fitness;
mod folder;
mod monitoring;
mod output;
mod parallel;
mod privacy;
mod serve;
mod verification;
mod wiring;

use std::panic;
use std::process::ExitCode;

/// Runs the command line of this process, and says how it ended (`kyc --help` lists the codes).
pub fn main() -> ExitCode {
    say_only_where_it_panics();
    // The service says when it fails; a command is over in a moment.
    let _ = privacy::keep_memory_private();
    cli::run()
}

/// The message of a panic may hold values, so nothing is said but where.
fn say_only_where_it_panics() {
    panic::set_hook(Box::new(|info| {
        let place = info.location().map(ToString::to_string).unwrap_or_default();
        output::talk(format_args!("error: the program panicked at {place}"));
    }));
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

    /// The child that panics is this test in a process of its own.
    #[test]
    fn t23_a_command_says_where_it_panicked_and_not_why() {
        const CHILD: &str = "KYC_COMMAND_PANICS";
        if std::env::var_os(CHILD).is_some() {
            say_only_where_it_panics();
            panic!("Zqxcanaryvk");
        }
        let mut child = Command::new(std::env::current_exe().unwrap());
        child.args(["--exact", "tests::t23_a_command_says_where_it_panicked_and_not_why"]);
        let output = child.arg("--nocapture").env(CHILD, "").output().unwrap();
        let said = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
        assert!(said.contains("error: the program panicked at kyc-server/src/lib.rs:"), "{said}");
        assert!(!said.contains("Zqxcanaryvk"), "{said}");
    }
}
