use kyc_core::conformance::fixture::{
    approved, form, form_aml_only, form_full, form_l2, rejected, screened, stalled, submission,
    time, valid,
};
use kyc_core::{AmlSummary, Gender, IdType, Listed, RiskLevel, Stall, Status};
use time::macros::date;

#[test]
fn d44_a_list_shows_every_value_in_its_place() {
    let submission = submission(7, form_full());
    let Listed {
        id,
        created_at,
        email,
        user_id,
        first_name,
        middle_name,
        last_name,
        nationality,
        birth_date,
        gender,
        id_type,
        id_number,
        address_street,
        address_city,
        address_state,
        address_zipcode,
        address_country,
        contribution_type,
        wallet_address,
        estimated_amount,
        ip_address,
        status,
        aml,
    } = Listed::from(&submission);
    assert_eq!((id, created_at), (submission.id(), time(7)));
    assert_eq!(email, "Zoe.Quill+kyc@Bücher.Example", "as it was sent");
    assert_eq!(user_id, Some("user-1"));
    assert_eq!((first_name, middle_name, last_name), ("Zoë", Some("Анна 𐍈"), "de la O'Quill"));
    assert_eq!(nationality, valid("Cote dIvoire, CIV"));
    assert_eq!((birth_date, gender), (date!(1900 - 01 - 01), Gender::Female));
    assert_eq!((id_type, id_number), (Some(IdType::DriversLicense), Some("D-7741-ÄÖ")));
    assert_eq!(address_street, Some("Straße des 17. Juni 135"));
    assert_eq!((address_city, address_state), (Some("Berlin"), None));
    assert_eq!((address_zipcode, address_country), (Some("10623"), Some(valid("Germany, DEU"))));
    assert_eq!((contribution_type, estimated_amount), (Some("ETH"), Some("about 3,000 €")));
    assert_eq!(wallet_address, Some("0xAb5801a7D398351b8bE11C439e05C5b3259aeC9B"));
    assert_eq!(ip_address, Some(valid("203.0.113.7")));
    assert_eq!((status, aml), (Status::Pending, AmlSummary::NotStarted));
}

#[test]
fn d44_what_was_not_given_is_absent() {
    let submission = submission(1, form());
    let listed = Listed::from(&submission);
    assert_eq!((listed.user_id, listed.middle_name, listed.id_number), (None, None, None));
    assert_eq!((listed.address_street, listed.address_city), (None, None));
    assert_eq!((listed.address_zipcode, listed.address_country), (None, None));
    assert_eq!((listed.contribution_type, listed.wallet_address), (None, None));
    assert_eq!((listed.estimated_amount, listed.ip_address), (None, None));
    assert_eq!(listed.id_type, Some(IdType::Passport));
}

#[test]
fn d44_a_whole_address_is_shown_as_well() {
    let submission = rejected(submission(1, form_l2()));
    let listed = Listed::from(&submission);
    assert_eq!((listed.address_city, listed.address_state), (Some("Vlorë"), Some("Vlorë County")));
    assert_eq!(listed.address_country, Some(valid("Albania, ALB")));
    assert_eq!((listed.status, listed.aml), (Status::Rejected, AmlSummary::NotStarted));
}

#[test]
fn d37_an_aml_only_submission_has_no_document_to_show() {
    let submission = screened(submission(1, form_aml_only()), RiskLevel::High);
    let listed = Listed::from(&submission);
    assert_eq!((listed.id_type, listed.id_number, listed.address_country), (None, None, None));
    assert_eq!(listed.status, Status::Approved);
    assert_eq!(listed.aml, AmlSummary::Screened(RiskLevel::High));
}

#[test]
fn d34_only_a_screening_with_a_result_has_a_risk() {
    let waiting = approved(submission(1, form()));
    let stalled = stalled(waiting.clone(), Stall::ListTooOld);
    for (submission, summary) in [
        (submission(1, form()), AmlSummary::NotStarted),
        (waiting.clone(), AmlSummary::Waiting),
        (stalled, AmlSummary::Stalled),
    ] {
        let of = AmlSummary::of(&submission);
        assert_eq!((of, of.risk()), (summary, None));
    }
    for risk in [RiskLevel::NotApplicable, RiskLevel::Low, RiskLevel::Medium, RiskLevel::High] {
        let of = AmlSummary::of(&screened(waiting.clone(), risk));
        assert_eq!((of, of.risk()), (AmlSummary::Screened(risk), Some(risk)));
    }
}
