//! A submission item of the reads (D35, D36, D48).

use kyc_core::{AmlSummary, Country, Listed, RiskLevel, Timestamp, day};
use serde::Serialize;

/// The id and the time first, then alphabetical.
#[derive(Serialize)]
pub(super) struct Item<'a> {
    submission_id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    created_at: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    submit_date: Option<String>,
    aml: &'static str,
    aml_status: &'static str,
    data: Data<'a>,
    email: &'a str,
    kyc: Kyc,
    #[serde(skip_serializing_if = "Option::is_none")]
    userid: Option<&'a str>,
}

#[derive(Serialize)]
struct Kyc {
    result: &'static str,
}

/// The applicant's values; what was not given is left out.
#[derive(Serialize)]
struct Data<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    address_city: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    address_country: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    address_state: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    address_street: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    address_zipcode: Option<&'a str>,
    date_of_birth: String,
    first_name: &'a str,
    gender: &'static str,
    last_name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    middle_name: Option<&'a str>,
    nationality: &'static str,
}

impl<'a> Item<'a> {
    /// The item of the single read: `created_at` and `userid`.
    pub(super) fn alone(listed: &Listed<'a>) -> Self {
        Self {
            created_at: Some(to_the_minute(listed.created_at)),
            userid: listed.user_id,
            ..Self::shared(listed)
        }
    }

    /// The item of the list: `submit_date`.
    pub(super) fn in_list(listed: &Listed<'a>) -> Self {
        Self { submit_date: Some(to_the_minute(listed.created_at)), ..Self::shared(listed) }
    }

    fn shared(listed: &Listed<'a>) -> Self {
        let (aml, aml_status) = aml_words(listed.aml);
        Self {
            submission_id: listed.id.to_string(),
            created_at: None,
            submit_date: None,
            aml,
            aml_status,
            data: Data {
                address_city: listed.address_city,
                address_country: listed.address_country.map(Country::combined),
                address_state: listed.address_state,
                address_street: listed.address_street,
                address_zipcode: listed.address_zipcode,
                date_of_birth: day::text(listed.birth_date),
                first_name: listed.first_name,
                gender: listed.gender.as_str(),
                last_name: listed.last_name,
                middle_name: listed.middle_name,
                nationality: listed.nationality.combined(),
            },
            email: listed.email,
            kyc: Kyc { result: listed.status.as_str() },
            userid: None,
        }
    }
}

/// The word that existing clients know, and the unambiguous one (D35).
fn aml_words(aml: AmlSummary) -> (&'static str, &'static str) {
    match aml {
        AmlSummary::NotStarted => ("Not Screened", "not_started"),
        AmlSummary::Waiting => ("Not Screened", "running"),
        AmlSummary::Stalled => ("Not Screened", "error"),
        AmlSummary::Screened(RiskLevel::NotApplicable) => ("Not Screened", "clear"),
        AmlSummary::Screened(RiskLevel::Low | RiskLevel::Medium | RiskLevel::High) => {
            ("Red Flag", "match")
        }
    }
}

/// `YYYY-MM-DD HH:MM`, UTC (D48).
fn to_the_minute(time: Timestamp) -> String {
    let utc = time.to_utc();
    format!("{} {:02}:{:02}", day::text(utc.date()), utc.hour(), utc.minute())
}
