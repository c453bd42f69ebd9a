//! The routing table of all generations, in one screen.

use http::Method;

use crate::path::Path;
use crate::percent::{Plus, decode};

/// An operation of the interface, with what its path says.
///
/// Path parts are decoded and unchecked: what does not parse later names nothing, and so is not
/// found.
#[derive(Clone, PartialEq, Eq)]
pub(crate) enum Route {
    /// A client's operation, authenticated by API key.
    Client(ClientRoute),
    /// An inspector's operation, authenticated by token.
    Inspector(InspectorRoute),
}

#[derive(Clone, PartialEq, Eq)]
pub(crate) enum ClientRoute {
    Submit(SubmitRoute),
    V2Upload,
    V2Renew {
        email: String,
        id: String,
    },
    V2Documents {
        email: String,
        id: String,
    },
    V2Status {
        email: String,
        id: Option<String>,
    },
    V2Data {
        email: String,
        id: Option<String>,
    },
    V2List,
    F1Upload,
    /// One submission or the list; the query tells which (D46).
    F1Read,
}

/// Where forms are sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SubmitRoute {
    V2,
    V2AmlOnly,
    F1,
}

#[derive(Clone, PartialEq, Eq)]
pub(crate) enum InspectorRoute {
    Queue,
    Case { id: String },
    Document { id: String, field: String },
    Decide { id: String, decision: DecisionWord },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DecisionWord {
    Approve,
    Reject,
    Retake,
    Reopen,
    /// On a hit of the screening (D80).
    Hit,
    Acknowledge,
}

/// Why a request has no route.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum NoRoute {
    NotFound,
    MethodNotAllowed {
        /// The value of the `Allow` header.
        allow: &'static str,
    },
}

/// Whether a path belongs to the inspectors, which decides on the credentials that are asked for
/// before anything else is looked at (D6).
pub(crate) fn is_for_inspectors(path: &str) -> bool {
    let first = path.split('/').nth(1).unwrap_or("");
    decode(first.as_bytes(), Plus::Itself).is_ok_and(|word| word == "review")
}

impl Route {
    /// Finds the route. Fixed words stand above captures, so `resultall` is never taken for an
    /// e-mail, nor `result` for an id (D50).
    pub(crate) fn of(method: &Method, path: &str) -> Result<Self, NoRoute> {
        // A renewal with nothing in the place of the id has an answer of its own (D3); every other
        // empty segment is no path of ours.
        let path = match path.strip_suffix('/') {
            Some(rest) if is_renewal_without_id(rest) => rest,
            Some(_) | None => path,
        };
        let path = Path::parse(path).map_err(|_| NoRoute::NotFound)?;
        let Operations { get, post } = match path.segments().as_slice() {
            ["v2", rest @ ..] => v2(rest),
            ["f1", rest @ ..] => f1(rest),
            ["review", "v1", rest @ ..] => review(rest),
            _ => None,
        }
        .ok_or(NoRoute::NotFound)?;
        let allow = match (&get, &post) {
            (Some(_), Some(_)) => "GET, POST",
            (Some(_), None) => "GET",
            (None, _) => "POST",
        };
        let route = match *method {
            Method::GET => get,
            Method::POST => post,
            _ => None,
        };
        route.ok_or(NoRoute::MethodNotAllowed { allow })
    }
}

impl ClientRoute {
    /// Whether a document is sent here.
    pub(crate) fn is_upload(&self) -> bool {
        matches!(self, Self::V2Upload | Self::F1Upload)
    }

    /// The template of the route, for logs and metrics: without any value.
    pub(crate) fn template(&self) -> &'static str {
        match self {
            Self::V2Upload => "/v2/submissions/upload",
            Self::Submit(SubmitRoute::V2) => "/v2/submissions",
            Self::Submit(SubmitRoute::V2AmlOnly) => "/v2/amlonly",
            Self::V2Renew { .. } => "/v2/submissions/renewaml/{email}/{submission_id}",
            Self::V2Documents { .. } => "/v2/submissions/{email}/{submission_id}/documents",
            Self::V2Status { id: None, .. } => "/v2/submissions/{email}",
            Self::V2Status { id: Some(_), .. } => "/v2/submissions/{email}/{submission_id}",
            Self::V2Data { id: None, .. } => "/v2/submissions/{email}/result",
            Self::V2Data { id: Some(_), .. } => "/v2/submissions/{email}/{submission_id}/result",
            Self::V2List => "/v2/submissions/resultall",
            Self::F1Upload => "/f1/submissions/upload",
            Self::Submit(SubmitRoute::F1) | Self::F1Read => "/f1/submissions",
        }
    }
}

