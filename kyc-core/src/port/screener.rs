use time::Date;

use crate::{
    BoxError, Country, Form, Gender, IdNumber, Screening, Stall, Timestamp, WalletAddress,
};

/// Searches lists for a person.
///
/// # Contract
///
/// * A result is computed, never assumed: when a required list is missing or too old at `at`, or
///   the name cannot be compared, the answer is an error and the applicant's score stays `-` (D34).
/// * The same subject, time and lists give the same result.
/// * No listed record is in a result twice, and no hit has a field of evidence twice.
/// * The work is bounded, whatever the name.
///
/// Methods block.
///
/// ```
/// use kyc_core::conformance::fixture::{hit, list_version, time};
/// use kyc_core::{RiskLevel, ScreenError, Screener, Screening, Subject, Timestamp};
///
/// /// Knows one name.
/// struct OneName(&'static str);
///
/// impl Screener for OneName {
///     fn screen(&self, subject: &Subject<'_>, at: Timestamp) -> Result<Screening, ScreenError> {
///         if !subject.name.chars().any(char::is_alphabetic) {
///             return Err(ScreenError::NoUsableName);
///         }
///         let is_listed = subject.name.eq_ignore_ascii_case(self.0);
///         Ok(Screening {
///             at,
///             lists: vec![list_version()],
///             hits: if is_listed { vec![hit(1_000)] } else { Vec::new() },
///             unreported: RiskLevel::NotApplicable,
///             configuration: "one".into(),
///         })
///     }
/// }
///
/// let engine = OneName("Mira Kole");
/// kyc_core::conformance::screener(&engine);
/// assert_eq!(engine.screen(&Subject::named("MIRA KOLE"), time(0))?.risk(), RiskLevel::High);
/// # Ok::<(), ScreenError>(())
/// ```
pub trait Screener: Send + Sync {
    /// Screens one person as of `at`.
    ///
    /// # Errors
    ///
    /// [`ScreenError`] says why there is no result.
    fn screen(&self, subject: &Subject<'_>, at: Timestamp) -> Result<Screening, ScreenError>;
}

/// Whom to look for. `Debug` is masked.
///
/// ```
/// use kyc_core::Subject;
/// use kyc_core::conformance::fixture::form_full;
///
/// let form = form_full();
/// assert_eq!(Subject::of(&form).wallets.len(), 3);
/// assert!(Subject::named("Mira Kole").birth_date.is_none());
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
    /// Numbers of identity documents.
    pub documents: Vec<&'a str>,
}

impl<'a> Subject<'a> {
    /// Somebody of whom only the name is known.
    pub fn named(name: &str) -> Self {
        let name = name.to_owned();
        Self {
            name,
            birth_date: None,
            nationality: None,
            gender: None,
            wallets: Vec::new(),
            documents: Vec::new(),
        }
    }

    /// The applicant of a form.
    pub fn of(form: &'a Form) -> Self {
        let id_number = form.identification().into_iter().flat_map(|known| &known.id_number);
        Self {
            name: form.applicant.full_name(),
            birth_date: Some(form.applicant.birth_date.date()),
            nationality: Some(form.applicant.nationality),
            gender: Some(form.applicant.gender),
            wallets: form.wallets().map(WalletAddress::as_str).collect(),
            documents: id_number.map(IdNumber::as_str).collect(),
        }
    }
}

impl std::fmt::Debug for Subject<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Subject(***)")
    }
}

/// Why a screening has no result. Exhaustive: each case is kept as a [`Stall`].
///
/// ```
/// use kyc_core::{ScreenError, Stall};
///
/// let error = ScreenError::ListTooOld { list: "un".into() };
/// assert_eq!(error.to_string(), "the required list un is too old");
/// assert_eq!(error.stall(), Stall::ListTooOld);
/// ```
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
