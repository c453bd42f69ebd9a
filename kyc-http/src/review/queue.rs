//! The queue of submissions, oldest first.

use http::StatusCode;
use kyc_core::service::{Error, QueuePage};
use kyc_core::{Client, ClientId, Email, QueueFilter, Status};
use serde::Serialize;

use super::{Answer, InspectorCall};
use crate::error::{ApiError, FieldFault};
use crate::form::Form;
use crate::json;

/// How many items an answer holds unless asked for fewer or more.
const LIMIT_DEFAULT: usize = 50;
/// The most items of one answer.
const LIMIT_MAX: usize = 200;

#[derive(Serialize)]
struct Queue<'a> {
    items: Vec<Entry<'a>>,
    /// What `after` takes for the next page.
    next: Option<String>,
}

#[derive(Serialize)]
struct Entry<'a> {
    id: String,
    client: &'a str,
    created_at: String,
    version: u32,
    status: &'static str,
    kyc_level: &'static str,
    email: &'a str,
    name: String,
}

/// `GET /review/v1/submissions?status=&client=&email=&hits=&after=&limit=`
///
/// `status` is `pending` unless given; `all` stands for any, and so does nothing beside `hits=open`
/// (D83).
pub(crate) fn queue(call: &InspectorCall<'_>) -> Answer {
    let query = Form::parse(call.query().as_bytes())?;
    let clients = call.service.clients_of(call.caller)?;
    let Wanted { status, client, email, needs_look, after, limit } = Wanted::read(&query)?;
    let meant: Vec<ClientId> = clients
        .iter()
        .filter(|known| client.is_none_or(|name| known.name.as_str() == name))
        .map(|known| known.id)
        .collect();
    let filter = QueueFilter { clients: &meant, status, email: email.as_ref(), needs_look };
    let page = call.service.review_queue(call.caller, &filter, after, limit);
    let QueuePage { items: rows, has_more } = page.map_err(|error| {
        if matches!(error, Error::UnknownPageKey) {
            let reason = "must be the `next` of an earlier answer";
            ApiError::Fields(vec![FieldFault::invalid("after", reason)])
        } else {
            error.into()
        }
    })?;
    let name_of = |id| {
        clients
            .iter()
            .find(|known| known.id == id)
            .map_or("", |known: &std::sync::Arc<Client>| known.name.as_str())
    };
    let items = rows.iter().map(|row| {
        let submission = &row.submission;
        Entry {
            id: submission.id().to_string(),
            client: name_of(row.client),
            created_at: submission.created_at().to_string(),
            version: submission.version(),
            status: submission.status().as_str(),
            kyc_level: submission.level().as_str(),
            email: submission.form().email.as_str(),
            name: submission.form().applicant.full_name(),
        }
    });
    let next = rows.last().filter(|_| has_more).map(|row| row.submission.id().to_string());
    Ok(json::response(StatusCode::OK, &Queue { items: items.collect(), next }))
}

struct Wanted<'q> {
    status: Option<Status>,
    client: Option<&'q str>,
    email: Option<Email>,
    needs_look: bool,
    after: Option<kyc_core::SubmissionId>,
    limit: usize,
}

impl<'q> Wanted<'q> {
    fn read(query: &'q Form) -> Result<Self, ApiError> {
        let text = |name| query.value(name).map(str::trim).filter(|text| !text.is_empty());
        let mut faults = Vec::new();
        let mut fault = |name, reason: String| faults.push(FieldFault::invalid(name, reason));
        let needs_look = text("hits").is_some();
        if text("hits").is_some_and(|word| word != "open") {
            fault("hits", "must be: open".to_owned());
        }
        let status = match text("status") {
            // Only what was approved is screened.
            None if needs_look => None,
            None => Some(Status::Pending),
            Some("all") => None,
            Some(word) => word.parse().map_err(|e| fault("status", format!("{e}, all"))).ok(),
        };
        let email = text("email")
            .and_then(|text| text.parse().map_err(|e| fault("email", format!("{e}"))).ok());
        let after = text("after")
            .and_then(|text| text.parse().map_err(|e| fault("after", format!("{e}"))).ok());
        let limit = text("limit").map_or(Some(LIMIT_DEFAULT), |text| {
            text.parse().ok().filter(|limit| (1..=LIMIT_MAX).contains(limit))
        });
        if limit.is_none() {
            fault("limit", format!("must be a number from 1 to {LIMIT_MAX}"));
        }
        match limit {
            Some(limit) if faults.is_empty() => {
                Ok(Self { status, client: text("client"), email, needs_look, after, limit })
            }
            _ => Err(ApiError::Fields(faults)),
        }
    }
}
