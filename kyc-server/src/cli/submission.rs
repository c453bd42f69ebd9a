//! `kyc submission`

mod keeping;

use std::slice::from_ref;

use clap::Subcommand;
use kyc_core::service::{CaseFile, Error, Options};
use kyc_core::{
    AccountName, Actor, Aml, DocumentId, Event, HistoryEntry, Hit, Keep, RetentionDecision,
    RetentionPolicy, Screening, Slot, Stall, Submission, SubmissionId, day,
};
use serde::Serialize;

use super::{inspector, open, words};
use crate::config::Globals;
use crate::exit::{Code, Failure};
use crate::output::{data, json};
use crate::wiring::service;
use keeping::Keeping;

pub(super) use keeping::found;

#[derive(Debug, Subcommand)]
pub(super) enum Verb {
    /// Shows where a submission stands
    ///
    /// Personal values are masked unless --reveal asks for them: what is on a screen ends up in
    /// tickets and chats. Documents are for inspectors, through the service. The audit records that
    /// it was shown.
    #[command(after_help = "Example:\n  kyc submission show 01jd3v9k8m2q4r5s6t7v8w9x0y")]
    Show {
        /// Its id, 26 characters
        id: SubmissionId,
        /// The client that sent it [default: any]
        #[arg(long, value_name = "NAME")]
        client: Option<AccountName>,
        /// Shows name, e-mail address, date of birth and nationality, and whom hits name
        #[arg(long)]
        reveal: bool,
        /// Writes JSON
        #[arg(long)]
        json: bool,
    },
    #[command(flatten)]
    Keeping(Keeping),
}

#[derive(Serialize)]
struct Shown {
    id: String,
    client: String,
    created_at: String,
    version: u32,
    status: &'static str,
    kyc_level: &'static str,
    aml: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    aml_stalled: Option<&'static str>,
    hits: Vec<ShownHit>,
    lists: Vec<String>,
    email: String,
    name: String,
    date_of_birth: String,
    nationality: String,
    /// `None`: while the relationship lasts, or until the hold is released.
    kept_until: Option<String>,
    ended: Option<String>,
    hold: Option<ShownHold>,
    documents: Vec<ShownDocument>,
    duplicates: usize,
    history: Vec<Happened>,
}

#[derive(Serialize)]
struct ShownHit {
    list: String,
    entity: String,
    name: String,
    score: String,
    standing: &'static str,
    reasons: Vec<String>,
}

#[derive(Serialize)]
struct ShownHold {
    reason: String,
    until: Option<String>,
}

#[derive(Serialize)]
struct ShownDocument {
    /// `None`: an extra image, or one that another one took the place of.
    place: Option<&'static str>,
    id: String,
}

#[derive(Serialize)]
struct Happened {
    at: String,
    by: String,
    what: &'static str,
}

pub(super) fn run(globals: &Globals, verb: &Verb) -> Result<(), Failure> {
    let (id, client, reveal, as_json) = match verb {
        Verb::Show { id, client, reveal, json } => (id, client, reveal, json),
        Verb::Keeping(keeping) => return keeping::run(globals, keeping),
    };
    let store = open(globals)?;
    let client = client.as_ref().map(|name| inspector::client_ids(&store, from_ref(name)));
    let client = client.transpose()?.and_then(|ids| ids.first().copied());
    // By what the service of this folder erases.
    let retention = store.retention_policy()?.unwrap_or_default();
    let service = service(store, Options { retention, ..Options::default() });
    let case = match service.case_file_for_operator(client, *id) {
        Err(Error::NotFound) => {
            return Err(Failure::new(Code::Failed, "there is no such submission"));
        }
        other => other?,
    };
    let shown = Shown::of(&case, retention, *reveal);
    if *as_json { json(&shown) } else { data(shown.text()) }
}

impl Shown {
    fn of(case: &CaseFile, retention: RetentionPolicy, reveal: bool) -> Self {
        let submission = &case.submission;
        let form = submission.form();
        let personal = |value: &str| if reveal { value } else { MASK }.to_owned();
        let aml = submission.review().aml();
        let screening = submission.result().map(|result| &result.screening);
        let hit = |hit: &Hit| ShownHit {
            list: hit.list.clone(),
            entity: hit.entity.clone(),
            name: personal(&hit.name),
            score: hit.score.to_string(),
            standing: submission.standing(hit).as_str(),
            reasons: hit.reasons.clone(),
        };
        Self {
            id: submission.id().to_string(),
            client: case.client.name.to_string(),
            created_at: submission.created_at().to_string(),
            version: submission.version(),
            status: submission.status().as_str(),
            kyc_level: submission.level().as_str(),
            aml: words::risk(submission.risk()),
            aml_stalled: aml.and_then(stall).map(Stall::as_str),
            hits: screening.into_iter().flat_map(|found| &found.hits).map(hit).collect(),
            lists: screening.map(lists).unwrap_or_default(),
            email: personal(form.email.as_str()),
            name: personal(&form.applicant.full_name()),
            date_of_birth: personal(&form.applicant.birth_date.date().to_string()),
            nationality: personal(form.applicant.nationality.combined()),
            kept_until: match retention.keep(submission) {
                Keep::Until(due) => Some(due.to_string()),
                Keep::Relationship | Keep::Hold => None,
            },
            ended: submission.ended().map(day::text),
            hold: submission.hold().map(|hold| ShownHold {
                reason: personal(hold.reason.as_str()),
                until: hold.until.map(day::text),
            }),
            documents: documents(submission),
            duplicates: case.duplicates.len(),
            history: submission.history().iter().map(Happened::of).collect(),
        }
    }

