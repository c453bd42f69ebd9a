use std::ops::ControlFlow;

use kyc_core::conformance::fixture::{
    applicant, client, client_record, form, form_full, inspector, valid,
};
use kyc_core::service::Error;
use kyc_core::{
    Applicant, Email, Form, Listed, Lookup, PageKey, Status, Submission, SubmissionId, UserId,
};

use super::world::{World, approve, by_email, omar, reject, world};

fn named(email: &str, user_id: Option<&str>) -> Form {
    Form { email: valid(email), user_id: user_id.map(valid), ..form() }
}

#[test]
fn d6_a_key_and_a_token_open_what_they_are_for() {
    let world = world();
    let client_of = |key| world.client_of_key(key).unwrap().map(|client| (*client).clone());
    assert_eq!(client_of("key 1"), Some(client_record(1)));
    assert_eq!(client_of("key 2"), Some(client_record(2)));
    assert_eq!(client_of("token of ines"), None);
    assert_eq!(client_of(""), None);
    let inspector_of =
        |token| world.inspector_of_token(token).unwrap().map(|found| (*found).clone());
    assert_eq!(inspector_of("token of ines"), Some(inspector()));
    assert_eq!(inspector_of("token of omar"), Some(omar()));
    assert_eq!(inspector_of("key 1"), None);
}

#[test]
fn d31_the_status_is_that_of_the_best_and_the_data_that_of_the_latest() {
    let world = world();
    let approved = world.decided(&world.submit_form(1, &form()), approve());
    let rejected = world.decided(&world.submit_form(1, &form()), reject());
    let email = &form().email;

    let (best, _) = world.status(client(1), &by_email(email)).unwrap();
    assert_eq!(best, approved);
    assert_eq!(world.latest(client(1), &by_email(email)).unwrap(), rejected);

    let lookup = Lookup { id: Some(rejected.id()), ..by_email(email) };
    let (best, _) = world.status(client(1), &lookup).unwrap();
    assert_eq!(best, rejected);
}

#[test]
fn d49_a_user_id_narrows() {
    let world = world();
    let one = world.submit_form(1, &named("mira@example.org", Some("user-1")));
    let two = world.submit_form(1, &named("mira@example.org", Some("user-2")));
    let none = world.submit_form(1, &named("mira@example.org", None));
    let email: Email = valid("mira@example.org");
    let status = |user_id: Option<&str>| -> Option<SubmissionId> {
        let user_id: Option<UserId> = user_id.map(valid);
        let lookup = Lookup { user_id: user_id.as_ref(), ..by_email(&email) };
        match world.status(client(1), &lookup) {
            Ok((submission, _)) => Some(submission.id()),
            Err(Error::NotFound) => None,
            Err(other) => unreachable!("{other}"),
        }
    };
    assert_eq!(status(None), Some(none.id()));
    assert_eq!(status(Some("user-1")), Some(one.id()));
    assert_eq!(status(Some("user-2")), Some(two.id()));
    assert_eq!(status(Some("user-3")), None);
    assert_eq!(status(Some("USER-1")), None);
}

#[test]
fn d12_another_client_finds_nothing() {
    let world = world();
    let submission = world.submit_form(1, &named("mira@example.org", Some("user-1")));
    let form = submission.form();
    let lookups = [
        by_email(&form.email),
        Lookup { id: Some(submission.id()), ..Lookup::default() },
        Lookup { user_id: form.user_id.as_ref(), ..Lookup::default() },
        Lookup::default(),
    ];
    for lookup in lookups {
        assert!(world.status(client(1), &lookup).is_ok());
        assert!(matches!(world.status(client(2), &lookup), Err(Error::NotFound)));
        assert!(matches!(world.latest(client(2), &lookup), Err(Error::NotFound)));
    }
}

#[test]
fn d39_the_status_tells_of_the_same_person_under_other_addresses() {
    let world = world();
    world.submit_form(1, &named("mira@example.org", None));
    let other = world.submit_form(1, &named("Mira@example.com", None));
    let renewed_spelling = Applicant { first_name: valid("MÍRA"), ..applicant() };
    let third = world
        .submit_form(1, &Form { applicant: renewed_spelling, ..named("m.kole@example.net", None) });
    world.submit_form(1, &form_full());
    world.submit_form(2, &named("mira@example.net", None));

    let email: Email = valid("mira@example.org");
    let (_, duplicates) = world.status(client(1), &by_email(&email)).unwrap();
    let found: Vec<(&str, SubmissionId)> =
        duplicates.iter().map(|duplicate| (duplicate.email.as_str(), duplicate.id)).collect();
    assert_eq!(found, [("m.kole@example.net", third.id()), ("Mira@example.com", other.id())]);
}

fn listed(world: &World, after: Option<&Submission>) -> Result<Vec<SubmissionId>, Error> {
    let after = after.map(|last| PageKey { email: last.form().email.clone(), id: last.id() });
    let mut shown = Vec::new();
    let mut visit = |listed: &Listed<'_>| {
        shown.push(listed.id);
        ControlFlow::Continue(())
    };
    world.list(client(1), after.as_ref(), &mut visit)?;
    Ok(shown)
}

#[test]
fn d42_the_list_is_in_the_order_of_creation() {
    let world = world();
    assert_eq!(listed(&world, None).unwrap(), []);
    let all: Vec<Submission> = (1..=3).map(|_| world.submit_form(1, &form())).collect();
    let foreign = world.submit_form(2, &form());
    let ids: Vec<SubmissionId> = all.iter().map(Submission::id).collect();
    assert_eq!(listed(&world, None).unwrap(), ids);
    for (place, last) in all.iter().enumerate() {
        assert_eq!(listed(&world, Some(last)).unwrap(), ids[place + 1..]);
    }
    assert!(matches!(listed(&world, Some(&foreign)), Err(Error::UnknownPageKey)));
}

#[test]
fn the_list_shows_where_a_review_stands() {
    let world = world();
    world.decided(&world.submit_form(1, &form()), approve());
    world.submit_form(1, &form());
    let mut shown = Vec::new();
    let mut visit = |listed: &Listed<'_>| {
        shown.push((listed.status, listed.aml));
        ControlFlow::Continue(())
    };
    world.list(client(1), None, &mut visit).unwrap();
    assert_eq!(
        shown,
        [
            (Status::Approved, kyc_core::AmlSummary::Waiting),
            (Status::Pending, kyc_core::AmlSummary::NotStarted),
        ]
    );
}

#[test]
fn d1_every_reference_is_another_one() {
    let world = world();
    let references: Vec<String> = (0..3).map(|_| world.reference().as_str().to_owned()).collect();
    assert!(references.iter().all(|reference| reference.len() == 26));
    assert!(references[0] != references[1] && references[1] != references[2]);
}

#[test]
fn the_service_says_how_its_reads_may_be_called() {
    assert!(world().reads_are_local());
    assert_eq!(
        format!("{:?}", *world()),
        "Service { options: Options { document_bytes_max: 3145728, retention: RetentionPolicy { \
         years: 5, unused_upload_days: 30 } }, .. }"
    );
}
