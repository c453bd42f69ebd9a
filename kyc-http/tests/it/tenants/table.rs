//! Every route, with the arguments that name a record.

use http::Method;

use super::Ids;
use crate::support::*;

/// The arguments that hold document handles.
pub(crate) const HANDLES: [&str; 7] = [
    "photoid_res",
    "selfie_res",
    "address_res",
    "image_res1",
    "image_res2",
    "image_res3",
    "image_res4",
];

/// The state in which a route does something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stage {
    Pending,
    Incomplete,
    Approved,
    Rejected,
    /// Approved, with a hit of the screening.
    Screened,
    /// As [`Screened`](Self::Screened), and changed by a later one.
    Changed,
    /// Pending, with a hold.
    Held,
    Erased,
}

/// One way to call a route.
pub(crate) struct Row {
    pub(crate) who: Caller,
    pub(crate) method: Method,
    pub(crate) template: &'static str,
    pub(crate) stage: Stage,
    /// Arguments of the query.
    query: &'static [&'static str],
    /// Arguments of the form.
    form: &'static [&'static str],
    /// The rest of the body.
    rest: String,
}

impl Row {
    /// The names of all arguments that name a record: of path, query and form.
    pub(crate) fn arguments(&self) -> Vec<&'static str> {
        let captures =
            self.template.split('/').filter_map(|part| part.strip_prefix('{')?.strip_suffix('}'));
        captures.chain(self.query.iter().copied()).chain(self.form.iter().copied()).collect()
    }

    pub(crate) fn target(&self, ids: &Ids) -> String {
        let mut target = self.template.to_owned();
        for name in ["email", "submission_id", "field"] {
            target = target.replace(&format!("{{{name}}}"), &escape(&ids[name]));
        }
        format!("{target}?{}", joined(self.query, ids))
    }

    pub(crate) fn body(&self, ids: &Ids) -> String {
        let form = joined(self.form, ids);
        if form.is_empty() { self.rest.clone() } else { format!("{form}&{}", self.rest) }
    }
}

fn joined(names: &[&str], ids: &Ids) -> String {
    let pairs: Vec<String> =
        names.iter().map(|name| format!("{name}={}", escape(&ids[name]))).collect();
    pairs.join("&")
}

fn read(template: &'static str, query: &'static [&'static str]) -> Row {
    let who = if template.starts_with("/review") { Ben } else { Acme };
    let (method, stage, form) = (Method::GET, Stage::Pending, &[]);
    Row { who, method, template, stage, query, form, rest: String::new() }
}

fn write(template: &'static str, stage: Stage, form: &'static [&'static str]) -> Row {
    Row { method: Method::POST, stage, form, ..read(template, &[]) }
}

fn decide(template: &'static str, stage: Stage, body: &str) -> Row {
    Row { rest: body.to_owned(), ..write(template, stage, &[]) }
}

/// What a form needs besides documents.
fn with_form(row: Row) -> Row {
    let form = Sent::mira()
        .with("kyc_level", "L2")
        .with("address_street", "12 Harbour Lane")
        .with("address_city", "Vlora")
        .with("address_state", "Vlora County")
        .with("address_zipcode", "9401")
        .with("address_country", "Albania, ALB");
    Row { rest: form.body(), ..row }
}

pub(crate) fn rows() -> Vec<Row> {
    use Stage::{Approved, Changed, Erased, Held, Incomplete, Pending, Rejected, Screened};
    const LIST: [&str; 2] = ["nextpageKeyemail", "nextpageKeyid"];
    let documents = &HANDLES[..3];
    vec![
        write("/v2/submissions/upload", Pending, &[]),
        with_form(write("/v2/submissions", Pending, documents)),
        read("/v2/submissions/{email}", &[]),
        read("/v2/submissions/{email}", &["userid"]),
        read("/v2/submissions/{email}/{submission_id}", &[]),
        read("/v2/submissions/{email}/{submission_id}", &["userid"]),
        read("/v2/submissions/{email}/result", &[]),
        read("/v2/submissions/{email}/result", &["userid"]),
        read("/v2/submissions/{email}/{submission_id}/result", &[]),
        read("/v2/submissions/{email}/{submission_id}/result", &["userid"]),
        read("/v2/submissions/resultall", &[]),
        read("/v2/submissions/resultall", &LIST),
        Row { rest: Sent::mira_aml_only().body(), ..write("/v2/amlonly", Pending, &[]) },
        write("/v2/submissions/renewaml/{email}/{submission_id}", Approved, &[]),
        write("/v2/submissions/{email}/{submission_id}/documents", Incomplete, documents),
        write("/f1/submissions/upload", Pending, &[]),
        with_form(write("/f1/submissions", Pending, &HANDLES)),
        read("/f1/submissions", &[]),
        read("/f1/submissions", &LIST),
        read("/f1/submissions", &["email"]),
        read("/f1/submissions", &["userid"]),
        read("/f1/submissions", &["submission_id"]),
        read("/f1/submissions", &["email", "submission_id"]),
        read("/f1/submissions", &["email", "userid", "submission_id"]),
        read("/review/v1/submissions", &[]),
        read("/review/v1/submissions", &["client"]),
        read("/review/v1/submissions", &["email"]),
        read("/review/v1/submissions", &["after"]),
        read("/review/v1/submissions/{submission_id}", &[]),
        read("/review/v1/submissions/{submission_id}/documents/{field}", &[]),
        decide(
            "/review/v1/submissions/{submission_id}/approve",
            Pending,
            r#"{"version":1,"id_expired_date":"2031-03-02","address_issued_date":"2026-08-31"}"#,
        ),
        decide(
            "/review/v1/submissions/{submission_id}/reject",
            Pending,
            r#"{"version":1,"comment":"No."}"#,
        ),
        decide(
            "/review/v1/submissions/{submission_id}/retake",
            Pending,
            r#"{"version":1,"documents":["selfie_res"]}"#,
        ),
        decide(
            "/review/v1/submissions/{submission_id}/reopen",
            Rejected,
            r#"{"version":2,"reason":"A mistake"}"#,
        ),
        decide(
            "/review/v1/submissions/{submission_id}/hits",
            Screened,
            r#"{"version":3,"list":"sample","entity":"S-12","verdict":"false_positive","note":"No."}"#,
        ),
        decide("/review/v1/submissions/{submission_id}/acknowledge", Changed, r#"{"version":4}"#),
        decide(
            "/review/v1/submissions/{submission_id}/end",
            Pending,
            r#"{"version":1,"on":"2031-03-02"}"#,
        ),
        decide(
            "/review/v1/submissions/{submission_id}/hold",
            Pending,
            r#"{"version":1,"reason":"Case 17","until":"2031-03-02"}"#,
        ),
        decide(
            "/review/v1/submissions/{submission_id}/release",
            Held,
            r#"{"version":2,"reason":"Closed"}"#,
        ),
        Row { stage: Erased, ..read("/review/v1/submissions/{submission_id}/certificate", &[]) },
    ]
}
