use time::Date;

use crate::{BoxError, Country, Form, Gender, Screening, Stall, Timestamp, WalletAddress};

/// Searches lists for a person.
///
/// # Contract
///
/// * A result is computed, never assumed: when a required list is missing or too old at `at`, or
///   the name cannot be compared, the answer is an error and the applicant's score stays `-` (D34).
/// * The same subject, time and lists give the same result.
/// * The work is bounded, whatever the name.
///
/// Methods block.
pub trait Screener: Send + Sync {
    /// Screens one person as of `at`.
    ///
    /// # Errors
    ///
    /// [`ScreenError`] says why there is no result.
    fn screen(&self, subject: &Subject<'_>, at: Timestamp) -> Result<Screening, ScreenError>;
}

/// Whom to look for.
///
/// ```
/// use kyc_core::Subject;
///
/// let subject = Subject::named("Mira Kole");
/// assert!(subject.wallets.is_empty());
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Subject<'a> {
    /// The full name, its parts joined by spaces.
    pub name: String,
    /// Date of birth.
    pub birth_date: Option<Date>,
    /// Nationality.
    pub nationality: Option<Country>,
    /// Gender.
    pub gender: Option<Gender>,
    /// Addresses of digital currencies.
    pub wallets: Vec<&'a str>,
}

impl<'a> Subject<'a> {
    /// Somebody of whom only the name is known.
    pub fn named(name: &str) -> Self {
        let name = name.to_owned();
        Self { name, birth_date: None, nationality: None, gender: None, wallets: Vec::new() }
    }

    /// The applicant of a form.
    pub fn of(form: &'a Form) -> Self {
        Self {
            name: form.applicant.full_name(),
            birth_date: Some(form.applicant.birth_date.date()),
            nationality: Some(form.applicant.nationality),
            gender: Some(form.applicant.gender),
            wallets: form.wallets().map(WalletAddress::as_str).collect(),
        }
    }
}

impl std::fmt::Debug for Subject<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Subject(***)")
    }
}

/// Why a screening has no result.
#[derive(Debug, thiserror::Error)]
pub enum ScreenError {
    /// A required list was never imported.
    #[error("the required list {list} is missing")]
    ListMissing {
        /// The list's short name.
        list: String,
    },
    /// A required list is older than allowed.
    #[error("the required list {list} is too old")]
    ListTooOld {
        /// The list's short name.
        list: String,
    },
    /// The name has no letters that could be compared.
    #[error("the name has no letters that can be compared")]
    NoUsableName,
    /// The engine failed.
    #[error("the screening engine failed")]
    Failed(#[source] BoxError),
}

impl ScreenError {
    /// What is kept of it with the submission.
    pub fn stall(&self) -> Stall {
        match self {
            Self::ListMissing { .. } => Stall::ListMissing,
            Self::ListTooOld { .. } => Stall::ListTooOld,
            Self::NoUsableName => Stall::NoUsableName,
            Self::Failed(_) => Stall::Failed,
        }
    }
}
