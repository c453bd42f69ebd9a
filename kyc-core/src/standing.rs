//! Which submission speaks for an applicant (rule 5 of the interface; D31), and duplicates (D39).

use crate::{Email, Status, Submission, SubmissionId, Timestamp};

/// Of several submissions of one applicant, which one is meant.
///
/// ```
/// use kyc_core::Preference;
/// use kyc_core::conformance::fixture::{approved, form, rejected, submission};
///
/// let history = [approved(submission(1, form())), rejected(submission(2, form()))];
/// assert_eq!(Preference::Best.pick(&history), Some(&history[0]));
/// assert_eq!(Preference::Latest.pick(&history), Some(&history[1]));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Preference {
    /// The best status: approved, then pending, then rejected, then incomplete; among equals the
    /// most recent.
    Best,
    /// The most recent.
    Latest,
}

impl Preference {
    /// What is compared: of two submissions, the one with the greater precedence is meant.
    ///
    /// Two submissions of the same instant are told apart by id, so the answer never depends on
    /// the order of the input.
    ///
    /// ```
    /// use kyc_core::Preference;
    /// use kyc_core::conformance::fixture::{approved, form, submission};
    ///
    /// let (older, newer) = (approved(submission(1, form())), submission(2, form()));
    /// let greater = |preference: Preference| {
    ///     preference.precedence(&older) > preference.precedence(&newer)
    /// };
    /// assert!(greater(Preference::Best) && !greater(Preference::Latest));
    /// ```
    pub fn precedence(self, submission: &Submission) -> (Option<Status>, Timestamp, SubmissionId) {
        let status = match self {
            Self::Best => Some(submission.status()),
            Self::Latest => None,
        };
        (status, submission.created_at(), submission.id())
    }

    /// Picks the submission that is meant; `None` only for an empty input.
    pub fn pick<'a>(
        self,
        submissions: impl IntoIterator<Item = &'a Submission>,
    ) -> Option<&'a Submission> {
        submissions.into_iter().max_by_key(|submission| self.precedence(submission))
    }
}

/// A submission of the same person under another e-mail address of the same client (D39).
///
/// ```
/// use kyc_core::conformance::fixture::sample;
///
/// let duplicate = sample().as_duplicate();
/// assert_eq!(duplicate.email.as_str(), "mira.kole@example.org");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Duplicate {
    /// The other address, as it was sent.
    pub email: Email,
    /// The other submission.
    pub id: SubmissionId,
}

impl Duplicate {
    /// The most duplicates that are reported for one submission, most recent first.
    ///
    /// A bound, because one client can submit one person under any number of addresses, and each
    /// status read carries the list. More than these tell an inspector nothing new.
    pub const COUNT_MAX: usize = 100;
}
