use kyc_core::conformance::fixture::{
    client, inspector, rejected, replay, sent, submission, time, valid,
};
use kyc_core::conformance::stand_in::{keeper, service};
use kyc_core::memory::MemoryAnswers;
use kyc_core::service::Decision;
use kyc_core::{
    Actor, Answer, Beside, Caller, Certificate, CountrySyntax, Erasure, ErasureCause, Fingerprint,
    Kept, KeyedRequest, Replay, RetentionDecision,
};
use time::macros::date;

use super::{check, form};

fn canary() -> Replay {
    let request = KeyedRequest {
        caller: Caller::Inspector(inspector().into()),
        key: valid("canary-17"),
        fingerprint: Fingerprint(*b"canary--canary--canary--canary--"),
    };
    let answer = Answer { status: 200, body: b"Canary".to_vec() };
    Replay { request, answer, ..replay("order-17", time(0)) }
}

/// As `check`, and neither as the numbers of its bytes.
#[track_caller]
fn check_bytes(value: &dyn std::fmt::Debug) {
    check(value);
    let text = format!("{value:?}");
    for bytes in [&b"Canary"[..], b"canary"] {
        let numbers = format!("{bytes:?}");
        assert!(!text.contains(numbers.trim_matches(['[', ']'])), "bytes are seen in {text}");
    }
}

#[test]
fn d98_neither_a_key_nor_an_answer_is_seen() {
    let replay = canary();
    check_bytes(&replay);
    check_bytes(&replay.request);
    check_bytes(&replay.request.key);
    check_bytes(&replay.request.fingerprint);
    check_bytes(&replay.answer);
    check_bytes(&Beside::answer(replay.clone()));
    check_bytes(&Kept::Answer { client: client(1), answer: replay.answer.clone() });
    let mut answers = MemoryAnswers::default();
    answers.keep(client(1), [7; 16], Beside::answer(replay));
    check_bytes(&answers);
}

#[test]
fn d105_why_a_record_is_held_is_not_seen() {
    let reason = || valid("The canary is in court.");
    let (until, on) = (Some(date!(2033 - 04 - 09)), Some(date!(2026 - 10 - 01)));
    for decision in [
        RetentionDecision::End { on },
        RetentionDecision::End { on: None },
        RetentionDecision::Hold { reason: reason(), until },
        RetentionDecision::Release { reason: reason() },
    ] {
        check(&decision);
        check(&Decision::Retention(decision));
    }
    let hold = RetentionDecision::Hold { reason: reason(), until: None };
    check(&submission(1, form()).decide_retention(Actor::Operator, time(60), hold).unwrap());
}

#[test]
fn d106_nothing_of_the_applicant_is_seen_of_an_erasure() {
    let erasure = Erasure::of(&rejected(submission(1, form())), ErasureCause::Period, time(60));
    check(&erasure);
    let documents = erasure.documents.clone();
    check(&Certificate::of(client(1), erasure, documents));
}

#[test]
fn what_keeps_records_shows_its_settings_alone() {
    assert_eq!(
        format!("{:?}", keeper()),
        "Keeper { policy: RetentionPolicy { years: 5, unused_upload_days: 30 }, \
         limits: RunLimits { records_max: 1000, share_percent_max: 2, gap_days_max: 7 }, .. }"
    );
}

#[test]
fn what_is_prepared_shows_its_client_alone() {
    let service = service();
    let prepared = service.prepare_aml_only(client(1), &sent, CountrySyntax::Combined).unwrap();
    assert_eq!(format!("{prepared:?}"), "Prepared { client: ClientId(1), .. }");
}

#[test]
fn masks_still_say_what_is_kept() {
    #[track_caller]
    fn says(value: &dyn std::fmt::Debug, expected: &str) {
        assert_eq!(format!("{value:?}"), expected);
    }
    let Replay { request, answer, .. } = canary();
    says(&request.key, "IdempotencyKey(***)");
    says(&request.fingerprint, "Fingerprint(***)");
    says(&answer, "Answer(200, ***)");
    let reason = || valid("The canary is in court.");
    says(&RetentionDecision::End { on: Some(date!(2033 - 04 - 09)) }, "End");
    says(&RetentionDecision::End { on: None }, "End(taken back)");
    says(&RetentionDecision::Hold { reason: reason(), until: None }, "Hold(***)");
    let release = RetentionDecision::Release { reason: reason() };
    says(&release, "Release(***)");
    says(&Decision::Retention(release), "Retention(***)");
}
