//! `kyc client`

use std::str::FromStr;
use std::time::Duration;

use clap::Subcommand;
use kyc_core::{AccountName, Clock, Directory, SystemClock, Timestamp, day};
use kyc_store_sqlite::AdminError;
use serde::Serialize;
use time::Date;

use super::open;
use crate::config::{Globals, Settings};
use crate::exit::{Code, Failure};
use crate::output::{data, json, table, talk};
use crate::wiring;

#[derive(Debug, Subcommand)]
pub(super) enum Verb {
    /// Adds a client, also beside a running service
    #[command(after_help = "Example:\n  kyc client add acme && kyc key create --client acme")]
    Add {
        /// What to call it: a-z, 0-9, `-`, `_` and `.`
        name: AccountName,
        /// Makes it a sandbox for integrators: its keys begin with `kyc_test_`, and its clock can be
        /// advanced, so that periods of years are tried out in seconds
        #[arg(long)]
        sandbox: bool,
    },
    /// Advances the clock of a sandbox, and erases there what is over by then
    ///
    /// Only forward, and for this client alone: everybody else lives by the clock of the machine.
    #[command(
        after_help = "Examples:\n  kyc client clock trial --advance 3mo\n  kyc client clock trial --advance 2031-11-22"
    )]
    Clock {
        /// Whose clock
        name: AccountName,
        /// By how much, such as 10d, 3mo or 5y, or to which day (UTC)
        #[arg(long, value_name = "TIME", value_parser = Advance::from_str)]
        advance: Advance,
    },
    /// Lists the clients
    List {
        /// Writes JSON
        #[arg(long)]
        json: bool,
    },
}

#[derive(Serialize)]
struct Row<'a> {
    name: &'a str,
    /// What its document handles begin with.
    prefix: &'a str,
    /// How many of its keys work.
    keys: usize,
    /// What the clock of a sandbox shows.
    #[serde(skip_serializing_if = "Option::is_none")]
    sandbox_clock: Option<String>,
}

pub(super) fn run(globals: &Globals, verb: &Verb) -> Result<(), Failure> {
    match verb {
        Verb::Add { name, sandbox } => {
            let (store, now) = (open(globals)?, SystemClock.now());
            let (kind, _) = if *sandbox {
                ("sandbox", store.add_sandbox(name, now)?)
            } else {
                ("client", store.add_client(name, now)?)
            };
            let next = globals.command(&format!("key create --client {name}"));
            talk(format_args!("{kind} {name} added; next: {next}"));
            Ok(())
        }
        Verb::Clock { name, advance } => clock(globals, name, *advance),
        Verb::List { json } => list(globals, *json),
    }
}

fn clock(globals: &Globals, name: &AccountName, advance: Advance) -> Result<(), Failure> {
    let settings = Settings::of_environment(globals)?;
    let store = open(globals)?;
    let client = store.client_named(name)?.ok_or(AdminError::NoSuchClient)?.id;
    let ahead = store.sandbox_ahead(client)?.ok_or(AdminError::NoSandbox)?;
    let now = SystemClock.now().plus(ahead);
    let Some(by) = advance.from(now) else {
        return Err(Failure::new(Code::Failed, "the clock of a sandbox only goes forward"));
    };
    let keeper = wiring::keeper_of_service(store.clone(), &settings)?;
    let ahead = store.advance_sandbox(client, by, SystemClock.now())?;
    let erased = keeper.run_sandboxes()?;
    let now = SystemClock.now().plus(ahead);
    talk(format_args!("the clock of {name} shows {now}; {erased} submissions were erased"));
    Ok(())
}

/// How far a clock is advanced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Advance {
    Days(u16),
    Months(u16),
    To(Date),
}

impl Advance {
    /// How long it is from `now`; `None` if it is not ahead.
    fn from(self, now: Timestamp) -> Option<Duration> {
        let day = match self {
            Self::Days(days) => return Some(DAY * u32::from(days)),
            // The same time of another day.
            Self::Months(months) => {
                let days = day::plus_months(now.date(), months) - now.date();
                return Some(DAY * u32::try_from(days.whole_days()).ok()?);
            }
            Self::To(day) => Timestamp::from_utc(day.midnight().as_utc()),
        };
        let millis = day.unix_millis() - now.unix_millis();
        u64::try_from(millis).ok().map(Duration::from_millis)
    }
}

impl FromStr for Advance {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let expected = "expected a number of days, months or years, such as 10d, 3mo or 5y, or a \
                        day, such as 2031-11-22";
        let count = |unit| text.strip_suffix(unit).and_then(|count| count.parse::<u16>().ok());
        let years = count("y").and_then(|years| years.checked_mul(12));
        if let Some(months) = count("mo").or(years) {
            return Ok(Self::Months(months));
        }
        if let Some(days) = count("d") {
            return Ok(Self::Days(days));
        }
        day::parse(text).map(Self::To).map_err(|_| expected)
    }
}

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

fn list(globals: &Globals, as_json: bool) -> Result<(), Failure> {
    let store = open(globals)?;
    let keys = store.keys()?;
    let clients = store.clients()?;
    let mut rows = Vec::with_capacity(clients.len());
    for client in &clients {
        let working = keys.iter().filter(|key| key.client == client.id && key.revoked_at.is_none());
        let ahead = store.sandbox_ahead(client.id)?;
        rows.push(Row {
            name: client.name.as_str(),
            prefix: client.prefix.as_str(),
            keys: working.count(),
            sandbox_clock: ahead.map(|ahead| SystemClock.now().plus(ahead).to_string()),
        });
    }
    if as_json {
        return json(&rows);
    }
    let cells = |row: Row<'_>| {
        let clock = row.sandbox_clock.unwrap_or_else(|| "-".to_owned());
        [row.name.into(), row.prefix.into(), row.keys.to_string(), clock]
    };
    let rows: Vec<_> = rows.into_iter().map(cells).collect();
    data(table(["CLIENT", "PREFIX", "KEYS", "SANDBOX CLOCK"], &rows))
}
