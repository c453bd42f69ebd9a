//! The clock, certificates, lists and backups.

use std::time::Duration;

use kyc_core::{Clock, SystemClock, Timestamp};
use kyc_http::ListState;

use super::{Finding, certificate};
use crate::backup::is_too_old;
use crate::cli::open_to_look;
use crate::config::{Backups, Doors, Globals, Settings, Start};
use crate::exit::chain;
use crate::fitness::Fitness;
use crate::wiring;

pub(super) fn findings(globals: &Globals, settings: &Settings) -> Vec<Finding> {
    let now = SystemClock.now();
    let mut findings = store(globals, now);
    findings.extend(certificate(settings, now));
    findings.extend(lists(globals, settings, now));
    findings.push(backups(globals, settings, now));
    findings
}

/// Whether the store opens, and its newest record is not of the future.
fn store(globals: &Globals, now: Timestamp) -> Vec<Finding> {
    let store = match open_to_look(globals) {
        Ok(store) => store,
        Err(failure) => {
            let sentence = failure.sentence.unwrap_or_default();
            return vec![Finding::fail("store", sentence, globals.command("verify"))];
        }
    };
    let newest = match store.check().and_then(|()| store.newest()) {
        Ok(newest) => newest.unwrap_or(Timestamp::EARLIEST),
        Err(error) => {
            return vec![Finding::fail("store", chain(&error), globals.command("verify"))];
        }
    };
    vec![Finding::ok("store", "it opens, reads and writes"), clock(newest, now)]
}

fn clock(newest: Timestamp, now: Timestamp) -> Finding {
    let date = now.date();
    let next = "set the clock: lists, retention and new records go by it";
    if now.unix_millis() < RELEASED_UNIX_MILLIS {
        let what = format!("it says {date}, which is before this release was made");
        return Finding::fail("clock", what, next);
    }
    if now.unix_millis() + SKEW_MILLIS < newest.unix_millis() {
        let what = format!("it says {date}, and the newest record is of {}", newest.date());
        return Finding::fail("clock", what, next);
    }
    Finding::ok("clock", format!("it says {date}, and no record is newer"))
}

/// A development start renews its own.
fn certificate(settings: &Settings, now: Timestamp) -> Option<Finding> {
    let Start::Configured(Doors::Tls(tls) | Doors::Both(tls, _)) = &settings.start else {
        return None;
    };
    let path = tls.files.certificate.display();
    if let Err(error) = tls.files.clone().load() {
        return Some(Finding::fail("certificate", chain(&error), "see `kyc config check`"));
    }
    let Some(until) = certificate::valid_until(&tls.files.certificate) else {
        let what = format!("the dates of {path} cannot be read");
        return Some(Finding::fail("certificate", what, "replace it, and reload the service"));
    };
    let days = (until.unix_millis() - now.unix_millis()).div_euclid(DAY_MILLIS);
    let what = format!("{path} is valid until {}, {days} days from now", until.date());
    Some(if days < 0 {
        Finding::fail("certificate", what, "replace it, and reload the service")
    } else if days < RENEW_DAYS {
        Finding::warn("certificate", what, "renew it, and reload the service")
    } else {
        Finding::ok("certificate", what)
    })
}

fn lists(globals: &Globals, settings: &Settings, now: Timestamp) -> Vec<Finding> {
    let library = wiring::library(&settings.data);
    let fitness = match Fitness::of(&library, settings.mode(), &settings.policy, now) {
        Ok(fitness) => fitness,
        Err(error) => return vec![Finding::fail("lists", chain(&error), globals.lists_first())],
    };
    if fitness.lists.is_empty() {
        let what = "there is none, and nobody is screened";
        return vec![Finding::fail("lists", what, globals.lists_first())];
    }
    let finding = |fit: &crate::fitness::Fit| {
        let age = fit.status.as_ref().and_then(|status| status.age).map(days);
        let age = age.map(|age| format!(", checked {age} ago")).unwrap_or_default();
        let what = format!("{}{age}", fit.list);
        match fit.state {
            ListState::Current => Finding::ok("lists", what),
            ListState::Sample => {
                Finding::warn("lists", format!("{what}: invented people"), globals.lists_first())
            }
            ListState::TooOld | ListState::Missing if fit.is_required => {
                let what = format!("{what}: missing or too old, and nobody is screened");
                Finding::fail("lists", what, globals.lists_first())
            }
            ListState::TooOld | ListState::Missing => {
                Finding::warn("lists", format!("{what}: missing or too old"), globals.lists_first())
            }
        }
    };
    fitness.lists.iter().map(finding).collect()
}

fn backups(globals: &Globals, settings: &Settings, now: Timestamp) -> Finding {
    let next = globals.command("backup --to FILE");
    let Some(Backups { shelf, every, .. }) = &settings.backups else {
        let next = format!("set backup_folder, or have a timer run {next}");
        return Finding::warn("backup", "the service makes none by itself", next);
    };
    match shelf.newest() {
        Err(error) => Finding::fail("backup", error.to_string(), "check backup_folder"),
        Ok(None) => Finding::fail("backup", "there is none yet", next),
        Ok(Some(last)) => {
            let passed = u64::try_from(now.unix_millis() - last.unix_millis()).unwrap_or(0);
            let age = Duration::from_millis(passed);
            let what = format!("the last good one is {} old", days(age));
            if is_too_old(age, *every) {
                Finding::fail("backup", what, "see the log of the service")
            } else {
                Finding::ok("backup", what)
            }
        }
    }
}

fn days(age: Duration) -> String {
    let hours = age.as_secs() / 3_600;
    if hours < 48 { format!("{hours} hours") } else { format!("{} days", hours / 24) }
}

/// This release was made after 20 November 2026.
const RELEASED_UNIX_MILLIS: i64 = 1_795_132_800_000;
/// So far the clocks of two machines may be apart.
const SKEW_MILLIS: i64 = 5 * 60 * 1_000;
const DAY_MILLIS: i64 = 24 * 60 * 60 * 1_000;
const RENEW_DAYS: i64 = 21;

#[cfg(test)]
mod tests {
    use super::super::State;
    use super::*;

    #[test]
    fn t37_a_clock_behind_the_records_or_the_release_is_told() {
        let at = |millis: i64| Timestamp::from_unix_millis(RELEASED_UNIX_MILLIS + millis).unwrap();
        let check = |newest: i64, now: i64| clock(at(newest), at(now)).state;
        assert_eq!(check(0, 0), State::Ok);
        assert_eq!(check(SKEW_MILLIS, 0), State::Ok);
        assert_eq!(check(SKEW_MILLIS + 1, 0), State::Fail);
        assert_eq!(check(-10, -1), State::Fail);
    }
}