    fn text(&self) -> String {
        let Self { id, client, created_at, version, status, kyc_level, aml, .. } = self;
        let Self { email, name, date_of_birth, nationality, duplicates, .. } = self;
        let stalled = self.aml_stalled.map_or_else(String::new, |why| format!(" ({why})"));
        let mut lines = vec![
            format!("submission   {id}"),
            format!("client       {client}"),
            format!("handed in    {created_at}"),
            format!("status       {status} (version {version})"),
            format!("level        {kyc_level}"),
            format!("AML          {aml}{stalled}"),
        ];
        for list in &self.lists {
            lines.push(format!("searched     {list}"));
        }
        for ShownHit { list, entity, name, score, standing, reasons } in &self.hits {
            let reasons = reasons.join("; ");
            lines.push(format!(
                "hit          {score}  {standing}  {name}  ({list} {entity}): {reasons}"
            ));
        }
        lines.extend([
            format!("e-mail       {email}"),
            format!("name         {name}"),
            format!("born         {date_of_birth}"),
            format!("nationality  {nationality}"),
        ]);
        for ShownDocument { place, id } in &self.documents {
            lines.push(format!("document     {id}  {}", place.unwrap_or("other")));
        }
        lines.push(format!("ended        {}", self.ended.as_deref().unwrap_or("-")));
        if let Some(ShownHold { reason, until }) = &self.hold {
            let until = until.as_deref().unwrap_or("it is released");
            lines.push(format!("held until   {until}: {reason}"));
        }
        let no_day = match &self.hold {
            Some(ShownHold { until: None, .. }) => "the hold is released",
            Some(_) | None => "its period after the end of the relationship is over",
        };
        lines.push(format!("kept until   {}", self.kept_until.as_deref().unwrap_or(no_day)));
        lines.push(format!("duplicates   {duplicates}"));
        for Happened { at, by, what } in &self.history {
            lines.push(format!("{at}  {what} by {by}"));
        }
        lines.join("\n")
    }
}

impl Happened {
    fn of(entry: &HistoryEntry) -> Self {
        let by = match &entry.by {
            Actor::Client => "the client".to_owned(),
            Actor::Inspector(name) => format!("inspector {name}"),
            Actor::Service => "the service".to_owned(),
            Actor::Operator => "the operator".to_owned(),
        };
        let what = match entry.event {
            Event::Approved(_) => "approved",
            Event::Rejected { .. } => "rejected",
            Event::RetakeAsked { .. } => "documents asked for again",
            Event::Supplied { .. } => "document supplied",
            Event::Reopened { .. } => "reopened",
            Event::Screened(_) => "screened",
            Event::Rescreened { .. } => "screened anew",
            Event::HitDecided { verdict: Some(_), .. } => "hit decided",
            Event::HitDecided { verdict: None, .. } => "decision on a hit taken back",
            Event::Acknowledged => "changed screening looked at",
            Event::DocumentErased { .. } => "document erased",
            Event::Retention(RetentionDecision::End { on: Some(_) }) => "relationship ended",
            Event::Retention(RetentionDecision::End { on: None }) => "relationship goes on",
            Event::Retention(RetentionDecision::Hold { .. }) => "held",
            Event::Retention(RetentionDecision::Release { .. }) => "hold released",
        };
        Self { at: entry.at.to_string(), by, what }
    }
}

fn documents(submission: &Submission) -> Vec<ShownDocument> {
    let place = |id: DocumentId| {
        let evidence = &submission.form().identification()?.evidence;
        let is_in = |slot: &Slot| evidence.document(*slot).is_some_and(|it| it.id() == id);
        Slot::ALL.into_iter().find(is_in).map(Slot::as_str)
    };
    let shown = |id: DocumentId| ShownDocument { place: place(id), id: id.to_string() };
    submission.documents().into_iter().map(shown).collect()
}

fn stall(aml: &Aml) -> Option<Stall> {
    match aml {
        Aml::Stalled(stall) => Some(*stall),
        Aml::Queued | Aml::Screened(_) => None,
    }
}

fn lists(screening: &Screening) -> Vec<String> {
    let list = |list: &kyc_core::ListVersion| {
        let mark = if list.sample { " (SAMPLE: invented people)" } else { "" };
        let version: String = list.version.chars().take(12).collect();
        format!("{} {version}{mark}", list.list)
    };
    screening.lists.iter().map(list).collect()
}

/// As long for every value: a length is personal, too.
const MASK: &str = "***";
