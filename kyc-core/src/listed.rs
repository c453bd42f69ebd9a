//! A submission as lists show it, borrowed from wherever it is kept.

use std::net::Ipv4Addr;

use time::Date;

use crate::{
    AddressPart, Aml, Country, FreeText, Gender, IdNumber, IdType, PersonName, RiskLevel, Status,
    Submission, SubmissionId, Timestamp, UserId, WalletAddress,
};

/// The part of a submission that lists show.
///
/// Texts are borrowed, so that a store can show a page of thousands without making thousands of
/// values; they were valid when they were stored.
///
/// ```
/// use kyc_core::conformance::fixture::{approved, sample};
/// use kyc_core::{AmlSummary, Listed, Status};
///
/// let submission = approved(sample());
/// let listed = Listed::from(&submission);
/// assert_eq!((listed.last_name, listed.nationality.alpha3()), ("Kole", "ALB"));
/// assert_eq!((listed.status, listed.aml), (Status::Approved, AmlSummary::Waiting));
/// ```
#[derive(Clone)]
#[expect(missing_docs, reason = "the types of the parts document them")]
pub struct Listed<'a> {
    pub id: SubmissionId,
    pub created_at: Timestamp,
    pub email: &'a str,
    pub user_id: Option<&'a str>,
    pub first_name: &'a str,
    pub middle_name: Option<&'a str>,
    pub last_name: &'a str,
    pub nationality: Country,
    pub birth_date: Date,
    pub gender: Gender,
    /// `None` for AML-only submissions.
    pub id_type: Option<IdType>,
    pub id_number: Option<&'a str>,
    pub address_street: Option<&'a str>,
    pub address_city: Option<&'a str>,
    pub address_state: Option<&'a str>,
    pub address_zipcode: Option<&'a str>,
    pub address_country: Option<Country>,
    pub contribution_type: Option<&'a str>,
    pub wallet_address: Option<&'a str>,
    pub estimated_amount: Option<&'a str>,
    pub ip_address: Option<Ipv4Addr>,
    pub status: Status,
    pub aml: AmlSummary,
}

/// How far AML screening is, in one value (D34, D35).
///
/// ```
/// use kyc_core::{AmlSummary, RiskLevel};
///
/// assert_eq!(AmlSummary::Screened(RiskLevel::Low).risk(), Some(RiskLevel::Low));
/// assert_eq!(AmlSummary::Waiting.risk(), None);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AmlSummary {
    /// Not approved, so not to be screened.
    NotStarted,
    /// Approved and queued.
    Waiting,
    /// Tried without a result.
    Stalled,
    /// Done.
    Screened(RiskLevel),
}

impl AmlSummary {
    /// Summarises a submission; the risk is [`Submission::risk`].
    ///
    /// ```
    /// use kyc_core::AmlSummary;
    /// use kyc_core::conformance::fixture::sample;
    ///
    /// assert_eq!(AmlSummary::of(&sample()), AmlSummary::NotStarted);
    /// ```
    pub fn of(submission: &Submission) -> Self {
        match submission.review().aml() {
            None => Self::NotStarted,
            Some(Aml::Queued) => Self::Waiting,
            Some(Aml::Stalled(_)) => Self::Stalled,
            Some(Aml::Screened(result)) => Self::Screened(result.risk(submission.decisions())),
        }
    }

    /// The verdict, where there is one.
    pub fn risk(self) -> Option<RiskLevel> {
        match self {
            Self::Screened(risk) => Some(risk),
            Self::NotStarted | Self::Waiting | Self::Stalled => None,
        }
    }
}

impl<'a> From<&'a Submission> for Listed<'a> {
    fn from(submission: &'a Submission) -> Self {
        let form = submission.form();
        let person = &form.applicant;
        let known = form.identification();
        let address = known.map(|known| known.evidence.address()).unwrap_or_default();
        Self {
            id: submission.id(),
            created_at: submission.created_at(),
            email: form.email.as_str(),
            user_id: form.user_id.as_ref().map(UserId::as_str),
            first_name: person.first_name.as_str(),
            middle_name: person.middle_name.as_ref().map(PersonName::as_str),
            last_name: person.last_name.as_str(),
            nationality: person.nationality,
            birth_date: person.birth_date.date(),
            gender: person.gender,
            id_type: known.map(|known| known.id_type),
            id_number: known.and_then(|known| known.id_number.as_ref()).map(IdNumber::as_str),
            address_street: address.street.map(AddressPart::as_str),
            address_city: address.city.map(AddressPart::as_str),
            address_state: address.state.map(AddressPart::as_str),
            address_zipcode: address.zipcode.map(AddressPart::as_str),
            address_country: address.country,
            contribution_type: known
                .and_then(|known| known.contribution_type.as_ref())
                .map(FreeText::as_str),
            wallet_address: known
                .and_then(|known| known.wallet_address.as_ref())
                .map(WalletAddress::as_str),
            estimated_amount: known
                .and_then(|known| known.estimated_amount.as_ref())
                .map(FreeText::as_str),
            ip_address: known.and_then(|known| known.ip_address),
            status: submission.status(),
            aml: AmlSummary::of(submission),
        }
    }
}

impl std::fmt::Debug for Listed<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Listed({}, ***)", self.id.text().as_str())
    }
}
