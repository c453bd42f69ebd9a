//! What a load balancer or an orchestrator asks, without a credential (D78).

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http::request::Parts;
use http::{Method, Response, StatusCode};
use serde::Serialize;

use crate::interface::Runs;
use crate::json;

/// Whether the service can do its work now: what `/readyz` answers.
///
/// It is told to everybody, so there is nothing in it but names of lists and their ages.
///
/// ```
/// use std::time::Duration;
///
/// use kyc_http::{BackupReadiness, BackupState, ListReadiness, ListState, Readiness};
///
/// let age = Some(Duration::from_secs(3600));
/// let list =
///     ListReadiness { list: "UN".into(), state: ListState::Current, is_required: true, age };
/// let backup = Some(BackupReadiness { state: BackupState::TooOld, age });
/// let readiness = Readiness {
///     store: true,
///     screening: true,
///     loaded: true,
///     retention_waits: false,
///     lists: vec![list],
///     backup,
/// };
/// assert!(readiness.is_ready());
/// assert!(!Readiness { store: false, ..readiness }.is_ready());
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is an answer of its own")]
pub struct Readiness {
    /// Whether the store reads and writes.
    pub store: bool,
    /// Whether applicants can be screened: every required list is there and young enough.
    pub screening: bool,
    /// Whether the current lists could be loaded, and were: false before the first time.
    pub loaded: bool,
    /// Whether erasures wait for a confirmation (D107). Requests can be sent all the same.
    pub retention_waits: bool,
    /// The lists behind that.
    pub lists: Vec<ListReadiness>,
    /// The last good backup, where the service makes them by itself. An old one is an alarm, and no
    /// reason to send requests elsewhere.
    pub backup: Option<BackupReadiness>,
}

/// What is known of the last good backup; there is an example at [`Readiness`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BackupReadiness {
    /// Whether it is young enough.
    pub state: BackupState,
    /// How long ago it was made.
    pub age: Option<Duration>,
}

/// Whether the last good backup is young enough; there is an example at [`Readiness`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum BackupState {
    /// It is.
    Current,
    /// The next one should have been made long ago.
    TooOld,
    /// There is none.
    Missing,
}

/// What is known of one list; there is an example at [`Readiness`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListReadiness {
    /// Its name.
    pub list: String,
    /// Whether it may be used.
    pub state: ListState,
    /// Whether nobody is screened without it.
    pub is_required: bool,
    /// How long ago it was imported, or found to be what its publisher has.
    pub age: Option<Duration>,
}

/// Whether a list may be used; there is an example at [`Readiness`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ListState {
    /// It may.
    Current,
    /// It is older than the service's policy allows.
    TooOld,
    /// It was never imported, or was taken out.
    Missing,
    /// It holds invented people.
    Sample,
}

impl Readiness {
    /// Whether requests should be sent here.
    pub fn is_ready(&self) -> bool {
        self.store && self.screening && self.loaded
    }
}

/// Finds out about the readiness; may wait for a disk.
pub(crate) type Check = Arc<dyn Fn() -> Readiness + Send + Sync>;

/// A question about the service itself.
#[derive(Clone)]
pub(crate) enum Probe {
    /// Whether the process answers.
    Health,
    /// Whether it can do its work.
    Readiness(Check),
}

impl Probe {
    /// The question that a request asks. Other spellings of the two paths are paths like any other,
    /// so that the exception from credentials stays as small as it can be.
    pub(crate) fn of(head: &Parts, check: Option<&Check>) -> Option<Self> {
        match (head.method.clone(), head.uri.path()) {
            (Method::GET, HEALTH) => Some(Self::Health),
            (Method::GET, READINESS) => check.cloned().map(Self::Readiness),
            _ => None,
        }
    }

    pub(crate) fn template(&self) -> &'static str {
        match self {
            Self::Health => HEALTH,
            Self::Readiness(_) => READINESS,
        }
    }

    pub(crate) fn runs(&self) -> Runs {
        match self {
            Self::Health => Runs::Inline,
            Self::Readiness(_) => Runs::Blocking,
        }
    }

    pub(crate) fn answer(&self) -> Response<Bytes> {
        match self {
            Self::Health => json::response(StatusCode::OK, &HealthBody { alive: true }),
            Self::Readiness(check) => {
                let readiness = check();
                let is_ready = readiness.is_ready();
                let status =
                    if is_ready { StatusCode::OK } else { StatusCode::SERVICE_UNAVAILABLE };
                json::response(status, &ReadinessBody::of(&readiness))
            }
        }
    }
}

impl fmt::Debug for Probe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.template())
    }
}

#[derive(Serialize)]
struct HealthBody {
    alive: bool,
}

#[derive(Serialize)]
#[expect(clippy::struct_excessive_bools, reason = "each is an answer of its own")]
struct ReadinessBody<'a> {
    ready: bool,
    store: bool,
    screening: bool,
    loaded: bool,
    retention_waits: bool,
    lists: Vec<ListBody<'a>>,
    backup: Option<BackupBody>,
}

#[derive(Serialize)]
struct BackupBody {
    state: BackupState,
    age_seconds: Option<u64>,
}

#[derive(Serialize)]
struct ListBody<'a> {
    list: &'a str,
    state: ListState,
    required: bool,
    age_seconds: Option<u64>,
}

impl<'a> ReadinessBody<'a> {
    fn of(readiness: &'a Readiness) -> Self {
        let list = |list: &'a ListReadiness| ListBody {
            list: &list.list,
            state: list.state,
            required: list.is_required,
            age_seconds: list.age.map(|age| age.as_secs()),
        };
        Self {
            ready: readiness.is_ready(),
            store: readiness.store,
            screening: readiness.screening,
            loaded: readiness.loaded,
            retention_waits: readiness.retention_waits,
            lists: readiness.lists.iter().map(list).collect(),
            backup: readiness.backup.map(|BackupReadiness { state, age }| BackupBody {
                state,
                age_seconds: age.map(|age| age.as_secs()),
            }),
        }
    }
}

const HEALTH: &str = "/healthz";
const READINESS: &str = "/readyz";