impl InspectorRoute {
    /// As [`ClientRoute::template`].
    pub(crate) fn template(&self) -> &'static str {
        match self {
            Self::Queue => "/review/v1/submissions",
            Self::Case { .. } => "/review/v1/submissions/{submission_id}",
            Self::Document { .. } => "/review/v1/submissions/{submission_id}/documents/{field}",
            Self::Decide { decision, .. } => match decision {
                DecisionWord::Approve => "/review/v1/submissions/{submission_id}/approve",
                DecisionWord::Reject => "/review/v1/submissions/{submission_id}/reject",
                DecisionWord::Retake => "/review/v1/submissions/{submission_id}/retake",
                DecisionWord::Reopen => "/review/v1/submissions/{submission_id}/reopen",
                DecisionWord::Hit => "/review/v1/submissions/{submission_id}/hits",
                DecisionWord::Acknowledge => "/review/v1/submissions/{submission_id}/acknowledge",
            },
        }
    }
}

fn is_renewal_without_id(path: &str) -> bool {
    let mut segments = path.split('/').skip(1);
    segments.by_ref().take(3).eq(["v2", "submissions", "renewaml"]) && segments.count() < 2
}

/// What one path offers.
struct Operations {
    get: Option<Route>,
    post: Option<Route>,
}

fn get(route: ClientRoute) -> Operations {
    Operations { get: Some(Route::Client(route)), post: None }
}

fn post(route: ClientRoute) -> Operations {
    Operations { get: None, post: Some(Route::Client(route)) }
}

fn v2(path: &[&str]) -> Option<Operations> {
    let text = |part: &str| part.to_owned();
    Some(match *path {
        ["amlonly"] => post(ClientRoute::Submit(SubmitRoute::V2AmlOnly)),
        ["submissions"] => post(ClientRoute::Submit(SubmitRoute::V2)),
        ["submissions", "upload"] => post(ClientRoute::V2Upload),
        ["submissions", "resultall"] => get(ClientRoute::V2List),
        ["submissions", "renewaml"] => {
            post(ClientRoute::V2Renew { email: String::new(), id: String::new() })
        }
        ["submissions", "renewaml", email] => {
            post(ClientRoute::V2Renew { email: text(email), id: String::new() })
        }
        ["submissions", "renewaml", email, id] => {
            post(ClientRoute::V2Renew { email: text(email), id: text(id) })
        }
        ["submissions", email] => get(ClientRoute::V2Status { email: text(email), id: None }),
        ["submissions", email, "result"] => {
            get(ClientRoute::V2Data { email: text(email), id: None })
        }
        ["submissions", email, "documents"] => {
            post(ClientRoute::V2Documents { email: text(email), id: String::new() })
        }
        ["submissions", email, id] => {
            get(ClientRoute::V2Status { email: text(email), id: Some(text(id)) })
        }
        ["submissions", email, id, "result"] => {
            get(ClientRoute::V2Data { email: text(email), id: Some(text(id)) })
        }
        ["submissions", email, id, "documents"] => {
            post(ClientRoute::V2Documents { email: text(email), id: text(id) })
        }
        _ => return None,
    })
}

fn f1(path: &[&str]) -> Option<Operations> {
    Some(match *path {
        ["submissions"] => Operations {
            get: Some(Route::Client(ClientRoute::F1Read)),
            post: Some(Route::Client(ClientRoute::Submit(SubmitRoute::F1))),
        },
        ["submissions", "upload"] => post(ClientRoute::F1Upload),
        _ => return None,
    })
}

fn review(path: &[&str]) -> Option<Operations> {
    let read = |route| Operations { get: Some(Route::Inspector(route)), post: None };
    let decide = |id: &str, decision| Operations {
        get: None,
        post: Some(Route::Inspector(InspectorRoute::Decide { id: id.to_owned(), decision })),
    };
    Some(match *path {
        ["submissions"] => read(InspectorRoute::Queue),
        ["submissions", id] => read(InspectorRoute::Case { id: id.to_owned() }),
        ["submissions", id, "documents", field] => {
            read(InspectorRoute::Document { id: id.to_owned(), field: field.to_owned() })
        }
        ["submissions", id, "approve"] => decide(id, DecisionWord::Approve),
        ["submissions", id, "reject"] => decide(id, DecisionWord::Reject),
        ["submissions", id, "retake"] => decide(id, DecisionWord::Retake),
        ["submissions", id, "reopen"] => decide(id, DecisionWord::Reopen),
        ["submissions", id, "hits"] => decide(id, DecisionWord::Hit),
        ["submissions", id, "acknowledge"] => decide(id, DecisionWord::Acknowledge),
        _ => return None,
    })
}
