use kyc_core::{Keep, RetentionPolicy, Submission, day};
use serde::Serialize;

/// How long the submission is kept (D105).
#[derive(Serialize)]
pub(super) struct Kept<'a> {
    /// `None`: while the relationship lasts, or until the hold is released.
    until: Option<String>,
    ended: Option<String>,
    hold: Option<Held<'a>>,
}

#[derive(Serialize)]
struct Held<'a> {
    reason: &'a str,
    until: Option<String>,
}

impl<'a> Kept<'a> {
    pub(super) fn of(policy: RetentionPolicy, submission: &'a Submission) -> Self {
        Self {
            until: match policy.keep(submission) {
                Keep::Until(due) => Some(due.to_string()),
                Keep::Relationship | Keep::Hold => None,
            },
            ended: submission.ended().map(day::text),
            hold: submission.hold().map(|hold| Held {
                reason: hold.reason.as_str(),
                until: hold.until.map(day::text),
            }),
        }
    }
}
