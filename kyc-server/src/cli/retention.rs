//! `kyc retention`

use clap::Subcommand;
use kyc_core::Doubt;
use kyc_core::service::{Error, Run};
use serde::Serialize;

use super::open;
use crate::config::{Globals, Settings};
use crate::exit::{Code, Failure};
use crate::output::{data, json};
use crate::wiring;

#[derive(Debug, Subcommand)]
pub(super) enum Verb {
    /// Erases what is over, as the service does once a day
    ///
    /// In doubt nothing is erased: when the clock is behind the last run or more than 7 days ahead
    /// of it, and when more than 2 % of all submissions and more than 10 are due at once. Then look
    /// at the clock and at `kyc retention status`, and confirm the number that it tells. The exit
    /// code is 1 until then.
    #[command(
        after_help = "Examples:\n  kyc retention run --dry-run\n  kyc retention run --confirm 412"
    )]
    Run {
        /// Says what would be done, and does nothing
        #[arg(long, conflicts_with = "confirm")]
        dry_run: bool,
        /// Erases all that is due, in spite of a doubt, if it is just so many submissions; otherwise
        /// nothing is erased
        #[arg(long, value_name = "COUNT")]
        confirm: Option<u64>,
        /// Writes JSON
        #[arg(long)]
        json: bool,
    },
    /// Shows what is due, and when the last run was
    Status {
        /// Writes JSON
        #[arg(long)]
        json: bool,
    },
}

#[derive(Serialize)]
struct Done {
    due: u64,
    erased: u64,
    uploads: u64,
    in_sandboxes: u64,
    left: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    doubt: Option<String>,
}

#[derive(Serialize)]
struct Status {
    years: u8,
    unused_upload_days: u16,
    due: usize,
    due_since: Option<String>,
    last_run: Option<String>,
    waits_for_confirmation: bool,
    doubt: Option<String>,
}

pub(super) fn run(globals: &Globals, verb: &Verb) -> Result<(), Failure> {
    let settings = Settings::of_environment(globals)?;
    let keeper = wiring::keeper_of_service(open(globals)?, &settings)?;
    match verb {
        Verb::Status { json: as_json } | Verb::Run { dry_run: true, json: as_json, .. } => {
            let (due, allowed) = keeper.due()?;
            let runs = keeper.runs()?;
            let status = Status {
                years: settings.retention.years,
                unused_upload_days: settings.retention.unused_upload_days,
                due: due.len(),
                due_since: due.first().map(|first| first.since.to_string()),
                last_run: runs.last.map(|last| last.to_string()),
                waits_for_confirmation: runs.waiting.is_some(),
                doubt: allowed.err().map(|doubt| doubt.to_string()),
            };
            if *as_json { json(&status) } else { data(status.text(globals)) }
        }
        Verb::Run { confirm, json: as_json, .. } => {
            let run = match keeper.run(*confirm) {
                Err(Error::Stale) => {
                    return Err(Failure::new(Code::Failed, "another run is under way"));
                }
                run => run?,
            };
            let done = Done::of(&run);
            if *as_json {
                json(&done)?;
            } else {
                data(done.text())?;
            }
            let Some(doubt) = run.doubt else { return Ok(()) };
            if run.due == 0 && doubt == Doubt::OtherNumber {
                let sentence =
                    "nothing was erased, since nothing is due: there is nothing to confirm";
                return Err(Failure::new(Code::Failed, sentence));
            }
            let next = globals.command(&format!("retention run --confirm {}", run.due));
            let sentence = format!("nothing was erased, since {doubt}: if it is right, `{next}`");
            Err(Failure::new(Code::Failed, sentence))
        }
    }
}

impl Done {
    fn of(run: &Run) -> Self {
        let Run { due, erased, uploads, of_sandboxes, doubt } = *run;
        Self {
            due,
            erased,
            uploads,
            in_sandboxes: of_sandboxes,
            left: due.saturating_sub(erased),
            doubt: doubt.map(|doubt| doubt.to_string()),
        }
    }

    fn text(&self) -> String {
        let Self { due, erased, uploads, in_sandboxes, .. } = self;
        format!(
            "{erased} of {due} submissions that were due are erased, {uploads} unused uploads, and \
             {in_sandboxes} submissions of sandboxes"
        )
    }
}

impl Status {
    fn text(&self, globals: &Globals) -> String {
        let Self { years, unused_upload_days, due, .. } = self;
        let or_never = |text: &Option<String>| text.clone().unwrap_or_else(|| "-".to_owned());
        let mut lines = vec![
            format!("records         {years} years after the end of the relationship"),
            format!("unused uploads  {unused_upload_days} days"),
            format!("last run        {}", or_never(&self.last_run)),
            format!("due             {due}"),
            format!("due since       {}", or_never(&self.due_since)),
        ];
        if let Some(doubt) = &self.doubt {
            let next = globals.command(&format!("retention run --confirm {due}"));
            lines.push(format!("nothing is erased, since {doubt}: if it is right, `{next}`"));
        }
        lines.join("\n")
    }
}
