//! `kyc doctor`

mod certificate;
mod files;
mod folders;
mod machine;
mod service;

use clap::Args;
use serde::Serialize;

use crate::config::{Globals, Settings};
use crate::exit::{Code, Failure};
use crate::output::{data, json};

/// Looks whether everything around the service is as it should be
///
/// Modes and owners of files, the folders, the clock, room on the disk, descriptors, certificates,
/// lists and backups: a line each, and what to do. With a line `FAIL` the exit code is 4; a `warn` is a matter
/// of opinion or of time.
///
/// Give it the configuration of the service, and run it as its user. It changes nothing.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  kyc doctor\n  kyc doctor --config /etc/kyc/kyc.toml --json")]
pub(super) struct Doctor {
    /// Writes JSON
    #[arg(long)]
    json: bool,
}

/// What came of one check.
#[derive(Debug, Serialize)]
struct Finding {
    check: &'static str,
    state: State,
    what: String,
    /// What to do about it.
    next: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
enum State {
    Ok,
    Warn,
    Fail,
}

impl Finding {
    fn ok(check: &'static str, what: impl Into<String>) -> Self {
        Self { check, state: State::Ok, what: what.into(), next: None }
    }

    fn warn(check: &'static str, what: impl Into<String>, next: impl Into<String>) -> Self {
        Self { check, state: State::Warn, what: what.into(), next: Some(next.into()) }
    }

    fn fail(check: &'static str, what: impl Into<String>, next: impl Into<String>) -> Self {
        Self { check, state: State::Fail, what: what.into(), next: Some(next.into()) }
    }

    fn line(&self) -> String {
        let state = match self.state {
            State::Ok => "ok  ",
            State::Warn => "warn",
            State::Fail => "FAIL",
        };
        let next = self.next.as_ref().map(|next| format!(": {next}")).unwrap_or_default();
        format!("{state}  {:<12}  {}{next}", self.check, self.what)
    }
}

pub(super) fn run(globals: &Globals, doctor: &Doctor) -> Result<(), Failure> {
    let settings = Settings::of_environment(globals)?;
    crate::folder::existing(&settings.data)?;
    let mut findings = files::findings(&settings);
    findings.extend(folders::findings(globals, &settings.data));
    findings.extend(machine::findings(&settings));
    findings.extend(service::findings(globals, &settings));
    // A key that is in use took its place when the store was opened, if it could.
    findings.extend(files::waiting_keys(globals, &settings.data)?);
    if doctor.json {
        json(&findings)?;
    } else {
        for finding in &findings {
            data(finding.line())?;
        }
    }
    let failed = findings.iter().filter(|finding| finding.state == State::Fail).count();
    match failed {
        0 => Ok(()),
        failed => {
            let sentence = format!("{failed} of {} checks failed", findings.len());
            Err(Failure::new(Code::Fault, sentence))
        }
    }
}
